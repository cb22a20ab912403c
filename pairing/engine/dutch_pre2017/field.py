"""All players to be paired in a round, ranked, with the data that the procedure needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from pairing.engine.basics.colours import ColourRecord, Strength, colour_record
from pairing.engine.basics.history import History, histories, participation_numbers, score_after
from pairing.engine.dutch.floats import Float
from pairing.engine.model import (
    TPN,
    Colour,
    Player,
    Points,
    PointSystem,
    Result,
    RoundRecord,
    TournamentState,
)


@dataclass(frozen=True, slots=True, eq=False)
class RankedPlayer:
    """A player as this round sees them.

    ``rank`` is the place in the order of A2, from 0; ``score`` the pairing score in tenths;
    ``number`` what E5 takes the parity of; ``may_have_bye`` is B1.b.
    """

    tpn: TPN
    rank: int
    score: Points
    number: int
    colours: ColourRecord
    is_topscorer: bool
    may_have_bye: bool
    last_float: Float
    float_before_last: Float


@dataclass(frozen=True)
class FieldBefore2017:
    """The players to pair, by rank; ``may_meet[r]`` is the bit set of the ranks that *r* may meet
    (B1.a, B2 and the pairs the arbiter has prohibited)."""

    players: tuple[RankedPlayer, ...]
    may_meet: list[int]
    is_odd_round: bool
    initial_colour: Colour

    def __len__(self) -> int:
        return len(self.players)

    @property
    def has_bye(self) -> bool:
        """Whether one player is left over [C.04.3/pre2017 A5]."""
        return len(self.players) % 2 == 1

    @property
    def score_brackets(self) -> list[tuple[int, ...]]:
        """The ranks of the players with the same score, from the top [C.04.3/pre2017 A3]."""
        ranks = range(len(self.players))
        return [
            tuple(group) for _, group in groupby(ranks, key=lambda rank: self.players[rank].score)
        ]

    @classmethod
    def from_state(cls, state: TournamentState) -> FieldBefore2017:
        """Return the field of *state*, by points and TPN [C.04.3/pre2017 A2].

        The TPN stands for rating, title and name.
        """
        read = histories(state)
        present = [player for player in state.players if player.tpn not in state.absent]
        score = {
            player.tpn: Points(
                read[player.tpn].score + player.virtual_points_in(state.round_number)
            )
            for player in present
        }
        present.sort(key=lambda player: (-score[player.tpn], player.tpn))
        numbers = participation_numbers(read, frozenset(score))
        everybody = state.by_tpn()
        players = tuple(
            RankedPlayer(
                tpn=player.tpn,
                rank=rank,
                score=score[player.tpn],
                number=numbers[player.tpn],
                colours=colour_record(read[player.tpn].colours),
                is_topscorer=_is_topscorer(read[player.tpn].score + player.decided, state),
                may_have_bye=not any(b1_b_bars(record, state.points) for record in player.rounds),
                last_float=_float_of(player, everybody, state, rounds_ago=1),
                float_before_last=_float_of(player, everybody, state, rounds_ago=2),
            )
            for rank, player in enumerate(present)
        )
        return cls(
            players=players,
            may_meet=_may_meet(players, read, state),
            is_odd_round=state.round_number % 2 == 1,
            initial_colour=state.initial_colour,
        )


def b1_b_bars(record: RoundRecord, points: PointSystem) -> bool:
    """Whether this round makes a downfloater and bars from the bye [C.04.3/pre2017 B1.b].

    It gave a point or half a point (a win or a draw) without play: by a bye of either kind, or
    because the opponent did not come. The pairing-allocated bye is one whatever it is worth.
    """
    if record.is_played:
        return False
    worth = points.value(record.result)
    return record.result is Result.PAIRING_ALLOCATED_BYE or (
        worth > points.loss and worth >= points.draw
    )


def bars_from_pab_before_2017(points: PointSystem) -> tuple[bool, ...]:
    """Return whether each result, by ``Result.place``,
    bars from the allocated bye [C.04.3/pre2017 B1.b].
    """
    return tuple(b1_b_bars(RoundRecord(None, None, result), points) for result in Result)


def _float_of(
    player: Player, everybody: Mapping[TPN, Player], state: TournamentState, *, rounds_ago: int
) -> Float:
    """The float *rounds_ago*, by the scores it was paired with [C.04.3/pre2017 A4, B1.b]."""
    number = state.round_number - rounds_ago
    if number < 1:
        return Float.NONE
    record = player.rounds[number - 1]
    if not record.is_played or record.opponent is None:
        return Float.DOWN if b1_b_bars(record, state.points) else Float.NONE
    own, theirs = (
        score_after(one, number - 1, state.points) + one.virtual_points_in(number)
        for one in (player, everybody[record.opponent])
    )
    if own > theirs:
        return Float.DOWN
    return Float.UP if own < theirs else Float.NONE


def _is_topscorer(score: int, state: TournamentState) -> bool:
    """Whether *score* is over half of the maximum before the last round [C.04.3/pre2017 A10]."""
    return state.is_last_round and 2 * score > state.points.win * (state.round_number - 1)


def b2_clash(one: RankedPlayer, other: RankedPlayer) -> bool:
    """Whether both have the same absolute colour preference [C.04.3/pre2017 B2]."""
    return (
        one.colours.strength is Strength.ABSOLUTE
        and other.colours.strength is Strength.ABSOLUTE
        and one.colours.preference is other.colours.preference
    )


def _may_meet(
    players: Sequence[RankedPlayer], read: Mapping[TPN, History], state: TournamentState
) -> list[int]:
    """Not those met, not the same absolute preference without a topscorer, nobody prohibited."""
    rows = []
    for player in players:
        met = read[player.tpn].met
        row = 0
        for other in players:
            clash = b2_clash(player, other) and not (player.is_topscorer or other.is_topscorer)
            barred = other is player or other.tpn in met or clash
            if not barred and frozenset((player.tpn, other.tpn)) not in state.prohibited:
                row |= 1 << other.rank
        rows.append(row)
    return rows
