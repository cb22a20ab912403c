"""Reports, calendars, lists and comments of a tournament say
nothing of another one that is further on.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

import pytest
from django.contrib.auth.models import User

from pairing.rounds.corrections import Report, result_correct
from pairing.rounds.game_dates import game_schedule
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from pairing.rounds.round_page import round_page
from tests.tournaments import factories
from tests.tournaments.double_swiss.matches import game_of
from tests.tournaments.factories import CUT_SHORT, NOW, make_ready, round_of
from tests.tournaments.rounds.test_rounds_next_door import busy, line
from tournaments.core import jobs, signing
from tournaments.core.errors import Conflict
from tournaments.core.frame import tournament_frame
from tournaments.models import Game, JobState, PublishedList, RecheckRun, Round, Tournament
from tournaments.models.payloads import TournamentUpdated
from tournaments.reports import long_recheck
from tournaments.reports.event_report import event_report
from tournaments.reports.game_calendar import game_calendar
from tournaments.reports.held import held, held_roles
from tournaments.reports.long_recheck import (
    JOB,
    RunPage,
    is_long,
    recheck_begin,
    recheck_cancel,
    run_page,
)
from tournaments.reports.protests import protest_lodge, protests_of
from tournaments.reports.publications import left_fide_mode_by, publications_of, standings_record
from tournaments.reports.published_list_faults import list_faults
from tournaments.reports.published_list_pages import imported_rounds, published_lists
from tournaments.reports.published_lists import _store
from tournaments.reports.rating_report import corrected_document
from tournaments.reports.record_page import decision_rows, fingerprint_rows
from tournaments.reports.round_calendar import round_calendar
from tournaments.reports.round_codes import signed_code
from tournaments.reports.sent_reports import ledger, next_report, report_mark_sent
from tournaments.reports.trf_export import trf_export

LATER: Final = NOW + timedelta(hours=1)


@pytest.fixture
def running(chief_arbiter: User) -> Tournament:
    """Outside FIDE mode: an adjourned game of round 1 ended in a draw,
    the pairings of round 2 are published.
    """
    own = make_ready(chief_arbiter, system="dutch_pre2017")
    factories.pair_and_publish(own, 1, chief_arbiter)
    for game in Game.objects.filter(round__tournament=own, board__gt=1):
        result_record(game_id=game.pk, result="10", actor=chief_arbiter, now=NOW)
    results_publish(round_id=round_of(own, 1).pk, adjourning=[1], actor=chief_arbiter, now=NOW)
    result_record(game_id=game_of(own, 1, 1).pk, result="==", actor=chief_arbiter, now=NOW)
    factories.pair_and_publish(own, 2, chief_arbiter)
    return own


def further_on(actor: User) -> Tournament:
    """Return a larger tournament with dates, forfeits, corrections,
    a protest and a report that was sent.
    """
    by: dict[str, Any] = {"actor": actor, "now": NOW}
    other = busy(actor)
    round_publish(round_id=round_of(other, 3).pk, cut_short=CUT_SHORT, **by)
    game_schedule(game_id=game_of(other, 3, 1).pk, starts_at=LATER, **by)
    result_record(game_id=game_of(other, 3, 2).pk, result="+-", **by)
    Round.objects.filter(tournament=other, number=4).update(starts_at=LATER)
    Round.objects.filter(tournament=other, number=5).update(published_at=NOW)
    late: dict[str, Any] = {"report": Report(LATER, "the scoresheet"), "actor": actor, "now": LATER}
    for number in (1, 2):
        result_correct(game_id=game_of(other, number, 1).pk, result="==", **late)
    protest_lodge(tournament_id=other.pk, by="Eva", at=NOW, subject="the clock", seen=0, **by)
    report = next_report(other)
    report_mark_sent(tournament_id=other.pk, sha256=report.sha256, until=None, **by)
    fields: Any = {"left_fide_mode": None}, {"left_fide_mode": 0}
    line(other, actor, TournamentUpdated(*fields), None)
    return other


def frame_of(own: Tournament, *, runs: bool = True) -> Any:
    return tournament_frame(own, runs=runs)


READ: Final[dict[str, Callable[[Tournament], object]]] = {
    "report": lambda own: event_report(frame_of(own)),
    "calendar of games": game_calendar,
    "calendar of rounds": lambda own: round_calendar(frame_of(own)),
    "tables": held,
    "roles": held_roles,
    "run": run_page,
    "protests": protests_of,
    "publications": lambda own: publications_of(own, 1),
    "left": lambda own: left_fide_mode_by(frame_of(own)),
    "standings": lambda own: standings_record(own, 1),
    "faults": lambda own: list_faults(own, {signing.public_key()}),
    "lists": lambda own: list(published_lists(frame_of(own))),
    "imported": lambda own: imported_rounds(frame_of(own)),
    "corrected": corrected_document,
    "record": lambda own: [list(decision_rows(frame_of(own, runs=runs))) for runs in (True, False)],
    "fingerprints": lambda own: list(fingerprint_rows(frame_of(own, runs=False))),
    "code": lambda own: signed_code(frame_of(own), round_page(frame_of(own), round_of(own, 1)), 1),
    "ledger": ledger,
    "next report": next_report,
    "files": lambda own: [trf_export(own, public=public) for public in (True, False)],
}


@pytest.mark.costly
def test_what_is_reported_is_the_same_with_a_tournament_next_door_that_is_further_on(
    running: Tournament, deputy: User
) -> None:
    own = Tournament.objects.get(pk=running.pk)
    before = {name: read(own) for name, read in READ.items()}
    assert (before["run"], before["faults"], before["protests"]) == (
        RunPage(None, None, None, False),
        [],
        [],
    )
    tables = held(own)
    assert (tables.desk, tables.fee, tables.section, tables.views) == ({}, 0, None, {})
    assert "ended without a draw" not in trf_export(own, public=False)
    further_on(deputy)
    own = Tournament.objects.get(pk=running.pk)
    after = {name: read(own) for name, read in READ.items()}
    assert [name for name in READ if after[name] != before[name]] == []


@pytest.mark.costly
def test_players_and_rounds_next_door_make_no_recheck_long(
    running: Tournament, neighbour: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_recheck, "MAX_SEATS", 2 * 8)
    assert not is_long(running)


@pytest.mark.costly
def test_a_recheck_next_door_stays_when_one_is_made_here(
    running: Tournament, neighbour: Tournament, chief_arbiter: User
) -> None:
    recheck_begin(tournament=running, actor=chief_arbiter)
    taken = jobs.take_here(JOB, str(running.pk))
    assert taken is not None
    assert jobs.perform(*taken) == JobState.DONE
    assert set(RecheckRun.objects.values_list("tournament", flat=True)) == {
        neighbour.pk,
        running.pk,
    }


def test_a_recheck_next_door_is_not_cancelled_here(
    running: Tournament, neighbour: Tournament, chief_arbiter: User
) -> None:
    jobs.enqueue(JOB, str(neighbour.pk), owner=chief_arbiter)
    requested = jobs.waiting(JOB, str(neighbour.pk))
    assert requested is not None
    with pytest.raises(Conflict):
        recheck_cancel(job_id=requested.pk, tournament=running, actor=chief_arbiter)
    assert jobs.is_active(JOB, str(neighbour.pk))


@pytest.mark.costly
def test_an_unchanged_list_is_not_stored_again_after_one_next_door(
    running: Tournament, chief_arbiter: User
) -> None:
    further_on(chief_arbiter)
    own = Tournament.objects.get(pk=running.pk)
    before = list(PublishedList.objects.filter(tournament=own))
    line_of_round = own.decisions.filter(action="pairings.published", round_number=2).get()
    _store(frame_of(own), PublishedList.Kind.PAIRINGS, 2, line_of_round)
    assert list(PublishedList.objects.filter(tournament=own)) == before
