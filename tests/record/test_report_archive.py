"""The archive of a report: the same files make the same bytes, and any change is found."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pairing.cli.main import main
from pairing.record import signatures
from pairing.record.report_archive import SUMMARY, archive_faults, write_archive
from tests.record.records import EVENT, PUBLIC, file_of, lines_of

PRIVATE = "01" * 32
OTHER = signatures.public_key("02" * 32)
AT = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
ABOUT = {"event": "Autumn Open", "findings": 2, "left_out": ["prizes"], "sections": []}


def files() -> dict[str, bytes]:
    record = b"".join(file_of(lines_of(EVENT)))
    return {"b/rating.trf": b"012 Autumn Open\r\n", "a/record.jsonl": record}


def archive(made: dict[str, bytes] | None = None, private: str = PRIVATE, **about: object) -> bytes:
    return write_archive(
        files() if made is None else made,
        ABOUT | about,
        at=AT,
        key=signatures.public_key(private),
        sign=lambda text: signatures.sign(private, text),
    )


def changed(data: bytes, change: Callable[[dict[str, bytes]], object]) -> bytes:
    """Return the archive with other files and the same summary."""
    with zipfile.ZipFile(io.BytesIO(data)) as before:
        made = {name: before.read(name) for name in before.namelist()}
    change(made)
    after = io.BytesIO()
    with zipfile.ZipFile(after, "w") as archive_after:
        for name, content in made.items():
            archive_after.writestr(name, content)
    return after.getvalue()


def summary_with(**values: object) -> Callable[[dict[str, bytes]], object]:
    def change(made: dict[str, bytes]) -> None:
        made[SUMMARY] = json.dumps(json.loads(made[SUMMARY]) | values).encode()

    return change


def test_the_same_files_make_the_same_bytes() -> None:
    backwards = dict(reversed(files().items()))
    assert archive() == archive(backwards)
    with zipfile.ZipFile(io.BytesIO(archive())) as made:
        assert made.namelist() == [SUMMARY, "a/record.jsonl", "b/rating.trf"]
        assert {each.date_time for each in made.infolist()} == {(2026, 11, 21, 9, 0, 0)}


def test_an_unchanged_archive_has_no_faults() -> None:
    summary, faults = archive_faults(archive(), keys=[PUBLIC])
    assert faults == []
    assert (summary["event"], summary["key"]) == ("Autumn Open", PUBLIC)
    assert [each["name"] for each in summary["files"]] == ["a/record.jsonl", "b/rating.trf"]


@pytest.mark.parametrize(
    "change, fault",
    [
        (
            lambda made: made.update({"b/rating.trf": b"012 Other\r\n"}),
            "rating.trf has been changed",
        ),
        (lambda made: made.pop("b/rating.trf"), "b/rating.trf is missing"),
        (lambda made: made.update({"c.txt": b""}), "c.txt is not in the summary"),
        (summary_with(findings=0), "not signed with the key that it names"),
        (summary_with(key="0" * 64), "not signed with the key that it names"),
        (summary_with(format="swiss-arbiter-report/2"), "format is not swiss-arbiter-report/1"),
        (lambda made: made.pop(SUMMARY), "no archive of a report"),
        (lambda made: made.update({SUMMARY: b"[]"}), "no archive of a report"),
        (lambda made: made.update({SUMMARY: b"\xff"}), "no archive of a report"),
    ],
)
def test_a_change_is_found(change: Callable[[dict[str, bytes]], object], fault: str) -> None:
    _summary, faults = archive_faults(changed(archive(), change))
    assert fault in " ".join(faults)


def test_a_record_in_it_is_verified_too() -> None:
    record = files()["a/record.jsonl"].splitlines(keepends=True)
    _summary, faults = archive_faults(archive({"a/record.jsonl": b"".join(record[:-1])}))
    assert faults[0].startswith("a/record.jsonl: line ")


def test_an_archive_of_another_installation_needs_its_key() -> None:
    _summary, faults = archive_faults(archive({}, private="02" * 32), keys=[PUBLIC])
    assert faults == [f"The summary is signed with another key: {OTHER}."]
    assert archive_faults(archive({}, private="02" * 32))[1] == []


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", archive()[:-40], archive()[40:]])
def test_a_damaged_file_is_no_archive(data: bytes) -> None:
    _summary, [fault] = archive_faults(data)
    assert fault.startswith("It is no archive of a report")


def test_two_files_with_one_name_are_refused() -> None:
    made = io.BytesIO(archive())
    with (
        pytest.warns(UserWarning, match="Duplicate name"),
        zipfile.ZipFile(made, "a") as both,
    ):
        both.writestr("b/rating.trf", b"another")
    _summary, [fault] = archive_faults(made.getvalue())
    assert "two files have the same name" in fault


def test_the_command_verifies_an_archive(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "autumn-open-report.ZIP"
    path.write_bytes(archive())
    assert main(["verify", str(path)]) == 0
    text = capsys.readouterr().out
    assert "the report of “Autumn Open” is unchanged: 2 files" in text
    assert "findings: 2" in text
    assert f"signed with the key {PUBLIC}; compare it" in text
    assert main(["verify", str(path), "--key", PUBLIC]) == 0
    assert "compare it" not in capsys.readouterr().out
    assert main(["verify", str(path), "--key", OTHER]) == 1
    assert "signed with another key" in capsys.readouterr().out
    path.write_bytes(archive()[:-40])
    assert main(["verify", str(path)]) == 1
