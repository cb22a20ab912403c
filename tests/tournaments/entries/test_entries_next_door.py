"""Players of another tournament neither count nor change when entries are added, changed,
listed or numbered.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tournaments.entries.entries import entry_add, entry_update
from tournaments.entries.entry_list import entry_list
from tournaments.entries.number_preview import number_preview
from tournaments.models import Game, Tournament

pytestmark = pytest.mark.django_db


def test_a_player_can_enter_two_tournaments(
    tournament: Tournament, neighbour: Tournament, chief_arbiter: User
) -> None:
    there = neighbour.entries.earliest("pk")
    entry = entry_add(
        tournament_id=tournament.pk,
        actor=chief_arbiter,
        now=NOW,
        name=there.name,
        fide_id=there.fide_id,
    )
    assert entry.fide_id == there.fide_id is not None


def test_who_has_played_is_asked_of_each_player(ready: Tournament, chief_arbiter: User) -> None:
    assert [line.has_played for line in entry_list(ready, for_arbiters=True).lines] == [False] * 8
    factories.pair_and_publish(ready, 1, chief_arbiter)
    late = entry_add(tournament_id=ready.pk, actor=chief_arbiter, now=NOW, name="Late, Lea")
    lines = entry_list(ready, for_arbiters=True).lines
    assert {line.entry_id: line.has_played for line in lines}[late.pk] is False
    assert sum(line.has_played for line in lines) == 8


@pytest.mark.costly
def test_a_fixed_table_changes_no_draft_of_another_tournament(
    ready: Tournament, chief_arbiter: User
) -> None:
    other = factories.make_ready(chief_arbiter, name="Other")
    for tournament in (ready, other):
        factories.pair_only(tournament, 1, chief_arbiter)
    before = dict(Game.objects.values_list("pk", "version"))
    entry_update(
        entry_id=factories.entry_of(ready, 4).pk, actor=chief_arbiter, now=NOW, fixed_table=1
    )
    changed = {
        pk for pk, version in Game.objects.values_list("pk", "version") if version != before[pk]
    }
    assert changed == set(Game.objects.filter(round__tournament=ready).values_list("pk", flat=True))


def test_the_new_numbers_are_proposed_for_this_tournament_alone(ready: Tournament) -> None:
    assert [(line.tpn, line.proposed) for line in number_preview(ready).lines] == [
        (n, n) for n in range(1, 9)
    ]


def test_a_deputy_gives_a_new_name_that_passes_a_namesake_next_door(
    ready: Tournament, chief_arbiter: User, deputy: User
) -> None:
    factories.pair_and_publish(ready, 1, chief_arbiter)
    first = factories.entry_of(ready, 1)
    assert first.name == "Abara, Player 1"  # with the rating of the namesake
    entry_update(
        entry_id=first.pk, actor=deputy, now=NOW, name="Abar, Player 1", reason="as on the passport"
    )
    first.refresh_from_db()
    assert (first.name, first.tpn) == ("Abar, Player 1", 1)
