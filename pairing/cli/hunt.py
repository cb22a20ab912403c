"""Search for slow rounds, and measure the known ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from random import Random
from time import process_time

from pairing.engine.errors import NoLegalPairingError
from pairing.engine.event_plan import EventPlan
from pairing.engine.generator import generate
from pairing.engine.hard_cases import HARD_CASES, HardCase
from pairing.engine.model import Pairing, TournamentState
from pairing.engine.systems import games_a_round, pair

Clock = Callable[[], float]
"""Seconds since some moment."""

KEPT = 6
"""The number of slowest rounds printed for each kind of field."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A range of field sizes, and the time limit for each of their rounds, in seconds."""

    sizes: range
    limit: float


SMALL, LARGE = range(6, 101), range(101, 1_001)
KINDS: dict[str, tuple[Kind, ...]] = {
    "dutch_2026": (Kind(SMALL, 0.15), Kind(LARGE, 0.3)),
    "dutch_2017": (Kind(SMALL, 0.3), Kind(LARGE, 0.6)),
    "dutch_pre2017": (Kind(range(6, 61), 10.0),),
    "double_swiss_2026": (Kind(range(6, 201), 1.0),),
}
"""The kinds of fields to search, by system, smaller fields first."""


@dataclass(frozen=True, slots=True)
class HardRound:
    """A round and its time; ``name`` describes how to produce it again."""

    name: str
    players: int
    seconds: float
    limit: float


def measure_named(
    cases: Sequence[HardCase] = HARD_CASES, system: str = "dutch_2026"
) -> Iterator[HardRound]:
    """Measure each of *cases* by the rules of *system* and yield the fastest of three runs.

    The fastest run is used so that other work on the machine does not make a round look hard. Cases
    with single games are skipped for a system of matches, and the largest cases for a system
    without a limit for that size.
    """
    largest = KINDS[system][-1].sizes[-1]
    for case in cases:
        state = case.position(_chance)
        if (
            games_a_round(state.system) == games_a_round(system)
            and len(state.players) - len(state.absent) <= largest
        ):
            yield _hard_round(case.name, replace(state, system=system))


def hunt(
    *, seconds: float, seed: int, system: str = "dutch_2026", clock: Clock = process_time
) -> Iterator[HardRound]:
    """Play random hard tournaments by *system* for *seconds* of *clock*; yield the slowest rounds.

    All kinds of fields get the same time, small ones first. For each kind the slowest round of the
    slowest tournaments is yielded, the slowest first. The last tournament is not played to its end.
    """
    kinds = KINDS[system]
    for kind in kinds:
        yield from _hunt_among(
            kind.sizes, seconds=seconds / len(kinds), seed=seed, system=system, clock=clock
        )


def _hunt_among(
    sizes: range, *, seconds: float, seed: int, system: str, clock: Clock
) -> Iterator[HardRound]:
    end = clock() + seconds
    worst: list[tuple[float, str, TournamentState]] = []
    while clock() < end:
        stopwatch = _Stopwatch(end, clock)
        plan = replace(random_plan(_chance(seed), sizes), system=system)
        with suppress(_TimeOver):
            generate(plan, _chance(seed), stopwatch)
        if stopwatch.state is not None:
            worst.append(
                (
                    stopwatch.most,
                    recipe(plan, stopwatch.state.round_number - 1, seed),
                    stopwatch.state,
                )
            )
        worst.sort(key=lambda found: -found[0])
        del worst[KEPT:]
        seed += 1
    yield from sorted(
        (_hard_round(name, state, clock) for _, name, state in worst),
        key=lambda found: -found.seconds,
    )


def random_plan(chance: Random, sizes: range) -> EventPlan:
    """Return a plan for one of *sizes*: up to n - 1 rounds, at most 99, and some extreme setting.

    With many rounds hardly any possible opponents are left; with many draws one bracket is most of
    the field.
    """
    players = chance.choice(sizes)
    return EventPlan(
        players=players,
        rounds=min(players - 1, chance.choice((5, 9, 13, 25, 60, 99))),
        draws=chance.choice((500, 3_500, 6_000, 9_000, 9_800)),
        forfeits=chance.choice((0, 0, 1_000, 2_500)),
        byes=chance.choice((0, 0, 500, 5_000)),
        late=chance.choice((0, 3_000)),
        withdrawals=chance.choice((0, 3_000)),
        prohibitions=chance.choice((0, 0, 5_000, 10_000)),
    )


def recipe(plan: EventPlan, played: int, seed: int) -> str:
    """Return the source line in ``hard_cases`` for the round after *played* rounds of *plan*."""
    standard = EventPlan(0, 0)
    changed = [
        f"{item.name}={getattr(plan, item.name)!r}"
        for item in fields(plan)
        if item.name != "played" and getattr(plan, item.name) != getattr(standard, item.name)
    ]
    return f"generated(EventPlan({', '.join(changed)}, played={played}), seed={seed})"


class _TimeOver(Exception):  # noqa: N818 - nothing is wrong
    """The search time is over."""


class _Stopwatch:
    """Pair rounds until *end*, and remember the slowest one in ``most``."""

    def __init__(self, end: float, clock: Clock) -> None:
        self.end = end
        self.clock = clock
        self.most = 0.0
        self.state: TournamentState | None = None

    def __call__(self, state: TournamentState) -> Pairing:
        begin = self.clock()
        if begin > self.end:
            raise _TimeOver
        try:
            return pair(state)
        finally:
            taken = self.clock() - begin
            if taken > self.most:
                self.most, self.state = taken, state


def _hard_round(name: str, state: TournamentState, clock: Clock = process_time) -> HardRound:
    players = len(state.players) - len(state.absent)
    taken = min(_seconds(state, clock) for _ in range(3))
    kinds = KINDS[state.system]
    kind = next((kind for kind in kinds if players <= kind.sizes[-1]), kinds[-1])
    return HardRound(name, players, taken, kind.limit)


def _seconds(state: TournamentState, clock: Clock) -> float:
    begin = clock()
    with suppress(NoLegalPairingError):  # This is an answer too, and it takes time.
        pair(state)
    return clock() - begin


def _chance(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - a game, no secret
