"""The prizes over all sections of an event: the competitors of each prize and its winner.

Players of different sections never met, and no text of FIDE ranks them: the arbiter chooses what
compares them (:class:`Criterion`), and the page says it. Prizes of the sections stay as they are;
where one here is more valuable, the arbiter lets the player give up the money of the section, which
then goes to the next ones there (:attr:`~.prize_plan.PrizePlan.event_winners`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from fractions import Fraction
from math import lcm
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction

from pairing.engine.model import TPN, Player, Points
from pairing.standings.prize_rules import Category, Placed
from pairing.standings.prize_warnings import warnings_of
from pairing.standings.prizes import hand_out
from tournaments.core.actions import locked
from tournaments.core.chosen_rules import is_of_matches
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.frame import Frame, tournament_frame
from tournaments.models import Entry, Event, Section
from tournaments.models.payload_data import EventPrizes
from tournaments.models.payloads import EventPrizesSet
from tournaments.standings.prize_plan import PrizePlan, described as plan_described, plan_from
from tournaments.standings.prizes import (
    CategoryList,
    PrizeList,
    categories_of,
    money_if_back,
    money_of,
    prize_list,
    require_valid,
    winners_of,
)
from tournaments.standings.ranked_field import field_for, figures_for
from tournaments.standings.same_person import same_person

MOST_GAMES: Final = 99


class Criterion(Enum):
    """What compares players of different sections."""

    SHARE = "share"
    """Points divided by the most that the rounds of the section allow."""
    POINTS = "points"
    PERFORMANCE = "performance"
    """The performance by the tables of FIDE, in rated games [B.01/2024 1.4.8]."""
    CHANGE = "change"
    """The FIDE rating change [B.02/2024 8.3]."""


@dataclass(frozen=True, slots=True)
class EventPlan:
    """The prizes of an event as the arbiter defined them.

    ``section_winners``: players with a prize of money in their section can win money here too. Only
    players with ``least_games`` games over the board compete.
    """

    plan: PrizePlan
    criterion: Criterion = Criterion.SHARE
    section_winners: bool = False
    least_games: int = 0


Compared = tuple[Entry, int, int]


@dataclass(frozen=True, slots=True)
class EventPrizeList:
    """The prizes of an event with their winners. The points of a winner are ``scale`` times what
    compares the players: see :meth:`result`.

    ``entries`` are those of the players by id. ``better_here`` are the players whom a prize of
    their section excludes from a higher one here, and ``better_in_section`` those who gave up more
    in their section than they win here, each with the sum in the section and that here, in cents.
    """

    plan: EventPlan
    prizes: PrizeList
    sections: Mapping[int, str]
    entries: Mapping[int, Entry]
    scale: int = 1
    better_here: tuple[Compared, ...] = ()
    better_in_section: tuple[Compared, ...] = ()

    def result(self, points: int, players: int = 1) -> Fraction:
        """Return what compares the players: points, their share of all, a rating, or a change of
        it; of a team of *players* the mean, or the sum of points and of changes.
        """
        is_sum = self.plan.criterion in (Criterion.POINTS, Criterion.CHANGE)
        return Fraction(points, self.scale * (1 if is_sum else players))


@dataclass(frozen=True, slots=True)
class _Result:
    """The result of a player in a section, and what identifies the person in all sections."""

    entry: Entry
    value: Fraction
    person: object


def plan_of_event(event: Event) -> EventPlan:
    """Return the prizes of *event*; an empty plan if none were defined, or if the event came from a
    file that somebody made by hand and that has no valid ones. No query.
    """
    try:
        plan = event_plan_from(event.prizes)
        _require_valid(plan)
    except (AttributeError, KeyError, TypeError, ValueError, BadInput):
        return EventPlan(PrizePlan())
    return plan


def _require_valid(plan: EventPlan) -> None:
    require_valid(plan.plan)
    if not 0 <= plan.least_games <= MOST_GAMES:
        raise BadInput("prizes.rules", field="least_games")


def event_plan_from(values: Any) -> EventPlan:
    """Return the plan that the record keeps as *values*; the opposite of :func:`described`."""
    return EventPlan(
        plan_from(values),
        Criterion(values["criterion"]),
        values["section_winners"],
        values["least_games"],
    )


def described(plan: EventPlan) -> EventPrizes:
    """Return *plan* as the records of the sections keep it."""
    return {
        **plan_described(plan.plan),
        "criterion": plan.criterion.value,
        "section_winners": plan.section_winners,
        "least_games": plan.least_games,
    }


def event_prizes_set(
    *,
    event_id: int,
    actor: User,
    now: datetime,
    plan: EventPlan,
    is_seen: Callable[[EventPlan], bool] = lambda current: True,
) -> Event:
    """Store the prizes of an event, with a line for each section; none without a change.

    ``PermissionDenied`` unless *actor* is an arbiter of every section; refused if the standings of
    one are final. ``BadInput`` as for the prizes of a section. ``Conflict`` if the user has not
    seen the prizes that are there.
    """
    _require_valid(plan)
    with transaction.atomic():
        # The event is locked before its sections, as for a new section.
        event = Event.objects.select_for_update().get(pk=event_id)
        numbers = Section.objects.filter(event=event).values_list("tournament_id", flat=True)
        with locked(*numbers, actor=actor, now=now) as actions:
            current = plan_of_event(event)
            before, after = described(current), described(plan)
            if not is_seen(current):
                raise Conflict("prizes.moved")
            if after != before:
                event.prizes = after
                event.save(update_fields=["prizes"])
                for action in actions.values():
                    action.record(EventPrizesSet(before=before, after=after))
    return event


def event_prize_list(event: Event, sections: Sequence[Section], *, runs: bool) -> EventPrizeList:
    """Return the prize list of *event*, of which *sections* are all.

    Visitors see winners once every section is over; arbiters of all sections, *runs*, see the
    provisional ones from the first published results on. At most seven queries for each section,
    and one for all.
    """
    plan = plan_of_event(event)
    frames = [tournament_frame(section.tournament, runs=runs) for section in sections]
    is_final = all(frame.is_over for frame in frames)
    after = max((frame.latest_results for frame in frames), default=0)
    labels = {section.tournament_id: section.label for section in sections}
    empty = tuple(CategoryList(category, (), 0) for category in plan.plan.categories)
    if not empty or not (is_final or (runs and after)):
        shown = PrizeList(plan.plan, after, is_final, False, empty)
        return EventPrizeList(plan, shown, labels, {})
    return _handed_out(plan, frames, labels, is_final=is_final, after=after, runs=runs)


def _handed_out(
    plan: EventPlan,
    frames: Sequence[Frame],
    labels: Mapping[int, str],
    *,
    is_final: bool,
    after: int,
    runs: bool,
) -> EventPrizeList:
    results = _best_of_each(each for frame in frames for each in _results(plan, frame))
    scale = lcm(*(each.value.denominator for each in results))
    values = [int(each.value * scale) for each in results]
    ranks: dict[int, int] = {}
    for number, value in enumerate(values, start=1):
        ranks.setdefault(value, number)
    entries = {TPN(number): each.entry for number, each in enumerate(results, start=1)}
    field = [
        Placed(TPN(number), ranks[value], Points(value))
        for number, value in enumerate(values, start=1)
    ]
    of_sections = [prize_list(frame) for frame in frames]
    paid = {} if plan.section_winners else _paid_in_sections(of_sections)
    open_to_all = _categories(plan.plan, frames, of_sections, entries, field)
    categories = [_without(category, entries, paid) for category in open_to_all]
    awards = hand_out(categories, field, plan.plan.rules)
    points = {player.tpn: player.points for player in field}
    finals = [frame.tournament.final_at for frame in frames]
    shown = PrizeList(
        plan.plan,
        after,
        is_final,
        True,
        tuple(
            CategoryList(
                line, winners_of(of, entries, points), of.left_over, of.teams, of.things_left
            )
            for line, of in zip(plan.plan.categories, awards, strict=True)
        ),
        max(filter(None, finals), default=None) if all(finals) else None,
        warnings_of(categories, field, plan.plan.rules, awards) if runs else (),
        entries,
    )
    by_id = {entry.pk: entry for entry in entries.values()}
    if not runs:
        return EventPrizeList(plan, shown, labels, by_id, scale)
    better_here = _better_here(plan.plan, open_to_all, field, entries, paid)
    given_up = _better_in_section(frames, of_sections, shown)
    return EventPrizeList(plan, shown, labels, by_id, scale, tuple(better_here), tuple(given_up))


def _better_here(
    plan: PrizePlan,
    categories: Sequence[Category],
    field: Sequence[Placed],
    entries: Mapping[TPN, Entry],
    paid: Mapping[object, int],
) -> Iterator[Compared]:
    """Yield the players who would get more money here than the section pays, each alone beside
    those who compete. Cost: a handing out for each player who is *paid*.
    """
    for player in field:
        person = same_person(entry := entries[player.tpn])
        if person in paid:
            others = {other: sum_ for other, sum_ in paid.items() if other != person}
            able = [_without(category, entries, others) for category in categories]
            here = money_of(player.tpn, hand_out(able, field, plan.rules))
            if here > paid[person]:
                yield entry, paid[person], here


def _better_in_section(
    frames: Iterable[Frame], of_sections: Iterable[PrizeList], shown: PrizeList
) -> Iterator[Compared]:
    """Yield the players who gave up more money of their section than they win here."""
    here = _paid_in_sections([shown])
    for frame, prizes in zip(frames, of_sections, strict=True):
        for entry in (prizes.entries or {}).values():
            if entry.pk in prizes.plan.event_winners:
                there, won = (
                    money_if_back(frame, prizes.plan, entry),
                    here.get(same_person(entry), 0),
                )
                if there > won:
                    yield entry, there, won


def _results(plan: EventPlan, frame: Frame) -> list[_Result]:
    """Return the results of the players of a section who can be compared, the best rank first."""
    after = frame.latest_results
    if not after:
        return []
    ranked = field_for(frame, after)
    most = after * frame.tournament.points_win * (2 if is_of_matches(frame.tournament) else 1)
    figures = (
        figures_for(frame, after)
        if plan.criterion in (Criterion.PERFORMANCE, Criterion.CHANGE)
        else {}
    )
    found = []
    for line in ranked.table.lines:
        entry, figure = ranked.entries[line.tpn], figures.get(line.tpn)
        match plan.criterion:
            case Criterion.SHARE:
                value = Fraction(line.points, most) if most else None
            case Criterion.POINTS:
                value = Fraction(line.points, 10)
            case Criterion.PERFORMANCE:
                value = Fraction(figure.performance.rating) if figure else None
            case Criterion.CHANGE:
                change = figure.change if figure else None
                value = Fraction(change.change, 100) if change else None
        if value is not None and _games(ranked.players[line.tpn]) >= plan.least_games:
            found.append(_Result(entry, value, same_person(entry)))
    return found


def _games(player: Player) -> int:
    """Return how many games *player* has played over the board; a match counts once."""
    return sum(each.is_played for each in player.rounds)


def _best_of_each(results: Iterable[_Result]) -> list[_Result]:
    """Return each person's best result, the best first, equal ones by section and rank."""
    best: dict[object, _Result] = {}
    for each in sorted(results, key=lambda each: -each.value):
        best.setdefault(each.person, each)
    return list(best.values())


