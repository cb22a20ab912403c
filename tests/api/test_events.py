"""Events with sections over REST."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.tournaments.factories import NOW, make_tournament
from tournaments.events.sections import event_create, section_add
from tournaments.setup.visibility import tournament_list_set

pytestmark = pytest.mark.on_postgres("one request of every page and read")


def test_an_event_names_its_sections(chief_arbiter: User, client: Client) -> None:
    first = make_tournament(chief_arbiter, name="City Open")
    event = event_create(
        tournament_id=first.pk, name="City Open", label="A", actor=chief_arbiter, now=NOW
    )
    section_add(
        event_id=event.pk,
        like_id=first.pk,
        label="B",
        limits={"rating_to": 1799},
        actor=chief_arbiter,
        now=NOW,
    )
    answer = client.get("/api/v1/events/city-open/").json()
    assert [
        (each["section"], each["tournament"], each["rating_to"]) for each in answer["sections"]
    ] == [
        ("A", "city-open", None),
        ("B", "city-open-b", 1799),
    ]
    assert client.get("/api/v1/events/").json()["results"] == []
    tournament_list_set(tournament_id=first.pk, listed=True, actor=chief_arbiter, now=NOW)
    assert client.get("/api/v1/events/").json()["results"][0]["slug"] == "city-open"
    assert client.get("/api/v1/events/no-such/").json()["error"]["code"] == "event.unknown"
    assert client.get("/").content.decode().count("2 sections") == 1
