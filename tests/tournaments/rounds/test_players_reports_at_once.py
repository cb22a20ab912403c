"""Players and arbiters at the same moment: both sides are kept,
and no report overwrites a result.
"""

from __future__ import annotations

from functools import partial

import pytest
from django.contrib.auth.models import User

from pairing.rounds.players_reports import Reported, players_report_give, reports_of
from pairing.rounds.report_acceptance import report_accept
from pairing.rounds.results import result_record
from pairing.rounds.table_codes import players_reports_open
from tests.tournaments.core.test_concurrency import at_once
from tests.tournaments.factories import NOW
from tests.tournaments.neighbour import own
from tournaments.core.errors import Conflict, RuleRefused
from tournaments.models import Decision, Game, Round

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def games(published_round: Round, chief_arbiter: User) -> list[Game]:
    """The games of round 1, in which players may report."""
    players_reports_open(
        tournament_id=published_round.tournament_id, actor=chief_arbiter, now=NOW, secret="seed"
    )
    return list(Game.objects.filter(round=published_round).order_by("board"))


def test_players_report_and_arbiters_accept_at_once(
    games: list[Game], chief_arbiter: User, deputy: User
) -> None:
    def give(game: Game, side: str, result: str) -> partial[object]:
        return partial(
            players_report_give, game_id=game.pk, side=side, result=result, now=NOW, seen_version=0
        )

    tournament = games[0].round.tournament
    # Both players, each on a phone; and the same side twice.
    at_once(give(games[0], "w", "10"), give(games[0], "b", "10"))
    at_once(give(games[1], "w", "10"), give(games[1], "w", "10"))
    assert reports_of(tournament, 1) == {
        games[0].pk: Reported("10", "10"),
        games[1].pk: Reported("10", ""),
    }
    # Two arbiters accept: one line.
    both = [
        partial(
            report_accept, game_id=games[0].pk, result="10", actor=actor, now=NOW, seen_version=0
        )
        for actor in (chief_arbiter, deputy)
    ]
    assert not [outcome for outcome in at_once(*both) if isinstance(outcome, Exception)]
    assert own(Decision).filter(action="result.recorded").count() == 1
    # A player reports while an arbiter enters the result: the arbiter's result stays, even if it
    # comes second.
    enter = partial(
        result_record, game_id=games[2].pk, result="01", actor=deputy, now=NOW, seen_version=0
    )
    refused = [
        outcome
        for outcome in at_once(enter, give(games[2], "w", "10"))
        if isinstance(outcome, Exception)
    ]
    assert {type(outcome) for outcome in refused} <= {Conflict, RuleRefused}
    assert Game.objects.get(pk=games[2].pk).result == "01"
    assert games[2].pk not in reports_of(tournament, 1)
