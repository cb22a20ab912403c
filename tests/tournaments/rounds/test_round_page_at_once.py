"""Two arbiters at once find an opponent, record a forfeit or move results:
one is done, the other gets a clear answer.
"""

from __future__ import annotations

from functools import partial

import pytest
from django.contrib.auth.models import User

from pairing.rounds.moved_results import results_move
from pairing.rounds.plausible import questions
from tests.tournaments.agreement import require_recheck
from tests.tournaments.core.test_concurrency import at_once
from tests.tournaments.factories import NOW, boards, entry_of
from tests.tournaments.rounds.test_new_opponents import forfeit, give, open_round, pair_of
from tests.tournaments.rounds.test_plausible_results import one_board_too_high
from tournaments.core.errors import Conflict
from tournaments.models import Action, Decision, Tournament

__all__ = ["open_round"]

pytestmark = pytest.mark.django_db(transaction=True)


def only_one_is_done(outcomes: list[object]) -> None:
    errors = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert [type(error) for error in errors] == [Conflict], outcomes


def test_the_forfeits_of_both_players_of_a_board_do_not_replace_each_other(
    open_round: Tournament, chief_arbiter: User
) -> None:
    players = [entry_of(open_round, tpn) for tpn in pair_of(open_round, 2)]
    seen = open_round.version
    only_one_is_done(
        at_once(*[partial(forfeit, open_round, each, chief_arbiter, seen) for each in players])
    )
    assert boards(open_round, 1)[1][2] in ("+-", "-+")


@pytest.mark.costly
def test_c04_2_4_4_3_one_player_without_an_opponent_gets_one_opponent(
    open_round: Tournament, chief_arbiter: User
) -> None:
    lines = Decision.objects.filter(tournament=open_round).count()
    waiting = [entry_of(open_round, pair_of(open_round, board)[0]) for board in (2, 3)]
    only_one_is_done(
        at_once(*[partial(give, open_round, chief_arbiter, player_id=w.pk) for w in waiting])
    )
    assert sum(8 in pair_of(open_round, board) for board in (1, 2, 3, 4)) == 1
    # The forfeit and the change of the other arbiter are not there, nor one of them alone.
    made = Decision.objects.filter(tournament=open_round).order_by("sequence")[lines:]
    assert [line.action for line in made] == [Action.RESULT_RECORDED, Action.ROUND_CHANGED]
    open_round.refresh_from_db()
    require_recheck(open_round)


@pytest.mark.costly
def test_results_are_moved_by_one_board_only_once(chief_arbiter: User) -> None:
    round_, right = one_board_too_high(chief_arbiter)
    (question,) = questions(round_.tournament, round_)
    move = partial(
        results_move,
        round_id=round_.pk,
        move=question.moves[0].value,
        actor=chief_arbiter,
        now=NOW,
    )
    only_one_is_done(at_once(move, move))
    now = [result for _white, _black, result in boards(round_.tournament, 1)]
    assert now == ["", *right[1:15], "", "", "", "", ""]
