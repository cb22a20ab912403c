"""What a rule policy answers: allowed, or refused under an article for a reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, TypeAlias


@dataclass(frozen=True, slots=True)
class Allowed:
    """No rule stands against the act."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A rule stands against the act.

    ``code`` is stable for programs and names the sentence; ``article`` is the rule as printed to people
    (``C.04.2 4.4``), empty where no article but the order of things decides; ``params`` fill the sentence.
    """

    code: str
    article: str = ""
    params: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))


Verdict: TypeAlias = Allowed | Refused

ALLOWED: Final = Allowed()


def first_refusal(*verdicts: Verdict) -> Verdict:
    """The first refusal among *verdicts*, or :data:`ALLOWED`."""
    for verdict in verdicts:
        match verdict:
            case Refused():
                return verdict
            case Allowed():
                continue
    return ALLOWED
