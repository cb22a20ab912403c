"""In which order the pairs are published, for the checker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .finding import Finding
from .legality import Board


def board_order_3_6(boards: Sequence[Board]) -> Iterator[Finding]:
    """Boards follow the higher ranked player's score, the sum, his TPN [C.04.2/2026 3.6].

    Scores are the pairing scores, virtual points included. One finding, for the first board out of
    place.
    """
    expected = sorted(boards, key=board_key)
    for number, (found, wanted) in enumerate(zip(boards, expected, strict=True), start=1):
        if found != wanted:
            white, black = wanted
            message = (
                f"Board {number} must be {white.tpn}-{black.tpn}, not "
                f"{found[0].tpn}-{found[1].tpn}."
            )
            params = {"board": number, "white": white.tpn, "black": black.tpn}
            yield Finding("check.board_order", "C.04.2 3.6", message, params)
            return


def board_key(board: Board) -> tuple[int, int, int]:
    """Sorts boards into the order of publication [C.04.2/2026 3.6.1, 3.6.2, 3.6.3]."""
    higher = min(board, key=lambda record: record.rank_key)
    return (-higher.score, -(board[0].score + board[1].score), higher.tpn)
