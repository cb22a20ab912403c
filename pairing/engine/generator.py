"""Random tournaments, paired by the engine: for the endorsement procedure and tests.

Chance comes in as an argument, and only its whole numbers are used: the same plan and the same seed
give the same tournament on every platform. ``random.Random(seed)`` is such a :class:`Chance`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Protocol, TypeVar

from .acceleration import Acceleration, accelerate, baku, last_of_group_a
from .errors import NoLegalPairingError
from .event_plan import WHOLE, EventPlan, check_plan
from .model import (
    ABSENT,
    TPN,
    Colour,
    Pairing,
    Player,
    Points,
    Result,
    RoundRecord,
    TournamentState,
)
from .systems import games_a_round, pair

T = TypeVar("T")
PairRound = Callable[[TournamentState], Pairing]


BAND = 50
"""Rating differences in a band of so many points share their lots (:meth:`_GameLots._balanced`)."""

LAST_ROUND_TO_JOIN = 4
"""Late entries join in round 2, 3 or 4."""

EXPECTATION_STEPS = (
    *(
        3,
        10,
        17,
        25,
        32,
        39,
        46,
        53,
        61,
        68,
        76,
        83,
        91,
        98,
        106,
        113,
        121,
        129,
        137,
        145,
        153,
        162,
        170,
        179,
        188,
    ),
    *(
        197,
        206,
        215,
        225,
        235,
        245,
        256,
        267,
        278,
        290,
        302,
        315,
        328,
        344,
        357,
        374,
        391,
        411,
        432,
        456,
        484,
        517,
    ),
    *(559, 619, 735),
)
"""The rating differences after which the stronger player expects one hundredth more,
from 50 [B.02 8.1.2].
"""

BYES = (*[Result.HALF_POINT_BYE] * 6, *[Result.ZERO_POINT_BYE] * 3, Result.FULL_POINT_BYE)
"""The kinds of a requested bye, drawn by lot."""

UNUSUAL = (
    (Result.LOSS, Result.LOSS),
    (Result.DRAW, Result.LOSS),
    (Result.LOSS, Result.DRAW),
    (Result.UNRATED_WIN, Result.UNRATED_LOSS),
    (Result.UNRATED_LOSS, Result.UNRATED_WIN),
    (Result.UNRATED_DRAW, Result.UNRATED_DRAW),
)
"""Results of played games that are rare, White's first, by lot:
0-0, ½-0, 0-½, and games of less than a move.
"""

FORFEITS = (
    *[(Result.FORFEIT_WIN, Result.FORFEIT_LOSS)] * 4,
    *[(Result.FORFEIT_LOSS, Result.FORFEIT_WIN)] * 4,
    (Result.FORFEIT_LOSS, Result.FORFEIT_LOSS),
)
"""Who did not come to a forfeited game, White's result first, by lot."""


class Chance(Protocol):
    """Where whole random numbers come from."""

    def getrandbits(self, k: int, /) -> int:
        """A whole number of *k* random bits."""


@dataclass(frozen=True, slots=True)
class Prohibition:
    """Nobody of ``players`` meets another of them from ``first_round`` to ``last_round``."""

    players: tuple[TPN, ...]
    first_round: int
    last_round: int


@dataclass(frozen=True, slots=True)
class GeneratedEvent:
    """A tournament that was played by a plan.

    ``state`` is the position before the round that comes next; where all rounds were played its
    number is one more than there are. ``byes`` are those who will not be paired in it.
    ``ended_early``: it has no legal pairing [C.04.3/2026 1.9.3], and the tournament ends with the
    rounds it has. ``ratings`` are in the order of TPN.
    """

    plan: EventPlan
    ratings: tuple[int, ...]
    accelerations: tuple[Acceleration, ...]
    prohibitions: tuple[Prohibition, ...]
    state: TournamentState
    byes: Mapping[TPN, Result]
    ended_early: bool


def generate(plan: EventPlan, chance: Chance, pair_round: PairRound = pair) -> GeneratedEvent:
    """Play a tournament by *plan*: pair (by *pair_round*), play, next round.

    Raises :class:`InputError` for a plan that cannot be one (``generate.plan``).
    """
    check_plan(plan)
    draw = _GameLots(chance)
    games = games_a_round(plan.system)
    ratings = _ratings(plan, draw)
    colour = draw.of((Colour.WHITE, Colour.BLACK))
    attendance = _attendance(plan, draw)
    accelerations: tuple[Acceleration, ...] = ()
    prohibitions = _prohibitions(plan, draw)
    state = TournamentState(
        round_number=1,
        total_rounds=plan.rounds,
        players=tuple(Player(tpn) for tpn in attendance),
        initial_colour=colour,
        points=plan.points if games == 1 else plan.points.for_matches(),
        system=plan.system,
    )
    while True:
        number = state.round_number
        byes = _byes(plan, draw, attendance, number) if number <= plan.rounds else {}
        if number == 1:
            accelerations = _accelerations(plan, [tpn for tpn in attendance if tpn not in byes])
        state = _with_circumstances(state, byes, accelerations, prohibitions)
        ended_early = False
        if number <= (plan.rounds if plan.played is None else plan.played):
            try:
                pairing = pair_round(state)
            except NoLegalPairingError:
                ended_early = True
            else:
                results = [draw.game(plan, ratings, two) for two in pairing.pairs]
                seconds = [
                    draw.second_game(plan, ratings, two, first)
                    for two, first in zip(pairing.pairs, results, strict=True)
                    if games > 1
                ]
                state = after_round(state, pairing, byes, results, seconds)
                continue
        return GeneratedEvent(plan, ratings, accelerations, prohibitions, state, byes, ended_early)


