"""Define the row of a tie-break, and a code of a list with its modifiers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from pairing.engine.errors import Text

from .crosstable import Crosstable
from .values import Column


@dataclass(frozen=True, slots=True)
class TieBreak:
    """One tie-break: a row of :data:`~.tie_breaks.TIE_BREAKS`, from which all else is derived.

    ``name`` is that of C.07; ``sentence`` explains it without a full stop, ``article`` defines it.
    ``column`` computes its values; None for the direct encounter, which compares tied players only.
    ``modifiers`` are those it may have [C.07/2026 14]; of these, the picker offers ``offered``.
    ``since`` has the codes that not every edition knows, each with the first edition that does.
    ``counts_games``: it counts single games, so it cannot be used where a round is a match.
    ``least_is_best``: the smaller value is better.
    """

    code: str
    name: Text
    sentence: Text
    article: str
    column: ComputeColumn | None
    modifiers: tuple[str, ...] = ()
    offered: tuple[str, ...] = ()
    since: Mapping[str, str] = field(default_factory=dict)
    counts_games: bool = False
    least_is_best: bool = False

    @property
    def needs_ratings(self) -> bool:
        """Return whether it is one of Article 10, unusable if a participant is unrated."""
        return self.article.startswith("10.")


@dataclass(frozen=True, slots=True)
class TieBreakCode:
    """One tie-break of a list with its modifiers.

    ``cut_least`` and ``cut_most`` are the numbers of contributions to cut [C.07/2026 14.1-14.4].
    ``limit`` is the number of half points by which the limit of the Koya system is moved
    [C.07/2026 14.5]. ``forfeits_count`` is ``/P`` [C.07/2026 6.1.1], ``fore`` is ``/F``
    [C.07/2026 8.2], ``is_reversed`` is ``/R`` [C.07/2026 7.8, 10.6].
    """

    tie_break: TieBreak
    cut_least: int = 0
    cut_most: int = 0
    limit: int = 0
    forfeits_count: bool = False
    fore: bool = False
    is_reversed: bool = False

    def __str__(self) -> str:
        cut = f"M{self.cut_most}" if self.cut_most else f"C{self.cut_least}"
        modifiers = (
            cut if self.cut_least else "",
            f"L{self.limit:+d}" if self.limit else "",
            "P" if self.forfeits_count else "",
            "F" if self.fore else "",
            "R" if self.is_reversed else "",
        )
        return "/".join((self.tie_break.code, *filter(None, modifiers)))

    @property
    def least_is_best(self) -> bool:
        """Return whether the smaller value is better."""
        return self.tie_break.least_is_best != self.is_reversed


ComputeColumn: TypeAlias = Callable[[Crosstable, TieBreakCode], Column]
"""Compute the values of all players of a crosstable for a code."""
