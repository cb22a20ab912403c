"""``check`` as other programs use it: what it prints, and its exit codes."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from pairing.cli import check as check_verb
from pairing.cli.main import main
from tests.command_line import Pairing, Run, four, own_process, pairing
from tests.findings import findings
from tests.trf.reports import FOUR, player, report

__all__ = ["four", "own_process", "pairing"]

WRONG_ROUND_2 = report(
    "142 3",
    "152 W",
    player(1, "2.0", "   3 w 1", "   2 w 1"),
    player(2, "0.5", "   4 b =", "   1 b 0"),
    player(3, "0.5", "   1 b 0", "   4 b ="),
    player(4, "1.0", "   2 w =", "   3 w ="),
)
WRONG_LINE = "bad.trf: round 2: the file has 1-2 4-3; paired again 2-1 3-4\n"


@pytest.mark.costly
def test_check_finds_no_difference_in_a_correct_file(own_process: Pairing, four: Path) -> None:
    assert own_process("check", "four.trf") == Run(
        0, "checked: tournaments=1 rounds=2 differences=0\n", ""
    )
    again = own_process("check", "four.trf", "four.trf", "--jobs", "2")
    assert again == Run(0, "checked: tournaments=2 rounds=4 differences=0\n", "")


def test_check_names_each_round_that_differs_and_is_exit_code_2(
    own_process: Pairing, four: Path, tmp_path: Path
) -> None:
    (tmp_path / "wrong.trf").write_text(WRONG_ROUND_2)
    run = own_process("check", "four.trf", "wrong.trf")
    assert run == Run(
        2,
        "wrong.trf: round 2: the file has 1-2 4-3; paired again 2-1 3-4\n"
        "checked: tournaments=2 rounds=4 differences=1\n",
        "",
    )


def test_check_finds_a_changed_colour_and_a_changed_bye(pairing: Pairing) -> None:
    turned = report(
        "142 3",
        "152 W",
        player(1, "", "   2 b 1"),
        player(2, "", "   1 w 0"),
        player(3, "", "0000 - U"),
    )
    assert pairing("check", "-", stdin=turned).out.splitlines() == [
        "standard input: round 1: the file has 2-1; paired again 1-2",
        "checked: tournaments=1 rounds=1 differences=1",
    ]
    bye = report(
        "142 3",
        "152 W",
        player(1, "", "   3 w 1"),
        player(2, "", "0000 - U"),
        player(3, "", "   1 b 0"),
    )
    assert pairing("check", "-", stdin=bye).out.splitlines()[0] == (
        "standard input: round 1: the file has 1-3 2-bye; paired again 1-2 3-bye"
    )


def test_check_counts_a_forfeited_game_as_paired(pairing: Pairing) -> None:
    text = report("142 3", "152 W", player(1, "", "   2 w -"), player(2, "", "   1 b +"))
    assert pairing("check", "-", stdin=text) == Run(
        0, "checked: tournaments=1 rounds=1 differences=0\n", ""
    )


def test_check_reports_an_impossible_round(pairing: Pairing) -> None:
    text = report(
        "142 3",
        "152 W",
        player(1, "", "   2 w 1", "   2 b 1"),
        player(2, "", "   1 b 0", "   1 w 0"),
    )
    assert pairing("check", "-", stdin=text) == Run(
        2,
        "standard input: round 2: paired in the file; no legal pairing exists (C.04.3 1.9.3)\n"
        "checked: tournaments=1 rounds=2 differences=1\n",
        "",
    )


@pytest.mark.costly
def test_check_goes_on_after_a_file_that_is_refused(
    own_process: Pairing, four: Path, tmp_path: Path
) -> None:
    (tmp_path / "bad.trf").write_text(FOUR.replace("   3 w 1", "   9 w 1"))
    for jobs in ("1", "2"):
        assert own_process("check", "bad.trf", "four.trf", "--jobs", jobs) == Run(
            3,
            "checked: tournaments=1 rounds=2 differences=0\n",
            "pairing: bad.trf: line 4, column 92: Round 1: player 1 plays against 9, but there is "
            "no such opponent.\n",
        )


@pytest.mark.costly
def test_check_checks_the_pairings_of_a_file_with_wrong_totals(
    own_process: Pairing, four: Path, tmp_path: Path
) -> None:
    """Pairings follow from the results: the wrong points are a remark,
    and a difference of the standings.
    """
    remark = "line 4, column 81: Player 1 has 2.5 points here, but the results add up to 2.0.\n"
    for text, code, line in ((FOUR, 0, ""), (WRONG_ROUND_2, 2, WRONG_LINE)):
        (tmp_path / "bad.trf").write_text(text.replace(" 2.0    1", " 2.5    1"))
        shown = remark if text == FOUR else remark.replace("line 4", "line 3")
        found = own_process("check", "bad.trf")
        assert (found.code, found.error) == (code, f"pairing: bad.trf: {shown}")
        differences = 1 if line else 0
        assert found.out == f"{line}checked: tournaments=1 rounds=2 differences={differences}\n"
    assert own_process("check", "--standings", "--tie-breaks", "BH", "bad.trf").code == 2


def test_check_can_check_one_round_and_refuses_a_missing_one(pairing: Pairing, four: Path) -> None:
    assert pairing("check", "--round", "2", "four.trf") == Run(
        0, "checked: tournaments=1 rounds=1 differences=0\n", ""
    )
    assert pairing("check", "--round", "3", "four.trf") == Run(
        3, "checked: tournaments=1 rounds=0 differences=0\n", "pairing: no file has a round 3.\n"
    )


def test_check_goes_on_after_an_internal_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], four: Path
) -> None:
    def broken(name: str, *_: object) -> None:
        raise RuntimeError(f"no {Path(name).stem}")

    monkeypatch.setattr(check_verb, "read_document", broken)
    assert main(["check", str(four), str(four)]) == 70
    assert capsys.readouterr().err.count("internal error: RuntimeError: no four") == 2
    assert main(["check", str(four)]) == 70
    assert capsys.readouterr().err.count("internal error: RuntimeError: no four") == 1


@pytest.mark.parametrize("files, shown", [(2, "\r1/2\r2/2\r\033[K"), (1, "")])
def test_check_counts_its_files_in_a_terminal_only(
    files: int, shown: str, four: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert main(["check", *[str(four)] * files]) == 0
    assert findings(terminal.getvalue()) == shown
