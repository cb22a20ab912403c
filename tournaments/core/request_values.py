"""Read numbers and files from a request, for all pages and the API.

A form field or an address can contain any text. A whole number is ASCII digits between two limits:
``int()`` also accepts blanks, underlines and other scripts, and refuses 5,000 digits with an error
of its own.
"""

from __future__ import annotations

import base64
import binascii
from typing import Final

from django.http import QueryDict

from tournaments.core.errors import BadInput

MOST: Final = 2**63 - 1
"""The largest number that the database can hold: an id, or the version of a row."""


class BadValue(BadInput):
    """A field that the page itself fills in has an invalid value: 422, and nothing was saved."""

    status = 422


def whole_number(text: str, *, least: int = 0, most: int = MOST) -> int | None:
    """Return *text* as a whole number from *least* to *most*, both included; None if it is not one.

    A minus sign is accepted if *least* is below zero.
    """
    digits = text.removeprefix("-") if least < 0 else text
    if not (digits.isascii() and digits.isdecimal()) or len(digits) > len(str(MOST)):
        return None
    number = int(text)
    return number if least <= number <= most else None


def number_of(data: QueryDict, name: str, *, least: int = 0, most: int = MOST) -> int:
    """Return the only whole number under *name*; :class:`BadValue` for another value, or none."""
    given = data.getlist(name)
    number = whole_number(given[0], least=least, most=most) if len(given) == 1 else None
    if number is None:
        raise BadValue("request.number", field=name, name=name, least=least, most=most)
    return number


def optional_number_of(data: QueryDict, name: str, *, most: int = MOST) -> int | None:
    """Return the same as :func:`number_of`, but None without a value or with an empty text."""
    return number_of(data, name, most=most) if data.getlist(name) not in ([], [""]) else None


def numbers_of(data: QueryDict, name: str, *, least: int = 0, most: int = MOST) -> list[int]:
    """Return every whole number under *name*, in order; :class:`BadValue` for anything else."""
    numbers = [whole_number(text, least=least, most=most) for text in data.getlist(name)]
    if None in numbers:
        raise BadValue("request.number", field=name, name=name, least=least, most=most)
    return [number for number in numbers if number is not None]


def file_of(data: QueryDict, name: str) -> bytes:
    """Return the file of the hidden field *name* (base64); :class:`BadValue` if invalid."""
    try:
        return base64.b64decode(data.get(name, "").encode(), validate=True)
    except binascii.Error as error:
        raise BadValue("request.file", field=name) from error
