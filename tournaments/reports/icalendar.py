"""Write a calendar file (RFC 5545) with what an appointment needs, by the standard library."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from unicodedata import category

PROGRAM_ID: Final = "-//Swiss Arbiter//games//EN"
MOST_OCTETS: Final = 75
"""The length of a line without its end; longer ones are folded [RFC 5545 3.1]."""


@dataclass(frozen=True, slots=True)
class Appointment:
    """One appointment. ``uid`` never changes; ``sequence`` grows with each
    change at ``changed_at`` [RFC 5545 3.8.7].

    A ``cancelled`` appointment stays in the file, so that a calendar that has it shows that it is
    off.
    """

    uid: str
    sequence: int
    changed_at: datetime
    starts_at: datetime
    ends_at: datetime
    summary: str
    description: str = ""
    location: str = ""
    cancelled: bool = False


def calendar(name: str, appointments: Iterable[Appointment]) -> str:
    """Return a calendar called *name* with *appointments*;
    each line ends with CR and LF [RFC 5545 3.1, 3.4].

    It has no METHOD: that would make it a message between calendars, with an organizer and a
    parameter of its media type [RFC 5545 3.7.2, RFC 5546 3.2.1].
    """
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:{PROGRAM_ID}",
        f"X-WR-CALNAME:{escaped(name)}",
    ]
    for each in appointments:
        lines += _event(each)
    return "".join(f"{folded(line)}\r\n" for line in [*lines, "END:VCALENDAR"])


def _event(each: Appointment) -> Iterator[str]:
    changed = utc(each.changed_at)
    yield "BEGIN:VEVENT"
    yield f"UID:{each.uid}"
    yield f"DTSTAMP:{changed}"
    yield f"LAST-MODIFIED:{changed}"
    yield f"SEQUENCE:{each.sequence}"
    yield f"DTSTART:{utc(each.starts_at)}"
    yield f"DTEND:{utc(each.ends_at)}"
    yield f"SUMMARY:{escaped(each.summary)}"
    if each.description:
        yield f"DESCRIPTION:{escaped(each.description)}"
    if each.location:
        yield f"LOCATION:{escaped(each.location)}"
    yield f"STATUS:{'CANCELLED' if each.cancelled else 'CONFIRMED'}"
    yield "END:VEVENT"


def utc(at: datetime) -> str:
    """Return *at* as a date with UTC time: ``20261124T180000Z`` [RFC 5545 3.3.5]."""
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ").rjust(16, "0")


def escaped(text: str) -> str:
    """Return *text* as a value: backslash, semicolon, comma and new
    line have a backslash [RFC 5545 3.3.11].

    Control characters are left out [RFC 5545 3.1].
    """
    text = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\\n")
    return "".join(letter for letter in text if category(letter) != "Cc")


def folded(line: str) -> str:
    """Return *line* in pieces of at most 75 octets;
    the following ones begin with a space [RFC 5545 3.1].

    No letter of several octets is divided.
    """
    pieces, piece, octets = [], "", 0
    for letter in line:
        size = len(letter.encode())
        if octets + size > MOST_OCTETS:
            pieces.append(piece)
            piece, octets = " ", 1
        piece, octets = piece + letter, octets + size
    return "\r\n".join([*pieces, piece])
