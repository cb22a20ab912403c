"""Find the smallest sufficient change of published pairings in each situation [C.04.2/2026 4.4].

A change is sufficient if the boards and the bye that the situation concerns no longer stay, nobody
meets an opponent again, nobody gets a second allocated bye, and no prohibited pair and no third
colour in a row arises. If every such change has a third colour or a colour difference beyond ±2, as
few as possible arise. The smallest change breaks up the fewest published games; then the allocated
bye stays if it can; then as few strong, then mild colour preferences as possible are refused; then
the differences of score are smallest, and then those of the board numbers.

For a late entry a board decided by forfeit does not count: its player may get the late entry as
opponent. Of two changes that break up equally many games, the change that leaves such boards as
they are is smaller. Players whom nobody has seen are not proposed as opponents.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from itertools import combinations
from typing import assert_never

from pairing.engine.basics.board_order import publication_order
from pairing.engine.matching.weighted import minimum_cost_perfect_matching
from pairing.engine.model import TPN, Points

from .published import (
    FORFEITS,
    Arrangement,
    Published,
    Situation,
    boards_corrected,
    boards_met_again,
    changed_boards,
    new_pairs,
    perhaps_away,
    with_bye,
    without_opponent,
)

BYE, NO_PLACE = TPN(0), TPN(-1)
"""In the search, the partners of the player with the allocated bye,
and of a missing player who loses the place.
"""


FEW = 6
"""With more boards decided by forfeit, the whole round is
searched at once instead of board by board.
"""


class Bye(Enum):
    """Whether the allocated bye may go to another player."""

    MAY_MOVE = auto()
    STAYS = auto()
    MOVES = auto()


@dataclass(frozen=True, slots=True)
class Proposal:
    """The round after the change; ``games`` are the published boards that change.

    ``breaches`` counts the players who get a third colour in a row or a colour difference beyond
    ±2.
    """

    after: Arrangement
    games: tuple[int, ...]
    breaches: int


def proposal(
    published: Published,
    situation: Situation,
    *,
    concerned: Collection[int] = (),
    new: Collection[TPN] | None = None,
    chosen: Collection[TPN] = (),
    within: Collection[int] | None = None,
) -> Proposal | None:
    """Return the smallest sufficient change in *situation*;
    None if there is none, or nothing says what must change.

    *concerned* are the boards that the regulations or the event concern (4.4.2, 4.4.5), *new* the
    late entries to admit (4.4.4; if None, all who have arrived). *chosen* are the players among
    whom the arbiter looks for opponents (4.4.3, 4.4.4); empty: all. *within* are the only other
    top boards that may change (4.4.5); None: all. In the other situations the data say it. Cost:
    see :func:`repaired`.
    """
    now = published.now
    match situation:
        case Situation.ALREADY_MET:
            return repaired(published, boards_met_again(published))
        case Situation.ABSOLUTE_CRITERION:
            return repaired(published, published.broken, may_swap_colours=True)
        case Situation.REGULATIONS:
            return repaired(published, now.boards.keys() & {*concerned})
        case Situation.TOP_BOARDS:
            top = top_boards(published)
            few = [n for n in top if within is None or n in within]
            return repaired(published, {*top} & {*concerned}, within=few)
        case Situation.LATE_ENTRY:
            return _admitting(published, new, frozenset(chosen) - published.late)
        case Situation.WITHOUT_OPPONENT:
            return _two_alone(published, frozenset(chosen))
        case Situation.CORRECTION:
            return _as_follows(published)
        case _:
            assert_never(situation)


def top_boards(published: Published) -> list[int]:
    """Return the top boards that were named before the last round [C.04.2/2026 4.4.5]."""
    return [n for n in published.now.boards if n <= published.top_boards]


def with_each_top_board(published: Published, concerned: Collection[int]) -> dict[int, Proposal]:
    """Return the changes of the boards *concerned* with each other top board alone, by its number.

    The Chief Arbiter chooses from them, as the rule names no order [C.04.2/2026 4.4.5]. The cost is
    that of :func:`proposal` for each top board.
    """
    others = [n for n in top_boards(published) if n not in concerned]
    found = {
        n: proposal(published, Situation.TOP_BOARDS, concerned=concerned, within=[n])
        for n in others
    }
    return {n: one for n, one in found.items() if one is not None and n in one.games}


def repaired(
    published: Published,
    freed: Collection[int | None],
    *,
    new: Collection[TPN] = (),
    within: Collection[int] | None = None,
    may_swap_colours: bool = False,
    bye: Bye = Bye.MAY_MOVE,
    avoid: Collection[TPN] = (),
) -> Proposal | None:
    """Return the smallest change after which no board of *freed* stays (None:
    the allocated bye) and *new* have places.

    None if there is none. Only boards *within*, if given, may change. With *may_swap_colours* the
    players of a freed board may stay together with other colours. Played boards stay. A missing
    player of a board that changes loses the place; if the board was freed, the opponent gets
    another one, and not the bye. Nobody of *avoid* gets an opponent or the bye. If there are *new*
    players, a board decided by forfeit does not count as a game that is broken up.

    Proof: a change is a perfect matching of the players and of one or two more vertices: the bye,
    and no place at all. Missing players may also be matched with each other, and the two vertices
    too. Pairs that stay cost nothing. Any other pair costs a whole number whose digits, in a base
    that no sum reaches, are the criteria in their order; the games broken up are counted by their
    players. So the cheapest matching is the smallest change.

    A change without breaches that breaks up no other game is found among the freed boards alone,
    one that breaks up one other game among these and one more board; both are tried first, because
    they are the usual ones. Boards without a game take part in both. Cost: a matching of a few
    players for each board, rarely one matching of the whole round.
    """
    played = {n for n, result in published.results.items() if result not in {"", *FORFEITS}}
    if (not freed and not new) or played & {*freed}:
        return None
    search = _Search(
        published,
        frozenset(freed),
        frozenset(new),
        may_swap_colours=may_swap_colours,
        bye=bye,
        avoid=frozenset(avoid),
    )
    others = [n for n in published.now.boards if n not in {*freed, *played}]
    if within is not None:
        others = [n for n in others if n in within]
    empty = tuple(n for n in others if n in search.empty)
    games = [(*empty, n) for n in others if n not in search.empty] if len(empty) <= FEW else []
    for few in ([empty], games):
        found = [
            one
            for boards in few
            if (one := search.best(boards)) is not None and not one[1].breaches
        ]
        if found:
            return min(found, key=lambda one: one[0])[1]
    best = search.best(others)
    return None if best is None else best[1]


def breaches(published: Published, white: TPN, black: TPN) -> int:
    """Return how many of the two would get a colour barred to them [C.04.1/2026 6, 7]."""
    return ("w" in published.barred.get(white, "")) + ("b" in published.barred.get(black, ""))


class _Search:
    """The costs of pairs, and the best change among the freed boards and some others."""

    def __init__(
        self,
        published: Published,
        freed: frozenset[int | None],
        new: frozenset[TPN],
        *,
        may_swap_colours: bool = False,
        bye: Bye = Bye.MAY_MOVE,
        avoid: frozenset[TPN] = frozenset(),
    ) -> None:
        now = published.now
        self.published = published
        self.freed = sorted(n for n in freed if n is not None)
        self.may_swap_colours = may_swap_colours
        self.due = published.due(new)
        self.board_of = {tpn: n for n, pair in now.boards.items() for tpn in pair}
        self.gone = published.missing_players
        self.without_game = {*self.gone, BYE, NO_PLACE}
        self.holders = holders = with_bye(now)
        self.leaves = holders if bye is Bye.MOVES or None in freed else frozenset()
        here = [tpn for n in self.freed for tpn in now.boards[n]]
        self.always = [
            *here,
            *(sorted(holders) if bye is not Bye.STAYS else ()),
            *sorted(new - holders),
        ]
        self.ends = [BYE] if len(self.always) % 2 else [BYE, NO_PLACE]
        alone = {tpn for n in self.freed if self.gone & {*now.boards[n]} for tpn in now.boards[n]}
        self.avoid = avoid
        self.empty = published.forfeited if new else frozenset[int]()
        self.no_bye = published.no_bye | alone | avoid
        if bye is Bye.STAYS and holders:
            self.no_bye |= frozenset(now.everybody) | new
        most = max([1, *(abs(value) for value in published.points.values()), *now.boards])
        self.base = most * (len(now.everybody) + len(new) + 2)

    def best(self, others: Iterable[int]) -> tuple[int, Proposal] | None:
        """Return the cheapest change that leaves all boards but the freed
        ones and *others* alone, with its cost.
        """
        kept = [tpn for n in others for tpn in self.published.now.boards[n]]
        people = [*kept, *self.always, *self.ends]
        rows: list[dict[int, int]] = [{} for _ in people]
        for (i, one), (j, other) in combinations(enumerate(people), 2):
            cost = self.cost(one, other)
            if cost is not None:
                rows[i][j] = rows[j][i] = cost
        # Pairs that stay are free and come first, so the search begins from the published round.
        mates = minimum_cost_perfect_matching(rows)
        if mates is None:
            return None
        pairs = [(people[i], people[j]) for i, j in enumerate(mates) if i < j]
        cost = sum(rows[i][j] for i, j in enumerate(mates) if i < j)
        return cost, self.proposal(pairs, {*people})

    def cost(self, one: TPN, other: TPN) -> int | None:
        """Return the cost of pairing the two, or of the bye for *one*; None if forbidden."""
        published = self.published
        points = published.points
        board, theirs = self.board_of.get(one), self.board_of.get(other)
        is_together = board is not None and board == theirs
        if is_together and board not in self.freed:
            return 0
        left = [n for n in (board, theirs) if n is not None and n not in self.freed]
        opened = sum(n in self.empty for n in left)
        broken = len(left) - opened
        if other in self.without_game or one in self.without_game:
            return self._cost_of_none(one, other, broken, opened)
        pair = frozenset((one, other))
        if (
            pair in published.met
            or pair in published.prohibited
            or (is_together and not self.may_swap_colours)
        ):
            return None
        if pair & self.avoid:
            return None
        white, black = self._colours(one, other)
        strong, mild = self.due.refused(white, black)
        apart = abs(points[one] - points[other])
        distance = abs(board - theirs) if board is not None and theirs is not None else 0
        return self._number(
            breaches(published, white, black), broken, opened, 0, strong, mild, apart, distance
        )

    def _cost_of_none(self, one: TPN, other: TPN, broken: int, opened: int) -> int | None:
        """Return the cost if at least one of the two is missing or is not a player."""
        if one in self.without_game and other in self.without_game:
            return self._number(0, broken, opened, 0, 0, 0, 0, 0)
        if other != BYE:
            return None
        if one in self.holders:
            return None if one in self.leaves else 0
        if one in self.no_bye:
            return None
        return self._number(0, broken, opened, 1, 0, 0, self.published.points[one], 0)

    def _number(self, *criteria: int) -> int:
        number = 0
        for value in criteria:
            number = number * self.base + value
        return number

    def _colours(self, one: TPN, other: TPN) -> tuple[TPN, TPN]:
        """Return the two as (White, Black): due colours, unless the others break fewer rules."""
        board = self.board_of.get(one)
        if board is not None and board == self.board_of.get(other):
            white, black = self.published.now.boards[board]
            return black, white
        white, black = self.due.white_and_black(one, other)
        if breaches(self.published, black, white) < breaches(self.published, white, black):
            return black, white
        return white, black

    def proposal(self, pairs: Iterable[tuple[TPN, TPN]], people: set[TPN]) -> Proposal:
        """Return the round with *pairs* for *people*; pairs that stay keep board and colours."""
        published, now = self.published, self.published.now
        boards = dict(now.boards)
        for n in {self.board_of[tpn] for tpn in people if tpn in self.board_of}:
            del boards[n]
        byes = {tpn: letter for tpn, letter in now.byes.items() if tpn not in people}
        fresh: list[tuple[TPN, TPN]] = []
        for one, other in pairs:
            board = self.board_of.get(one)
            if board is not None and board == self.board_of.get(other) and board not in self.freed:
                boards[board] = now.boards[board]
                continue
            byes |= {tpn: "Z" for tpn in (one, other) if tpn in self.gone}
            if one in self.without_game:
                continue
            if other == BYE:
                byes[one] = "U"
            elif board is not None and board == self.board_of.get(other):
                boards[board] = self._colours(one, other)
            else:
                fresh.append(self._colours(one, other))
        return _proposal_of(published, placed(now, boards, _in_order(published, fresh), byes))


def _proposal_of(published: Published, after: Arrangement) -> Proposal:
    changed = changed_boards(published.now, after)
    found = sum(breaches(published, *after.boards[n]) for n in changed if n in after.boards)
    return Proposal(after, changed_games(published.now, after), found)


def games_broken(published: Published, after: Arrangement) -> tuple[int, ...]:
    """Return the published boards that *after* changes, without those decided by forfeit."""
    return tuple(n for n in changed_games(published.now, after) if n not in published.forfeited)


def changed_games(before: Arrangement, after: Arrangement) -> tuple[int, ...]:
    """Return the boards of *before* that have other players or colours in *after*, or none."""
    return tuple(n for n in changed_boards(before, after) if n in before.boards)


def _in_order(
    published: Published, pairs: Iterable[tuple[TPN, TPN]]
) -> tuple[tuple[TPN, TPN], ...]:
    return publication_order(pairs, {tpn: Points(value) for tpn, value in published.points.items()})


def placed(
    now: Arrangement,
    boards: dict[int, tuple[TPN, TPN]],
    pairs: Iterable[tuple[TPN, TPN]],
    byes: dict[TPN, str],
) -> Arrangement:
    """Return *boards* with *pairs* at the free numbers of *now* in order, then at new ones."""
    numbers = _free_numbers(now, boards)
    filled = boards | {next(numbers): pair for pair in pairs}
    return Arrangement(dict(sorted(filled.items())), byes)


def _free_numbers(now: Arrangement, taken: Collection[int]) -> Iterator[int]:
    yield from sorted(now.boards.keys() - {*taken})
    number = max(now.boards, default=0)
    while True:
        number += 1
        yield number


def _admitting(
    published: Published, new: Collection[TPN] | None, chosen: frozenset[TPN]
) -> Proposal | None:
    """Return the smallest change that gives the late entries *new* a place [C.04.2/2026 4.4.4].

    If the arbiter has *chosen* other players, only their boards and byes may change.
    """
    new = frozenset(published.late if new is None else new) - published.not_arrived
    avoid = published.unseen | published.away
    if not chosen:
        return repaired(published, (), new=new, avoid=avoid - new)
    now = published.now
    within = [n for n, pair in now.boards.items() if chosen & {*pair}]
    bye = Bye.MAY_MOVE if with_bye(now) <= chosen else Bye.STAYS
    return repaired(published, (), new=new, within=within, bye=bye, avoid=published.away - new)


def _two_alone(published: Published, chosen: frozenset[TPN]) -> Proposal | None:
    """Return the best new board for two close players without opponent [C.04.2/2026 4.4.3].

    Two *chosen* players, or at least one if only one of them is without an opponent; players who
    are not :func:`~pairing.rules.published.perhaps_away` come first.
    """
    alone = without_opponent(published)
    wanted = chosen & {*alone}
    search = _Search(published, frozenset(), frozenset(alone))
    away = perhaps_away(published)
    found: list[tuple[int, int, tuple[TPN, TPN]]] = []
    for pair in combinations(alone, 2):
        if len(wanted & {*pair}) < min(2, len(wanted)):
            continue
        one, other = pair
        apart = abs(published.points[one] - published.points[other])
        cost = search.cost(one, other) if apart <= published.close else None
        if cost is not None:
            found.append((len(away & {*pair}), cost, pair))
    return _as_pair(published, min(found)[2]) if found else None


def _as_pair(published: Published, pair: tuple[TPN, TPN]) -> Proposal:
    """Return the round with a new board for *pair*; the missing opponents lose their places."""
    search = _Search(published, frozenset(), frozenset(pair))
    boards = {search.board_of[tpn] for tpn in pair if tpn in search.board_of}
    gone = [
        tpn for n in boards for tpn in published.now.boards[n] if tpn in published.missing_players
    ]
    return search.proposal([pair, *((tpn, NO_PLACE) for tpn in gone)], {*pair})


def _as_follows(published: Published) -> Proposal | None:
    """Return the round as the engine pairs it from the corrected data [C.04.3/pre2017 F7]."""
    now, follows = published.now, published.follows
    if follows is None or not boards_corrected(published):
        return None
    paired = {*follows.opponents(), *with_bye(follows)}
    if paired != {*now.opponents(), *with_bye(now)}:
        return None
    right = {*follows.boards.values()}
    boards = {n: pair for n, pair in now.boards.items() if pair in right}
    byes = {tpn: letter for tpn, letter in now.byes.items() if tpn not in paired} | dict(
        follows.byes
    )
    return _proposal_of(
        published, placed(now, boards, (follows.boards[n] for n in new_pairs(now, follows)), byes)
    )
