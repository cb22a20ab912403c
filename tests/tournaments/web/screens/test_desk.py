"""The arbiters' page of the screens: as its form sends it, as the wrong user, late and twice."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tournaments.events.screens import MOST_SCREENS
from tournaments.models import Role, Screen, Tournament

from .conftest import MakeScreen

VALUES = {
    "name": "Stage",
    "contents": ["standings", "boards"],
    "size": "large",
    "is_dark": "no",
    "seconds": "20",
    "language": "fr",
    "notice": "",
}


def url(name: str, *args: object) -> str:
    return reverse(name, args=args)


@pytest.fixture
def desk(client: Client, deputy: User) -> Client:
    client.force_login(deputy)
    return client


def test_a_screen_is_made_changed_and_removed(ready: Tournament, desk: Client) -> None:
    assert "There are no screens yet." in desk.get(url("hall-screens", ready.slug)).content.decode()
    answer = desk.post(url("hall-screen-add", ready.slug), VALUES, follow=True)
    screen = Screen.objects.get(tournament=ready)
    assert (screen.contents, screen.size, screen.is_dark) == (
        ["boards", "standings"],
        "large",
        False,
    )
    page = answer.content.decode()
    assert f"/screen/{screen.code}/" in page
    edit = url("hall-screen", ready.slug, screen.pk)
    assert f'name="seen_version" value="{screen.version}"' in desk.get(edit).content.decode()
    answer = desk.post(edit, VALUES | {"name": "Bar", "seen_version": screen.version})
    assert answer.status_code == 302
    screen.refresh_from_db()
    assert (screen.name, screen.version) == ("Bar", 2)
    late = desk.post(edit, VALUES | {"name": "Late", "seen_version": 1})
    assert late.status_code == 409
    assert "Somebody else has changed this screen" in late.content.decode()
    screen.refresh_from_db()
    assert screen.name == "Bar"
    remove = url("hall-screen-remove", ready.slug, screen.pk)
    assert [desk.post(remove).status_code, desk.post(remove).status_code] == [302, 302]
    assert desk.get(edit).status_code == 404
    assert not Screen.objects.filter(tournament=ready).exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"contents": []},
        {"contents": ["draft"]},
        {"name": " "},
        {"name": "x" * 61},
        {"seconds": "-1"},
        {"seconds": "601"},
        {"seconds": "x"},
        {"size": "giant"},
        {"language": "xx"},
        {"is_dark": "perhaps"},
        {"notice": "x" * 601},
    ],
)
def test_odd_values_are_refused(ready: Tournament, desk: Client, wrong: dict[str, Any]) -> None:
    assert desk.post(url("hall-screen-add", ready.slug), VALUES | wrong).status_code == 422
    assert not Screen.objects.filter(tournament=ready).exists()


def test_content_and_message_of_now(
    ready: Tournament, desk: Client, make_screen: MakeScreen
) -> None:
    screen = make_screen(ready, "boards", "clock")
    show = url("hall-screen-show", ready.slug, screen.pk)
    message = url("hall-screens-message", ready.slug)
    assert desk.post(show, {"content": "clock"}).status_code == 302
    assert desk.post(message, {"message": " Round 2\nat 15:30 "}).status_code == 302
    screen.refresh_from_db()
    assert (screen.shown_now, screen.message) == ("clock", "Round 2 at 15:30")
    assert desk.post(show, {"content": "draft"}).status_code == 400
    assert desk.post(message, {"message": "x" * 161}).status_code == 400
    assert desk.post(message, {"message": "Round 2 at 15:30", "remove": "yes"}).status_code == 302
    screen.refresh_from_db()
    assert (screen.shown_now, screen.message) == ("clock", "")


def test_as_htmx_sends_it(ready: Tournament, desk: Client, make_screen: MakeScreen) -> None:
    screen = make_screen(ready, "boards", "clock")
    htmx = {"HX-Request": "true"}
    show = url("hall-screen-show", ready.slug, screen.pk)
    done = desk.post(show, {"content": "clock"}, headers=htmx)
    assert done["HX-Redirect"] == url("hall-screens", ready.slug)
    refused = desk.post(show, {"content": "draft"}, headers=htmx)
    assert (refused.status_code, "<html" in refused.content.decode()) == (400, False)


def test_a_tournament_has_a_limited_number_of_screens(
    ready: Tournament, desk: Client, make_screen: MakeScreen
) -> None:
    for _ in range(MOST_SCREENS):
        make_screen(ready, "boards")
    assert desk.post(url("hall-screen-add", ready.slug), VALUES).status_code == 400
    assert Screen.objects.filter(tournament=ready).count() == MOST_SCREENS


def test_a_screen_of_another_tournament_is_not_found(
    ready: Tournament, neighbour: Tournament, desk: Client
) -> None:
    other = Screen.objects.get(tournament=neighbour)
    assert desk.get(url("hall-screen", ready.slug, other.pk)).status_code == 404
    assert desk.post(url("hall-screen", ready.slug, other.pk), VALUES).status_code == 404
    assert desk.post(url("hall-screen-show", ready.slug, other.pk)).status_code == 404
    assert desk.post(url("hall-screen-remove", ready.slug, other.pk)).status_code == 302


def test_only_arbiters_make_screens(
    ready: Tournament, client: Client, stranger: User, make_screen: MakeScreen
) -> None:
    screen = make_screen(ready, "boards")
    for role in (None, Role.READER, Role.CHECK_IN_DESK, Role.RESULT_DESK):
        if role:
            ready.appointments.create(person=stranger, role=role, since=factories.NOW)
        client.force_login(stranger)
        assert client.get(url("hall-screens", ready.slug)).status_code == 403
        assert client.post(url("hall-screen-add", ready.slug), VALUES).status_code == 403
        assert client.post(url("hall-screens-message", ready.slug)).status_code == 403
        ready.appointments.filter(person=stranger).delete()
    assert Screen.objects.filter(tournament=ready).get() == screen


def test_a_copy_that_was_handed_over_keeps_its_screens(
    ready: Tournament, client: Client, chief_arbiter: User, make_screen: MakeScreen
) -> None:
    screen = make_screen(ready, "boards")
    Tournament.objects.filter(pk=ready.pk).update(
        handed_over_at=factories.NOW, handed_over_to="hall"
    )
    client.force_login(chief_arbiter)
    assert client.get(url("hall-screens", ready.slug)).status_code == 200
    assert client.post(url("hall-screen-add", ready.slug), VALUES).status_code == 409
    assert client.post(url("hall-screens-message", ready.slug), {"message": "x"}).status_code == 409
    assert client.get(url("screen", screen.code)).status_code == 200
