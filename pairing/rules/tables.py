"""Assign tables to boards when some players cannot change table [C.04.2/2026 3.6].

Boards are numbered by 3.6. A player who cannot climb to the state, or needs a table of a certain
height, plays at a fixed table. The other boards take the remaining tables in order.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import count
from types import MappingProxyType

NOTHING_KEPT: Mapping[int, int] = MappingProxyType({})


def tables(
    fixed: Mapping[int, Collection[int]], kept: Mapping[int, int] = NOTHING_KEPT
) -> dict[int, int]:
    """Return the table of each board of *fixed*, which lists by board number
    the tables its players need, usually none.

    *kept* are the tables of boards that do not move. If two boards need the same table, the lower
    board number gets it. If one board needs two tables, it gets the lower free one. Without fixed
    or kept tables each board has the table of its number. Cost: proportional to the size of both.
    """
    found = {board: table for board, table in kept.items() if board in fixed}
    taken = set(found.values())
    for board, wanted in sorted(fixed.items()):
        free = sorted({*wanted} - taken)
        if board not in found and free:
            found[board] = free[0]
            taken.add(free[0])
    left = (table for table in count(1) if table not in taken)
    for board in sorted(fixed):
        if board not in found:
            found[board] = next(left)
    return dict(sorted(found.items()))
