"""The FIDE Dutch System 2026, word for word: the slow reference for the engine.

Candidates are built in the order of Articles 3 and 4, each is judged by Article 2, and the best and
earliest is kept. A function has the number of its article. For up to about 12 players. The data of
the records (scores, colours, opponents met) and the colours of Article 5 come from the checker's
own reading, never from the engine.

Three shortcuts are taken, each of which drops only candidates that can never be chosen: (1) a pair
that breaks [C1] or [C3] is not built; (2) in a homogeneous bracket no pair has its lower ranked
player in S1: see :func:`transpositions_4_2`; (3) of the criteria [C5]-[C9], which depend on the
downfloaters alone, the best value is found first, by trying every set of downfloaters
(:meth:`LiteralDutch.best_c5_to_c9`). This gives MaxPairs [3.1.2], M1 [3.1.3] and the compliant
Limbo [4.4.1]; the text uses them without saying how to find them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations

from pairing.engine.checker.board_order import board_key
from pairing.engine.checker.colours import colour_of
from pairing.engine.checker.legality import may_meet
from pairing.engine.checker.records import PlayerRecord, Strength, read_records
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import Colour, Pairing, Player, TournamentState

from .literal_floats import Float, float_in_round

Rank = int
"""A player, by place in the ranking order [1.2] among the present players, from 0."""
Group = tuple[Rank, ...]
"""Players in ranking order."""
Pairs = tuple[tuple[Rank, Rank], ...]
Scores = tuple[int, ...]

NO_BYE = -1
"""The score of the bye's receiver if there is no bye."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """A pairing bracket [1.3.2]: moved-down players, residents,
    and the scoregroups still to come.
    """

    mdps: Group
    residents: Group
    following: tuple[Group, ...]

    @property
    def players(self) -> Group:
        return self.mdps + self.residents

    @property
    def not_reached(self) -> Group:
        return tuple(player for scoregroup in self.following for player in scoregroup)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate [3.3]: the pairs (S1 player first), those of MDPs apart, and the downfloaters."""

    mdp_pairs: Pairs
    resident_pairs: Pairs
    downfloaters: Group

    @property
    def pairs(self) -> Pairs:
        return self.mdp_pairs + self.resident_pairs


def pair_literally(state: TournamentState) -> Pairing:
    """Return the pairing of the round by the text;
    raise :class:`NoLegalPairingError` if none exists [1.9.3].
    """
    return LiteralDutch(state).round_pairing_1_9()


