"""Converting a report to the state of the round to pair."""

from __future__ import annotations

from pathlib import Path

import pytest

from pairing.engine.model import (
    ABSENT,
    TPN,
    Colour,
    Pairing,
    Player,
    Points,
    PointSystem,
    Result,
    RoundRecord,
    TournamentState,
)
from pairing.engine.systems import SYSTEMS
from pairing.recheck import round_difference
from pairing.trf.acceleration import virtual_points
from pairing.trf.convert import (
    initial_colour,
    points_total,
    round_of,
    state_before_round,
    system_of,
    total_rounds,
)
from pairing.trf.errors import TrfError
from pairing.trf.fields import SYSTEM_CODES
from pairing.trf.reader import read
from tests.plugins.shared import shared_params
from tests.trf.reports import FOUR, player, report

GAME = (player(1, "", "   2 w 1"), player(2, "", "   1 b 0"))


def state(text: str, round_number: int) -> TournamentState:
    return state_before_round(read(text), round_number)


def refusal(text: str, round_number: int = 1) -> tuple[str, int, int]:
    with pytest.raises(TrfError) as caught:
        state(text, round_number)
    return caught.value.code, caught.value.line, caught.value.column


def absent(text: str, round_number: int) -> frozenset[int]:
    return frozenset(state(text, round_number).absent)


def test_the_state_before_a_round_holds_the_rounds_before_it_and_nothing_else() -> None:
    def game(opponent: int, colour: Colour, result: Result) -> tuple[RoundRecord]:
        return (RoundRecord(TPN(opponent), colour, result),)

    assert state(FOUR, 2) == TournamentState(
        round_number=2,
        total_rounds=3,
        players=(
            Player(TPN(1), game(3, Colour.WHITE, Result.WIN)),
            Player(TPN(2), game(4, Colour.BLACK, Result.DRAW)),
            Player(TPN(3), game(1, Colour.BLACK, Result.LOSS)),
            Player(TPN(4), game(2, Colour.WHITE, Result.DRAW)),
        ),
        initial_colour=Colour.WHITE,
    )


def test_a_blank_round_is_an_absence() -> None:
    before = state(report(*GAME, player(3, "0.0")), 2)
    assert before.players[2].rounds == (ABSENT,)


@pytest.mark.parametrize("round_number", [0, 4, -1, 10**9])
def test_only_a_round_of_the_file_or_its_next_can_be_paired(round_number: int) -> None:
    assert refusal(FOUR, round_number)[0] == "trf.round_unknown"


def test_c04_2_3_3_players_with_a_bye_or_a_blank_are_absent_in_a_paired_round() -> None:
    text = report(*GAME, player(3, "0.0"), player(4, "", "0000 - H"), player(5, "", "0000 - U"))
    assert absent(text, 1) == {3, 4}


def test_c04_2_3_3_players_with_an_entry_in_its_column_are_absent_in_the_next_round() -> None:
    text = report(*(line + "  0000 - Z" for line in GAME[:1]), GAME[1], player(3, "0.0"))
    assert absent(text, 2) == {1}


def test_c04_2_3_3_byes_of_240_and_xxz_count_in_the_round_they_are_for() -> None:
    text = report(
        *GAME, player(3, "0.0"), player(4, ""), "240 H 002 0003 0099", "240 Z 001 0001", "XXZ 4"
    )
    assert absent(text, 2) == {3, 4}
    assert absent(text, 1) == {
        3,
        4,
    }  # The column exists, and shows the players who were not paired.


def test_a_round_with_only_byes_is_over_and_nobody_was_paired() -> None:
    text = report(GAME[0] + "  0000 - Z", GAME[1] + "  0000 - H")
    assert absent(text, 2) == {1, 2}
    assert absent(text, 3) == frozenset()


def test_a_game_before_the_round_needs_its_result() -> None:
    text = report("012 Test", player(1, "", "   2 w"), player(2, "", "   1 b"))
    assert refusal(text, 2) == ("trf.result_missing", 2, 99)
    assert state(text, 1).players == (Player(TPN(1)), Player(TPN(2)))


def test_c04_2_3_1_an_adjourned_game_counts_as_a_draw_unless_162_says_otherwise() -> None:
    text = report(player(1, "", "   2 w ?"), player(2, "", "   1 b ?"))
    assert state(text, 2).points.value(state(text, 2).players[0].rounds[0].result) == 5


@pytest.mark.parametrize(
    "lines, rounds",
    [
        ((), 2),
        (("142 9",), 9),
        (("XXR 7",), 7),
        (("XXR 7", "142 9"), 9),
        (("142 9", "XXR 7"), 9),
        (("XXR 7", "XXR 8"), 7),
    ],
)
def test_the_rounds_declared(lines: tuple[str, ...], rounds: int) -> None:
    assert state(report(*lines, *GAME), 2).total_rounds == rounds
    assert total_rounds(read(report(*lines, *GAME))) == (rounds if lines else 1)


