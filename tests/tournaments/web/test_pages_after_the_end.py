"""While the standings are final no page has a form that would be refused;
each names the person who can reopen them.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.policy.refusals import words_of
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tests.tournaments.web.test_access_pages import ARBITER_PAGES, address, addresses
from tournaments.entries.entries import entry_withdraw
from tournaments.models import Tournament
from tournaments.standings.adjust_points import points_adjust
from tournaments.standings.final import standings_make_final

pytestmark = pytest.mark.costly

STILL_OPEN: Final = {
    "protests",
    "protest",
    "final-standings",
    "rating-reports",
    "mirror",
    "hand-over",
}
"""Pages with a form of the Chief Arbiter for what is possible after the end."""
FOR_EVERY_ARBITER: Final = {
    "tournament-manage",
    "tournament-duplicate",
    "federation-files",
    "title-claims",
    "hall-screens",
    "hall-screen",
    "hall-screen-add",
    "hall-screen-pages",
}
"""Pages that show the event in lists or on screens, or copy it, which changes nothing of it."""
NO_PAGES: Final = {
    "results-state",
    "results-checks",
    "entry-hits",
    "tie-break-preview",
    "rating-report",
    "rating-report-next",
    "report-archive",
    "report-chart-svg",
    "report-chart-png",
    "trf-for-programs",
    "personal-data-file",
    "round-change",
    "round-opponent",
}
"""Files, parts, a page that saves nothing, and two that do not
exist after the results are published.
"""


@pytest.fixture
@factories.cached
def ended(chief_arbiter: User) -> Tournament:
    """An event with final standings, a withdrawn player, and a point adjustment."""
    tournament = factories.make_ready(chief_arbiter, rounds=2)
    factories.play_rounds(tournament, [1], chief_arbiter)
    entry = factories.entry_of(tournament, 8)
    entry_withdraw(entry_id=entry.pk, actor=chief_arbiter, now=NOW)
    factories.play_rounds(tournament, [2], chief_arbiter)
    points_adjust(
        tournament_id=tournament.pk, entry_id=entry.pk, points=-5, round_number=2, article="Laws 12.9",
        reason="the telephone", seen=0, actor=chief_arbiter, now=NOW,
    )  # fmt: skip
    at = NOW + timedelta(hours=2)
    return standings_make_final(
        tournament_id=tournament.pk, actor=chief_arbiter, now=at, ties_stay=True
    )


@pytest.mark.parametrize("who", ["chief_arbiter", "deputy"])
def test_c04_2_4_3_no_form_is_left_for_what_is_closed(
    who: str, ended: Tournament, client: Client, request: pytest.FixtureRequest
) -> None:
    urls = addresses(ARBITER_PAGES - NO_PAGES, ended)
    urls["correction"] = urls["round-correct"] + "?kind=result&board=1"
    urls["withdrawn"] = reverse("entry-edit", args=[ended.slug, factories.entry_of(ended, 8).pk])
    client.force_login(request.getfixturevalue(who))
    for name, url in urls.items():
        answer = client.get(url, follow=True)
        page = answer.content.decode()
        assert "<main" in page, name
        main = page[page.index("<main") : page.index("</main>")]
        has_form = re.search(r'<form[^>]*method="post"', main) is not None
        assert (answer.status_code, has_form) == (
            200,
            name in FOR_EVERY_ARBITER or (who == "chief_arbiter" and name in STILL_OPEN),
        ), name
        if name not in ("final-standings", "prizes", "round-results", "sheets"):
            message = words_of(main)
            assert (
                "The standings have been final since 21 Nov 2026, 11:00. Players, results, rounds "
                "and settings stay" in message
            ), name
            assert ("Reopen…" in message) == (who == "chief_arbiter"), name
        refused = [urls[each] for each in ("entry-add", "entries-import", "prizes-define")]
        assert name not in ("entries", "prizes") or not any(each in main for each in refused), name


def test_settings_can_be_changed_before_the_end(
    ready: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    for name in ("tournament-edit", "schedule", "prizes-define", "entry-edit", "entries-import"):
        page = client.get(address(name, ready)).content.decode()
        assert '<form method="post"' in page[page.index("<main") :], name
