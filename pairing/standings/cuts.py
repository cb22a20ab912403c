"""Apply the modifiers that cut contributions, in their order [C.07/2026 14.1-14.4, 16.5]."""

from __future__ import annotations

from collections.abc import Iterable

from .values import Cut, Part


def cut(parts: Iterable[Part], *, least: int, most: int) -> tuple[Part, ...]:
    """Return *parts* with the *least* least significant and then the
    *most* most significant ones marked as cut.

    The least significant value is that of the opponent with the lowest score; of several such
    opponents, the lowest value [C.07/2026 14.1.1]. For a player with voluntarily unplayed rounds,
    the lowest contribution of these is cut instead, unless it is lower than the least significant
    value; of equal ones, the one with the lowest score. The same applies to each further cut
    [C.07/2026 16.5]. If there are not more parts than cuts, all are cut.
    """
    marked = list(parts)
    left = [index for index, part in enumerate(marked) if part.cut is None]
    for _ in range(min(least, len(left))):
        index, why = _least_significant(marked, left)
        left.remove(index)
        marked[index] = marked[index]._replace(cut=why)
    for _ in range(min(most, len(left))):
        index = max(left, key=lambda index: (marked[index].worth, marked[index].amount))
        left.remove(index)
        marked[index] = marked[index]._replace(cut=Cut.MOST)
    return tuple(marked)


def _least_significant(parts: list[Part], left: list[int]) -> tuple[int, Cut]:
    _, _, least = min([(parts[index].worth, parts[index].amount, index) for index in left])
    voluntary = [index for index in left if parts[index].is_voluntary]
    if voluntary:
        lowest = min(voluntary, key=lambda index: (parts[index].amount, parts[index].worth))
        if parts[lowest].amount >= parts[least].amount:
            return lowest, Cut.VOLUNTARY
    return least, Cut.LEAST
