"""The command line as other programs use it: output, exit codes, one line for an error.

The tests with ``own_process`` start a Python that only sees the standard library (``-I -S``),
without Django: at least one for each way to read and to answer. The others call ``main`` in this
process, which takes a fiftieth of the time.
"""

from __future__ import annotations

import io
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pairing.cli import json_input, pair as pair_verb, pair_json
from pairing.cli.main import main
from pairing.engine.systems import SYSTEMS
from tests.command_line import COMMAND, Pairing, Run, four, own_process, pairing, written
from tests.trf.reports import FOUR, player, report

__all__ = ["four", "own_process", "pairing"]

ROUND_3 = "2\n1 4\n3 2\n"
DEAD_END = report("142 3", "152 W", player(1, "1.0", "   2 w 1"), player(2, "0.0", "   1 b 0"))
"""Two players who have met, so no pairing is left."""
POSITION: dict[str, Any] = {
    "round": 1,
    "total_rounds": 3,
    "players": [{"tpn": tpn, "rounds": []} for tpn in range(1, 6)],
}
ANSWER = {"pairs": [[1, 3], [4, 2]], "bye": 5}
MET: dict[str, Any] = {
    "round": 2,
    "total_rounds": 3,
    "players": [{"tpn": 1, "rounds": [[2, "w", "1"]]}, {"tpn": 2, "rounds": [[1, "b", "0"]]}],
}
TOO_LARGE = (
    "line 1, column 1: The file is larger than 8,000,000 bytes, too large for a tournament report."
)
NO_LEGAL_PAIRING = {"error": {"code": "no_legal_pairing", "article": "C.04.3 1.9.3"}}


def test_django_cannot_be_imported() -> None:
    done = subprocess.run([*COMMAND[:-1], "import django"], capture_output=True, check=False)
    assert b"ModuleNotFoundError" in done.stderr


def test_pair_prints_the_number_of_pairs_and_white_black_per_board(
    own_process: Pairing, four: Path
) -> None:
    assert own_process("pair", "four.trf") == Run(0, ROUND_3, "")
    assert own_process("pair", "-", stdin=FOUR) == Run(0, ROUND_3, "")


def test_pair_prints_the_bye_last_with_a_zero(pairing: Pairing) -> None:
    text = report("142 3", "152 B", *(player(tpn, "0.0") for tpn in range(1, 4)))
    assert pairing("pair", "-", stdin=text) == Run(0, "2\n2 1\n3 0\n", "")


def test_pair_can_pair_a_round_of_the_file_again(pairing: Pairing, four: Path) -> None:
    assert pairing("pair", "four.trf", "--round", "1") == Run(0, "2\n1 3\n4 2\n", "")


def test_pair_uses_the_requested_system(pairing: Pairing) -> None:
    text = "192 FIDE_DUBOV\n" + FOUR
    printed = pairing("pair", "-", "--system", "dutch_2026", stdin=text)
    assert printed == Run(0, ROUND_3, "")
    untold = pairing("pair", "-", stdin=text)
    assert (untold.code, untold.out) == (3, "")
    assert untold.error.startswith(
        "pairing: standard input: line 1, column 5: Record 192: this program does not have the "
        "system 'FIDE_DUBOV'"
    )


