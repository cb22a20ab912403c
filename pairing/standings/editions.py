"""The editions of C.07 for tournaments. Editions are added, never edited.

A tournament stores the code of its edition, so its tie-breaks have the same values in ten years as
today.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pairing.engine.errors import InputError


@dataclass(frozen=True, slots=True)
class TieBreakEdition:
    """One text of C.07.

    ``applied_from`` is an ISO day.
    ``dummy_is_capped``: Article 16.4 limits the dummy opponent.
    """

    code: str
    name: str
    articles: str
    applied_from: str
    dummy_is_capped: bool


EDITIONS: Final[Mapping[str, TieBreakEdition]] = {
    edition.code: edition
    for edition in (
        TieBreakEdition(
            code="fide-2026",
            name="FIDE C.07, applied from 1 March 2026",
            articles="C.07/2026",
            applied_from="2026-03-01",
            dummy_is_capped=True,
        ),
        TieBreakEdition(
            code="fide-2024",
            name="FIDE C.07, applied from 1 August 2024 to 28 February 2026",
            articles="C.07/2024",
            applied_from="2024-08-01",
            dummy_is_capped=False,
        ),
    )
}

PRESENT: Final = "fide-2026"


def edition_by_code(code: str) -> TieBreakEdition:
    """Return the edition with our *code*; raise ``tie_break.edition_unknown``, with those known."""
    try:
        return EDITIONS[code]
    except KeyError:
        known = ", ".join(EDITIONS)
        raise InputError(
            "tie_break.edition_unknown",
            f"There is no edition '{code}' of the tie-break rules; known: {known}.",
            edition=code,
            known=known,
        ) from None


def edition_on(day: str) -> TieBreakEdition:
    """Return the edition for an event from *day* on (``YYYY-MM-DD``; ``""``: the present).

    An event older than the oldest text here gets the oldest one: the rules were the same from
    September 2023 on.
    """
    if day and day < EDITIONS["fide-2026"].applied_from:
        return EDITIONS["fide-2024"]
    return EDITIONS[PRESENT]
