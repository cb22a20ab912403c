"""The differences between the editions of the Dutch System in the rules that the checker uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pairing.engine.model import PointSystem, Result, RoundRecord


@dataclass(frozen=True, slots=True)
class Edition:
    """Describe one edition as the checker reads it.

    ``bars_from_the_bye`` tells whether a round keeps its player from the pairing-allocated bye.
    ``asks_for_lowest_bye`` tells whether the bye goes to the lowest possible score. ``articles``
    gives the number of a rule by its number in 2026; missing rules have the same number.
    """

    bars_from_the_bye: Callable[[RoundRecord, PointSystem], bool]
    asks_for_lowest_bye: bool = True
    articles: Mapping[str, str] = field(default_factory=dict)

    def article(self, in_2026: str) -> str:
        """Return the article of the rule that is *in_2026* in the edition of that year."""
        return self.articles.get(in_2026, in_2026)


def _bars_from_the_bye_2026(record: RoundRecord, points: PointSystem) -> bool:
    """A bye of any worth, or as many points as a win without a game [C.04.1/2026 4]."""
    if record.is_played:
        return False
    return (
        record.result is Result.PAIRING_ALLOCATED_BYE or points.value(record.result) >= points.win
    )


def _bars_from_the_bye_2017(record: RoundRecord, _points: PointSystem) -> bool:
    """It was a bye, or a win because the opponent did not appear; a bye asked for, a full-point one
    too, does not bar (reading R8) [C.04.1/2017 d]."""
    return record.result is Result.PAIRING_ALLOCATED_BYE or record.result is Result.FORFEIT_WIN


def _bars_from_the_bye_pre2017(record: RoundRecord, points: PointSystem) -> bool:
    """A bye, or a draw's points and more than a loss's without a game [C.04.3/pre2017 B1.b]."""
    if record.is_played:
        return False
    least = max(points.draw, points.loss + 1)
    return record.result is Result.PAIRING_ALLOCATED_BYE or points.value(record.result) >= least


EDITIONS: Mapping[str, Edition] = {
    "dutch_2026": Edition(_bars_from_the_bye_2026),
    "dutch_2017": Edition(
        _bars_from_the_bye_2017,
        asks_for_lowest_bye=False,
        articles={
            "C.04.1 3": "C.04.1 c",
            "C.04.2 3.3": "C.04.2 D.4",
            "C.04.2 3.6": "C.04.2 D.9",
            "C.04.3 1.9.1": "C.04.3 A.9",
            "C.04.3 2.1.1": "C.04.3 C.1",
            "C.04.3 2.1.2": "C.04.3 C.2",
            "C.04.3 2.1.3": "C.04.3 C.3",
            "C.04.3 5.2.1": "C.04.3 E.1",
            "C.04.3 5.2.2": "C.04.3 E.2",
            "C.04.3 5.2.3": "C.04.3 E.3",
            "C.04.3 5.2.4": "C.04.3 E.4",
            "C.04.3 5.2.5": "C.04.3 E.5",
        },
    ),
    "dutch_pre2017": Edition(_bars_from_the_bye_pre2017, asks_for_lowest_bye=False),
}
"""By the code of the system.

What is looked at before July 2017 has a module of its own (``dutch_pre2017``).
"""


def edition_of(system: str) -> Edition:
    """How records of *system* are read: as the text of 2026 does, or its own."""
    return EDITIONS.get(system, EDITIONS["dutch_2026"])
