"""Read dates of birth as people write them; a column of dates shows what is first."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import Final

from django.utils import timezone

from pairing.trf.dates import read_date
from tournaments.core.cell_texts import says_nothing, shortened, without_quotes
from tournaments.core.errors import BadInput

FIRST_YEAR: Final = 1920
"""No player was born before; lists have 1900 for an unknown year."""
ORDERS: Final = ("day", "month")
"""What stands first in a date such as 05/12/2010."""
_YEAR_FIRST: Final = re.compile(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})")
_YEAR_LAST: Final = re.compile(r"([0-9]{1,2})([-/.])([0-9]{1,2})[-/.]([0-9]{4}|[0-9]{2})")
_TOGETHER: Final = re.compile(r"((?:19|20)[0-9]{2})([0-9]{2})([0-9]{2})")
_TIME: Final = re.compile(r"(?<=[0-9])(?:T|\s+)[0-9]{1,2}[:.h][0-9]{2}.*$")


def birth_date_of(text: str, name: str, order: str = "day") -> str:
    """Return ``YYYY/MM/DD`` as in the TRF; a year alone has 00 for the rest.

    ``BadInput`` for an invalid date. A time after the date and quotes do not count. *order* is one
    of :data:`ORDERS`: the part first before a year. Dates with dots have the day first. In
    ``DD/MM/YY`` the years up to 20 are 2000 to 2020 and those from 36 are 1936 to 1999; the others
    could be a child or somebody of ninety, and are doubtful.
    """
    text = _TIME.sub("", without_quotes(text))
    if (
        says_nothing(text)
        or not text.strip("0-/. ")
        or re.fullmatch(r"1900([-/.]0?1){2}|(0?1[-/.]){2}1900", text)
    ):
        return ""
    if re.fullmatch("[0-9]{4}", text):
        return _checked(text, int(text), 0, 0)
    if found := _YEAR_FIRST.fullmatch(text) or _TOGETHER.fullmatch(text):
        return _checked(text, *map(int, found.groups()))
    if found := _YEAR_LAST.fullmatch(text):
        first, dot, second, end = found.groups()
        # A date that is possible in one order only is read so.
        month_first = dot != "." and (int(second) > 12 or (order == "month" and int(first) <= 12))
        day, month = (second, first) if month_first else (first, second)
        return _checked(text, _year_of(end, text), int(month), int(day))
    day_ = read_date(text).day if re.search(r"[^\W\d_]{3}", text) else None
    if day_ is None:
        raise BadInput("csv.birth_unknown", value=shortened(text))
    return _checked(text, day_.year, day_.month, day_.day)


def order_of(cells: Iterable[str], *, day_first: bool) -> str:
    """Return what is first in a column of dates, ``day`` or ``month``; empty if undecided.

    One date that is possible in one order only decides, unless another one contradicts it. Without
    such a date it is the day if *day_first*: the list comes from a country that writes so.
    """
    found = [_YEAR_LAST.fullmatch(_TIME.sub("", without_quotes(cell))) for cell in cells]
    parts = [(int(each[1]), int(each[3])) for each in found if each and each[2] != "."]
    shown = {"day" for first, second in parts if second <= 12 < first}
    shown |= {"month" for first, second in parts if first <= 12 < second}
    if len(shown) == 1:
        return shown.pop()
    return "day" if day_first and not shown else ""


def has_two_readings(text: str) -> bool:
    """Return whether day and month of *text* can be exchanged, as in 05/12/2010."""
    found = _YEAR_LAST.fullmatch(_TIME.sub("", without_quotes(text)))
    return (
        found is not None
        and found[2] != "."
        and found[1].zfill(2) != found[3].zfill(2)
        and (0 < int(found[1]) <= 12 and 0 < int(found[3]) <= 12)
    )


def _year_of(end: str, text: str) -> int:
    if len(end) == 4:
        return int(end)
    if 20 < int(end) < 36:
        raise BadInput("csv.birth_century", value=shortened(text))
    return int(end) + (2000 if int(end) <= 20 else 1900)


def _checked(text: str, year: int, month: int, day: int) -> str:
    """Return the date; ``BadInput`` if there is no such day, or nobody who lives was born then."""
    try:
        # In the TRF, 00 means that the month or the day is unknown.
        born = date(year, month or 1, day or 1)
    except ValueError as error:
        raise BadInput("csv.birth_unknown", value=shortened(text)) from error
    if born.year < FIRST_YEAR or born > timezone.localdate():
        raise BadInput("csv.birth_range", value=shortened(text), low=FIRST_YEAR)
    return f"{year:04}/{month:02}/{day:02}"
