"""Find the lines of a list by the names, clubs or numbers that somebody typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from typing import Final, TypeVar

from pairing.rules.names import begins, folded_parts, search_words

Line = TypeVar("Line")

SEPARATORS: Final = re.compile("[,;+&/]")
"""Between several names, if the whole text fits nobody: ``Müller, Jan`` is one name."""
SHORTEST_WITH_MISTAKE: Final = 4
"""A shorter word with a mistake would fit too many names."""
MOST_WITH_MISTAKES: Final = 40
"""Of so many names in one search mistakes are forgiven: reading the lines again takes time."""


def find_lines(
    lines: Iterable[Line],
    typed: str,
    *,
    text_of: Callable[[Line], str],
    numbers_of: Callable[[Line], Sequence[int | None]],
) -> list[Line]:
    """Return the *lines* that *typed* fits, in their order; all of them if nothing is typed.

    *text_of* has names and what else is searched, such as the club; *numbers_of* pairing numbers
    and IDs. The first of these that finds something decides: the number or the beginning of every
    word; several names (:data:`SEPARATORS`) that all fit; the beginning of every word with one
    mistake each (:func:`nearly_begins`); any of several names, those that fit nobody with a
    mistake. So a mistake never hides or dilutes an exact answer. The cost is linear in the lines
    and in the names.
    """
    rows = list(lines)
    words = search_words(typed)
    if not words:
        return [] if typed.strip() else rows
    names = [folded_parts(text_of(line)) for line in rows]

    def fitting(part: str) -> set[int]:
        wanted = search_words(part)
        number = part if part.isdecimal() else ""
        return {
            at
            for at, have in enumerate(names)
            if (wanted and begins(have, wanted))
            or (number and number in map(str, numbers_of(rows[at])))
        }

    def nearly(part: str) -> set[int]:
        wanted = search_words(part)
        return {at for at, have in enumerate(names) if wanted and nearly_begins(have, wanted)}

    parts = list(dict.fromkeys(filter(None, map(str.strip, SEPARATORS.split(typed)))))
    exact = {part: fitting(part) for part in parts}
    whole = typed.strip()
    found = exact[whole] if whole in exact else fitting(whole)
    if not found and all(exact.values()):
        found = set().union(*exact.values())
    if not found:
        found = nearly(typed) or set().union(
            *exact.values(),
            *(nearly(part) for part in parts[:MOST_WITH_MISTAKES] if not exact[part]),
        )
    return [rows[at] for at in sorted(found)]


def nearly_begins(words: Iterable[str], wanted: Iterable[str]) -> bool:
    """Return whether each of *wanted* is, with at most one mistake, the beginning of a word.

    A mistake is one letter too much, too few or wrong, or two neighbours exchanged: "muler" and
    "gracia" find Muller and Garcia. Words of fewer than four letters must be right.
    """
    have = list(words)
    return all(
        any(
            word.startswith(each)
            or (len(each) >= SHORTEST_WITH_MISTAKE and _begins_with_mistake(word, each))
            for word in have
        )
        for each in wanted
    )


def _begins_with_mistake(word: str, typed: str) -> bool:
    """Return whether *word* begins with *typed* after one mistake is mended.

    Mending at the first letter that differs is enough: the letters before it are equal, and a
    mistake among equal neighbours (a doubled letter) can be mended at the last of them.
    """
    shared = takewhile(lambda letters: letters[0] == letters[1], zip(word, typed, strict=False))
    at = sum(1 for _ in shared)
    rest, wrong = word[at:], typed[at:]
    is_exchanged = len(rest) > 1 and wrong[:2] == rest[1] + rest[0]
    return (
        rest.startswith(wrong[1:])  # a letter too much
        or rest[1:].startswith(wrong)  # one too few
        or (rest != "" and rest[1:].startswith(wrong[1:]))  # a wrong one
        or (is_exchanged and rest[2:].startswith(wrong[2:]))
    )
