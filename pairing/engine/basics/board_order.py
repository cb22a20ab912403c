"""The order in which the boards are published [C.04.2/2026 3.6]."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pairing.engine.model import TPN, Points


def publication_order(
    pairs: Iterable[tuple[TPN, TPN]], scores: Mapping[TPN, Points]
) -> tuple[tuple[TPN, TPN], ...]:
    """*pairs* (white, black) sorted for publication.

    By the score of the higher ranked player of the pair, then by the sum of the scores, both
    descending, then by the TPN of the higher ranked player [C.04.2/2026 3.6.1-3.6.3]. *scores* are
    pairing scores in tenths: with an acceleration, points and virtual points together.
    """

    keyed = []
    for pair in pairs:
        white, black = pair
        own, theirs = scores[white], scores[black]
        higher = white if own > theirs or (own == theirs and white < black) else black
        keyed.append((-max(own, theirs), -(own + theirs), higher, pair))
    keyed.sort()
    return tuple(pair for _, _, _, pair in keyed)
