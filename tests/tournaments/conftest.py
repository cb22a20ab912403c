"""The same users, clients and tournaments for every test of the application;
tests/api and tests/policy import all.
"""

from __future__ import annotations

import inspect
import zlib
from collections.abc import Callable, Iterator, Sequence

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db.models.signals import post_save
from django.test import Client

from tests.plugins.after_fixtures import AFTER_FIXTURES
from tests.plugins.postgres import uses_database
from tournaments.models import Appointment, Role, Round, Tournament

from . import factories
from .neighbour import SLUG, everything_of, move_in
from .row_cache import ROW_CACHE

__all__ = [
    "chief_arbiter",
    "deputy",
    "draft_round",
    "factories_use_the_row_cache",
    "logged_in",
    "played_round",
    "published_round",
    "ready",
    "second_tournament_unchanged",
    "stranger",
    "tournament",
]


def comes_last(item: pytest.Item, fixtures: Sequence[str]) -> bool:
    """Whether the second tournament is saved after the fixtures of the test:
    so it is in half of them.

    The same ones in every run. A test that asks for the tournament gets it first.
    """
    return "neighbour" not in fixtures and zlib.crc32(item.nodeid.encode()) % 2 == 1


@pytest.fixture(autouse=True)
def second_tournament_unchanged(request: pytest.FixtureRequest) -> Iterator[int | None]:
    """Save a second tournament with the same numbers, and fail if the test has changed it.

    A query that forgets to filter by tournament finds its rows. Not for tests without a database
    and tests marked ``alone``. The value is its primary key.
    """
    if not uses_database(request.node) or request.node.get_closest_marker("alone"):
        yield None
        return
    request.getfixturevalue("db")
    waits = comes_last(request.node, request.fixturenames)
    next_door = move_in(comes_last=waits)
    ROW_CACHE.next_door = {} if waits else next_door.rows
    if waits:
        request.node.stash[AFTER_FIXTURES] = next_door.save
    yield next_door.pk
    ROW_CACHE.next_door = {}
    if AFTER_FIXTURES not in request.node.stash:  # else a fixture has failed
        assert everything_of(next_door.pk) == next_door.rows, (
            "the test has changed the tournament next door"
        )


@pytest.fixture(autouse=True)
def factories_use_the_row_cache(
    request: pytest.FixtureRequest, second_tournament_unchanged: int | None
) -> Iterator[None]:
    """Let factories insert again what they saved before (:mod:`.row_cache`), without the actions.

    Not in a test that takes ``monkeypatch``: it replaces parts of the program, so the actions may
    end in another way.
    """
    replaces = "monkeypatch" in inspect.signature(request.function).parameters
    ROW_CACHE.is_on = second_tournament_unchanged is not None and not replaces
    yield
    ROW_CACHE.is_on = False


@pytest.fixture
def neighbour(second_tournament_unchanged: int) -> Tournament:
    """Return the second tournament, which the test must not change."""
    return Tournament.objects.get(pk=second_tournament_unchanged)


@pytest.fixture
def chief_arbiter(db: None) -> User:
    """The user who creates and runs the tournaments of the tests; not staff."""
    return User.objects.create_user(
        "chief", password="chief-secret", first_name="Clara", last_name="Chief"
    )


@pytest.fixture
def deputy(db: None) -> Iterator[User]:
    """A deputy in every tournament of the test, of those made later too;
    as an account, also a site administrator.
    """
    user = User.objects.create_user(
        "deputy", password="deputy-secret", first_name="Dan", last_name="Deputy", is_staff=True
    )

    def appoint(instance: Tournament, *, created: bool, **_more: object) -> None:
        if created and instance.created_by_id != user.pk:
            Appointment.objects.create(
                tournament=instance, person=user, role=Role.DEPUTY, since=factories.NOW
            )

    for tournament in Tournament.objects.exclude(slug=SLUG):
        appoint(tournament, created=True)
    post_save.connect(appoint, sender=Tournament)
    yield user
    post_save.disconnect(appoint, sender=Tournament)


@pytest.fixture
def stranger(db: None) -> User:
    """A user with an account and no role in the tournaments of the others."""
    return User.objects.create_user("stranger", password="stranger-secret")


@pytest.fixture
def logged_in() -> Callable[[User], Client]:
    """Return a function: a client that is logged in as the given user."""

    def log_in(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return log_in


@pytest.fixture
def visitor() -> AnonymousUser:
    """A visitor on a phone, not logged in."""
    return AnonymousUser()


@pytest.fixture
def tournament(chief_arbiter: User) -> Tournament:
    """A tournament of five rounds without entries."""
    return factories.make_tournament(chief_arbiter)


@pytest.fixture
def ready(chief_arbiter: User) -> Tournament:
    """Eight players with TPNs 1-8 by rating, five rounds, White as initial colour:
    round 1 may be paired.
    """
    return factories.make_ready(chief_arbiter)


@pytest.fixture
def draft_round(ready: Tournament, chief_arbiter: User) -> Round:
    """The draft of round 1 of ``ready``; only arbiters see it."""
    return factories.pair_only(ready, 1, chief_arbiter)


@pytest.fixture
def published_round(ready: Tournament, chief_arbiter: User) -> Round:
    """Round 1 of ``ready`` with its pairings published and no result yet."""
    return factories.pair_and_publish(ready, 1, chief_arbiter)


@pytest.fixture
def played_round(ready: Tournament, chief_arbiter: User) -> Round:
    """Round 1 of ``ready`` with its results published: the lower number won every game."""
    factories.play_rounds(ready, [1], chief_arbiter)
    return factories.round_of(ready, 1)
