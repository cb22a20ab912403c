"""Check that a report is consistent: matching entries of both players, right points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pairing.engine.errors import text as _
from pairing.engine.model import TPN, PointSystem, Result

from .abnormal import changed_players
from .document import PlayerRecord, RoundCell, TrfDocument
from .errors import TrfError
from .fields import COLOUR_OFFSET, FIRST_ROUND_COLUMN, PLAYER, RESULT_OFFSET, ROUND_WIDTH
from .matches import by_rounds_played
from .rounds import is_in_play, played_rounds, requested_byes
from .scoring import is_colour_dependent, point_system

POINTS_COLUMN = next(column.first for column in PLAYER if column.name == "points")
"""The first column of the points in a line of a player."""
_WON, _DRAWN, _LOST = Result.WIN, Result.DRAW, Result.LOSS
_TOGETHER = {
    frozenset(pair)
    for pair in (
        (_WON, _LOST),
        (_DRAWN, _DRAWN),
        (_LOST, _LOST),
        (_DRAWN, _LOST),
        (Result.UNRATED_WIN, Result.UNRATED_LOSS),
        (Result.UNRATED_DRAW, Result.UNRATED_DRAW),
        (Result.UNRATED_LOSS, Result.UNRATED_LOSS),
        (Result.UNRATED_DRAW, Result.UNRATED_LOSS),
        (Result.FORFEIT_WIN, Result.FORFEIT_LOSS),
        (Result.FORFEIT_LOSS, Result.FORFEIT_LOSS),
        (Result.UNKNOWN, Result.UNKNOWN),
        (None, None),
    )
}
"""The possible results of two opponents; an arbiter can decide on 0-0 and ½-0."""


def check_consistency(
    document: TrfDocument, system: str | None = None, *, points: bool = True
) -> None:
    """Raise :class:`TrfError` if *document* contradicts itself.

    ``trf.unknown_opponent``, ``trf.opponent_mismatch`` (the opponent does not point back),
    ``trf.colour_clash``, ``trf.result_clash``, ``trf.points_mismatch``. The points column may or
    may not include the byes of the round to be paired, or of all rounds to come, and the points of
    a round in play. ``trf.bye_in_advance``: the pairing-allocated bye in a round that is not
    paired. ``trf.round_blank``: nobody has an entry in a round before a paired one. Points are not
    compared if they depend on the colour (XXS), for a player whose points record 299 changed, or
    without *points*. Two rounds are one match if *system*, or record 192, pairs matches; then the
    refusals of :func:`pairing.trf.matches.by_matches` apply. Cost: one look at every round of every
    player.
    """
    players = document.players
    by_tpn = {player.tpn: player for player in players}
    for player in players:
        for index, cell in enumerate(player.rounds):
            if cell is not None and cell.opponent is not None:
                _check_game(document, player, index, cell, by_tpn)
    _check_byes_in_advance(document)
    _check_blank_rounds(document)
    by_rounds = by_rounds_played(document, system)
    if points and not is_colour_dependent(document):
        _check_points(by_rounds, by_rounds.players)


def _check_game(
    document: TrfDocument,
    player: PlayerRecord,
    index: int,
    cell: RoundCell,
    by_tpn: Mapping[TPN, PlayerRecord],
) -> None:
    opponent = by_tpn.get(cell.opponent) if cell.opponent is not None else None
    more: dict[str, object] = {}
    if opponent is None or opponent is player:
        message = _(
            "Round %(round)s: player %(tpn)s plays against %(opponent)s, but there is no such opponent."
        )
        problem, offset = ("trf.unknown_opponent", message), 0
    else:
        theirs = opponent.cell(index + 1)
        if theirs is None or theirs.opponent != player.tpn:
            more["theirs"] = (
                theirs.opponent
                if theirs is not None and theirs.opponent is not None
                else _("nobody")
            )
            message = _(
                "Round %(round)s: player %(tpn)s plays against %(opponent)s, but %(opponent)s "
                "plays against %(theirs)s."
            )
            problem, offset = ("trf.opponent_mismatch", message), 0
        elif theirs.colour is cell.colour and cell.colour is not None:
            message = _(
                "Round %(round)s: player %(tpn)s and opponent %(opponent)s both have '%(colour)s'."
            )
            problem, offset = ("trf.colour_clash", message), COLOUR_OFFSET
            more["colour"] = cell.colour.value
        elif frozenset((cell.result, theirs.result)) not in _TOGETHER:
            ours, other = (
                result.value if result else _("nothing") for result in (cell.result, theirs.result)
            )
            message = _(
                "Round %(round)s: player %(tpn)s has '%(result)s' and opponent %(opponent)s has "
                "'%(theirs)s': "
                "these results do not match."
            )
            problem, offset = ("trf.result_clash", message), RESULT_OFFSET
            more |= {"result": ours, "theirs": other}
        else:
            return
    code, message = problem
    more |= {"tpn": player.tpn, "round": index + 1, "opponent": cell.opponent}
    column = FIRST_ROUND_COLUMN + ROUND_WIDTH * index + offset
    raise TrfError(code, message, line=document.line_of(player), column=column, **more)


def _check_byes_in_advance(document: TrfDocument) -> None:
    """Refuse the PAB in an unpaired round: it follows from the pairing [C.04.1/2026 3]."""
    players = document.players
    played = played_rounds(players)
    for player in players:
        for number, cell in enumerate(player.rounds[played:], start=played + 1):
            if cell is not None and cell.result is Result.PAIRING_ALLOCATED_BYE:
                waiting = sum(other.cell(number) is None for other in players)
                raise TrfError(
                    "trf.bye_in_advance",
                    _(
                        "Round %(round)s: player %(tpn)s has the pairing-allocated bye (U), but "
                        "other players "
                        "(%(waiting)s) have no entry. This bye follows from the pairing: leave it "
                        "out, or enter H, F "
                        "or Z for a bye that was requested."
                    ),
                    line=document.line_of(player),
                    column=FIRST_ROUND_COLUMN + ROUND_WIDTH * (number - 1) + RESULT_OFFSET,
                    round=number,
                    tpn=player.tpn,
                    waiting=waiting,
                )


def _check_blank_rounds(document: TrfDocument) -> None:
    """Refuse an unknown round before one with games: a column was lost, or all are shifted."""
    players = document.players
    games = [
        number
        for player in players
        for number, cell in enumerate(player.rounds, start=1)
        if cell is not None and not cell.is_bye
    ]
    for number in range(1, max(games, default=0)):
        if all(player.cell(number) is None for player in players):
            raise TrfError(
                "trf.round_blank",
                _(
                    "Round %(round)s has no entry for any player, but a later round was paired. If "
                    "nobody played in this round, enter the byes (Z, H or F)."
                ),
                line=document.line_of(players[0]),
                column=FIRST_ROUND_COLUMN + ROUND_WIDTH * (number - 1),
                round=number,
            )


def _check_points(document: TrfDocument, players: Sequence[PlayerRecord]) -> None:
    system = point_system(document)
    played = played_rounds(players)
    byes = requested_byes(document, played + 1)
    changed = changed_players(document)
    in_play = is_in_play(document, played)
    for player in players:
        if player.points is None or player.tpn in changed:
            continue
        total = points_of(player.rounds[:played], played, system)
        cells = [cell for cell in player.rounds[:played] if cell is not None]
        adjourned = sum((cell.result, cell.second).count(Result.UNKNOWN) for cell in cells)
        following = player.cell(played + 1)
        coming = following.result if following is not None else byes.get(player.tpn)
        announced = (
            cell.result
            for cell in player.rounds[played:]
            if cell is not None and cell.result is not None
        )
        in_advance = sum(map(system.value, announced))
        last = player.cell(played) if in_play else None
        # Some programs count the byes of a round only when the round is over.
        uncounted = (
            system.value(last.result)
            if last is not None and last.is_bye and last.result is not None
            else 0
        )
        for sum_ in (total, total - adjourned * system.unknown, total - uncounted):
            next_one = system.value(coming) if coming is not None else 0
            if player.points in (sum_, sum_ + next_one, sum_ + in_advance):
                break
        else:
            raise TrfError(
                "trf.points_mismatch",
                _(
                    "Player %(tpn)s has %(points)s points here, but the results add up to "
                    "%(expected)s."
                ),
                line=document.line_of(player),
                column=POINTS_COLUMN,
                tpn=player.tpn,
                points=player.points / 10,
                expected=total / 10,
            )


def points_of(cells: Sequence[RoundCell | None], rounds: int, system: PointSystem) -> int:
    """Return the sum of *cells* over *rounds* rounds, in tenths.

    A blank is an absence, a missing result counts 0.
    """
    total = (rounds - len(cells)) * system.zero_point_bye
    for cell in cells:
        if cell is None:
            total += system.zero_point_bye
        elif cell.result is not None:
            total += system.value(cell.result) + (
                system.value(cell.second) if cell.second is not None else 0
            )
    return total
