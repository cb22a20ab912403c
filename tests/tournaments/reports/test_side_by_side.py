"""The pages of a tournament show nothing of another tournament with the same numbers."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from pairing.rounds.correction_outlook import corrections_of
from pairing.rounds.corrections import Report, result_correct
from tests.tournaments.factories import NOW, play_rounds
from tests.tournaments.neighbour import everything_of, own
from tournaments.core import record
from tournaments.core.frame import tournament_frame
from tournaments.desk.desk import desk
from tournaments.models import (
    Correction,
    Decision,
    Entry,
    Game,
    RequestedBye,
    Round,
    Seat,
    Tournament,
)

pytestmark = [pytest.mark.django_db, pytest.mark.on_postgres("one request of every page and read")]


def test_the_second_tournament_has_rows_in_every_table_and_a_valid_record(
    neighbour: Tournament,
) -> None:
    held = everything_of(neighbour.pk)
    assert all(held.values())
    assert record.verify(neighbour) == []
    for model in (Tournament, Entry, Round, Game, Seat, RequestedBye, Correction, Decision):
        assert len(held[model._meta.db_table]) == model._default_manager.count()
        assert not own(model).exists()


def test_a_change_of_the_second_tournament_is_found(neighbour: Tournament) -> None:
    before = everything_of(neighbour.pk)
    entry = neighbour.entries.latest("pk")
    neighbour.entries.filter(pk=entry.pk).update(club="Stalemate")
    assert everything_of(neighbour.pk) != before
    entry.save()
    assert everything_of(neighbour.pk) == before


def test_the_desk_shows_the_recent_actions_of_its_own_tournament(tournament: Tournament) -> None:
    actions = desk(tournament_frame(tournament, runs=True)).decisions
    assert [(action.tournament_id, action.action) for action in actions] == [
        (tournament.pk, "tournament.created")
    ]


def test_only_corrections_of_the_own_tournament_are_listed(
    ready: Tournament, chief_arbiter: User
) -> None:
    play_rounds(ready, [1], chief_arbiter)
    game = Game.objects.get(round__tournament=ready, board=1)
    report = Report(reported_at=NOW, reason="both players")
    made = result_correct(game_id=game.pk, result="==", report=report, actor=chief_arbiter, now=NOW)
    assert corrections_of(ready) == [made]
