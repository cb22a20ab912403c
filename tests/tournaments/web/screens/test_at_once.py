"""Two arbiters change a screen at once: one is done, the other gets a clear answer."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.tournaments.core.test_concurrency import at_once
from tests.tournaments.factories import NOW
from tests.tournaments.neighbour import own
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.short_address import new_screen_code
from tournaments.events.screens import (
    MOST_SCREENS,
    Wanted,
    screen_add,
    screen_change,
    screen_remove,
    screen_show,
    screens_message,
)
from tournaments.models import Screen, Tournament

from .conftest import MakeScreen

pytestmark = pytest.mark.django_db(transaction=True)


def kinds(outcomes: list[object]) -> set[type]:
    return {type(outcome) for outcome in outcomes}


@pytest.mark.costly
def test_a_change_is_never_lost_and_no_screen_is_one_too_many(
    ready: Tournament, chief_arbiter: User, deputy: User, make_screen: MakeScreen
) -> None:
    screen = make_screen(ready, "boards", "clock")
    by: Any = {"now": NOW, "screen_id": screen.pk}
    change = partial(screen_change, seen_version=screen.version, **by)
    assert kinds(
        at_once(
            partial(change, actor=chief_arbiter, wanted=Wanted("Stage", ["boards"])),
            partial(change, actor=deputy, wanted=Wanted("Bar", ["clock"])),
        )
    ) == {Screen, Conflict}
    screen.refresh_from_db()
    shown = screen.contents[0]
    at_once(
        partial(screen_show, actor=deputy, content=shown, **by),
        partial(
            screens_message, tournament_id=ready.pk, actor=chief_arbiter, now=NOW, text="Lunch"
        ),
    )
    screen.refresh_from_db()
    assert (screen.shown_now, screen.message, screen.version) == (shown, "Lunch", 4)
    for _ in range(MOST_SCREENS - 2):
        make_screen(ready, "boards")
    add = partial(
        screen_add, tournament_id=ready.pk, actor=deputy, now=NOW, wanted=Wanted("A", ["clock"])
    )
    outcomes = at_once(*(partial(add, code=new_screen_code()) for _ in range(2)))
    assert kinds(outcomes) == {Screen, BadInput}
    assert own(Screen).count() == MOST_SCREENS


def test_a_screen_is_removed_once(
    ready: Tournament, chief_arbiter: User, deputy: User, make_screen: MakeScreen
) -> None:
    screen = make_screen(ready, "boards")
    remove = partial(screen_remove, screen_id=screen.pk, now=NOW)
    outcomes = at_once(partial(remove, actor=deputy), partial(remove, actor=chief_arbiter))
    assert kinds(outcomes) == {type(None), Conflict}


def test_a_screen_that_was_just_removed_is_not_changed(
    ready: Tournament, deputy: User, make_screen: MakeScreen
) -> None:
    """The page found the screen; somebody else removed it before the action had the lock."""
    screen = make_screen(ready, "boards")
    by: Any = {"screen_id": screen.pk, "actor": deputy, "now": NOW}
    screen_remove(**by)
    for action in (
        partial(screen_show, content="boards"),
        partial(screen_change, wanted=Wanted("Bar", ["clock"]), seen_version=1),
        screen_remove,
    ):
        with pytest.raises(Conflict, match=r"Somebody else has changed this screen"):
            action(**by)
