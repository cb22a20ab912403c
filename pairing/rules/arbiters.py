"""Read an arbiter as the settings and the report name one: title, name, FIDE ID in brackets, role.

No record of a report has a column for either, so both are part of the name, as in
``IA Rossi, Anna (2000016)`` or ``FA Roy, Luc (2000024), fair play``. The tournament report and the
certificates of norms need them [B.01/2024 1.1.5].
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

TITLES: Final = ("IA", "FA", "NA")
"""International, FIDE and national arbiter."""
_ARBITER: Final = re.compile(
    rf"\s*(?:(?P<title>{'|'.join(TITLES)})[ .:]+)?(?P<name>.*?)"
    r"\s*(?:\((?:FIDE(?: ID)?\s*)?(?P<id>\d{5,11})\)(?:\s*[,:;–-]\s*(?P<role>.*?))?)?\s*",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Arbiter:
    """An arbiter; ``title`` is one of :data:`TITLES`, or empty, and ``fide_id`` None,
    if it is not known. ``role`` is what follows the ID.
    """

    name: str
    title: str = ""
    fide_id: int | None = None
    role: str = ""


def arbiter_of(text: str) -> Arbiter:
    """Return the arbiter whom *text* names."""
    found = _ARBITER.fullmatch(text)
    assert found is not None  # Every part may be missing.
    number = found["id"]
    return Arbiter(
        name=found["name"],
        title=(found["title"] or "").upper(),
        fide_id=int(number) if number else None,
        role=found["role"] or "",
    )


def arbiters_of(chief: str, deputies: str) -> tuple[Arbiter, ...]:
    """Return the Chief Arbiter and the *deputies*, one a line, without those of no name."""
    named = (arbiter_of(line) for line in (chief, *deputies.splitlines()))
    return tuple(each for each in named if each.name)
