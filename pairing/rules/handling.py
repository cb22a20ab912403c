"""The editions of the handling rules, C.04.2: added, never edited.

A tournament stores the code of one; by default it is the one of its pairing system's time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
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
