"""Template filters for numbers, points and dates."""

from __future__ import annotations

import re
from datetime import date, datetime

from django import template
from django.utils.formats import date_format, get_format
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext

from tournaments.core.moments import duration, exact

register = template.Library()
register.filter("duration", duration)


@register.filter(expects_localtime=True)
def day(value: date | None) -> str:
    """Return a day in the reader's language: 21 Nov 2026, 21 nov. 2026."""
    # Translators: a date in the format of Django's date filter.
    return date_format(value, gettext("j M Y")) if value else ""


@register.filter
def day_to(start: date, end: date | None) -> str:
    """Return days *start* to *end*: 30 Nov 2026 – 1 Dec 2026, or 21–22 Nov 2026."""
    if end is None or end == start:
        return day(start)
    if (start.year, start.month) == (end.year, end.month):
        return f"{start.day}–{day(end)}"
    return f"{day(start)} – {day(end)}"


@register.filter
def birth(stored: str) -> str:
    """Return the known parts of a date of birth: ``2011/01/02`` as a day,
    ``2011/05/00`` and ``2011/00/00`` without 00.

    A file may contain any text: an invalid date is shown unchanged.
    """
    parts = re.fullmatch(r"([0-9]{4})/([0-9]{2})/([0-9]{2})", stored)
    if parts is None:
        return stored
    year, month, of_month = parts.groups()
    if month == "00":
        return year
    if of_month == "00":
        return f"{year}/{month}"
    try:
        return day(date(int(year), int(month), int(of_month)))
    except ValueError:
        return stored


@register.filter(expects_localtime=True)
def moment(value: datetime | None) -> str:
    """Return a day and a time of 24 hours."""
    # Translators: a date and a time in the format of Django's date filter.
    return date_format(value, gettext("j M Y, H:i")) if value else ""


@register.filter
def moment_at(value: datetime | None, place: str) -> str:
    """Return the date of a game not played with its round, and its *place* if any."""
    return ", ".join(part for part in (moment(value and localtime(value)), place) if part)


@register.filter
def exact_moment(value: datetime | None) -> str:
    """Return a day and a time with its seconds, where a second can decide [C.04.2/2026 4.3]."""
    return exact(value) if value else ""


@register.filter
def points(tenths: int) -> SafeString:
    """Return points in tenths: 25 is ``2½``, 5 is ``½``, 13 is ``1.3``, in French ``1,3``."""
    if tenths < 0:
        return SafeString(f"−{points(-tenths)}")
    whole, rest = divmod(tenths, 10)
    if rest == 5:
        return SafeString(f"{whole}½" if whole else "½")
    return SafeString(f"{whole}{decimal_mark()}{rest}" if rest else whole)


@register.filter
def chance(ten_thousandths: int) -> str:
    """Return ten-thousandths as per cent: ``12 %``; ``< 1 %`` and ``> 99 %`` at the ends."""
    percent = (ten_thousandths + 50) // 100
    if ten_thousandths == 0 or ten_thousandths == 10_000 or 1 <= percent <= 99:
        shown = str(percent)
    else:
        shown = "<\N{NO-BREAK SPACE}1" if percent == 0 else ">\N{NO-BREAK SPACE}99"
    return gettext("%(percent)s%%") % {"percent": shown}


@register.filter
def point_count(tenths: int) -> int:
    """Return a whole number with the plural of *tenths* of points:
    English has ½ point and 1½ points, French 1½ point.

    In English only 1 is singular, in French every value below 2.
    """
    return 1 if abs(tenths) in (5, 10) else 0 if abs(tenths) < 20 else 2


def decimal_mark() -> str:
    """Return the decimal mark of the reader's language."""
    return str(get_format("DECIMAL_SEPARATOR"))


def colon() -> str:
    """Return the colon after a name, with the space of the reader's language."""
    return gettext(":")


@register.filter
def typeset(text: str) -> str:
    """Return *text* of the engine with the spaces of the reader's language.

    French uses a narrow no-break space before ``: ; ? !`` and inside ``« »``.
    """
    if not (get_language() or "").startswith("fr"):
        return text
    text = re.sub(r"[ \u00a0]*([:;?!])(?=\s|$)", "\u202f\\1", text)
    return re.sub(r"«[ \u00a0]*", "«\u202f", re.sub(r"[ \u00a0]*»", "\u202f»", text))


@register.filter
def signed_points(tenths: int) -> str:
    """Return points in tenths that are added or taken: ``+½``, ``−1``."""
    return points(tenths) if tenths < 0 else f"+{points(tenths)}"


@register.filter
def hundredths(value: int) -> SafeString:
    """Return hundredths with two decimals: 1225 is ``12.25``, in French ``12,25``."""
    sign = "−" if value < 0 else ""
    return SafeString(f"{sign}{abs(value) // 100}{decimal_mark()}{abs(value) % 100:02d}")
