"""Find a visitor in the rating lists by name and identifiers; the form shows no list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tournaments.lists.rating_lists.list_file import words
from tournaments.lists.rating_lists.search import Listed, OpenLists
from tournaments.models import Tournament

MOST: Final = 5
"""So many players are shown at most."""
READ: Final = 40
LEAST_LETTERS: Final = 2


def matches(tournament: Tournament, values: Mapping[str, str]) -> list[Listed] | None:
    """Return the players who can be the visitor, at most :data:`MOST`; None without lists.

    *values* has ``last_name``, ``first_name``, ``fide_id`` and ``national_id``. The whole last name
    has to be typed, and the beginning of the first name; an identifier alone finds nobody.
    """
    with OpenLists(tournament) as lists:
        if not lists.lists:
            return None
        last, first = words(values.get("last_name", "")), words(values.get("first_name", ""))
        if sum(map(len, last)) < LEAST_LETTERS:
            return []
        found = lists.search(" ".join([*last, *first]), most=READ)
        number = _digits(values.get("fide_id", ""))
        if number and not any(each.row.fide_id == number for each in found):
            found = [*lists.by_fide_ids([number]).values(), *found]
        fitting = [each for each in found if _fits(words(each.row.name), last, first)]
    identifier = values.get("national_id", "").strip().casefold()
    sure = [each for each in fitting if _has_identifier(each, number, identifier)]
    return (sure or fitting)[:MOST]


def is_sure(found: Listed, values: Mapping[str, str]) -> bool:
    """Return whether *found* has the identifier that was typed."""
    identifier = values.get("national_id", "").strip().casefold()
    return _has_identifier(found, _digits(values.get("fide_id", "")), identifier)


def _fits(name: list[str], last: list[str], first: list[str]) -> bool:
    """Return whether *name* has all words of *last*, and words that begin as *first*."""
    rest = list(name)
    for word in last:
        if word not in rest:
            return False
        rest.remove(word)
    return bool(first or not rest) and all(
        any(word.startswith(part) for word in rest) for part in first
    )


def _has_identifier(found: Listed, number: int, identifier: str) -> bool:
    rows = [row for row in (found.fide, found.national) if row is not None]
    return any(
        (number and row.fide_id == number)
        or (identifier and row.national_id.casefold() == identifier)
        for row in rows
    )


def _digits(text: str) -> int:
    text = text.strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 11 else 0
