"""The cast: the same people, and the same tournaments, in every test of the application."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import AnonymousUser, User

from pairing.rounds.pair import round_pair
from tests.plugins.postgres import uses_database
from tournaments.models import Round, Tournament

from . import factories
from .neighbour import everything_of, move_in


@pytest.fixture(autouse=True)
def beside(request: pytest.FixtureRequest) -> Iterator[int | None]:
    """A second tournament with the same numbers beside the one the test is about; after the test it is untouched.

    Not for a test without a database, nor for one marked ``alone``. The value is its primary key.
    """
    if not uses_database(request.node) or request.node.get_closest_marker("alone"):
        yield None
        return
    request.getfixturevalue("db")
    pk, rows = move_in()
    yield pk
    assert everything_of(pk) == rows, "the test has changed the tournament next door"


@pytest.fixture
def neighbour(beside: int) -> Tournament:
    """The tournament next door."""
    return Tournament.objects.get(pk=beside)


@pytest.fixture
def chief_arbiter(db: None) -> User:
    """Creates and runs the tournaments of the tests; not staff."""
    return User.objects.create_user("chief", password="chief-secret", first_name="Clara", last_name="Chief")


@pytest.fixture
def deputy(db: None) -> User:
    """Staff: may run every tournament."""
    return User.objects.create_user(
        "deputy", password="deputy-secret", first_name="Dan", last_name="Deputy", is_staff=True
    )


@pytest.fixture
def stranger(db: None) -> User:
    """Has an account, and nothing to do with the tournaments of the others."""
    return User.objects.create_user("stranger", password="stranger-secret")


@pytest.fixture
def visitor() -> AnonymousUser:
    """A player on a phone: not logged in."""
    return AnonymousUser()


@pytest.fixture
def tournament(chief_arbiter: User) -> Tournament:
    """Five rounds declared, nobody entered."""
    return factories.make_tournament(chief_arbiter)


@pytest.fixture
def ready(chief_arbiter: User) -> Tournament:
    """Eight players with TPNs 1-8 by strength, five rounds, White drawn: round 1 may be paired."""
    return factories.make_ready(chief_arbiter)


@pytest.fixture
def draft_round(ready: Tournament, chief_arbiter: User) -> Round:
    """Round 1 of ``ready`` as a draft that nobody else may see."""
    return round_pair(round_id=factories.round_of(ready, 1).pk, actor=chief_arbiter, now=factories.NOW)


@pytest.fixture
def published_round(ready: Tournament, chief_arbiter: User) -> Round:
    """Round 1 of ``ready``, published, no result yet."""
    return factories.pair_and_publish(ready, 1, chief_arbiter)


@pytest.fixture
def played_round(ready: Tournament, chief_arbiter: User) -> Round:
    """Round 1 of ``ready`` with its results published: the lower number won everywhere."""
    factories.play_rounds(ready, [1], chief_arbiter)
    return factories.round_of(ready, 1)