@pytest.mark.parametrize("verb", ["pair", "explain"])
@pytest.mark.parametrize(
    "head, arguments, part",
    [
        ("", (), "no record 192 names a system, and the first day is missing (042)"),
        ("042 2019/01/02\n", (), "the first day is 2019-01-02"),
        (
            "192 FIDE_DUTCH\n",
            (),
            "record 192 says FIDE_DUTCH without an edition, and the first day is missing (042)",
        ),
        ("192 FIDE_DUTCH\n042 2019/01/02\n", (), None),
        ("192 FIDE_DUTCH_2026\n", (), None),
        ("", ("--system", "dutch_2017"), None),
    ],
)
def test_a_guess_at_the_system_is_one_line_on_standard_error(
    verb: str,
    head: str,
    arguments: tuple[str, ...],
    part: str | None,
    four: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    four.write_text(head + FOUR)
    assert main([verb, str(four), *arguments]) == 0
    error = capsys.readouterr().err
    if part is None:
        assert error == ""
    else:
        assert error.startswith(f"pairing: {four}: paired by dutch_20")
        assert error.endswith("; please check\n")
        assert (part in error, error.count("\n")) == (True, 1)


def test_c04_3_1_9_3_no_legal_pairing_is_exit_code_1(own_process: Pairing) -> None:
    assert own_process("pair", "-", stdin=DEAD_END) == Run(
        1,
        "",
        "pairing: standard input: No legal pairing of this round exists (C.04.3 1.9.3): "
        "the Chief Arbiter decides what to do.\n",
    )


@pytest.mark.parametrize(
    "arguments, stdin, message",
    [
        ((), b"", "the following arguments are required: VERB; try --help"),
        (("pair",), b"", "the following arguments are required: FILE; try --help"),
        (
            ("pair", "-", "--round", "x"),
            b"",
            "argument --round: invalid int value: 'x'; try --help",
        ),
        (
            ("pair", "-", "--json", "--round", "2"),
            b"{}",
            "standard input: --round is for reports; a JSON position names its round itself.",
        ),
        (("pair", "nowhere.trf"), b"", "nowhere.trf: No such file or directory."),
        (("pair", "."), b"", ".: Is a directory."),
        (
            ("pair", "-"),
            b"\0" * 10_000_000,
            f"standard input: {TOO_LARGE}",
        ),
        (
            ("pair", "-", "--round", "9"),
            FOUR.encode(),
            "standard input: Round 9 cannot be paired from this file: its next round is 3.",
        ),
        (
            ("pair", "-"),
            FOUR.replace("142 3", "142 2").encode(),
            "standard input: Round 3 cannot be paired: the tournament has 2 rounds.",
        ),
        (
            ("pair", "-", "--system", "lim"),
            FOUR.encode(),
            (
                f"standard input: There is no pairing system 'lim'; known: "
                f"{', '.join(sorted(SYSTEMS))}."
            ),
        ),
        (("check", "-", "--jobs", "0"), FOUR.encode(), "--jobs needs a number from 1."),
    ],
)
def test_bad_input_is_exit_code_3_and_one_line(
    pairing: Pairing, arguments: tuple[str, ...], stdin: bytes, message: str
) -> None:
    run = pairing(*arguments, stdin=stdin)
    prefix = run.error.partition(":")[0]
    assert (run.code, run.out, run.error) == (3, "", f"{prefix}: {message}\n")
    assert prefix in {"pairing", "pairing pair", "pairing check"}


def test_a_file_in_another_encoding_is_read_and_the_encoding_is_reported(pairing: Pairing) -> None:
    for encoding, name in (("latin-1", "Latin-1 (ISO 8859-1)"), ("cp1252", "Windows-1252")):
        event = "Müller Open" if encoding == "latin-1" else "Müller Open – 2026"
        report_ = f"012 {event}\n{FOUR}".encode(encoding)
        printed = f"pairing: standard input: not UTF-8, read as {name}.\n"
        assert pairing("pair", "-", stdin=report_) == Run(0, ROUND_3, printed)
    assert pairing("pair", "-", stdin=f"012 Müller Open\n{FOUR}".encode("utf-16")) == Run(
        0, ROUND_3, ""
    )


@pytest.mark.costly
def test_json_in_json_out(own_process: Pairing, pairing: Pairing, tmp_path: Path) -> None:
    (tmp_path / "position.json").write_text(json.dumps(POSITION))
    for run in (
        pairing("pair", "--json", "position.json"),
        own_process("pair", "--json", "position.json"),
        own_process("pair", "--json", "-", stdin=json.dumps(POSITION)),
    ):
        assert (run.code, json.loads(run.out), run.error) == (0, ANSWER, "")


def test_json_without_legal_pairing_is_exit_code_1(pairing: Pairing) -> None:
    run = pairing("pair", "--json", "-", stdin=json.dumps(MET))
    assert (run.code, json.loads(run.out)) == (1, NO_LEGAL_PAIRING)
    assert run.error.count("\n") == 1


@pytest.mark.parametrize(
    "data, code, message",
    [
        ('{"round": 1,\n  oops}', "json.invalid", None),
        (b"\xff", "json.invalid", None),
        ("[" * 100_000, "json.invalid", None),
        ("[]", "json.type", "the position: an object is expected, not list."),
        (json.dumps(POSITION | {"points": {"draw": 2}}), "state.points", None),
        (
            json.dumps(POSITION | {"absent": [9]}),
            "state.unknown_player",
            "There is no player with pairing number 9.",
        ),
    ],
)
def test_json_that_is_refused_is_exit_code_3(
    pairing: Pairing, data: str | bytes, code: str, message: str | None
) -> None:
    run = pairing("pair", "--json", "-", stdin=data)
    error = json.loads(run.out)["error"]
    assert (run.code, error["code"]) == (3, code)
    assert message is None or error["message"] == message
    assert run.error == f"pairing: standard input: {error['message']}\n"


def test_jsonl_answers_line_by_line_in_order_with_exit_code_0(
    pairing: Pairing, tmp_path: Path
) -> None:
    lines = [
        json.dumps(POSITION),
        json.dumps(MET),
        "",
        "nonsense",
        json.dumps({"round": 1}),
        json.dumps(POSITION),
    ]
    (tmp_path / "positions.jsonl").write_text("\n".join(lines))
    for run in (
        pairing("pair", "--jsonl", "positions.jsonl"),
        pairing("pair", "--jsonl", "-", stdin="\n".join(lines)),
    ):
        answers = [json.loads(line) for line in run.out.splitlines()]
        assert (run.code, run.error) == (0, "")
        assert [answers[0], answers[1], answers[5]] == [ANSWER, NO_LEGAL_PAIRING, ANSWER]
        assert [answer["error"]["code"] for answer in answers[2:5]] == [
            "json.invalid",
            "json.invalid",
            "json.missing",
        ]
        assert len(answers) == 6


def test_a_position_that_is_too_large_is_refused_and_the_next_one_answered(
    pairing: Pairing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_input, "MAX_JSON_BYTES", len(json.dumps(POSITION)))
    run = pairing(
        "pair", "--jsonl", "-", stdin=f"{json.dumps(POSITION)} \n\n{json.dumps(POSITION)}"
    )
    answers = [json.loads(line) for line in run.out.splitlines()]
    assert (run.code, answers[0]["error"]["code"], answers[-1]) == (0, "json.too_large", ANSWER)


def test_a_position_may_begin_with_a_byte_order_mark(pairing: Pairing) -> None:
    run = pairing("pair", "--json", "-", stdin=f"\ufeff{json.dumps(POSITION)}")
    assert (run.code, json.loads(run.out)) == (0, ANSWER)


def test_jsonl_answers_each_line_at_once(tmp_path: Path) -> None:
    """A program may send one position after the other over the same pipe."""
    with subprocess.Popen(
        [*COMMAND, "pair", "--jsonl", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(2):
            process.stdin.write(json.dumps(POSITION) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline()) == ANSWER
        process.stdin.close()
        assert process.wait(timeout=20) == 0


@pytest.mark.parametrize(
    "arguments", [("check", *["four.trf"] * 50), ("pair", "--jsonl", "many.jsonl")]
)
def test_a_closed_pipe_causes_no_traceback(
    arguments: tuple[str, ...], four: Path, tmp_path: Path
) -> None:
    (tmp_path / "many.jsonl").write_text((json.dumps(POSITION) + "\n") * 200)
    with subprocess.Popen(
        [*COMMAND, *arguments], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0


@pytest.mark.parametrize("arguments", [("check", "four.trf"), ("pair", "--jsonl", "many.jsonl")])
def test_a_reader_that_leaves_ends_the_command_without_an_error(
    arguments: tuple[str, ...],
    four: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The same in this process: nothing is written later to the pipe that is closed."""
    (four.parent / "many.jsonl").write_text((json.dumps(POSITION) + "\n") * 200)
    monkeypatch.chdir(four.parent)
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as closed:
        monkeypatch.setattr(sys, "stdout", closed)
        assert main(arguments) == 0
        closed.write("the rest goes nowhere")
    assert capsys.readouterr().err == ""


def test_ctrl_c_is_exit_code_130_and_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], four: Path
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pair_verb, "pair", interrupted)
    assert main(["pair", "--system", "dutch_2026", str(four)]) == 130
    assert capsys.readouterr() == ("", "pairing: interrupted\n")


def test_the_module_is_a_command_that_prints_any_file_name(monkeypatch: pytest.MonkeyPatch) -> None:
    error = io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr(sys, "argv", ["pairing", "pair", "café.trf"])
    monkeypatch.setattr(sys, "stderr", error)
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("pairing", run_name="__main__")
    assert (ended.value.code, written(error)) == (
        3,
        "pairing: caf\\xe9.trf: No such file or directory.\n",
    )


def test_a_file_name_that_is_not_text_is_still_printed(own_process: Pairing) -> None:
    assert (
        own_process("pair", "caf\udce9.trf").error
        == "pairing: caf\\udce9.trf: No such file or directory.\n"
    )


def test_an_internal_error_is_exit_code_70_and_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], four: Path
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr(pair_verb, "pair", broken)
    monkeypatch.setattr(pair_json, "pair", broken)
    assert main(["pair", "--system", "dutch_2026", str(four)]) == 70
    assert capsys.readouterr() == ("", "pairing: internal error: RuntimeError: two lines\n")
    (four.parent / "one.jsonl").write_text(json.dumps(POSITION))
    assert main(["pair", "--jsonl", str(four.parent / "one.jsonl")]) == 70
    out, error = capsys.readouterr()
    assert json.loads(out) == {"error": {"code": "internal_error", "message": "RuntimeError"}}
    assert error == "pairing: internal error: see the answers with internal_error\n"


def test_help_has_the_endorsement_note_and_the_exit_codes(pairing: Pairing) -> None:
    run = pairing("--help")
    words = " ".join(run.out.split())
    assert run.code == 0
    assert "Implements the FIDE Dutch System 2026; not endorsed." in words
    assert "0 ok, 1 no legal pairing, 2 differences found, 3 bad input, 70 internal error" in words


@pytest.mark.costly
def test_the_corpus_from_outside(own_process: Pairing, shared: Path) -> None:
    files = [str(path) for path in sorted((shared / "corpus" / "2026").glob("m0000*.trf"))]
    assert own_process("check", *files).code == 0
    dead_end = next((shared / "corpus" / "no_legal_pairing" / "2026").glob("*.trf"))
    assert own_process("pair", str(dead_end)).code == 1
    golden = (shared / "golden" / "dutch_2025_C5.output.expected").read_text()
    assert own_process("pair", str(shared / "golden" / "dutch_2025_C5.input")) == Run(0, golden, "")
