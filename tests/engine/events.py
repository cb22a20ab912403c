"""Random tournaments played by the engine itself, bracket by bracket,
to compare two ways of pairing a bracket.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from pairing.engine.dutch.edition_2026.procedure import PairBracket, pair_dutch_2026
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.event_plan import EventPlan
from pairing.engine.model import (
    ABSENT,
    TPN,
    Colour,
    Pairing,
    Player,
    PointSystem,
    Result,
    RoundRecord,
    TournamentState,
)

SYSTEMS = (
    PointSystem(),
    PointSystem.from_values(win=30, draw=10),
    PointSystem.from_values(pairing_allocated_bye=5),
    PointSystem.from_values(pairing_allocated_bye=0),
)
FORFEITS = {Result.FORFEIT_WIN: Result.FORFEIT_LOSS, Result.FORFEIT_LOSS: Result.FORFEIT_WIN}
PLAYED = {Result.WIN: Result.LOSS, Result.DRAW: Result.DRAW, Result.LOSS: Result.WIN}


def random_round(
    random: Random, state: TournamentState, pairing: Pairing, draws: float, forfeits: float
) -> TournamentState:
    """Return the state after a round with random results;
    some players are absent from the next round.
    """
    added: dict[TPN, RoundRecord] = {}
    for white, black in pairing.pairs:
        table = FORFEITS if random.random() < forfeits else PLAYED
        result = (
            Result.DRAW
            if table is PLAYED and random.random() < draws
            else random.choice(list(table))
        )
        added[white] = RoundRecord(black, Colour.WHITE, result)
        added[black] = RoundRecord(white, Colour.BLACK, table[result])
    if pairing.bye is not None:
        added[pairing.bye] = RoundRecord(None, None, Result.PAIRING_ALLOCATED_BYE)
    for tpn in state.absent:
        bye = random.choice([Result.HALF_POINT_BYE, Result.ZERO_POINT_BYE, Result.FULL_POINT_BYE])
        added[tpn] = RoundRecord(None, None, bye)
    return replace(
        state,
        round_number=state.round_number + 1,
        players=tuple(
            replace(p, rounds=(*p.rounds, added.get(p.tpn, ABSENT))) for p in state.players
        ),
        absent=frozenset(p.tpn for p in state.players if random.random() < 0.05),
    )


def events(seed: int) -> TournamentState:
    random = Random(seed)
    size = random.choice([5, 7, 8, 11, 14, 18, 23, 30, 41])
    players = tuple(Player(TPN(tpn)) for tpn in range(1, size + 1))
    everybody = [player.tpn for player in players]
    prohibited = [
        frozenset(random.sample(everybody, 2))
        for _ in range(random.choice([0, 0, 0, 2, size // 3]))
    ]
    return TournamentState(
        round_number=1,
        total_rounds=min(random.choice([5, 7, 9, size - 1]), size - 1),
        players=players,
        initial_colour=random.choice(list(Colour)),
        points=random.choice(SYSTEMS),
        prohibited=frozenset(prohibited),
    )


def play_events(seeds: range, pair_one: PairBracket) -> None:
    """Play a tournament for each of *seeds* to its end, every bracket paired by *pair_one*."""
    for seed in seeds:
        random = Random(seed * 7919)
        state = events(seed)
        draws, forfeits = random.choice([0.1, 0.4, 0.7]), random.choice([0, 0.05, 0.25])
        while True:
            try:
                pairing = pair_dutch_2026(state, pair_one)
            except NoLegalPairingError:
                break
            if state.is_last_round:
                break
            state = random_round(random, state, pairing, draws, forfeits)


def late_plan(random: Random) -> EventPlan:
    """Plan a field that plays nearly as many rounds as it can,
    with half or most of the games drawn.
    """
    players = random.randint(14, 60)
    return EventPlan(
        players=players,
        rounds=min(players - 1, random.choice([9, 15, 25, 40])),
        draws=random.choice([6_000, 9_000, 9_800]),
        forfeits=random.choice([0, 1_000, 4_000]),
        byes=random.choice([0, 500]),
        late=random.choice([0, 3_000]),
        withdrawals=random.choice([0, 3_000]),
        prohibitions=random.choice([0, 5_000]),
    )
