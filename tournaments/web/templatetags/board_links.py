"""The places of boards on the pages of arbiters:
those of a large round are in parts of 200, by board number.
"""

from __future__ import annotations

from typing import Final

from django import template

register = template.Library()

BOARDS_IN_PART: Final = 200
"""A round with more boards is shown in parts."""


@register.filter
def part_query(board: int) -> str:
    """Return what the address of the part with *board* ends with; empty for the first part."""
    part = (board - 1) // BOARDS_IN_PART + 1
    return f"?page={part}" if part > 1 else ""


@register.filter
def board_link(board: int, game: int | None = None) -> str:
    """Return query and anchor of *board*, or a *game* of its match: ``?page=3#board-450``."""
    return f"{part_query(board)}#board-{board}" + (f"-{game}" if game else "")
