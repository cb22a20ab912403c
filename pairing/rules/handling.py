"""The editions of the handling rules, C.04.2: added, never edited.

A tournament stores the code of one; by default it is the one of its pairing system's time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from .corrections import Wrong


@dataclass(frozen=True, slots=True)
class HandlingRules:
    """One edition of the handling rules: its articles as they are printed to people.

    ``corrections`` names the article under which each kind of mistake is corrected, ``changes`` the one that keeps
    published pairings as they are.
    """

    code: str
    name: str
    corrections: Mapping[Wrong, str]
    changes: str


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
                changes="C.04.2 4.4",
            ),
        )
    }
)

NEWEST: Final = "c04_2_2026"

OF_SYSTEM: Final[Mapping[str, str]] = MappingProxyType({"dutch_2026": "c04_2_2026", "double_swiss_2026": "c04_2_2026"})
"""The handling rules of a pairing system's own time."""


def handling_for(system: str) -> str:
    """The code of the handling rules that go with the pairing *system*; the newest where none is named."""
    return OF_SYSTEM.get(system, NEWEST)
