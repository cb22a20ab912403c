"""Set the prizes of a tournament, and award them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from django.contrib.auth.models import User

from pairing.engine.model import TPN
from pairing.rules.names import fold
from pairing.standings.prize_rules import Category, Placed, Team, best_teams
from pairing.standings.prize_shares import Share
from pairing.standings.prize_warnings import Warnings, warnings_of
from pairing.standings.prizes import Awards, TeamAward, hand_out
from tournaments.core.actions import open_action, require_compared
from tournaments.core.errors import BadInput
from tournaments.core.frame import Frame
from tournaments.models import Entry, Tournament
from tournaments.models.payloads import PrizesSet
from tournaments.standings.prize_conditions import admits, heading_of, is_value
from tournaments.standings.prize_plan import (
    LARGEST_TEAM,
    MOST_AMOUNTS,
    MOST_CENTS,
    MOST_EACH,
    UNITS,
    CategoryPlan,
    PrizePlan,
    described,
    plan_of,
    replace_plan,
)
from tournaments.standings.ranked_field import field_for


@dataclass(frozen=True, slots=True)
class Winner:
    """One prize of a player: the rank in the category (it may be shared), points in tenths,
    money in cents with its calculation, and the prize in kind.

    ``is_tied``: a player equal in everything gets another prize in kind, or none.
    """

    place: int
    entry_id: int
    tpn: int
    fide_id: int | None
    name: str
    title: str
    points: int
    amount: int
    is_namesake: bool = False
    uncapped: int = 0
    share: Share | None = None
    thing: str = ""
    is_tied: bool = False


@dataclass(frozen=True, slots=True)
class CategoryList:
    """A category with its winners; ``left_over`` are cents without a winner.

    ``things_left`` are prizes in kind without a winner.
    """

    category: CategoryPlan
    winners: tuple[Winner, ...]
    left_over: int
    teams: tuple[TeamAward, ...] = ()
    things_left: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        return heading_of(self.category)

    @property
    def has_winners(self) -> bool:
        return bool(self.winners or self.teams)


@dataclass(frozen=True, slots=True)
class PrizeList:
    """The prizes after ``after_round``; without winners unless ``is_handed_out``.

    ``is_final`` is after the last round. The winners are provisional until the Chief Arbiter makes
    the standings final, at ``final_at``. ``warnings`` name players whom the rules cost money.
    """

    plan: PrizePlan
    after_round: int
    is_final: bool
    is_handed_out: bool
    categories: tuple[CategoryList, ...]
    final_at: datetime | None = None
    warnings: Warnings = ()
    entries: Mapping[TPN, Entry] | None = None

    @property
    def has_things(self) -> bool:
        return any(of.category.things for of in self.categories)

    @property
    def is_provisional(self) -> bool:
        return self.is_handed_out and self.final_at is None


def prize_list(frame: Frame) -> PrizeList:
    """Return the prize list that the reader of *frame* may see. At most four queries.

    Visitors see winners once the results of the last round are published; an arbiter sees the
    provisional winners from the first published results on.
    """
    plan = plan_of(frame.tournament)
    after = frame.latest_results
    is_final = bool(frame.rounds) and after == len(frame.rounds)
    if not plan.categories or not (is_final or (frame.runs and after)):
        empty = tuple(CategoryList(category, (), 0) for category in plan.categories)
        return PrizeList(plan, after, is_final, False, empty)
    computed = field_for(frame, after)
    entries = computed.entries
    field = [Placed(line.tpn, line.rank, line.points) for line in computed.table.lines]
    categories = categories_of(plan, entries, frame.tournament.start_date, field)
    awards = hand_out(categories, field, plan.rules)
    points = {player.tpn: player.points for player in field}
    return PrizeList(
        plan,
        after,
        is_final,
        True,
        tuple(
            CategoryList(
                category, winners_of(of, entries, points), of.left_over, of.teams, of.things_left
            )
            for category, of in zip(plan.categories, awards, strict=True)
        ),
        frame.tournament.final_at,
        warnings_of(categories, field, plan.rules, awards) if frame.runs else (),
        entries,
    )


def money_of(tpn: TPN, awards: Sequence[Awards]) -> int:
    """Return the cents that a player gets in all categories."""
    return sum(award.amount for of in awards for award in of.awards if award.tpn == tpn)


def money_if_back(frame: Frame, plan: PrizePlan, entry: Entry) -> int:
    """Return the cents that *entry* would get here without giving them up for a prize of the
    event. No query after :func:`prize_list`.
    """
    kept = tuple(number for number in plan.event_winners if number != entry.pk)
    computed = field_for(frame, frame.latest_results)
    field = [Placed(line.tpn, line.rank, line.points) for line in computed.table.lines]
    first_day = frame.tournament.start_date
    categories = categories_of(
        replace(plan, event_winners=kept), computed.entries, first_day, field
    )
    return money_of(TPN(entry.tpn or 0), hand_out(categories, field, plan.rules))


def categories_of(
    plan: PrizePlan,
    entries: Mapping[TPN, Entry],
    first_day: date | None,
    field: Sequence[Placed] = (),
) -> list[Category]:
    """Return the categories of *plan* with the players who can win them, the teams by *field*."""
    able = {
        tpn: entry
        for tpn, entry in entries.items()
        if entry.pk not in plan.excluded and (plan.withdrawn_win or entry.withdrawn_from is None)
    }
    unpaid = frozenset(t for t, entry in able.items() if entry.pk in plan.event_winners)
    found = []
    for line in plan.categories:
        members = frozenset(t for t, entry in able.items() if admits(line, entry, first_day))
        teams = _teams(line.team_size, members, able, field) if line.team_size else None
        found.append(Category(line.name, line.amounts, members, line.things, teams, unpaid))
    return found


def _teams(
    size: int, members: frozenset[TPN], entries: Mapping[TPN, Entry], field: Sequence[Placed]
) -> tuple[Team, ...]:
    """Return the teams of the clubs; two spellings of a club with other cases are one."""
    names: dict[str, str] = {}
    clubs = {
        tpn: names.setdefault(fold(entry.club), entry.club)
        for tpn, entry in entries.items()
        if tpn in members and entry.club
    }
    return best_teams(field, clubs, size)


def winners_of(
    of: Awards, entries: Mapping[TPN, Entry], points: Mapping[TPN, int]
) -> tuple[Winner, ...]:
    """Return the players with money or a prize in kind, the best place first.

    In *of* and *points* they have the numbers of *entries*, which can be others than their own.
    The place of a prize in kind counts all who can win it, also those with money elsewhere.
    """
    money = {award.tpn: award for award in of.awards}
    things = {given.tpn: given for given in of.things}
    numbers = [*money, *(tpn for tpn in things if tpn not in money)]
    found = []
    for tpn in numbers:
        award, given, entry = money.get(tpn), things.get(tpn), entries[tpn]
        found.append(
            Winner(
                award.place if award else given.place if given else 0,
                entry.pk,
                entry.tpn or 0,
                entry.public_fide_id,
                entry.name,
                entry.title,
                points[tpn],
                award.amount if award else 0,
                entry.is_namesake,
                award.uncapped if award else 0,
                award.share if award else None,
                given.thing if given else "",
                given.is_tied if given else False,
            )
        )
    return tuple(sorted(found, key=lambda winner: winner.place))


def prizes_set(
    *, tournament_id: int, actor: User, now: datetime, plan: PrizePlan, compared: int | None = None
) -> Tournament:
    """Store the prizes of a tournament. Without a change no line is written.

    ``BadInput`` (``prizes.value``, ``prizes.amounts``, ``prizes.unit``) names the invalid category;
    ``prizes.rules`` and ``prizes.excluded`` are about all. ``DataMoved`` if the tournament no
    longer has *compared*.
    """
    require_valid(plan)
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        require_compared(compared, action.tournament)
        named = {*plan.excluded, *plan.event_winners}
        entries = Entry.objects.filter(tournament=action.tournament, pk__in=named)
        if named and entries.count() != len(named):
            raise BadInput("prizes.excluded", field="excluded")
        before = plan_of(action.tournament)
        if plan != before:
            replace_plan(action.tournament, plan)
            action.record(PrizesSet(before=described(before), after=described(plan)))
    return action.tournament


def require_valid(plan: PrizePlan) -> None:
    """Raise ``BadInput`` as :func:`prizes_set` does unless *plan* is valid."""
    if plan.unit not in UNITS or not 0 <= plan.most_each <= MOST_EACH:
        raise BadInput("prizes.rules", field="unit")
    if (
        not (0 <= plan.cap <= MOST_CENTS and 0 <= plan.minimum <= MOST_CENTS)
        or plan.cap % plan.unit
    ):
        raise BadInput("prizes.rules", field="cap")
    for category in plan.categories:
        name = heading_of(category)
        for eligible, value in ((category.eligible, category.value), *category.also):
            if not is_value(eligible, value):
                raise BadInput("prizes.value", field="value", value=value, name=name)
        whole = all(0 < amount <= MOST_CENTS for amount in category.amounts)
        count = max(len(category.amounts), len(category.things))
        if not whole or not 0 < count <= MOST_AMOUNTS or not all(category.things):
            raise BadInput("prizes.amounts", field="amounts", name=name)
        if not 0 <= category.team_size <= LARGEST_TEAM:
            raise BadInput("prizes.amounts", field="team_size", name=name)
        if any(amount % plan.unit for amount in category.amounts):
            raise BadInput("prizes.unit", field="amounts", name=name)
