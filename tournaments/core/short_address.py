"""Short addresses for paper: /s/K7Q4M/ is the tournament with this code.

The first letters are its number at this site, and the last two follow from its identity: a letter
read wrongly leads to no other tournament, and nobody finds one that is in no list by trying a few
numbers. A section of an event has a second code, for all sections of the event; it differs from the
first in both of these letters.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Final, NamedTuple

from tournaments.models import Tournament

LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without 0, 1, I, L and O, which look alike on paper."""
LEAST: Final = 3
CHECKS: Final = 2
SCREEN_LETTERS: Final = 8
"""31 letters to the eighth power: nobody finds a screen by trying."""


class Found(NamedTuple):
    """What a code means: *tournament*, or the whole event of which it is a section."""

    tournament: Tournament
    whole_event: bool


def short_code(tournament: Tournament, *, whole_event: bool = False) -> str:
    """Return the code of *tournament*, or of the event it is a section of; it stays the same."""
    return _number(tournament.pk) + _checks(tournament, whole_event=whole_event)


def found_by(code: str) -> Found | None:
    """Return what this *code* means, in capitals or not; None if it means nothing.

    At most one query.
    """
    letters = code.upper()
    if len(letters) < LEAST + CHECKS or not set(letters) <= set(LETTERS):
        return None
    number = 0
    for letter in letters[:-CHECKS]:
        number = number * len(LETTERS) + LETTERS.index(letter)
    found = Tournament.objects.filter(pk=number).first() if number < 2**31 else None
    if found is None:
        return None
    for whole_event in (False, True):
        if short_code(found, whole_event=whole_event) == letters:
            return Found(found, whole_event)
    return None


def new_screen_code() -> str:
    """Return a random code for the address of a hall screen."""
    return "".join(secrets.choice(LETTERS) for _ in range(SCREEN_LETTERS))


def _number(number: int) -> str:
    letters = ""
    while number or len(letters) < LEAST:
        number, place = divmod(number, len(LETTERS))
        letters = LETTERS[place] + letters
    return letters


def _checks(tournament: Tournament, *, whole_event: bool) -> str:
    digest = hashlib.sha256(f"short {tournament.identity}".encode()).digest()
    shift = len(LETTERS) // 2 if whole_event else 0
    return "".join(LETTERS[(byte + shift) % len(LETTERS)] for byte in digest[:CHECKS])
