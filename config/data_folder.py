"""Look at the data folder before the settings are read: that makes the folder and a key in it."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from config.env import Environment, SettingError, database_from_url

BASE_DIR: Final = Path(__file__).resolve().parent.parent
DATABASE: Final = "swiss-arbiter.sqlite3"
EMPTY_DATABASE: Final = 4096
"""Bytes of a database of SQLite without a table."""
MADE_BY_ITSELF: Final = (
    "secret-key",
    "in-use",
    DATABASE,
    f"{DATABASE}-wal",
    f"{DATABASE}-shm",
    f"{DATABASE}-journal",
)
"""What a command leaves in a folder although it made no site there."""


def data_folder() -> Path:
    """Return the data folder of the settings, without making it."""
    return Path(Environment().text("SWISS_DATA_DIR", str(BASE_DIR / "var"))).expanduser().absolute()


def data_option() -> str:
    """Return what is typed behind a command for this data folder: `` --data '/media/stick'``.

    Empty for ``var``, and where the environment names the database: ``./run`` refuses the option
    then.
    """
    folder, names_database = data_folder(), Environment().text("DATABASE_URL")
    return (
        ""
        if names_database or folder == BASE_DIR / "var"
        else f" --data {shlex.quote(str(folder))}"
    )


def no_site(where: str) -> str:
    """Return the sentence for a command that needs a site, and finds none *where* it looks."""
    if Path(where).is_file():
        return (
            f"{where} is a file, not the data folder of a site. Nothing was changed. Name the "
            f"folder; a copy is a "
            "file, and ./run verify FILE checks one."
        )
    make = f"./run{data_option()}"
    return (
        f"There is no site in {where}. Nothing was changed. Correct the name; or {make} makes "
        f"a new site there."
    )


def is_without_site() -> bool:
    """Return whether the database is a file of SQLite that is missing or has no table yet.

    It is not opened.
    """
    if address := Environment().text("DATABASE_URL"):
        values = database_from_url(address, base_dir=BASE_DIR)
        if "sqlite" not in values["ENGINE"]:
            return False
        return _is_empty(Path(values["NAME"]))
    return _is_empty(data_folder() / DATABASE)


def _is_empty(file: Path) -> bool:
    """Data not yet copied into the file are next to it; an unreadable file counts as not empty."""
    try:
        log = file.with_name(f"{file.name}-wal")
        return not file.exists() or (
            file.stat().st_size <= EMPTY_DATABASE and not (log.exists() and log.stat().st_size)
        )
    except OSError:
        return False


@contextlib.contextmanager
def nothing_left_without_site() -> Iterator[None]:
    """Remove a folder that the block made without a site in it; after a failure also new files."""
    folder = data_folder()
    missing = [path for path in (folder, *folder.parents) if not _is_there(path)]
    new = [path for name in MADE_BY_ITSELF if not _is_there(path := folder / name)]
    try:
        yield
    except BaseException:
        _remove(new, missing)
        raise
    if missing:
        _remove(new, missing)


def _remove(files: list[Path], folders: list[Path]) -> None:
    """Remove *files* and empty *folders*; not with PostgreSQL, where the key is a site's."""
    with contextlib.suppress(OSError, SettingError):
        if is_without_site():
            for path in files:
                path.unlink(missing_ok=True)
            for path in folders:
                path.rmdir()


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return True
