"""The page of the mirror of an event: one form for the event and its sections."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tournaments.events.sections import event_create, section_add
from tournaments.mirrors.kept import Fault, Kept, MirrorSettings, MirrorState
from tournaments.models import Appointment, Event, Job, Role, Tournament
from tournaments.setup.visibility import tournament_list_set

SECRET = "correct-horse-7731"
WEB = {
    "do": "save",
    "kind": "web",
    "address": "https://cloud.example.org/dav/open",
    "user": "club",
    "secret": SECRET,
    "public": "https://club.example.org/open",
}


class Form:
    """The page of the mirror of an event of two sections; B is not in the public list."""

    def __init__(self, client: Client, event: Event) -> None:
        self.client, self.event = client, event
        self.a, self.b = Tournament.objects.filter(section__event=event).order_by("pk")
        self.kept, self.of_a, self.of_b = Kept.of_event(event.identity), Kept(self.a.identity), Kept(self.b.identity)
        self.address = reverse("event-mirror", args=[event.slug])

    def post(self, **values: str) -> Any:
        values.setdefault("seen_version", str(self.kept.settings.revision))
        return self.client.post(self.address, values)

    def wanted(self) -> set[str]:
        """Return the keys of the jobs that wait."""
        return set(Job.objects.filter(kind="mirror", state="waiting").values_list("key", flat=True))

    def text(self, language: str = "en") -> str:
        return self.client.get(self.address, headers={"Accept-Language": language}).content.decode()


@pytest.fixture
def form(chief_arbiter: User, logged_in: Callable[[User], Client], settings: Settings, tmp_path: Path) -> Form:
    settings.DATA_DIR = tmp_path
    settings.MIRROR_DIR = ""
    first = factories.make_tournament(chief_arbiter, name="City Open")
    event = event_create(tournament_id=first.pk, name="City Open", label="A", actor=chief_arbiter, now=NOW)
    section_add(event_id=event.pk, like_id=first.pk, label="B", limits={}, actor=chief_arbiter, now=NOW)
    tournament_list_set(tournament_id=first.pk, actor=chief_arbiter, now=NOW, listed=True)
    return Form(logged_in(chief_arbiter), event)


def test_one_form_sets_the_mirrors_of_the_event_and_of_its_public_sections(form: Form, chief_arbiter: User) -> None:
    assert form.post(**WEB, sections="on").status_code == 302
    chosen = form.kept.settings
    assert (chosen.is_on, chosen.address, chosen.secret) == (True, "https://cloud.example.org/dav/open/", SECRET)
    section = form.of_a.settings
    assert (section.is_on, section.by_event, section.secret) == (True, True, SECRET)
    assert section.address == f"https://cloud.example.org/dav/open/{form.a.slug}/"
    assert section.public == f"https://club.example.org/open/{form.a.slug}/"
    assert form.wanted() == {f"event {form.event.pk}", f"tournament {form.a.pk}"}
    assert not form.of_b.folder.joinpath("settings.json").exists()
    text = form.text()
    assert SECRET not in text
    assert [text.count(f">{words}<") for words in ("has a mirror", "no mirror", "not in the public list")] == [1, 1, 1]
    assert "a un miroir" in form.text("fr")
    # A section that is shown later gets its mirror when the form is saved again; without a new secret.
    tournament_list_set(tournament_id=form.b.pk, actor=chief_arbiter, now=NOW, listed=True)
    assert form.post(**{**WEB, "secret": ""}, sections="on").status_code == 302
    assert (form.of_b.settings.is_on, form.of_b.settings.secret) == (True, SECRET)


def test_sections_with_a_mirror_elsewhere_keep_it_and_stopping_ends_the_others(form: Form, chief_arbiter: User) -> None:
    own = MirrorSettings(address="https://other.example.org/", secret="t0ken", is_on=True)
    form.of_a.save_settings(own)
    tournament_list_set(tournament_id=form.b.pk, actor=chief_arbiter, now=NOW, listed=True)
    form.post(**WEB, sections="on")
    assert (form.of_a.settings.address, form.of_a.settings.secret) == (own.address, "t0ken")
    assert f"tournament {form.a.pk}" in form.wanted()  # Its pages lead to the event.
    assert form.of_b.settings.by_event
    assert form.post(do="stop").status_code == 302
    assert (form.kept.settings.is_on, form.kept.settings.secret) == (False, "")
    assert (form.of_b.settings.is_on, form.of_b.settings.secret) == (False, "")
    assert (form.of_a.settings.is_on, form.of_a.settings.secret) == (True, "t0ken")


def test_without_the_tick_only_the_event_has_a_mirror(form: Form) -> None:
    assert form.post(**WEB).status_code == 302
    assert (form.kept.settings.is_on, form.of_a.settings.is_on) == (True, False)
    for values in ({"address": "cloud"}, {"kind": "folder"}, {"public": "javascript:alert(1)"}):
        assert form.post(**{**WEB, **values}).status_code in (400, 422)
    assert form.post(**{**WEB, "seen_version": "0"}).status_code == 409
    assert form.post(do="burn").status_code == 422
    assert form.post(do="again").status_code == 302


def test_only_the_chief_arbiter_of_all_sections_decides(
    form: Form, stranger: User, logged_in: Callable[[User], Client]
) -> None:
    form.post(**WEB)
    form.kept.save_state(MirrorState(fault=Fault("mirror.not_reached", {"problem": "no route"}, ""), tries=2))
    Appointment.objects.filter(tournament=form.b, role=Role.CHIEF).update(person=stranger)
    text = form.text()
    assert "The web space could not be reached (no route)." in text
    assert "Only the Chief Arbiter of all sections can set up the mirror." in text
    assert "cloud.example.org" not in text
    desk = form.client.get(reverse("event-desk", args=[form.event.slug])).content.decode()
    assert "The mirror is not up to date. The web space could not be reached (no route)." in desk
    for values in (WEB, {"do": "again"}, {"do": "stop"}, {"do": "replace", "refused": "ab"}):
        assert form.post(**values).status_code == 403
    assert form.kept.settings.is_on
    Appointment.objects.filter(person=stranger).update(role=Role.RESULT_DESK)
    form.client = logged_in(stranger)
    assert form.client.get(form.address).status_code == 403
    form.client.logout()
    assert form.client.get(form.address).status_code == 302


def test_the_page_of_the_sections_leads_to_the_mirror(form: Form) -> None:
    page = form.client.get(reverse("event-sections", args=[form.event.slug])).content.decode()
    assert f'href="{form.address}"' in page
