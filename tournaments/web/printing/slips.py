"""Result slips: one for each game, three on a sheet, with the QR code of its table and round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from django.urls import reverse

from pairing.rounds.round_page import GameLine, RoundPage
from pairing.rounds.table_codes import code_of
from tournaments.core.public_address import printed_address
from tournaments.core.qr_codes import qr_path
from tournaments.models import TableCodes, Tournament

SLIPS: Final = 3
"""The slips on a sheet."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Slip:
    """A game with the QR code of table and round: modules per side, SVG path; None without."""

    game: GameLine
    code: tuple[int, str] | None


def slips_of(tournament: Tournament, codes: TableCodes, page: RoundPage) -> list[list[Slip]]:
    """Return the slips of *page*, sheet by sheet, in stack-cut order.

    A sheet can have fewer than three at the end of a pile. There are no QR codes before the *codes*
    of the tables are made, and where no phone could open their address.
    """
    slips = []
    for game in page.games:
        path = reverse(
            "table-report", args=[tournament.slug, game.table, code_of(codes, game.table)]
        )
        address = printed_address(f"{path}?round={page.number}") if codes.secret else None
        slips.append(Slip(game, qr_path(address) if address else None))
    return stack_cut(slips, SLIPS)


def stack_cut(items: Sequence[T], on_a_sheet: int) -> list[list[T]]:
    """Return *items* on sheets with *on_a_sheet* each, so that the pile, cut into as many piles
    which are laid on one another, has them in order.

    >>> stack_cut([1, 2, 3, 4, 5, 6, 7], 3)
    [[1, 4, 7], [2, 5], [3, 6]]
    """
    sheets = -(-len(items) // on_a_sheet)
    return [list(items[place::sheets]) for place in range(sheets)]
