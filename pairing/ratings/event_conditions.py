"""The conditions of B.01 for the event: one row each [B.01/2024 0.5, 1.1, 1.4.2]."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Final

from .conditions import Condition, State, met
from .editions import NormEdition, norm_edition
from .model import Event, Rate, System

LONG_EVENT: Final = timedelta(days=30)
"""In a longer event ratings and titles are those of the day of each game [B.01/2024 1.1.4]."""
_ARBITERS: Final = frozenset({"IA", "FA"})
CONFIRMED: Final = "confirmed"
"""What is found where only the arbiter can know it and confirms it."""


def event_conditions(event: Event) -> tuple[Condition, ...]:
    """Return the conditions of *event*, in the order of the articles.

    A fact that nobody has recorded is to be confirmed, unless the arbiter has confirmed it. What
    the data show to be wrong stays so.
    """
    rules = norm_edition(event.start)
    return tuple(_confirmed(row, event) for row in _conditions(event, rules))


def _confirmed(row: Condition, event: Event) -> Condition:
    if row.state is State.CONFIRM and row.code in event.confirmed:
        return replace(row, found=CONFIRMED, state=State.MET)
    return row


def _conditions(event: Event, rules: NormEdition) -> Iterator[Condition]:
    standard = event.rate is Rate.STANDARD
    yield met("standard", "0.5", Rate.STANDARD.value, event.rate.value, standard)
    yield _registered(event, rules)
    yield from _times(event, rules)
    if event.start and event.end and event.end - event.start >= LONG_EVENT:
        days = (event.end - event.start).days + 1
        yield Condition("long", "1.1.4", f"≤ {LONG_EVENT.days}", str(days), State.CONFIRM)
    yield from _arbiters(event)
    by_hand = event.pairings_by_hand
    state = State.MET if by_hand == 0 else State.CONFIRM
    yield Condition("by_hand", "1.4.2d", "0", _shown(by_hand), state)
    is_known = event.system is not System.OTHER
    state = State.MET if is_known else State.CONFIRM
    yield Condition("system", "1.4.2e", "", event.system.value, state)


def _registered(event: Event, rules: NormEdition) -> Condition:
    needed = f"≥ {rules.days_before}"
    if event.registered is None or event.start is None:
        return Condition("registered", "1.1.1", needed, "", State.CONFIRM)
    days = (event.start - event.registered).days
    return met("registered", "1.1.1", needed, str(days), days >= rules.days_before)


def _times(event: Event, rules: NormEdition) -> Iterator[Condition]:
    """Yield the conditions on the time of a game and of a day [B.01/2024 1.1.2, 1.1.3]."""
    rounds = max(event.schedule, default=event.most_rounds_a_day)
    seconds = event.seconds
    hours = None if rounds is None or seconds is None else rounds * 2 * seconds
    needed = f"≤ {rules.hours_a_day} h"
    found = "" if hours is None else f"{_number(hours, 3600)} h"
    yield _known(
        "hours",
        "1.1.2",
        needed,
        found,
        None if hours is None else hours <= 3600 * rules.hours_a_day,
    )
    needed = f"≤ {rules.rounds_a_day}"
    is_met = None if rounds is None else rounds <= rules.rounds_a_day
    yield _known("rounds_a_day", "1.1.3", needed, _shown(rounds), is_met)
    needed = f"≥ {rules.minutes} min"
    found = "" if seconds is None else f"{_number(seconds, 60)} min"
    is_met = None if seconds is None else seconds >= 60 * rules.minutes
    yield _known("minutes", "1.1.3", needed, found, is_met)
    yield _known("same_time", "1.1.3b", "", "", event.same_time)


def _arbiters(event: Event) -> Iterator[Condition]:
    titles = event.chief_arbiter_titles
    found = "" if titles is None else ", ".join(sorted(titles)) or "–"
    is_met = None if titles is None else bool(titles & _ARBITERS)
    yield _known("chief_arbiter", "1.1.5", "IA / FA", found, is_met)
    yield Condition("arbiter_in_hall", "1.1.5", "", "", State.CONFIRM)
    playing = event.arbiters_playing
    yield _known(
        "arbiters_playing", "1.1.6", "0", _shown(playing), None if playing is None else not playing
    )


def _known(code: str, article: str, needed: str, found: str, is_met: bool | None) -> Condition:
    if is_met is None:
        return Condition(code, article, needed, found, State.CONFIRM)
    return met(code, article, needed, found, is_met)


def _shown(number: int | None) -> str:
    return "" if number is None else str(number)


def _number(numerator: int, denominator: int) -> str:
    """Return a fraction as a number with at most one decimal, cut off."""
    whole, rest = divmod(numerator, denominator)
    tenths = rest * 10 // denominator
    return f"{whole}.{tenths}" if tenths else str(whole)
