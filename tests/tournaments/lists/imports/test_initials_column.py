"""Players who are shown with initials, in imported lists:
the column, a newer list, and rows that wait.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from tests.tournaments.factories import NOW
from tournaments.core.errors import BadInput
from tournaments.lists.imports.comparing import compare
from tournaments.lists.imports.entry_lists import Choice, list_import
from tournaments.lists.imports.reading import read_list
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db
LIST = (
    "Name;Fide ID;Elo;Initiales\nQuetzal, Xanthippe;100077;1500;oui\nSmith, "
    "John;100078;1600;non\nKovar, Eva;;2000;\n"
)


@pytest.fixture
def entered(tournament: Tournament, chief_arbiter: User) -> Tournament:
    list_import(
        tournament_id=tournament.pk,
        actor=chief_arbiter,
        now=NOW,
        reading=read_list(LIST),
        choice=Choice(),
    )
    return tournament


def test_the_column_says_yes_or_no(entered: Tournament) -> None:
    names = Entry.objects.filter(tournament=entered).order_by("pk").values_list("name", "full_name")
    assert list(names) == [("Q. X.", "Quetzal, Xanthippe"), ("Smith, John", ""), ("Kovar, Eva", "")]


def test_a_newer_list_finds_the_player_by_the_whole_name(entered: Tournament) -> None:
    same = compare(read_list(LIST), entered)
    assert (same.new, same.changed, same.missing, same.doubtful) == ([], [], [], [])
    without = compare(read_list("Name;Elo\nQuetzal, Xanthippe;1500\nKovar, Eva;2000\n"), entered)
    assert (without.new, without.changed, [each.name for each in without.missing]) == (
        [],
        [],
        ["Smith, John"],
    )


def test_a_newer_list_can_ask_for_initials_and_never_takes_them_away(entered: Tournament) -> None:
    newer = compare(read_list("Name;Initials\nQuetzal, Xanthippe;no\nKovar, Eva;yes\n"), entered)
    changes = [
        (player.entry.name, one.field, one.old, one.new)
        for player in newer.changed
        for one in player.changes
    ]
    assert changes == [("Kovar, Eva", "initials", False, True)]


def test_another_word_waits(tournament: Tournament) -> None:
    (row,) = read_list("Name;Initials\nKovar, Eva;perhaps\n").doubtful
    assert [(problem.code, problem.field) for problem in row.problems] == [
        ("csv.yes_or_no", "initials")
    ]
    assert isinstance(row.problems[0], BadInput)