@pytest.mark.parametrize(
    "lines, colour",
    [
        (("152 B",), Colour.BLACK),
        (("XXC black1",), Colour.BLACK),
        (("XXC white1", "152 B"), Colour.BLACK),
        ((), Colour.WHITE),
    ],
)
def test_c04_3_5_1_initial_colour_is_read_or_inferred(
    lines: tuple[str, ...], colour: Colour
) -> None:
    assert initial_colour(read(report(*lines, *GAME))) is colour


def test_c04_3_5_1_initial_colour_is_white_by_default() -> None:
    assert initial_colour(read(player(1, "1.0", "0000 - F"))) is Colour.WHITE


def test_c04_3_5_2_5_the_numbers_count_among_those_who_took_part() -> None:
    """Reading R1: player 1 is absent, so player 2 is the first, and odd;
    2-4, 5-3 with White drawn.
    """
    there = {2: "   4 w 1", 4: "   2 b 0", 5: "   3 w 1", 3: "   5 b 0"}
    lines = [player(1, "", "0000 - Z"), *(player(tpn, "", there[tpn]) for tpn in sorted(there))]
    assert initial_colour(read(report(*lines))) is Colour.WHITE
    lines[0] = player(1, "", "0000 - U")  # Takes part, so player 2 is the second, and even.
    assert initial_colour(read(report(*lines))) is Colour.BLACK


def test_c04_3_5_2_5_a_forfeited_game_shows_the_initial_colour_too() -> None:
    assert (
        initial_colour(read(report(player(1, "", "   2 b +"), player(2, "", "   1 w -"))))
        is Colour.BLACK
    )


def test_c04_3_5_2_5_the_first_round_with_a_game_shows_it() -> None:
    lines = player(1, "", "0000 - H", "   2 b 1"), player(2, "", "0000 - H", "   1 w 0")
    assert initial_colour(read(report(*lines))) is Colour.BLACK


@pytest.mark.parametrize("path", shared_params("corpus/2026/*00.trf"))
def test_c04_3_5_2_5_the_initial_colour_is_inferred_as_it_was_drawn(path: Path) -> None:
    drawn = path.read_text()
    without = "".join(
        line for line in drawn.splitlines(keepends=True) if not line.startswith("152")
    )
    assert without != drawn
    assert initial_colour(read(without)) is initial_colour(read(drawn))


def test_c04_7_virtual_points_are_those_of_250_and_xxa_up_to_the_round() -> None:
    text = report(
        *GAME,
        player(3, "", "0000 - H"),
        player(4, "", "0000 - Z"),
        "XXA    1  1.0  0.5  0.5",
        "XXA    3  0.5",
        "250      02.0 001 001 0001 0001",
        "250      01.0 002 009 0002 0003",
        "250      00.5 003 009 0004 0004",
    )
    points = {player.tpn: player.virtual_points for player in state(text, 2).players}
    assert points == {1: (20, 5), 2: (0, 10), 3: (5, 10), 4: ()}


def test_prohibited_pairs_hold_in_their_rounds() -> None:
    lines = [
        *GAME,
        player(3, "", "0000 - H"),
        player(4, ""),
        "XXP 1 4 99",
        "260 002 003 0001 0002 0003",
    ]
    pairs = [{1, 4}], [{1, 4}, {1, 2}, {1, 3}, {2, 3}]
    for round_number, expected in enumerate(pairs, 1):
        assert state(report(*lines), round_number).prohibited == frozenset(map(frozenset, expected))


def test_countless_prohibited_pairs_are_refused() -> None:
    everybody = "XXP " + " ".join(map(str, range(1, 641)))
    text = report(everybody, *(player(tpn, "0.0") for tpn in range(1, 641)))
    assert refusal(text) == ("trf.too_many_prohibited", 1, 5)


@pytest.mark.parametrize(
    "lines, system",
    [
        ((), "dutch_2026"),
        (("192 FIDE_DUTCH_2026",), "dutch_2026"),
        (("192 FIDE_DUTCH_2025",), "dutch_2026"),
        (("192 FIDE_DUTCH_2017",), "dutch_2017"),
        (("192 FIDE_DUTCH",), "dutch_2026"),
        (("042 2026/02/01", "192 FIDE_DUTCH"), "dutch_2026"),
        (("042 2026/01/31", "192 FIDE_DUTCH"), "dutch_2017"),
        (("042 2017/07/01", "192 FIDE_DUTCH"), "dutch_2017"),
        (("042 2017/06/30", "192 FIDE_DUTCH"), "dutch_pre2017"),
        (("192 FIDE_DUTCH_PRE2017",), "dutch_pre2017"),
        (("192 FIDE_DUTCH_BAKU",), "dutch_2026"),
    ],
)
def test_the_system_of_record_192(lines: tuple[str, ...], system: str) -> None:
    assert system_of(read(report(*lines, *GAME))) == system


def test_every_system_here_is_known_by_its_code_in_the_format() -> None:
    assert {
        system.trf_code: system.code for system in SYSTEMS.values()
    }.items() <= SYSTEM_CODES.items()


def test_a_requested_system_overrides_record_192() -> None:
    document = read(report("192 FIDE_DUBOV", *GAME))
    assert state_before_round(document, 2, system="dutch_2026").system == "dutch_2026"


