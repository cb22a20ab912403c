"""Whether the rounds of a state are matches of two games, before anything is computed."""

from __future__ import annotations

from pairing.engine.basics.validation import validate
from pairing.engine.errors import InputError, Text, text as _
from pairing.engine.model import Player, RoundRecord, TournamentState

from .matches import had_a_game


def validate_matches(state: TournamentState) -> None:
    """Raise :class:`InputError` where *state* contradicts itself,
    or has a round that is not a match or a bye.

    Codes: those of :func:`pairing.engine.basics.validation.validate`; ``state.one_game`` for a
    match with one result, ``state.bye_of_two`` for a bye with two: byes are of matches, never of
    games [C.04.5/2026 0].
    """
    validate(state)
    players = state.by_tpn()
    for player in state.players:
        for number, record in enumerate(player.rounds, 1):
            if record.opponent is None:
                if record.second is not None:
                    message = _(
                        "Player %(tpn)s, round %(round)s: a bye covers the whole match and has one letter."
                    )
                    raise _wrong("state.bye_of_two", player, number, message)
            else:
                _validate_match(player, number, record, players[record.opponent].rounds[number - 1])


def _validate_match(player: Player, number: int, record: RoundRecord, theirs: RoundRecord) -> None:
    second, other = record.second, theirs.second
    if second is None or other is None:
        message = _("Player %(tpn)s, round %(round)s: a match has two games and needs two results.")
        raise _wrong("state.one_game", player, number, message)
    if second.is_bye:
        message = _("Player %(tpn)s, round %(round)s: a bye '%(result)s' has no opponent.")
        raise _wrong("state.bye_with_opponent", player, number, message, result=second.value)
    if second.is_played is not other.is_played:
        message = _(
            "Player %(tpn)s, round %(round)s: the second game is played for one player and not "
            "played for the other."
        )
        raise _wrong("state.opponent_mismatch", player, number, message)
    if had_a_game(record) and (
        record.colour is None or theirs.colour is not record.colour.opposite
    ):
        message = _("Player %(tpn)s, round %(round)s: the two players need different colours.")
        raise _wrong("state.colour_clash", player, number, message)


def _wrong(code: str, player: Player, number: int, message: Text, **params: object) -> InputError:
    return InputError(code, message, tpn=player.tpn, round=number, **params)
