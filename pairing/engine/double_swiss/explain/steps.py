"""The round as the engine paired it, step by step, and the value of every criterion in a step."""

from __future__ import annotations

from dataclasses import dataclass

from pairing.engine.double_swiss.bracket import pair_bracket
from pairing.engine.double_swiss.field import MatchField
from pairing.engine.double_swiss.procedure import pair_double_swiss_2026
from pairing.engine.double_swiss.upfloaters import select_upfloaters
from pairing.engine.model import Pairing, TournamentState

from .explanation import Value


@dataclass(frozen=True, slots=True)
class Step:
    """One bracket: sets of ranks, and the pairs by rank, the top member of each first."""

    unpaired: int
    residents: int
    upfloaters: int
    pairs: tuple[tuple[int, int], ...]


def recorded_round(state: TournamentState) -> tuple[Pairing, tuple[Step, ...]]:
    """The pairing of *state*, brackets from the top; raises as ``pair_double_swiss_2026``."""
    selected: list[tuple[int, int, int]] = []
    steps: list[Step] = []

    def select(field: MatchField, unpaired: int) -> tuple[int, int]:
        residents, upfloaters = select_upfloaters(field, unpaired)
        selected.append((unpaired, residents, upfloaters))
        return residents, upfloaters

    def pair_one(field: MatchField, residents: int, upfloaters: int) -> list[tuple[int, int]]:
        pairs = pair_bracket(field, residents, upfloaters)
        steps.append(Step(*selected[-1], tuple(pairs)))
        return pairs

    pairing = pair_double_swiss_2026(state, select, pair_one)
    return pairing, tuple(steps)


def step_values(field: MatchField, step: Step, *, is_last_round: bool) -> dict[str, Value]:
    """Return the values of [C4] to [C8] for *step* in *field* [C.04.5/2026 2.3]."""
    own = field.scores[(step.residents & -step.residents).bit_length() - 1]
    upfloaters = [rank for rank in range(len(field.tpns)) if step.upfloaters >> rank & 1]
    differences = sorted((own - field.scores[rank] for rank in upfloaters), reverse=True)
    opponents = [
        opponent
        for pair in step.pairs
        for rank, opponent in (pair, pair[::-1])
        if step.upfloaters >> rank & 1
    ]
    floated = sum(field.floated >> rank & 1 for rank in opponents)
    return {
        "C4": (len(upfloaters),),
        "C5": tuple(differences),
        "C6": _needed_by_following(field, step),
        "C7": () if is_last_round else ((step.upfloaters & field.floated).bit_count(),),
        "C8": () if is_last_round else (floated,),
    }


def _needed_by_following(field: MatchField, step: Step) -> Value:
    """How many upfloaters the following scoregroup will need;
    nothing if there is none, or all of it moved up [C6].
    """
    following = field.scoregroups(step.unpaired)[1:2]
    rest = step.unpaired & ~(step.residents | step.upfloaters)
    if not following or not following[0] & rest:
        return ()
    return (select_upfloaters(field, rest)[1].bit_count(),)
