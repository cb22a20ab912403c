"""A list of which only a part can be printed says which rows are on each sheet."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tests.tournaments.large import make_large
from tournaments.models import PublishedList, Tournament, WaitingEntry

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _logged_in(chief_arbiter: User, client: Client) -> None:
    client.force_login(chief_arbiter)


def print_notes(client: Client, address: str) -> list[str]:
    """Return what the heads of the sheets say, of each list on the page."""
    text = client.get(address).content.decode()
    found = re.findall(
        r'<(?:tr|div) class="rows-on-paper only-print">(.*?)</(?:tr|div)>', text, re.DOTALL
    )
    return [" ".join(re.sub(r"<[^>]*>", "", each).split()) for each in found]


@pytest.fixture
@factories.cached
def large(chief_arbiter: User) -> Tournament:
    """405 boards."""
    return make_large(chief_arbiter, players=810, rounds=3, played=0)


@pytest.mark.costly
def test_the_boards_of_a_round_in_parts(large: Tournament, client: Client) -> None:
    for name in ("round", "round-floor", "second-reading"):
        address = reverse(name, args=[large.slug, 1])
        assert print_notes(client, address) == ["Not the whole list: rows 1–200 of 405"], name
        assert print_notes(client, f"{address}?page=3") == [
            "Not the whole list: rows 401–405 of 405"
        ], name
    large.rounds.filter(number=1).update(state="draft")
    assert print_notes(client, reverse("round", args=[large.slug, 1])) == [
        "Not the whole list: rows 1–200 of 405"
    ]


def test_a_search_and_a_filter(large: Tournament, client: Client) -> None:
    found = "Not the whole list: only what a search found"
    for name in ("players", "entries"):
        assert print_notes(client, reverse(name, args=[large.slug]) + "?q=given+300") == [found], (
            name
        )
    for order in ("", "&order=name"):
        address = reverse("pairings-public", args=[large.slug, 1])
        assert print_notes(client, f"{address}?q=given+300{order}") == [found]
    filtered = reverse("entries", args=[large.slug]) + "?shown=not-checked-in"
    assert print_notes(client, filtered) == [
        "Not the whole list: rows 1–200 of 810 · only: not checked in"
    ]
    assert print_notes(client, filtered + "&page=all") == [
        "Not the whole list: only: not checked in"
    ]
    large.rounds.update(state="planned", published_at=None, paired_at=None)
    missing = reverse("check-in", args=[large.slug]) + "?shown=missing"
    assert print_notes(client, missing) == [
        "Not the whole list: rows 1–200 of 810 · only: missing players"
    ]


@pytest.mark.costly
def test_pages_of_a_list(
    chief_arbiter: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = factories.make_ready(chief_arbiter, players=4)
    factories.play_rounds(played, [1], chief_arbiter)
    WaitingEntry.objects.bulk_create(
        WaitingEntry(
            tournament=played, line=line, fields={"name": f"Late, {line}"}, created_at=factories.NOW
        )
        for line in range(60)
    )
    names = ("record", "fingerprints", "published-lists")
    addresses = {name: reverse(name, args=[played.slug]) for name in names}
    assert not any(print_notes(client, address) for address in addresses.values())
    for module in ("reports.record_page", "reports.published_list_pages", "web.reports.record"):
        monkeypatch.setattr(f"tournaments.{module}.PER_PAGE", 2)
    lines, lists = played.decisions.count(), PublishedList.objects.filter(tournament=played).count()
    for name, count in {"record": lines, "fingerprints": lines, "published-lists": lists}.items():
        assert print_notes(client, addresses[name] + "?page=2") == [
            f"Not the whole list: rows 3–{min(4, count)} of {count}"
        ], name
    assert print_notes(client, reverse("waiting", args=[played.slug])) == [
        "Not the whole list: rows 1–50 of 60"
    ]
