"""Tables with the position of each field of the tournament report.

Columns count from 1 and are inclusive, as in the description of the format; a column is a
character, not a byte. Sources: Handbook C.02.03 Annexe A (TRF-2026), TRF16, and the extension
records (``XX?``, ``BB?``) that pairing programs read.
"""

from __future__ import annotations

from datetime import date
from enum import Enum
from typing import NamedTuple


class Kind(Enum):
    """The type of a field, which decides how it is read and written."""

    TEXT = "text, from the left"
    RIGHT_TEXT = "text, from the right"
    NUMBER = "whole number, from the right"
    TPN = "pairing number, from the right"
    POINTS = "points with one decimal, from the right"


class Column(NamedTuple):
    """One field of a record: columns ``first`` to ``last``."""

    name: str
    first: int
    last: int
    kind: Kind

    @property
    def width(self) -> int:
        return self.last - self.first + 1

    @property
    def span(self) -> slice:
        """Return the field as a Python slice, which counts from 0."""
        return slice(self.first - 1, self.last)


PLAYER = (
    Column("tpn", 5, 8, Kind.TPN),
    Column("sex", 10, 10, Kind.TEXT),
    Column("title", 11, 13, Kind.RIGHT_TEXT),
    Column("name", 15, 47, Kind.TEXT),
    Column("rating", 49, 52, Kind.NUMBER),
    Column("federation", 54, 56, Kind.TEXT),
    Column("fide_id", 58, 68, Kind.RIGHT_TEXT),
    Column("birth_date", 70, 79, Kind.TEXT),
    Column("points", 81, 84, Kind.POINTS),
    Column("rank", 86, 89, Kind.NUMBER),
)
"""Record 001 up to the rounds."""
PLAYER_GAPS = (4, 9, 14, 48, 53, 57, 69, 80, 85, 90, 91)
"""Columns that are blank in a record 001: text in one of them belongs
to a field that is too long or has shifted.
"""
NAME_GAP = 48
"""Some programs write names of 34 letters; a letter here is one of the name,
a digit one of a rating.
"""

NATIONAL = (
    Column("tpn", 5, 8, Kind.TPN),
    Column("sex", 10, 10, Kind.TEXT),
    Column("classification", 11, 13, Kind.RIGHT_TEXT),
    Column("name", 15, 47, Kind.TEXT),
    Column("rating", 49, 52, Kind.NUMBER),
    Column("origin", 54, 56, Kind.TEXT),
    Column("number", 58, 68, Kind.RIGHT_TEXT),
    Column("birth_date", 70, 79, Kind.TEXT),
)
"""A record of national rating support: the columns of 001, after the code of the federation."""
NATIONAL_GAPS = (4, 9, 14, 48, 53, 57, 69)
"""Columns that are blank in such a record.

A line with letters there is another record, and is kept as text.
"""

FIRST_ROUND_COLUMN = 92
"""The first column of round 1 in 001 and 132; each later round begins ten columns further."""
ROUND_WIDTH = 10
OPPONENT_WIDTH = 4
COLOUR_OFFSET = 5
RESULT_OFFSET = 7
CELL_WIDTH = 8
"""Opponent (4), blank, colour, blank, result; two blanks follow."""
DATE_WIDTH = 8

ACCELERATION = (
    Column("match_points", 5, 8, Kind.POINTS),
    Column("game_points", 10, 13, Kind.POINTS),
    Column("first_round", 15, 17, Kind.NUMBER),
    Column("last_round", 19, 21, Kind.NUMBER),
    Column("first_tpn", 23, 26, Kind.TPN),
    Column("last_tpn", 28, 31, Kind.TPN),
)
"""Record 250."""

HISTORY_TPN = Column("tpn", 5, 8, Kind.TPN)
HISTORY_FIRST_COLUMN = 10
HISTORY_STEP = 5
POINTS_WIDTH = 4
"""Record XXA: the virtual points of round *r* are in four columns from 10 + 5·(r-1)."""

