"""Reports that no system here can pair: the command line prints a sentence,
returns exit code 3 and writes nothing.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pairing.cli.main import main
from pairing.engine.systems import SYSTEMS

EVERY_VERB = ("pair", "check", "explain")


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """Return the path for a report, in an empty folder."""
    return tmp_path / "event.trf"


def generated(report: Path, system: str) -> str:
    """Return two rounds of eight players without a draw."""
    command = ["generate", "--seed=3", "--players=8", "--rounds=4", "--played=2", "--draw-rate=0"]
    assert main([*command, "--system", system, "-o", str(report)]) == 0
    return report.read_text()


def line_with(text: str, beginning: str) -> int:
    return next(
        number for number, line in enumerate(text.splitlines(), 1) if line.startswith(beginning)
    )


def assert_refused(
    report: Path, text: str, sentence: str, capsys: pytest.CaptureFixture[str], *options: str
) -> None:
    """Check that each verb prints *sentence* with its line on standard error, and no answer."""
    report.write_text(text)
    capsys.readouterr()
    for verb in EVERY_VERB:
        assert main([verb, str(report), *options]) == 3
        printed = capsys.readouterr()
        assert printed.err == f"pairing: {report}: {sentence}\n"
        assert printed.out in ("", "checked: tournaments=0 rounds=0 differences=0\n")
        assert [path.name for path in report.parent.iterdir()] == [report.name]
    assert report.read_text() == text


@pytest.mark.parametrize("code", ["FIDE_DUBOV", "FIDE_BURSTEIN", "SWISS", "FIDE_DUBOV_BAKU"])
def test_c04_2_1_3_a_system_that_is_not_here(
    report: Path, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = generated(report, "dutch_2026").replace("192 FIDE_DUTCH_2026", f"192 {code}")
    known = (
        "FIDE_DUTCH, FIDE_DUTCH_2026, FIDE_DUTCH_2025, FIDE_DUTCH_2017, FIDE_DOUBLESWISS, "
        "FIDE_DUTCH_PRE2017"
    )
    sentence = (
        f"line {line_with(text, '192')}, column 5: Record 192: this program does not have the "
        f"system '{code}'; "
        f"known: {known}."
    )
    assert_refused(report, text, sentence, capsys)


def test_c04_5_0_matches_with_an_odd_number_of_rounds(
    report: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second game of the last match is removed, with its points."""
    whole = generated(report, "double_swiss_2026").splitlines()
    text = "\n".join(line[:-10] if line.startswith("001") else line for line in whole) + "\n"
    sentence = (
        f"line {line_with(text, '001')}, column 112: A match has two games, and each is one round "
        f"of the report "
        "(C.04.5 0). This file has an odd number of rounds: 3."
    )
    assert_refused(report, text, sentence, capsys)


@pytest.mark.parametrize(
    "record, line",
    [("250", "250      1.0  001 002    1    4"), ("XXA", "XXA    1  1.0  1.0")],
)
def test_c04_2_1_1_acceleration_of_a_system_older_than_it(
    report: Path, record: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = generated(report, "dutch_pre2017") + line + "\n"
    printed = (
        "accelerates the tournament, but dutch_pre2017 does not allow acceleration [C.04.2 1.1]."
    )
    assert_refused(
        report, text, f"line {line_with(text, record)}, column 5: Record {record} {printed}", capsys
    )
    modern = text.replace("FIDE_DUTCH_PRE2017", "FIDE_DUTCH_2017")
    sentence = f"line {line_with(modern, record)}, column 5: Record {record} {printed}"
    assert_refused(report, modern, sentence, capsys, "--system", "dutch_pre2017")


def test_c04_2_1_1_acceleration_declared_for_a_system_older_than_it(
    report: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = generated(report, "dutch_pre2017").replace(
        "192 FIDE_DUTCH_PRE2017", "192 FIDE_DUTCH_PRE2017_BAKU"
    )
    sentence = (
        "Record 192 accelerates the tournament, but dutch_pre2017 does not allow "
        "acceleration [C.04.2 1.1]."
    )
    assert_refused(report, text, f"line {line_with(text, '192')}, column 5: {sentence}", capsys)


def test_c04_2_1_1_generate_does_not_accelerate_it_either(
    report: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [
        "generate",
        "--seed=3",
        "--players=8",
        "--rounds=4",
        "--accelerate",
        "-o",
        str(report),
    ]
    assert main([*command, "--system", "dutch_pre2017"]) == 3
    assert (
        capsys.readouterr().err
        == "pairing: dutch_pre2017 is too old to be accelerated [C.04.2 1.1].\n"
    )
    assert not report.exists()


@pytest.mark.parametrize("system", sorted(SYSTEMS))
@pytest.mark.parametrize("line", ["162  W 1.0    D 0.6    L 0.0", "BBD  0.6"])
def test_two_draws_worth_more_than_a_win_and_a_loss(
    report: Path, system: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = generated(report, system) + line + "\n"
    sentence = (
        f"line {line_with(text, line[:3])}, column 5: Record {line[:3]}: two draws cannot be "
        f"worth more than a win "
        "and a loss, and a draw cannot be worth less than a loss."
    )
    assert_refused(report, text, sentence, capsys)


def test_c04_5_points_of_a_match_changed_by_decision(
    report: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = generated(report, "double_swiss_2026") + "299          -1.0  001    1\n"
    sentence = "Record 299 changes the points of a match; this program cannot pair with that."
    assert_refused(report, text, f"line {line_with(text, '299')}, column 5: {sentence}", capsys)


@pytest.mark.parametrize("system", [code for code, system in SYSTEMS.items() if system.games == 1])
def test_points_changed_by_decision_count_for_pairing(
    report: Path, system: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The leader loses two points after round 1, and is paired
    with lower players from round 2 on.
    """
    text = generated(report, system)
    assert main(["pair", str(report)]) == 0
    before = capsys.readouterr().out
    report.write_text(text + "299          -2.0  001    1    2\n")
    assert main(["pair", str(report)]) == 0
    assert capsys.readouterr().out != before
