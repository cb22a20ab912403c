"""The prizes over all sections of an event as a file for spreadsheets."""

from __future__ import annotations

import csv
import io

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tournaments.models import Event

from .test_event_prizes import awarded, event, save

__all__ = ["event"]  # the fixture


def test_the_file_has_every_prize_with_its_section_and_adds_up(
    event: Event, client: Client, chief_arbiter: User
) -> None:
    save(event, chief_arbiter)
    response = client.get(reverse("api:event-prizes-csv", args=[event.slug]))
    rows = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
    assert [(row["section"], row["tpn"], row["points"]) for row in rows[:2]] == [
        ("A", "1", "1.0"),
        ("B", "1", "1.0"),
    ]
    sums = {of.heading: sum(of.category.amounts) for of in awarded(event).prizes.categories}
    assert {
        name: sum(int(row["cents"]) for row in rows if row["category"] == name) for name in sums
    } == sums
    assert {bool(row["members"]) for row in rows if row["category"] == "Best club"} == {True}
    assert client.get("/api/v1/events/nowhere/prizes/csv/").status_code == 404
    client.force_login(chief_arbiter)
    page = client.get(reverse("event-prizes", args=[event.slug])).content.decode()
    assert reverse("api:event-prizes-csv", args=[event.slug]) in page
