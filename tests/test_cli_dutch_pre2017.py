"""The Dutch System before July 2017 on the command line, without Django."""

import json
from pathlib import Path

import pytest

from pairing.cli.main import main
from tests.findings import findings

EXAMPLE = str(Path(__file__).parent / "golden" / "dutch_pre2017_worked_example.trf")


def test_pair_by_record_192_and_by_option(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["pair", EXAMPLE, "--round", "5"]) == 0
    published = capsys.readouterr().out
    assert published == "7\n2 1\n5 11\n4 6\n3 7\n9 10\n14 12\n13 8\n"
    without = tmp_path / "without.trf"
    lines = Path(EXAMPLE).read_text(encoding="utf-8").splitlines()
    without.write_text(
        "\n".join(line for line in lines if not line.startswith("192")), encoding="utf-8"
    )
    assert main(["pair", str(without), "--round", "5", "--system", "dutch_pre2017"]) == 0
    assert capsys.readouterr().out == published


def test_check_finds_every_published_round(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", EXAMPLE]) == 0
    assert findings(capsys.readouterr().out) == "checked: tournaments=1 rounds=5 differences=0\n"


def test_generate_writes_a_report_that_checks(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = str(tmp_path / "generated.trf")
    command = [
        "generate",
        "--seed",
        "3",
        "--players",
        "40",
        "--rounds",
        "11",
        "--system",
        "dutch_pre2017",
    ]
    assert main([*command, "--draw-rate", "0.3", "--bye-rate", "0.03", "-o", file]) == 0
    assert "192 FIDE_DUTCH_PRE2017\n" in Path(file).read_text(encoding="utf-8")
    assert main(["check", file]) == 0
    assert findings(capsys.readouterr().out) == "checked: tournaments=1 rounds=11 differences=0\n"
    assert main(["check", file, "--system", "dutch_2026"]) == 2


def test_c04_3_pre2017_c13_generate_reports_where_a_tournament_had_to_end(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    command = [
        "generate",
        "--seed",
        "0",
        "--players",
        "3",
        "--rounds",
        "5",
        "--system",
        "dutch_pre2017",
    ]
    assert main([*command, "-o", str(tmp_path / "short.trf")]) == 0
    assert capsys.readouterr().err == (
        "pairing: seed 0: round 4 has no legal pairing (C.04.3/pre2017 C13): the tournament ends "
        "after round 3.\n"
    )


def test_explain_prints_every_bracket_in_two_languages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", EXAMPLE, "--round", "3"]) == 0
    english = capsys.readouterr().out
    assert main(["explain", EXAMPLE, "--round", "3", "--lang", "fr"]) == 0
    french = capsys.readouterr().out
    assert [text.count("P0 = ") for text in (english, french)] == [4, 4]
    assert [
        line for line in english.splitlines() if line in french.splitlines() and line.strip()
    ] == [line for line in english.splitlines() if line.startswith("  P0 = ")]
    assert main(["explain", EXAMPLE, "--round", "3", "--json", "--board", "1"]) == 0
    assert [board["rule"] for board in json.loads(capsys.readouterr().out)["boards"]] == ["E2"]
