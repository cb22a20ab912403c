"""What the arbiters read about the copies, and that a failing copy stops nothing."""

import errno
import logging
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client
from pytest_django import Settings

from tests.tournaments import factories
from tournaments.core import jobs
from tournaments.models import Entry, RequestCount, Tournament
from tournaments.site.backups import state as states
from tournaments.site.backups.automatic import copy_automatically, copy_file
from tournaments.site.backups.change import mark_of_change
from tournaments.site.backups.copy_file import FORMATS, CopyError, Manifest, write
from tournaments.site.backups.state import Problem, State

NOW = datetime(2026, 11, 21, 14, 30, tzinfo=UTC)


@pytest.fixture
def data(tmp_path: Path, settings: Settings) -> Path:
    settings.DATA_DIR = tmp_path
    settings.BACKUP_DIR = "/media/stick"
    (tmp_path / "backups").mkdir()
    return tmp_path


def saved(**values: object) -> None:
    states.save(State(at=NOW.isoformat(), file="auto-1.backup", **values))  # type: ignore[arg-type]


@pytest.mark.costly
def test_every_failure_is_on_the_list_of_tournaments_and_on_the_desk(
    data: Path, logged_in: Callable[[User], Client], ready: Tournament, chief_arbiter: User
) -> None:
    client = logged_in(chief_arbiter)
    since = NOW.isoformat()
    wanted: dict[str, State] = {
        "The disk is full": State(problem=Problem("full", "", since)),
        "lock on the memory stick": State(problem=Problem("read_only", "", since)),
        "The check found: #3 was altered": State(
            problem=Problem("faults", "#3 was altered", since)
        ),
        "The reason: no idea": State(problem=Problem("other", "no idea", since)),
        "There is no copy of the site yet": State(problem=Problem("other", "no idea", since)),
        "/media/stick, has no new copy": State(second_problem=Problem("missing", "", since)),
        "plug the memory stick in": State(second_problem=Problem("missing", "", since)),
    }
    missing = {}
    for words, state in wanted.items():
        states.save(state)
        for address in ("/", f"/t/{ready.slug}/desk/"):
            if words not in client.get(address).content.decode():
                missing[words] = address
    assert missing == {}


@pytest.mark.costly
def test_a_good_copy_is_one_quiet_line_and_visitors_read_nothing(
    data: Path,
    logged_in: Callable[[User], Client],
    ready: Tournament,
    chief_arbiter: User,
    client: Client,
) -> None:
    saved(second_at=NOW.isoformat())
    text = logged_in(chief_arbiter).get("/").content.decode()
    assert (
        "The newest copy of the site is of 21 Nov 2026, 14:30. It was restored as a trial, and checked."
        in text
    )
    assert "copy of the site" not in client.get("/").content.decode()
    saved(problem=Problem("full", "", NOW.isoformat()))
    assert "copy of the site" not in client.get("/").content.decode()


def test_a_state_that_cannot_be_read_is_no_state(data: Path) -> None:
    (data / "backups" / "state.json").write_text("{")
    assert states.read() == State()


def test_the_state_that_an_earlier_version_wrote_is_read(data: Path) -> None:
    (data / "backups" / "state.json").write_text('{"file": "auto-1.backup", "drill": {"at": ""}}')
    assert states.read() == State(file="auto-1.backup")


@pytest.mark.django_db
def test_a_folder_that_cannot_be_made_is_in_the_log_and_stops_nothing(
    tmp_path: Path, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "data").write_text("no folder")
    settings.DATA_DIR = tmp_path / "data"
    with caplog.at_level(logging.ERROR):
        assert copy_automatically(clock=lambda: NOW) is False
    assert "The copies of the site cannot be made" in caplog.text


@pytest.mark.django_db
def test_a_missing_database_is_a_problem_with_its_beginning(data: Path, settings: Settings) -> None:
    """The arbiter reads since when there is no copy, however often it was tried."""
    from django.db import connection

    if connection.vendor != "sqlite":
        pytest.skip("the database is a server")
    name = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = str(data / "gone.sqlite3")
    try:
        for minute in (0, 10):
            copy_automatically(clock=lambda minute=minute: NOW.replace(minute=minute))  # type: ignore[misc]
    finally:
        connection.settings_dict["NAME"] = name
    state = states.read()
    assert state.problem is not None
    assert state.problem.since == NOW.replace(minute=0).isoformat()
    # The stick is not there either, and its folder is never made.
    assert state.second_problem is not None
    assert (state.second_problem.code, Path("/media/stick").exists()) == ("missing", False)


def test_the_second_copy_is_complete_or_not_there(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = Manifest(FORMATS["site"], "", "", "", "sqlite", "sqlite", (), (), "", has_keys=False)
    write(data / "auto.backup", manifest, {"database.sqlite3": b"rows" * 1_000})
    (data / "stick").mkdir()
    copy_file(data / "auto.backup", data / "stick" / "auto.backup")
    assert (data / "stick" / "auto.backup").read_bytes() == (data / "auto.backup").read_bytes()

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        copy_file(data / "auto.backup", data / "stick" / "second.backup")
    monkeypatch.undo()
    (data / "auto.backup").write_bytes(b"altered")
    with pytest.raises(CopyError):
        copy_file(data / "auto.backup", data / "stick" / "third.backup")
    assert [path.name for path in (data / "stick").iterdir()] == ["auto.backup"]


@pytest.mark.costly
@pytest.mark.django_db(transaction=True)
def test_a_publication_asks_for_a_copy_and_a_result_does_not(
    data: Path, chief_arbiter: User, settings: Settings
) -> None:
    tournament = factories.make_ready(actor=chief_arbiter, players=6, name="Copied")
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    jobs.cancel("copy")
    factories.enter_results(tournament, 1, chief_arbiter)
    assert not jobs.is_active("copy")
    factories._publish_results(factories.round_of(tournament, 1).pk, chief_arbiter)
    assert jobs.is_active("copy")


@pytest.mark.costly
@pytest.mark.django_db
def test_a_copy_is_called_for_by_what_a_person_changes_and_not_by_long_work(
    chief_arbiter: User,
) -> None:
    tournament = factories.make_ready(actor=chief_arbiter, players=6, name="Copied")
    before = mark_of_change()
    assert mark_of_change() == before
    jobs.enqueue("copy")
    assert jobs.take_here("copy") is not None
    RequestCount.objects.create(key="a visitor", since=NOW, count=1)
    assert mark_of_change() == before
    changes: list[Callable[[], object]] = [
        lambda: factories.pair_and_publish(tournament, 1, chief_arbiter),
        lambda: User.objects.filter(pk=chief_arbiter.pk).update(email="new@example.org"),
        lambda: User.objects.create_user("helper"),
        lambda: SessionStore().save(),
        lambda: Entry.objects.filter(tournament=tournament, tpn=1).update(club="By hand"),
    ]
    for change in changes:
        change()
        assert mark_of_change() != before
        before = mark_of_change()
