"""The Dutch System before July 2017, step by step: the slow reference for the engine.

Every pairing of a bracket is built in the order of D1-D3, the requirements of C3 are lowered one at
a time by C10, and C12-C14 go back and give up as the text says; no matching, no cost. A function
has the number of its article. For up to about 8 players. The data of the records (scores, colours,
meetings) come from the checker's reading, never from the engine; docs/rules (P1-P7) has the
readings.

One shortcut: at C10 the requirements are not tried one reading after the other if none of the
remaining pairings could meet the next one (see :func:`lowering_c10`).
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, groupby, permutations

from pairing.engine.checker.board_order import board_key
from pairing.engine.checker.records import PlayerRecord, Preference, Strength, read_records
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import Colour, Pairing, Player, Result, TournamentState

from .literal_dutch_pre2017_brackets import (
    Bracket,
    Candidate,
    Done,
    Pairs,
    Rank,
    Ranks,
    exchanges_d2,
    left_over,
    with_floaters,
)

DOWN, UP, NONE = "down", "up", "none"


# -- A: the data of a player -----------------------------------------------------------------------


class Literal:
    """One round."""

    def __init__(self, state: TournamentState) -> None:
        self.state = state
        records = read_records(state)
        self.players = [record for record in records.values() if record.present]
        self.given = {player.tpn: player for player in state.players}
        self.odd_round = state.round_number % 2 == 1
        self.done: list[Done] = []

    def bars_b1_b(self, player: Player, index: int) -> bool:
        """B1.b, A5: a point or half a point without play, or the bye."""
        record = player.rounds[index]
        if record.is_played:
            return False
        points = self.state.points
        worth = points.value(record.result)
        return record.result is Result.PAIRING_ALLOCATED_BYE or worth >= max(
            points.draw, points.loss + 1
        )

    def bye_allowed(self, rank: Rank) -> bool:
        player = self.given[self.players[rank].tpn]
        return not any(self.bars_b1_b(player, index) for index in range(len(player.rounds)))

    def float_a4(self, rank: Rank, rounds_ago: int) -> str:
        """A4, B1.b."""
        index = self.state.round_number - rounds_ago - 1
        if index < 0:
            return NONE
        player = self.given[self.players[rank].tpn]
        record = player.rounds[index]
        if self.bars_b1_b(player, index):
            return DOWN
        if not record.is_played or record.opponent is None:
            return NONE
        own, theirs = (
            self._score_before(one, index) for one in (player, self.given[record.opponent])
        )
        return DOWN if own > theirs else UP if own < theirs else NONE

    def _score_before(self, player: Player, index: int) -> int:
        points = sum(self.state.points.value(record.result) for record in player.rounds[:index])
        return points + player.virtual_points_in(index + 1)

    def preference(self, rank: Rank) -> Preference:
        return self.players[rank].preference

    def may_meet(self, one: Rank, other: Rank) -> bool:
        """B1.a, B2 (not with a topscorer, A10), and the arbiter's prohibitions."""
        a, b = self.players[one], self.players[other]
        if b.tpn in a.met or frozenset((a.tpn, b.tpn)) in self.state.prohibited:
            return False
        return a.is_topscorer or b.is_topscorer or not self.breaks_b2(one, other)

    def same_colour(self, one: Rank, other: Rank) -> bool:
        colour = self.preference(one).colour
        return colour is not None and colour is self.preference(other).colour

    def breaks_b2(self, one: Rank, other: Rank) -> bool:
        absolute = all(self.preference(rank).strength is Strength.ABSOLUTE for rank in (one, other))
        return absolute and self.same_colour(one, other)

    def same_strong_colour(self, one: Rank, other: Rank) -> bool:
        strong = all(
            self.preference(rank).strength in (Strength.STRONG, Strength.ABSOLUTE)
            for rank in (one, other)
        )
        return strong and self.same_colour(one, other)

    # -- A8 ----------------------------------------------------------------------------------------

    def x1_a8(self, everybody: Ranks, p0: int) -> int:
        """A8.a, as the text computes it."""
        mild = [
            rank
            for rank in everybody
            if not self.odd_round and self.preference(rank).strength is Strength.MILD
        ]
        others = [rank for rank in everybody if rank not in mild]
        w, b = (self._wanting(mild, colour) for colour in (Colour.WHITE, Colour.BLACK))
        white, black = (self._wanting(others, colour) for colour in (Colour.WHITE, Colour.BLACK))
        a = self._wanting(everybody, None)
        x1 = p0 - white - w - a if black + b > white + w else p0 - black - b - a
        return max(0, x1)

    def z1_a8(self, everybody: Ranks, p0: int) -> int:
        """A8.b, for even rounds."""
        mild = [rank for rank in everybody if self.preference(rank).strength is Strength.MILD]
        others = [rank for rank in everybody if rank not in mild]
        w, b = (self._wanting(mild, colour) for colour in (Colour.WHITE, Colour.BLACK))
        white, black = (self._wanting(others, colour) for colour in (Colour.WHITE, Colour.BLACK))
        a = self._wanting(everybody, None)
        z1 = p0 - white - b - w - a if black > white else p0 - black - b - w - a
        return max(0, z1)

    def _wanting(self, ranks: Sequence[Rank], colour: Colour | None) -> int:
        return sum(self.preference(rank).colour is colour for rank in ranks)

    # -- C3, C10: the requirements -----------------------------------------------------------------

    def homogeneous_a3(self, bracket: Bracket) -> bool:
        """A3: also with half of the players, or more, from above."""
        return not bracket.moved or len(bracket.moved) >= len(bracket.residents)

    def wheels_c10(self, bracket: Bracket) -> list[Callable[[Candidate], int]]:
        """Return what each requirement counts; the requirement given up last comes first."""

        def pairs(broken: Callable[[Rank, Rank], bool]) -> Callable[[Candidate], int]:
            return lambda candidate: sum(broken(*pair) for pair in candidate.pairs)

        def downfloats(rounds_ago: int) -> Callable[[Candidate], int]:
            return lambda candidate: sum(
                self.float_a4(rank, rounds_ago) == DOWN for rank in candidate.left
            )

        def upfloats(rounds_ago: int) -> Callable[[Candidate], int]:
            return lambda candidate: sum(
                self.float_a4(lower, rounds_ago) == UP
                for _, lower in candidate.pairs[: candidate.heterogeneous]
            )

        wheels = [pairs(self.breaks_b2)]
        if self.odd_round:
            wheels.append(
                pairs(
                    lambda one, two: (
                        self.same_strong_colour(one, two) and not self.breaks_b2(one, two)
                    )
                )
            )
            wheels.append(pairs(self.same_colour))
        else:
            wheels.append(pairs(self.same_colour))
            wheels.append(pairs(self.same_strong_colour))
        wheels += [downfloats(1), downfloats(2), upfloats(1), upfloats(2)]
        return [self.b3_factor_d4, *wheels] if bracket.is_lowest else wheels

    def starts_c3(self, bracket: Bracket, p1: int) -> list[int]:
        """Return where the counting begins: X and Z at X1 and Z1, decreased with P1 (C14)."""
        p0 = len(bracket.everybody) // 2
        given_up = p0 - p1
        x1 = max(0, self.x1_a8(bracket.everybody, p0) - given_up)
        z1 = max(0, self.z1_a8(bracket.everybody, p0) - given_up)
        colours = [0, x1] if self.odd_round else [x1, z1]
        starts = [0, *colours, 0, 0, 0, 0]
        return [0, *starts] if bracket.is_lowest else starts

    def b3_factor_d4(self, candidate: Candidate) -> int:
        """D4: the sum of the squared differences; the bye is an
        opponent one point below the last player.
        """
        score = [player.score for player in self.players]
        factor = sum((score[one] - score[other]) ** 2 for one, other in candidate.pairs)
        return factor + sum((score[rank] - (score[-1] - 10)) ** 2 for rank in candidate.left)

    def pairings(self, bracket: Bracket, p1: int, m1: int) -> Iterator[Candidate]:
        """C3-C10: yield the pairings with P1 pairs and M1 of the
        moved-down players (0: homogeneous).

        They come in the order in which the text accepts them.
        """
        if p1 < 1:
            return
        wheels, starts = self.wheels_c10(bracket), self.starts_c3(bracket, p1)
        numbers: dict[Candidate, list[int]] = {}
        waiting = []
        for candidate in self.candidates_c6(bracket, p1, m1):
            numbers[candidate] = [wheel(candidate) for wheel in wheels]
            if all(
                number <= start for number, start in zip(numbers[candidate], starts, strict=True)
            ):
                yield candidate
            else:
                waiting.append(candidate)
        yield from lowering_c10(waiting, numbers, starts, 0)

    # -- C4-C9, D: every pairing in its order ------------------------------------------------------

    def candidates_c6(self, bracket: Bracket, p1: int, m1: int) -> Iterator[Candidate]:
        seen = set()
        for candidate in self._generated(bracket, p1, m1):
            key = frozenset(candidate.pairs)
            if key in seen or (
                bracket.is_lowest and not all(self.bye_allowed(rank) for rank in candidate.left)
            ):
                continue
            seen.add(key)
            yield candidate

    def _generated(self, bracket: Bracket, p1: int, m1: int) -> Iterator[Candidate]:
        if not m1:
            for pairs in self.homogeneous(bracket.everybody, p1):
                yield Candidate(pairs, 0, left_over(bracket.everybody, pairs))
            return
        for s1 in combinations(bracket.moved, m1):  # D3
            for partners in permutations(bracket.residents, m1):  # D1.2
                first = tuple(zip(s1, partners, strict=True))
                if p1 < m1 or not all(self.may_meet(*pair) for pair in first):
                    continue
                remainder = tuple(rank for rank in bracket.everybody if rank not in s1 + partners)
                for pairs in self.homogeneous(remainder, p1 - m1):
                    yield Candidate(first + pairs, m1, left_over(remainder, pairs))

    def homogeneous(self, players: Ranks, count: int) -> Iterator[Pairs]:
        """C4, C6-C8: transpositions (D1.1) for each exchange (D2)."""
        if count == 0:
            yield ()
            return
        for s1 in exchanges_d2(len(players), count):
            top = [players[place] for place in s1]
            rest = [player for player in players if player not in top]
            for partners in permutations(rest, count):
                pairs = tuple((min(pair), max(pair)) for pair in zip(top, partners, strict=True))
                if all(self.may_meet(*pair) for pair in pairs):
                    yield pairs

    # -- C1, C2, C12, C14: a bracket ---------------------------------------------------------------

    def pair_bracket(self, floating: Ranks, residents: Ranks) -> None:
        """A bracket that is not the lowest, appended to ``done``."""
        bracket, taken_out = self.c1(Bracket(floating, residents, floating))
        p0 = p1 = len(bracket.everybody) // 2
        m1 = 0 if self.homogeneous_a3(bracket) else len(bracket.moved)
        while p1:
            found = next(self.pairings(bracket, p1, m1), None)
            if found is not None:
                self.done.append(Done(bracket, taken_out, found, p1, m1))
                return
            other = self.c12(bracket, residents, p1, m1)
            if other is not None:
                self.done[-1] = other
                self.without_backtracking(other.floaters, residents)
                return
            p1, m1 = self.c14(bracket, p0, p1, m1)
        self.done.append(Done(bracket, taken_out, Candidate((), 0, bracket.everybody), 0, 0))

    def without_backtracking(self, floating: Ranks, residents: Ranks) -> None:
        previous, self.done = self.done, []
        self.pair_bracket(floating, residents)
        self.done = previous + self.done

    def c1(self, bracket: Bracket) -> tuple[Bracket, Ranks]:
        """C1: residents without any opponent move down at once."""
        out = tuple(
            rank
            for rank in bracket.residents
            if not any(rank != other and self.may_meet(rank, other) for other in bracket.everybody)
        )
        stay = tuple(rank for rank in bracket.residents if rank not in out)
        return Bracket(bracket.moved, stay, bracket.floating, bracket.is_lowest), out

    def c12(self, bracket: Bracket, residents: Ranks, p1: int, m1: int) -> Done | None:
        """C12: another set of the same size from the bracket before that lets P1 pairs be made."""
        if not self.done or not bracket.floating:
            return None
        for other in self.going_on(self.done[-1]):
            if other.floaters != bracket.floating and self.allows(
                other.floaters, residents, p1, m1
            ):
                return other
        return None

    def going_on(self, previous: Done) -> Iterator[Done]:
        """Return all pairings of the bracket before with its P1 and M1, in order."""
        for candidate in self.pairings(previous.bracket, previous.p1, previous.m1):
            yield Done(previous.bracket, previous.taken_out, candidate, previous.p1, previous.m1)

    def allows(self, floating: Ranks, residents: Ranks, p1: int, m1: int) -> bool:
        bracket = Bracket(floating, residents, floating)
        if not m1:
            return any(True for _ in self.homogeneous(bracket.everybody, p1))
        return any(True for _ in self.candidates_c6(bracket, p1, m1))

    def c14(self, bracket: Bracket, p0: int, p1: int, m1: int) -> tuple[int, int]:
        """C14: P1 one lower; or M1, where the remainder was never reached."""
        if not m1:
            return p1 - 1, 0
        if any(True for _ in self.candidates_c6(bracket, m1, m1)):
            return p1 - 1, m1
        return p0, m1 - 1

    # -- C13: the lowest bracket -------------------------------------------------------------------

    def pair_lowest(self, lowest: Bracket) -> None:
        while True:
            if self.lowest_with_c12(lowest):
                return
            if not self.done:
                raise NoLegalPairingError
            for other in self.penultimate_c13(self.done[-1]):
                found = self.best_of_lowest(with_floaters(lowest, other.floaters))
                if found is not None:
                    self.done[-1:] = [other, found]
                    return
            previous = self.done.pop()
            own = tuple(rank for rank in lowest.moved if rank not in lowest.floating)
            added = previous.bracket.everybody + previous.taken_out
            lowest = Bracket(
                moved=tuple(sorted(added)),
                residents=tuple(sorted(own + lowest.residents)),
                floating=previous.bracket.floating,
                is_lowest=True,
            )

    def penultimate_c13(self, previous: Done) -> Iterator[Done]:
        """Return the pairings of the penultimate bracket with P1 pairs, then with fewer,
        until P becomes zero.
        """
        for p1 in range(previous.p1, 0, -1):
            for candidate in self.pairings(previous.bracket, p1, previous.m1):
                yield Done(previous.bracket, previous.taken_out, candidate, p1, previous.m1)

    def lowest_with_c12(self, lowest: Bracket) -> bool:
        """C2-C12, and C13's lowering of M1."""
        to_c13 = self.first_incompatible(lowest) in lowest.residents
        for m1 in self.m1_of_lowest(lowest):
            found = self.lowest_at(lowest, m1)
            if found is not None:
                self.done.append(found)
                return True
            if to_c13 or not self.done or not lowest.floating:
                continue
            for other in self.going_on(self.done[-1]):
                again = with_floaters(lowest, other.floaters)
                if other.floaters != lowest.floating and self.lowest_at(again, m1) is not None:
                    found = self.best_of_lowest(again)
                    assert found is not None
                    self.done[-1:] = [other, found]
                    return True
        return False

    def first_incompatible(self, lowest: Bracket) -> Rank | None:
        """C1, with the bye counted as an opponent."""
        everybody = lowest.everybody
        for rank in everybody:
            if len(everybody) % 2 and self.bye_allowed(rank):
                continue
            if not any(rank != other and self.may_meet(rank, other) for other in everybody):
                return rank
        return None

    def m1_of_lowest(self, lowest: Bracket) -> list[int]:
        return [0] if self.homogeneous_a3(lowest) else list(range(len(lowest.moved), -1, -1))

    def lowest_at(self, lowest: Bracket, m1: int) -> Done | None:
        p0 = len(lowest.everybody) // 2
        if p0 == 0:
            if lowest.everybody and not self.bye_allowed(lowest.everybody[0]):
                return None
            return Done(lowest, (), Candidate((), 0, lowest.everybody), 0, 0)
        found = next(self.pairings(lowest, p0, m1), None)
        return None if found is None else Done(lowest, (), found, p0, m1)

    def best_of_lowest(self, lowest: Bracket) -> Done | None:
        for m1 in self.m1_of_lowest(lowest):
            found = self.lowest_at(lowest, m1)
            if found is not None:
                return found
        return None

    # -- E, F --------------------------------------------------------------------------------------

    def colours_e(self, one: Rank, other: Rank) -> tuple[Rank, Rank]:
        """White, then Black."""
        higher, lower = self.players[min(one, other)], self.players[max(one, other)]
        white = self.colour_of_higher(higher, lower) is Colour.WHITE
        return (min(one, other), max(one, other)) if white else (max(one, other), min(one, other))

    def colour_of_higher(self, higher: PlayerRecord, lower: PlayerRecord) -> Colour:
        mine, theirs = higher.preference, lower.preference
        if mine.colour is None and theirs.colour is None:  # E5
            assert higher.number is not None
            return (
                self.state.initial_colour
                if higher.number % 2
                else self.state.initial_colour.opposite
            )
        if mine.colour is None:  # E1, A7.f
            assert theirs.colour is not None
            return theirs.colour.opposite
        if theirs.colour is not mine.colour:  # E1
            return mine.colour
        if mine.strength is not theirs.strength:  # E2
            return mine.colour if mine.strength > theirs.strength else mine.colour.opposite
        shortest = min(len(higher.colours), len(lower.colours))
        for back in range(1, shortest + 1):  # E3
            if higher.colours[-back] is not lower.colours[-back]:
                return higher.colours[-back].opposite
        return mine.colour  # E4

    def answer(self) -> Pairing:
        pairs = [self.colours_e(*pair) for done in self.done for pair in done.candidate.pairs]
        boards = sorted(
            ((self.players[white], self.players[black]) for white, black in pairs), key=board_key
        )
        left = self.done[-1].candidate.left
        return Pairing(
            tuple((white.tpn, black.tpn) for white, black in boards),
            self.players[left[0]].tpn if left else None,
        )


