"""The FIDE Dutch System of 2017, word for word: the slow reference for the engine.

As ``literal_dutch`` for 2026: candidates are built in the order of sections B and D, each is judged
by section C, and the best and earliest is kept; a function has the number of its article. Rules
with the same words in both texts are taken from there: the right to meet (C.1, C.3), the colours
(section E) and their value (C.8-C.11), transpositions (D.1) and exchanges (D.2). The rules that
only A.8, A.9 and section C have are written here.

The shortcuts are those of ``literal_dutch``. In a bracket with residents of one score, the best of
[C.5]-[C.7] is found first, by trying every set of downfloaters; in a collapsed last bracket, where
the pairing score difference depends on the pairs too, every candidate is judged.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import Pairing, Player, TournamentState

from .literal_dutch import Bracket, Candidate, Group, LiteralDutch, Rank, Scores
from .literal_floats import Float, score_in_round

ONE_POINT = 10


def pair_literally_2017(state: TournamentState) -> Pairing:
    """Return the pairing of the round by the text;
    raise :class:`NoLegalPairingError` if none exists [A.9].
    """
    return LiteralDutch2017(state).round_pairing_a_9()


@dataclass(frozen=True, slots=True)
class LookAhead:
    """[C.7] the following bracket: the pairs it cannot make, then its pairing score difference."""

    unpaired: int
    difference: Scores

    def key(self) -> tuple[int, Scores]:
        return self.unpaired, self.difference


class LiteralDutch2017(LiteralDutch):
    """One round to pair: the players by rank, and the articles as methods."""

    # -------------------------------------------------------------------- A.4.b: floats, C.2: the
    # bye

    def _float(self, player: Player, rounds_ago: int) -> Float:
        """[A.4.b] A player who does not play, for whatever reason, also receives a downfloat."""
        number = self.state.round_number - rounds_ago
        if number < 1:
            return Float.NONE
        record = player.rounds[number - 1]
        if not record.is_played:
            return Float.DOWN
        opponent = next(other for other in self.state.players if other.tpn == record.opponent)
        own, theirs = (score_in_round(self.state, one, number) for one in (player, opponent))
        if own == theirs:
            return Float.NONE
        return Float.DOWN if own > theirs else Float.UP

    def may_have_the_bye_c2(self, player: Rank) -> bool:
        return not self.records[player].pab_barred

    # --------------------------------------------------------------------- A.8: pairing score
    # difference

    def psd_a_8(self, bracket: Bracket, candidate: Candidate) -> Scores:
        """Return the score differences of pairs and downfloaters,
        from the highest to the lowest.
        """
        pairs = [abs(self.scores[one] - self.scores[other]) for one, other in candidate.pairs]
        floats = [self.downfloater_sd_a_8(bracket, player) for player in candidate.downfloaters]
        return tuple(sorted(pairs + floats, reverse=True))

    def downfloater_sd_a_8(self, bracket: Bracket, player: Rank) -> int:
        """Return the difference to an artificial value one point below
        the lowest ranked player of the bracket.
        """
        return self.scores[player] - (self.scores[max(bracket.players)] - ONE_POINT)

    def psd_of_downfloaters(self, bracket: Bracket, downfloaters: Group) -> Scores:
        """Return the same if the residents have one score,
        so that only the downfloaters make a difference.
        """
        paired = [mdp for mdp in bracket.mdps if mdp not in downfloaters]
        resident_score = self.scores[bracket.residents[0]]
        differences = [self.scores[mdp] - resident_score for mdp in paired]
        differences += [self.downfloater_sd_a_8(bracket, player) for player in downfloaters]
        pairs = (len(bracket.players) - len(downfloaters)) // 2
        differences += [0] * (pairs - len(paired))
        return tuple(sorted(differences, reverse=True))

    # ------------------------------------------------------------------------------ A.9: the round

    def completes_a_9(self, players: frozenset[Rank]) -> bool:
        """Return whether *players* can all be paired by [C.1]-[C.3],
        except at most one with the bye.
        """
        return self.completion(players) is not None

    def round_pairing_a_9(self) -> Pairing:
        if not self.completes_a_9(frozenset(range(len(self.records)))):
            raise NoLegalPairingError("C.04.3 A.9")
        pairs: list[tuple[Rank, Rank]] = []
        downfloaters: Group = ()
        scoregroups = self.scoregroups_1_3_1()
        for place, residents in enumerate(scoregroups):
            bracket = Bracket(downfloaters, residents, scoregroups[place + 1 :])
            if not bracket.following:
                chosen = self.last_bracket(bracket)
            else:
                chosen = self.bracket_pairing_b(bracket, self.best_c5_c6_c7_2017(bracket))
                if not self.completes_a_9(frozenset(chosen.downfloaters + bracket.not_reached)):
                    # This bracket is the PPB; all below it, with its downfloaters, is the CLB.
                    chosen = self.bracket_pairing_b(bracket, self.best_c4_c5_c6(bracket))
                    pairs += chosen.pairs
                    chosen = self.last_bracket(
                        Bracket(chosen.downfloaters, bracket.not_reached, ())
                    )
                    return self.published([*pairs, *chosen.pairs], chosen.downfloaters)
            pairs += chosen.pairs
            downfloaters = chosen.downfloaters
        return self.published(pairs, downfloaters)

    # -------------------------------------------------------- C.4-C.7: the value of a set of
    # downfloaters

    def best_c5_c6_c7_2017(self, bracket: Bracket) -> frozenset[frozenset[Rank]]:
        """The best sets of downfloaters of an ordinary bracket."""
        best: dict[tuple[object, ...], list[Group]] = {}
        for downfloaters in self.downfloater_sets(bracket):
            if best and len(downfloaters) > min(map(len, next(iter(best.values())))):
                break  # more downfloaters only from here on [C.5]
            psd = self.psd_of_downfloaters(bracket, downfloaters)
            best.setdefault((psd, self.c7_2017(bracket, downfloaters).key()), []).append(
                downfloaters
            )
        return frozenset(frozenset(one) for one in best[min(best)])

    def c7_2017(self, bracket: Bracket, downfloaters: Group) -> LookAhead:
        """[C.7] the fewest unpaired, then the lowest PSD, of the following bracket,
        whatever comes after it.

        If it is the last one, its pairing includes the bye: an unpaired player must be allowed to
        have it [A.9, C.2], and only one player can be left unpaired.
        """
        following = Bracket(downfloaters, bracket.following[0], bracket.following[1:])
        found = []
        for left in self.downfloater_sets(following):
            if found and len(left) > found[0].unpaired:
                break
            if not following.following and not self.may_be_left_last(left):
                continue
            found.append(LookAhead(len(left), self.psd_of_downfloaters(following, left)))
        if not found:
            return LookAhead(len(self.records) + 1, ())
        return min(found, key=LookAhead.key)

    def may_be_left_last(self, left: Group) -> bool:
        return not left or (len(left) == 1 and self.may_have_the_bye_c2(left[0]))

    def best_c4_c5_c6(self, bracket: Bracket) -> frozenset[frozenset[Rank]]:
        """Return the best sets of downfloaters of the penultimate bracket,
        which must complete the round.
        """
        best: dict[Scores, list[Group]] = {}
        for downfloaters in self.downfloater_sets(bracket):
            if best and len(downfloaters) > min(map(len, next(iter(best.values())))):
                break
            if self.completes_a_9(frozenset(downfloaters + bracket.not_reached)):
                best.setdefault(self.psd_of_downfloaters(bracket, downfloaters), []).append(
                    downfloaters
                )
        return frozenset(frozenset(one) for one in best[min(best)])

    # ------------------------------------------------------------------- C.8-C.19: the value of the
    # pairs

    def c8_to_c19(self, bracket: Bracket, candidate: Candidate) -> tuple[object, ...]:
        """The values of [C.8]-[C.19] in order of priority, smaller is better."""
        counts = [self.pair_c10_to_c13(*pair) for pair in candidate.pairs]
        colours = tuple(sum(count[i] for count in counts) for i in range(4))
        downs = [
            (player, self.downfloater_sd_a_8(bracket, player)) for player in candidate.downfloaters
        ]
        ups = []
        for pair in candidate.pairs:
            higher, lower = sorted(pair)
            difference = self.scores[higher] - self.scores[lower]
            if difference:
                downs.append((higher, difference))
                ups.append((lower, difference))
        lists = []
        for floats in (self.previous, self.before_previous):
            lists.append(
                sorted((sd for player, sd in downs if floats[player] is Float.DOWN), reverse=True)
            )
            lists.append(
                sorted((sd for player, sd in ups if floats[player] is Float.UP), reverse=True)
            )
        return (*colours, *map(len, lists), *lists)

    # ------------------------------------------------------------------------- B: the bracket

    def bracket_pairing_b(self, bracket: Bracket, sets: frozenset[frozenset[Rank]]) -> Candidate:
        """The best candidate with one of these *sets* of downfloaters,
        the earliest of equals [B.8].
        """
        number = len(next(iter(sets)))
        limbo = {len(one & set(bracket.mdps)) for one in sets}
        assert len(limbo) == 1, "the pairing score difference fixes how many MDPs are paired"
        candidates = self.candidates_b(
            bracket, (len(bracket.players) - number) // 2, len(bracket.mdps) - limbo.pop()
        )
        return min(
            (candidate for candidate in candidates if frozenset(candidate.downfloaters) in sets),
            key=lambda candidate: self.c8_to_c19(bracket, candidate),
        )

    def last_bracket(self, bracket: Bracket) -> Candidate:
        """Return the pairing of the last bracket, which completes the round;
        [C.2] applies to the unpaired player.

        M1 is the largest number of MDPs that the best [C.6] allows [B.1.c] (reading R7).
        """
        pairs = len(bracket.players) // 2
        best: dict[tuple[Scores, int], list[Candidate]] = {}
        for paired_mdps in range(len(bracket.mdps), -1, -1):
            for candidate in self.candidates_b(bracket, pairs, paired_mdps):
                if self.may_be_left_last(candidate.downfloaters):
                    value = (self.psd_a_8(bracket, candidate), -paired_mdps)
                    best.setdefault(value, []).append(candidate)
        return min(best[min(best)], key=lambda candidate: self.c8_to_c19(bracket, candidate))

    def candidates_b(self, bracket: Bracket, pairs: int, paired_mdps: int) -> Iterator[Candidate]:
        """All candidates with MaxPairs *pairs*, M1 of them with MDPs,
        in the order of B.6 and B.7.
        """
        if pairs < paired_mdps or len(bracket.residents) < paired_mdps:
            return
        for s1, limbo in self.mdp_sets_d_3(bracket, paired_mdps):
            for mdp_pairs, remainder in self.transpositions_4_2(
                s1, bracket.residents, ordered=False
            ):
                if len(remainder) >= 2 * (pairs - paired_mdps):
                    for resident_pairs, unpaired in self.homogeneous_3_6(
                        remainder, pairs - paired_mdps
                    ):
                        yield Candidate(mdp_pairs, resident_pairs, limbo + unpaired)

    def mdp_sets_d_3(self, bracket: Bracket, paired_mdps: int) -> Iterator[tuple[Group, Group]]:
        """S1 and the Limbo: the original ones first, then every exchange in order [D.3].

        First the S1 with the highest different score, then with the lowest different BSN.
        """

        def order(s1: Group) -> tuple[list[int], Group]:
            return [-self.scores[mdp] for mdp in s1], s1

        for s1 in sorted(combinations(bracket.mdps, paired_mdps), key=order):
            yield s1, tuple(mdp for mdp in bracket.mdps if mdp not in s1)
