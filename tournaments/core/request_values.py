"""Numbers and files out of a request: every page and the API read them here, and nowhere else.

What a form field or an address holds is text that anybody may have typed. A whole number is ASCII digits between two
limits: ``int()`` also takes blanks, underlines and other scripts, and refuses 5,000 digits with an error of its own.
"""

from __future__ import annotations

import base64
import binascii
from typing import Final

from django.http import QueryDict

from tournaments.core.errors import BadInput

MOST: Final = 2**63 - 1
"""The largest number a database here can hold: an id, or the version of a row."""


class BadValue(BadInput):
    """A field that the page itself fills in holds something else: 422, and nothing was done."""

    status = 422


def whole_number(text: str, *, least: int = 0, most: int = MOST) -> int | None:
    """*text* as a whole number from *least* to *most*, both included; None where it is not one.

    A minus sign is read where *least* is below zero.
    """
    digits = text.removeprefix("-") if least < 0 else text
    if not (digits.isascii() and digits.isdecimal()) or len(digits) > len(str(MOST)):
        return None
    number = int(text)
    return number if least <= number <= most else None


def number_of(data: QueryDict, name: str, *, least: int = 0, most: int = MOST) -> int:
    """The whole number that *data* has once under *name*; :class:`BadValue` for anything else, and for nothing."""
    given = data.getlist(name)
    number = whole_number(given[0], least=least, most=most) if len(given) == 1 else None
    if number is None:
        raise BadValue("request.number", field=name, name=name, least=least, most=most)
    return number


def optional_number_of(data: QueryDict, name: str, *, least: int = 0, most: int = MOST) -> int | None:
    """As :func:`number_of`, but None where *data* has nothing, or an empty text, under *name*."""
    return number_of(data, name, least=least, most=most) if data.getlist(name) not in ([], [""]) else None


def numbers_of(data: QueryDict, name: str, *, least: int = 0, most: int = MOST) -> list[int]:
    """Every whole number that *data* has under *name*, in order; :class:`BadValue` if one of them is something else."""
    numbers = [whole_number(text, least=least, most=most) for text in data.getlist(name)]
    if None in numbers:
        raise BadValue("request.number", field=name, name=name, least=least, most=most)
    return [number for number in numbers if number is not None]


def file_of(data: QueryDict, name: str) -> bytes:
    """The file that a preview put into the hidden field *name* as base64; :class:`BadValue` where it is not one."""
    try:
        return base64.b64decode(data.get(name, "").encode(), validate=True)
    except binascii.Error as error:
        raise BadValue("request.file", field=name) from error
