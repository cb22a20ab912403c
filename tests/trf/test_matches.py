"""Reports of matches: two rounds of the report are the two
games of one match [C.04.5/2026 0, 4.4].
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from pairing.cli.main import main
from pairing.engine.event_plan import EventPlan
from pairing.engine.generator import generate
from pairing.engine.model import TPN, Colour, PointSystem, Result, RoundRecord
from pairing.engine.systems import pair
from pairing.trf.convert import initial_colour, round_of, state_before_round, total_rounds
from pairing.trf.document import RoundCell, RoundDates, TrfDocument
from pairing.trf.errors import TrfError
from pairing.trf.generated import document_of
from pairing.trf.matches import by_games, by_matches, by_rounds_played
from pairing.trf.reader import read
from pairing.trf.rounds import next_round
from pairing.trf.writer import write
from tests.findings import findings
from tests.trf.reports import player, report

DOUBLE_SWISS = "192 FIDE_DOUBLESWISS"
PLAYERS = (
    player(1, "1.5", "   3 w 1", "   3 b ="),
    player(2, "2.0", "   4 b +", "   4 w +"),
    player(3, "0.5", "   1 b 0", "   1 w ="),
    player(4, "0.0", "   2 w -", "   2 b -"),
    player(5, "1.5", "0000 - U", "0000 - U"),
)
"""One played match, one forfeited match and a bye: lines 4-8, after three others."""


def matches(*lines: str, rounds: int = 6, players: tuple[str, ...] = PLAYERS) -> str:
    return report(f"142 {rounds}", "152 W", DOUBLE_SWISS, *players, *lines)


def by_match(text: str) -> TrfDocument:
    return by_rounds_played(read(text))


def test_c04_5_0_two_rounds_of_the_report_are_one_match() -> None:
    document = by_match(matches())
    assert (next_round(document), total_rounds(document)) == (2, 3)
    state = state_before_round(document, 2)
    assert (state.round_number, state.total_rounds, state.system) == (2, 3, "double_swiss_2026")
    assert state.points == PointSystem().for_matches()
    assert {player.tpn: player.rounds for player in state.players} == {
        1: (RoundRecord(TPN(3), Colour.WHITE, Result.WIN, Result.DRAW),),
        2: (RoundRecord(TPN(4), Colour.BLACK, Result.FORFEIT_WIN, Result.FORFEIT_WIN),),
        3: (RoundRecord(TPN(1), Colour.BLACK, Result.LOSS, Result.DRAW),),
        4: (RoundRecord(TPN(2), Colour.WHITE, Result.FORFEIT_LOSS, Result.FORFEIT_LOSS),),
        5: (RoundRecord(None, None, Result.PAIRING_ALLOCATED_BYE),),
    }
    assert round_of(document, 1) == pair(state_before_round(document, 1))


def test_c04_5_1_4_the_bye_is_worth_the_points_of_162_for_the_match() -> None:
    text = matches("162  W 1.0    D 0.5    L 0.0    P 1.0")
    with pytest.raises(TrfError) as caught:
        read(text)
    assert (caught.value.code, caught.value.line) == ("trf.points_mismatch", 8)
    read(text.replace(PLAYERS[4], player(5, "1.0", "0000 - U", "0000 - U")))


def test_a_report_of_matches_without_192_is_read_by_the_system_given() -> None:
    text = matches().replace(DOUBLE_SWISS + "\n", "")
    with pytest.raises(TrfError):
        read(text)
    document = by_rounds_played(read(text, system="double_swiss_2026"), "double_swiss_2026")
    assert state_before_round(document, 2, system="double_swiss_2026") == state_before_round(
        by_match(matches()), 2
    )


def test_directives_by_games_are_converted_to_matches() -> None:
    lines = (
        "240 H 003 0001",
        "240 H 004 0001",
        "250      02.0 001 002 0001 0002",
        "250      01.0 003 004 0001 0002",
        "260 003 004 0002 0003",
        "260 001 999 0002 0005",
        "XXA    3  2.0  2.0  1.0  1.0",
    )
    state = state_before_round(by_match(matches(*lines)), 2)
    assert state.absent == {1}
    assert state.prohibited == {frozenset({2, 3}), frozenset({2, 5})}
    assert {player.tpn: player.virtual_points for player in state.players} == {
        **dict.fromkeys((1, 2, 3), (20, 10)),
        **dict.fromkeys((4, 5), ()),
    }


def test_c04_5_0_the_games_of_a_match_have_one_date_and_come_back_as_two_rounds() -> None:
    dates = (
        "132"
        + " " * 88
        + "  ".join(f"{day:<8}" for day in ("26/11/21", "26/11/21", "26/11/22", "26/11/22"))
    )
    text = matches(dates, "240 H 003 0001", "240 H 004 0001", "XXA    3  2.0  2.0  1.0  1.0")
    document = by_match(text)
    assert [record.dates for record in document.of(RoundDates)] == [("26/11/21", "26/11/22")]
    assert by_games(document).records == read(text).records
    assert by_games(by_matches(by_games(document))).records == read(text).records


def test_a_match_without_cells_stays_empty() -> None:
    """Player 3 has entered late: nothing is known of the first match, the second is played."""
    players = (
        player(1, "2.0", "   2 w =", "   2 b =", "   3 b =", "   3 w ="),
        player(2, "1.0", "   1 b =", "   1 w ="),
        player(3, "1.0", " " * 8, " " * 8, "   1 w =", "   1 b ="),
    )
    cells = by_match(matches(players=players)).players[2].rounds
    assert cells == (None, RoundCell(TPN(1), Colour.WHITE, Result.DRAW, Result.DRAW))


def test_c04_5_4_3_1_the_initial_colour_is_inferred_by_the_number_on_the_list() -> None:
    absent = player(1, "0.0", "0000 - Z", "0000 - Z")
    two = (player(2, "1.0", "   3 b =", "   3 w ="), player(3, "1.0", "   2 w =", "   2 b ="))
    text = matches(players=(absent, *two)).replace("152 W\n", "")
    assert initial_colour(by_match(text)) is Colour.WHITE


def test_a_game_without_result_is_reported_with_its_position() -> None:
    lines = (player(1, "1.0", "   2 w 1", "   2 b  "), player(2, "0.0", "   1 b 0", "   1 w  "))
    document = by_match(matches(players=lines))
    with pytest.raises(TrfError) as caught:
        state_before_round(document, 2)
    assert (caught.value.code, caught.value.line) == ("trf.result_missing", 4)
    assert state_before_round(document, 1).round_number == 1


@pytest.mark.parametrize("points", [("1.0", "0.0"), ("1.5", "0.5")])
def test_an_adjourned_game_may_be_counted_or_not(points: tuple[str, str]) -> None:
    lines = (
        player(1, points[0], "   2 w 1", "   2 b ?"),
        player(2, points[1], "   1 b 0", "   1 w ?"),
    )
    state = state_before_round(by_match(matches(players=lines)), 2)
    assert [state.points.worth(player.rounds[0]) for player in state.players] == [15, 5]


ONE, TWO = player(1, "1.0", "   2 w =", "   2 b ="), player(2, "1.0", "   1 b =", "   1 w =")


@pytest.mark.parametrize(
    "text, code, line, words",
    [
        (
            matches(players=(player(1, "0.5", "   2 w ="), player(2, "0.5", "   1 b ="))),
            "trf.odd_rounds",
            4,
            "This file has an odd number of rounds: 1",
        ),
        (matches(rounds=7), "trf.odd_rounds", 1, "The declared number of rounds is odd: 7"),
        (
            matches(
                players=(
                    player(1, "1.0", "   2 w =", "   2 w ="),
                    player(2, "1.0", "   1 b =", "   1 b ="),
                )
            ),
            "trf.match_halves",
            4,
            "Rounds 1 and 2 are the two games of one match (C.04.5 0). Player 1",
        ),
        (
            matches(
                players=(
                    player(1, "1.0", "   2 w =", "0000 - H"),
                    player(2, "0.5", "   1 b =", "0000 - Z"),
                )
            ),
            "trf.match_halves",
            4,
            "or the same bye",
        ),
        (
            matches(players=(ONE, TWO, player(3, "1.0", "0000 - H", "0000 - F"))),
            "trf.match_halves",
            6,
            "Player 3",
        ),
        (
            matches("240 H 003 0001"),
            "trf.half_match",
            9,
            "player 1 requests a bye in round 3 but not in round 4",
        ),
        (matches("240 H 003 0001", "240 Z 004 0001"), "trf.half_match", 9, "player 1"),
        (matches("250      02.0 001 003 0001 0002"), "trf.half_match", 9, "rounds 1 to 3"),
        (matches("260 002 004 0001 0002"), "trf.half_match", 9, "rounds 2 to 4"),
        (matches("XXA    3  2.0  1.0"), "trf.half_match", 9, "the points of player 3 differ"),
    ],
)
def test_c04_5_0_records_for_one_game_of_a_match_are_refused(
    text: str, code: str, line: int, words: str
) -> None:
    with pytest.raises(TrfError) as caught:
        read(text)
    assert (caught.value.code, caught.value.line) == (code, line)
    assert words in str(caught.value)


def test_a_blank_is_an_absence_from_the_match() -> None:
    third = player(3, "0.0", " " * 8, "0000 - Z")
    document = by_match(matches(players=(ONE, TWO, third)))
    assert document.players[2].rounds == (RoundCell(None, None, Result.ZERO_POINT_BYE),)


def test_a_forfeited_game_without_colours_gets_those_of_the_other() -> None:
    lines = (player(1, "2.0", "   2 - +", "   2 b 1"), player(2, "0.0", "   1 - -", "   1 w 0"))
    records = [
        player.rounds[0]
        for player in state_before_round(by_match(matches(players=lines)), 2).players
    ]
    assert [record.colour for record in records] == [Colour.WHITE, Colour.BLACK]


@pytest.mark.parametrize("seed", range(12))
def test_a_generated_report_is_the_same_by_games_and_by_matches(seed: int) -> None:
    plan = EventPlan(
        players=9 + seed,
        rounds=6,
        played=seed % 4 + 1,
        points=(PointSystem(), PointSystem.from_values(win=30, draw=10, absence=2))[
            seed % 2 and seed % 3 > 0
        ],
        forfeits=1_500,
        byes=800,
        late=1_500,
        withdrawals=1_000,
        prohibitions=2_000,
        accelerated=seed % 2 == 0,
        system="double_swiss_2026",
    )
    event = generate(plan, Random(seed))
    document = document_of(event, name="Test")
    again = read(write(document))
    assert again.records == document.records
    assert by_games(by_matches(again)).records == document.records
    assert write(by_matches(again)) == write(document)
    state = state_before_round(by_rounds_played(again), event.state.round_number)
    by_tpn = {player.tpn: player.rounds for player in event.state.players}
    assert {player.tpn: player.rounds for player in state.players} == by_tpn
    assert replace(state, players=()) == replace(event.state, players=())


# -- the command line ------------------------------------------------------------------------------


@pytest.mark.costly
def test_generated_reports_check_without_differences(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    busy = (
        "--forfeit-rate=0.1",
        "--bye-rate=0.05",
        "--late-rate=0.1",
        "--withdraw-rate=0.1",
        "--prohibited=0.1",
    )
    file = str(tmp_path / "event.trf")
    for seed in range(5):
        arguments = [
            "--system=double_swiss_2026",
            f"--seed={seed}",
            "--players=31",
            "--rounds=7",
            *busy,
            "-o",
            file,
        ]
        assert main(["generate", *arguments]) == 0
        assert main(["check", file]) == 0
        assert findings(capfd.readouterr().out) == "checked: tournaments=1 rounds=7 differences=0\n"


def test_generate_refuses_more_matches_than_a_report_has_rounds_for(
    capfd: pytest.CaptureFixture[str],
) -> None:
    arguments = ["--seed=1", "--players=4", "--rounds=50", "--system=double_swiss_2026", "-o", "-"]
    assert main(["generate", *arguments]) == 3
    assert capfd.readouterr().err == (
        "pairing: A report holds at most 9999 players and 99 rounds, one for each game of a match.\n"
    )


def test_c04_5_3_3_3_generate_prints_the_article_that_ended_a_tournament(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "event.trf")
    arguments = ["--seed=0", "--players=4", "--rounds=9", "--system=double_swiss_2026", "-o", file]
    assert main(["generate", *arguments]) == 0
    assert "has no legal pairing (C.04.5 3.3.3): the tournament ends" in capfd.readouterr().err
    assert main(["pair", file]) == 1
    assert "(C.04.5 3.3.3)" in capfd.readouterr().err


def test_c04_5_0_pair_takes_matches_and_refuses_half_of_one(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "event.trf"
    file.write_text(matches())
    assert main(["pair", str(file)]) == 0
    assert capfd.readouterr() == ("3\n2 1\n3 5\n4 0\n", "")
    file.write_text(matches().replace(DOUBLE_SWISS + "\n", ""))
    assert main(["pair", str(file), "--system", "double_swiss_2026"]) == 0
    assert capfd.readouterr() == ("3\n2 1\n3 5\n4 0\n", "")
    file.write_text(matches(rounds=7))
    assert main(["pair", str(file)]) == 3
    assert capfd.readouterr().err == (
        f"pairing: {file}: line 1, column 5: A match has two games, and each is one round of the report "
        "(C.04.5 0). The declared number of rounds is odd: 7.\n"
    )


def test_a_report_that_is_not_by_matches_is_not_paired_as_one() -> None:
    with pytest.raises(ValueError, match="1 game"):
        state_before_round(read(matches()), 2)


def test_c04_5_0_standings_of_matches_are_checked_by_games(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "event.trf"
    file.write_text(matches("202 BH"))
    assert main(["check", "--standings", str(file)]) == 2
    printed = findings(capfd.readouterr().out).splitlines()
    # The ranks in the file are the numbers; 2 won both games by forfeit.
    assert "player 2: rank 2 in the file; worked out again 1 (points 2, BH 0)" in printed[0]
    assert printed[-1] == "checked: tournaments=1 players=5 differences=5"


def test_tie_breaks_of_single_games_are_refused_for_matches(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "event.trf"
    file.write_text(matches("202 BH,WON"))
    assert main(["check", "--standings", str(file)]) == 3
    assert (
        "WON counts single games (C.07 7.2); a round here is a match of 2."
        in capfd.readouterr().err
    )
