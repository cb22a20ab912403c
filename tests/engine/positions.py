"""Random tournament positions for property tests, with everything
that can happen in a small Swiss tournament.

Each position is a tournament played for some rounds by random pairings ([C1] and [C2] respected,
colours mostly sensible), with byes, forfeits, absences, late entries, withdrawals, adjourned games,
prohibited pairs, other point systems and acceleration. About a third are tense: after many rounds
few legal opponents are left, so that completion, the Limbo and several downfloaters matter.

``rng`` makes all random choices: the same seed gives the same position.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from hypothesis import strategies as st

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

POINT_SYSTEMS: tuple[dict[str, int], ...] = (
    {},
    {},
    {},
    {"win": 30, "draw": 10},
    {"win": 30, "draw": 20, "loss": 10},
)
"""1-½-0 most often, 3-1-0, 3-2-1 (0 for an absence)."""

GAME_RESULTS = (
    *[(Result.WIN, Result.LOSS), (Result.LOSS, Result.WIN), (Result.DRAW, Result.DRAW)] * 8,
    (Result.UNRATED_WIN, Result.UNRATED_LOSS),
    (Result.UNRATED_DRAW, Result.UNRATED_DRAW),
    (Result.LOSS, Result.LOSS),
    (Result.DRAW, Result.LOSS),
    (Result.FORFEIT_WIN, Result.FORFEIT_LOSS),
    (Result.FORFEIT_LOSS, Result.FORFEIT_WIN),
)
UNUSUAL_RESULTS = (
    (Result.FORFEIT_WIN, Result.FORFEIT_LOSS),
    (Result.FORFEIT_LOSS, Result.FORFEIT_WIN),
    (Result.FORFEIT_LOSS, Result.FORFEIT_LOSS),
    (Result.UNKNOWN, Result.UNKNOWN),
)
REQUESTED_BYES = (
    Result.HALF_POINT_BYE,
    Result.HALF_POINT_BYE,
    Result.FULL_POINT_BYE,
    Result.ZERO_POINT_BYE,
)


@dataclass
class _Tournament:
    """A tournament while it is played; only this module changes it."""

    rng: Random
    size: int
    points: PointSystem
    unrest: float
    """How often something other than a normal game happens, 0 to 1."""
    drawn: bool
    """Nearly every game is drawn: all players in one or two scoregroups."""
    wild_colours: float
    """How often a game has colours that no rule would give, 0 to 1."""
    rounds: dict[int, list[RoundRecord]] = field(default_factory=dict)
    joins: dict[int, int] = field(default_factory=dict)
    leaves: dict[int, int] = field(default_factory=dict)

    def score(self, tpn: int) -> int:
        return sum(self.points.value(record.result) for record in self.rounds[tpn])

    def met(self, one: int, other: int) -> bool:
        return any(record.opponent == other and record.is_played for record in self.rounds[one])

    def had_bye(self, tpn: int) -> bool:
        return any(record.result is Result.PAIRING_ALLOCATED_BYE for record in self.rounds[tpn])

    def there(self, tpn: int, round_number: int) -> bool:
        return self.joins[tpn] <= round_number < self.leaves[tpn]


def random_state(rng: Random, *, players: tuple[int, int] = (4, 12)) -> TournamentState:
    """Return a position with between *players* players (both included),
    before any of its rounds.
    """
    size = rng.randint(*players)
    tense = rng.random() < 0.35
    total_rounds = (
        rng.randint(max(1, size - 3), size + 1) if tense else rng.randint(2, min(9, size))
    )
    wanted = (
        total_rounds if rng.random() < 0.4 else rng.randint(max(1, total_rounds // 3), total_rounds)
    )
    tournament = _Tournament(
        rng=rng,
        size=size,
        points=_point_system(rng),
        unrest=rng.choice((0.0, 0.05, 0.05, 0.2)),
        drawn=rng.random() < 0.2,
        wild_colours=rng.choice((0.0, 0.1, 0.1, 0.1, 0.5, 0.9)),
    )
    played = _play(tournament, wanted - 1)
    return _before_next_round(tournament, played + 1, max(total_rounds, played + 1))


def states(*, players: tuple[int, int] = (4, 9)) -> st.SearchStrategy[TournamentState]:
    """Return the same as a hypothesis strategy."""
    return st.builds(random_state, st.randoms(use_true_random=False), players=st.just(players))


def _point_system(rng: Random) -> PointSystem:
    values = dict(rng.choice(POINT_SYSTEMS))
    base = PointSystem.from_values(**values)
    bye = rng.choice((base.win, base.win, base.win, base.draw, Points(0)))
    return PointSystem.from_values(**values, pairing_allocated_bye=bye)


def _play(tournament: _Tournament, rounds: int) -> int:
    """Play up to *rounds* rounds; return how many were played (fewer if no pairing was found)."""
    rng = tournament.rng
    for tpn in range(1, tournament.size + 1):
        tournament.rounds[tpn] = []
        tournament.joins[tpn] = rng.randint(2, 4) if rng.random() < tournament.unrest / 2 else 1
        tournament.leaves[tpn] = rng.randint(2, 8) if rng.random() < tournament.unrest / 2 else 1000
    for round_number in range(1, rounds + 1):
        if not _play_round(tournament, round_number):
            return round_number - 1
    return rounds


def _play_round(tournament: _Tournament, round_number: int) -> bool:
    rng = tournament.rng
    playing, away = [], {}
    for tpn in tournament.rounds:
        if not tournament.there(tpn, round_number):
            away[tpn] = ABSENT
        elif rng.random() < tournament.unrest:
            away[tpn] = RoundRecord(None, None, rng.choice(REQUESTED_BYES))
        else:
            playing.append(tpn)
    pairs_and_bye = _random_pairs(tournament, playing)
    if pairs_and_bye is None:
        return False
    pairs, bye = pairs_and_bye
    for tpn, record in away.items():
        tournament.rounds[tpn].append(record)
    if bye is not None:
        tournament.rounds[bye].append(RoundRecord(None, None, Result.PAIRING_ALLOCATED_BYE))
    for one, other in pairs:
        _play_game(tournament, one, other)
    return True


def _random_pairs(
    tournament: _Tournament, playing: Sequence[int]
) -> tuple[list[tuple[int, int]], int | None] | None:
    """Return a random pairing without rematch or second bye, roughly by score half of the time;
    None: none found.
    """
    rng = tournament.rng
    noise = rng.choice((0, 0, 10, 1000))
    for _ in range(30):
        order = sorted(
            playing, key=lambda tpn: (rng.randint(0, noise) - tournament.score(tpn), rng.random())
        )
        bye = None
        if len(order) % 2:
            candidates = [tpn for tpn in order if not tournament.had_bye(tpn)]
            if not candidates:
                return None
            bye = candidates[-1] if rng.random() < 0.7 else rng.choice(candidates)
            order.remove(bye)
        pairs = _pair_off(tournament, order)
        if pairs is not None:
            return pairs, bye
    return None


def _pair_off(tournament: _Tournament, order: list[int]) -> list[tuple[int, int]] | None:
    """Pair each player with the nearest one not yet met;
    return None if the last players cannot be paired.
    """
    pairs = []
    left = list(order)
    while left:
        one = left.pop(0)
        other = next((tpn for tpn in left if not tournament.met(one, tpn)), None)
        if other is None:
            return None
        left.remove(other)
        pairs.append((one, other))
    return pairs


def _play_game(tournament: _Tournament, one: int, other: int) -> None:
    rng = tournament.rng
    white, black = one, other
    balance = _balance(tournament, one) - _balance(tournament, other)
    if (
        balance > 0
        or (balance == 0 and rng.random() < 0.5)
        or rng.random() < tournament.wild_colours
    ):
        white, black = other, one
    if rng.random() < tournament.unrest:
        results = rng.choice(UNUSUAL_RESULTS)
    elif tournament.drawn and rng.random() < 0.85:
        results = (Result.DRAW, Result.DRAW)
    elif tournament.unrest:
        results = rng.choice(GAME_RESULTS)
    else:
        results = rng.choice(GAME_RESULTS[:3])
    tournament.rounds[white].append(RoundRecord(TPN(black), Colour.WHITE, results[0]))
    tournament.rounds[black].append(RoundRecord(TPN(white), Colour.BLACK, results[1]))


def _balance(tournament: _Tournament, tpn: int) -> int:
    colours = [record.colour for record in tournament.rounds[tpn] if record.is_played]
    return colours.count(Colour.WHITE) - colours.count(Colour.BLACK)


def _before_next_round(
    tournament: _Tournament, round_number: int, total_rounds: int
) -> TournamentState:
    rng = tournament.rng
    away = [
        tpn
        for tpn in tournament.rounds
        if not tournament.there(tpn, round_number) or rng.random() < tournament.unrest / 2
    ]
    prohibited: set[frozenset[TPN]] = set()
    if rng.random() < 0.15:
        for _ in range(rng.randint(1, tournament.size)):
            one, other = rng.sample(sorted(tournament.rounds), 2)
            prohibited.add(frozenset({TPN(one), TPN(other)}))
    virtual = _virtual_points(tournament, total_rounds)
    players = [
        Player(TPN(tpn), tuple(records), virtual.get(tpn, ()))
        for tpn, records in tournament.rounds.items()
    ]
    rng.shuffle(players)
    return TournamentState(
        round_number=round_number,
        total_rounds=total_rounds,
        players=tuple(players),
        initial_colour=rng.choice((Colour.WHITE, Colour.BLACK)),
        points=tournament.points,
        absent=frozenset(TPN(tpn) for tpn in away),
        prohibited=frozenset(prohibited),
    )


def _virtual_points(tournament: _Tournament, total_rounds: int) -> dict[int, tuple[Points, ...]]:
    """Give Baku-like virtual points to the upper half [C.04.7], in a tenth of the positions."""
    if tournament.rng.random() >= 0.1:
        return {}
    accelerated = (total_rounds + 1) // 2
    first = (accelerated + 1) // 2
    win = tournament.points.win
    values = (win,) * first + (Points(win // 2),) * (accelerated - first)
    return dict.fromkeys(range(1, 2 * ((tournament.size + 3) // 4) + 1), values)
