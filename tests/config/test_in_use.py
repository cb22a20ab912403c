"""A data folder that cannot be written, and a disk that is nearly full,
are named before the server starts.
"""

import errno
import fcntl
import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from pytest_django import Settings

from config.in_use import InUseError, alone, serve_from
from tournaments.management.commands import upgrade


@pytest.fixture
def no_space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing can be opened; *tmp_path* is made before."""

    def refuse(*args: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("config.in_use.os.open", refuse)


@pytest.mark.usefixtures("no_space")
def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    expected = (
        f"^Nothing can be saved in the data folder {tmp_path}: No space left on device. "
        f"Nothing was changed.$"
    )
    with pytest.raises(InUseError, match=expected):
        serve_from(tmp_path)
    with pytest.raises(InUseError, match=expected), alone(tmp_path):
        pytest.fail("the folder was not held")


@pytest.mark.parametrize("free, warned", [(99 << 20, True), (101 << 20, False)])
def test_a_disk_that_is_nearly_full_is_named_at_the_start(
    free: int, warned: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(upgrade, "upgrade", lambda **options: None)
    monkeypatch.setattr(upgrade.shutil, "disk_usage", lambda folder: SimpleNamespace(free=free))
    call_command("upgrade")
    assert ("has only 99 MB left. Make space" in capsys.readouterr().out) is warned


@pytest.mark.parametrize("name, warned", [("stick", True), (".", False), ("", False)])
def test_a_stick_for_copies_that_is_not_there_is_named_at_the_start(
    name: str, warned: bool, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BACKUP_DIR = str(tmp_path / name) if name else ""
    monkeypatch.setattr(upgrade.shutil, "disk_usage", lambda folder: SimpleNamespace(free=1 << 30))
    lines = [
        (
            f"there is no folder {tmp_path}/stick for copies. Plug in the stick; until then there is "
            f"only one copy."
        )
    ]
    assert list(upgrade.warnings()) == (lines if warned else [])


@pytest.mark.parametrize(
    "name", ["SWISS_STORE_PAGES", "SWISS_KEEP_PAGES_DAYS", "SWISS_BACKUP_BY_SERVER"]
)
def test_a_setting_that_does_nothing_any_more_is_named_at_the_start(
    name: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BACKUP_DIR = ""
    monkeypatch.setattr(upgrade.shutil, "disk_usage", lambda folder: SimpleNamespace(free=1 << 30))
    monkeypatch.setenv(name, "7")
    (found,) = upgrade.warnings()
    assert found.startswith(f"{name} does nothing any more: ")


def test_who_uses_the_folder_is_named(tmp_path: Path) -> None:
    with alone(tmp_path):
        expected = (
            f"^Another restore or upgrade is at work on {tmp_path}. Wait until it has "
            f"ended, and start again. Nothing"
        )
        with pytest.raises(InUseError, match=expected), alone(tmp_path):
            pytest.fail("two restores at once")
    handle = os.open(tmp_path / "in-use", os.O_RDWR)
    fcntl.flock(handle, fcntl.LOCK_SH)
    with (
        pytest.raises(InUseError, match=f"^The server is running on {tmp_path}. Stop it first"),
        alone(tmp_path),
    ):
        pytest.fail("a restore beside the server")
    os.close(handle)
