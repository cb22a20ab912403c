"""Apply the points of record 299 to the standings, and to pairings as far as possible.

A pairing uses a player's points in the pairing score and to find the topscorers. A bonus, a penalty
or a game worth other points changes the pairing score of all later rounds, exactly as virtual
points do, so it is passed on as virtual points, and once more in full for the topscorers
(``Player.decided``). It could also change floats and the right to the bye. This is checked here,
and if the answer would change, the round is refused with ``trf.points_changed``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from pairing.engine.changes import PointChanges
from pairing.engine.errors import Text, text as _
from pairing.engine.model import TPN, Player, Points, PointSystem, Result

from .document import AbnormalPoints, TrfDocument
from .errors import TrfError
from .fields import ABNORMAL_FIRST_PLAYER, STANDINGS_ONLY

_NO_ROUND = _(
    "Record 299 does not name the round of the point change, so no round can be paired with it."
)
_NO_PLAYERS = _(
    "Record 299 does not name the player of the point change, so no round can be paired with it."
)
_VALUES = {
    Result.WIN: "win",
    Result.DRAW: "draw",
    Result.LOSS: "loss",
    Result.FULL_POINT_BYE: "full_point_bye",
    Result.HALF_POINT_BYE: "half_point_bye",
    Result.ZERO_POINT_BYE: "zero_point_bye",
    Result.FORFEIT_WIN: "forfeit_win",
    Result.FORFEIT_LOSS: "forfeit_loss",
}
_RATED = {
    Result.UNRATED_WIN: Result.WIN,
    Result.UNRATED_DRAW: Result.DRAW,
    Result.UNRATED_LOSS: Result.LOSS,
}


def changed_values(document: TrfDocument) -> dict[str, Points]:
    """Return results revalued for everybody by records 299, as fields of a point system."""
    return {
        _VALUES[record.kind]: record.points
        for record in document.of(AbnormalPoints)
        if record.kind is not None and _is_for_all(record)
    }


def by_decision(document: TrfDocument) -> tuple[tuple[int, AbnormalPoints], ...]:
    """Return the records 299, with lines, for players or a round: not of the point system."""
    return tuple(
        (line, record)
        for line, record in document.numbered(AbnormalPoints)
        if not _is_for_all(record)
    )


def changed_players(document: TrfDocument) -> frozenset[TPN]:
    """Return whose points are not the sum of results; all if a record names a round only."""
    records = [record for record in document.of(AbnormalPoints) if not _is_for_all(record)]
    if not all(record.players for record in records):
        return frozenset(player.tpn for player in document.players)
    return frozenset(tpn for record in records for tpn in record.players)


def point_changes(
    records: Iterable[tuple[int, AbnormalPoints]],
    players: Sequence[Player],
    points: PointSystem,
    *,
    strict: bool = True,
) -> dict[TPN, PointChanges]:
    """Return what *records* 299 (each with its line) add to the points
    of the *players* in their rounds, in tenths.

    Bonuses and penalties are added, each in its round. Those of round 999 count only for the
    places, and those of a future round do not count. For the points of a result, a record that
    names player and round has priority, then one that names the player, then one that names the
    round; of several equal ones the last counts. The dict contains only players with a change.
    Raise ``trf.points_changed`` for a match, for a record without players or without a round, and,
    if *strict*, for a result that the named player does not have; otherwise that record changes
    nothing. Cost: the length of the records, and the rounds of the players once.
    """
    changes = _Changes(records, players, points)
    found = {}
    for player in players if changes.lines else ():
        values = [
            changes.value(player, number, strict=strict)
            for number in range(1, len(player.rounds) + 1)
        ]
        change = PointChanges(
            results=tuple(
                0 if value is None else value.points - points.value(record.result)
                for value, record in zip(values, player.rounds, strict=True)
            ),
            bonuses=tuple(
                changes.bonus(player.tpn, number) for number in range(1, len(player.rounds) + 1)
            ),
            places_only=changes.bonus(player.tpn, STANDINGS_ONLY),
        )
        if any(change.results) or any(change.bonuses) or change.places_only:
            found[player.tpn] = change
    return found


def pairing_changes(
    records: Iterable[tuple[int, AbnormalPoints]], players: Sequence[Player], points: PointSystem
) -> dict[TPN, tuple[Points, ...]]:
    """Return what *records* 299 add to each pairing score.

    In tenths, from round 1 to the round after those of *players*. A change of round *r* counts from
    round *r* + 1 on; round 999 counts in no pairing. Otherwise as :func:`point_changes`. Raise
    ``trf.points_changed`` if a pairing score cannot express the change.
    """
    records = list(records)
    found = point_changes(records, players, points)
    require_sayable(records, players, points)
    scores = {
        tpn: tuple(map(Points, accumulate(change.by_round, initial=0)))
        for tpn, change in found.items()
    }
    return {tpn: score for tpn, score in scores.items() if any(score)}


def require_sayable(
    records: Iterable[tuple[int, AbnormalPoints]], players: Sequence[Player], points: PointSystem
) -> None:
    """Raise ``trf.points_changed`` if *records* change more than a pairing score:
    a float or the right to the bye.

    The rounds of *players* are the rounds before the one to be paired.
    """
    records = list(records)
    changes = _Changes(records, players, points)
    found = point_changes(records, players, points, strict=False)
    for player in players:
        change = found.get(player.tpn)
        if change is None:
            continue
        for number, record in enumerate(player.rounds, start=1):
            value = changes.value(player, number, strict=False)
            if value is not None:
                _check_meaning(value.line, record.result, value.points, number, points)


class _Value(NamedTuple):
    """The points that a record gives to a result, and the line of the record."""

    points: Points
    line: int


class _Changes:
    """The records 299 for some players or rounds, by players and rounds."""

    def __init__(
        self,
        records: Iterable[tuple[int, AbnormalPoints]],
        players: Sequence[Player],
        points: PointSystem,
    ) -> None:
        numbers = frozenset(player.tpn for player in players)
        self.lines: dict[TPN | None, int] = {}
        """A line that changes points of the player; the key None is for all players."""
        self._bonuses: dict[tuple[TPN, int], int] = {}
        self._values: dict[tuple[Result, TPN | None, int | None], _Value] = {}
        for line, record in records:
            if _is_for_all(record):
                continue
            if points.games > 1:
                raise _refused(
                    line,
                    _(
                        "Record 299 changes the points of a match; this program cannot pair with that."
                    ),
                )
            for tpn in record.players or (None,):
                if tpn is not None and tpn not in numbers:
                    message = _("Record 299 names player %(tpn)s, but there is no such player.")
                    raise _refused(line, message, ABNORMAL_FIRST_PLAYER, tpn=tpn)
                self.lines[tpn] = line
                if record.kind is not None and record.round_number != STANDINGS_ONLY:
                    self._values[record.kind, tpn, record.round_number] = _Value(
                        record.points, line
                    )
                elif tpn is None or record.round_number is None or record.kind is not None:
                    raise _refused(line, _NO_ROUND if record.players else _NO_PLAYERS)
                else:
                    key = tpn, record.round_number
                    self._bonuses[key] = self._bonuses.get(key, 0) + record.points
        self._named = {
            (tpn, number): kind
            for kind, tpn, number in self._values
            if tpn is not None and number is not None
        }

    def bonus(self, tpn: TPN, number: int) -> int:
        """Return the sum of bonuses and penalties of *tpn* in round *number*, in tenths."""
        return self._bonuses.get((tpn, number), 0)

    def value(self, player: Player, number: int, *, strict: bool) -> _Value | None:
        """Return the points of a record for *player* in round *number*; None without one."""
        record = player.rounds[number - 1]
        result = _RATED.get(record.result, record.result)
        named = self._named.get((player.tpn, number), result)
        if named is not result and strict:
            raise _refused(
                self._values[named, player.tpn, number].line,
                _(
                    "Record 299 changes the points for '%(kind)s' of player %(tpn)s in round "
                    "%(round)s, but the "
                    "result is '%(result)s'."
                ),
                kind=_letter(named),
                tpn=player.tpn,
                round=number,
                result=record.result.value,
            )
        keys = ((result, player.tpn, number), (result, player.tpn, None), (result, None, number))
        return next((self._values[key] for key in keys if key in self._values), None)


def _is_for_all(record: AbnormalPoints) -> bool:
    return record.kind is not None and record.round_number is None and not record.players


def _check_meaning(
    line: int, result: Result, now: Points, number: int, points: PointSystem
) -> None:
    """Refuse points that change a float or the right to the bye.

    An unplayed round worth more than a loss is a float, and one worth a win bars the player from
    the bye.
    """
    before = points.value(result)
    if result.is_played or (
        (before > points.loss) == (now > points.loss)
        and (before >= points.win) == (now >= points.win)
    ):
        return
    raise _refused(
        line,
        _(
            "Record 299 gives '%(kind)s' in round %(round)s points that change the float or the "
            "right to the "
            "bye; this program cannot pair with that."
        ),
        kind=_letter(result),
        round=number,
    )


def _letter(kind: Result) -> str:
    return {Result.WIN: "W", Result.DRAW: "D", Result.LOSS: "L"}.get(kind, str(kind.value))


def _refused(line: int, message: Text, column: int = 5, **params: object) -> TrfError:
    return TrfError("trf.points_changed", message, line=line, column=column, **params)
