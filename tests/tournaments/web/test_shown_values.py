"""Saving a form does not revert the changes that others saved while it was open;
conflicts are shown.
"""

from __future__ import annotations

import html
import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.standings.prize_rules import Division
from tests.tournaments import factories
from tournaments.entries.entries import entry_update
from tournaments.models import Decision, Eligible, Entry, Round, Tournament
from tournaments.setup.schedule import round_schedule
from tournaments.setup.tournaments import tournament_update
from tournaments.standings.prize_plan import CategoryPlan, PrizePlan, plan_of
from tournaments.standings.prizes import prizes_set

TICKS = (
    "arrived",
    "initials",
    "byes_in_advance",
    "explanations_public",
    "forecast_public",
    "withdrawn_win",
    "automatic_results",
)


@pytest.fixture
def desk(client: Client, chief_arbiter: User) -> Client:
    client.force_login(chief_arbiter)
    return client


def hidden(client: Client, url: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', client.get(url).content.decode())
    assert found is not None
    return html.unescape(found[1])


def opened(client: Client, url: str) -> dict[str, str]:
    """Return the fields a browser sends from the page at *url* without any change."""
    shown = hidden(client, url, "shown")
    return {name: text for name, text in json.loads(shown).items() if text or name not in TICKS} | {
        "shown": shown
    }


def by(actor: User) -> dict[str, Any]:
    return {"actor": actor, "now": factories.NOW}


@pytest.mark.costly
def test_an_untouched_form_changes_nothing(
    ready: Tournament, desk: Client, chief_arbiter: User
) -> None:
    day = datetime(2026, 11, 21, 14, 30, tzinfo=UTC)
    row = factories.round_of(ready, 2)
    round_schedule(round_id=row.pk, starts_at=day, results_due_at=None, **by(chief_arbiter))
    tournament_update(
        tournament_id=ready.pk,
        points_win=20,
        points_draw=10,
        byes_in_advance=True,
        **by(chief_arbiter),
    )
    entry = factories.entry_of(ready, 3)
    entry_update(entry_id=entry.pk, birth_date="1990", rating=2000, **by(chief_arbiter))
    rows = Decision.objects.count()
    for url in (
        reverse("entry-edit", args=[ready.slug, entry.pk]),
        reverse("tournament-edit", args=[ready.slug]),
        reverse("schedule", args=[ready.slug]),
    ):
        assert desk.post(url, opened(desk, url)).status_code == 302
    assert Decision.objects.count() == rows


@pytest.mark.costly
def test_an_untouched_field_keeps_the_value_a_colleague_saved(
    ready: Tournament, desk: Client, deputy: User
) -> None:
    entry = factories.entry_of(ready, 3)
    url = reverse("entry-edit", args=[ready.slug, entry.pk])
    form = opened(desk, url)
    entry_update(entry_id=entry.pk, fide_rating=2399, fide_id=1234567, **by(deputy))
    assert desk.post(url, form | {"club": "Chess Club"}).status_code == 302
    entry.refresh_from_db()
    assert (entry.club, entry.fide_rating, entry.rating, entry.fide_id) == (
        "Chess Club",
        2399,
        2399,
        1234567,
    )


def test_a_field_changed_by_both_is_reported_and_needs_a_second_save(
    ready: Tournament, desk: Client, deputy: User
) -> None:
    entry = factories.entry_of(ready, 3)
    url = reverse("entry-edit", args=[ready.slug, entry.pk])
    form = opened(desk, url)
    entry_update(entry_id=entry.pk, fide_rating=2399, title="FM", club="Chess Club", **by(deputy))
    refused = desk.post(url, form | {"fide_rating": "2200", "title": "IM"})
    text = html.unescape(refused.content.decode())
    assert refused.status_code == 409
    assert (
        "Current values: FIDE title “FM”, FIDE rating “2399”. Nothing was saved, and your input "
        "is still here." in text
    )
    assert 'name="fide_rating" value="2200"' in text
    assert 'value="Chess Club"' in text
    entry.refresh_from_db()
    assert (entry.fide_rating, entry.title) == (2399, "FM")
    found = re.search(r'name="shown" value="([^"]*)"', refused.content.decode())
    assert found is not None
    again = form | {
        "fide_rating": "2200",
        "title": "IM",
        "club": "Chess Club",
        "shown": html.unescape(found[1]),
    }
    assert desk.post(url, again).status_code == 302
    entry.refresh_from_db()
    assert (entry.fide_rating, entry.title, entry.club) == (2200, "IM", "Chess Club")


@pytest.mark.costly
def test_an_open_settings_form_reverts_nothing(
    ready: Tournament, desk: Client, chief_arbiter: User
) -> None:
    url = reverse("tournament-edit", args=[ready.slug])
    form = opened(desk, url)
    change = {
        "max_byes": 2,
        "city": "Lyon",
        "byes_in_advance": True,
        "points_win": 30,
        "points_draw": 10,
    }
    tournament_update(tournament_id=ready.pk, **change, **by(chief_arbiter))
    assert desk.post(url, form | {"time_control": "90+30"}).status_code == 302
    ready.refresh_from_db()
    assert {name: getattr(ready, name) for name in change} == change
    assert ready.time_control == "90+30"
    pairing = reverse("settings-pairing", args=[ready.slug])
    form_of_pairing = opened(desk, pairing)
    older = {"system": "dutch_2017", "leave_fide_mode": True}
    tournament_update(tournament_id=ready.pk, byes_in_advance=False, **older, **by(chief_arbiter))
    for page, sent, named in (
        (url, form | {"city": "Nice"}, "Place “Lyon”"),
        (pairing, form_of_pairing | {"system": "dutch_pre2017"}, "Pairing system"),
    ):
        stale = desk.post(page, sent)
        text = html.unescape(stale.content.decode())
        assert (stale.status_code, f"Current values: {named}. " in text) == (409, True)
    ready.refresh_from_db()
    assert (ready.city, ready.system, ready.byes_in_advance) == ("Lyon", "dutch_2017", False)


@pytest.mark.costly
def test_the_schedule_and_its_rounds(ready: Tournament, desk: Client, deputy: User) -> None:
    url = reverse("schedule", args=[ready.slug])
    form = opened(desk, url)
    days = [datetime(2026, 11, 21 + number, 8, 0, tzinfo=UTC) for number in range(3)]
    for number in (1, 2):
        row = factories.round_of(ready, number)
        round_schedule(round_id=row.pk, starts_at=days[number], results_due_at=None, **by(deputy))
    assert desk.post(url, form | {"round-3-starts_at": "2026-11-28T10:00"}).status_code == 302
    assert [row.starts_at for row in Round.objects.filter(tournament=ready, number__lt=3)] == days[
        1:
    ]
    refused = desk.post(url, form | {"round-1-starts_at": "2026-11-29T10:00"})
    assert (refused.status_code, "Somebody else changed the same" in refused.content.decode()) == (
        409,
        True,
    )
    assert 'value="2026-11-29T10:00"' in refused.content.decode()
    assert factories.round_of(ready, 1).starts_at == days[1]
    # A round added since then is not on the page.
    tournament_update(tournament_id=ready.pk, total_rounds=6, **by(ready.created_by))
    round_schedule(
        round_id=factories.round_of(ready, 6).pk,
        starts_at=days[0],
        results_due_at=None,
        **by(deputy),
    )
    assert desk.post(url, form | {"round-3-results_due_at": "2026-11-28T15:00"}).status_code == 302
    assert factories.round_of(ready, 6).starts_at == days[0]


@pytest.mark.costly
def test_an_open_prize_form_reverts_nothing(ready: Tournament, desk: Client, deputy: User) -> None:
    url = reverse("prizes-define", args=[ready.slug])
    form = {
        "currency": "EUR",
        "division": Division.EQUAL.value,
        "most_each": "1",
        "choice": "most_valuable",
        "unit": "1",
        "row-TOTAL_FORMS": "1",
        "row-INITIAL_FORMS": "0",
        "row-0-name": "Best of all",
        "row-0-amounts": "100",
        "seen_prizes": hidden(desk, url, "seen_prizes"),
    }
    plan = PrizePlan(categories=(CategoryPlan("Women", Eligible.WOMEN, "", (5000,)),))
    prizes_set(tournament_id=ready.pk, plan=plan, **by(deputy))
    refused = desk.post(url, form)
    text = refused.content.decode()
    assert (
        refused.status_code,
        "Current values: Women. Nothing was saved," in text,
        "Best of all" in text,
    ) == (
        409,
        True,
        True,
    )
    ready.refresh_from_db()
    assert [category.name for category in plan_of(ready).categories] == ["Women"]
    assert (
        desk.post(url, form | {"seen_prizes": hidden(desk, url, "seen_prizes")}).status_code == 302
    )


@pytest.mark.costly
def test_c04_2_4_3_3_an_open_form_does_not_revert_a_corrected_rating(
    played_round: Round, desk: Client, chief_arbiter: User
) -> None:
    tournament = played_round.tournament
    entry = factories.entry_of(tournament, 3)
    url = reverse("round-correct", args=[tournament.slug, 1]) + f"?kind=rating&player={entry.pk}"
    seen = hidden(desk, url, "seen")
    now = factories.round_of(tournament, 1).results_published_at
    assert now is not None
    at = now.strftime("%Y-%m-%dT%H:%M:%S")
    form = {
        "reported_at": at,
        "reason": "the list says so",
        "chosen": "next_round",
        "save": "yes",
        "seen": seen,
    }
    first = desk.post(url, form | {"fide_rating": "2100", "national_rating": ""})
    assert first.status_code == 302, first.content.decode()
    refused = desk.post(url, form | {"fide_rating": "2050", "national_rating": ""})
    assert refused.status_code == 409
    assert "Nothing was saved: start the correction again" in refused.content.decode()
    assert Entry.objects.get(pk=entry.pk).fide_rating == 2100


@pytest.mark.costly
def test_a_program_without_a_form_saves_its_values(
    ready: Tournament, desk: Client, deputy: User
) -> None:
    entry = factories.entry_of(ready, 3)
    url = reverse("entry-edit", args=[ready.slug, entry.pk])
    form = opened(desk, url)
    entry_update(entry_id=entry.pk, club="Chess Club", **by(deputy))
    for shown in ("", "[", "[]", '{"club": 3}', "[" * 100_000):
        assert desk.post(url, form | {"shown": shown}).status_code in (302, 409)
    entry.refresh_from_db()
    assert entry.club == ""
