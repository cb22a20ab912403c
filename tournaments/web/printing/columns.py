"""The chosen columns of the standings and the crosstable as cells of a sheet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from pairing.engine.model import TPN
from tournaments.core.frame import Frame
from tournaments.standings.further_columns import COLUMNS, USUAL, WORDS, Column
from tournaments.web.templatetags.fide_ratings import signed_hundredths


def columns_of(names: Sequence[str]) -> tuple[Column, ...]:
    """Return the columns with *names* in the order of the sheets; unknown names are ignored.

    An empty name means that the reader has chosen, if only to have none.
    """
    if not names:
        return USUAL
    return tuple(column for column in COLUMNS if column.name in names)


def takes_width(columns: Sequence[Column]) -> bool:
    """Return whether a list with *columns* and tie-breaks is too wide for an upright sheet."""
    return len(columns) > 4 or any(column.style == WORDS for column in columns)


def cells_of(
    columns: Sequence[Column], frame: Frame, after: int
) -> Callable[[int], list[tuple[str, object]]]:
    """Return a function for the style and the value of each of *columns* for a player.

    Two queries, one more for the categories; none for no columns, and none again for the same
    frame.
    """
    found = [(column.style, column.values(frame, after)) for column in columns]
    return lambda tpn: [(style, _shown(values.get(TPN(tpn), ""))) for style, values in found]


def _shown(value: object) -> object:
    """Return a change with its sign."""
    return signed_hundredths(int(value.scaleb(2))) if isinstance(value, Decimal) else value
