"""Rank the players: points, then each tie-break among those still tied [C.07/2026 4.2]."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from pairing.engine.changes import PointChanges
from pairing.engine.errors import InputError
from pairing.engine.model import TPN, Player, Points, PointSystem

from .codes import DEFAULT_LIST, parse_list, require_usable
from .crosstable import Crosstable, crosstable
from .definition import TieBreakCode
from .direct_encounter import direct_encounter
from .editions import PRESENT, TieBreakEdition, edition_by_code
from .lots import in_order_of_lots
from .values import Column, Formula, Part, Value

_NOT_TIED: Final = Value(None, (), Formula.PLACE)
LAST: Final = float("inf")
"""The sort value of a player without a tie-break value: after all others."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The regulations on ties: list, edition of C.07, and the decision at its end.

    ``lots`` is the seed of the drawing of lots; None if players who are still tied share the place.
    ``unrated`` is the rating given to unrated players; None if the regulations give none, and then
    the tie-breaks of Article 10 are left out. ``order`` are tied players in the order that the
    arbiter decided; it counts for a group that it names wholly.
    """

    codes: tuple[TieBreakCode, ...]
    edition: TieBreakEdition
    lots: str | None = None
    unrated: int | None = None
    order: tuple[TPN, ...] = ()

    @classmethod
    def from_codes(
        cls,
        codes: str | Sequence[str] = DEFAULT_LIST,
        edition: str = PRESENT,
        *,
        lots: str | None = None,
        unrated: int | None = None,
        order: tuple[TPN, ...] = (),
    ) -> Rules:
        """Build the rules from texts; raise as :func:`~pairing.standings.codes.parse_list`."""
        text = edition_by_code(edition)
        return cls(parse_list(codes, text), text, lots, unrated, order)


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings: ``points`` in tenths, ``values`` in the order of the columns.

    ``rank`` is shared by players who are equal in everything (1, 2, 2, 4). ``by_lot``: decided by
    drawing lots. ``by_hand``: decided by the arbiter.
    """

    rank: int
    tpn: TPN
    points: Points
    values: tuple[Value, ...]
    by_lot: bool = False
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Standings:
    """The ``lines``, best first; ``codes`` are the columns, each in units of one ``scales``-th.

    ``left_out`` are the tie-breaks of the list that cannot be used, because a player
    ``without_rating`` takes part [C.07/2026 10].
    """

    codes: tuple[TieBreakCode, ...]
    scales: tuple[int, ...]
    lines: tuple[Standing, ...]
    left_out: tuple[TieBreakCode, ...] = ()
    without_rating: tuple[TPN, ...] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """One value with its name, the article that defines it, and its parts with theirs."""

    code: TieBreakCode
    amount: int | None
    scale: int
    formula: Formula
    parts: tuple[tuple[Part, str], ...]

    @property
    def article(self) -> str:
        """Return the article of C.07 that defines the tie-break."""
        return self.code.tie_break.article


def standings(
    players: Sequence[Player],
    system: PointSystem,
    rules: Rules,
    *,
    ratings: Mapping[TPN, int] | None = None,
    changes: Mapping[TPN, PointChanges] | None = None,
    expelled: Collection[TPN] = (),
) -> Standings:
    """Return the standings of *players* with equally many rounds; tied ones by TPN.

    *changes* are points that decisions added or removed outside the point system. The *expelled*
    are left out of the standings; the games against them count for the others.

    The ranking does not depend on the order of *players*. Cost: proportional to players, rounds and
    tie-breaks. Raise :class:`InputError` if the players' rounds do not agree, and as
    :func:`~.codes.require_usable`.
    """
    require_usable(rules.codes, system.games)
    table = crosstable(
        players, system, rules.edition, ratings=ratings, unrated=rules.unrated, changes=changes
    )
    unrated = table.without_rating
    used = tuple(code for code in rules.codes if not (unrated and code.tie_break.needs_ratings))
    left_out = tuple(code for code in rules.codes if code not in used)
    columns: list[Column] = []
    placed = [tpn for tpn in table.rows if tpn not in expelled]
    groups = _split(placed, {tpn: -row.score - row.places_only for tpn, row in table.rows.items()})
    for code in used:
        compute = code.tie_break.column
        columns.append(compute(table, code) if compute else _encounters(table, groups, code))
        merits = _merits(columns[-1], code)
        groups = [smaller for group in groups for smaller in _split(group, merits)]
    return Standings(
        codes=used,
        scales=tuple(column.scale for column in columns),
        lines=tuple(_lines(table, groups, columns, rules)),
        left_out=left_out,
        without_rating=unrated if left_out else (),
    )


def explain(standings: Standings, tpn: TPN, code: TieBreakCode) -> Explanation:
    """Return the value of *code* for *tpn* with its parts, or raise ``standings.no_value``."""
    line = next((line for line in standings.lines if line.tpn == tpn), None)
    if line is None or code not in standings.codes:
        raise InputError(
            "standings.no_value",
            f"There is no {code} of player {tpn} here.",
            tpn=tpn,
            tie_break=str(code),
        )
    index = standings.codes.index(code)
    value = line.values[index]
    parts = tuple(
        (part, part.cut.value if part.cut else part.reason.article or code.tie_break.article)
        for part in value.parts
    )
    return Explanation(code, value.amount, standings.scales[index], value.formula, parts)


def _encounters(table: Crosstable, groups: list[list[TPN]], code: TieBreakCode) -> Column:
    """Return the direct encounter of every group still tied; others have no value."""
    values = dict.fromkeys(table.rows, _NOT_TIED)
    for group in groups:
        if len(group) > 1:
            values |= direct_encounter(table, group, forfeits_count=code.forfeits_count)
    return Column(1, values)


def _merits(column: Column, code: TieBreakCode) -> dict[TPN, int | float]:
    """Return the sort values: the smallest is best, and players without a value come last."""
    sign = 1 if code.least_is_best else -1
    return {
        tpn: LAST if value.amount is None else sign * value.amount
        for tpn, value in column.values.items()
    }


def _split(group: list[TPN], merits: Mapping[TPN, int | float]) -> list[list[TPN]]:
    """Split *group* into groups with equal sort values, best first, each in order of TPN."""
    if len(group) < 2:
        return [group] if group else []
    ordered = sorted(group, key=lambda tpn: (merits[tpn], tpn))
    return [list(equal) for _, equal in groupby(ordered, key=merits.__getitem__)]


def _lines(
    table: Crosstable, groups: list[list[TPN]], columns: list[Column], rules: Rules
) -> Iterator[Standing]:
    rank = 1
    for group in groups:
        decided = len(group) > 1 and set(group) <= set(rules.order)
        drawn = not decided and rules.lots is not None and len(group) > 1
        for index, tpn in enumerate(_in_order(group, rules, decided=decided)):
            yield Standing(
                rank=rank + index if drawn or decided else rank,
                tpn=tpn,
                points=Points(table.rows[tpn].score + table.rows[tpn].places_only),
                values=tuple([column.values[tpn] for column in columns]),
                by_lot=drawn,
                by_hand=decided,
            )
        rank += len(group)


def _in_order(group: list[TPN], rules: Rules, *, decided: bool) -> list[TPN]:
    """Return equal players of *group* as *decided*, else by their lots if drawn."""
    if decided:
        return sorted(group, key=rules.order.index)
    return (
        in_order_of_lots(rules.lots, group) if rules.lots is not None and len(group) > 1 else group
    )
