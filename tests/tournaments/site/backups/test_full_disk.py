"""An error names the full disk, or no folder,
and a copy has its name only after its check.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError
from pytest_django import Settings

from config import terminal
from tests.tournaments.factories import NOW
from tournaments.management.commands import backup, restore
from tournaments.models import Tournament
from tournaments.site.backups import copying, one_event
from tournaments.site.backups.checks import Report
from tournaments.site.backups.copy_file import CopyError, EventSummary, NoRoomError, read_manifest
from tournaments.site.backups.copying import make_copy

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def stick(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A memory stick, beside a data folder.

    The database of the tests has no file, so a copy has rows.
    """
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    monkeypatch.setattr(copying, "database_file", lambda: None)
    monkeypatch.setattr(copying, "_rows_to", nothing)
    (tmp_path / "stick").mkdir()
    return tmp_path / "stick"


def nothing(path: Path, **_: object) -> tuple[list[str], list[EventSummary]]:
    path.write_text("")
    return [], []


def no_room(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.costly
def test_a_full_stick_is_named(
    stick: Path, ready: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = f"the disk of {stick} is full. Delete files there that nobody needs, or choose another folder"
    for module, call in (
        (copying, lambda: make_copy(stick / "x", now=NOW)),
        (one_event, lambda: export(ready, stick)),
    ):
        monkeypatch.setattr(module, "write", no_room)
        with pytest.raises((NoRoomError, CommandError), match=full):
            call()
    with pytest.raises(CommandError, match=f"^There is no new copy: {full}.$"):
        call_command("backup", str(stick))
    assert list(stick.iterdir()) == []


@pytest.mark.costly
@pytest.mark.parametrize(
    "number, to_do",
    [
        (
            errno.EROFS,
            "Its disk can only be read: look for a lock on the stick, or name another folder.",
        ),
        (errno.EACCES, "Start the program as the user whom it belongs to, or name another folder."),
    ],
)
def test_a_folder_that_cannot_be_written_is_named_and_not_a_file_in_it(
    stick: Path, ready: Tournament, monkeypatch: pytest.MonkeyPatch, number: int, to_do: str
) -> None:
    def refuse(path: Path, *_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number), f"{path}.part")

    expected = f"The folder {stick} cannot be written: {os.strerror(number)}. {to_do}"
    for module in (copying, one_event):
        monkeypatch.setattr(module, "write", refuse)
    with pytest.raises(CommandError, match=f"^There is no new copy: {expected}$"):
        call_command("backup", str(stick))
    with pytest.raises(CommandError, match=f"^The event was not exported: {expected}$"):
        export(ready, stick)


def test_a_database_that_postgresql_does_not_open_is_named_when_a_copy_is_restored(
    stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object, **__: object) -> None:
        text = "connection failed: Connection refused\n\tIs the server running on that host?"
        raise OperationalError(text) from psycopg.OperationalError()

    monkeypatch.setattr(restore, "restore", away)
    monkeypatch.setattr(terminal, "_of_sqlite", terminal._of_postgresql)
    with pytest.raises(CommandError) as found:
        call_command("restore", str(stick))
    message = str(found.value)
    assert message.startswith("The copy was not restored: ")
    assert (
        "refused. Start PostgreSQL, or correct DATABASE_URL; then start again. The site is as it was"
        in message
    )


def test_a_full_disk_under_the_database_is_not_called_an_io_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite has no room beside the database, so it cannot be read;
    another folder for the copy does not help.
    """
    (source := tmp_path / "data" / "site.sqlite3").mkdir(parents=True)  # cannot be opened
    with pytest.raises(CopyError, match="could not be copied"):
        copying.copy_sqlite(source, tmp_path / "one")
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(copying.shutil, "disk_usage", lambda folder: usage._replace(free=4096))
    with pytest.raises(NoRoomError) as found:
        copying.copy_sqlite(source, tmp_path / "other")
    assert (
        str(found.value)
        == f"the disk of {tmp_path}/data is full. Delete files there that nobody needs"
    )


def export(tournament: Tournament, folder: Path) -> None:
    call_command("export_event", tournament.slug, str(folder / "x.event"), stdout=StringIO())


def test_a_folder_that_is_not_there_is_named(stick: Path, ready: Tournament) -> None:
    expected = f"There is no folder {stick}/typo. Is the stick plugged in\\? Nothing was written.$"
    with pytest.raises(CommandError, match=f"^{expected}"):
        export(ready, stick / "typo")
    with pytest.raises(CommandError, match=f"^There is no new copy: {expected}"):
        call_command("backup", str(stick / "typo"))
    assert list(stick.iterdir()) == []


@pytest.mark.parametrize(
    "ends", [Report, KeyboardInterrupt], ids=["checked", "stopped during the check"]
)
def test_a_copy_has_its_name_only_after_its_check(
    stick: Path, ends: Callable[[], Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    meanwhile: list[str] = []

    def check(path: Path, folder: Path, *, seconds: float) -> Report:
        meanwhile.extend(each.name for each in stick.glob("*.backup"))
        read_manifest(path)
        done = ends()
        if isinstance(done, BaseException):
            raise done
        return done

    monkeypatch.setattr(backup, "prepare", check)
    if ends is Report:
        call_command("backup", str(stick), stdout=StringIO())
    else:
        with pytest.raises(KeyboardInterrupt, match=r"check was done\. There is no new copy in"):
            call_command("backup", str(stick), stdout=StringIO())
    assert meanwhile == []
    (*copies,) = stick.iterdir()
    assert [each.suffix for each in copies] == ([".backup"] if ends is Report else [])
