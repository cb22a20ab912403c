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
    left: Mapping[TPN, str],
    missing: Collection[TPN] = (),
) -> Arrangement:
    """Return *now* with the boards of *typed* instead; a board without a pair disappears.

    *left* are the byes, by TRF letter, of the players of *pool* that no typed board seats: ``"U"``
    or ``"Z"``, which is the default. A half-point or full-point bye stays unless its player gets
    ``"U"``, and a *missing* player gets no bye with points. A *late* entry without a board gets a
    bye only if it is ``"U"``; otherwise it keeps the bye it has, if any. Boards are in ascending
    order. [C.04.2/2026 4.4]
    """
    boards = {number: pair for number, pair in now.boards.items() if number not in typed}
    boards |= {number: pair for number, pair in typed.items() if pair is not None}
    seated = {tpn for pair in typed.values() if pair is not None for tpn in pair}
    byes = {tpn: letter for tpn, letter in now.byes.items() if tpn not in pool}
    for tpn in sorted(set(pool) - seated):
        kept = now.byes.get(tpn)
        if kept in ("H", "F") and (tpn in missing or left.get(tpn) != "U"):
            byes[tpn] = kept
        elif tpn in missing:
            byes[tpn] = "Z"
        elif left.get(tpn) == "U":
            byes[tpn] = "U"
        elif tpn not in late:
            byes[tpn] = "Z"
        elif kept is not None:
            byes[tpn] = kept
    return Arrangement(dict(sorted(boards.items())), byes)