ABNORMAL = (
    Column("match_points", 7, 11, Kind.POINTS),
    Column("points", 13, 17, Kind.POINTS),
    Column("round_number", 20, 22, Kind.NUMBER),
)
"""Record 299 between the kind (column 5) and the players (from 24).

The points have four columns, and one more for the sign of two digits before the point.
"""
ABNORMAL_GAPS = (4, 6, 12, 18, 19, 23)
ABNORMAL_FIRST_PLAYER = 24
STANDINGS_ONLY = 999
"""The round of a bonus or penalty that counts in the standings and in no pairing."""

MAX_TPN = 9_999
MAX_RATING = 4_000
"""The limit of ratings in entries.

A higher one cannot be right; a tournament opened from a file does without it.
"""
MAX_ROUNDS = 99
MAX_CHARACTERS = 4_000_000
"""More than the longest realistic file: three thousand players over ninety-nine rounds."""
MAX_BYTES = 2 * MAX_CHARACTERS
MAX_LINES = 100_000

SEXES = {"m": "m", "w": "w", "f": "w"}
"""One program writes ``f`` for ``w``."""

OLD_TITLES = {
    "G": "GM",
    "M": "IM",
    "F": "FM",
    "C": "CM",
    "WG": "WGM",
    "WM": "WIM",
    "WF": "WFM",
    "WC": "WCM",
}
"""Abbreviations of titles in files from before TRF16."""

POINT_SYMBOLS = {
    "W": ("win", "forfeit_win", "full_point_bye"),
    "D": ("draw", "half_point_bye"),
    "L": ("loss",),
    "A": ("zero_point_bye", "forfeit_loss"),
    "Z": ("zero_point_bye", "forfeit_loss"),
    "P": ("pairing_allocated_bye",),
    "X": ("unknown",),
}
"""Record 162: the value that each symbol sets. One program writes ``Z`` for ``A``."""

EXTENSION_POINTS = {
    "BBW": ("win", "forfeit_win", "full_point_bye"),
    "BBD": ("draw", "half_point_bye"),
    "BBL": ("loss",),
    "BBZ": ("zero_point_bye",),
    "BBF": ("forfeit_loss",),
    "BBU": ("pairing_allocated_bye",),
}
"""Records BB?: one value each."""

XXS_CODES = {
    "W": ("white_win", "black_win", "forfeit_win", "full_point_bye"),
    "D": ("white_draw", "black_draw", "half_point_bye"),
    "L": ("white_loss", "black_loss"),
    "WW": ("white_win",),
    "BW": ("black_win",),
    "WD": ("white_draw",),
    "BD": ("black_draw",),
    "WL": ("white_loss",),
    "BL": ("black_loss",),
    "ZPB": ("zero_point_bye",),
    "HPB": ("half_point_bye",),
    "FPB": ("full_point_bye",),
    "PAB": ("pairing_allocated_bye",),
    "FW": ("forfeit_win",),
    "FL": ("forfeit_loss",),
}
"""Record XXS: ``CODE=VALUE`` words, the later overriding the earlier."""

SYSTEM_CODES = {
    "FIDE_DUTCH_2026": "dutch_2026",
    "FIDE_DUTCH_2025": "dutch_2026",
    "FIDE_DUTCH_2017": "dutch_2017",
    "FIDE_DOUBLESWISS": "double_swiss_2026",
    "FIDE_DUTCH_PRE2017": "dutch_pre2017",
}
"""Record 192 → our code.

Drafts of the format called the 2026 text 2025. The format has no word for the text before 2017;
``FIDE_DUTCH_PRE2017`` is our own.
"""
DUTCH_WITHOUT_EDITION = "FIDE_DUTCH"
DUTCH_2017_FROM = date(2017, 7, 1)
DUTCH_2026_FROM = date(2026, 2, 1)
"""``FIDE_DUTCH`` without an edition means the edition in force on the first day."""
BAKU_SUFFIX = "_BAKU"
