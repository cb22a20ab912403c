"""Who changed a result or a draft meanwhile: the last line about this game,
this round and this arbiter.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import RequestFactory

from pairing.rounds.arrange import round_arrange
from pairing.rounds.corrections import Report, result_correct
from pairing.rounds.pair import round_pair, round_unpair
from pairing.rounds.results import result_record
from tests.tournaments.factories import (
    NOW,
    boards,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tournaments.core.errors import Conflict
from tournaments.entries.entries import entry_add, entry_withdraw
from tournaments.models import Game, Tournament
from tournaments.web.changes_since import FIELD, changes_since
from tournaments.web.rounds.swap import _meanwhile, _saved_since

from .test_change_actions import pairings

LATER = NOW + timedelta(minutes=1)


def game_at(tournament: Tournament, number: int, board: int) -> Game:
    return Game.objects.get(
        round__tournament=tournament, round__number=number, board=board, first=None
    )


def changed_by(game: Game, actor: User) -> tuple[object, object]:
    """Return the person and the time of the refusal of a page that never saw a result."""
    with pytest.raises(Conflict) as refused:
        result_record(game_id=game.pk, result="01", actor=actor, now=LATER, seen_version=0)
    return refused.value.params["by"], refused.value.params["at"]


@pytest.mark.costly
def test_a_changed_result_names_its_last_change_and_no_other(
    ready: Tournament, chief_arbiter: User, deputy: User
) -> None:
    play_rounds(ready, [1], chief_arbiter)
    pair_and_publish(ready, 2, chief_arbiter)
    game = game_at(ready, 2, 2)
    result_record(game_id=game.pk, result="==", actor=deputy, now=NOW)
    result_record(game_id=game.pk, result="10", actor=chief_arbiter, now=NOW)
    # Later lines of another person: another board, the same board of another round, and another
    # action.
    result_record(game_id=game_at(ready, 2, 1).pk, result="01", actor=deputy, now=LATER)
    report = Report(LATER, "both players")
    result_correct(
        game_id=game_at(ready, 1, 2).pk, result="==", report=report, actor=deputy, now=LATER
    )
    entry_withdraw(entry_id=game.seats.earliest("pk").entry_id, actor=deputy, now=LATER)
    assert changed_by(game, chief_arbiter) == ("Clara Chief", NOW)


def test_only_an_own_arrangement_of_this_draft_was_saved_already(
    ready: Tournament, chief_arbiter: User, deputy: User
) -> None:
    draft = round_pair(round_id=round_of(ready, 1).pk, actor=chief_arbiter, now=NOW)
    ready.refresh_from_db()
    seen = ready.version
    moved = " ".join(f"{black}-{white}" for white, black, _ in boards(ready, 1))
    round_arrange(
        round_id=draft.pk,
        pairings=pairings(ready, moved),
        reason="the wheelchair",
        actor=chief_arbiter,
        now=NOW,
    )
    ready.refresh_from_db()
    assert _saved_since(ready, draft, seen, chief_arbiter)
    assert not _saved_since(ready, draft, seen, deputy)
    assert not _saved_since(ready, round_of(ready, 2), seen, chief_arbiter)
    arranged = ready.version
    round_unpair(round_id=draft.pk, actor=chief_arbiter, now=LATER)
    ready.refresh_from_db()
    assert ready.version > arranged
    assert not _saved_since(ready, draft, arranged, chief_arbiter)
    assert not _saved_since(ready, draft, None, chief_arbiter)


@pytest.mark.costly
def test_what_was_arranged_in_another_tournament_meanwhile_was_not_done_here(
    ready: Tournament, chief_arbiter: User, deputy: User, rf: RequestFactory
) -> None:
    other = make_ready(chief_arbiter, name="Other", players=12)
    drafts = [
        round_pair(round_id=round_of(each, 1).pk, actor=chief_arbiter, now=NOW)
        for each in (ready, other)
    ]
    ready.refresh_from_db()
    seen = ready.version
    moved = " ".join(f"{black}-{white}" for white, black, _ in boards(other, 1))
    round_arrange(
        round_id=drafts[1].pk,
        pairings=pairings(other, moved),
        reason="the wheelchair",
        actor=chief_arbiter,
        now=NOW,
    )
    entry_add(tournament_id=ready.pk, name="Late, Eva", actor=chief_arbiter, now=LATER)
    ready.refresh_from_db()
    arranged = other.decisions.latest("sequence")
    assert (arranged.action, arranged.sequence > seen, ready.version) == (
        "round.arranged",
        True,
        seen + 1,
    )
    assert not _saved_since(ready, drafts[0], seen, chief_arbiter)
    (line,) = _meanwhile(ready, seen)
    assert "Late, Eva" in line
    form: Any = rf.post("/", {FIELD: str(seen)})
    form.tournament, form.user = ready, deputy
    assert changes_since(form) == (line,)
