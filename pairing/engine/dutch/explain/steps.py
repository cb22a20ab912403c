"""A round paired by the engine, with every bracket on the way.

Nothing in the engine knows of it: ``pair_dutch_2026`` is given a function per bracket, and this one takes notes.
"""

from __future__ import annotations

from dataclasses import dataclass

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.procedure import pair_dutch_2026
from pairing.engine.dutch.quick import pair_bracket_quickly
from pairing.engine.errors import InputError
from pairing.engine.model import Pairing, TournamentState

EXPLAINED_SYSTEM = "dutch_2026"


@dataclass(frozen=True, slots=True)
class Step:
    """One bracket with what came out of it."""

    bracket: Bracket
    completion: Completion
    pairing: BracketPairing


def recorded_round(state: TournamentState) -> tuple[Pairing, list[Step]]:
    """The pairing of the round and its brackets from the top.

    Raises what :func:`pair_dutch_2026` does, and :class:`InputError` (``explain.system``) for another system.
    """
    if state.system != EXPLAINED_SYSTEM:
        raise InputError(
            "explain.system",
            f"Only rounds of {EXPLAINED_SYSTEM} can be explained, not of {state.system}.",
            system=state.system,
        )
    steps: list[Step] = []

    def pair_and_note(bracket: Bracket, completion: Completion) -> BracketPairing:
        pairing = pair_bracket_quickly(bracket, completion)
        steps.append(Step(bracket, completion, pairing))
        return pairing

    return pair_dutch_2026(state, pair_and_note), steps
