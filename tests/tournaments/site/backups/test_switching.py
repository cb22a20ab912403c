"""Files take the place of others completely, whenever the process is killed."""

import contextlib
import errno
from pathlib import Path

import pytest
from pytest_django import Settings

from config.in_use import JOURNAL, InUseError, alone, serve_from
from tournaments.site.backups.restoring import work_folder
from tournaments.site.backups.switching import finish, left_behind, switch

NAMES = ("site.sqlite3", "signing-key", "secret-key")


class PowerCutError(Exception):
    pass


@pytest.fixture
def data(tmp_path: Path, settings: Settings) -> Path:
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    return Path(settings.DATA_DIR)


def prepared(data: Path) -> list[tuple[Path, Path]]:
    (data / "new").mkdir()
    for name in NAMES:
        (data / name).write_text("old")
        (data / "new" / name).write_text("new")
    (data / "site.sqlite3-wal").write_text("old")
    return [(data / "new" / name, data / name) for name in NAMES]


def prepared_elsewhere(data: Path) -> list[tuple[Path, Path]]:
    """Return the move of a key that is prepared in another folder than the one beside its place."""
    (data / "disk" / "new").mkdir(parents=True)
    (data / "disk" / "new" / "signing-key").write_text("new")
    (data / "signing-key").write_text("old")
    return [(data / "disk" / "new" / "signing-key", data / "signing-key")]


def cut(source: Path, target: Path) -> Path:
    raise PowerCutError


@pytest.mark.parametrize("renamings", range(5))
def test_a_switch_that_was_interrupted_is_not_begun_or_finished(
    data: Path, monkeypatch: pytest.MonkeyPatch, renamings: int
) -> None:
    moves, rename, left = prepared(data), Path.replace, [renamings]

    def dying(source: Path, target: Path) -> Path:
        if not left[0]:
            raise PowerCutError
        left[0] -= 1
        return rename(source, target)

    with monkeypatch.context() as patch, contextlib.suppress(PowerCutError):
        patch.setattr(Path, "replace", dying)
        switch(moves, data / "new")
    finish()
    assert {(data / name).read_text() for name in NAMES} == {"old" if renamings == 0 else "new"}
    assert (data / "site.sqlite3-wal").exists() is (renamings == 0)
    assert not (data / JOURNAL).exists()
    assert finish() is False


def test_a_database_on_another_disk_and_the_keys_change_together(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moves, rename = prepared(data), Path.replace
    # The folder with the prepared files is on the disk of the database, the keys are on that of the
    # data folder.
    disk = tmp_path / "disk"
    disk.mkdir()
    (data / "new").rename(disk / "new")
    moves = [(disk / "new" / source.name, target) for source, target in moves]
    moves[0] = (moves[0][0], disk / "site.sqlite3")

    def on_one_disk(source: Path, target: Path) -> Path:
        if source.is_relative_to(disk) != target.is_relative_to(disk):
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        return rename(source, target)

    monkeypatch.setattr(Path, "replace", on_one_disk)
    switch(moves, disk / "new")
    assert {target.read_text() for _, target in moves} == {"new"}
    assert (data / "signing-key").stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in data.iterdir() if path.name.startswith(".")) == []


def test_a_switch_that_was_killed_before_it_began_leaves_no_keys(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moves = prepared_elsewhere(data)
    with monkeypatch.context() as patch, contextlib.suppress(PowerCutError):
        patch.setattr(Path, "replace", cut)
        switch(moves, data / "new")
    assert left_behind() == [data / "restore.part", data / ".signing-key.restored"]
    (data / JOURNAL).write_text("{}")
    assert left_behind() == []  # the journal needs them
    (data / JOURNAL).unlink()
    assert finish() is False
    assert left_behind() == []
    assert (data / "signing-key").read_text() == "old"


def test_a_restore_that_was_killed_leaves_no_prepared_files_behind_the_next_start(
    data: Path,
) -> None:
    """The first part that is prepared is a key."""
    folder = data / ".restore-killed"
    folder.mkdir()
    (folder / "secret-key").write_text("new")
    assert left_behind() == [folder]
    (data / JOURNAL).write_text('{"moves": [], "remove": ""}')
    assert left_behind() == []  # the journal may need them
    (data / JOURNAL).unlink()
    assert not finish()
    assert not folder.exists()


def test_what_a_failed_switch_still_needs_is_kept(data: Path) -> None:
    (data / "secret-key").mkdir()
    with contextlib.suppress(OSError), work_folder(data) as folder:
        for name in NAMES:
            (folder / name).write_text("new")
        switch([(folder / name, data / name) for name in NAMES], folder)
    assert (data / JOURNAL).exists()
    (data / "secret-key").rmdir()
    assert finish() is True
    assert {(data / name).read_text() for name in NAMES} == {"new"}


def test_no_server_starts_before_an_interrupted_restore_is_finished(data: Path) -> None:
    (data / JOURNAL).write_text("{}")
    with pytest.raises(InUseError, match="interrupted"):
        serve_from(data)


def test_the_database_is_not_replaced_while_somebody_holds_it(data: Path) -> None:
    with (
        alone(data),
        pytest.raises(InUseError, match="Another restore or upgrade is at work"),
        alone(data),
    ):
        pass
    with alone(data), pytest.raises(InUseError, match="being replaced or upgraded"):
        serve_from(data)
