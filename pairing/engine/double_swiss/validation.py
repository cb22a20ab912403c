"""Whether the rounds of a state are matches of two games, before anything is computed."""

from __future__ import annotations

from pairing.engine.basics.validation import validate
from pairing.engine.errors import InputError
from pairing.engine.model import Player, RoundRecord, TournamentState

from .matches import had_a_game


def validate_matches(state: TournamentState) -> None:
    """Raise :class:`InputError` where *state* contradicts itself, or has a round that is not a match or a bye.

    Codes: those of :func:`pairing.engine.basics.validation.validate`; ``state.one_game`` for a match with one result,
    ``state.bye_of_two`` for a bye with two: byes are of matches, never of games [C.04.5/2026 0].
    """
    validate(state)
    players = state.by_tpn()
    for player in state.players:
        for number, record in enumerate(player.rounds, 1):
            if record.opponent is None:
                if record.second is not None:
                    message = "a bye stands for the whole match and has one letter."
                    raise _wrong("state.bye_of_two", player, number, message)
            else:
                _validate_match(player, number, record, players[record.opponent].rounds[number - 1])


def _validate_match(player: Player, number: int, record: RoundRecord, theirs: RoundRecord) -> None:
    second, other = record.second, theirs.second
    if second is None or other is None:
        raise _wrong("state.one_game", player, number, "a match has two games and needs two results.")
    if second.is_bye:
        raise _wrong("state.bye_with_opponent", player, number, f"a bye '{second.value}' has no opponent.")
    if second.is_played is not other.is_played:
        message = "one side says the second game was played, the other that it was not."
        raise _wrong("state.opponent_mismatch", player, number, message)
    if had_a_game(record) and (record.colour is None or theirs.colour is not record.colour.opposite):
        raise _wrong("state.colour_clash", player, number, "both players need opposite colours.")


def _wrong(code: str, player: Player, number: int, message: str) -> InputError:
    text = f"Player {player.tpn}, round {number}: {message}"
    return InputError(code, text, tpn=player.tpn, round=number)
