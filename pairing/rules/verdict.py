"""Define the answer of a rule: allowed, or refused with an article and a reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, TypeAlias, assert_never


@dataclass(frozen=True, slots=True)
class Allowed:
    """No rule forbids the action."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A rule forbids the action.

    ``code`` is stable for programs and selects the sentence to show. ``article`` is the rule as
    printed (``C.04.2 4.4``); it is empty if no article but the order of events decides. ``params``
    are the parameters of the sentence.
    """

    code: str
    article: str = ""
    params: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))


Verdict: TypeAlias = Allowed | Refused

ALLOWED: Final = Allowed()


def first_refusal(*verdicts: Verdict) -> Verdict:
    """Return the first refusal among *verdicts*, or :data:`ALLOWED`."""
    for verdict in verdicts:
        match verdict:
            case Refused():
                return verdict
            case Allowed():
                pass
            case _:
                assert_never(verdict)
    return ALLOWED
