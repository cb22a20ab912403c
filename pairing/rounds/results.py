"""Enter, change or clear the result of a game."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.contrib.auth.models import User

from pairing.rounds.seats import result_values
from pairing.rounds.steps import facts_of, require_result_as_seen
from pairing.rules import rounds as policy
from pairing.rules.rounds import RoundState
from tournaments.core.actions import open_action, require
from tournaments.core.errors import BadInput
from tournaments.core.permissions import Power
from tournaments.models import Game, GameResult
from tournaments.models.payloads import ResultRecorded

DRAWS: Final = (GameResult.DRAW, GameResult.DRAW_UNRATED)


def require_result(result: str) -> None:
    """Raise ``BadInput`` unless *result* is one of ``GameResult``."""
    if result not in GameResult.values:
        expected = [value for value in GameResult.values if value]
        raise BadInput("result.unknown", field="result", value=result, expected=expected)


def result_record(
    *,
    game_id: int,
    result: str,
    actor: User,
    now: datetime,
    seen_version: int | None = None,
    confirmed: bool = False,
) -> Game:
    """Enter, change or clear (``''``) the result of a game:
    White's TRF letter, then Black's, as in ``GameResult``.

    *seen_version* is the version of the game on the user's screen: :class:`Conflict` if another
    result was entered since. Entering the same result again changes nothing and writes no line.
    Refused before the pairings are published and, except for adjourned games, after the results are
    published [C.04.2/2026 4.3]. An adjourned game that does not end in a draw, as which it was
    paired, must be *confirmed* then [C.04.2/2026 3.1]. Seven queries.
    """
    require_result(result)
    with open_action(
        actor=actor, now=now, rounds__games=game_id, powers=(Power.RESULTS,)
    ) as action:
        tournament = action.tournament
        game = Game.objects.select_related("round").get(pk=game_id)
        if game.result == result:
            return game
        adjourned = game.result == GameResult.ADJOURNED
        require(
            policy.may_record_result(
                facts_of(game.round),
                adjourned=adjourned,
                clears=result == GameResult.NOT_YET,
                needs_confirmation=adjourned and result not in DRAWS and not confirmed,
            )
        )
        require_result_as_seen(game, seen_version)
        before = game.result
        game.result = result
        game.version += 1
        game.save(update_fields=["result", "version"])
        action.record(
            ResultRecorded(
                before=result_values(tournament, game, before),
                after=result_values(tournament, game, result),
            ),
            article="C.04.2 3.1" if adjourned else "",
            round_number=game.round.number,
            # Only then can a later draft depend on this game, and only then can visitors see it.
            changes_pairing=game.round.state == RoundState.RESULTS_PUBLISHED,
            is_public=game.round.state == RoundState.RESULTS_PUBLISHED,
        )
    return game
