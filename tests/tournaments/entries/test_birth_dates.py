"""Dates of birth have one form, that of the report file, however they are given."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.tournaments.factories import NOW, make_tournament
from tournaments.core.errors import BadInput
from tournaments.entries.entries import entry_add, entry_update, numbers_assign
from tournaments.models import Entry
from tournaments.reports.trf_export import trf_export

pytestmark = pytest.mark.django_db


def test_a_date_of_birth_given_to_the_service_has_the_form_of_the_file(chief_arbiter: User) -> None:
    made = make_tournament(chief_arbiter)
    by: dict[str, Any] = {"actor": chief_arbiter, "now": NOW}
    one = entry_add(
        tournament_id=made.pk, name="Abara, Ann", birth_date="1998-03-26", fide_rating=2000, **by
    )
    two = entry_add(
        tournament_id=made.pk, name="Birch, Bo", birth_date="1998/03/26", fide_rating=1900, **by
    )
    entry_update(entry_id=two.pk, birth_date="27.03.1998", **by)
    numbers_assign(tournament_id=made.pk, **by)
    assert [Entry.objects.get(pk=each.pk).birth_date for each in (one, two)] == [
        "1998/03/26",
        "1998/03/27",
    ]
    with pytest.raises(BadInput):
        entry_update(entry_id=two.pk, birth_date="31.02.1998", **by)


def test_a_row_from_before_is_exported_in_the_form_of_the_file(chief_arbiter: User) -> None:
    made = make_tournament(chief_arbiter)
    one = entry_add(
        tournament_id=made.pk, actor=chief_arbiter, now=NOW, name="Abara, Ann", fide_rating=2000
    )
    numbers_assign(tournament_id=made.pk, actor=chief_arbiter, now=NOW)
    Entry.objects.filter(pk=one.pk).update(birth_date="1998-03-26")
    assert " 1998/03/26 " in trf_export(made, public=False)
    assert " 1998/00/00 " in trf_export(made, public=True)
