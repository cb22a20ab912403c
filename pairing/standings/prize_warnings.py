"""Find players whom a rule of the prizes costs money, and weaker results that get more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pairing.engine.model import TPN

from .prize_rules import Category, Division, Placed, PrizeRules
from .prize_shares import divide
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

    Cost: winners times categories times players.
    """
    paid: Counter[TPN] = Counter()
    for of in awards:
        paid.update({award.tpn: award.amount for award in of.awards})
    found: list[CostsMoney | WeakerGetsMore] = []
    for player in sorted(field, key=lambda one: (one.rank, one.tpn)):
        costs = max(
            _costs(player, categories, field, rules, awards), key=lambda one: one.more, default=None
        )
        weaker = max(
            _weaker(player, categories, field, rules, awards, paid),
            key=lambda one: one.more,
            default=None,
        )
        found += [one for one in (costs, weaker) if one is not None]
    return tuple(found)


def _costs(
    player: Placed,
    categories: Sequence[Category],
    field: Sequence[Placed],
    rules: PrizeRules,
    awards: Sequence[Awards],
) -> Iterator[CostsMoney]:
    won = {
        index: award.uncapped
        for index, of in enumerate(awards)
        for award in of.awards
        if award.tpn == player.tpn
    }
    if not rules.most_each or len(won) < rules.most_each:
        return
    least = min(won.values())
    placed = {one.tpn: one for one in field}
    for index, category in enumerate(categories):
        if (
            index in won
            or not category.admits(player.tpn)
            or max(category.amounts, default=0) <= least
        ):
            continue
        able = [placed[award.tpn] for award in awards[index].awards]
        got = {
            award.tpn: award.amount for award in divide(category.amounts, [*able, player], rules)
        }
        # Rounding by one unit is no loss.
        if got.get(player.tpn, 0) >= least + rules.unit:
            yield CostsMoney(player.tpn, least, index, got[player.tpn])


def _weaker(
    player: Placed,
    categories: Sequence[Category],
    field: Sequence[Placed],
    rules: PrizeRules,
    awards: Sequence[Awards],
    paid: Counter[TPN],
) -> Iterator[WeakerGetsMore]:
    by_rank = rules.division is Division.BY_RANK
    placed = {one.tpn: one for one in field}
    for index, (category, of) in enumerate(zip(categories, awards, strict=True)):
        if not category.admits(player.tpn):
            continue
        for award in of.awards:
            other = placed[award.tpn]
            is_weaker = other.rank > player.rank if by_rank else other.points < player.points
            if is_weaker and award.amount > paid[player.tpn]:
                yield WeakerGetsMore(player.tpn, paid[player.tpn], award.tpn, index, award.amount)
