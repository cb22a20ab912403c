"""A cached page is the same for everybody: it holds nothing of one visitor,
and no link makes a second copy of it.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.messages.storage.cookie import CookieStorage
from django.db.models import F
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import resolve, reverse
from django_htmx.middleware import HtmxDetails
from pytest_django import DjangoAssertNumQueries

from pairing.rounds.publish import results_publish
from tests.tournaments import factories
from tests.tournaments.markup import tidy
from tests.tournaments.stored import stored_pages
from tests.tournaments.web.test_every_public_page import (
    HTMX,
    OPEN_PAGES,
    OTHER_PAGES,
    address,
    on_site,
)
from tournaments.core import page_store
from tournaments.core.build import build
from tournaments.core.frame import Frame, state_key
from tournaments.events.sections import event_create
from tournaments.models import Round, Tournament
from tournaments.setup.tournaments import tournament_update
from tournaments.setup.visibility import tournament_list_set
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.public_page import visitor_page

__all__ = ["on_site"]

EVERY_PAGE = OPEN_PAGES | OTHER_PAGES


def addresses(tournament: Tournament) -> list[str]:
    return [address(tournament, name, numbers) for name, numbers in EVERY_PAGE.items()]


def cached_bodies() -> list[bytes]:
    """Return the pages cached for visitors, unpacked."""
    return [page.body + page.headers.encode() for page in stored_pages()]


def signed_message(rf: RequestFactory, text: str) -> str:
    """Return a cookie with a message, signed as the site signs it."""
    request = rf.get("/")
    storage = CookieStorage(request)
    storage.add(messages.SUCCESS, text)
    response = HttpResponse()
    storage.update(response)
    return response.cookies["messages"].value


@pytest.mark.costly
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_no_message_name_or_token_is_in_a_cached_page(
    on_site: Tournament,
    client: Client,
    chief_arbiter: User,
    rf: RequestFactory,
    headers: dict[str, str],
) -> None:
    User.objects.filter(pk=chief_arbiter.pk).update(first_name="Xaviera", last_name="Secretname")
    client.force_login(chief_arbiter)
    client.get(reverse("entry-add", args=[on_site.slug]))
    secrets = {
        "session": client.cookies["sessionid"].value,
        "token": client.cookies["csrftoken"].value,
    }
    # The session ends in the middle of the work, and the message of the last action was not shown
    # yet.
    client.logout()
    client.cookies["sessionid"] = secrets["session"]
    client.cookies["csrftoken"] = secrets["token"]
    for url in addresses(on_site):
        for query in ({}, {"q": "abara", "secret": "planted"}, {"next": "/planted/"}):
            client.cookies["messages"] = signed_message(rf, "Planted: round 9 is cancelled")
            page = client.get(
                url,
                query,
                headers=headers
                | {"Referer": "http://planted.example/", "X-Forwarded-Host": "planted"},
            )
            assert page.status_code == 200
    pages = cached_bodies()
    assert len(pages) >= len(EVERY_PAGE)
    for content in pages:
        # The record keeps the user's name of that time.
        for secret in (
            b"Planted",
            b"planted",
            b"Secretname",
            b"csrf",
            *(each.encode() for each in secrets.values()),
        ):
            assert secret not in content


@pytest.mark.costly
def test_the_message_for_an_arbiter_is_shown_to_the_arbiter_alone(
    on_site: Tournament, client: Client, chief_arbiter: User
) -> None:
    other = Client()
    client.force_login(chief_arbiter)
    client.post(reverse("list-close", args=[on_site.slug]), factories.seen_now(on_site))
    # The arbiter's browser has a message waiting, and is not logged in any more.
    assert "messages" in client.cookies
    del client.cookies["sessionid"]
    for url in addresses(on_site):
        assert (
            b'class="notice good"'
            not in client.get(url).content.partition(b'id="messages"')[2][:200]
        )
        assert client.get(url).content == other.get(url).content
    # The message waits for the next page that is made for its reader.
    client.force_login(chief_arbiter)
    session_fragment = client.get(reverse("own-part", args=[on_site.slug])).content.decode()
    assert '<div class="notice good' in tidy(session_fragment)


@pytest.mark.costly
def test_an_unknown_parameter_makes_no_second_copy(on_site: Tournament, client: Client) -> None:
    for url in addresses(on_site):
        first = client.get(url)
        before = len(cached_bodies())
        for query in (
            {"fbclid": "1"},
            {"utm_source": "poster", "utm_campaign": "2"},
            {"x": "1"},
            {"v": "17"},
            {"order": "sideways"},
            {"page": "1"},
            {"page": "01"},
            {"q": ""},
            {"q": "  "},
        ):
            again = client.get(url, query)
            assert (again.content, again.headers["ETag"]) == (
                first.content,
                first.headers["ETag"],
            ), (url, query)
        assert len(cached_bodies()) == before, url


def test_another_spelling_of_an_address_makes_no_second_copy(
    played_round: Round, client: Client
) -> None:
    tournament = played_round.tournament
    player = factories.entry_of(tournament, 1).pk
    first = client.get(f"/t/{tournament.slug}/standings/1/player/{player}/")
    before = len(cached_bodies())
    again = client.get(f"/t/{tournament.slug}/standings/0001/player/0{player}/")
    assert (again.content, again.headers["ETag"], len(cached_bodies())) == (
        first.content,
        first.headers["ETag"],
        before,
    )


def test_a_boosted_request_does_not_change_the_cached_part(
    published_round: Round, client: Client
) -> None:
    """The answer is the whole page: cached as the part, it would be loaded into every open page."""
    url = reverse("tournament", args=[published_round.tournament.slug])
    whole = client.get(url, headers=HTMX | {"HX-Boosted": "true"})
    part = client.get(url, headers=HTMX)
    assert b"<!DOCTYPE html>" in whole.content
    assert b"<!DOCTYPE html>" not in part.content


@pytest.mark.costly
def test_every_host_gets_the_same_page(on_site: Tournament, client: Client, settings: Any) -> None:
    """The printed list contains the public address of the site,
    not the host name of the first visitor.
    """
    settings.ALLOWED_HOSTS = ["hall.example", "club.example", "localhost"]
    for url in addresses(on_site):
        requested = [("hall.example", False), ("club.example", True), ("localhost:8000", False)]
        pages = [
            client.get(url, headers={"Host": host}, secure=secure) for host, secure in requested
        ]
        assert len({(page.content, page.headers["ETag"]) for page in pages}) == 1, url
        assert b"club.example" not in pages[0].content
    url = reverse("pairings-public", args=[on_site.slug, 1])
    page = client.get(url, headers={"Host": "club.example"})
    assert b"http://hall.example/static/img/preview" in page.content
    settings.PUBLIC_ADDRESS = "https://chess.example:8443"
    moved = client.get(url, headers={"Host": "club.example"})
    assert b"https://chess.example:8443/static/img/preview" in moved.content
    assert moved.headers["ETag"] != page.headers["ETag"]


@pytest.mark.costly
def test_the_pages_of_two_events_are_cached_separately(chief_arbiter: User, client: Client) -> None:
    for name in ("First", "Second"):
        factories.make_ready(chief_arbiter, players=4, name=name)
    pages = [client.get(reverse("players", args=[slug])) for slug in ("first", "second")]
    assert pages[0].headers["ETag"] != pages[1].headers["ETag"]
    tournament = Tournament.objects.get(slug="first")
    tournament_update(
        tournament_id=tournament.pk, actor=chief_arbiter, now=factories.NOW, city="Lyon"
    )
    assert (
        client.get(reverse("players", args=["second"])).headers["ETag"] == pages[1].headers["ETag"]
    )
    assert (
        client.get(reverse("players", args=["first"])).headers["ETag"] != pages[0].headers["ETag"]
    )


class TestHowLongAPageMayBeStored:
    """Two seconds at its plain address, a year with the key of its version,
    never if it is not a page.
    """

    YEAR = "public, max-age=31536000, immutable"

    def key(self, tournament: Tournament) -> str:
        tournament.refresh_from_db()
        return state_key(tournament, runs=False)

    @pytest.mark.costly
    def test_a_page_of_its_version_for_a_year_and_every_other_for_two_seconds(
        self, on_site: Tournament, client: Client
    ) -> None:
        key = self.key(on_site)
        # A forecast comes after its version; the others depend on more than the version.
        of_their_own = {
            address(on_site, name, EVERY_PAGE[name])
            for name in ("forecast", "follow", "live-results", "embedded")
        }
        for url in addresses(on_site):
            if url in of_their_own:
                continue
            plain = client.get(url)
            newest = client.get(url, {"v": key, "b": build()})
            assert (plain.headers["Cache-Control"], newest.headers["Cache-Control"]) == (
                "public, max-age=2",
                self.YEAR,
            )
            assert (newest.content, newest.headers["ETag"]) == (
                plain.content,
                plain.headers["ETag"],
            )
            for wrong in ("", "0", "0.", key[:-1], key + "0", "\x00"):
                other = client.get(url, {"v": wrong, "b": build()})
                assert (other.content, other.headers["Cache-Control"]) == (
                    plain.content,
                    "public, max-age=2",
                ), wrong
            assert (
                client.get(url, {"v": key, "b": "another"}).headers["Cache-Control"]
                == "public, max-age=2"
            )
            unchanged = client.get(
                url, {"v": key, "b": build()}, headers={"If-None-Match": plain.headers["ETag"]}
            )
            assert (unchanged.status_code, unchanged.headers["Cache-Control"]) == (304, self.YEAR)

    @pytest.mark.costly
    def test_an_old_version_answers_as_the_plain_address(
        self, on_site: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        key = self.key(on_site)
        factories.enter_results(on_site, 2, chief_arbiter)
        url = reverse("standings", args=[on_site.slug])
        assert client.get(url, {"v": key, "b": build()}).headers["Cache-Control"] == self.YEAR
        results_publish(
            round_id=factories.round_of(on_site, 2).pk, actor=chief_arbiter, now=factories.NOW
        )
        old = client.get(url, {"v": key, "b": build()})
        assert (old.content, old.headers["Cache-Control"]) == (
            client.get(url).content,
            "public, max-age=2",
        )

    def test_answers_without_a_page_are_not_stored(
        self, on_site: Tournament, client: Client
    ) -> None:
        url = reverse("standings", args=[on_site.slug])
        answers = [
            client.get(url, {"v": self.key(on_site)}, headers=HTMX),
            client.get(reverse("pairings-public", args=[on_site.slug, 9])),
            client.get("/t/nothing-here/"),
        ]
        assert [answer.status_code for answer in answers] == [204, 404, 404]
        for answer in answers:
            assert "no-store" in answer.headers["Cache-Control"]
            assert "ETag" not in answer.headers

    def test_a_page_rendered_during_a_publication_is_not_stored(
        self, on_site: Tournament, rf: RequestFactory
    ) -> None:
        """It may have read some rows before the publication and some after it."""

        def view(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
            Tournament.objects.filter(pk=on_site.pk).update(public_version=F("public_version") + 1)
            return HttpResponse("half old, half new")

        request = rf.get(reverse("standings", args=[on_site.slug]), {"v": self.key(on_site)})
        request.resolver_match = resolve(request.path)
        request.htmx = HtmxDetails(request)  # type: ignore[attr-defined]
        answer = visitor_page(view)(request, on_site.slug)
        assert "no-store" in answer.headers["Cache-Control"]
        assert "ETag" not in answer.headers
        assert cached_bodies() == []


class TestSearches:
    """Players look for their board by name: the same few letters from many phones,
    and again with each update.
    """

    SAME = ("abara player", "Abara Player", "ABARA  player", " abara player ", "abara\tplayer")

    @pytest.mark.costly
    @pytest.mark.parametrize(
        "name, numbers", [("players", []), ("pairings-public", [2]), ("standings", [])]
    )
    def test_a_search_is_cached_like_any_page(
        self,
        name: str,
        numbers: list[int],
        on_site: Tournament,
        client: Client,
        django_assert_num_queries: DjangoAssertNumQueries,
    ) -> None:
        url = reverse(name, args=[on_site.slug, *numbers])
        first = client.get(url, {"q": self.SAME[0]})
        assert "Abara, Player 1" in first.content.decode()
        for words in self.SAME:
            with django_assert_num_queries(1):
                again = client.get(url, {"q": words})
            assert (again.content, again.headers["ETag"]) == (
                first.content,
                first.headers["ETag"],
            ), words
        tag = {"If-None-Match": first.headers["ETag"]}
        assert client.get(url, {"q": self.SAME[1]}, headers=tag).status_code == 304
        assert client.get(url, {"q": "blomqvist"}).content != first.content

    @pytest.mark.costly
    def test_both_ways_to_write_an_accent_are_one_search(
        self, on_site: Tournament, client: Client
    ) -> None:
        on_site.entries.filter(tpn=1).update(name="Ångström, Åsa")
        url = reverse("pairings-public", args=[on_site.slug, 2])
        pages = [
            client.get(url, {"q": words})
            for words in ("ångström", "A\u030angstro\u0308m", "ÅNGSTRÖM")
        ]
        assert "Ångström, Åsa" in pages[0].content.decode()
        assert len({page.headers["ETag"] for page in pages}) == 1

    @pytest.mark.costly
    def test_searches_do_not_fill_the_store(
        self, played_round: Round, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """However many searches there are, other pages are stored."""
        slug = played_round.tournament.slug
        monkeypatch.setattr(page_store, "MOST_ENDLESS", 9)
        client.get(reverse("standings", args=[slug]))
        for n in range(30):
            client.get(reverse("standings", args=[slug]), {"q": f"player {n}"})
            client.get(reverse("record", args=[slug]), {"page": n})
        before = len(cached_bodies())
        assert before <= 9 + 2  # the standings, and the record without a number
        client.get(reverse("players", args=[slug]))
        assert len(cached_bodies()) == before + 1

    @pytest.mark.costly
    def test_what_a_visitor_typed_and_finds_nobody_stays_nowhere(
        self, on_site: Tournament, client: Client
    ) -> None:
        for name, numbers in (
            ("players", []),
            ("pairings-public", [2]),
            ("standings", []),
            ("me", []),
        ):
            url = reverse(name, args=[on_site.slug, *numbers])
            first = client.get(url, {"q": "planted secret"})
            assert "planted secret" in first.content.decode()
            again = client.get(url, {"q": "planted secret"})
            assert (again.content, again.headers["ETag"]) == (first.content, first.headers["ETag"])
        assert [page for page in cached_bodies() if b"planted" in page] == []


@pytest.mark.costly
def test_the_home_page_is_rendered_once_for_each_state_of_the_list(
    on_site: Tournament, client: Client, chief_arbiter: User, rf: RequestFactory
) -> None:
    home = f"{reverse('home')}?all"  # without it the only running event is opened
    first = client.get(home)
    assert on_site.name not in first.content.decode()
    tournament_list_set(
        tournament_id=on_site.pk, actor=chief_arbiter, now=factories.NOW, listed=True
    )
    listed = client.get(home, headers={"If-None-Match": first["ETag"]})
    assert (listed.status_code, on_site.name in listed.content.decode()) == (200, True)
    assert (listed["Cache-Control"], "Cookie" in listed["Vary"]) == ("no-cache", True)
    again = client.get(home)
    assert (again.content, again.context) == (listed.content, None)
    assert client.get(home, headers={"If-None-Match": listed["ETag"]}).status_code == 304
    assert "Tournois" in client.get(home, headers={"Accept-Language": "fr"}).content.decode()
    # A page for one person stays with that person.
    client.cookies["messages"] = signed_message(rf, "You are logged out.")
    assert "You are logged out." in client.get(home).content.decode()
    assert not any(b"You are logged out." in page for page in cached_bodies())
    client.force_login(chief_arbiter)
    assert (
        client.get(home)["Cache-Control"],
        on_site.name in client.get(home).content.decode(),
    ) == (
        "private, no-store",
        True,
    )


@pytest.mark.costly
def test_the_page_of_an_event_is_rendered_once_for_each_state_of_its_sections(
    on_site: Tournament,
    client: Client,
    chief_arbiter: User,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    event = event_create(
        tournament_id=on_site.pk, name="City Open", label="A", actor=chief_arbiter, now=factories.NOW
    )  # fmt: skip
    page = reverse("event", args=[event.slug])
    before = client.get(page)
    with django_assert_num_queries(2):
        assert client.get(page).content == before.content
    part = client.get(page, headers=HTMX)
    assert "<html" not in part.content.decode()
    found = client.get(page, {"q": "player"})
    assert found.content != before.content
    tournament_update(tournament_id=on_site.pk, actor=chief_arbiter, now=factories.NOW, city="Lyon")
    after = client.get(page, headers={"If-None-Match": before["ETag"]})
    assert (after.status_code, "Lyon" in after.content.decode()) == (200, True)
    client.force_login(chief_arbiter)
    assert client.get(page)["Cache-Control"] == "private, no-store"
