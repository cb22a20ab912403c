"""The Double-Swiss Pairing System, word for word: the slow reference for the engine [C.04.5/2026].

Sets of upfloaters and pairings of a bracket are listed in the order of the text, each is judged by
Article 2, and the best and earliest is kept. A function has the number of its article. For up to
about ten players. The data of the records (scores, opponents met, right to the bye) and the colours
of Article 4 come from the checker's own reading, never from the engine.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from pairing.engine.checker.board_order import board_key
from pairing.engine.checker.double_swiss import who_has_white
from pairing.engine.checker.match_records import (
    MatchPlayerRecord,
    match_ended_by_forfeit,
    read_match_records,
    score_for_round,
)
from pairing.engine.checker.records import PlayerRecord
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import TPN, Pairing, TournamentState

Players = frozenset[TPN]
Pairs = tuple[tuple[TPN, TPN], ...]


def pair_literally(state: TournamentState, *, without: str = "") -> Pairing:
    """Return the round-pairing [3.3]; *without* one of C5, C6, C7, C8,
    to see whether it decides.
    """
    return LiteralDoubleSwiss(state, without).round_pairing_3_3()


class LiteralDoubleSwiss:
    """One round. Players are named by TPN."""

    def __init__(self, state: TournamentState, without: str = "") -> None:
        self.state = state
        self.without = without
        self.records = {
            tpn: record for tpn, record in read_match_records(state).items() if record.present
        }
        self.score = {tpn: record.score for tpn, record in self.records.items()}
        self.floaters = frozenset(tpn for tpn in self.records if self.was_floater_1_5(tpn))
        self.can_be_paired = lru_cache(maxsize=None)(self._can_be_paired)
        self.fewest_upfloaters = lru_cache(maxsize=None)(self._fewest_upfloaters)

    # ------------------------------------------------------------------------------ Articles 1 and
    # 2.1, 2.2

    def was_floater_1_5(self, tpn: TPN) -> bool:
        """Return whether the player met a different score in the previous round,
        in a match that was played.
        """
        players = self.state.by_tpn()
        player = players[tpn]
        if not player.rounds or player.rounds[-1].opponent is None:
            return False
        opponent = players[player.rounds[-1].opponent]
        if match_ended_by_forfeit(player.rounds[-1], opponent.rounds[-1]):
            return False
        last = self.state.round_number - 1
        return score_for_round(player, self.state, last) != score_for_round(
            opponent, self.state, last
        )

    def c1(self, one: TPN, other: TPN) -> bool:
        """[C1] Return whether the two may meet; prohibited pairs may not."""
        return (
            other not in self.records[one].met
            and frozenset({one, other}) not in self.state.prohibited
        )

    def pairings_c1(self, players: Players) -> Iterator[Pairs]:
        """All ways to pair *players* that comply with [C1], the smaller TPN of a pair first."""
        if not players:
            yield ()
            return
        first = min(players)
        for other in sorted(players - {first}):
            if self.c1(first, other):
                for pairs in self.pairings_c1(players - {first, other}):
                    yield ((first, other), *pairs)

    def _can_be_paired(self, players: Players) -> bool:
        """[C3] a pairing of *players* exists that complies with [C1]."""
        return next(self.pairings_c1(players), None) is not None

    # ---------------------------------------------------------------------------------------------
    # Article 3

    def round_pairing_3_3(self) -> Pairing:
        """The bye, then one bracket after the other, then the colours [3.3.2]."""
        unpaired = frozenset(self.records)
        bye = None
        if len(unpaired) % 2:
            bye = self.bye_3_4(unpaired)
            unpaired -= {bye}
        elif not self.can_be_paired(unpaired):
            raise NoLegalPairingError("C.04.5 3.3.3")
        pairs: list[tuple[TPN, TPN]] = []
        while unpaired:
            upfloaters = self.upfloaters_3_5(unpaired)
            pairs += self.bracket_3_6(self.top_scoregroup_3_2(unpaired), upfloaters)
            unpaired -= self.top_scoregroup_3_2(unpaired) | upfloaters
        return Pairing(self.colours_4(pairs), bye)

    def bye_3_4(self, players: Players) -> TPN:
        """Return the bye: legal for all, the lowest score, the most matches played,
        the largest TPN [3.4.1-3.4.4].
        """

        def preferred(tpn: TPN) -> tuple[int, int, int]:
            record: MatchPlayerRecord = self.records[tpn]
            return record.score, -record.matches, -tpn

        for tpn in sorted(players, key=preferred):
            if not self.records[tpn].pab_barred and self.can_be_paired(players - {tpn}):
                return tpn
        raise NoLegalPairingError("C.04.5 3.3.3")

    def top_scoregroup_3_2(self, unpaired: Players) -> Players:
        """Return the players with the highest score among *unpaired*."""
        top = max((self.score[tpn] for tpn in unpaired), default=None)
        return frozenset(tpn for tpn in unpaired if self.score[tpn] == top)

    def legal_sets(self, unpaired: Players, number: int) -> list[tuple[TPN, ...]]:
        """The sets of *number* potential upfloaters that pair the bracket by [C1] and leave the
        rest by [C3], in the order of 3.5.3 and 3.5.4."""
        top = self.top_scoregroup_3_2(unpaired)
        potential = sorted(unpaired - top, key=lambda tpn: (-self.score[tpn], tpn))
        sets = [
            chosen
            for chosen in combinations(potential, number)
            if self.can_be_paired(top | frozenset(chosen))
            and self.can_be_paired(unpaired - top - frozenset(chosen))
        ]
        return sorted(sets)  # tuples of TPNs compare lexicographically [3.5.4]

    def _fewest_upfloaters(self, unpaired: Players) -> int:
        """[C4] how many upfloaters the top-scoregroup of *unpaired* needs at least."""
        lower = len(unpaired) - len(self.top_scoregroup_3_2(unpaired))
        return next(number for number in range(lower + 1) if self.legal_sets(unpaired, number))

    def upfloaters_3_5(self, unpaired: Players) -> Players:
        """The first set that is best on [C4], [C5], [C6], [C7] [3.5.5]."""
        sets = self.legal_sets(unpaired, self.fewest_upfloaters(unpaired))
        best = min(sets, key=lambda chosen: self.c5_c6_c7(unpaired, frozenset(chosen)))
        return frozenset(best)  # min() keeps the first of equals

    def c5_c6_c7(self, unpaired: Players, chosen: Players) -> tuple[tuple[int, ...], int, int]:
        """Return the value of the set *chosen*; smaller is better."""
        top = self.top_scoregroup_3_2(unpaired)
        own = self.score[min(top)]
        c5 = tuple(sorted((own - self.score[tpn] for tpn in chosen), reverse=True))
        following = self.top_scoregroup_3_2(unpaired - top)
        c6 = self.fewest_upfloaters(unpaired - top - chosen) if following - chosen else 0
        c7 = 0 if self.state.is_last_round else len(chosen & self.floaters)
        return (
            () if self.without == "C5" else c5,
            0 if self.without == "C6" else c6,
            0 if self.without == "C7" else c7,
        )

    def bracket_3_6(self, residents: Players, upfloaters: Players) -> Pairs:
        """The first pairing by its identifier that is best on [C8] [3.6.4]."""
        pairings = sorted(self.pairings_c1(residents | upfloaters), key=identifier_3_6_2)
        return min(pairings, key=lambda pairs: self.c8(pairs, upfloaters))

    def c8(self, pairs: Pairs, upfloaters: Players) -> int:
        """[C8] how many opponents of upfloaters floated in the previous round,
        not in the last round.
        """
        if self.state.is_last_round or self.without == "C8":
            return 0
        opponents = [
            other for pair in pairs for one, other in (pair, pair[::-1]) if one in upfloaters
        ]
        return sum(tpn in self.floaters for tpn in opponents)

    # ---------------------------------------------------------------------------------------------
    # Article 4

    def colours_4(self, pairs: list[tuple[TPN, TPN]]) -> Pairs:
        """The boards in publication order [C.04.2 3.6], White first."""
        boards = []
        for one, other in pairs:
            white = self.white_4_3(self.records[one], self.records[other])
            boards.append((white, self.records[other if white.tpn == one else one]))
        return tuple((white.tpn, black.tpn) for white, black in sorted(boards, key=board_key))

    def white_4_3(self, one: MatchPlayerRecord, other: MatchPlayerRecord) -> PlayerRecord:
        """Return the player who has White in the first game."""
        return who_has_white(one, other, self.state.initial_colour)[0]


def identifier_3_6_2(pairs: Pairs) -> tuple[TPN, ...]:
    """The TPNs of the top members in ascending order,
    then those of their bottom members [3.6.1, 3.6.2].
    """
    in_order = sorted((min(pair), max(pair)) for pair in pairs)
    return tuple(top for top, _ in in_order) + tuple(bottom for _, bottom in in_order)
