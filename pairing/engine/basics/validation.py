"""Whether a tournament state can be one at all, before anything is computed."""

from __future__ import annotations

from collections.abc import Mapping

from pairing.engine.errors import InputError, text as _
from pairing.engine.model import TPN, Player, PointSystem, RoundRecord, TournamentState


def validate(state: TournamentState) -> None:
    """Raise :class:`InputError` where *state* contradicts itself.

    Codes: ``state.round_number``, ``state.points``, ``state.tpn``, ``state.tpn_twice``,
    ``state.rounds_missing``, ``state.unknown_player``, ``state.bye_with_opponent``,
    ``state.opponent_missing``, ``state.opponent_mismatch``, ``state.colour_clash``. Cost: one look
    at every record.
    """
    if not 1 <= state.round_number <= state.total_rounds:
        raise InputError(
            "state.round_number",
            _("Round %(round)s cannot be paired: the tournament has one round.")
            if state.total_rounds == 1
            else _("Round %(round)s cannot be paired: the tournament has %(total)s rounds."),
            round=state.round_number,
            total=state.total_rounds,
        )
    _validate_points(state.points)
    players: dict[TPN, Player] = {}
    for player in state.players:
        if player.tpn < 1:
            raise InputError(
                "state.tpn",
                _("Pairing number %(tpn)s is not valid: numbers start at 1."),
                tpn=player.tpn,
            )
        if player.tpn in players:
            raise InputError(
                "state.tpn_twice", _("Two players have the pairing number %(tpn)s."), tpn=player.tpn
            )
        players[player.tpn] = player
    for tpn in (*state.absent, *(tpn for pair in state.prohibited for tpn in pair)):
        if tpn not in players:
            raise InputError(
                "state.unknown_player",
                _("There is no player with pairing number %(tpn)s."),
                tpn=tpn,
            )
    expected = state.round_number - 1
    if not _rounds_agree(players, expected):
        for player in state.players:
            _validate_rounds(player, players, expected)


def two_players(state: TournamentState, first: TPN, second: TPN) -> tuple[Player, Player]:
    """Return the two players; they must be on the list and different.

    Raises :class:`InputError`: ``explain.unknown_player``, ``explain.same_player``.
    """
    players = state.by_tpn()
    for tpn in (first, second):
        if tpn not in players:
            raise InputError(
                "explain.unknown_player", _("Player %(tpn)s is not on the list."), tpn=tpn
            )
    if first == second:
        raise InputError(
            "explain.same_player",
            _("Player %(tpn)s cannot play against themselves: enter two players."),
            tpn=first,
        )
    return players[first], players[second]


def _rounds_agree(players: Mapping[TPN, Player], expected: int) -> bool:
    """Tell whether every record fits that of its opponent, without finding the error.

    Everybody's opponent has to name him; the other conditions are then checked once for each game,
    from the higher number.
    """
    rounds_of = {tpn: player.rounds for tpn, player in players.items()}
    if any(len(rounds) != expected for rounds in rounds_of.values()):
        return False
    for tpn, rounds in rounds_of.items():
        for index, record in enumerate(rounds):
            opponent = record.opponent
            if opponent is None:
                if not record.result.is_bye:
                    return False
                continue
            their_rounds = rounds_of.get(opponent)
            if their_rounds is None:
                return False
            theirs = their_rounds[index]
            if theirs.opponent != tpn or opponent == tpn:
                return False
            if opponent < tpn:
                result, their_result = record.result, theirs.result
                if (
                    result.is_bye
                    or their_result.is_bye
                    or result.is_played is not their_result.is_played
                ):
                    return False
                colour, their_colour = record.colour, theirs.colour
                if result.is_played and (
                    colour is their_colour or colour is None or their_colour is None
                ):
                    return False
    return True


def are_points_possible(points: PointSystem) -> bool:
    """Whether a loss ≤ a draw ≤ a win, and two draws ≤ a win and a loss."""
    return points.loss <= points.draw <= points.win and 2 * points.draw <= points.win + points.loss


def _validate_points(points: PointSystem) -> None:
    if not are_points_possible(points):
        raise InputError(
            "state.points",
            _(
                "Points win %(win)s, draw %(draw)s, loss %(loss)s cannot be used: two draws "
                "cannot be worth more "
                "than a win and a loss together."
            ),
            win=points.win / 10,
            draw=points.draw / 10,
            loss=points.loss / 10,
        )


def _validate_rounds(player: Player, players: Mapping[TPN, Player], expected: int) -> None:
    if len(player.rounds) != expected:
        raise InputError(
            "state.rounds_missing",
            _("Player %(tpn)s has %(rounds)s rounds; %(expected)s have been played."),
            tpn=player.tpn,
            rounds=len(player.rounds),
            expected=expected,
        )
    for index, record in enumerate(player.rounds):
        where = {"tpn": player.tpn, "round": index + 1}
        if record.opponent is None:
            if not record.result.is_bye:
                raise InputError(
                    "state.opponent_missing",
                    _("Player %(tpn)s, round %(round)s: result '%(result)s' needs an opponent."),
                    result=record.result.value,
                    **where,
                )
            continue
        if record.result.is_bye:
            raise InputError(
                "state.bye_with_opponent",
                _("Player %(tpn)s, round %(round)s: a bye '%(result)s' has no opponent."),
                result=record.result.value,
                **where,
            )
        opponent = players.get(record.opponent)
        if opponent is None or opponent is player:
            raise InputError(
                "state.unknown_player",
                _("Player %(tpn)s, round %(round)s: there is no opponent %(opponent)s."),
                opponent=record.opponent,
                **where,
            )
        if len(opponent.rounds) <= index:
            continue  # reported when the rounds of the opponent are counted
        _validate_game(record, opponent.rounds[index], where)


def _validate_game(record: RoundRecord, theirs: RoundRecord, where: Mapping[str, int]) -> None:
    """Compare the *record* of a game with *theirs*, that of the opponent."""
    if theirs.opponent != where["tpn"]:
        raise InputError(
            "state.opponent_mismatch",
            _(
                "Player %(tpn)s, round %(round)s: opponent %(opponent)s, whose opponent is %(theirs)s."
            ),
            opponent=record.opponent,
            theirs=theirs.opponent or _("nobody"),
            **where,
        )
    if record.is_played and (record.colour is None or theirs.colour is not record.colour.opposite):
        raise InputError(
            "state.colour_clash",
            _("Player %(tpn)s, round %(round)s: the two players need different colours."),
            **where,
        )
    if record.is_played != theirs.is_played:
        raise InputError(
            "state.opponent_mismatch",
            _(
                "Player %(tpn)s, round %(round)s: the game is played for one player and not "
                "played for the other."
            ),
            **where,
        )
