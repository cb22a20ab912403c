"""What happened in another tournament changes no setting and no number of rounds here."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tournaments.core.errors import BadInput
from tournaments.entries.entries import entry_add
from tournaments.models import Decision, Tournament
from tournaments.setup.initial_colour import drawn_by_program, initial_colour_draw
from tournaments.setup.number_of_rounds import number_of_rounds_change, number_of_rounds_effect
from tournaments.setup.prohibited_pairs import prohibited_pairs_set
from tournaments.setup.schedule import round_schedule
from tournaments.setup.tournament_list import tournament_list
from tournaments.setup.tournaments import tournament_update
from tournaments.setup.usable_tie_breaks import RatingsNeeded, ratings_needed


@pytest.fixture
def by(chief_arbiter: User) -> dict[str, Any]:
    return {"actor": chief_arbiter, "now": NOW}


@pytest.fixture
def other(ready: Tournament, chief_arbiter: User) -> Tournament:
    """A tournament with the numbers of ``ready``, made after it."""
    return factories.make_ready(chief_arbiter, name="Other")


def test_a_colour_drawn_in_another_tournament_was_not_drawn_here(
    tournament: Tournament, chief_arbiter: User, by: dict[str, Any]
) -> None:
    other = factories.make_tournament(chief_arbiter, name="Other")
    initial_colour_draw(tournament_id=other.pk, **by)
    assert (drawn_by_program(other), drawn_by_program(tournament)) == (True, False)


@pytest.mark.costly
def test_fewer_rounds_here_end_nothing_next_door(
    ready: Tournament, other: Tournament, chief_arbiter: User, by: dict[str, Any]
) -> None:
    start = NOW + timedelta(days=5)
    for tournament, number, at in (
        (ready, 5, start),
        (other, 4, start),
        (other, 5, start + timedelta(days=1)),
    ):
        round_schedule(
            round_id=factories.round_of(tournament, number).pk,
            starts_at=at,
            results_due_at=None,
            **by,
        )
    factories.play_rounds(ready, [1], chief_arbiter)
    ready.refresh_from_db()
    # Next door, three corrections of round 1 wait for the pairing of round 2, and there are byes in
    # rounds 3 and 4.
    effect = number_of_rounds_effect(ready, total_rounds=1)
    assert (effect.ends, effect.waiting, effect.byes_gone, effect.times_gone) == (True, 0, (), (5,))
    number_of_rounds_change(
        tournament_id=ready.pk,
        total_rounds=1,
        reason="the hall is needed",
        version=ready.version,
        **by,
    )
    line = Decision.objects.filter(tournament=ready, action="rounds.changed").get()
    assert line.before["schedule"] == {"5": [start.isoformat(), None]}
    assert line.before["byes"] == []


def test_a_player_next_door_is_in_no_prohibited_pair(
    ready: Tournament, neighbour: Tournament, by: dict[str, Any]
) -> None:
    pair = [factories.entry_of(ready, 1).pk, neighbour.entries.earliest("pk").pk]
    with pytest.raises(BadInput):
        prohibited_pairs_set(tournament_id=ready.pk, pairs=[pair], **by)


def test_a_card_counts_the_rounds_and_players_of_its_tournament(
    tournament: Tournament, chief_arbiter: User
) -> None:
    (card,) = (each for each in tournament_list(chief_arbiter) if each.slug == tournament.slug)
    assert (card.players, card.playing, card.finished_rounds) == (0, 0, 0)


@pytest.mark.costly
def test_a_player_without_a_rating_in_another_tournament_changes_no_tie_break(
    chief_arbiter: User, by: dict[str, Any]
) -> None:
    rated, other = (
        factories.make_ready(chief_arbiter, name=name, tie_breaks="ARO,BH")
        for name in ("Rated", "Other")
    )
    entry_add(tournament_id=other.pk, name="Zorn, Zoe", **by)
    assert ratings_needed(other).players == ("Zorn, Zoe",)
    assert ratings_needed(rated) == RatingsNeeded()


def test_a_paired_last_round_next_door_fixes_no_setting_here(
    chief_arbiter: User, by: dict[str, Any]
) -> None:
    short = factories.make_tournament(chief_arbiter, rounds=2)  # next door, round 2 is paired
    assert tournament_update(tournament_id=short.pk, top_boards=2, **by).top_boards == 2
