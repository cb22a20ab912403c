"""Every list is whole on paper, and print.css never hides the content of a page (PA1, PA2)."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.tournaments import factories
from tests.tournaments.large import make_large
from tests.tournaments.web.test_access_pages import (
    ARBITER_PAGES,
    EVERYBODY,
    NOT_ALWAYS,
    WITHOUT_A_TOURNAMENT,
    addresses,
)
from tournaments.models import Entry, Round, Seat, Tournament

from .arbiter import Arbiter
from .paper import sheets, without_blanks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.costly]

FILES = {
    "record-file",
    "trf-export",
    "crosstable-picture",
    "performance-picture",
    "progress-picture",
    "report-chart-svg",
    "report-archive",
    "report-chart-png",
    "feed",
    "names",
} | {
    "manifest",
    "games-calendar",
    "rounds-calendar",
    "player-calendar",
    "rating-report",
    "rating-report-next",
    "trf-for-programs",
    "personal-data-file",
    "results-state",
    "results-checks",
    "entry-hits",
}
"""Answers that are no pages."""

SEEN = """names => {
    const all = [];
    const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const where = walk.currentNode.parentElement;
        const shown = where.checkVisibility() && !where.closest(".visually-hidden, option, script, textarea");
        if (shown) all.push(walk.currentNode.textContent);
    }
    const text = all.join(" ");
    return names.filter((name) => text.includes(name));
}"""
"""Return the names that can be read on the page."""


def test_names_on_the_screen_are_on_paper(page: Page, live_server: LiveServer) -> None:
    """Every page: before round 1, with a round in play, and with a draft."""
    chief = Arbiter(page, live_server.url)
    chief.log_in()
    lost, seen = {}, 0
    for tournament in (before_round_1(chief), in_play(chief), with_a_draft(chief)):
        names = list(Entry.objects.filter(tournament=tournament).values_list("name", flat=True))
        wanted = (ARBITER_PAGES | EVERYBODY) - WITHOUT_A_TOURNAMENT - FILES - NOT_ALWAYS
        found = set(addresses(wanted, tournament).values())
        found |= {each.replace("/rounds/1/", f"/rounds/{n}/") for each in found for n in (2, 3)}
        for address in sorted(found):
            page.emulate_media(media="screen")
            page.goto(live_server.url + address)
            on_screen = page.evaluate(SEEN, names)
            page.emulate_media(media="print")
            missing = set(on_screen) - set(page.evaluate(SEEN, names))
            seen += len(on_screen)
            if missing:
                lost[address] = sorted(missing)
    assert seen > 500
    assert lost == {}


def before_round_1(chief: Arbiter) -> Tournament:
    return factories.make_ready(chief.user, players=9, rounds=4, name="Before")


def in_play(chief: Arbiter) -> Tournament:
    tournament = factories.make_ready(chief.user, players=9, rounds=4, name="In Play")
    factories.play_rounds(tournament, [1], chief.user)
    factories.pair_and_publish(tournament, 2, chief.user)
    return tournament


def with_a_draft(chief: Arbiter) -> Tournament:
    tournament = factories.make_ready(chief.user, players=9, rounds=4, name="Draft")
    factories.play_rounds(tournament, [1, 2], chief.user)
    factories.pair_only(tournament, 3, chief.user)
    return tournament


LISTS = [
    "players",
    "players?order=name",
    "pairings-public 2",
    "pairings-public 2?order=name",
    "standings",
    "crosstable",
]
LISTS += ["entries", "check-in", "round-missing 3"]
"""The lists that come in parts, with a round number and parameters."""


def list_address(listed: str, tournament: Tournament) -> str:
    named, _mark, query = listed.partition("?")
    name, _blank, number = named.partition(" ")
    path = reverse(name, args=[tournament.slug, *([int(number)] if number else [])])
    return f"{path}?{query}"


@pytest.mark.parametrize("players", [260, 1_000])
def test_no_printed_list_of_a_large_event_is_incomplete(
    plain_page: Page, live_server: LiveServer, players: int
) -> None:
    """The whole list has every name; each sheet of a part says which rows it has."""
    chief = Arbiter(plain_page, live_server.url)
    tournament = make_large(chief.user, players=players, rounds=3, played=2)
    Round.objects.filter(tournament=tournament, number=3).update(
        state="planned", paired_at=None, published_at=None
    )
    Seat.objects.filter(round__tournament=tournament, round__number=3).delete()
    names = [
        without_blanks(name)
        for name in Entry.objects.filter(tournament=tournament).values_list("name", flat=True)
    ]
    chief.log_in()
    faulty = []
    for listed in LISTS if players == 260 else LISTS[::3]:
        address = live_server.url + list_address(listed, tournament)
        plain_page.goto(address)
        part = sheets(plain_page.pdf(prefer_css_page_size=True))
        is_part = not all(name in "".join(part) for name in names)
        assert is_part or listed == "pairings-public 2", listed  # 130 boards are one page
        if is_part and not all("Notthewholelist:rows1–" in sheet for sheet in part):
            faulty.append((listed, "a sheet does not say that it is a part"))
        plain_page.goto(f"{address}&page=all")
        whole = "".join(sheets(plain_page.pdf(prefer_css_page_size=True)))
        if "Notthewholelist" in whole or not all(name in whole for name in names):
            faulty.append((listed, [name for name in names if name not in whole][:3]))
    assert faulty == []
