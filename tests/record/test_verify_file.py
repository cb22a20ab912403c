"""``python -m pairing verify`` checks an exported record: chain, signatures, replay, end."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pairing.cli import verify
from pairing.cli.main import main
from pairing.engine.errors import InputError
from pairing.record import signatures
from pairing.record.chain import Line
from pairing.record.file import MAX_LINE, read
from pairing.record.private import salted
from pairing.record.verify import first_fault
from tests.record.records import EVENT, IDENTITY, PUBLIC, ROUND, UnsignedLine, file_of, lines_of

ROOT = Path(__file__).resolve().parents[2]
OTHER = signatures.public_key("02" * 32)


def fault_of(lines: list[bytes], *keys: str) -> str:
    return str(first_fault(read(lines), keys=keys) or "")


def edited(file: list[bytes], place: int, **values: object) -> list[bytes]:
    """Return the file with *values* in its line *place*, from 1."""
    changed = {**json.loads(file[place - 1]), **values}
    return [*file[: place - 1], json.dumps(changed).encode(), *file[place:]]


@pytest.fixture
def whole() -> list[bytes]:
    return file_of(lines_of(EVENT))


def test_an_honest_file_has_no_fault(whole: list[bytes]) -> None:
    assert len(whole) == len(EVENT) + 2
    assert fault_of(whole) == fault_of(whole, PUBLIC) == ""
    assert fault_of(file_of([])) == ""


def test_private_values_are_hashes_that_only_the_salt_proves(whole: list[bytes]) -> None:
    line = json.loads(whole[2])
    # As a whole number: four digits in a row are found in some fingerprint by chance.
    assert not re.search(r"\b1987\b", json.dumps(line["after"]))
    assert line["after"]["birth_date"] == salted("salt 2", ("after", "birth_date"), "1987/06/05")
    assert line["after"]["birth_date"] != json.loads(whole[3])["after"]["birth_date"]
    assert line["account"] == salted("salt of accounts", ("account",), 1)


def test_a_reason_is_private_unless_everybody_was_told_so() -> None:
    actions = {
        "entry.returned": False,
        "result.corrected": False,
        "round.arranged": False,
        "points.adjusted": True,
    }
    for action, shown in actions.items():
        (line,) = lines_of([UnsignedLine(action, reason="well again")])
        assert (line.reason == "well again") is shown


def test_the_first_inconsistent_line_is_reported(whole: list[bytes]) -> None:
    assert fault_of(edited(whole, 5, reason="another")) == "line 5: #4: its content was altered."
    assert (
        fault_of(edited(whole, 5, sequence=9)) == "line 5: #9: expected #4 here; rows are missing."
    )
    assert fault_of(whole[:6] + whole[7:]) == "line 7: #7: expected #6 here; rows are missing."
    assert (
        fault_of(edited(whole, 7, previous="0" * 64))
        == "line 7: #6: does not follow from the row before it."
    )
    assert fault_of(edited(whole, 7, signature="")) == "line 7: #6: its fingerprint is not signed."
    other = json.loads(whole[7])["signature"]
    assert (
        fault_of(edited(whole, 7, signature=other))
        == "line 7: #6: its signature does not fit its fingerprint."
    )
    lines = [
        *EVENT[:8],
        UnsignedLine(
            "result.recorded", {"board": 1, "result": "01"}, {"board": 1, "result": "10"}, 1
        ),
    ]
    wrong = file_of(lines_of(lines))
    assert (
        fault_of(wrong) == "line 10: #9: before it, the result of board 1 was nothing and not “01”."
    )


def test_a_file_that_was_cut_off_is_found(whole: list[bytes]) -> None:
    assert fault_of(whole[:-1]) == "line 13: the seal is missing; the file was cut off."
    assert fault_of([*whole[:-2], whole[-1]]) == "line 12: the header has 11 lines and the file 10."
    shorter = edited([*whole[:-2], whole[-1]], 1, lines=10)
    assert (
        fault_of(shorter)
        == "line 12: the seal has another fingerprint than the last line; lines are missing."
    )
    last = json.loads(whole[-3])["hash"]
    shorter = edited(shorter, 12, hash=last)
    unsigned = (
        "line 12: the signature of the seal does not fit the header and the last fingerprint."
    )
    assert fault_of(shorter) == unsigned
    assert fault_of(edited(whole, 1, name="Spring Open")).endswith(unsigned.partition(": ")[2])


def test_a_key_known_beforehand_finds_a_file_signed_by_somebody_else(whole: list[bytes]) -> None:
    assert (
        fault_of(whole, OTHER)
        == f"line 2: #1: its fingerprint is signed with another key ({PUBLIC})."
    )
    assert fault_of(whole, OTHER, PUBLIC) == ""


def test_an_honest_key_in_the_lines_does_not_make_another_key_of_the_seal_honest(
    whole: list[bytes],
) -> None:
    assert (
        fault_of(edited(whole, 13, key=OTHER))
        == f"line 13: the seal is signed with another key ({OTHER})."
    )


def withheld(line: Line) -> Line:
    return Line.withheld(
        sequence=line.sequence,
        key=line.key,
        previous=line.previous,
        hash=line.hash,
        signature=line.signature,
    )


def test_a_line_without_content_must_be_announced_in_the_header() -> None:
    bye = UnsignedLine(
        "bye.requested", {"value": None}, {"entry": 10, "tpn": 1, "name": "Abara", "value": "H"}, 2
    )
    lines = lines_of([*EVENT[:6], bye, *EVENT[6:]])
    lines[6] = withheld(lines[6])
    assert fault_of(file_of(lines, withheld=(7,))) == ""
    assert (
        fault_of(file_of(lines))
        == "line 8: #7: the header says otherwise whether its content is withheld."
    )
    lines[6] = replace(lines[6], hash="0" * 64)
    assert (
        fault_of(file_of(lines, withheld=(7,)))
        == "line 8: #7: its signature does not fit its fingerprint."
    )


@pytest.mark.parametrize(
    "place, raw, why",
    [
        (1, b"{}", "the format is not swiss-arbiter-record/1"),
        (1, b"[]", "it is no JSON object"),
        (3, b"{", "Expecting property name"),
        (3, b"\xff", "can't decode"),
        (3, b'{"a": 1, "a": 2}', "it has a key twice"),
        (3, b'{"a": 1.5}', "it has the number 1.5"),
        (3, b'{"action": "entry.added"}', "it has other keys than it should"),
        (
            13,
            b'{"end": "11", "hash": "", "key": "", "signature": ""}',
            "end has another type than it should",
        ),
    ],
)
def test_another_form_is_refused_with_its_line(
    whole: list[bytes], place: int, raw: bytes, why: str
) -> None:
    whole[place - 1] = raw
    with pytest.raises(InputError) as refused:
        read(whole)
    assert refused.value.code == "record.unreadable"
    assert f"Line {place} is no line of a record: " in str(refused.value)
    assert why in str(refused.value)


@pytest.mark.parametrize("name, value", [("keys", [1]), ("withheld", ["7"]), ("withheld", [True])])
def test_the_header_lists_keys_as_texts_and_withheld_lines_as_numbers(
    whole: list[bytes], name: str, value: list[object]
) -> None:
    with pytest.raises(
        InputError, match=f"Line 1 is no line of a record: {name} has another type than it should"
    ):
        read(edited(whole, 1, **{name: value}))


def test_a_line_longer_than_any_record_has_is_not_read(whole: list[bytes]) -> None:
    long = whole[2].replace(b"Abara", b"A" * MAX_LINE)
    with pytest.raises(InputError, match="Line 3 is no line of a record: it is too long"):
        read([*whole[:2], long, *whole[3:]])


def test_nothing_follows_the_seal_and_a_file_has_a_header(whole: list[bytes]) -> None:
    with pytest.raises(InputError, match="there is nothing after the seal"):
        read([*whole, whole[3]])
    with pytest.raises(InputError, match="The file is empty"):
        read([])


# The command


@pytest.fixture
def file(whole: list[bytes], tmp_path: Path) -> Path:
    path = tmp_path / "autumn-open-record.jsonl"
    path.write_bytes(b"".join(whole))
    return path


def test_the_command_says_what_it_checked(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    last = lines_of(EVENT)[-1].hash
    assert main(["verify", str(file)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"the record of “Autumn Open” is consistent: 11 lines, the last {last}",
        f"signed with the key {PUBLIC}; compare it with the key that the site shows, or give --key",
        "pairings made again: 1, different: 0",
    ]
    printed = lines_of(EVENT)[7].hash
    assert (
        main(["verify", str(file), "--key", PUBLIC.upper(), "--fingerprint", f" {printed.upper()}"])
        == 0
    )
    assert capsys.readouterr().out.splitlines() == [
        "the fingerprint is that of #8, 2026-11-21T09:00:00.000000+00:00",
        f"the record of “Autumn Open” is consistent: 11 lines, the last {last}",
        "pairings made again: 1, different: 0",
    ]


def test_the_command_says_that_a_public_record_ends_early(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "public.jsonl"
    path.write_bytes(b"".join(file_of(lines_of(EVENT[:6]), is_complete=False)))
    assert main(["verify", str(path)]) == 0
    assert (
        "it is the public record: it ends before the first line that is not published yet"
        in capsys.readouterr().out.splitlines()
    )


def test_the_command_names_a_round_that_the_engine_pairs_differently(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The draft is consistent: everybody has one place. Only the engine knows another pairing."""
    other = {**ROUND.after, "pairs": [[1, 2], [3, 4]], "boards": [[10, 20], [30, 40]]}
    path = tmp_path / "other.jsonl"
    path.write_bytes(b"".join(file_of(lines_of([*EVENT[:6], ROUND._replace(after=other)]))))
    assert main(["verify", str(path)]) == 2
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "pairings made again: 1, different: 1",
        "#7: the engine pairs round 1 differently.",
    ]


