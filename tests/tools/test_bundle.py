"""``./run bundle``: the content of the archive, whose packages are used without network."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import stat
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

from tools.bundle import (
    CHECKSUMS,
    MADE_FOR,
    TEXT,
    BundleError,
    Commit,
    made_for,
    main,
    source,
    top,
    wheels_in,
    write,
)

COMMIT = Commit("0123456789abcdef" * 2, 1_700_000_000)


def made(folder: Path) -> Path:
    """Make the bundle of a small program with one package."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for name, content, mode in (
            ("run", b"#!/usr/bin/env python3\n", 0o775),
            ("docs/\u00e9t\u00e9.md", b"text", 0o664),
        ):
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), mode
            tar.addfile(member, io.BytesIO(content))
    wheels = folder / "wheels"
    wheels.mkdir(parents=True)
    (wheels / "a-1-py3-none-any.whl").write_bytes(b"a package")
    target = folder / "bundle.tar.gz"
    write(target, source(archive.getvalue()) | wheels_in(wheels), COMMIT)
    return target


def test_the_archive_has_source_packages_checksums_and_two_lines(tmp_path: Path) -> None:
    with tarfile.open(made(tmp_path)) as tar:
        # Python 3.11.2 of Debian 12 has no filters; it is our own archive.
        safely: Any = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        tar.extractall(tmp_path / "a place with spaces", **safely)  # noqa: S202 - our own
    root = tmp_path / "a place with spaces" / top()
    assert stat.S_IMODE((root / "run").stat().st_mode) == 0o755
    assert stat.S_IMODE((root / "wheels" / "a-1-py3-none-any.whl").stat().st_mode) == 0o644
    assert (root / MADE_FOR).read_text() == f"{made_for()}\n"
    first, second = (root / TEXT).read_text().splitlines()
    assert first.endswith(
        f"commit 0123456789ab, with packages for {made_for()}: no network is needed."
    )
    assert CHECKSUMS in second
    files = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    sums = dict(
        reversed(line.split("  ", 1)) for line in (root / CHECKSUMS).read_text().splitlines()
    )
    assert set(sums) == files - {CHECKSUMS}
    assert {name: hashlib.sha256((root / name).read_bytes()).hexdigest() for name in sums} == sums


def test_the_same_files_give_the_same_archive(tmp_path: Path) -> None:
    assert made(tmp_path / "a").read_bytes() == made(tmp_path / "b").read_bytes()


def test_a_folder_is_never_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without the stick the archive would be on the first disk."""
    assert main([str(tmp_path / "typo" / "x")]) == 1
    expected = (
        f"There is no bundle: there is no folder {tmp_path}/typo/x. Is the stick plugged "
        f"in? Nothing was written.\n"
    )
    assert capsys.readouterr().err == expected
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_named_and_keeps_no_half_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(path: Path, content: bytes) -> int:
        with path.open("wb") as file:
            file.write(content[:10])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", half)
    expected = (
        f"^{tmp_path}/bundle.tar.gz cannot be written: No space left on device. Make room "
        f"there, or choose another"
    )
    with pytest.raises(BundleError, match=expected):
        write(tmp_path / "bundle.tar.gz", {}, COMMIT)
    assert list(tmp_path.iterdir()) == []


def test_without_a_checkout_there_is_no_bundle(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-m", "tools.bundle", str(tmp_path)],
        cwd=root,
        env={
            "GIT_DIR": str(tmp_path / "none"),
            "SWISS_DATA_DIR": str(tmp_path),
            "PATH": "/usr/bin:/bin",
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr.startswith(
        "There is no bundle: it is made from a commit, in a checkout with git: "
    )
