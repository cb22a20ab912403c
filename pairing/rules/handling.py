"""Define the editions of the handling rules, C.04.2. Editions are added, never edited.

A tournament stores the code of one edition; the default is the edition in force with its pairing
system.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Final

from .corrections import Classification, CorrectionKind, Timeline, classify, classify_remaining
from .published import SITUATIONS_2026, Situation

_OF_2026: Final = re.compile(r"C\.04\.(?:[12] [\d.]+|7)")
"""The articles of 2026 that older texts number differently or do not contain."""

_BRACKETED: Final = re.compile(r"( ?)([\[(])(C\.04\.[127][^\])]*)([\])])")
"""Articles of 2026 in brackets, as they end a sentence."""


@dataclass(frozen=True, slots=True)
class HandlingRules:
    """One edition of the handling rules: its article numbers as printed, and its differences.

    ``corrections`` names the article for each kind of mistake. ``classify`` returns what a mistake
    affects, and ``has_deadline`` says whether reports have a deadline. ``changes`` is the article
    that protects published pairings, and ``situations`` are its exceptions. ``no_show`` is the
    article on players absent without notice. ``no_show_withdraws`` says whether it withdraws them
    unless they explain the absence in time; ``no_show_automatic``, whether the text does so by
    itself or only if the regulations say nothing else. ``last_late_round`` is the last round for
    which a late entry is accepted, or None if the text has no such limit. ``articles`` maps
    articles of 2026 to the articles of this edition with the same content; None for 2026 itself.
    """

    code: str
    name: str
    corrections: Mapping[CorrectionKind, str]
    classify: Callable[[Timeline, datetime], Classification]
    has_deadline: bool
    changes: str
    situations: Mapping[Situation, str]
    no_show: str
    no_show_withdraws: bool
    no_show_automatic: bool
    last_late_round: int | None = None
    articles: Mapping[str, str] | None = None

    def cited(self, article: str) -> str:
        """Return *article* of 2026 (``C.04.2 4.2``, or several:
        ``C.04.2 3.2, 4.4``) as numbered in this edition.

        A paragraph without its own number gets the number of the whole article: 4.4.2 of 2026 is
        part of D.10. Articles that this edition does not contain are left out, so the result may be
        empty. Articles that are not of 2026 do not change.
        """
        own = [self._own(one) for one in _one_by_one(article)]
        numbers, chapter = list[str](), ""
        for one in dict.fromkeys(filter(None, own)):
            numbers.append(one.removeprefix(f"{chapter} "))
            chapter = one.partition(" ")[0]
        return ", ".join(numbers)

    def retold(self, text: str) -> str:
        """Return *text* with bracketed articles of 2026 renumbered; empty brackets are removed."""

        def own(found: re.Match[str]) -> str:
            space, opened, article, closed = found.groups()
            numbers = self.cited(article)
            return f"{space}{opened}{numbers}{closed}" if numbers else ""

        return _BRACKETED.sub(own, text)

    def _own(self, article: str) -> str:
        """Return one article as numbered in this edition; empty without a number."""
        if self.articles is None or not _OF_2026.fullmatch(article):
            return article
        chapter, _, number = article.partition(" ")
        parts = number.split(".")
        wholes = (
            f"{chapter} {'.'.join(parts[:length])}".strip() for length in range(len(parts), 0, -1)
        )
        return next((self.articles[whole] for whole in wholes if whole in self.articles), "")


def _one_by_one(articles: str) -> Iterator[str]:
    """Split ``C.04.2 3.2, 4.4`` into ``C.04.2 3.2`` and ``C.04.2 4.4``."""
    chapter = ""
    for one in articles.split(", "):
        if one.startswith("C."):
            chapter = one.partition(" ")[0]
            yield one
        else:
            yield f"{chapter} {one}".strip()


ARTICLES_2017: Final[Mapping[str, str]] = MappingProxyType(
    {f"C.04.1 {number}": f"C.04.1 {letter}" for number, letter in enumerate("abcdefghi", start=1)}
    | {
        f"C.04.2 {number}": f"C.04.2 {own}"
        for number, own in (
            *(("1.1", "A.1"), ("1.2", "A.2"), ("1.3", "A.3"), ("1.4", "A.4"), ("1.5", "A.5")),
            *(("2.1", "B.1"), ("2.2", "B.2"), ("2.3", "B.3"), ("2.4", "C.2"), ("2.5", "C.3")),
            *(
                ("3.1", "D.1"),
                ("3.2", "D.3"),
                ("3.3", "D.4"),
                ("3.4", "D.5"),
                ("3.5", "D.6"),
                ("3.6", "D.9"),
            ),
            *(("4.1", "C.1"), ("4.2", "D.7"), ("4.3", "D.8"), ("4.4", "D.10")),
        )
    }
    | {"C.04.7": "C.04.5"}
)
"""The articles of 2017 that correspond to those of 2026."""

ARTICLES_PRE2017: Final[Mapping[str, str]] = MappingProxyType(
    {
        "C.04.1 2": "C.04.3 B1.a",
        "C.04.1 3": "C.04.3 A5",
        "C.04.1 4": "C.04.3 B1.b",
        "C.04.1 5": "C.04.3 B3",
        "C.04.1 6": "C.04.3 B2",
        "C.04.1 7": "C.04.3 B2",
        "C.04.1 8": "C.04.3 E1",
        "C.04.2 2.1": "C.04.3 A1",
        "C.04.2 2.2": "C.04.3 A2",
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
"""The corresponding articles before July 2017, where the text of the pairing system has one."""


HANDLING: Final[Mapping[str, HandlingRules]] = MappingProxyType(
    {
        rules.code: rules
        for rules in (
            HandlingRules(
                code="c04_2_2026",
                name="C.04.2 (2026)",
                corrections=MappingProxyType(
                    {
                        CorrectionKind.RESULT: "C.04.2 4.3.1",
                        CorrectionKind.COLOURS: "C.04.2 4.3.2",
                        CorrectionKind.RATING: "C.04.2 4.3.3",
                    }
                ),
                classify=classify,
                has_deadline=True,
                changes="C.04.2 4.4",
                situations=SITUATIONS_2026,
                no_show="C.04.2 3.3",
                no_show_withdraws=False,
                no_show_automatic=False,
            ),
            HandlingRules(
                code="c04_2_2017",
                name="C.04.2 (2017)",
                corrections=MappingProxyType(dict.fromkeys(CorrectionKind, "C.04.2 D.8")),
                classify=classify,
                has_deadline=True,
                changes="C.04.2 D.10",
                situations=MappingProxyType({Situation.ALREADY_MET: "C.04.2 D.10"}),
                no_show="C.04.2 D.2",
                no_show_withdraws=True,
                no_show_automatic=True,
                # "The second (or third) round" [C.2]. So no number changes once round 4 is paired
                # [B.3].
                last_late_round=3,
                articles=ARTICLES_2017,
            ),
            HandlingRules(
                code="pre2017",
                name="C.04.3 F1-F9 (before July 2017)",
                corrections=MappingProxyType(dict.fromkeys(CorrectionKind, "C.04.3 F7")),
                classify=classify_remaining,
                has_deadline=False,
                changes="C.04.3 F6",
                situations=MappingProxyType(
                    {Situation.ABSOLUTE_CRITERION: "C.04.3 F6", Situation.CORRECTION: "C.04.3 F7"}
                ),
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
"""The edition of the handling rules in force with each pairing system."""


def handling_for(system: str) -> str:
    """Return the code of the handling rules for the pairing *system*; by default the newest."""
    return OF_SYSTEM.get(system, NEWEST)
