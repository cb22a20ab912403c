"""The arbiters' page of the screens: as its form sends it, as the wrong user, late and twice."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests.tournaments import factories
from tests.tournaments.large import make_large
from tournaments.core.short_address import new_screen_code
from tournaments.events.screens import MOST_SCREENS
from tournaments.models import Event, Role, Screen, Section, Tournament

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


@pytest.mark.costly
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


@pytest.mark.costly
def test_the_pages_are_turned_at_the_desk(
    client: Client, make_screen: MakeScreen, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    tournament = make_large(chief_arbiter, players=24)
    screen = make_screen(tournament, "names", "clock", size="huge")
    show = url("hall-screen-show", tournament.slug, screen.pk)
    pages = url("hall-screen-pages", tournament.slug, screen.pk)
    client.post(show, {"content": "names"})

    def on_the_screen() -> str:
        text = client.get(reverse("screen", args=[screen.code])).content.decode()
        return " ".join(re.findall(r'class="of">(\d/\d)<', text))

    assert on_the_screen() == "1/3 2/3 3/3"
    assert "Turn from here" in client.get(pages).content.decode()
    for _ in range(2):  # the same button sent twice
        answer = client.post(show, {"content": "names", "page": "1"})
        assert (answer.status_code, answer["Location"]) == (302, pages)
        assert on_the_screen() == "1/3"
    shown = client.get(pages).content.decode()
    assert re.findall('name="page" value="(\\d)">\\s*[PN]', shown) == ["2", "0"]
    client.post(show, {"content": "names", "page": "2"})
    assert on_the_screen() == "2/3"
    shown = client.get(pages).content.decode()
    assert re.findall('name="page" value="(\\d)">\\s*[PN]', shown) == ["1", "3", "0"]
    client.post(show, {"content": "names", "page": "9"})  # the list has become shorter
    assert on_the_screen() == "3/3"
    for wrong in ("-1", "x", "1000", "²", ""):
        assert client.post(show, {"content": "names", "page": wrong}).status_code == 400
    assert client.post(show, {"page": "1"}).status_code == 400
    assert on_the_screen() == "3/3"
    client.post(show, {"content": "names", "page": "0"})
    assert on_the_screen() == "1/3 2/3 3/3"
    client.post(show, {"content": "names", "page": "2"})
    assert client.post(show, {"content": ""})["Location"] == url("hall-screens", tournament.slug)
    assert on_the_screen() == "1/3 2/3 3/3"
    screen.refresh_from_db()
    assert (screen.shown_now, screen.page_now) == ("", 0)


def test_a_ceremony_begins_with_the_first_prize_and_stays_there(
    ready: Tournament, desk: Client, make_screen: MakeScreen
) -> None:
    screen = make_screen(ready, "prizes", "clock")
    show = url("hall-screen-show", ready.slug, screen.pk)
    pages = url("hall-screen-pages", ready.slug, screen.pk)
    assert desk.post(show, {"content": "prizes"})["Location"] == pages
    screen.refresh_from_db()
    assert (screen.shown_now, screen.page_now) == ("prizes", 1)
    assert "There is nothing to show yet" in desk.get(pages).content.decode()
    assert "clock" in desk.get(reverse("screen", args=[screen.code])).content.decode()


def test_as_htmx_sends_it(ready: Tournament, desk: Client, make_screen: MakeScreen) -> None:
    screen = make_screen(ready, "boards", "clock")
    htmx = {"HX-Request": "true"}
    show = url("hall-screen-show", ready.slug, screen.pk)
    done = desk.post(show, {"content": "clock"}, headers=htmx)
    assert done["HX-Redirect"] == url("hall-screens", ready.slug)
    refused = desk.post(show, {"content": "draft"}, headers=htmx)
    assert (refused.status_code, "<html" in refused.content.decode()) == (400, False)


@pytest.mark.costly
def test_a_tournament_has_a_limited_number_of_screens(
    ready: Tournament, desk: Client, make_screen: MakeScreen
) -> None:
    for _ in range(MOST_SCREENS):
        make_screen(ready, "boards")
    assert desk.post(url("hall-screen-add", ready.slug), VALUES).status_code == 400
    assert Screen.objects.filter(tournament=ready).count() == MOST_SCREENS


@pytest.mark.costly
def test_a_screen_of_another_tournament_is_not_found(
    ready: Tournament, neighbour: Tournament, desk: Client
) -> None:
    other = Screen.objects.get(tournament=neighbour)
    assert desk.get(url("hall-screen", ready.slug, other.pk)).status_code == 404
    assert desk.post(url("hall-screen", ready.slug, other.pk), VALUES).status_code == 404
    assert desk.post(url("hall-screen-show", ready.slug, other.pk)).status_code == 404
    assert desk.get(url("hall-screen-pages", ready.slug, other.pk)).status_code == 404
    assert desk.post(url("hall-screen-remove", ready.slug, other.pk)).status_code == 302


@pytest.mark.costly
def test_screens_of_other_sections_are_listed(
    ready: Tournament,
    desk: Client,
    chief_arbiter: User,
    deputy: User,
    make_screen: MakeScreen,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    event = Event.objects.create(
        name="Open", slug="open", created_by=chief_arbiter, created_at=factories.NOW
    )
    other = factories.make_tournament(chief_arbiter, name="Juniors")
    for label, each in (("A", ready), ("B", other)):
        Section.objects.create(event=event, tournament=each, label=label)
    other.appointments.filter(person=deputy).delete()
    other.refresh_from_db()
    listed = url("hall-screens", ready.slug)
    assert "other sections" not in desk.get(listed).content.decode()
    make_screen(other, "boards")
    screen = make_screen(
        Tournament.objects.get(pk=other.pk), "boards", sections=[ready.identity, other.identity]
    )
    Screen.objects.filter(pk=screen.pk).update(name="Stage")
    text = desk.get(listed).content.decode()
    assert re.search(r"<li>\s*Stage\s*· B\s*</li>", text)  # the deputy of A has no role in B
    other.appointments.create(person=deputy, role=Role.DEPUTY, since=factories.NOW)
    with django_assert_num_queries(12):
        text = desk.get(listed).content.decode()
    assert f'<a href="{url("hall-screens", other.slug)}">Stage</a>' in text
    for _ in range(3):
        Screen.objects.create(
            tournament=other, code=new_screen_code(), name="More", contents=["boards"],
            sections=[ready.identity],
        )  # fmt: skip
    with django_assert_num_queries(12):
        assert desk.get(listed).content.decode().count(">More</a>") == 3


@pytest.mark.costly
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


@pytest.mark.costly
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