@pytest.mark.parametrize(
    "line, code",
    [
        ("192 FIDE_DUBOV", "trf.system_unknown"),
        ("192 FIDE_DUTCH_2026_BAKU", "trf.acceleration_unsaid"),
        ("XXC rank white1", "trf.rank_order"),
        ("XXS WW=1.5", "trf.points_by_colour"),
        ("299          -1.0  000    1", "trf.points_changed"),
    ],
)
def test_data_that_no_engine_can_pair_are_refused_and_kept(line: str, code: str) -> None:
    assert refusal(report("012 Test", line, *GAME), 2) == (code, 2, 5)


def test_c04_7_baku_without_record_250_has_the_values_of_the_text() -> None:
    """One of nine players has a bye in round 1.

    2·⌈8/4⌉ = 4 of the others are group A, which ends at 5.
    """
    opponents = {1: 3, 4: 5, 6: 7, 8: 9}
    lines = [player(2, "0.5", "0000 - H")]
    for one, other in opponents.items():
        lines += [player(one, "1.0", f"{other:>4} w 1"), player(other, "0.0", f"{one:>4} b 0")]
    text = report("142 5", "192 FIDE_DUTCH_2026_BAKU", *sorted(lines))
    given = {1: (10, 10, 5), 2: (10, 10, 5), 3: (10, 10, 5), 4: (10, 10, 5), 5: (10, 10, 5)}
    found = virtual_points(read(text), range(1, 10), 3)
    assert found == given
    before = report(
        "142 5",
        "192 FIDE_DUTCH_2026_BAKU",
        "240 H 001 0002",
        *(line[:89] for line in sorted(lines)),
    )
    assert (
        virtual_points(
            read(before.replace(" 1.0 ", " 0.0 ").replace(" 0.5 ", " 0.0 ")), range(1, 10), 3
        )
        == given
    )
    assert state(text, 2).players[0].virtual_points == (Points(10), Points(10))
    explicit = text.replace("142 5\n", "142 5\n250      01.0 001 001 0001 0002\n")
    assert virtual_points(read(explicit), range(1, 10), 3) == {1: (10, 0, 0), 2: (10, 0, 0)}


def test_an_accelerated_tournament_is_paired_by_its_250_records() -> None:
    text = report("192 FIDE_DUTCH_2026_BAKU", "250      01.0 001 001 0001 0001", *GAME)
    assert state(text, 2).players[0].virtual_points == (Points(10), Points(0))


def test_the_pairing_of_a_round_with_its_forfeits_and_its_bye() -> None:
    text = report(
        player(1, "", "   4 b -"),
        player(2, "", "   3 w 1"),
        player(3, "", "   2 b 0"),
        player(4, "", "   1 w +"),
        player(5, "", "0000 - U"),
        player(6, "", "0000 - H"),
    )
    assert round_of(read(text), 1) == Pairing(((TPN(2), TPN(3)), (TPN(4), TPN(1))), TPN(5))


@pytest.mark.parametrize(
    "lines, code, line, column",
    [
        ((player(1, "", "0000 - U"), player(2, "", "0000 - U")), "trf.bye_twice", 2, 99),
        ((player(1, ""),), "trf.round_unknown", 0, 0),
    ],
)
def test_a_round_that_was_not_paired_by_rule_is_refused(
    lines: tuple[str, ...], code: str, line: int, column: int
) -> None:
    with pytest.raises(TrfError) as caught:
        round_of(read(report(*lines)), 1)
    assert (caught.value.code, caught.value.line, caught.value.column) == (code, line, column)


@pytest.mark.parametrize("one, other", [("-", "-"), ("+", "-"), ("-", "+")])
@pytest.mark.parametrize("colours", ["--", "w-", "-b", "wb"])
def test_forfeits_of_older_files_may_have_no_colours(one: str, other: str, colours: str) -> None:
    lines = player(1, "", f"   2 {colours[0]} {one}"), player(2, "", f"   1 {colours[1]} {other}")
    assert round_of(read(report(*lines)), 1) == Pairing(((TPN(1), TPN(2)),), None)
    turned = player(1, "", f"   2 {colours[1]} {one}"), player(2, "", f"   1 {colours[0]} {other}")
    pair = (TPN(1), TPN(2)) if colours == "--" else (TPN(2), TPN(1))
    assert round_of(read(report(*turned)), 1) == Pairing((pair,), None)


def test_a_forfeit_without_colours_never_differs() -> None:
    """White or Black is drawn: the pair is the same, and the file does not contain the colours."""
    for drawn in "WB":
        text = report("142 3", f"152 {drawn}", player(1, "", "   2 - -"), player(2, "", "   1 - -"))
        assert round_difference(read(text), 1) is None
    other = report("142 3", "152 W", player(1, "", "   2 b -"), player(2, "", "   1 w -"))
    assert round_difference(read(other), 1) is not None


def test_the_points_column_includes_the_next_bye() -> None:
    cells = read(report(GAME[0] + "            0000 - H", GAME[1])).players[0].rounds
    assert points_total(cells, PointSystem()) == 15
