"""The folder with the test data is known by its content;
another folder of that name is nobody's test data.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.plugins.shared import is_material
from tools.suite import ROOT


def test_a_folder_is_known_by_what_is_in_it(tmp_path: Path) -> None:
    assert not is_material(tmp_path / "missing")
    (tmp_path / "README.md").write_text("# My photographs\n")
    (tmp_path / "golden").mkdir()
    assert not is_material(tmp_path)
    (tmp_path / "corpus").mkdir()
    assert is_material(tmp_path)


@pytest.mark.costly
def test_a_clone_beside_an_unrelated_folder_skips_and_says_so(tmp_path: Path) -> None:
    """All modules that read the folder are collected without an error."""
    clone = tmp_path / "clone"
    names = (
        "config",
        "pairing",
        "tournaments",
        "tests",
        "tools",
        "locale",
        "pyproject.toml",
        "manage.py",
        "docs",
    )
    for name in names:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(
                source, clone / name, ignore=shutil.ignore_patterns("__pycache__", "img")
            )
        else:
            shutil.copy(source, clone / name)
    (tmp_path / "shared" / "pictures").mkdir(parents=True)
    reads = [
        path
        for path in (ROOT / "tests").rglob("test_*.py")
        if "plugins.shared import" in path.read_text()
    ]
    modules = [
        path.relative_to(ROOT).as_posix() for path in reads if path.name != Path(__file__).name
    ]
    assert len(modules) > 8
    environment = {name: text for name, text in os.environ.items() if not name.startswith("SWISS_")}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--collect-only",
        "-p",
        "no:cacheprovider",
        *modules,
    ]

    def collect(**more: str) -> subprocess.CompletedProcess[str]:
        given = environment | {"SWISS_DATA_DIR": str(tmp_path / "data")} | more
        return subprocess.run(command, cwd=clone, env=given, capture_output=True, text=True)

    done = collect()
    assert done.returncode == 0, done.stdout[-2000:]
    assert "absent" in done.stdout
    required = collect(SWISS_REQUIRE_SHARED="1")
    assert required.returncode == 4
    assert "there is no folder ../shared with test data" in required.stderr
