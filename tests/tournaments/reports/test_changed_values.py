"""The record page and the report say what changed, old and new; visitors read no private value."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.corrections import Report, result_correct
from tests.policy.refusals import words_of
from tests.tournaments.factories import NOW, entry_of, make_ready, play_rounds, round_of
from tournaments.entries.entries import entry_update
from tournaments.models import Appointment, Game, Role, Tournament
from tournaments.people.people import chief_hand_over, person_remove
from tournaments.setup.tournaments import list_close, tournament_update


def by(actor: User, **more: Any) -> dict[str, Any]:
    return {"actor": actor, "now": NOW, **more}


@pytest.fixture
def changed(chief_arbiter: User, deputy: User) -> Tournament:
    """A settings page, an entry, a result and the people have changed after two rounds."""
    tournament = make_ready(chief_arbiter, rounds=3)
    play_rounds(tournament, [1, 2], chief_arbiter)
    pk = tournament.pk
    list_close(tournament_id=pk, **by(deputy))
    values: dict[str, Any] = {
        "city": "Nice",
        "end_date": date(2026, 11, 23),
        "rate_of_play": "rapid",
    }
    tournament_update(tournament_id=pk, **values, **by(deputy))
    entry_update(entry_id=entry_of(tournament, 5).pk, club="Mate", fixed_table=3, **by(deputy))
    game = Game.objects.get(round=round_of(tournament, 2), board=1)
    result_correct(
        game_id=game.pk, result="==", report=Report(NOW, "both say so"), **by(chief_arbiter)
    )
    person_remove(appointment_id=_appointment(tournament, deputy).pk, **by(chief_arbiter))
    tournament_update(tournament_id=pk, time_control="90 min", **by(chief_arbiter))
    return tournament


def _appointment(tournament: Tournament, person: User) -> Appointment:
    return Appointment.objects.get(tournament=tournament, person=person, until=None)


VALUES = (
    "List of participants: provisional → definitive",
    "Place: – → Nice",
    "Last day: – → 23 Nov 2026",
    "Rate of play: standard → rapid",
    "Time control: – → 90 min",
    "Club: – → Mate",
    "Fixed table: – → 3",
)


def test_the_record_page_says_what_changed_and_visitors_read_what_the_file_has(
    changed: Tournament, chief_arbiter: User, client: Client
) -> None:
    url = reverse("record", args=[changed.slug])
    for reader in (None, chief_arbiter):
        if reader is not None:
            client.force_login(reader)
        page = words_of(client.get(url).content.decode())
        for value in VALUES:
            assert value in page
        assert f"entry changed {entry_of(changed, 5).name}" in page
        assert re.search(r"result corrected board 1: 0 – 1 → ½ – ½", page)
        assert "role ended " in page
        assert "deputy" in page
        assert ("Dan Deputy, deputy" in page) == (reader is not None)
    french = words_of(client.get(url, headers={"Accept-Language": "fr"}).content.decode())
    assert "Club : – → Mate" in french.replace("\u00a0", " ").replace("\u202f", " ")


@pytest.mark.costly
def test_the_report_lists_changed_values_and_every_hand_over(
    changed: Tournament, chief_arbiter: User, client: Client
) -> None:
    person = User.objects.create_user(
        "third", password="third-secret", first_name="Theo", last_name="Third"
    )
    new = Appointment.objects.create(tournament=changed, person=person, role=Role.DEPUTY, since=NOW)
    chief_hand_over(appointment_id=new.pk, **by(chief_arbiter))
    client.force_login(chief_arbiter)
    page = words_of(client.get(reverse("event-report", args=[changed.slug])).content.decode())
    for value in VALUES:
        assert value in page
    assert "Clara Chief → Theo Third" in page


@pytest.mark.costly
def test_visitors_read_that_a_private_value_changed_and_not_which(
    changed: Tournament, chief_arbiter: User, client: Client
) -> None:
    entry_update(
        entry_id=entry_of(changed, 6).pk,
        birth_date="1999/01/02",
        reason="the passport",
        **by(chief_arbiter),
    )
    url = reverse("record", args=[changed.slug])
    page = words_of(client.get(url).content.decode())
    assert "Birth date changed" in page
    assert "1999" not in page
    assert "the passport" not in page
    client.force_login(chief_arbiter)
    assert "Birth date: – → 2 Jan 1999" in words_of(client.get(url).content.decode())
