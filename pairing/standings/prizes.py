"""Hand out the prizes of all categories: money to the cent, and prizes in kind by rank.

Places are counted among the players who take part in a category.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pairing.engine.model import TPN, Points

from .prize_choice import most_valuable
from .prize_rules import Category, Choice, Placed, PrizeRules, Team, in_order_of_rank
from .prize_shares import Award, Share, cut_to_caps, divide, places


@dataclass(frozen=True, slots=True)
class ThingAward:
    """A prize in kind. ``is_tied``: a player equal in everything gets another one or none."""

    place: int
    tpn: TPN
    thing: str
    is_tied: bool


@dataclass(frozen=True, slots=True)
class TeamAward:
    """The money (cents) and the prize in kind of a club."""

    place: int
    team: Team
    amount: int
    share: Share | None
    thing: str
    is_tied: bool


@dataclass(frozen=True, slots=True)
class Awards:
    """The awards of one category, best place first.

    ``left_over`` are the cents and ``things_left`` the prizes in kind that nobody could win.
    """

    name: str
    awards: tuple[Award, ...]
    left_over: int
    things: tuple[ThingAward, ...] = ()
    things_left: tuple[str, ...] = ()
    teams: tuple[TeamAward, ...] = ()


def hand_out(
    categories: Sequence[Category], field: Sequence[Placed], rules: PrizeRules
) -> tuple[Awards, ...]:
    """Return the awards of all *categories*, in their order.

    Prizes in kind go by rank to everybody who is admitted, and count for no limit. The prizes of
    teams count for no limit and no cap of their players. The awards and the left-over of a category
    add up to its prizes, to the cent.
    """
    chosen = None
    if rules.most_each and rules.choice is Choice.MOST_VALUABLE:
        chosen = most_valuable(categories, field, rules)
    won: Counter[TPN] = Counter()
    paid: Counter[TPN] = Counter()
    found = []
    for index, category in enumerate(categories):
        if category.teams is not None:
            found.append(_of_teams(category, category.teams, rules))
            continue
        admitted = [player for player in field if category.admits(player.tpn)]
        able = (
            [
                player
                for player in admitted
                if category.pays(player.tpn)
                and (not rules.most_each or won[player.tpn] < rules.most_each)
            ]
            if chosen is None
            else chosen[index]
        )
        awards = _capped(divide(category.amounts, able, rules), paid, rules)
        won.update(award.tpn for award in awards)
        paid.update({award.tpn: award.amount for award in awards})
        found.append(
            Awards(
                category.name,
                awards,
                sum(category.amounts) - sum(award.amount for award in awards),
                _things(category.things, admitted),
                category.things[len(admitted) :],
            )
        )
    return tuple(found)


def _capped(awards: tuple[Award, ...], paid: Counter[TPN], rules: PrizeRules) -> tuple[Award, ...]:
    if not rules.cap:
        return awards
    most = [rules.cap - paid[award.tpn] for award in awards]
    amounts, _over = cut_to_caps([award.amount for award in awards], most, rules.unit)
    return tuple(
        replace(award, amount=amount)
        for award, amount in zip(awards, amounts, strict=True)
        if amount
    )


def _things(things: Sequence[str], admitted: Sequence[Placed]) -> tuple[ThingAward, ...]:
    """Give each prize in kind to the next player by rank."""
    ordered = in_order_of_rank(admitted)
    given = dict(zip((player.tpn for player in ordered), things, strict=False))
    by_rank: dict[int, set[str | None]] = {}
    for player in ordered:
        by_rank.setdefault(player.rank, set()).add(given.get(player.tpn))
    return tuple(
        ThingAward(place, player.tpn, given[player.tpn], len(by_rank[player.rank]) > 1)
        for place, player in zip(places(ordered), ordered, strict=True)
        if player.tpn in given
    )


def _of_teams(category: Category, teams: Sequence[Team], rules: PrizeRules) -> Awards:
    """Divide the prizes of *category* among *teams*, the best first."""
    keys = [(-team.points, team.ranks) for team in teams]
    field = [
        Placed(TPN(number), keys.index(keys[number]) + 1, Points(team.points))
        for number, team in enumerate(teams)
    ]
    awards = {award.tpn: award for award in divide(category.amounts, field, rules)}
    things = {given.tpn: given for given in _things(category.things, field)}
    found = []
    for place, (number, team) in zip(places(field), enumerate(teams), strict=True):
        award, given = awards.get(TPN(number)), things.get(TPN(number))
        if award or given:
            found.append(
                TeamAward(
                    place,
                    team,
                    award.amount if award else 0,
                    award.share if award else None,
                    given.thing if given else "",
                    given.is_tied if given else False,
                )
            )
    left = sum(category.amounts) - sum(award.amount for award in found)
    return Awards(
        category.name, (), left, things_left=category.things[len(teams) :], teams=tuple(found)
    )
