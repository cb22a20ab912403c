"""``python -m pairing explain``: its output and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pairing.cli.main import main
from tests.findings import findings
from tests.trf.reports import FOUR, player, report

MET = report("142 3", "152 W", player(1, "1.0", "   2 w 1"), player(2, "0.0", "   1 b 0"))


@pytest.fixture
def four(tmp_path: Path) -> str:
    (tmp_path / "four.trf").write_text(FOUR)
    return str(tmp_path / "four.trf")


def explain(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["explain", *arguments])
    output = capsys.readouterr()
    return code, output.out, findings(output.err)


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    code, out, error = explain(capsys, *arguments, "--json")
    assert (code, error) == (0, "")
    found: dict[str, Any] = json.loads(out)
    return found


def test_the_next_round_is_explained_with_all_brackets_and_boards(
    capsys: pytest.CaptureFixture[str], four: str
) -> None:
    code, out, error = explain(capsys, four)
    assert (code, error) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("Round 3. Boards: 2. Brackets: 1 ")
    assert [line for line in lines if line.startswith("Board")] == [
        line
        for line in lines
        if line.startswith(
            ("Board 1: 1 Player 1 (White) – 4 Player 4", "Board 2: 3 Player 3 (White) – 2 Player 2")
        )
    ]
    assert sum(line.startswith("Board") for line in lines) == 2


def test_a_round_of_the_file_in_french(capsys: pytest.CaptureFixture[str], four: str) -> None:
    code, out, _ = explain(capsys, four, "--round", "1", "--lang", "fr")
    assert code == 0
    assert out.startswith(
        "Ronde 1. Échiquiers : 2. Niveaux : 1.\n\nNiveau 1 : score 0, homogène [1.3.3]\n"
    )


def test_one_player_and_one_board_name_the_same_board(
    capsys: pytest.CaptureFixture[str], four: str
) -> None:
    by_player, by_board = (
        answer(capsys, four, "--player", "2"),
        answer(capsys, four, "--board", "2"),
    )
    assert [one["board"] for one in by_player["boards"]] == [2]
    assert by_player["boards"] == by_board["boards"]
    assert answer(capsys, four)["boards"][1] == by_board["boards"][0]


def test_why_not_alone_and_with_an_explanation(
    capsys: pytest.CaptureFixture[str], four: str
) -> None:
    alone = answer(capsys, four, "--why-not", "1", "4")
    assert set(alone) == {"why_not", "names"}
    assert (alone["why_not"]["players"], alone["why_not"]["outcome"]) == ([1, 4], "paired")
    assert (
        answer(capsys, four, "--board", "1", "--why-not", "1", "4")["why_not"] == alone["why_not"]
    )
    assert explain(capsys, four, "--why-not", "4", "1")[:2] == (
        0,
        "4 Player 4 and 1 Player 1 do meet\n",
    )
    assert explain(capsys, four, "--round", "2", "--why-not", "1", "3", "--lang", "fr")[:2] == (
        0,
        (
            "1 Player 1 et 3 Player 3 ne peuvent se rencontrer : ils ont joué l’un contre l’autre "
            "à la ronde 1"
            " [C1, 2.1.1]\n"
        ),
    )


def test_players_without_a_name_in_the_file_are_called_by_number(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "nameless.trf"
    file.write_text(FOUR.replace("Player 4", " " * 8))
    assert explain(capsys, str(file), "--why-not", "4", "1")[1] == "4 and 1 Player 1 do meet\n"
    assert answer(capsys, str(file))["names"] == {str(n): f"Player {n}" for n in (1, 2, 3)}


def test_a_different_round_in_the_file_is_reported(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    other = report(
        "142 3",
        "152 W",
        player(1, "1.0", "   2 w 1"),
        player(2, "0.0", "   1 b 0"),
        player(3, "1.0", "   4 w 1"),
        player(4, "0.0", "   3 b 0"),
    )
    (tmp_path / "other.trf").write_text(other)
    code, out, _ = explain(capsys, str(tmp_path / "other.trf"), "--round", "1")
    assert code == 0
    assert out.startswith(
        "The file pairs this round otherwise; explained is the pairing by the rules\nRound 1."
    )
    assert answer(capsys, str(tmp_path / "other.trf"), "--round", "1")["file_differs"] is True


def test_an_equal_round_in_the_file_is_not_reported(
    capsys: pytest.CaptureFixture[str], four: str
) -> None:
    assert [answer(capsys, four, "--round", number)["file_differs"] for number in ("1", "3")] == [
        False,
        False,
    ]


def test_c04_3_1_9_3_no_legal_pairing_is_exit_code_1(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "met.trf").write_text(MET)
    code, out, error = explain(capsys, str(tmp_path / "met.trf"))
    assert (code, out) == (1, "")
    assert "No legal pairing of this round exists (C.04.3 1.9.3)" in error


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("--player", "9"), "Player 9 is not on the list."),
        (("--board", "3"), "There is no board 3; there are 2."),
        (("--board", "0"), "There is no board 0; there are 2."),
        (("--why-not", "1", "9"), "Player 9 is not on the list."),
        (("--why-not", "2", "2"), "Player 2 cannot play against themselves: enter two players."),
        (("--round", "9"), "Round 9 cannot be paired from this file: its next round is 3."),
    ],
)
def test_an_impossible_question_is_exit_code_3_and_one_line(
    capsys: pytest.CaptureFixture[str], four: str, arguments: tuple[str, ...], message: str
) -> None:
    assert explain(capsys, four, *arguments) == (3, "", f"pairing: {four}: {message}\n")


def test_c04_3_2017_a_round_is_explained_by_the_older_text(
    capsys: pytest.CaptureFixture[str], four: str
) -> None:
    code, out, _ = explain(
        capsys, four, "--system", "dutch_2017", "--why-not", "4", "2", "--board", "1"
    )
    assert code == 0
    assert "[A.3]" in out
    assert "Met in full: [C5]" in out
    assert answer(capsys, four, "--system", "dutch_2017")["system"] == "dutch_2017"


def test_an_absent_player_is_reported_as_absent(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    away = FOUR.rstrip("\n").splitlines()
    (tmp_path / "away.trf").write_text("\n".join([*away, "240 Z  003    4"]) + "\n")
    code, out, error = explain(capsys, str(tmp_path / "away.trf"), "--player", "4")
    assert (code, out) == (3, "")
    assert error.endswith("Player 4 is not paired in round 3.\n")
