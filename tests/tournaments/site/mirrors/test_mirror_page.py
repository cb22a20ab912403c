"""The page of the mirror: only the Chief Arbiter sets it, and its secret stays in one file."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.tournaments import factories, long_work
from tests.tournaments.factories import NOW
from tests.tournaments.site.mirrors.conftest import MirrorOf
from tournaments.core.frame import tournament_frame
from tournaments.events.sections import event_create, section_add
from tournaments.models import Appointment, Event, Role, Tournament
from tournaments.reports.record_file import record_file
from tournaments.setup.visibility import tournament_list_set
from tournaments.site.backups import rows
from tournaments.site.backups.one_event import export_event
from tournaments.site.mirrors.sources import source_of
from tournaments.site.mirrors.store import Fault, MirrorSettings, MirrorState

SECRET = "correct-horse-7731"
ADDRESS = "https://cloud.example.org/dav/open/"
WEB = {"do": "save", "kind": "web", "address": ADDRESS[:-1], "user": "club", "secret": SECRET}
FOR_ALL = {**WEB, "public": "https://club.example.org/open", "sections": "on"}
LOST = Fault("mirror.not_reached", {"problem": "no route"}, "")
SENTENCE = "The web space could not be reached (no route)."


class Form:
    """The page of the mirror of *row*."""

    def __init__(self, client: Client, row: Tournament | Event) -> None:
        self.client, self.store = client, source_of(row).store
        self.address = reverse(
            "event-mirror" if isinstance(row, Event) else "mirror", args=[row.slug]
        )

    def post(self, **values: str) -> Any:
        values.setdefault("seen_version", str(self.store.settings.revision))
        return self.client.post(self.address, values)

    def text(self, language: str = "en") -> str:
        return self.client.get(self.address, headers={"Accept-Language": language}).content.decode()


class EventForm(Form):
    """The page of the mirror of an event of two sections; B is not in the public list."""

    def __init__(self, client: Client, event: Event) -> None:
        super().__init__(client, event)
        self.event = event
        self.a, self.b = Tournament.objects.filter(section__event=event).order_by("pk")
        self.of_a, self.of_b = source_of(self.a).store, source_of(self.b).store


@pytest.fixture
def client_of_chief(
    chief_arbiter: User, logged_in: Callable[[User], Client], settings: Settings, tmp_path: Path
) -> Client:
    settings.DATA_DIR = tmp_path
    settings.MIRROR_DIR = ""
    return logged_in(chief_arbiter)


@pytest.fixture
def form(ready: Tournament, client_of_chief: Client) -> Form:
    return Form(client_of_chief, ready)


@pytest.fixture
def event_form(chief_arbiter: User, client_of_chief: Client) -> EventForm:
    first = factories.make_tournament(chief_arbiter, name="City Open")
    event = event_create(
        tournament_id=first.pk, name="City Open", label="A", actor=chief_arbiter, now=NOW
    )
    section_add(
        event_id=event.pk, like_id=first.pk, label="B", limits={}, actor=chief_arbiter, now=NOW
    )
    tournament_list_set(tournament_id=first.pk, actor=chief_arbiter, now=NOW, listed=True)
    return EventForm(client_of_chief, event)


def test_the_chief_arbiter_sets_the_mirror_and_it_is_sent(form: Form) -> None:
    assert form.post(**WEB).status_code == 302
    chosen = form.store.settings
    assert (chosen.is_on, chosen.address, chosen.secret) == (True, ADDRESS, SECRET)
    assert len(long_work.queued("mirror")) == 1
    text = form.text()
    assert "A new version is being sent." in text
    assert "A password or token is saved." in text
    assert form.post(do="stop").status_code == 302
    assert (form.store.settings.is_on, form.store.settings.secret) == (False, "")
    assert form.post(do="again").status_code == 400  # nothing to send


@pytest.mark.costly
def test_the_secret_is_on_no_page_and_in_no_record_file_or_copy(
    form: Form, ready: Tournament, tmp_path: Path
) -> None:
    form.post(**WEB)
    path = form.store.folder / "settings.json"
    assert SECRET in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert SECRET not in form.text()
    assert SECRET not in repr(form.store.settings)
    ready.refresh_from_db()
    assert SECRET not in "".join(record_file(tournament_frame(ready, runs=True)))
    assert SECRET not in "".join(rows.dump(apps, connection.alias))
    export_event(ready.slug, tmp_path / "event", now=NOW)
    assert SECRET.encode() not in (tmp_path / "event").read_bytes()


def test_a_saved_secret_is_not_sent_to_another_server(form: Form) -> None:
    form.post(**WEB)
    form.post(**{**WEB, "address": "https://cloud.example.org/dav/other/", "secret": ""})
    assert form.store.settings.secret == SECRET
    form.post(**{**WEB, "address": "https://evil.example.org/dav/", "secret": ""})
    assert form.store.settings.secret == ""


@pytest.mark.costly
def test_addresses_that_cannot_be_used_are_refused_at_their_field(
    form: Form, event_form: EventForm
) -> None:
    for values, sentence in (
        ({"address": "http://cloud.example.org/"}, "without encryption"),
        ({"address": "cloud.example.org"}, "not an address that starts with"),
        ({"public": "javascript:alert(1)"}, "not an address that starts with"),
        ({"user": "a:b"}, "the username no colon"),
        ({"kind": "folder"}, "no folder for mirrors"),
        ({"kind": "tape"}, "Select a valid choice"),
    ):
        for each in (form, event_form):
            answer = each.post(**{**WEB, **values})
            assert answer.status_code in (400, 422), values
            assert sentence in answer.content.decode(), values
            assert not each.store.settings.is_on


@pytest.mark.costly
def test_a_page_that_is_out_of_date_changes_nothing(form: Form, event_form: EventForm) -> None:
    for each in (form, event_form):
        each.post(**WEB)
        for values in (WEB, {"do": "stop"}):
            answer = each.post(**{**values, "seen_version": "0"})
            assert answer.status_code == 409
            assert "Somebody else changed this mirror" in answer.content.decode()
        assert each.store.settings.is_on
        assert each.post(do="burn").status_code == 422
        assert each.post(do="again").status_code == 302


@pytest.mark.costly
def test_a_deputy_sees_the_state_and_decides_nothing(
    form: Form, ready: Tournament, deputy: User, logged_in: Callable[[User], Client]
) -> None:
    form.post(**WEB)
    form.store.save_state(MirrorState(fault=LOST, tries=2))
    form.client = logged_in(deputy)
    text = form.text()
    assert SENTENCE in text
    desk = form.client.get(reverse("desk", args=[ready.slug])).content.decode()
    assert "The mirror is not up to date</strong>" in desk
    assert SENTENCE in desk
    assert "cloud.example.org" not in text
    assert "<button name=" not in text.partition("<main")[2].partition("</main")[0]
    for values in (WEB, {"do": "again"}, {"do": "file"}, {"do": "stop"}):
        assert form.post(**values).status_code == 403
    assert form.store.settings.address == ADDRESS


@pytest.mark.costly
def test_a_fork_is_shown_and_replaced_only_after_a_decision(form: Form) -> None:
    form.post(**WEB)
    form.store.save_state(
        MirrorState(counter=8, fault=Fault("mirror.fork", {"version": "57"}, ""), refused="ab" * 32)
    )
    text = form.text()
    assert "The mirror shows version 57, which this record does not contain" in text
    assert "Replace what the mirror shows" in text
    assert form.post(do="replace", refused="cd" * 32).status_code == 409
    assert form.store.settings.accepted == ""
    assert form.post(do="replace", refused="ab" * 32).status_code == 302
    assert form.store.settings.accepted == "ab" * 32
    assert (form.store.state.counter, form.store.state.fault) == (8, None)


@pytest.mark.costly
def test_in_french(
    mirror: MirrorOf, chief_arbiter: User, logged_in: Callable[[User], Client]
) -> None:
    mirror.run()
    mirror.store.save_settings(
        MirrorSettings(kind="folder", is_on=True, public="https://club.example.org/open/")
    )
    text = Form(logged_in(chief_arbiter), mirror.tournament).text("fr")
    assert "Le miroir a la version" in text
    assert 'href="https://club.example.org/open/"' in text


@pytest.mark.costly
def test_one_form_sets_the_mirrors_of_the_event_and_of_its_public_sections(
    event_form: EventForm, chief_arbiter: User
) -> None:
    form = event_form
    assert form.post(**FOR_ALL).status_code == 302
    chosen, section = form.store.settings, form.of_a.settings
    assert (chosen.is_on, chosen.address, chosen.secret) == (True, ADDRESS, SECRET)
    assert (section.is_on, section.by_event, section.secret) == (True, True, SECRET)
    assert section.address == f"{ADDRESS}{form.a.slug}/"
    assert section.public == f"https://club.example.org/open/{form.a.slug}/"
    assert long_work.queued("mirror") == [f"event {form.event.pk}", f"tournament {form.a.pk}"]
    assert not form.of_b.folder.joinpath("settings.json").exists()
    text = form.text()
    assert SECRET not in text
    assert [
        text.count(f">{words}<")
        for words in ("has a mirror", "no mirror", "not in the public list")
    ] == [1, 1, 1]
    assert "a un miroir" in form.text("fr")
    # A section that is shown later gets its mirror when the form is saved again; without a new
    # secret.
    tournament_list_set(tournament_id=form.b.pk, actor=chief_arbiter, now=NOW, listed=True)
    assert form.post(**{**FOR_ALL, "secret": ""}).status_code == 302
    assert (form.of_b.settings.is_on, form.of_b.settings.secret) == (True, SECRET)


def test_sections_with_a_mirror_elsewhere_keep_it_and_stopping_ends_the_others(
    event_form: EventForm, chief_arbiter: User
) -> None:
    form, own = (
        event_form,
        MirrorSettings(address="https://other.example.org/", secret="t0ken", is_on=True),
    )
    form.of_a.save_settings(own)
    tournament_list_set(tournament_id=form.b.pk, actor=chief_arbiter, now=NOW, listed=True)
    form.post(**FOR_ALL)
    assert (form.of_a.settings.address, form.of_a.settings.secret) == (own.address, "t0ken")
    assert f"tournament {form.a.pk}" in long_work.queued("mirror")  # Its pages lead to the event.
    assert form.of_b.settings.by_event
    assert form.post(do="stop").status_code == 302
    for store in (form.store, form.of_b):
        assert (store.settings.is_on, store.settings.secret) == (False, "")
    assert (form.of_a.settings.is_on, form.of_a.settings.secret) == (True, "t0ken")


def test_without_the_tick_only_the_event_has_a_mirror(event_form: EventForm) -> None:
    assert event_form.post(**WEB).status_code == 302
    assert (event_form.store.settings.is_on, event_form.of_a.settings.is_on) == (True, False)


@pytest.mark.costly
def test_only_the_chief_arbiter_of_all_sections_decides(
    event_form: EventForm, stranger: User, logged_in: Callable[[User], Client]
) -> None:
    form = event_form
    form.post(**WEB)
    form.store.save_state(MirrorState(fault=LOST, tries=2))
    Appointment.objects.filter(tournament=form.b, role=Role.CHIEF).update(person=stranger)
    text = form.text()
    assert SENTENCE in text
    assert "Only the Chief Arbiter of all sections can set up the mirror." in text
    assert "cloud.example.org" not in text
    desk = form.client.get(reverse("event-desk", args=[form.event.slug])).content.decode()
    assert f"The mirror is not up to date. {SENTENCE}" in desk
    for values in (
        WEB,
        {"do": "again"},
        {"do": "file"},
        {"do": "stop"},
        {"do": "replace", "refused": "ab"},
    ):
        assert form.post(**values).status_code == 403
    assert form.store.settings.is_on
    Appointment.objects.filter(person=stranger).update(role=Role.RESULT_DESK)
    form.client = logged_in(stranger)
    assert form.client.get(form.address).status_code == 403
    form.client.logout()
    assert form.client.get(form.address).status_code == 302


def test_the_page_of_the_sections_leads_to_the_mirror(event_form: EventForm) -> None:
    page = event_form.client.get(
        reverse("event-sections", args=[event_form.event.slug])
    ).content.decode()
    assert f'href="{event_form.address}"' in page
