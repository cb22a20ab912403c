"""The editions of the handling rules, C.04.2: added, never edited.

A tournament stores the code of one; by default it is the one of its pairing system's time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Final

from .corrections import Classification, Timeline, Wrong, classify, classify_remaining
from .publication import GROUNDS_2026, Ground


@dataclass(frozen=True, slots=True)
class HandlingRules:
    """One edition of the handling rules: its articles as they are printed to people, and what differs.

    ``corrections`` names the article under which each kind of mistake is corrected, and ``classify`` says what one
    still touches; ``has_deadline`` whether time to report runs out. ``changes`` is the article that keeps published
    pairings as they are, ``grounds`` the situations in which it does not. ``no_show`` is the article on who is absent
    without notice, and ``no_show_withdraws`` whether it withdraws them unless they explain it in time;
    ``no_show_automatic`` whether the text does so by itself, and not only where the regulations say nothing else.
    ``articles`` are those that say what articles of 2026 say, by the latter.
    """

    code: str
    name: str
    corrections: Mapping[Wrong, str]
    classify: Callable[[Timeline, datetime], Classification]
    has_deadline: bool
    changes: str
    grounds: Mapping[Ground, str]
    no_show: str
    no_show_withdraws: bool
    no_show_automatic: bool
    articles: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def cited(self, article: str) -> str:
        """*article* of 2026 (``C.04.2 4.2``, or several: ``C.04.2 3.2, 4.4``) by its number in this edition.

        A part without a number of its own has that of the whole: 4.4.2 of 2026 is part of D.10. What this edition does
        not number, and what is not of 2026, stays as it is.
        """
        chapter, _, numbers = article.partition(" ")
        own = [self._own(chapter, number) for number in numbers.split(", ")]
        if len({each for each, _ in own}) > 1:
            return ", ".join(dict.fromkeys(f"{each} {told}" for each, told in own))
        return f"{own[0][0]} {', '.join(dict.fromkeys(told for _, told in own))}".strip()

    def _own(self, chapter: str, number: str) -> tuple[str, str]:
        part = number
        while part:
            if found := self.articles.get(f"{chapter} {part}"):
                own_chapter, _, own_number = found.partition(" ")
                return own_chapter, own_number
            part = part.rpartition(".")[0]
        return chapter, number


ARTICLES_2017: Final[Mapping[str, str]] = MappingProxyType(
    {f"C.04.1 {number}": f"C.04.1 {letter}" for number, letter in enumerate("abcdefghi", start=1)}
    | {
        f"C.04.2 {number}": f"C.04.2 {own}"
        for number, own in (
            *(("1.1", "A.1"), ("1.2", "A.2"), ("1.3", "A.3"), ("1.4", "A.4"), ("1.5", "A.5")),
            *(("2.1", "B.1"), ("2.2", "B.2"), ("2.3", "B.3"), ("2.4", "C.2"), ("2.5", "C.3")),
            *(("3.1", "D.1"), ("3.2", "D.3"), ("3.3", "D.4"), ("3.4", "D.5"), ("3.5", "D.6"), ("3.6", "D.9")),
            *(("4.1", "C.1"), ("4.2", "D.7"), ("4.3", "D.8"), ("4.4", "D.10")),
        )
    }
)
"""The articles of 2017 that say what those of 2026 say, in the older words."""

ARTICLES_PRE2017: Final[Mapping[str, str]] = MappingProxyType(
    {
        "C.04.2 3.1": "C.04.3 F9",
        "C.04.2 3.2": "C.04.3 F5",
        "C.04.2 3.3": "C.04.3 F5",
        "C.04.2 3.4": "C.04.3 F2",
        "C.04.2 3.5": "C.04.3 F2",
        "C.04.2 3.6": "C.04.3 F1",
        "C.04.2 4.3": "C.04.3 F7",
        "C.04.2 4.4": "C.04.3 F6",
    }
)
"""The same before July 2017, as far as the text of the pairing system says it."""


HANDLING: Final[Mapping[str, HandlingRules]] = MappingProxyType(
    {
        rules.code: rules
        for rules in (
            HandlingRules(
                code="c04_2_2026",
                name="C.04.2 (2026)",
                corrections=MappingProxyType(
                    {
                        Wrong.RESULT: "C.04.2 4.3.1",
                        Wrong.COLOURS: "C.04.2 4.3.2",
                        Wrong.RATING: "C.04.2 4.3.3",
                    }
                ),
                classify=classify,
                has_deadline=True,
                changes="C.04.2 4.4",
                grounds=GROUNDS_2026,
                no_show="C.04.2 3.3",
                no_show_withdraws=False,
                no_show_automatic=False,
            ),
            HandlingRules(
                code="c04_2_2017",
                name="C.04.2 (2017)",
                corrections=MappingProxyType(dict.fromkeys(Wrong, "C.04.2 D.8")),
                classify=classify,
                has_deadline=True,
                changes="C.04.2 D.10",
                grounds=MappingProxyType({Ground.ALREADY_MET: "C.04.2 D.10"}),
                no_show="C.04.2 D.2",
                no_show_withdraws=True,
                no_show_automatic=True,
                articles=ARTICLES_2017,
            ),
            HandlingRules(
                code="pre2017",
                name="C.04.3 F1-F9 (before July 2017)",
                corrections=MappingProxyType(dict.fromkeys(Wrong, "C.04.3 F7")),
                classify=classify_remaining,
                has_deadline=False,
                changes="C.04.3 F6",
                grounds=MappingProxyType({Ground.ABSOLUTE_CRITERION: "C.04.3 F6", Ground.CORRECTION: "C.04.3 F7"}),
                no_show="C.04.3 F8",
                no_show_withdraws=True,
                no_show_automatic=False,
                articles=ARTICLES_PRE2017,
            ),
        )
    }
)

NEWEST: Final = "c04_2_2026"

OF_SYSTEM: Final[Mapping[str, str]] = MappingProxyType(
    {
        "dutch_2026": "c04_2_2026",
        "double_swiss_2026": "c04_2_2026",
        "dutch_2017": "c04_2_2017",
        "dutch_pre2017": "pre2017",
    }
)
"""The handling rules of a pairing system's own time."""


def handling_for(system: str) -> str:
    """The code of the handling rules that go with the pairing *system*; the newest where none is named."""
    return OF_SYSTEM.get(system, NEWEST)
