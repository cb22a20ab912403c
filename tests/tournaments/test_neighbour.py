"""The second tournament of the tests has rows in every table that
belongs to a tournament, in every test.
"""

from __future__ import annotations

import zlib

import pytest
from django.apps import apps
from django.contrib.auth.models import User

from tests.tournaments.conftest import comes_last
from tests.tournaments.neighbour import SLUG, own
from tests.tournaments.paths import conditions, models_of_tournaments, path_to_tournament
from tournaments.models import Entry, Event, SecondReading, Tournament

OF_THE_SITE = {
    "DeletedTournament",  # its tournament is gone
    "Passkey",  # of an account
    "Job",  # of a kind and a key; never in a copy
    "RatingList",
    "RequestCount",  # of an address on the network
    "StoredAnswer",  # of an account
}


def without_path() -> set[str]:
    models = apps.get_app_config("tournaments").get_models()
    return {model.__name__ for model in models if model not in models_of_tournaments()}


def test_every_model_belongs_to_a_tournament_or_to_the_site() -> None:
    assert without_path() == OF_THE_SITE
    assert path_to_tournament(SecondReading) == ("game", "round", "tournament")
    assert path_to_tournament(Event) == ("sections", "tournament")
    with pytest.raises(LookupError):
        path_to_tournament(User)


def empty_next_door() -> list[str]:
    return [
        model.__name__
        for model in models_of_tournaments()
        if not model._default_manager.filter(
            **{"__".join([*path_to_tournament(model), "slug"]): SLUG}
        ).exists()
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("again", [False, True])
def test_every_table_of_a_tournament_has_a_row_next_door(
    *, again: bool, second_tournament_unchanged: int
) -> None:
    """The second time the rows are saved from the first ones: none may be left out then."""
    assert empty_next_door() == [], (
        "A filter by tournament that is dropped for these tables would not be noticed: add a row of each in "
        "tests/tournaments/furniture.py."
    )
    assert Tournament.objects.get(pk=second_tournament_unchanged).slug == SLUG
    assert not own(Tournament).exists()
    assert all(not own(model).exists() for model in models_of_tournaments())
    assert len(conditions()) == len(models_of_tournaments()) + 1


@pytest.mark.parametrize("number", range(6))
def test_in_about_half_of_the_tests_it_comes_after_the_rows_of_the_fixtures(
    number: int, second_tournament_unchanged: int, ready: Tournament, request: pytest.FixtureRequest
) -> None:
    """So a dictionary that lacks the filter by tournament has the
    wrong player of each number in one of them.
    """
    waits = comes_last(request.node, request.fixturenames)
    unfiltered = {entry.tpn: entry.tournament_id for entry in Entry.objects.order_by("pk")}
    assert unfiltered[1] == (second_tournament_unchanged if waits else ready.pk)
    ids = [f"{request.node.nodeid.partition('[')[0]}[{n}]" for n in range(6)]
    assert request.node.nodeid == ids[number]
    assert 2 <= sum(zlib.crc32(each.encode()) % 2 for each in ids) <= 4