def after_round(
    state: TournamentState,
    pairing: Pairing,
    byes: Mapping[TPN, Result],
    results: Iterable[tuple[Result, Result]],
    seconds: Sequence[tuple[Result, Result]] = (),
) -> TournamentState:
    """Return the state after *pairing* has been played: *results* by board, White's first;
    *byes* of the players not paired.

    If a pairing is a match, *seconds* are the results of the second games, first that of the player
    with White before.
    """
    records = {tpn: RoundRecord(None, None, result) for tpn, result in byes.items()}
    if pairing.bye is not None:
        records[pairing.bye] = RoundRecord(None, None, Result.PAIRING_ALLOCATED_BYE)
    later: Sequence[tuple[Result | None, Result | None]] = seconds or [(None, None)] * len(
        pairing.pairs
    )
    for (white, black), first, second in zip(pairing.pairs, results, later, strict=True):
        records[white] = RoundRecord(black, Colour.WHITE, first[0], second[0])
        records[black] = RoundRecord(white, Colour.BLACK, first[1], second[1])
    players = [
        replace(player, rounds=(*player.rounds, records.get(player.tpn, ABSENT)))
        for player in state.players
    ]
    return replace(
        state, round_number=state.round_number + 1, players=tuple(players), absent=frozenset()
    )


