"""All players to be paired in a round, ranked, with the data that the criteria need.

Sets of players are whole numbers read as bit sets: bit *r* is the player of rank *r* (Article 1.2,
from 0).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pairing.engine.matching.cardinality import bits, is_perfect, maximum_matching
from pairing.engine.model import TPN, Colour, Player, Points, TournamentState

from .matches import Matches, ended_by_forfeit, read_matches


@dataclass(frozen=True)
class MatchField:
    """The players to pair, by rank [C.04.5/2026 1.2].

    Lists have one item per rank; ``scores`` are pairing scores in tenths. ``may_meet[r]`` is the
    set of those whom *r* may be paired with under [C1] and the prohibited pairs; ``most_barred``
    the largest number of others that anybody here may not meet. ``floated`` are the floaters of the
    previous round, nobody when the last round is paired, where [C7] and [C8] do not apply
    [C.04.5/2026 2.3.4, 2.3.5].
    """

    tpns: list[TPN]
    scores: list[Points]
    matches_played: list[int]
    colours: list[str]
    may_meet: list[int]
    most_barred: int
    may_receive_pab: int
    floated: int
    initial_colour: Colour

    @classmethod
    def from_state(cls, state: TournamentState) -> MatchField:
        """Derive the field of *state*. Cost: every record once, plus n rows of n bits."""
        players = state.by_tpn()
        read = {tpn: read_matches(player, players, state.points) for tpn, player in players.items()}
        number = state.round_number
        score_of = {
            tpn: read[tpn].score + player.virtual_points_in(number)
            for tpn, player in players.items()
        }
        tpns = sorted(players.keys() - state.absent, key=lambda tpn: (-score_of[tpn], tpn))
        may_meet = _may_meet(tpns, read, state)
        return cls(
            tpns=tpns,
            scores=[Points(score_of[tpn]) for tpn in tpns],
            matches_played=[read[tpn].played for tpn in tpns],
            colours=[read[tpn].colours for tpn in tpns],
            may_meet=may_meet,
            most_barred=max((len(tpns) - 1 - row.bit_count() for row in may_meet), default=0),
            may_receive_pab=sum(
                1 << rank for rank, tpn in enumerate(tpns) if read[tpn].may_receive_pab
            ),
            floated=0 if state.is_last_round else _floated(tpns, players, read, number - 1),
            initial_colour=state.initial_colour,
        )

    @property
    def everybody(self) -> int:
        return (1 << len(self.tpns)) - 1

    def scoregroups(self, players: int) -> list[int]:
        """The *players* (a bit set of ranks) by score, the top first [C.04.5/2026 1.3.1, 3.2]."""
        groups: list[int] = []
        score = None
        for rank in bits(players):
            if self.scores[rank] != score:
                score = self.scores[rank]
                groups.append(0)
            groups[-1] |= 1 << rank
        return groups

    def completes(self, players: int) -> bool:
        """Whether *players* can all be paired among themselves [C3] [C.04.5/2026 2.2.1]."""
        count = players.bit_count()
        if count % 2:
            return False
        return self.completes_by_number(count) or is_perfect(
            maximum_matching(self.may_meet, players), players
        )

    def completes_by_number(self, count: int) -> bool:
        """Whether any *count* players, an even number, can all be paired
        because each has enough possible opponents.

        By Dirac's theorem a graph of 2k ≥ 4 vertices, each joined to k others or more, has a
        Hamiltonian cycle, and every second edge of it is a perfect matching (for two vertices,
        joined to one other each, the pair itself is); and everybody is joined to all but
        ``most_barred``.
        """
        return 2 * (count - 1 - self.most_barred) >= count


def _may_meet(
    tpns: Sequence[TPN], read: Mapping[TPN, Matches], state: TournamentState
) -> list[int]:
    """[C1] not those met [C.04.5/2026 2.1.1], and no pairs that the Chief Arbiter prohibited."""
    bit_of = {tpn: 1 << rank for rank, tpn in enumerate(tpns)}
    everybody = (1 << len(tpns)) - 1
    rows = {
        tpn: everybody & ~own & ~sum(bit_of.get(opponent, 0) for opponent in read[tpn].met)
        for tpn, own in bit_of.items()
    }
    for first, second in state.prohibited:
        if first in rows and second in rows:
            rows[first] &= ~bit_of[second]
            rows[second] &= ~bit_of[first]
    return list(rows.values())


def _floated(
    tpns: Sequence[TPN], players: Mapping[TPN, Player], read: Mapping[TPN, Matches], last_round: int
) -> int:
    """Who played a match against a different score in *last_round* [C.04.5/2026 1.5].

    Scores are those it was paired with. A bye has no opponent, and nobody played in a match that
    ended by forfeit.
    """
    if not last_round:
        return 0

    def score(tpn: TPN) -> int:
        return read[tpn].score_before_last + players[tpn].virtual_points_in(last_round)

    floated = 0
    for rank, tpn in enumerate(tpns):
        record = players[tpn].rounds[-1]
        if record.opponent is None or ended_by_forfeit(record, players[record.opponent].rounds[-1]):
            continue
        if score(tpn) != score(record.opponent):
            floated |= 1 << rank
    return floated
