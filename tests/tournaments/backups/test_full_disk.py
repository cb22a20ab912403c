"""What is written says where there is no room, or no folder, and a copy has its name only after its check."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from tests.tournaments.factories import NOW
from tournaments.backups import copying, one_event
from tournaments.backups.checks import Report
from tournaments.backups.copy_file import EventSeen, NoRoomError, read_manifest
from tournaments.backups.copying import make_copy
from tournaments.management.commands import backup
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def stick(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A memory stick, beside a data folder. The database of the tests is no file, so a copy has rows."""
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    monkeypatch.setattr(copying, "database_file", lambda: None)
    monkeypatch.setattr(copying, "_rows_to", nothing)
    (tmp_path / "stick").mkdir()
    return tmp_path / "stick"


def nothing(path: Path, **_: object) -> tuple[list[str], list[EventSeen]]:
    path.write_text("")
    return [], []


def no_room(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_stick_is_named(stick: Path, ready: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    full = f"the disk of {stick} is full. Delete files there that nobody needs, or choose another folder"
    for module, call in ((copying, lambda: make_copy(stick / "x", now=NOW)), (one_event, lambda: export(ready, stick))):
        monkeypatch.setattr(module, "write", no_room)
        with pytest.raises((NoRoomError, CommandError), match=full):
            call()
    with pytest.raises(CommandError, match=f"^There is no new copy: {full}.$"):
        call_command("backup", str(stick))
    assert list(stick.iterdir()) == []


def export(tournament: Tournament, folder: Path) -> None:
    call_command("export_event", tournament.slug, str(folder / "x.event"), stdout=StringIO())


def test_a_folder_that_is_not_there_is_named(stick: Path, ready: Tournament) -> None:
    said = f"There is no folder {stick}/typo. Is the stick plugged in\\? Nothing was written.$"
    with pytest.raises(CommandError, match=f"^{said}"):
        export(ready, stick / "typo")
    with pytest.raises(CommandError, match=f"^There is no new copy: {said}"):
        call_command("backup", str(stick / "typo"))
    assert list(stick.iterdir()) == []


@pytest.mark.parametrize("ends", [Report, KeyboardInterrupt], ids=["checked", "stopped during the check"])
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