def pair_literally(state: TournamentState, read: type[Literal] = Literal) -> Pairing:
    """Return the pairing of the round by the text, or by the reading *read*.

    Raises :class:`NoLegalPairingError`.
    """
    literal = read(state)
    if not literal.players:
        return Pairing(())
    ranks = range(len(literal.players))
    groups = [
        tuple(group) for _, group in groupby(ranks, key=lambda rank: literal.players[rank].score)
    ]
    floating: Ranks = ()
    for residents in groups[:-1]:
        literal.pair_bracket(floating, residents)
        floating = literal.done[-1].floaters
    literal.pair_lowest(Bracket(floating, groups[-1], floating, is_lowest=True))
    return literal.answer()


def lowering_c10(
    candidates: Sequence[Candidate],
    numbers: dict[Candidate, list[int]],
    starts: Sequence[int],
    wheel: int,
) -> Iterator[Candidate]:
    """C10: turn the last wheel first; after a full turn,
    turn the wheel before it by one and start again.

    The pairings are yielded, in their order, at the first reading that none of their numbers
    exceeds. A wheel is not turned to a value at which it accepts no pairing that it refused before:
    no new pairing can be found there.
    """
    if wheel == len(starts):
        yield from candidates
        return
    waiting = list(candidates)
    reading = starts[wheel]
    while waiting:
        through = [candidate for candidate in waiting if numbers[candidate][wheel] <= reading]
        yield from lowering_c10(through, numbers, starts, wheel + 1)
        waiting = [candidate for candidate in waiting if candidate not in through]
        if waiting:
            reading = min(numbers[candidate][wheel] for candidate in waiting)
