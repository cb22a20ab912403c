"""Make a whole round from the boards that an arbiter has rearranged."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pairing.engine.model import TPN

from .published import Arrangement


def rearranged(
    now: Arrangement,
    typed: Mapping[int, tuple[TPN, TPN] | None],
    *,
    pool: Collection[TPN],
    late: Collection[TPN],
    left: str,
    missing: Collection[TPN] = (),
) -> Arrangement:
    """Return the round *now* with the boards of *typed* instead of its own; a board without a pair disappears.

    The players of *pool* that no typed board seats get the bye *left* (``"U"`` or ``"Z"``). A half-point or full-point
    bye stays, and a *missing* player gets no bye with points. A *late* entry without a board gets a bye only if *left*
    is the pairing-allocated bye; otherwise it keeps the bye it has, if any. Boards are in ascending order. [C.04.2/2026
    4.4]
    """
    boards = {number: pair for number, pair in now.boards.items() if number not in typed}
    boards |= {number: pair for number, pair in typed.items() if pair is not None}
    seated = {tpn for pair in typed.values() if pair is not None for tpn in pair}
    byes = {tpn: letter for tpn, letter in now.byes.items() if tpn not in pool}
    for tpn in sorted(set(pool) - seated):
        kept = now.byes.get(tpn)
        if tpn not in late:
            byes[tpn] = kept if kept in ("H", "F") else "Z" if tpn in missing else left
        elif left == "U":
            byes[tpn] = left
        elif kept is not None:
            byes[tpn] = kept
    return Arrangement(dict(sorted(boards.items())), byes)
