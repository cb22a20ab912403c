"""Pair a round with the engine and record every bracket.

The procedures of the engine take a function per bracket; here that function keeps notes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.edition_2017.fast_path import pair_fast_or_exact_2017
from pairing.engine.dutch.edition_2017.place import Place
from pairing.engine.dutch.edition_2017.procedure import pair_dutch_2017
from pairing.engine.dutch.edition_2026.fast_path import pair_fast_or_exact
from pairing.engine.dutch.edition_2026.procedure import pair_dutch_2026
from pairing.engine.errors import InputError
from pairing.engine.model import Pairing, TournamentState


@dataclass(frozen=True, slots=True)
class Step:
    """Hold one bracket and its pairing; only the rules of 2017 use ``place`` [C.04.3/2017 A.9]."""

    bracket: Bracket
    completion: Completion
    pairing: BracketPairing
    place: Place | None = None


def recorded_round(state: TournamentState) -> tuple[Pairing, list[Step]]:
    """Return the pairing of the round and its brackets from the top,
    as often as each was paired (see :func:`final_steps`).

    Raises the errors of the procedure, and :class:`InputError` (``explain.system``) for a system of
    another kind.
    """
    steps: list[Step] = []

    def pair_and_note(bracket: Bracket, completion: Completion) -> BracketPairing:
        pairing = pair_fast_or_exact(bracket, completion)
        steps.append(Step(bracket, completion, pairing))
        return pairing

    def pair_and_note_2017(
        bracket: Bracket, completion: Completion, place: Place
    ) -> BracketPairing:
        pairing = pair_fast_or_exact_2017(bracket, completion, place)
        steps.append(Step(bracket, completion, pairing, place))
        return pairing

    match state.system:
        case "dutch_2026":
            return pair_dutch_2026(state, pair_and_note), steps
        case "dutch_2017":
            return pair_dutch_2017(state, pair_and_note_2017), steps
        case _:
            message = (
                f"Only rounds of dutch_2026 and dutch_2017 are explained so, not of {state.system}."
            )
            raise InputError("explain.system", message, system=state.system)


def final_steps(steps: Sequence[Step]) -> list[Step]:
    """List the final brackets, without the first pairing of the penultimate [C.04.3/2017 A.9]."""
    dropped = {place for place, after in enumerate(steps[1:]) if after.place is Place.PENULTIMATE}
    return [one for place, one in enumerate(steps) if place not in dropped]


def number_of_each(steps: Sequence[Step]) -> list[int]:
    """Return the number of each step's bracket, from 1;
    a bracket paired again as the penultimate keeps its number.
    """
    numbers: list[int] = []
    for one in steps:
        again = one.place is Place.PENULTIMATE
        numbers.append((numbers[-1] if numbers else 0) + (0 if again else 1))
    return numbers
