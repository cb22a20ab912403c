"""Every list is whole on paper: what print.css hides is never the content of a page (finding PA2)."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.tournaments import factories
from tests.tournaments.web.test_access_pages import (
    ARBITER_PAGES,
    EVERYBODY,
    NOT_ALWAYS,
    WITHOUT_A_TOURNAMENT,
    addresses,
)
from tournaments.models import Entry, Tournament

from .arbiter import Arbiter

pytestmark = pytest.mark.django_db(transaction=True)

FILES = {"record-file", "trf-export", "crosstable-picture", "performance-picture", "progress-picture", "names"} | {
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
