"""The file of a copy: complete or not there, and refused if a single bit is another one."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from tournaments.site.backups.copy_file import (
    FORMATS,
    CopyError,
    EventSummary,
    Manifest,
    extract,
    read_manifest,
    write,
)

MANIFEST = Manifest(
    format=FORMATS["site"],
    program="0.1.0",
    build="12345678",
    at="2026-11-21T14:00:00+00:00",
    database="sqlite",
    content="sqlite",
    migrations=("tournaments.0001_tables",),
    events=(EventSummary("autumn", "Autumn", "ab" * 16, 12, "cd" * 32),),
    key="ef" * 32,
    has_keys=True,
)
PARTS = {"database.sqlite3": b"many rows " * 5_000, "signing-key": b"12" * 32}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    write(tmp_path / "site.backup", MANIFEST, PARTS)
    return tmp_path / "site.backup"


def test_a_copy_is_read_again_as_it_was_written(copy: Path, tmp_path: Path) -> None:
    found = read_manifest(copy)
    assert replace(found, parts={}) == MANIFEST
    assert found.parts.keys() == PARTS.keys()
    extract(copy, "database.sqlite3", tmp_path / "part")
    assert (tmp_path / "part").read_bytes() == PARTS["database.sqlite3"]


def test_only_the_owner_reads_a_copy_and_what_is_taken_out_of_it(
    copy: Path, tmp_path: Path
) -> None:
    extract(copy, "signing-key", tmp_path / "key")
    assert [path.stat().st_mode & 0o777 for path in (copy, tmp_path / "key")] == [0o600, 0o600]


def test_every_altered_byte_is_noticed(copy: Path) -> None:
    content = copy.read_bytes()
    wrong = []
    for place in random.Random(5).sample(range(len(content)), 200):
        altered = bytearray(content)
        altered[place] ^= 1 << place % 8
        copy.write_bytes(altered)
        try:
            read_manifest(copy)
        except CopyError:
            continue
        wrong.append(place)
    assert wrong == []


def test_a_copy_that_was_cut_off_is_refused_with_a_sentence(copy: Path) -> None:
    content = copy.read_bytes()
    for length in (0, 1, 70, len(content) // 2, len(content) - 1):
        copy.write_bytes(content[:length])
        with pytest.raises(
            CopyError, match=r"(is no copy of Swiss Arbiter|was altered or damaged)"
        ):
            read_manifest(copy)


def test_a_file_that_is_there_is_never_written_over(copy: Path) -> None:
    before = copy.read_bytes()
    with pytest.raises(CopyError, match="already"):
        write(copy, MANIFEST, {})
    assert copy.read_bytes() == before


def test_a_failing_copy_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write(tmp_path / "site.backup", MANIFEST, {"database.sqlite3": tmp_path / "missing"})
    assert list(tmp_path.iterdir()) == []


def test_the_file_of_one_event_is_no_copy_of_the_site(tmp_path: Path) -> None:
    write(tmp_path / "event", replace(MANIFEST, format=FORMATS["event"]), {})
    with pytest.raises(CopyError, match="import_event"):
        read_manifest(tmp_path / "event")
