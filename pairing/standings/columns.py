"""Compute the columns of the standings: one function for each tie-break."""

from __future__ import annotations

from typing import assert_never

from pairing.engine.errors import InputError
from pairing.engine.model import TPN

from . import buchholz, own_results, ratings
from .codes import TieBreak, TieBreakCode
from .crosstable import Crosstable, with_last_round_drawn
from .values import Column, Part


class Columns:
    """The columns of one crosstable; shared intermediate results are computed once."""

    def __init__(self, table: Crosstable) -> None:
        self._table = table
        self._fore: Crosstable | None = None
        self._worth: dict[tuple[bool, bool], dict[TPN, list[Part]]] = {}

    def column(self, code: TieBreakCode) -> Column:
        """Return the values of *code* for all players.

        Raise :class:`InputError` (``tie_break.ratings_missing``) if it needs ratings and a player has none
        [C.07/2026 10]. Direct encounter has no column, because it only compares tied players.
        """
        table = self._table
        if code.tie_break.needs_ratings and table.without_rating:
            raise ratings_missing(code, table)
        match code.tie_break:
            case TieBreak.BH | TieBreak.FB:
                fore = code.fore or code.tie_break is TieBreak.FB
                return buchholz.buchholz(self._opponents(fore, code.forfeits_count), code)
            case TieBreak.AOB:
                plain = TieBreakCode(TieBreak.FB if code.fore else TieBreak.BH)
                return buchholz.average_of_buchholz(table, self.column(plain))
            case TieBreak.SB:
                return buchholz.sonneborn_berger(self._opponents(False, code.forfeits_count), code)
            case TieBreak.KS:
                return buchholz.koya(table, code)
            case TieBreak.WIN | TieBreak.WON | TieBreak.BPG | TieBreak.BWG | TieBreak.REP:
                return own_results.count_of_rounds(table, code)
            case TieBreak.PS:
                return own_results.progressive_score(table, code)
            case TieBreak.STD:
                return own_results.standard_points(table)
            case TieBreak.TPN:
                return own_results.own_number(table)
            case TieBreak.RTNG:
                return own_results.own_rating(table)
            case TieBreak.ARO:
                return ratings.average_rating(table, code)
            case TieBreak.TPR:
                return ratings.performance(table)
            case TieBreak.PTP:
                return ratings.perfect_performance(table)
            case TieBreak.APRO:
                return ratings.average_of_opponents(table, ratings.performance(table))
            case TieBreak.APPO:
                return ratings.average_of_opponents(table, ratings.perfect_performance(table))
            case TieBreak.DE:
                raise ValueError(code)
            case _:
                assert_never(code.tie_break)

    def _opponents(self, fore: bool, forfeits_count: bool) -> dict[TPN, list[Part]]:
        if (fore, forfeits_count) not in self._worth:
            if fore and self._fore is None:
                self._fore = with_last_round_drawn(self._table)
            table = self._fore if fore and self._fore is not None else self._table
            self._worth[fore, forfeits_count] = buchholz.opponents(table, forfeits_count=forfeits_count)
        return self._worth[fore, forfeits_count]


def ratings_missing(code: TieBreakCode, table: Crosstable) -> InputError:
    """Return the error that *code* cannot be used because a player in *table* has no rating [C.07/2026 10]."""
    unrated = table.without_rating
    named = ", ".join(str(tpn) for tpn in unrated[:10]) + (", …" if len(unrated) > 10 else "")
    return InputError(
        "tie_break.ratings_missing",
        f"{code} cannot be used: no rating of player {named} (C.07 10).",
        tie_break=str(code),
        players=named,
    )
