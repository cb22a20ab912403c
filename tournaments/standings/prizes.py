"""Set the prizes of a tournament, and award them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User

from pairing.rounds.computed_standings import ranked
from pairing.rounds.snapshot import players_after
from pairing.standings.prizes import Category, Placed, hand_out
from tournaments.core.actions import open_action, require_compared
from tournaments.core.errors import BadInput
from tournaments.core.frame import Frame
from tournaments.models import Entry, Tournament
from tournaments.models.payloads import PrizesSet
from tournaments.standings.prize_plan import (
    MOST_AMOUNTS,
    MOST_CENTS,
    CategoryPlan,
    PrizePlan,
    described,
    is_value,
    plan_of,
    replace_plan,
)


@dataclass(frozen=True, slots=True)
class Winner:
    """One prize: the rank in the category (it may be shared), the player,
    points in tenths, money in cents.
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


@dataclass(frozen=True, slots=True)
class CategoryList:
    """A category with its winners; ``left_over`` are cents without a winner."""

    category: CategoryPlan
    winners: tuple[Winner, ...]
    left_over: int


@dataclass(frozen=True, slots=True)
class PrizeList:
    """The prizes after ``after_round`` rounds. If ``is_handed_out``
    is False there are prizes but no winners.

    ``is_final`` is after the last round. The winners are provisional until the Chief Arbiter makes
    the standings final, at ``final_at``.
    """

    plan: PrizePlan
    after_round: int
    is_final: bool
    is_handed_out: bool
    categories: tuple[CategoryList, ...]
    final_at: datetime | None = None

    @property
    def is_provisional(self) -> bool:
        return self.is_handed_out and self.final_at is None


def prize_list(frame: Frame) -> PrizeList:
    """Return the prize list that the reader of *frame* may see. At most four queries.

    Visitors see winners once the results of the last round are published; an arbiter sees the
    provisional winners from the first published results on. Withdrawn players keep their prizes,
    although the regulations may say otherwise.
    """
    plan = plan_of(frame.tournament)
    after = frame.latest_results
    is_final = bool(frame.rounds) and after == len(frame.rounds)
    if not plan.categories or not (is_final or (frame.runs and after)):
        empty = tuple(CategoryList(category, (), 0) for category in plan.categories)
        return PrizeList(plan, after, is_final, False, empty)
    players, entries = players_after(frame.tournament, after)
    lines = ranked(frame.tournament, players).lines
    points = {line.tpn: line.points for line in lines}
    awards = hand_out(
        [
            Category(
                category.name,
                category.amounts,
                frozenset(tpn for tpn, entry in entries.items() if category.admits(entry)),
            )
            for category in plan.categories
        ],
        [Placed(line.tpn, line.rank, line.points) for line in lines],
        plan.division,
        one_each=plan.one_each,
    )
    return PrizeList(
        plan,
        after,
        is_final,
        True,
        tuple(
            CategoryList(
                category,
                tuple(
                    _winner(award.place, entries[award.tpn], points[award.tpn], award.amount)
                    for award in of.awards
                ),
                of.left_over,
            )
            for category, of in zip(plan.categories, awards, strict=True)
        ),
        frame.tournament.final_at,
    )


def _winner(place: int, entry: Entry, points: int, amount: int) -> Winner:
    return Winner(
        place,
        entry.pk,
        entry.tpn or 0,
        entry.public_fide_id,
        entry.name,
        entry.title,
        points,
        amount,
        entry.is_namesake,
    )


def prizes_set(
    *, tournament_id: int, actor: User, now: datetime, plan: PrizePlan, compared: int | None = None
) -> Tournament:
    """Store the prizes of a tournament. Without a change no line is written.

    ``BadInput`` (``prizes.value``, ``prizes.amounts``) names the invalid category. ``DataMoved`` if
    the tournament no longer has *compared*.
    """
    for category in plan.categories:
        if not is_value(category.eligible, category.value):
            raise BadInput("prizes.value", field="value", value=category.value, name=category.name)
        whole = all(0 < amount <= MOST_CENTS for amount in category.amounts)
        if not category.name or not whole or not 0 < len(category.amounts) <= MOST_AMOUNTS:
            raise BadInput("prizes.amounts", field="amounts", name=category.name)
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        require_compared(compared, action.tournament)
        before = plan_of(action.tournament)
        if plan != before:
            replace_plan(action.tournament, plan)
            action.record(PrizesSet(before=described(before), after=described(plan)))
    return action.tournament
