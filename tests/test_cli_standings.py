"""``check --standings``: its findings in a file, their wording, and its exit codes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pairing.cli.main import main
from pairing.engine.model import TPN, Player
from pairing.standings.lots import in_order_of_lots
from pairing.standings.ranking import Rules, standings
from pairing.trf.crosstable import lots_remark
from pairing.trf.document import PlayerRecord, Record, RoundCell, TextRecord, TrfDocument
from pairing.trf.writer import write
from tests.findings import findings
from tests.plugins.shared import shared_params
from tests.standings.fields import HELD, HELD_RATINGS, STANDARD, field

LIST = "BH/C1,BH,SB,DE,WIN"
Check = Callable[..., tuple[int, list[str], str]]
"""A function that runs the verb on a text: exit code, printed lines, standard error."""


def trf(
    rounds: dict[int, str],
    *,
    edition: str = "fide-2026",
    records: tuple[Record, ...] = (TextRecord("042", "2026/06/01"), TextRecord("202", LIST)),
    ranks: dict[int, int | None] | None = None,
    points: dict[int, int] | None = None,
) -> str:
    """Return the crosstable *rounds* as a report with correct ranks and points,
    except for the given ones.
    """
    players: list[Player] = field(rounds)
    lines = {
        line.tpn: line
        for line in standings(
            players, STANDARD, Rules.from_codes(LIST, edition), ratings=HELD_RATINGS
        ).lines
    }
    return write(
        TrfDocument(
            (
                *records,
                *(
                    PlayerRecord(
                        tpn=player.tpn,
                        name=f"Player {player.tpn}",
                        rating=HELD_RATINGS.get(player.tpn),
                        points=(points or {}).get(player.tpn, lines[player.tpn].points),  # type: ignore[arg-type]
                        rank=(ranks or {}).get(player.tpn, lines[player.tpn].rank),
                        rounds=tuple(
                            RoundCell(r.opponent, r.colour if r.is_played else None, r.result)
                            for r in player.rounds
                        ),
                    )
                    for player in sorted(players, key=lambda player: player.tpn)
                ),
            )
        )
    )


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    def run(text: str, *options: str) -> tuple[int, list[str], str]:
        path = tmp_path / "event.trf"
        path.write_text(text)
        code = main(["check", "--standings", *options, str(path)])
        out, error = capsys.readouterr()
        return (
            code,
            findings(out).replace(f"{path}: ", "").splitlines(),
            error.replace(f"{path}: ", ""),
        )

    return run


def test_a_correct_file_has_no_difference(check: Check) -> None:
    assert check(trf(SIX)) == (0, ["checked: tournaments=1 players=6 differences=0"], "")


# Six players, three rounds. 1: 3, 3: 2, 2 and 4: 1½, 5 and 6: ½.
SIX = {
    1: "+W4 +B2 +W3",
    2: "+B5 -W1 =B4",
    3: "+W6 +B5 -B1",
    4: "-B1 +W6 =W2",
    5: "-W2 -W3 =B6",
    6: "-B3 -B4 =W5",
}


def test_every_difference_is_a_line_and_the_exit_code_is_2(check: Check) -> None:
    code, lines, error = check(trf(SIX, points={3: 25}, ranks={1: 2, 3: 1}))
    assert (code, error) == (2, "")
    assert lines == [
        "player 3: points 2.5 in the file; worked out again 2",
        "player 1: rank 2 in the file; worked out again 1 (points 3, BH/C1 3.5, BH 5, SB 5, DE -, WIN 3)",
        "player 3: rank 1 in the file; worked out again 2 (points 2, BH/C1 3.5, BH 4, SB 1, DE -, WIN 2)",
        "checked: tournaments=1 players=6 differences=3",
    ]


def test_c07_4_2_equal_players_may_share_a_rank_or_be_in_the_order_of_lots(check: Check) -> None:
    four = {1: "+W2 =W3", 2: "-B1 =W4", 3: "+W4 =B1", 4: "-B3 =B2"}
    for ranks in ({1: 1, 3: 1, 2: 3, 4: 3}, {1: 2, 3: 1, 2: 3, 4: 4}):
        assert check(trf(four, ranks=ranks))[0] == 0
    code, lines, _ = check(trf(four, ranks={1: 1, 3: 1, 2: 4, 4: 4}))
    merits = "points 0.5, BH/C1 1.5, BH 2, SB 0.25, DE 1, WIN 0"
    assert (code, lines[:2]) == (
        2,
        [
            f"player 2: rank 4 in the file; worked out again 3, shared or drawn up to 4 ({merits})",
            f"player 4: rank 4 in the file; worked out again 3, shared or drawn up to 4 ({merits})",
        ],
    )


def test_c07_4_2_a_rank_that_differs_from_the_drawn_lots_is_said_to_be_drawn(check: Check) -> None:
    four = {1: "+W2 =W3", 2: "-B1 =W4", 3: "+W4 =B1", 4: "-B3 =B2"}
    seed = "5f3a91c0" * 4
    seeded = (TextRecord("042", "2026/06/01"), TextRecord("202", LIST), lots_remark(seed))
    first, second = in_order_of_lots(seed, [TPN(1), TPN(3)])
    third, last = in_order_of_lots(seed, [TPN(2), TPN(4)])
    right = {first: 1, second: 2, third: 3, last: 4}
    assert check(trf(four, records=seeded, ranks=right))[0] == 0  # type: ignore[arg-type]
    code, lines, _ = check(trf(four, records=seeded, ranks=right | {first: 2, second: 1}))  # type: ignore[arg-type]
    assert (code, len(lines)) == (2, 3)
    assert all(line.endswith(", drawn by lot)") for line in lines[:2])


def test_the_edition_is_that_of_the_first_day_unless_given(check: Check) -> None:
    # 11 is before 8 in the text of 2024 and after 8 in that of 2026, because the forfeit win counts
    # for less.
    old = trf(
        HELD,
        edition="fide-2024",
        records=(TextRecord("042", "2025/06/01"), TextRecord("212", f"PTS,{LIST}")),
    )
    assert check(old)[0] == check(trf(HELD))[0] == 0
    code, lines, _ = check(old, "--edition", "fide-2026")
    assert (code, [line.split(" (")[0] for line in lines]) == (
        2,
        [
            "player 8: rank 8 in the file; worked out again 7",
            "player 11: rank 7 in the file; worked out again 8",
            "checked: tournaments=1 players=16 differences=2",
        ],
    )


def test_the_list_can_replace_that_of_the_file(check: Check) -> None:
    text = trf(SIX, records=())
    code, _, error = check(text)
    assert (code, error) == (
        3,
        "pairing: The file lists no tie-breaks (records 202, 212); give them with --tie-breaks.\n",
    )
    assert check(text, "--tie-breaks", LIST)[0] == 0


@pytest.mark.parametrize(
    "records, sentence",
    [
        ("BH,XYZ", "line 1, column 5: There is no tie-break 'XYZ'; known:"),
        ("DE,BH,DE", "line 1, column 5: DE stands twice in the list, at places 1 and 3"),
    ],
)
def test_an_impossible_list_is_refused_with_its_line(
    check: Check, records: str, sentence: str
) -> None:
    code, lines, error = check(trf(SIX, records=(TextRecord("202", records),)))
    assert (code, lines) == (3, ["checked: tournaments=0 players=0 differences=0"])
    assert sentence in error


def test_c07_10_missing_ratings_are_reported(check: Check) -> None:
    text = trf(SIX, records=(TextRecord("202", f"ARO,{LIST}"),)).replace("2150", "    ")
    assert check(text)[1][0] == "ARO is left out of the list: no rating of player 2 (C.07 10)"


def test_a_file_without_ranks_or_results_cannot_be_checked(check: Check) -> None:
    none = trf(SIX, ranks=dict.fromkeys(SIX))
    assert "This file contains no ranks" in check(none)[2]
    one = check(trf(SIX, ranks={1: None}))
    assert one[1][0].startswith("player 1: rank none in the file; worked out again 1 (points 3,")


@pytest.mark.parametrize(
    "options",
    [
        ["--standings", "--round", "1"],
        ["--standings", "--system", "dutch_2026"],
        ["--tie-breaks", "BH"],
    ],
)
def test_unrelated_options_are_refused(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "event.trf").write_text(trf(SIX))
    assert main(["check", *options, str(tmp_path / "event.trf")]) == 3
    assert "--standings" in capsys.readouterr().err


@pytest.mark.parametrize("path", shared_params("corpus/2026/m000*.trf"))
def test_points_and_ranks_of_the_corpus_match_the_computed_ones(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The ranks of these files are by points and pairing number."""
    assert main(["check", "--standings", "--tie-breaks", "TPN", str(path)]) == 0
    assert capsys.readouterr().out.endswith(" differences=0\n")
