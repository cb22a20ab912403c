"""Points that are not those of the point system: what record 299 does to a pairing, as far as it can be said.

A pairing sees a player's points in two places: in the pairing score, and in who is a topscorer. A bonus, a penalty or a
game worth other points moves the pairing score of every later round, exactly as virtual points do, so it is handed over
as such. What it would move beside that (topscorers, who floated, who may have the bye) is asked here, and where the
answer would change, the round is refused: ``trf.points_changed``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from pairing.engine.errors import Text, text as _
from pairing.engine.model import TPN, Points, PointSystem, Result

from .document import AbnormalPoints, PlayerRecord, RoundCell, TrfDocument
from .errors import TrfError
from .fields import ABNORMAL_FIRST_PLAYER, STANDINGS_ONLY

_UNSAID_ROUND = _("Record 299 does not say in which round points change; no round can be paired by it.")
_UNSAID_PLAYERS = _("Record 299 does not say whose points change; no round can be paired by it.")
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
    """The results that records 299 give other points to everybody in all rounds, as fields of a point system."""
    return {
        _VALUES[record.kind]: record.points
        for record in document.of(AbnormalPoints)
        if record.kind is not None and _is_for_all(record)
    }


def changed_players(document: TrfDocument) -> frozenset[TPN]:
    """Whose points are not the sum of their results; everybody's where a record names nobody but a round."""
    records = [record for record in document.of(AbnormalPoints) if not _is_for_all(record)]
    if not all(record.players for record in records):
        return frozenset(player.tpn for player in document.players)
    return frozenset(tpn for record in records for tpn in record.players)


def point_changes(
    document: TrfDocument, players: Sequence[PlayerRecord], round_number: int, points: PointSystem, *, is_last: bool
) -> dict[TPN, tuple[Points, ...]]:
    """What records 299 add to each player's pairing score, by round from 1 to *round_number*, in tenths.

    A change of round *r* counts from round *r* + 1 on; round 999 in no pairing. Bonuses and penalties add up; of the
    points of a result the record that names the player and the round holds, then the one that names the player, then
    the one that names the round, and the last of a kind. Raises ``trf.points_changed`` for a change that a pairing
    score cannot say. Cost: the length of the records, and once the rounds of the players.
    """
    changes = _Changes(document, frozenset(player.tpn for player in players))
    if not changes.lines:
        return {}
    if document.games > 1:
        raise _refused(
            min(changes.lines.values()), _("Record 299 changes points of a match; no engine here pairs by that.")
        )
    scores: dict[TPN, tuple[Points, ...]] = {}
    for player in players:
        own = [changes.of(player, number, points) for number in range(1, round_number)]
        if any(own):
            scores[player.tpn] = tuple(map(Points, accumulate(own, initial=0)))
            if is_last:
                _check_topscorer(changes, player, scores[player.tpn][-1], round_number, points)
    return scores


class _Changes:
    """The records 299 that change points of some players or rounds, sorted by what they name."""

    def __init__(self, document: TrfDocument, numbers: frozenset[TPN]) -> None:
        self.lines: dict[TPN | None, int] = {}
        """A line that changes points of the player, or of everybody."""
        self._bonuses: dict[tuple[TPN, int], int] = {}
        self._values: dict[tuple[Result, TPN | None, int | None], tuple[Points, int]] = {}
        for line, record in document.numbered(AbnormalPoints):
            if _is_for_all(record) or record.round_number == STANDINGS_ONLY:
                continue
            for tpn in record.players or (None,):
                if tpn is not None and tpn not in numbers:
                    message = _("Record 299 names player %(tpn)s, who is not there.")
                    raise _refused(line, message, ABNORMAL_FIRST_PLAYER, tpn=tpn)
                self.lines[tpn] = line
                if record.kind is not None:
                    self._values[record.kind, tpn, record.round_number] = record.points, line
                elif tpn is None or record.round_number is None:
                    raise _refused(line, _UNSAID_ROUND if record.players else _UNSAID_PLAYERS)
                else:
                    key = tpn, record.round_number
                    self._bonuses[key] = self._bonuses.get(key, 0) + record.points
        self._named = {
            (tpn, number): kind for kind, tpn, number in self._values if tpn is not None and number is not None
        }

    def of(self, player: PlayerRecord, number: int, points: PointSystem) -> int:
        """What changes for *player* in round *number*, in tenths."""
        bonus = self._bonuses.get((player.tpn, number), 0)
        cell = player.cell(number) or RoundCell(None, None, Result.ZERO_POINT_BYE)
        if cell.result is None:
            return bonus
        result = _RATED.get(cell.result, cell.result)
        named = self._named.get((player.tpn, number), result)
        if named is not result:
            raise _refused(
                self._values[named, player.tpn, number][1],
                _(
                    "Record 299 changes what '%(kind)s' is worth to player %(tpn)s in round %(round)s, where the result"
                    " is '%(result)s'."
                ),
                kind=_letter(named),
                tpn=player.tpn,
                round=number,
                result=cell.result.value,
            )
        for key in ((result, player.tpn, number), (result, player.tpn, None), (result, None, number)):
            if key in self._values:
                value, line = self._values[key]
                _check_meaning(line, result, value, number, points)
                return bonus + value - points.value(result)
        return bonus


def _is_for_all(record: AbnormalPoints) -> bool:
    return record.kind is not None and record.round_number is None and not record.players


def _check_meaning(line: int, result: Result, now: Points, number: int, points: PointSystem) -> None:
    """An unplayed round that gives more than a loss is a float, one that gives a win bars from the bye."""
    before = points.value(result)
    if result.is_played or (
        (before > points.loss) == (now > points.loss) and (before >= points.win) == (now >= points.win)
    ):
        return
    raise _refused(
        line,
        _(
            "Record 299 makes of a '%(kind)s' in round %(round)s another float, or another right to the bye; no engine"
            " here pairs by that."
        ),
        kind=_letter(result),
        round=number,
    )


def _check_topscorer(
    changes: _Changes, player: PlayerRecord, change: Points, round_number: int, points: PointSystem
) -> None:
    """A topscorer has over half of what a winner of all rounds has, without virtual points [C.04.3/2026 1.8]."""
    half = (round_number - 1) * points.win
    cells = [player.cell(number) for number in range(1, round_number)]
    results = [Result.ZERO_POINT_BYE if cell is None else cell.result or Result.UNKNOWN for cell in cells]
    score = sum(points.value(result) for result in results)
    if (2 * score > half) != (2 * (score + change) > half):
        raise _refused(
            changes.lines.get(player.tpn) or changes.lines[None],
            _("Record 299 changes whether player %(tpn)s is a topscorer; no engine here pairs the last round so."),
            tpn=player.tpn,
        )


def _letter(kind: Result) -> str:
    return {Result.WIN: "W", Result.DRAW: "D", Result.LOSS: "L"}.get(kind, str(kind.value))


def _refused(line: int, message: Text, column: int = 5, **params: object) -> TrfError:
    return TrfError("trf.points_changed", message, line=line, column=column, **params)
