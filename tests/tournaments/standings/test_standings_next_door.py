"""Standings, forecasts and player pages read nothing of another tournament,
also where it is newer and further on.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from pairing.rules.point_adjustments import MOST
from tests.tournaments import factories
from tests.tournaments.factories import NOW, entry_of
from tests.tournaments.standings.test_lots import draw, with_secret
from tests.tournaments.standings.test_point_adjustments import adjust
from tournaments.core import jobs
from tournaments.core.frame import tournament_frame
from tournaments.entries.entries import entry_add
from tournaments.models import PointAdjustment, Round, Tournament
from tournaments.standings.adjust_points import decisions_on_points, points_withdraw
from tournaments.standings.forecasts import JOB, forecast_make, forecast_page, position
from tournaments.standings.player import player_page
from tournaments.standings.prize_plan import PrizePlan, plan_of
from tournaments.standings.standings import standings


@pytest.fixture
def running(chief_arbiter: User) -> Tournament:
    """Round 1 of 4 is over, the pairings of round 2 are published."""
    tournament = factories.make_ready(chief_arbiter, rounds=4, forecast_public=True)
    factories.play_rounds(tournament, [1], chief_arbiter)
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    return Tournament.objects.get(pk=tournament.pk)


def further_on(actor: User) -> Tournament:
    """Return a larger tournament: two of four rounds over,
    the start of the next announced, points taken.
    """
    other = factories.make_ready(
        actor, name="The Hall Next Door", players=12, rounds=4, forecast_public=True
    )
    factories.play_rounds(other, [1, 2], actor)
    Round.objects.filter(tournament=other, number=3).update(starts_at=NOW + timedelta(days=1))
    adjust(other, actor)
    return other


@pytest.mark.costly
def test_a_forecast_begins_where_this_tournament_is(
    running: Tournament, chief_arbiter: User
) -> None:
    factories.enter_results(running, 2, chief_arbiter)
    running.refresh_from_db()
    before = position(running)
    further_on(chief_arbiter)
    assert position(running) == before
    assert forecast_page(running) is None
    made = forecast_make(running.pk, lambda: NOW, most=5)
    assert made is not None
    assert (made.tournament_id, made.after_round, made.next_round) == (running.pk, 1, 3)
    page = forecast_page(running)
    assert page is not None
    assert {each.entry.tournament_id for each in page.players} == {running.pk}


@pytest.mark.usefixtures("running")
def test_pairings_next_door_begin_no_forecast(chief_arbiter: User) -> None:
    planned = factories.make_tournament(chief_arbiter, name="Planned", forecast_public=True)
    entry_add(tournament_id=planned.pk, name="Zapp, Zoe", actor=chief_arbiter, now=NOW)
    assert jobs.waiting(JOB, str(planned.pk)) is None


@pytest.mark.costly
def test_the_page_of_a_player_has_the_next_opponent_and_round_of_this_tournament(
    running: Tournament, chief_arbiter: User
) -> None:
    further_on(chief_arbiter)
    page = player_page(tournament_frame(running, runs=False), entry_of(running, 1).pk)
    assert page is not None
    assert page.next_seat is not None
    # Players next door have the same names, which need no number here.
    assert page.next_seat.opponent_tpn is None
    factories.enter_results(running, 2, chief_arbiter)
    factories._publish_results(factories.round_of(running, 2).pk, chief_arbiter)
    page = player_page(
        tournament_frame(Tournament.objects.get(pk=running.pk), runs=False), entry_of(running, 1).pk
    )
    assert page is not None
    assert (page.next_seat, page.coming) == (None, None)


@pytest.mark.costly
def test_points_taken_from_one_player_stay_when_those_of_another_are_given_back(
    running: Tournament, chief_arbiter: User
) -> None:
    further_on(chief_arbiter)
    assert list(decisions_on_points(running)) == []
    for tpn in (1, 2):
        adjust(running, chief_arbiter, tpn)
    second = entry_of(running, 2)
    points_withdraw(
        tournament_id=running.pk, entry_id=second.pk, points=-5, round_number=2, reason="it was a toy telephone",
        actor=chief_arbiter, now=NOW,
    )  # fmt: skip
    left = running.point_adjustments.values_list("entry__tpn", "points")
    assert list(left) == [(1, -5)]


def test_the_most_points_of_one_player_leave_those_of_another_as_they_are(
    running: Tournament, chief_arbiter: User
) -> None:
    first = entry_of(running, 1)
    PointAdjustment.objects.create(tournament=running, entry=first, points=-MOST, round_number=2)
    adjust(running, chief_arbiter, 2)
    assert running.point_adjustments.count() == 2


@pytest.mark.costly
def test_prizes_next_door_are_no_prizes_here(running: Tournament) -> None:
    assert plan_of(running) == PrizePlan()


@pytest.mark.costly
def test_c07_4_2_the_lots_shown_are_those_of_this_tournament(chief_arbiter: User) -> None:
    made: dict[str, Any] = {"rounds": 2, "tie_breaks": ""}
    tournaments = [
        factories.make_ready(chief_arbiter, name=name, **made) for name in ("One", "Other")
    ]
    for each in tournaments:
        factories.play_rounds(each, [1, 2], chief_arbiter, lambda *_: "==")
        draw(with_secret(each), chief_arbiter)
    for each in tournaments:
        shown = standings(
            tournament_frame(Tournament.objects.get(pk=each.pk), runs=False), after_round=2
        ).lots
        assert shown is not None
        assert shown.decision is not None
        assert shown.decision.tournament_id == each.pk
