"""Choose the explanation for each pairing system. The command line and the pages both use it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pairing.engine.double_swiss.explain import explain_match_round, why_no_match
from pairing.engine.double_swiss.explain.as_json import match_round_as_json, match_why_not_as_json
from pairing.engine.double_swiss.explain.sentences import (
    match_round_sentences,
    match_why_not_sentences,
)
from pairing.engine.dutch.explain import explain_round, why_not
from pairing.engine.dutch.explain.as_json import round_as_json, why_not_as_json
from pairing.engine.dutch.explain.sentences import round_sentences, why_not_sentences
from pairing.engine.dutch_pre2017.explain import NoMeeting, explain_steps, why_not_by_steps
from pairing.engine.dutch_pre2017.explain.wording import (
    no_meeting_as_json,
    no_meeting_sentences,
    step_sentences,
    steps_as_json,
)
from pairing.engine.model import TPN, Pairing, TournamentState
from pairing.engine.naming import Names
from pairing.engine.plain.reasons import Obstacle
from pairing.engine.systems import games_a_round


class Explained(Protocol):
    @property
    def pairing(self) -> Pairing: ...


E = TypeVar("E", bound=Explained)
W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class Explainer(Generic[E, W]):
    """The explanation of rounds, and its wording in a language with the players' names."""

    explain: Callable[[TournamentState, Collection[TPN] | None], E]
    why_not: Callable[[TournamentState, TPN, TPN], W]
    sentences: Callable[[E, str, Names], Iterator[str]]
    why_not_sentences: Callable[[W, str, Names], Iterator[str]]
    as_json: Callable[[E], dict[str, Any]]
    why_not_as_json: Callable[[W], dict[str, Any]]


_CRITERIA = Explainer(
    explain_round, why_not, round_sentences, why_not_sentences, round_as_json, why_not_as_json
)
_MATCHES = Explainer(
    explain_match_round,
    why_no_match,
    match_round_sentences,
    match_why_not_sentences,
    match_round_as_json,
    match_why_not_as_json,
)
_STEPS = Explainer(
    explain_steps,
    why_not_by_steps,
    step_sentences,
    no_meeting_sentences,
    steps_as_json,
    no_meeting_as_json,
)


def obstacle_of(found: Any, state: TournamentState) -> Obstacle:
    """Return why two do not meet, from *found* of any :class:`Explainer`, for a plain sentence."""
    kind = found.code if isinstance(found, NoMeeting) else found.outcome.value
    return Obstacle(kind, getattr(found, "worse", None) or "", state.system)


def explainer_of(state: TournamentState) -> Explainer[Any, Any]:
    """Return the explainer for the pairing system of *state*."""
    if games_a_round(state.system) > 1:
        return _MATCHES
    return _STEPS if state.system == "dutch_pre2017" else _CRITERIA
