"""Find players whom a rule of the prizes costs money, and weaker results that get more."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pairing.engine.model import TPN

from .prize_rules import Category, Division, Placed, PrizeRules, in_order_of_rank
from .prize_shares import Award, divide
from .prizes import Awards


@dataclass(frozen=True, slots=True)
class CostsMoney:
    """The limit of prizes costs a player money: the category *index* would pay ``more`` cents
    instead of ``amount``.
    """

    tpn: TPN
    amount: int
    index: int
    more: int


@dataclass(frozen=True, slots=True)
class WeakerGetsMore:
    """A player gets ``amount`` cents in all, and a weaker result gets ``more`` in the category
    *index*, which is open to both.
    """

    tpn: TPN
    amount: int
    weaker: TPN
    index: int
    more: int


Warnings = tuple[CostsMoney | WeakerGetsMore, ...]


def warnings_of(
    categories: Sequence[Category],
    field: Sequence[Placed],
    rules: PrizeRules,
    awards: Sequence[Awards],
) -> Warnings:
    """Return what the rules do to players, the best player first; for each the worst case only.

    Cost: players times awards, and a division of each category for each winner.
    """
    search = _Search(categories, field, rules, awards)
    found: list[CostsMoney | WeakerGetsMore] = []
    for player in in_order_of_rank(field):
        costs = max(search.costs(player), key=lambda one: one.more, default=None)
        weaker = max(search.weaker(player), key=lambda one: one.more, default=None)
        found += [one for one in (costs, weaker) if one is not None]
    return tuple(found)


class _Search:
    """The awards, by category and by player."""

    def __init__(
        self,
        categories: Sequence[Category],
        field: Sequence[Placed],
        rules: PrizeRules,
        awards: Sequence[Awards],
    ) -> None:
        self._lists = list(zip(categories, awards, strict=True))
        self._rules = rules
        self._placed = {player.tpn: player for player in field}
        self._won: defaultdict[TPN, dict[int, Award]] = defaultdict(dict)
        for index, of in enumerate(awards):
            for award in of.awards:
                self._won[award.tpn][index] = award

    def costs(self, player: Placed) -> Iterator[CostsMoney]:
        """Yield the categories that would pay *player* more than the lowest prize won."""
        won = self._won.get(player.tpn, {})
        if not self._rules.most_each or len(won) < self._rules.most_each:
            return
        least = min(award.uncapped for award in won.values())
        for index, (category, of) in enumerate(self._lists):
            if (
                index in won
                or not category.pays(player.tpn)
                or max(category.amounts, default=0) <= least
            ):
                continue
            able = [self._placed[award.tpn] for award in of.awards]
            got = {
                award.tpn: award.amount
                for award in divide(category.amounts, [*able, player], self._rules)
            }
            # A difference of one unit comes from rounding.
            if got.get(player.tpn, 0) >= least + self._rules.unit:
                yield CostsMoney(player.tpn, least, index, got[player.tpn])

    def weaker(self, player: Placed) -> Iterator[WeakerGetsMore]:
        """Yield the prizes of weaker results that are higher than all that *player* gets."""
        paid = sum(award.amount for award in self._won.get(player.tpn, {}).values())
        by_rank = self._rules.division is Division.BY_RANK
        for index, (category, of) in enumerate(self._lists):
            if not category.pays(player.tpn):
                continue
            for award in of.awards:
                other = self._placed[award.tpn]
                is_weaker = other.rank > player.rank if by_rank else other.points < player.points
                if is_weaker and award.amount > paid:
                    yield WeakerGetsMore(player.tpn, paid, award.tpn, index, award.amount)