def test_the_command_ends_with_1_for_an_inconsistent_record(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(file), "--fingerprint", "0" * 64]) == 1
    assert capsys.readouterr().out == f"no line has the fingerprint “{'0' * 64}”.\n"
    file.write_bytes(file.read_bytes().replace(b'"result":"=="', b'"result":"01"'))
    assert main(["verify", str(file)]) == 1
    assert capsys.readouterr().out == "line 11: #10: its content was altered.\n"


def test_the_command_ends_with_3_for_an_unreadable_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(tmp_path / "nowhere.jsonl")]) == 3
    (tmp_path / "event.trf").write_text("012 Autumn Open\n")
    assert main(["verify", str(tmp_path / "event.trf")]) == 3
    assert "Line 1 is no line of a record" in capsys.readouterr().err


def test_without_the_library_only_the_signatures_are_not_checked(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verify, "can_check", lambda: False)
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(
        b"".join(edited(lines, 4, signature="")[:4]).rstrip() + b"\n" + b"".join(lines[4:])
    )
    assert main(["verify", str(file)]) == 0
    output = capsys.readouterr()
    assert "is consistent: 11 lines" in output.out
    assert "without the package “cryptography” no signature is checked" in output.err
    assert IDENTITY in file.read_text()


@pytest.mark.costly
def test_the_command_needs_neither_django_nor_the_library(file: Path) -> None:
    """With ``-I -S`` Python only sees the standard library."""
    program = (
        "import importlib.util, runpy, sys\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "assert not any(map(importlib.util.find_spec, ('django', 'cryptography')))\n"
        f"sys.argv = ['pairing', 'verify', {str(file)!r}]\n"
        "runpy.run_module('pairing', run_name='__main__', alter_sys=True)\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (
        0, "pairing: without the package “cryptography” no signature is checked.\n",
    )  # fmt: skip
    assert done.stdout.startswith("the record of “Autumn Open” is consistent: 11 lines")


@pytest.mark.parametrize(
    "key", ["zz", "", "ab", "0" * 63, "0" * 65, "é" * 64, "٣" * 64], ids=range(7)
)
def test_what_is_no_public_key_is_bad_input(
    key: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With an invalid key every signature would be said to be somebody else's."""
    with pytest.raises(SystemExit) as ended:
        main(["verify", str(file), "--key", PUBLIC, "--key", key])
    assert ended.value.code == 3
    assert (
        f"“{key}” is no public key: a key has 64 digits, from 0 to 9 and a to f."
        in capsys.readouterr().err
    )
    assert main(["verify", str(file), "--key", OTHER]) == 1