class LiteralDutch:
    """One round to pair: the players by rank, and the articles as methods."""

    def __init__(self, state: TournamentState) -> None:
        self.state = state
        by_tpn = state.by_tpn()
        self.records = [record for record in read_records(state).values() if record.present]
        players = [by_tpn[record.tpn] for record in self.records]
        self.scores = [record.score for record in self.records]
        self.unplayed = [
            sum(not record.is_played for record in player.rounds) for player in players
        ]
        self.previous = [self._float(player, 1) for player in players]
        self.before_previous = [self._float(player, 2) for player in players]
        self.completion = lru_cache(maxsize=None)(self._completion)
        self.pairable = lru_cache(maxsize=None)(self._pairable)
        self.allowed = lru_cache(maxsize=None)(self._allowed)
        self.best_c5_c6_c7 = lru_cache(maxsize=None)(self._best_c5_c6_c7)
        self.pair_c10_to_c13 = lru_cache(maxsize=None)(self._pair_c10_to_c13)

    def _float(self, player: Player, rounds_ago: int) -> Float:
        return float_in_round(self.state, player, self.state.round_number - rounds_ago)

    # ------------------------------------------------------------------------- Article 1: the round

    def scoregroups_1_3_1(self) -> tuple[Group, ...]:
        """The scoregroups in descending order."""
        ranks = range(len(self.records))
        return tuple(
            tuple(rank for rank in ranks if self.scores[rank] == score)
            for score in sorted(set(self.scores), reverse=True)
        )

    def round_pairing_1_9(self) -> Pairing:
        """Pair bracket by bracket from the top; the last unpaired
        player has the bye [1.9.1, 1.9.2].
        """
        if self.completion(frozenset(range(len(self.records)))) is None:
            raise NoLegalPairingError
        pairs: list[tuple[Rank, Rank]] = []
        downfloaters: Group = ()
        scoregroups = self.scoregroups_1_3_1()
        for place, residents in enumerate(scoregroups):
            chosen = self.bracket_pairing_3(
                Bracket(downfloaters, residents, scoregroups[place + 1 :])
            )
            pairs += chosen.pairs
            downfloaters = chosen.downfloaters
        return self.published(pairs, downfloaters)

    def published(self, pairs: Sequence[tuple[Rank, Rank]], downfloaters: Group) -> Pairing:
        """Return the boards with their colours in the order of publication;
        the unpaired player has the bye.
        """
        boards = sorted((self.colours_5(*pair) for pair in pairs), key=board_key)
        bye = self.records[downfloaters[0]].tpn if downfloaters else None
        return Pairing(tuple((white.tpn, black.tpn) for white, black in boards), bye)

    def colours_5(self, one: Rank, other: Rank) -> tuple[PlayerRecord, PlayerRecord]:
        """White and Black of a pair by Article 5."""
        first, second = self.records[one], self.records[other]
        colour, _ = colour_of(first, second, self.state.initial_colour)
        return (first, second) if colour is Colour.WHITE else (second, first)

    # ------------------------------------------------------------------ Article 2.1-2.2: legal
    # pairings

    def _allowed(self, one: Rank, other: Rank) -> bool:
        """[C1] [C3] and the prohibited pairs."""
        return may_meet(self.records[one], self.records[other], self.state)

    def _completion(self, players: frozenset[Rank]) -> int | None:
        """Return the lowest score of the bye [C5] if *players* can be
        paired by the absolute criteria [C4].

        None: they cannot. :data:`NO_BYE`: they can, and their number is even. Every way is tried:
        the first player with each of the others, or with the bye if the number is odd [C2].
        """
        if not players:
            return NO_BYE
        first = min(players)
        rest = players - {first}
        found = [self.completion(rest - {other}) for other in rest if self.allowed(first, other)]
        if (
            len(players) % 2
            and not self.records[first].pab_barred
            and self.completion(rest) is not None
        ):
            found.append(self.scores[first])
        return min((score for score in found if score is not None), default=None)

    def _pairable(self, players: frozenset[Rank], mdps: frozenset[Rank]) -> bool:
        """Return whether *players* of one bracket can all be paired in it:
        an MDP only with a resident [3.3.3].
        """
        if not players:
            return True
        first = min(players)
        return any(
            self.allowed(first, other) and self.pairable(players - {first, other}, mdps)
            for other in players - {first}
            if not (first in mdps and other in mdps)
        )

    # ------------------------------------------------------ [C5]-[C9]: the value of a set of
    # downfloaters

    def c4_c5(self, bracket: Bracket, downfloaters: Group) -> int | None:
        """[C4] and [C5] of a candidate with these downfloaters:
        the score of the bye still possible.

        From the last bracket at most one player downfloats [1.9.1]. Two downfloaters who come down
        as MDPs together cannot be paired in a later bracket; this is ignored: among the fewest
        downfloaters with the best [C5] no two need it, or they would have been paired where they
        first floated (reading R13).
        """
        if not bracket.following and len(downfloaters) > 1:
            return None
        return self.completion(frozenset(downfloaters + bracket.not_reached))

    def c7(self, downfloaters: Group) -> Scores:
        """[C7] the scores of the downfloaters in descending order."""
        return tuple(sorted((self.scores[player] for player in downfloaters), reverse=True))

    def c8(self, bracket: Bracket, downfloaters: Group) -> tuple[int, int, Scores] | tuple[()]:
        """[C8] how well the following bracket, and only that,
        can comply with [C1]-[C7] (reading R2).
        """
        if not bracket.following:
            return ()
        return self.best_c5_c6_c7(
            Bracket(downfloaters, bracket.following[0], bracket.following[1:])
        )[0]

    def c9(self, bracket: Bracket, downfloaters: Group) -> int:
        """[C9] the unplayed games of the one downfloater who will have the bye (reading R3).

        The downfloater will have it if the score is the lowest that [C5] allows: then nobody below
        can have it.
        """
        if len(downfloaters) == 1 and self.scores[downfloaters[0]] == self.c4_c5(
            bracket, downfloaters
        ):
            return self.unplayed[downfloaters[0]]
        return 0

    def downfloater_sets(self, bracket: Bracket) -> Iterator[Group]:
        """Every set of players whose downfloating leaves a bracket that can be paired,
        the smallest first.
        """
        players = bracket.players
        for number in range(len(players) % 2, len(players) + 1, 2):
            for downfloaters in combinations(players, number):
                if self.pairable(
                    frozenset(players).difference(downfloaters), frozenset(bracket.mdps)
                ):
                    yield downfloaters

    def _best_c5_c6_c7(self, bracket: Bracket) -> tuple[tuple[int, int, Scores], tuple[Group, ...]]:
        """The best [C5], [C6], [C7] of the bracket's candidates,
        and the sets of downfloaters that reach them.

        It fixes MaxPairs [3.1.2], M1 [3.1.3] and which Limbos comply with [C7] [4.4.1].
        """
        found: dict[tuple[int, int, Scores], list[Group]] = {}
        lowest_bye = self.completion(frozenset(bracket.players + bracket.not_reached))
        for downfloaters in self.downfloater_sets(bracket):
            if found and len(downfloaters) > min(found)[1] and min(found)[0] == lowest_bye:
                break  # larger sets only from here on, and [C5] cannot get better: [C6] is worse
            bye = self.c4_c5(bracket, downfloaters)
            if bye is not None:
                found.setdefault((bye, len(downfloaters), self.c7(downfloaters)), []).append(
                    downfloaters
                )
        best = min(found)
        return best, tuple(found[best])

    # ------------------------------------------------------------- [C10]-[C21]: the value of the
    # pairs

    def _pair_c10_to_c13(self, one: Rank, other: Rank) -> tuple[int, int, int, int]:
        """What one pair adds to [C10], [C11], [C12], [C13],
        with the colours it gets by Article 5.
        """
        white, black = self.colours_5(one, other)
        given = ((white, Colour.WHITE), (black, Colour.BLACK))
        refused = [
            player.preference
            for player, colour in given
            if player.preference.colour is colour.opposite
        ]
        c10 = c11 = 0
        if white.is_topscorer or black.is_topscorer:
            c10 = sum(abs(player.colour_difference + _step(colour)) > 2 for player, colour in given)
            c11 = sum(player.colours[-2:] == (colour, colour) for player, colour in given)
        return (
            c10,
            c11,
            len(refused),
            sum(preference.strength >= Strength.STRONG for preference in refused),
        )

    def c14_to_c17(self, bracket: Bracket, candidate: Candidate) -> tuple[int, int, int, int]:
        """[C14]-[C17] how many resident downfloaters and MDP
        opponents had the same float before.
        """
        downfloating = [player for player in candidate.downfloaters if player in bracket.residents]
        upfloating = [resident for _, resident in candidate.mdp_pairs]
        return (
            sum(self.previous[player] is Float.DOWN for player in downfloating),
            sum(self.previous[player] is Float.UP for player in upfloating),
            sum(self.before_previous[player] is Float.DOWN for player in downfloating),
            sum(self.before_previous[player] is Float.UP for player in upfloating),
        )

    def c18_to_c21(
        self, bracket: Bracket, candidate: Candidate
    ) -> tuple[Scores, Scores, Scores, Scores]:
        """[C18]-[C21] the score differences, largest first, of MDPs and MDP
        opponents who had the same float before.

        An MDP in the Limbo has no opponent yet and counts as meeting a score one point (10 tenths)
        below the residents', which is worse than any pair could be (reading R5).
        """
        differences = [
            (mdp, other, self.scores[mdp] - self.scores[other])
            for mdp, other in candidate.mdp_pairs
        ]
        mdps = [(mdp, difference) for mdp, _, difference in differences]
        opponents = [(other, difference) for _, other, difference in differences]
        below = self.scores[bracket.residents[0]] - 10
        mdps += [
            (mdp, self.scores[mdp] - below) for mdp in candidate.downfloaters if mdp in bracket.mdps
        ]
        return (
            _descending(difference for mdp, difference in mdps if self.previous[mdp] is Float.DOWN),
            _descending(
                difference for other, difference in opponents if self.previous[other] is Float.UP
            ),
            _descending(
                difference for mdp, difference in mdps if self.before_previous[mdp] is Float.DOWN
            ),
            _descending(
                difference
                for other, difference in opponents
                if self.before_previous[other] is Float.UP
            ),
        )

    def c10_to_c21(self, bracket: Bracket, candidate: Candidate) -> tuple[object, ...]:
        """The values of [C10]-[C21] in order of priority, smaller is better."""
        counts = [self.pair_c10_to_c13(*pair) for pair in candidate.pairs]
        c10_to_c13 = tuple(sum(count[i] for count in counts) for i in range(4))
        return (
            c10_to_c13 + self.c14_to_c17(bracket, candidate) + self.c18_to_c21(bracket, candidate)
        )

    # ------------------------------------------------------------------------- Article 3: the
    # bracket

    def bracket_pairing_3(self, bracket: Bracket) -> Candidate:
        """Return the first perfect candidate [3.4.1], or the best,
        the earliest of equals [3.8.1].
        """
        best_downfloaters = self.best_c5_to_c9(bracket)
        best: tuple[object, ...] | None = None
        chosen: Candidate | None = None
        for candidate in self.candidates_3_3(bracket):
            if frozenset(candidate.downfloaters) not in best_downfloaters:
                continue  # another candidate is better by [C5]-[C9]
            value = self.c10_to_c21(bracket, candidate)
            if best is None or value < best:
                best, chosen = value, candidate
                if is_perfect(value):
                    break
        assert chosen is not None, (
            "a set of downfloaters that leaves a pairable bracket has a candidate"
        )
        return chosen

    def best_c5_to_c9(self, bracket: Bracket) -> frozenset[frozenset[Rank]]:
        """The sets of downfloaters with the best values of [C5]-[C9]."""
        sets = self.best_c5_c6_c7(bracket)[1]
        values = [
            (self.c8(bracket, downfloaters), self.c9(bracket, downfloaters))
            for downfloaters in sets
        ]
        best = min(values)
        return frozenset(frozenset(sets[i]) for i, value in enumerate(values) if value == best)

    def candidates_3_3(self, bracket: Bracket) -> Iterator[Candidate]:
        """All candidates with MaxPairs pairs, of which M1 MDP-Pairings,
        in the order of 3.6 and 3.7.
        """
        (_, number, scores), _ = self.best_c5_c6_c7(bracket)
        max_pairs = (len(bracket.players) - number) // 2
        if not bracket.mdps:
            for pairs, unpaired in self.homogeneous_3_6(bracket.residents, max_pairs):
                yield Candidate((), pairs, unpaired)
            return
        for s1, limbo in self.mdp_sets_4_4(bracket, scores):
            for mdp_pairs, remainder in self.transpositions_4_2(
                s1, bracket.residents, ordered=False
            ):
                for pairs, unpaired in self.homogeneous_3_6(remainder, max_pairs - len(s1)):
                    yield Candidate(mdp_pairs, pairs, limbo + unpaired)

    def homogeneous_3_6(self, players: Group, pairs: int) -> Iterator[tuple[Pairs, Group]]:
        """Pair a homogeneous bracket or a remainder: the pairs and the unpaired,
        transpositions inside exchanges.

        BSNs are the places in *players*, in a remainder too (reading R6) [4.1.1].
        """
        for s1, s2 in exchanges_4_3(len(players), pairs):
            yield from self.transpositions_4_2([players[i] for i in s1], [players[i] for i in s2])

    # ----------------------------------------------------------------------- Article 4: the
    # sequence

    def transpositions_4_2(
        self, s1: Sequence[Rank], s2: Sequence[Rank], *, ordered: bool = True
    ) -> Iterator[tuple[Pairs, Group]]:
        """Pair S1 with each transposition of S2 in lexicographic order;
        the rest of S2 is left over.

        Pairs that break [C1] or [C3] are left out. If *ordered*, pairs whose S1 player p ranks
        below the partner q are left out too: the same pairs have come before, with p and q
        exchanged. The reason depends on their original places. With q in S1 and p in S2, fewer BSNs
        are moved. With both in S1, p is moved out instead of q, a larger BSN. With both in S2, q is
        moved in instead of p, a smaller BSN. In each case the exchange comes earlier [4.3.2]. (p in
        S1 and q in S2 is impossible: p ranks below q.)
        """
        if not s1:
            yield (), tuple(sorted(s2))
            return
        for partner in s2:
            if (ordered and partner < s1[0]) or not self.allowed(s1[0], partner):
                continue
            left = [player for player in s2 if player != partner]
            for pairs, unpaired in self.transpositions_4_2(s1[1:], left, ordered=ordered):
                yield ((s1[0], partner), *pairs), unpaired

    def mdp_sets_4_4(self, bracket: Bracket, scores: Scores) -> Iterator[tuple[Group, Group]]:
        """Return the sets of pairable MDPs with their Limbo,
        by their smallest differing BSN [4.4.2].

        A set is valid if the Limbo has the scores required by [C7]: the scores of the best
        downfloaters (*scores*) that no resident has [4.4.1].
        """
        wanted = tuple(score for score in scores if score > self.scores[bracket.residents[0]])
        for s1 in combinations(bracket.mdps, len(bracket.mdps) - len(wanted)):
            limbo = tuple(mdp for mdp in bracket.mdps if mdp not in s1)
            if self.c7(limbo) == wanted:
                yield s1, limbo


@cache
def exchanges_4_3(players: int, pairs: int) -> tuple[tuple[Group, Group], ...]:
    """S1 and S2 (places from 0) of a homogeneous bracket:
    the original, then every exchange in order [4.3.2].
    """
    original = range(pairs)

    def order(s1: Group) -> tuple[int, int, list[int], list[int]]:
        to_s2 = sorted(set(original) - set(s1), reverse=True)
        to_s1 = sorted(set(s1) - set(original))
        return len(to_s1), sum(to_s1) - sum(to_s2), [-bsn for bsn in to_s2], to_s1

    s1_in_order = sorted(combinations(range(players), pairs), key=order)
    return tuple((s1, tuple(bsn for bsn in range(players) if bsn not in s1)) for s1 in s1_in_order)


def is_perfect(value: tuple[object, ...]) -> bool:
    """Return whether all of [C10]-[C21] are fulfilled: no count and no score difference [3.4.1]."""
    return not any(value)


def _step(colour: Colour) -> int:
    return 1 if colour is Colour.WHITE else -1


def _descending(differences: Iterable[int]) -> Scores:
    return tuple(sorted(differences, reverse=True))
