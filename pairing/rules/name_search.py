"""Find the lines of a list by the names, clubs or numbers that somebody typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from pairing.rules.names import begins, folded_parts, search_words

Line = TypeVar("Line")

SEPARATORS: Final = re.compile("[,;+&/]")
"""Between several names, if the whole text fits nobody: ``Müller, Jan`` is one name."""
SHORTEST_WITH_MISTAKE: Final = 4
"""A shorter word with a mistake would fit too many names."""
MOST_NAMES: Final = 50
"""A text with more names is read as one: each costs a reading of all lines."""
MOST_WITH_MISTAKES: Final = 10
"""Mistakes are forgiven in so many names of one search: this takes ten times as long."""


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
    word; several names (:data:`SEPARATORS`), if each of them finds somebody; the beginning of every
    word with one mistake each (:func:`nearly_begins`); any of several names, with a mistake in
    those that find nobody. So a mistake never hides or dilutes an exact answer. The cost grows with
    the lines and with the names, up to :data:`MOST_NAMES`.
    """
    rows = list(lines)
    if not search_words(typed):
        return [] if typed.strip() else rows
    names = _Names([folded_parts(text_of(row)) for row in rows], list(map(numbers_of, rows)))
    whole = typed.strip()
    if found := names.fitting(whole):
        return [rows[at] for at in sorted(found)]
    parts = _parts(typed)
    exact = {part: names.fitting(part) for part in parts} if parts != [whole] else {}
    if not exact or not all(exact.values()):
        found = names.nearly(whole)
    if not found:
        wrong = [part for part in exact if not exact[part]]
        found = set().union(*exact.values(), *map(names.nearly, wrong[:MOST_WITH_MISTAKES]))
    return [rows[at] for at in sorted(found)]


def names_not_found(
    found: Iterable[Line],
    typed: str,
    *,
    text_of: Callable[[Line], str],
    numbers_of: Callable[[Line], Sequence[int | None]],
) -> list[str]:
    """Return which of several names in *typed* fit none of the lines that :func:`find_lines`
    *found* for it, not even with a mistake.

    Empty for one name, and if nothing was found at all. The cost is that of :func:`find_lines`.
    """
    rows = list(found)
    parts = _parts(typed)
    if not rows or len(parts) == 1:
        return []
    names = _Names([folded_parts(text_of(row)) for row in rows], list(map(numbers_of, rows)))
    wrong = [part for part in parts if search_words(part) and not names.fitting(part)]
    tried, others = wrong[:MOST_WITH_MISTAKES], wrong[MOST_WITH_MISTAKES:]
    return [*(part for part in tried if not names.nearly(part)), *others]


def _parts(typed: str) -> list[str]:
    """Return the names in *typed*, each once; the whole text if they are too many."""
    parts = list(dict.fromkeys(filter(None, map(str.strip, SEPARATORS.split(typed)))))
    return parts if 0 < len(parts) <= MOST_NAMES else [typed.strip()]


@dataclass(frozen=True, slots=True)
class _Names:
    """The words and the numbers of the lines of a list; its answers are places in the list."""

    words: list[tuple[str, ...]]
    numbers: list[Sequence[int | None]]

    def fitting(self, part: str) -> set[int]:
        """Return the lines whose words *part* begins, or whose number it is."""
        wanted = search_words(part)
        number = part if part.isdecimal() else ""
        return {
            at
            for at, have in enumerate(self.words)
            if (wanted and begins(have, wanted))
            or (number and number in map(str, self.numbers[at]))
        }

    def nearly(self, part: str) -> set[int]:
        """Return the lines that *part* fits with one mistake in each word."""
        wanted = search_words(part)
        return {at for at, have in enumerate(self.words) if wanted and nearly_begins(have, wanted)}


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
    at, shorter = 0, min(len(word), len(typed))
    while at < shorter and word[at] == typed[at]:
        at += 1
    rest, wrong = word[at:], typed[at:]
    is_exchanged = len(rest) > 1 and wrong[:2] == rest[1] + rest[0]
    return (
        rest.startswith(wrong[1:])  # a letter too much
        or rest[1:].startswith(wrong)  # one too few
        or (rest != "" and rest[1:].startswith(wrong[1:]))  # a wrong one
        or (is_exchanged and rest[2:].startswith(wrong[2:]))
    )