def _categories(
    plan: PrizePlan,
    frames: Sequence[Frame],
    of_sections: Sequence[PrizeList],
    entries: Mapping[TPN, Entry],
    field: Sequence[Placed],
) -> list[Category]:
    """Return the categories with the players who can win them. A person who may not win in a
    section does not win here, whatever the section of the best result; ages count on the first day
    of the event.
    """
    days = [frame.tournament.start_date for frame in frames if frame.tournament.start_date]
    numbers = {number for prizes in of_sections for number in prizes.plan.excluded}
    people = (
        {same_person(entry) for entry in Entry.objects.filter(pk__in=numbers)} if numbers else {}
    )
    excluded = tuple(entry.pk for entry in entries.values() if same_person(entry) in people)
    return categories_of(replace(plan, excluded=excluded), entries, min(days, default=None), field)


def _paid_in_sections(of_sections: Iterable[PrizeList]) -> dict[object, int]:
    """Return the money that people win in their sections, in cents."""
    paid: dict[object, int] = {}
    for prizes in of_sections:
        entries = {entry.pk: entry for entry in (prizes.entries or {}).values()}
        for winner in (winner for of in prizes.categories for winner in of.winners):
            if winner.amount:
                person = same_person(entries[winner.entry_id])
                paid[person] = paid.get(person, 0) + winner.amount
    return paid


def _without(
    category: Category, entries: Mapping[TPN, Entry], paid: Mapping[object, int]
) -> Category:
    """Return *category* without the people *paid*; prizes of clubs are not their players'."""
    if category.teams is not None or category.members is None:
        return category
    able = frozenset(tpn for tpn in category.members if same_person(entries[tpn]) not in paid)
    return replace(category, members=able)
