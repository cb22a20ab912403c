"""C.04.2 4 and 4.2: announced times and the printed Chief
Arbiter are not rewritten after the fact.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.policy.refusals import page_refuses, refused, words_of
from tests.tournaments.factories import NOW, make_ready, pair_and_publish, round_of
from tests.tournaments.web.test_shown_values import opened
from tournaments.lists.imports.duplicate import tournament_duplicate
from tournaments.models import Appointment, Tournament
from tournaments.people.people import chief_hand_over
from tournaments.reports.record_against_tables import differences
from tournaments.reports.trf_export import trf_export
from tournaments.setup.schedule import round_schedule
from tournaments.setup.tournaments import tournament_create, tournament_update

START = NOW - timedelta(minutes=29)
WHY = "the hall opened late"


def by(actor: User, **more: Any) -> dict[str, Any]:
    return {"actor": actor, "now": NOW, **more}


@pytest.fixture
def late(chief_arbiter: User, deputy: User) -> Tournament:
    """The pairings of round 1 were published 29 minutes after the announced start."""
    tournament = make_ready(chief_arbiter, rounds=2)
    round_schedule(
        round_id=round_of(tournament, 1).pk, starts_at=START, results_due_at=None, **by(deputy)
    )
    pair_and_publish(tournament, 1, chief_arbiter)
    tournament.refresh_from_db()
    return tournament


@pytest.mark.costly
@pytest.mark.parametrize("starts_at", [None, NOW])
def test_c04_2_4_2_announced_times_of_a_published_round_are_the_chief_arbiters(
    starts_at: Any,
    late: Tournament,
    deputy: User,
    chief_arbiter: User,
    as_deputy: Client,
    as_chief: Client,
) -> None:
    given: dict[str, Any] = {
        "round_id": round_of(late, 1).pk, "starts_at": starts_at, "results_due_at": None, "reason": WHY
    }  # fmt: skip
    refused(
        lambda: round_schedule(**given, **by(deputy)), "schedule.chief_arbiter_changes C.04.2 4.2"
    )
    refused(
        lambda: round_schedule(**(given | {"reason": "."}), **by(chief_arbiter)),
        "schedule.reason_missing",
    )
    url = reverse("schedule", args=[late.slug])
    time = "" if starts_at is None else "2026-11-21T10:00"
    form = opened(as_deputy, url) | {"round-1-starts_at": time, "reason": WHY}
    page_refuses(
        as_deputy,
        url,
        form,
        409,
        "C.04.2 4.2",
        "only the Chief Arbiter can change its announced times",
    )
    form = opened(as_chief, url) | {"round-1-starts_at": time}
    page_refuses(
        as_chief, url, form, 422, says="enter a reason for the change of its announced times"
    )
    assert as_chief.post(url, form | {"reason": WHY}).status_code == 302
    report = words_of(as_chief.get(reverse("event-report", args=[late.slug])).content.decode())
    assert "No times were announced" not in report
    assert "Play begins: 21 Nov 2026, 08:31 →" in report
    assert WHY in report
    record = words_of(Client().get(reverse("record", args=[late.slug])).content.decode())
    assert "Play begins: 21 Nov 2026, 08:31 →" in record


@pytest.mark.costly
def test_c04_2_4_2_a_deputy_announces_the_rounds_to_come(
    late: Tournament, deputy: User, as_deputy: Client
) -> None:
    url = reverse("schedule", args=[late.slug])
    form = opened(as_deputy, url) | {"round-2-starts_at": "2026-11-21T15:00"}
    form = {
        name: value for name, value in form.items() if not name.startswith("round-1")
    }  # a browser locks them
    lines = late.decisions.count()
    assert as_deputy.post(url, form).status_code == 302
    assert late.decisions.count() == lines + 1
    line = late.decisions.latest("sequence")
    assert (line.action, line.round_number, line.reason) == ("round.scheduled", 2, "")


@pytest.mark.costly
def test_c04_2_4_the_printed_chief_arbiter_is_the_one_appointed(
    late: Tournament, deputy: User, chief_arbiter: User, as_deputy: Client
) -> None:
    pk = late.pk
    assert late.chief_arbiter == "Clara Chief"
    wrong: dict[str, Any] = {"tournament_id": pk, "chief_arbiter": "Dan Deputy", "reason": WHY}
    refused(
        lambda: tournament_update(**wrong, **by(deputy)),
        "tournament.chief_arbiter_declares C.04.2 4",
    )
    url = reverse("tournament-edit", args=[late.slug])
    form = opened(as_deputy, url) | {"chief_arbiter": "Dan Deputy"}
    page_refuses(
        as_deputy, url, form, 422, "C.04.2 4", "Only the Chief Arbiter can change “Chief arbiter”"
    )
    tournament_update(tournament_id=pk, chief_arbiter="IA Clara Chief", **by(chief_arbiter))
    new = Appointment.objects.get(tournament=pk, person=deputy, until=None)
    chief_hand_over(appointment_id=new.pk, **by(chief_arbiter))
    late.refresh_from_db()
    assert late.chief_arbiter == "Dan Deputy"
    assert "102 Dan Deputy" in trf_export(late, public=True)
    record = words_of(Client().get(reverse("record", args=[late.slug])).content.decode())
    assert "Chief arbiter: IA Clara Chief → Dan Deputy" in record
    assert not differences(late)


def test_c04_2_4_a_copy_names_its_own_chief_arbiter(chief_arbiter: User, deputy: User) -> None:
    made = tournament_create(
        name="Own", total_rounds=3, chief_arbiter="IA C. Chief", **by(chief_arbiter)
    )
    assert made.chief_arbiter == "IA C. Chief"
    copy: dict[str, Any] = {"source_id": made.pk, "first_day": None}
    assert (
        tournament_duplicate(name="Second", **copy, **by(chief_arbiter)).chief_arbiter
        == "IA C. Chief"
    )
    assert tournament_duplicate(name="Third", **copy, **by(deputy)).chief_arbiter == "Dan Deputy"