class Lots:
    """Lots drawn from 32 bits each, by whole numbers alone."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def below(self, stop: int) -> int:
        """A number from 0 to *stop* − 1; the bias is negligible for the small numbers here."""
        return self._chance.getrandbits(32) * stop >> 32

    def happens(self, rate: int) -> bool:
        return self.below(WHOLE) < rate

    def of(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def between(self, lowest: int, highest: int) -> int:
        """A number from *lowest* to *highest*."""
        return lowest + self.below(highest - lowest + 1)


class _GameLots(Lots):
    """The lots of a tournament: ratings and results."""

    def __init__(self, chance: Chance) -> None:
        super().__init__(chance)
        self._decks: dict[int, list[int]] = {}

    def rating(self, lowest: int, highest: int) -> int:
        """From *lowest* to *highest*, the middle more often than the ends."""
        half = (highest - lowest) // 2
        return lowest + self.below(half + 1) + self.below(highest - lowest - half + 1)

    def game(
        self, plan: EventPlan, ratings: Sequence[int], board: tuple[TPN, TPN]
    ) -> tuple[Result, Result]:
        """The results of White and Black: a forfeit, a rare result, or one by expectation."""
        if self.happens(plan.forfeits):
            return self.of(FORFEITS)
        if (forfeit := self._forfeit(plan)) is not None:
            return forfeit
        if plan.unusual and self.happens(plan.unusual):
            return self.of(UNUSUAL)
        white, black = (ratings[tpn - 1] for tpn in board)
        better = 50 + bisect_left(EXPECTATION_STEPS, abs(white - black))
        expected = better if white >= black else 100 - better
        if plan.by_table:
            return self._by_table(expected, plan.draws, self._balanced((white - black) // BAND))
        if self.happens(plan.draws):
            return Result.DRAW, Result.DRAW
        return (
            (Result.WIN, Result.LOSS) if self.below(100) < expected else (Result.LOSS, Result.WIN)
        )

    def _forfeit(self, plan: EventPlan) -> tuple[Result, Result] | None:
        """Return a forfeit of one of the kinds of *plan*, by one lot; None for a played game."""
        kinds = (
            (plan.forfeit_wins, (Result.FORFEIT_WIN, Result.FORFEIT_LOSS)),
            (plan.forfeit_losses, (Result.FORFEIT_LOSS, Result.FORFEIT_WIN)),
            (plan.double_forfeits, (Result.FORFEIT_LOSS, Result.FORFEIT_LOSS)),
        )
        return self.kind(kinds)

    def _balanced(self, band: int) -> int:
        """Return a lot below WHOLE for a game whose rating difference is in *band*.

        Ten lots of a band take one from each tenth, in random order, and two by two mirror each
        other. So the mean score of a band is near the table after few games already; each single
        lot is as random as any other.
        """
        deck = self._decks.setdefault(band, [])
        if not deck:
            tenths = list(range(5))
            while tenths:
                lot = WHOLE // 10 * tenths.pop(self.below(len(tenths))) + self.below(WHOLE // 10)
                mirrored = WHOLE - 1 - lot
                deck += (lot, mirrored) if self.below(2) else (mirrored, lot)
        return deck.pop()

    def _by_table(self, expected: int, draws: int, lot: int) -> tuple[Result, Result]:
        """Return the result of *lot*: the expected score is *expected* hundredths for White,
        with *draws* if possible.

        A draw is half a point, so at most twice the smaller expectation of the two players can be
        draws.
        """
        score = WHOLE // 100 * expected
        drawn = min(draws, 2 * score, 2 * (WHOLE - score)) // 2 * 2
        if lot < score - drawn // 2:
            return Result.WIN, Result.LOSS
        return (Result.DRAW, Result.DRAW) if lot < score + drawn // 2 else (Result.LOSS, Result.WIN)

    def kind(self, kinds: Sequence[tuple[int, T]]) -> T | None:
        """Return one of *kinds* by their rates, by one lot; None for the rest.

        Without a rate no lot is drawn.
        """
        if not any(rate for rate, _ in kinds):
            return None
        lot = self.below(WHOLE)
        for rate, what in kinds:
            if lot < rate:
                return what
            lot -= rate
        return None

    def second_game(
        self,
        plan: EventPlan,
        ratings: Sequence[int],
        board: tuple[TPN, TPN],
        first: tuple[Result, Result],
    ) -> tuple[Result, Result]:
        """The second game of a match, with reversed colours; forfeits are often repeated."""
        if first in FORFEITS and self.happens(WHOLE // 2):
            return first
        white, black = board
        theirs, own = self.game(plan, ratings, (black, white))
        return own, theirs


def _ratings(plan: EventPlan, draw: _GameLots) -> tuple[int, ...]:
    """The ratings, the highest first: those of the plan, or falling by a gap, or by lot."""
    if plan.ratings:
        return tuple(sorted(plan.ratings, reverse=True))
    if plan.gap is not None:
        return tuple(plan.highest - plan.gap * place for place in range(plan.players))
    return tuple(
        sorted((draw.rating(plan.lowest, plan.highest) for _ in range(plan.players)), reverse=True)
    )


def _attendance(plan: EventPlan, draw: Lots) -> dict[TPN, range]:
    """The rounds for which each player is there: some come late, some withdraw for good."""
    attendance = {}
    for number in range(1, plan.players + 1):
        first, stop = 1, plan.rounds + 1
        if draw.happens(plan.late) and plan.rounds > 1:
            first = 2 + draw.below(min(LAST_ROUND_TO_JOIN, plan.rounds) - 1)
        if draw.happens(plan.withdrawals) and first < plan.rounds:
            stop = first + 1 + draw.below(plan.rounds - first)
        attendance[TPN(number)] = range(first, stop)
    return attendance


def _byes(
    plan: EventPlan, draw: _GameLots, attendance: Mapping[TPN, range], number: int
) -> dict[TPN, Result]:
    """List those not paired in round *number*: no points if absent, else the bye requested."""
    kinds = (
        (plan.half_byes, Result.HALF_POINT_BYE),
        (plan.zero_byes, Result.ZERO_POINT_BYE),
        (plan.full_byes, Result.FULL_POINT_BYE),
    )
    byes = {}
    for tpn, there in attendance.items():
        if number not in there:
            byes[tpn] = Result.ZERO_POINT_BYE
        elif draw.happens(plan.byes):
            byes[tpn] = draw.of(BYES)
        elif (kind := draw.kind(kinds)) is not None:
            byes[tpn] = kind
    return byes


def _accelerations(plan: EventPlan, to_be_paired: Sequence[TPN]) -> tuple[Acceleration, ...]:
    """Baku for the players *to_be_paired* in round 1 and all above the last of group A."""
    last = last_of_group_a(to_be_paired)
    if not plan.accelerated or last is None:
        return ()
    win = Points(games_a_round(plan.system) * plan.points.win)
    return baku(last, total_rounds=plan.rounds, win=win)


def _prohibitions(plan: EventPlan, draw: Lots) -> tuple[Prohibition, ...]:
    """Return groups of two or three who may not meet: half always, others up to some round."""
    groups = []
    for _ in range(plan.players * plan.prohibitions // WHOLE):
        group = {TPN(1 + draw.below(plan.players)) for _ in range(draw.of((2, 2, 2, 3)))}
        last = plan.rounds if draw.happens(WHOLE // 2) else 1 + draw.below(plan.rounds)
        if len(group) > 1:
            groups.append(Prohibition(tuple(sorted(group)), 1, last))
    return tuple(groups)


def _with_circumstances(
    state: TournamentState,
    byes: Mapping[TPN, Result],
    accelerations: Sequence[Acceleration],
    prohibitions: Iterable[Prohibition],
) -> TournamentState:
    """Return *state* with the absences, prohibited pairs and virtual points of its round."""
    number = state.round_number
    return replace(
        accelerate(state, accelerations),
        absent=frozenset(byes),
        prohibited=frozenset(
            frozenset(two)
            for group in prohibitions
            if group.first_round <= number <= group.last_round
            for two in combinations(group.players, 2)
        ),
    )
