"""Compute every number of an explanation a second time, from the records by the literal text.

The literal transcription judges candidates and the checker gives colours; the engine is not used.
Functions that enumerate all candidates say so: they are for small brackets only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pairing.engine.checker.colours import colour_of
from pairing.engine.checker.records import read_records
from pairing.engine.dutch.explain import BracketExplanation, PairExplanation, RoundExplanation
from pairing.engine.dutch.explain.explanation import Value
from pairing.engine.model import TPN, Colour, TournamentState
from tests.engine.literal_dutch import Bracket, Candidate, Group, LiteralDutch, Pairs

NAMES = tuple(f"C{number}" for number in range(5, 22))
COUNTS = 8
"""[C10]-[C17] are counts, the rest of the literal tuple are lists."""


@dataclass
class Reference:
    """An explained round, beside the literal reading of the same state."""

    state: TournamentState
    explained: RoundExplanation

    def __post_init__(self) -> None:
        self.literal = LiteralDutch(self.state)
        self.rank = {record.tpn: rank for rank, record in enumerate(self.literal.records)}

    # ------------------------------------------------------------------------------ brackets as
    # they were

    def brackets(self) -> Iterator[tuple[BracketExplanation, Bracket, Candidate]]:
        """Yield each explained bracket with the literal one,
        and check that they have the same players.
        """
        groups = self.literal.scoregroups_1_3_1()
        assert len(groups) == len(self.explained.brackets)
        downfloaters: Group = ()
        for place, one in enumerate(self.explained.brackets):
            bracket = Bracket(downfloaters, groups[place], groups[place + 1 :])
            assert one.number == place + 1
            assert self.ranks(one.mdps) == bracket.mdps
            assert self.ranks(one.residents) == bracket.residents
            assert [seat.bsn for seat in one.players] == list(range(1, len(bracket.players) + 1))
            assert [seat.score for seat in one.players] == [
                self.literal.scores[rank] for rank in bracket.players
            ]
            candidate = self.candidate(one, bracket)
            yield one, bracket, candidate
            downfloaters = candidate.downfloaters

    def ranks(self, seats: object) -> Group:
        return tuple(self.rank[seat.tpn] for seat in seats)  # type: ignore[attr-defined]

    def candidate(self, one: BracketExplanation, bracket: Bracket) -> Candidate:
        pairs = [(self.rank[higher], self.rank[lower]) for higher, lower in one.pairs]
        downfloaters = self.ranks(one.downfloaters)
        assert sorted([*downfloaters, *(rank for pair in pairs for rank in pair)]) == list(
            bracket.players
        )
        return Candidate(
            tuple(pair for pair in pairs if pair[0] in bracket.mdps),
            tuple(pair for pair in pairs if pair[0] not in bracket.mdps),
            downfloaters,
        )

    # -------------------------------------------------------------------------------------------
    # criteria

    def values(self) -> Iterator[tuple[BracketExplanation, dict[str, Value]]]:
        """Return the value of every criterion in each bracket, for fields of any size.

        [C8] is the result of the following bracket: its own [C6] and [C7] come first there. [C9]
        counts if the score of the only downfloater is the score of the bye and nobody below can
        have it.
        """
        seen = list(self.brackets())
        bye = self.explained.pairing.bye
        bye_score = None if bye is None else self.literal.scores[self.rank[bye]]
        for place, (one, bracket, candidate) in enumerate(seen):
            follower = seen[place + 1][2].downfloaters if place + 1 < len(seen) else None
            ends_here = len(candidate.downfloaters) == 1 and bye_score is not None
            ends_here = ends_here and bye_score not in {
                self.literal.scores[rank] for rank in bracket.not_reached
            }
            values: dict[str, Value] = {
                "C5": () if bye_score is None else (bye_score,),
                "C6": (len(candidate.downfloaters),),
                "C7": self.literal.c7(candidate.downfloaters),
                "C8": () if follower is None else (len(follower), *self.literal.c7(follower)),
                "C9": (self.literal.unplayed[candidate.downfloaters[0]],) if ends_here else (),
            }
            yield one, values | self.quality(bracket, candidate)

    def quality(self, bracket: Bracket, candidate: Candidate) -> dict[str, Value]:
        """Return [C10]-[C21] by the literal text."""
        found = self.literal.c10_to_c21(bracket, candidate)
        values = [(one,) if place < COUNTS else one for place, one in enumerate(found)]
        return dict(zip(NAMES[5:], values, strict=True))  # type: ignore[arg-type]

    def enumerated(self, bracket: Bracket, max_pairs: int) -> list[dict[str, Value]]:
        """Return the values of *every* legal candidate with *max_pairs* pairs, by trying all.

        For small brackets.
        """
        lowest = self.literal.completion(frozenset(bracket.players + bracket.not_reached))
        found = []
        for pairs in self.all_pairs(bracket.players, bracket.mdps):
            seated = {rank for pair in pairs for rank in pair}
            downfloaters = tuple(rank for rank in bracket.players if rank not in seated)
            if len(pairs) != max_pairs or self.literal.c4_c5(bracket, downfloaters) != lowest:
                continue
            mdp_pairs = tuple(pair for pair in pairs if pair[0] in bracket.mdps)
            candidate = Candidate(
                mdp_pairs, tuple(p for p in pairs if p not in mdp_pairs), downfloaters
            )
            found.append(
                self.enumerated_value(bracket, candidate) | self.quality(bracket, candidate)
            )
        return found

    def enumerated_value(self, bracket: Bracket, candidate: Candidate) -> dict[str, Value]:
        ahead = self.literal.c8(bracket, candidate.downfloaters)
        return {
            "C6": (len(candidate.downfloaters),),
            "C7": self.literal.c7(candidate.downfloaters),
            "C8": (ahead[1], *ahead[2]) if ahead else (),
            "C9": (self.literal.c9(bracket, candidate.downfloaters),),
        }

    def all_pairs(self, players: Group, mdps: Group) -> Iterator[Pairs]:
        """Return every set of legal pairs among *players*, never two MDPs,
        each higher ranked player first.
        """
        if not players:
            yield ()
            return
        first, rest = players[0], players[1:]
        yield from self.all_pairs(rest, mdps)
        for other in rest:
            if self.literal.allowed(first, other) and not (first in mdps and other in mdps):
                left = tuple(player for player in rest if player != other)
                for pairs in self.all_pairs(left, mdps):
                    yield ((first, other), *pairs)

    # ---------------------------------------------------------------------------------------------
    # boards

    def board(self, one: PairExplanation) -> tuple[Mapping[str, object], Mapping[str, object]]:
        """Compare what the explanation and the records say about a board."""
        records = read_records(self.state)
        white, black = records[one.white.tpn], records[one.black.tpn]
        colour, article = colour_of(white, black, self.state.initial_colour)
        higher = min(white, black, key=lambda record: record.rank_key)
        values: dict[str, object] = {
            "higher": one.higher,
            "article": f"C.04.3 {one.rule.value}",
            "white": Colour.WHITE,
        }
        true: dict[str, object] = {"higher": higher.tpn, "article": article, "white": colour}
        for name, side, record, other in (
            ("w", one.white, white, black),
            ("b", one.black, black, white),
        ):
            values[name] = (
                side.score, side.history, side.difference, side.preference, side.strength.value, side.is_topscorer,
                side.number, side.received_float.value,
            )  # fmt: skip
            received = {1: "down", -1: "up", 0: ""}[
                (record.score > other.score) - (record.score < other.score)
            ]
            preference = record.preference
            true[name] = (
                record.score, "".join(one.value for one in record.colours), record.colour_difference,
                preference.colour, preference.strength.value, record.is_topscorer, record.number, received,
            )  # fmt: skip
        return values, true


def pairs_of_shape(one: BracketExplanation) -> set[tuple[TPN, TPN]]:
    """Return the pairs that S1, S2, the exchange and the
    transposition of *one* give by Article 3.3.
    """
    tpn = {seat.bsn: seat.tpn for seat in one.players}
    pairs = set()
    if one.mdp_pairing is not None:
        pairs |= {
            (tpn[u], tpn[v])
            for u, v in zip(one.mdp_pairing.s1, one.mdp_pairing.opponents, strict=True)
        }
    own = {seat.bsn: seat.tpn for seat in one.subgroups.players}
    return pairs | {
        (own[u], own[v]) for u, v in zip(one.subgroups.s1, one.subgroups.s2, strict=False)
    }
