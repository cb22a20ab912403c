"""The rounds that take longest, by name: regenerated from plan and seed, or built.

``python -m pairing bench --hard`` measures them and hunts for worse ones; what it finds is written
down here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

from .event_plan import EventPlan
from .generator import Chance, generate
from .model import TPN, Colour, Player, Result, RoundRecord, TournamentState

ChanceOf = Callable[[int], Chance]
"""Chance from a seed: ``random.Random``."""


@dataclass(frozen=True, slots=True)
class HardCase:
    """A round to pair; ``position`` makes it."""

    name: str
    position: Callable[[ChanceOf], TournamentState]


def generated(plan: EventPlan, seed: int) -> Callable[[ChanceOf], TournamentState]:
    """The round after those that *plan* plays."""

    def position(chance: ChanceOf) -> TournamentState:
        return generate(plan, chance(seed)).state

    return position


def crowded_top(*, top: int, floaters: int, drawn: int, by_colour: bool) -> TournamentState:
    """Round 3 of 9: of the *top* players with two wins *floaters* must float,
    over *drawn* players with two draws.

    More of the top than can be paired want White absolutely (*by_colour*) [C3], or belong to one
    club, of which no two may meet. As many players as in the top have lost twice.
    """
    many = (top + floaters) // 2
    club = frozenset(TPN(1 + place * top // many) for place in range(many))
    rounds: dict[TPN, list[RoundRecord]] = {TPN(tpn): [] for tpn in range(1, 2 * top + drawn + 1)}

    def play(white: int, black: int, results: tuple[Result, Result]) -> None:
        rounds[TPN(white)].append(RoundRecord(TPN(black), Colour.WHITE, results[0]))
        rounds[TPN(black)].append(RoundRecord(TPN(white), Colour.BLACK, results[1]))

    for number in (0, 1):
        for place in range(top):
            winner, loser = TPN(1 + place), TPN(top + drawn + 1 + (place + number) % top)
            has_black = winner in club if by_colour else (place + number) % 2 == 1
            if has_black:
                play(loser, winner, (Result.LOSS, Result.WIN))
            else:
                play(winner, loser, (Result.WIN, Result.LOSS))
        for place in range(number, drawn + number, 2):
            play(top + 1 + place % drawn, top + 1 + (place + 1) % drawn, (Result.DRAW, Result.DRAW))
    return TournamentState(
        round_number=3,
        total_rounds=9,
        players=tuple(Player(tpn, tuple(records)) for tpn, records in rounds.items()),
        prohibited=frozenset()
        if by_colour
        else frozenset(frozenset(two) for two in combinations(club, 2)),
    )


def late_round(*, players: int, played: int, draws: int, chance: Chance) -> TournamentState:
    """Build the round after *played* rounds of a round robin of an even number of *players*,
    with *players* − 1 rounds in all.

    Few pairs are left. White goes to the player with fewer Whites, or with Black last. *draws* of
    256 games are drawn, the others are won at random.
    """

    def colours(tpn: TPN) -> tuple[int, bool]:
        had = [record.colour for record in rounds[tpn]]
        return 2 * had.count(Colour.WHITE) - len(had), had[-1:] == [Colour.WHITE]

    rounds: dict[TPN, list[RoundRecord]] = {TPN(tpn): [] for tpn in range(1, players + 1)}
    circle = list(rounds)
    for _ in range(played):
        for place in range(players // 2):
            white, black = sorted((circle[place], circle[-1 - place]), key=colours)
            results = (Result.DRAW, Result.DRAW)
            if chance.getrandbits(8) >= draws:
                results = (
                    (Result.WIN, Result.LOSS)
                    if chance.getrandbits(1)
                    else (Result.LOSS, Result.WIN)
                )
            rounds[white].append(RoundRecord(black, Colour.WHITE, results[0]))
            rounds[black].append(RoundRecord(white, Colour.BLACK, results[1]))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return TournamentState(
        round_number=played + 1,
        total_rounds=players - 1,
        players=tuple(Player(tpn, tuple(records)) for tpn, records in rounds.items()),
    )


BUILT_CASES: tuple[HardCase, ...] = (
    HardCase(
        "40 of 200 float by colour",
        lambda _: crowded_top(top=200, floaters=40, drawn=200, by_colour=True),
    ),
    HardCase(
        "40 of 200 float, one club",
        lambda _: crowded_top(top=200, floaters=40, drawn=200, by_colour=False),
    ),
    HardCase(
        "40 of 200 float to 10",
        lambda _: crowded_top(top=200, floaters=40, drawn=10, by_colour=True),
    ),
    HardCase(
        "100 players, last round of 99",
        lambda chance: late_round(players=100, played=98, draws=20, chance=chance(1)),
    ),
)
"""Made for the purpose."""

MET_CASES: tuple[HardCase, ...] = (
    HardCase(
        "97 players, round 84 of 96",
        generated(
            EventPlan(players=97, rounds=96, draws=1_000, byes=500, prohibitions=5_000, played=83),
            seed=1207,
        ),
    ),
    HardCase(
        "92 players, round 74 of 91",
        generated(EventPlan(players=92, rounds=91, played=73), seed=1039),
    ),
    HardCase(
        "98 players, round 97 of 97",
        generated(EventPlan(players=98, rounds=97, forfeits=1_000, late=3_000, played=96), seed=20),
    ),
    HardCase(
        "65 players, round 64 of 84",
        generated(
            EventPlan(players=85, rounds=84, draws=1_000, byes=500, withdrawals=3_000, played=63),
            seed=1402,
        ),
    ),
    HardCase(
        "93 players, round 60 of 95",
        generated(
            EventPlan(
                players=96,
                rounds=95,
                draws=6_000,
                byes=500,
                late=3_000,
                prohibitions=10_000,
                played=59,
            ),
            seed=587,
        ),
    ),
    HardCase(
        "198 players, round 98 of 99",
        generated(EventPlan(players=198, rounds=99, played=97), seed=24),
    ),
    HardCase(
        "217 players, last round of 99, nearly all drawn",
        generated(EventPlan(players=217, rounds=99, draws=9_800, late=3_000, played=98), seed=40),
    ),
    HardCase(
        "485 players, round 38 of 99, nearly all drawn",
        generated(EventPlan(players=485, rounds=99, draws=9_800, played=37), seed=1118),
    ),
    HardCase(
        "99 players, round 67 of 98",
        generated(
            EventPlan(players=99, rounds=98, draws=6_000, prohibitions=10_000, played=66),
            seed=20206,
        ),
    ),
    HardCase(
        "813 players, round 40 of 60",
        generated(
            EventPlan(
                players=813, rounds=60, draws=6_000, forfeits=2_500, prohibitions=5_000, played=39
            ),
            seed=21043,
        ),
    ),
    HardCase(
        "853 players, round 82 of 99",
        generated(
            EventPlan(
                players=853,
                rounds=99,
                draws=9_000,
                forfeits=1_000,
                late=3_000,
                prohibitions=5_000,
                played=81,
            ),
            seed=31026,
        ),
    ),
    HardCase(
        "659 players, round 84 of 99",
        generated(
            EventPlan(
                players=690,
                rounds=99,
                draws=500,
                forfeits=1_000,
                byes=500,
                prohibitions=10_000,
                played=83,
            ),
            seed=21023,
        ),
    ),
    HardCase(
        "830 players, round 19 of 25, nearly all drawn",
        generated(EventPlan(players=830, rounds=25, draws=9_800, played=18), seed=24),
    ),
    HardCase(
        "868 players, last round of 99, nearly all drawn",
        generated(
            EventPlan(players=868, rounds=99, draws=9_800, prohibitions=5_000, played=98),
            seed=700258,
        ),
    ),
)
"""The worst that hunts have met, and one of the smaller ones. To make them takes seconds."""

HARD_CASES = BUILT_CASES + MET_CASES
