"""The players of all sections of an event as a file for spreadsheets."""

from __future__ import annotations

import csv
import io

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import NOW
from tournaments.entries.entries import entry_add
from tournaments.models import Appointment, Event, Role, Tournament

pytestmark = pytest.mark.django_db


def test_the_file_has_all_players_and_whole_names_in_sections_of_the_reader_only(
    event: Event,
    first: Tournament,
    second: Tournament,
    chief_arbiter: User,
    stranger: User,
    client: Client,
) -> None:
    for section, name, fide_id in (
        (first, "Quetzal, Xanthippe", 98765432),
        (second, "Blom, Bo", 7),
    ):
        entry_add(
            tournament_id=section.pk,
            name=name,
            fide_rating=1700,
            fide_id=fide_id,
            initials=section is first,
            actor=chief_arbiter,
            now=NOW,
        )
    url = reverse("api:event-entries-csv", args=[event.slug])

    def rows(user: User) -> list[tuple[str, ...]]:
        client.force_login(user)
        text = client.get(url).content.decode("utf-8-sig")
        shown = ("section", "name", "fide_id", "rating")
        return [tuple(row[name] for name in shown) for row in csv.DictReader(io.StringIO(text))]

    assert client.get(url).status_code == 403
    client.force_login(stranger)
    assert client.get(url).status_code == 403
    assert client.get("/api/v1/events/nowhere/entries/csv/").status_code == 404
    bo = ("B", "Blom, Bo", "7", "1700")
    assert rows(chief_arbiter) == [bo, ("A", "Quetzal, Xanthippe", "98765432", "1700")]
    Appointment.objects.create(tournament=second, person=stranger, role=Role.READER, since=NOW)
    assert rows(stranger) == [bo, ("A", "Q. X.", "", "1700")]
    page = client.get(reverse("event-entries", args=[event.slug])).content.decode()
    assert f"{url}?heads=words&amp;as=xlsx" in page
