"""Short addresses for paper: /s/K7Q4M/ is the event with this code.

The first letters are the number of the event at this site, and the last two follow from its
identity: a letter read wrongly leads to no other event, and nobody finds an event that is in no
list by trying a few numbers.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

from tournaments.models import Tournament

LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without 0, 1, I, L and O, which look alike on paper."""
LEAST: Final = 3
CHECKS: Final = 2
SCREEN_LETTERS: Final = 8
"""31 letters to the eighth power: nobody finds a screen by trying."""


def short_code(tournament: Tournament) -> str:
    """Return the code of *tournament*, which stays the same."""
    return _number(tournament.pk) + _checks(tournament)


def tournament_at(code: str) -> Tournament | None:
    """Return the tournament with this *code*, in capitals or not; None without one.

    At most one query.
    """
    letters = code.upper()
    if len(letters) < LEAST + CHECKS or not set(letters) <= set(LETTERS):
        return None
    number = 0
    for letter in letters[:-CHECKS]:
        number = number * len(LETTERS) + LETTERS.index(letter)
    found = Tournament.objects.filter(pk=number).first() if number < 2**31 else None
    return found if found is not None and short_code(found) == letters else None


def new_screen_code() -> str:
    """Return a random code for the address of a hall screen."""
    return "".join(secrets.choice(LETTERS) for _ in range(SCREEN_LETTERS))


def _number(number: int) -> str:
    letters = ""
    while number or len(letters) < LEAST:
        number, place = divmod(number, len(LETTERS))
        letters = LETTERS[place] + letters
    return letters


def _checks(tournament: Tournament) -> str:
    digest = hashlib.sha256(f"short {tournament.identity}".encode()).digest()
    return "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:CHECKS])
