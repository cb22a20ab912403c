"""Files take the place of others completely, whenever the process is killed."""

import contextlib
from pathlib import Path

import pytest
from pytest_django import Settings

from config.in_use import JOURNAL, InUseError, alone, serve_from
from tournaments.backups.switching import finish, switch

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


def test_no_server_starts_before_an_interrupted_restore_is_finished(data: Path) -> None:
    (data / JOURNAL).write_text("{}")
    with pytest.raises(InUseError, match="interrupted"):
        serve_from(data)


def test_the_database_is_not_replaced_while_somebody_holds_it(data: Path) -> None:
    with alone(data), pytest.raises(InUseError, match="Stop it first"), alone(data):
        pass
    with alone(data), pytest.raises(InUseError, match="being replaced or upgraded"):
        serve_from(data)
