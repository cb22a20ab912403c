"""Record 222, the encoded time control: one line, from the settings or from clear words."""

from __future__ import annotations

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tournaments.core.errors import BadInput
from tournaments.lists.imports.trf_tournament import tournament_import_trf
from tournaments.models import Tournament
from tournaments.models.fide_facts import require_encoded
from tournaments.reports.trf_export import trf_export
from tournaments.setup.tournaments import tournament_update


def records(tournament: Tournament) -> list[str]:
    lines = trf_export(tournament, public=True).splitlines()
    return [line for line in lines if line.startswith("222")]


@pytest.mark.django_db
def test_a_clear_time_control_is_written_as_its_code(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4, rounds=3)
    assert records(tournament) == []
    for words, code, expected in (
        ("90 min + 30 s/move", "", ["222 5400+30"]),
        ("60 min", "", []),
        ("60 min + 0 s", "", ["222 3600"]),
        ("100 min for 40 moves", "40/6000:900", ["222 40/6000:900"]),
        ("5400+30", "", ["222 5400+30"]),
    ):
        tournament = tournament_update(
            tournament_id=tournament.pk,
            actor=chief_arbiter,
            now=NOW,
            time_control=words,
            encoded_time_control=code,
        )
        assert records(tournament) == expected, words


@pytest.mark.django_db
def test_a_file_gives_the_setting_and_gets_the_record_back_once(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4, rounds=3)
    text = trf_export(tournament, public=False)
    for line, code, kept in (
        ("222 40/6000+30:900+30", "40/6000+30:900+30", []),
        ("222 one hour", "", ["222 one hour"]),
    ):
        opened = tournament_import_trf(
            actor=chief_arbiter, now=NOW, data=f"{text.rstrip()}\n{line}\n".encode()
        )
        assert (opened.encoded_time_control, opened.trf_extras) == (code, kept)
        lines = trf_export(opened, public=False).splitlines()
        assert [each for each in lines if each.startswith("222")] == [line]


@pytest.mark.django_db
def test_a_report_opened_by_an_older_version_has_its_record_once(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4, rounds=3)
    tournament.trf_extras = ["222 40/6000+30:900+30"]
    assert records(tournament) == ["222 40/6000+30:900+30"]
    tournament.encoded_time_control = "5400+30"
    assert records(tournament) == ["222 5400+30"]


@pytest.mark.django_db
def test_facts_for_fide_that_cannot_be_are_refused(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4, rounds=3)
    for field, value in (
        ("encoded_time_control", "90 min"),
        ("event_code", "S12"),
        ("event_kind", "olympiad"),
    ):
        with pytest.raises(BadInput) as refused:
            tournament_update(
                tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, **{field: value}
            )
        assert refused.value.field == field
    changed = tournament_update(
        tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, registered_on=date(2026, 8, 1)
    )
    assert changed.registered_on == date(2026, 8, 1)
    with pytest.raises(ValidationError):
        require_encoded("")
