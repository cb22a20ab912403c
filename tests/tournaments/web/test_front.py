"""The front answers as the ordinary way does, and with nothing that another state,
reader or address should get.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from pairing.rounds.publish import results_publish
from tests.conftest import forget_pages
from tests.tournaments import factories
from tests.tournaments.stored import stored_pages
from tests.tournaments.web.test_every_public_page import (
    HTMX,
    OPEN_PAGES,
    OTHER_PAGES,
    address,
    on_site,
)
from tournaments.core.build import build
from tournaments.core.frame import Frame
from tournaments.entries.entries import entry_withdraw
from tournaments.models import Tournament
from tournaments.web import public_page

__all__ = ["on_site"]

WAYS: list[dict[str, str]] = [
    {},
    {"Accept-Encoding": "gzip, br"},
    {"Accept-Language": "fr"},
    HTMX,
    HTMX | {"HX-Boosted": "true", "Accept-Encoding": "gzip"},
]
NEWEST = {"v": "newest"}
QUERIES = [
    {}, {"order": "name"}, {"v": "1.old"}, {"v": "", "b": "0"}, {"order": "tpn"}, {"q": " ABARA"}, {"utm_source": "x"},
    NEWEST, NEWEST | {"b": build()}, NEWEST | {"b": "other", "order": "name"},
]  # fmt: skip


def summary(answer: Any) -> tuple[int, bytes, dict[str, str]]:
    headers = dict(answer.headers)
    if answer.status_code == 304:
        headers.pop("Content-Length", None)
    return answer.status_code, answer.content, headers


@pytest.mark.costly
def test_an_answer_from_memory_is_the_ordinary_answer(on_site: Tournament, client: Client) -> None:
    # A forecast is made after its version, and each answer with it is compressed anew.
    pages = {
        name: numbers for name, numbers in (OPEN_PAGES | OTHER_PAGES).items() if name != "forecast"
    }
    requested = {address(on_site, name, numbers): name for name, numbers in pages.items()}
    requested |= {
        reverse("news", args=[on_site.slug]): "news",
        reverse("tournament", args=["nothing-here"]): "none",
    }
    newest = client.get(reverse("news", args=[on_site.slug])).json()["key"]
    for url, name in requested.items():
        for headers in WAYS if name in ("pairings-public", "news", "player-page") else WAYS[1:4]:
            for query in QUERIES if name == "pairings-public" else QUERIES[:1]:
                if "v" in query and query["v"] == "newest":
                    query = query | {"v": newest}
                where = (url, headers, query)
                forget_pages()
                first = client.get(url, query, headers=headers)
                assert summary(client.get(url, query, headers=headers)) == summary(first), where
                if not first.has_header("ETag"):
                    continue
                known = headers | {"If-None-Match": f'"other", {first.headers["ETag"]}'}
                unchanged = client.get(url, query, headers=known)
                forget_pages()
                assert summary(client.get(url, query, headers=known)) == summary(unchanged), where
                assert unchanged.status_code == 304


def test_the_second_visitor_costs_one_query_and_no_session(
    on_site: Tournament,
    client: Client,
    django_assert_num_queries: DjangoAssertNumQueries,
    chief_arbiter: User,
) -> None:
    url = reverse("standings", args=[on_site.slug])
    first = client.get(url)
    client.force_login(chief_arbiter)
    with django_assert_num_queries(1):
        assert summary(client.get(url)) == summary(first)


def test_unknown_parameters_old_and_newest_versions_and_searches_cost_one_query(
    on_site: Tournament, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    url = reverse("pairings-public", args=[on_site.slug, 2])
    newest = client.get(reverse("news", args=[on_site.slug])).json()["key"]
    first = client.get(url)
    client.get(url, {"q": "abara"})
    client.get(url, {"v": newest}, headers=HTMX)
    with django_assert_num_queries(4):
        assert summary(client.get(url, {"fbclid": "1", "x": "y"})) == summary(first)
        assert client.get(url, {"q": "ABARA ", "v": "1.old"}).status_code == 200
        nothing = client.get(url, {"v": newest}, headers=HTMX)
        assert client.get(url, {"v": newest, "utm_source": "x"}, headers=HTMX).status_code == 204
    assert (nothing.status_code, nothing.content) == (204, b"")
    assert "no-store" in nothing.headers["Cache-Control"]


def test_the_newest_version_of_a_page_with_more_is_not_told_to_an_arbiter(
    on_site: Tournament, client: Client, chief_arbiter: User
) -> None:
    url = reverse("crosstable", args=[on_site.slug])
    newest = client.get(reverse("news", args=[on_site.slug])).json()["key"]
    assert [client.get(url, {"v": newest}, headers=HTMX).status_code for _ in range(2)] == [
        204,
        204,
    ]
    client.force_login(chief_arbiter)
    assert client.get(url, {"v": newest}, headers=HTMX).status_code == 200


def test_an_arbiter_still_reads_more_where_the_page_has_more(
    on_site: Tournament, client: Client, chief_arbiter: User
) -> None:
    url = reverse("crosstable", args=[on_site.slug])
    visitor = [client.get(url), client.get(url)]
    client.force_login(chief_arbiter)
    own = client.get(url)
    assert "no-store" in own.headers["Cache-Control"]
    assert own.content != visitor[1].content == visitor[0].content
    client.logout()
    assert client.get(url).content == visitor[0].content


@pytest.mark.costly
def test_a_new_state_is_seen_at_once(
    on_site: Tournament, client: Client, chief_arbiter: User
) -> None:
    urls = [reverse(name, args=[on_site.slug]) for name in ("standings", "players", "news")]
    before = {url: (client.get(url), client.get(url))[1].content for url in urls}
    entry_withdraw(
        entry_id=factories.entry_of(on_site, 5).pk, actor=chief_arbiter, now=factories.NOW
    )
    assert [url for url in urls if client.get(url).content == before[url]] == []
    factories.enter_results(on_site, 2, chief_arbiter)
    between = {url: client.get(url).content for url in urls}
    results_publish(
        round_id=factories.round_of(on_site, 2).pk, actor=chief_arbiter, now=factories.NOW
    )
    assert [url for url in urls if client.get(url).content == between[url]] == []


def test_another_host_name_is_refused_as_ever(on_site: Tournament, client: Client) -> None:
    url = reverse("standings", args=[on_site.slug])
    client.get(url)
    assert client.get(url, headers={"Host": "evil.example"}).status_code == 400


def test_no_parameter_and_no_other_method_makes_a_second_answer(
    on_site: Tournament, client: Client
) -> None:
    url = reverse("standings", args=[on_site.slug])
    for number in range(5):
        client.get(url, {"v": f"1.{number}"})
    assert len(stored_pages()) == 1
    assert client.post(url).status_code == 405
    assert client.head(url).status_code == 200
    assert len(stored_pages()) == 1


@pytest.mark.costly
def test_who_waits_for_a_page_gets_what_another_request_has_made(
    on_site: Tournament, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = reverse("pairings-public", args=[on_site.slug, 2])
    forget_pages()
    others: list[Any] = []
    made: list[Frame] = []
    read_frame = public_page._frame

    def counted(*given: Any, **named: Any) -> Frame:
        made.append(read_frame(*given, **named))
        return made[-1]

    class Waiting:
        """The lock, which another request for the same page had before."""

        def __enter__(self) -> None:
            if not others:
                others.append(None)
                others[0] = client.get(url)

        def __exit__(self, *raised: object) -> None:
            pass

    monkeypatch.setattr(public_page, "_one_at_a_time", Waiting())
    monkeypatch.setattr(public_page, "_frame", counted)
    assert summary(client.get(url)) == summary(others[0])
    assert len(made) == 1
