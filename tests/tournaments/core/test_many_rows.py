"""Rows that are made before they are saved: their keys belong to nobody else."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection

from tests.tournaments import factories
from tests.tournaments.core.test_concurrency import at_once
from tests.tournaments.factories import NOW
from tournaments.core.many_rows import values_of
from tournaments.core.numbers import reserve_keys
from tournaments.entries.entries import entry_add
from tournaments.models import Entry, PointAdjustment


def test_the_next_row_gets_the_key_after_the_reserved_ones(chief_arbiter: User) -> None:
    tournament = factories.make_tournament(chief_arbiter)
    keys = reserve_keys(Entry, 5)
    assert keys == list(range(keys[0], keys[0] + 5))
    added = entry_add(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, name="Next, Nora")
    assert added.pk == keys[-1] + 1
    assert reserve_keys(Entry, 0) == []


@pytest.mark.alone
def test_a_table_that_never_had_a_row_reserves_too(chief_arbiter: User) -> None:
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(
                "DELETE FROM sqlite_sequence WHERE name = %s", [PointAdjustment._meta.db_table]
            )
        assert reserve_keys(PointAdjustment, 2) == [1, 2]
    first = reserve_keys(PointAdjustment, 1)[0]
    row = PointAdjustment.objects.create(
        tournament=factories.make_tournament(chief_arbiter), points=1
    )
    assert row.pk == first + 1


@pytest.mark.django_db(transaction=True)
def test_two_at_once_get_different_keys() -> None:
    first, second = at_once(*[lambda: reserve_keys(Entry, 200)] * 2)
    assert isinstance(first, list)
    assert isinstance(second, list)
    assert len({*first, *second}) == 400


def test_equal_values_of_different_types_are_converted_apart() -> None:
    rows = [Entry(name="A", checked_in=True, tpn=1), Entry(name="A", checked_in=False, tpn=0)]
    assert values_of(rows, ["tpn", "checked_in", "name"]) == [(1, True, "A"), (0, False, "A")]
    assert values_of([], ["tpn"]) == []
