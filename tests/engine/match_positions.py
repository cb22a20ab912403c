"""Random positions of tournaments of matches, for property tests of the Double-Swiss System.

Rounds are paired at random ([C1] and [C2] mostly respected), with byes, absences, forfeited games
and matches, games that end ½-0 or 0-0, prohibited pairs, other points and acceleration; often,
after many rounds, few legal opponents are left. ``rng`` makes all random choices: the same seed
gives the same position.
"""

from random import Random

from pairing.engine.model import (
    ABSENT,
    TPN,
    Colour,
    Player,
    Points,
    PointSystem,
    Result,
    RoundRecord,
    TournamentState,
)

PLAYED = ((Result.WIN, Result.LOSS), (Result.LOSS, Result.WIN), (Result.DRAW, Result.DRAW))
UNUSUAL = (
    (Result.FORFEIT_WIN, Result.FORFEIT_LOSS),
    (Result.FORFEIT_LOSS, Result.FORFEIT_WIN),
    (Result.FORFEIT_LOSS, Result.FORFEIT_LOSS),
    (Result.DRAW, Result.LOSS),
    (Result.LOSS, Result.LOSS),
    (Result.UNRATED_WIN, Result.UNRATED_LOSS),
    (Result.UNKNOWN, Result.UNKNOWN),
)
FORFEITED = (
    ((Result.FORFEIT_WIN, Result.FORFEIT_LOSS),) * 2,
    ((Result.FORFEIT_LOSS, Result.FORFEIT_WIN),) * 2,
    ((Result.FORFEIT_LOSS, Result.FORFEIT_LOSS),) * 2,
    ((Result.FORFEIT_WIN, Result.FORFEIT_LOSS), (Result.FORFEIT_LOSS, Result.FORFEIT_WIN)),
    ((Result.FORFEIT_WIN, Result.FORFEIT_LOSS), (Result.FORFEIT_LOSS, Result.FORFEIT_LOSS)),
)
BYES = (Result.HALF_POINT_BYE, Result.ZERO_POINT_BYE, Result.FULL_POINT_BYE)
POINTS = (
    PointSystem().for_matches(),
    PointSystem().for_matches(),
    PointSystem.from_values(win=30, draw=10).for_matches(),
)


def random_match_state(rng: Random, *, players: tuple[int, int] = (4, 10)) -> TournamentState:
    """Return a position with between *players* players (both included),
    before any of its rounds.
    """
    size = rng.randint(*players)
    wanted = rng.randint(0, size - 1)
    unrest = rng.choice((0.0, 0.0, 0.1, 0.3))
    points = rng.choice(POINTS)
    numbers = [TPN(number) for number in sorted(rng.sample(range(1, 3 * size), size))]
    rounds: dict[TPN, list[RoundRecord]] = {tpn: [] for tpn in numbers}
    similar = rng.random() < 0.4
    for _ in range(wanted):
        if not _play_round(rng, rounds, points, unrest, similar):
            break
    played = len(rounds[numbers[0]])
    virtual = (Points(20),) * (played + 1) if rng.random() < 0.1 else ()
    return TournamentState(
        round_number=played + 1,
        total_rounds=played + rng.choice((1, 2, 2, 3)),
        players=tuple(
            Player(tpn, tuple(records), virtual if tpn <= numbers[size // 2] else ())
            for tpn, records in rng.sample(list(rounds.items()), size)
        ),
        initial_colour=rng.choice(list(Colour)),
        points=points,
        absent=frozenset(tpn for tpn in numbers if rng.random() < unrest / 2),
        prohibited=frozenset(
            frozenset(rng.sample(numbers, 2)) for _ in range(rng.choice((0, 0, 0, 1, size // 2)))
        ),
        system="double_swiss_2026",
    )


def _play_round(
    rng: Random,
    rounds: dict[TPN, list[RoundRecord]],
    points: PointSystem,
    unrest: float,
    similar: bool,
) -> bool:
    """Play a round, unless the last players cannot be paired; return whether it was played."""
    away = {
        tpn: RoundRecord(None, None, rng.choice(BYES))
        for tpn in rounds
        if rng.random() < unrest / 2
    }
    left = sorted(
        rounds.keys() - away.keys(),
        key=lambda tpn: (
            -sum(points.worth(record) for record in rounds[tpn]) if similar else 0,
            rng.random(),
        ),
    )
    if len(left) % 2:
        able = [
            tpn
            for tpn in left
            if all(one.result is not Result.PAIRING_ALLOCATED_BYE for one in rounds[tpn])
        ]
        if not able:
            return False
        left.remove(able[-1])
        away[able[-1]] = RoundRecord(None, None, Result.PAIRING_ALLOCATED_BYE)
    pairs = []
    while left:
        one = left.pop(0)
        other = next(
            (tpn for tpn in left if all(record.opponent != tpn for record in rounds[one])), None
        )
        if other is None:
            return False
        left.remove(other)
        pairs.append((one, other) if rng.random() < 0.5 else (other, one))
    for white, black in pairs:
        first, second = _match(rng, unrest)
        rounds[white].append(RoundRecord(black, Colour.WHITE, first[0], second[0]))
        rounds[black].append(RoundRecord(white, Colour.BLACK, first[1], second[1]))
    for tpn, records in rounds.items():
        if len(records) < max(len(others) for others in rounds.values()):
            records.append(away.get(tpn, ABSENT))
    return True


def _match(rng: Random, unrest: float) -> tuple[tuple[Result, Result], tuple[Result, Result]]:
    """Return the results of both games, seen by the player with White in the first."""
    if rng.random() < unrest / 3:
        return rng.choice(FORFEITED)
    first, second = (rng.choice(UNUSUAL if rng.random() < unrest / 2 else PLAYED) for _ in range(2))
    return first, second
