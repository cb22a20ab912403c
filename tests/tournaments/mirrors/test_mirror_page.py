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

from tests.tournaments import factories
from tests.tournaments.mirrors.conftest import MirrorOf
from tournaments.backups import rows
from tournaments.backups.one_event import export_event
from tournaments.core.frame import tournament_frame
from tournaments.mirrors.kept import Fault, Kept, MirrorSettings, MirrorState
from tournaments.models import Job, Tournament
from tournaments.reports.record_file import record_file

SECRET = "correct-horse-7731"
WEB = {"do": "save", "kind": "web", "address": "https://cloud.example.org/dav/open", "user": "club", "secret": SECRET}


class Form:
    """The page of a mirror."""

    def __init__(self, client: Client, tournament: Tournament) -> None:
        self.client, self.kept = client, Kept(tournament.identity)
        self.address = reverse("mirror", args=[tournament.slug])

    def post(self, **values: str) -> Any:
        values.setdefault("seen_version", str(self.kept.settings.revision))
        return self.client.post(self.address, values)

    def text(self) -> str:
        return self.client.get(self.address).content.decode()


@pytest.fixture
def form(
    ready: Tournament, chief_arbiter: User, logged_in: Callable[[User], Client], settings: Settings, tmp_path: Path
) -> Form:
    settings.DATA_DIR = tmp_path
    settings.MIRROR_DIR = ""
    return Form(logged_in(chief_arbiter), ready)


def test_the_chief_arbiter_sets_the_mirror_and_it_is_sent(form: Form) -> None:
    assert form.post(**WEB).status_code == 302
    chosen = form.kept.settings
    assert (chosen.is_on, chosen.address, chosen.secret) == (True, "https://cloud.example.org/dav/open/", SECRET)
    assert Job.objects.filter(kind="mirror", state="waiting").count() == 1
    assert "A new version is being sent." in form.text()
    assert "A password or token is saved." in form.text()
    assert form.post(do="stop").status_code == 302
    assert (form.kept.settings.is_on, form.kept.settings.secret) == (False, "")
    assert form.post(do="again").status_code == 400  # nothing to send


def test_the_secret_is_on_no_page_and_in_no_record_file_or_copy(
    form: Form, ready: Tournament, tmp_path: Path, client: Client
) -> None:
    form.post(**WEB)
    path = form.kept.folder / "settings.json"
    assert SECRET in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert SECRET not in form.text()
    assert SECRET not in repr(form.kept.settings)
    ready.refresh_from_db()
    assert SECRET not in "".join(record_file(tournament_frame(ready, runs=True)))
    assert SECRET not in "".join(rows.dump(apps, connection.alias))
    export_event(ready.slug, tmp_path / "event", now=factories.NOW)
    assert SECRET.encode() not in (tmp_path / "event").read_bytes()


def test_a_saved_secret_is_not_sent_to_another_server(form: Form) -> None:
    form.post(**WEB)
    form.post(**{**WEB, "address": "https://cloud.example.org/dav/other/", "secret": ""})
    assert form.kept.settings.secret == SECRET
    form.post(**{**WEB, "address": "https://evil.example.org/dav/", "secret": ""})
    assert form.kept.settings.secret == ""


def test_addresses_that_cannot_be_used_are_refused_at_their_field(form: Form) -> None:
    for values, sentence in (
        ({"address": "http://cloud.example.org/"}, "without encryption"),
        ({"address": "cloud.example.org"}, "not an address that starts with"),
        ({"public": "javascript:alert(1)"}, "not an address that starts with"),
        ({"user": "a:b"}, "the user name no colon"),
        ({"kind": "folder"}, "no folder for mirrors"),
        ({"kind": "tape"}, "Select a valid choice"),
    ):
        answer = form.post(**{**WEB, **values})
        assert answer.status_code in (400, 422), values
        assert sentence in answer.content.decode(), values
    assert not form.kept.settings.is_on


def test_a_page_that_is_out_of_date_changes_nothing(form: Form) -> None:
    form.post(**WEB)
    for values in (WEB, {"do": "stop"}):
        answer = form.post(**{**values, "seen_version": "0"})
        assert answer.status_code == 409
        assert "Somebody else changed this mirror" in answer.content.decode()
    assert form.kept.settings.is_on
    assert form.post(do="burn").status_code == 422


def test_a_deputy_sees_the_state_and_decides_nothing(
    form: Form, ready: Tournament, deputy: User, logged_in: Callable[[User], Client]
) -> None:
    form.post(**WEB)
    form.kept.save_state(MirrorState(fault=Fault("mirror.not_reached", {"problem": "no route"}, ""), tries=2))
    form.client = logged_in(deputy)
    text = form.text()
    assert "The web space could not be reached (no route)." in text
    desk = form.client.get(reverse("desk", args=[ready.slug])).content.decode()
    assert "The mirror is not up to date. The web space could not be reached (no route)." in desk
    assert "cloud.example.org" not in text
    assert "<button name=" not in text.partition("<main")[2].partition("</main")[0]
    for values in (WEB, {"do": "again"}, {"do": "stop"}):
        assert form.post(**values).status_code == 403
    assert form.kept.settings.address == "https://cloud.example.org/dav/open/"


def test_a_fork_is_shown_and_replaced_only_after_a_decision(form: Form) -> None:
    form.post(**WEB)
    fault = Fault("mirror.fork", {"version": "57"}, "")
    form.kept.save_state(MirrorState(counter=8, fault=fault, refused="ab" * 32))
    text = form.text()
    assert "The mirror shows version 57, which this record does not contain" in text
    assert "Replace what the mirror shows" in text
    assert form.post(do="replace", refused="cd" * 32).status_code == 409
    assert form.kept.settings.accepted == ""
    assert form.post(do="replace", refused="ab" * 32).status_code == 302
    assert form.kept.settings.accepted == "ab" * 32
    assert (form.kept.state.counter, form.kept.state.fault) == (8, None)


def test_in_french(mirror: MirrorOf, chief_arbiter: User, logged_in: Callable[[User], Client]) -> None:
    mirror.run()
    mirror.kept.save_settings(MirrorSettings(kind="folder", is_on=True, public="https://club.example.org/open/"))
    client = logged_in(chief_arbiter)
    text = client.get(reverse("mirror", args=[mirror.tournament.slug]), headers={"Accept-Language": "fr"}).content
    assert "Le miroir a la version" in text.decode()
    assert 'href="https://club.example.org/open/"' in text.decode()
