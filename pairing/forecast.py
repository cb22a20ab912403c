"""Forecast: play the rest many times, and count who meets whom and who finishes where.

Every game is decided by lot, with the expected score of the rating regulations [B.02/2024 8.1.2];
every round is paired by the tournament's own system. The regulations know no chance of a draw: here
it is at most :data:`MOST_DRAWS`, and less the further the expected score is from one half.

Chance comes in as an argument, and only its whole numbers are used: the same position and the same
seed give the same forecast everywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from pairing.engine.changes import PointChanges
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.generator import Chance
from pairing.engine.model import (
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
from pairing.engine.systems import games_a_round, pair
from pairing.ratings.tables import expected_score
from pairing.standings.prize_rules import Category, Placed, PrizeRules
from pairing.standings.prizes import hand_out
from pairing.standings.ranking import Rules, standings

SIMULATIONS: Final = 1_000
"""How often the rest of a tournament is played."""
MOST_WORK: Final = 2_000_000
"""Players times rounds to come times simulations; a larger tournament is played less often. 300
players with nine rounds to come: 740 times, about 30 seconds of one core.
"""
FEWEST: Final = 100
"""Even the largest tournament is played this often."""
WHOLE: Final = 10_000
"""Chances are whole numbers of ten-thousandths: 500 is 5 %."""
MOST_DRAWS: Final = 3_500
"""The chance of a draw between players of about the same rating, in ten-thousandths."""

NO_LIMIT: Final = PrizeRules(most_each=0)
"""The rules if there are no prizes."""

_OTHER_RESULT: Final = {Result.WIN: Result.LOSS, Result.DRAW: Result.DRAW, Result.LOSS: Result.WIN}


@dataclass(frozen=True, slots=True)
class RoundToCome:
    """A round that is not paired yet, as far as it is known.

    ``byes`` are the players who will not be paired, with the result they get; ``prohibited`` are
    the pairs that may not meet; ``virtual`` are the points that count for pairing only, in tenths,
    of the players who have any.
    """

    byes: Mapping[TPN, Result] = field(default_factory=dict)
    prohibited: frozenset[frozenset[TPN]] = frozenset()
    virtual: Mapping[TPN, Points] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Position:
    """A tournament in progress.

    ``state`` is the position before the next round to pair, or after the last round; its games
    without a result are played in every simulation. ``rounds`` are the rounds from there to the
    last. Every player needs one of the ``playing_ratings``, which decide the games; ``ratings`` are
    those of the tie-breaks. ``rules`` rank the players; the ``prizes`` are handed out by rank and
    points.
    """

    state: TournamentState
    rounds: tuple[RoundToCome, ...]
    playing_ratings: Mapping[TPN, int]
    rules: Rules
    ratings: Mapping[TPN, int] | None = None
    changes: Mapping[TPN, PointChanges] = field(default_factory=dict)
    expelled: frozenset[TPN] = frozenset()
    prizes: tuple[Category, ...] = ()
    prize_rules: PrizeRules = NO_LIMIT


Game = tuple[TPN, TPN, int, bool]
"""A game without a result: White and Black of the first game, the place of its round from 0,
whether it is the second game of a match.
"""


class Forecast:
    """The simulations of a *position*: one more with each :meth:`advance`, up to *most*.

    ``opponents`` counts for each player the opponents in the next round to pair (None: the
    pairing-allocated bye), ``ranks`` the ranks and ``points`` the points (tenths) after the last
    round, ``winners`` who wins money. ``unpairable`` simulations came to a round without a legal
    pairing [C.04.3/2026 1.9.3]; they count nowhere else.
    """

    def __init__(self, position: Position, chance: Chance, most: int = SIMULATIONS) -> None:
        self.position = position
        self.simulations = min(most, simulations(len(position.state.players), len(position.rounds)))
        self.played = 0
        self.unpairable = 0
        self.opponents: dict[TPN, Counter[TPN | None]] = {
            player.tpn: Counter() for player in position.state.players
        }
        self.ranks: dict[TPN, Counter[int]] = {
            player.tpn: Counter() for player in position.state.players
        }
        self.points: dict[TPN, Counter[int]] = {
            player.tpn: Counter() for player in position.state.players
        }
        self.winners: Counter[TPN] = Counter()
        self._chance = chance
        self._games = tuple(_games_without_result(position.state))
        self._chances: dict[int, tuple[int, int]] = {}

    @property
    def is_done(self) -> bool:
        """Whether the rest has been played as often as it is to be played."""
        return self.played + self.unpairable == self.simulations

    def advance(self) -> None:
        """Play the rest once more. Cost: one pairing for each round, and one ranking."""
        try:
            end, first = self._play()
        except NoLegalPairingError:
            self.unpairable += 1
            return
        self.played += 1
        if first is not None:
            for white, black in first.pairs:
                self.opponents[white][black] += 1
                self.opponents[black][white] += 1
            if first.bye is not None:
                self.opponents[first.bye][None] += 1
        self._rank(end)

    def _play(self) -> tuple[TournamentState, Pairing | None]:
        """Return the state after the last round, and any pairing of the next round."""
        state = self._with_results(self.position.state)
        first: Pairing | None = None
        for place, coming in enumerate(self.position.rounds):
            if place:
                state = _before_round(state, coming)
            found = pair(state)
            first = first or found
            state = self._after_round(state, found, coming)
        return state, first

    def _rank(self, end: TournamentState) -> None:
        position = self.position
        table = standings(
            end.players,
            end.points,
            position.rules,
            ratings=position.ratings,
            changes=position.changes,
            expelled=position.expelled,
        )
        for line in table.lines:
            self.ranks[line.tpn][line.rank] += 1
            self.points[line.tpn][line.points] += 1
        if position.prizes:
            placed = [Placed(line.tpn, line.rank, line.points) for line in table.lines]
            awards = hand_out(position.prizes, placed, position.prize_rules)
            self.winners.update({award.tpn for of in awards for award in of.awards})

    def _with_results(self, state: TournamentState) -> TournamentState:
        """Return *state* with a result for each of its games without one.

        Only their players are made again.
        """
        if not self._games:
            return state
        rounds = {player.tpn: player.rounds for player in state.players}
        changed: dict[TPN, list[RoundRecord]] = {}
        for white, black, place, is_second in self._games:
            result = self._result(black, white) if is_second else self._result(white, black)
            if is_second:
                result = _OTHER_RESULT[result]
            for tpn, own in ((white, result), (black, _OTHER_RESULT[result])):
                records = changed.setdefault(tpn, list(rounds[tpn]))
                record = records[place]
                records[place] = (
                    replace(record, second=own) if is_second else replace(record, result=own)
                )
        return replace(
            state,
            players=tuple(
                Player(
                    player.tpn, tuple(changed[player.tpn]), player.virtual_points, player.decided
                )
                if player.tpn in changed
                else player
                for player in state.players
            ),
        )

    def _after_round(
        self, state: TournamentState, found: Pairing, coming: RoundToCome
    ) -> TournamentState:
        """Return *state* after the round *found* was played."""
        records = {tpn: RoundRecord(None, None, result) for tpn, result in coming.byes.items()}
        if found.bye is not None:
            records[found.bye] = RoundRecord(None, None, Result.PAIRING_ALLOCATED_BYE)
        of_two = games_a_round(state.system) > 1
        for white, black in found.pairs:
            first = self._result(white, black)
            second = self._result(black, white) if of_two else None
            records[white] = RoundRecord(
                black, Colour.WHITE, first, second and _OTHER_RESULT[second]
            )
            records[black] = RoundRecord(white, Colour.BLACK, _OTHER_RESULT[first], second)
        return replace(
            state,
            round_number=state.round_number + 1,
            players=tuple(
                Player(
                    player.tpn,
                    (*player.rounds, records.get(player.tpn, ABSENT)),
                    player.virtual_points,
                    player.decided,
                )
                for player in state.players
            ),
        )

    def _result(self, white: TPN, black: TPN) -> Result:
        """Draw the result of a game by lot, for White. Colours do not count."""
        difference = self.position.playing_ratings[white] - self.position.playing_ratings[black]
        chances = self._chances.get(difference)
        if chances is None:
            chances = self._chances[difference] = chances_of(difference)
        lot = self._chance.getrandbits(32) * WHOLE >> 32
        if lot < chances[0]:
            return Result.WIN
        return Result.DRAW if lot < chances[0] + chances[1] else Result.LOSS


def simulations(players: int, rounds: int) -> int:
    """Return how often the rest is played: :data:`SIMULATIONS`, or less in large events."""
    return max(FEWEST, min(SIMULATIONS, MOST_WORK // max(1, players * rounds)))


def chances_of(difference: int) -> tuple[int, int]:
    """Return the chance of a win and of a draw of a player rated *difference* points higher,
    in ten-thousandths.

    The win and half of the draw add up to the expected score [B.02/2024 8.1.2].
    """
    expected = expected_score(difference) * (WHOLE // 100)
    draw = min(MOST_DRAWS, 2 * min(expected, WHOLE - expected))
    return expected - draw // 2, draw


def _before_round(state: TournamentState, coming: RoundToCome) -> TournamentState:
    """Return *state*, in which the round before has been played, as it is paired."""
    players = state.players
    if coming.virtual or any(player.virtual_points for player in players):
        rounds_over = (Points(0),) * (state.round_number - 1)
        players = tuple(
            replace(
                player,
                virtual_points=(
                    *(player.virtual_points or rounds_over),
                    coming.virtual.get(player.tpn, Points(0)),
                ),
            )
            for player in players
        )
    return replace(
        state, players=players, absent=frozenset(coming.byes), prohibited=coming.prohibited
    )


def _games_without_result(state: TournamentState) -> Iterator[Game]:
    """Yield the games of *state* without a result, by round, then by White's number."""
    for place in range(state.round_number - 1):
        for player in sorted(state.players, key=lambda player: player.tpn):
            record = player.rounds[place]
            if record.colour is Colour.WHITE and record.opponent is not None:
                if record.result is Result.UNKNOWN:
                    yield player.tpn, record.opponent, place, False
                if record.second is Result.UNKNOWN:
                    yield player.tpn, record.opponent, place, True


def shares(counts: Mapping[int, int], ends: Sequence[int], played: int) -> tuple[int, ...]:
    """Return for each of *ends* how often the rank was at most that, in 1/10000 of *played*."""
    return tuple(
        sum(times for rank, times in counts.items() if rank <= end) * WHOLE // played
        if played
        else 0
        for end in ends
    )
