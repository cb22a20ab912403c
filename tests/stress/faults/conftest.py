"""A site of the demonstration and its copies, for the tests of copies, upgrades,
moves and hand-overs.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.live.databases import PostgresDatabase

from .commands import make_administrator, manage


@pytest.fixture(scope="session")
def demo_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a tournament after three rounds, and a copy of an earlier state:
    ``early.backup``.
    """
    folder = tmp_path_factory.mktemp("site")
    manage(folder, "upgrade")
    make_administrator(folder)
    manage(folder, "backup")
    (early,) = (folder / "backups").glob("swiss-arbiter-*")
    early.rename(folder / "early.backup")
    manage(folder, "demo")
    return folder


@pytest.fixture
def copy_of_site(demo_site: Path, tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "site"
    shutil.copytree(demo_site, folder)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresDatabase]:
    """A PostgreSQL server of its own."""
    database = PostgresDatabase()
    yield database
    database.close()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[int], Path]]:
    """Return a function that mounts a disk of a number of bytes."""
    folder = tmp_path / "disk"

    def mounted(size: int) -> Path:
        folder.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
        if subprocess.run(mount, capture_output=True).returncode:
            pytest.skip("only root can mount a small disk")
        return folder

    yield mounted
    if folder.is_mount():
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
