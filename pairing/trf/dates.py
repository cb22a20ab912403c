"""Read the dates of reports: TRF writes ``YYYY/MM/DD``, and programs many other forms."""

from __future__ import annotations

import re
from datetime import date
from typing import Final, NamedTuple

_TIME: Final = r"(?:[T ]\s*\d{1,2}[:.h]\d{2}.*)?"
# Texts, which re compiles when they are first used: most dates need one of them.
_SEPARATED: Final = r"(?a)(\d{1,4})\s*([-/. ])\s*(\d{1,2})\s*[-/. ]\s*(\d{1,4})" + _TIME
_TOGETHER: Final = r"(?a)(\d{4})(\d{2})(\d{2})" + _TIME
_DAY_MONTH_YEAR: Final = (
    r"(\d{1,2})(?:st|nd|rd|th|er)?[-/. ]+([^\W\d_]{3,})[-/., ]+(\d{2}|\d{4})" + _TIME
)
_MONTH_DAY_YEAR: Final = (
    r"([^\W\d_]{3,})[-/. ]+(\d{1,2})(?:st|nd|rd|th)?[-/., ]+(\d{2}|\d{4})" + _TIME
)
_YEAR_MONTH_DAY: Final = r"(\d{4})[-/. ]+([^\W\d_]{3,})[-/. ]+(\d{1,2})" + _TIME
_MONTHS: Final = (
    ("jan", "ene", "gen", "sty"),
    ("feb", "fév", "fev", "lut"),
    ("mar", "mär", "mrz", "mrt", "maa"),
    ("apr", "avr", "abr", "kwi"),
    ("may", "mai", "mag", "mei", "maj"),
    ("jun", "juin", "giu", "cze"),
    ("jul", "juil", "lug", "lip"),
    ("aug", "aoû", "aou", "ago", "sie"),
    ("sep", "set", "wrz"),
    ("oct", "okt", "ott", "out", "paź", "paz"),
    ("nov", "lis"),
    ("dec", "déc", "dez", "dic", "gru"),
)
"""The beginnings of the names of the months in English, French, German, Spanish, Italian, Dutch,
Portuguese, Polish.
"""
_FIRST_YEAR_OF_TWO_DIGITS: Final = 70
_LONGEST: Final = 40
"""The maximum number of characters of a date with its time; longer texts are not read."""


class WrittenDate(NamedTuple):
    """A date as written, the *day* it means (None: unreadable), and whether it is ambiguous."""

    text: str
    day: date | None
    is_ambiguous: bool = False


def read_date(text: str) -> WrittenDate:
    """Read *text* as a date.

    Year, month, day or day, month, year, separated by ``/ - .`` or blanks; ``YYYYMMDD``; a month by
    its name; a time after the date is ignored. If the digits have several readings, they are tried
    in this order, and the date is ambiguous unless all give the same day:

    - the year is first or last if it has four digits;
    - a year of two digits is first, as the TRF writes it (``26/03/14``), but last after dots
      (``14.03.26``);
    - if that gives no date, the year is at the other end;
    - with the year at the end the day is before the month (``04/05/2025`` is 4 May), if that gives
      a date.

    Two digits mean 1970 to 2069.
    """
    stripped = text.strip()
    readings = list(dict.fromkeys(_readings(stripped))) if len(stripped) <= _LONGEST else []
    return WrittenDate(stripped, readings[0] if readings else None, len(readings) > 1)


def _readings(text: str) -> list[date]:
    """Return the days that *text* can mean, the preferred one first."""
    if match := re.fullmatch(_TOGETHER, text):
        return _dates([(match[1], match[2], match[3])])
    if match := re.fullmatch(_DAY_MONTH_YEAR, text):
        return _dates([(match[3], _month(match[2]), match[1])])
    if match := re.fullmatch(_MONTH_DAY_YEAR, text):
        return _dates([(match[3], _month(match[1]), match[2])])
    if match := re.fullmatch(_YEAR_MONTH_DAY, text):
        return _dates([(match[1], _month(match[2]), match[3])])
    if not (match := re.fullmatch(_SEPARATED, text)):
        return []
    first, separator, middle, last = match.groups()
    year_first = [(first, middle, last)]
    year_last = [(last, middle, first), (last, first, middle)]
    if len(first) > 2:
        return _dates(year_first)
    if len(last) > 2:
        return _dates(year_last)
    return _dates([*year_last, *year_first] if separator == "." else [*year_first, *year_last])


def _month(name: str) -> str:
    beginning = name.lower()
    for number, beginnings in enumerate(_MONTHS, 1):
        if beginning.startswith(beginnings):
            return str(number)
    return "0"


def _dates(parts: list[tuple[str, str, str]]) -> list[date]:
    """Return the real dates among *parts* (year, month, day)."""
    found = []
    for year, month, day in parts:
        if len(year) not in (2, 4):
            continue
        number = int(year)
        if len(year) == 2:
            number += 1900 if number >= _FIRST_YEAR_OF_TWO_DIGITS else 2000
        try:
            found.append(date(number, int(month), int(day)))
        except ValueError:
            continue
    return found
