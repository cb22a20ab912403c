"""Find the more valuable prizes of each player, of several categories.

Groups of players who share prizes choose from the top: a group takes the next places of a category,
and no lower group changes what it gets. Inside a group each player, the best first, moves to the
categories that pay most, until nobody gains by a move.

With equal sharing this always ends: what a category pays depends only on the number of its players,
and each move raises the sum, over the categories, of what one, two, three … players would get there
(the potential of a congestion game). Then nobody gets more by losing either: a player who leaves
the group frees one place, and whoever moves up to it prefers it to the place left for the player.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Final

from .prize_rules import Category, Placed, PrizeRules, in_order_of_rank
from .prize_shares import Fund, groups

SWEEPS: Final = 50
"""With Hort or a minimum the moves of a group might never end. They stop after this many sweeps;
the warnings then name a player who would get more elsewhere.
"""


def most_valuable(
    categories: Sequence[Category], field: Sequence[Placed], rules: PrizeRules
) -> list[list[Placed]]:
    """Return for each category the players who take part in it, at most ``most_each`` each.

    Cost: players who come to a prize times categories, for each of a few sweeps.
    """
    market = _Market(categories, rules)
    for group in groups(in_order_of_rank(field), rules.division):
        if not market.has_prizes:
            break
        market.let_choose(group)
    return market.members


class _Market:
    """The categories with the members and the number of places that are taken so far."""

    def __init__(self, categories: Sequence[Category], rules: PrizeRules) -> None:
        self.members: list[list[Placed]] = [[] for _ in categories]
        self._categories = categories
        self._funds = [Fund(category.amounts, rules) for category in categories]
        self._most_each = rules.most_each
        self._ranks: list[list[int]] = [[] for _ in categories]

    @property
    def has_prizes(self) -> bool:
        return any(map(self._is_open, range(len(self._funds))))

    def _is_open(self, index: int) -> bool:
        return len(self.members[index]) < len(self._funds[index].amounts)

    def let_choose(self, group: Sequence[Placed]) -> None:
        """Add each player of *group* to the categories that pay most."""
        self._ranks = [[] for _ in self._categories]
        open_to = [
            [i for i, c in enumerate(self._categories) if self._is_open(i) and c.pays(player.tpn)]
            for player in group
        ]
        chosen: list[list[int]] = [[] for _ in group]
        for _ in range(SWEEPS):
            before = [list(indexes) for indexes in chosen]
            for place, player in enumerate(group):
                chosen[place] = self._move(player, chosen[place], open_to[place])
            if chosen == before and not self._swap(group, chosen, open_to):
                break
        for player, indexes in zip(group, chosen, strict=True):
            for index in indexes:
                self.members[index].append(player)

    def _swap(
        self, group: Sequence[Placed], chosen: list[list[int]], open_to: Sequence[Sequence[int]]
    ) -> bool:
        """Give a player the better category of a lower one of the group who could have the other.

        Return whether a swap was made.
        """
        shares = [
            {index: self._share(index, player) for index in indexes}
            for player, indexes in zip(group, chosen, strict=True)
        ]
        for place, lower in combinations(range(len(group)), 2):
            mine, theirs = chosen[place], chosen[lower]
            for given, taken in product(mine, theirs):
                if (
                    taken in open_to[place]
                    and given in open_to[lower]
                    and taken not in mine
                    and given not in theirs
                    and shares[lower][taken] > shares[place][given]
                ):
                    mine[mine.index(given)] = taken
                    theirs[theirs.index(taken)] = given
                    self._ranks[given].remove(group[place].rank)
                    self._ranks[taken].remove(group[lower].rank)
                    insort(self._ranks[given], group[lower].rank)
                    insort(self._ranks[taken], group[place].rank)
                    return True
        return False

    def _move(self, player: Placed, now: list[int], open_to: Sequence[int]) -> list[int]:
        for index in now:
            self._ranks[index].remove(player.rank)
        offers = {index: self._offer(index, player) for index in open_to}
        best = sorted(
            (index for index in open_to if offers[index]), key=lambda index: (-offers[index], index)
        )[: self._most_each]
        gains = sum(offers[index] for index in best) > sum(offers[index] for index in now)
        if not gains:
            best = [index for index in now if offers[index]]
        for index in best:
            insort(self._ranks[index], player.rank)
        return best

    def _offer(self, index: int, player: Placed) -> Fraction:
        """Return what *player* would get in a category beside those of the group who are there."""
        ranks = self._ranks[index]
        insort(ranks, player.rank)
        share = self._share(index, player)
        ranks.remove(player.rank)
        return share

    def _share(self, index: int, player: Placed) -> Fraction:
        """Return the prize of *player* in a category of theirs."""
        start = len(self.members[index])
        return self._funds[index].share(start, self._ranks[index], player.rank).exact
