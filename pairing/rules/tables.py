"""At which table each board is played, where somebody cannot move [C.04.2/2026 3.6].

The boards have their numbers by 3.6. Who cannot climb to the stage, or needs a table of a certain height, plays at a
fixed table; the other boards close up and fill the tables that are left, in order.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import count
from types import MappingProxyType

NOTHING_KEPT: Mapping[int, int] = MappingProxyType({})


def tables(fixed: Mapping[int, Collection[int]], kept: Mapping[int, int] = NOTHING_KEPT) -> dict[int, int]:
    """The table of every board of *fixed*: by board number the tables its players cannot leave, mostly none.

    *kept* are the tables of boards that stay where they are. A table that two boards want goes to the first of them,
    by number; of two tables that one board wants, to the lower one that is free. Without anything fixed or kept each
    board has the table of its number. Cost: as the sum of both.
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
