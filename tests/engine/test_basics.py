"""The data of a player from the rounds: points, meetings, the bye, colours, floats,
numbers, board order.
"""

from __future__ import annotations

import pytest

from pairing.engine.basics.board_order import publication_order
from pairing.engine.basics.colours import Strength, colour_record
from pairing.engine.basics.history import (
    History,
    bars_from_pab,
    histories,
    participation_numbers,
    read_history,
    score_after,
)
from pairing.engine.dutch.edition_2026.records import RULES_2026
from pairing.engine.dutch.field import Field, FloatSets
from pairing.engine.dutch.floats import Float
from pairing.engine.model import (
    TPN,
    Colour,
    Player,
    Points,
    PointSystem,
    Result,
    RoundRecord,
    TournamentState,
)

STANDARD = PointSystem()


def rounds(text: str) -> tuple[RoundRecord, ...]:
    """Read ``"2w1 3b= U 4w+"``: opponent, colour and result, or the letter of a bye."""
    records = []
    for word in text.split():
        if len(word) == 1:
            records.append(RoundRecord(None, None, Result(word)))
        else:
            records.append(RoundRecord(TPN(int(word[:-2])), Colour(word[-2]), Result(word[-1])))
    return tuple(records)


def player(text: str, tpn: int = 1, virtual: tuple[int, ...] = ()) -> Player:
    return Player(TPN(tpn), rounds(text), tuple(Points(points) for points in virtual))


def history(text: str, points: PointSystem = STANDARD) -> History:
    return read_history(player(text), points.table(), bars_from_pab(points))


def test_points_are_counted_in_tenths_and_adjourned_games_as_draws_c04_2_3_1() -> None:
    read = history("2w1 3b= 4w0 5b? H U")
    assert (read.score, read.score_before_last, read.score_before_two) == (35, 25, 20)
    assert score_after(player("2w1 3b= 4w0 5b? H U"), 6, STANDARD) == 35


def test_virtual_points_count_for_the_round_to_pair_only() -> None:
    state = TournamentState(
        round_number=3,
        total_rounds=5,
        players=(player("2w1 3b=", 1, virtual=(10, 10, 5)), player("1b0 Z", 2), player("Z 1w=", 3)),
    )
    field = Field.from_state(state, RULES_2026)
    assert dict(zip(field.tpns, field.scores, strict=True)) == {1: 20, 2: 0, 3: 5}


def test_c04_2_3_5_forfeited_games_are_not_meetings() -> None:
    assert history("2w+ 3b- 4wL 5b? 6w1").met == [4, 5, 6]
    assert history("2w+ 3b- 4wL H Z U F").unplayed == 6


@pytest.mark.parametrize(
    "rounds_played, system, may",
    [
        ("2w1", STANDARD, True),
        ("U", STANDARD, False),
        ("F", STANDARD, False),
        ("2w+", STANDARD, False),
        ("2w-", STANDARD, True),
        ("H H", STANDARD, True),
        ("Z", STANDARD, True),
        ("2wW", STANDARD, True),
        ("U", PointSystem.from_values(pairing_allocated_bye=5), False),
        ("H", PointSystem.from_values(win=10, draw=5, absence=10), True),
        ("Z", PointSystem.from_values(win=10, draw=5, absence=10), False),
    ],
)
def test_c04_1_4_players_who_may_receive_the_pab(
    rounds_played: str, system: PointSystem, *, may: bool
) -> None:
    assert history(rounds_played, system).may_receive_pab is may


@pytest.mark.parametrize(
    "rounds_played, difference, preference, strength",
    [
        ("", 0, None, Strength.NONE),
        ("U H 2w+", 0, None, Strength.NONE),
        ("2w1", 1, Colour.BLACK, Strength.STRONG),
        ("2w1 3b1", 0, Colour.WHITE, Strength.MILD),
        ("2w1 3b1 4b1", -1, Colour.WHITE, Strength.ABSOLUTE),
        ("2w1 3w1 4b1", 1, Colour.BLACK, Strength.STRONG),
        ("2b1 3b1 4w1 5w1", 0, Colour.BLACK, Strength.ABSOLUTE),
        ("2w1 3w1 4w1 5b1 6b1", 1, Colour.WHITE, Strength.ABSOLUTE),
        ("2w1 3w1 4w1 5b1", 2, Colour.BLACK, Strength.ABSOLUTE),
        ("2w1 3w1 4w1 5w1 6b1 7b1", 2, Colour.BLACK, Strength.ABSOLUTE),
    ],
)
def test_c04_3_1_7_colour_preferences(
    rounds_played: str, difference: int, preference: Colour | None, strength: Strength
) -> None:
    record = colour_record(history(rounds_played).colours)
    assert (record.difference, record.preference, record.strength) == (
        difference,
        preference,
        strength,
    )


def test_c04_2_3_4_unplayed_rounds_leave_no_gap_in_the_colours() -> None:
    """BWWuBuW counts as uuBWWBW."""
    assert history("2b1 3w1 4w1 U 5b1 6w- 7w1").colours == "bwwbw"


def float_after(text: str, own: int, theirs: int, points: PointSystem = STANDARD) -> Float:
    """Return the float of player 1 after round 2; *text* is that round,
    the scores before it are virtual points.
    """
    letters = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+"}
    other = f"1b{letters[text[-1]]}" if text[0] == "2" else "Z"
    state = TournamentState(
        round_number=3,
        total_rounds=9,
        players=(
            player(f"Z {text}", 1, virtual=(0, own)),
            player(f"Z {other}", 2, virtual=(0, theirs)),
        ),
        points=points,
    )
    field = Field.from_state(state, RULES_2026)
    return field.last_floats.of(field.tpns.index(TPN(1)))


@pytest.mark.parametrize(
    "record, own, theirs, expected",
    [
        ("2w1", 10, 5, Float.DOWN),
        ("2w0", 5, 10, Float.UP),
        ("2w=", 5, 5, Float.NONE),
        ("U", 0, 0, Float.DOWN),
        ("F", 0, 0, Float.DOWN),
        ("H", 0, 0, Float.DOWN),
        ("Z", 0, 0, Float.NONE),
        ("2w+", 10, 10, Float.DOWN),
        ("2w+", 5, 10, Float.DOWN),
        ("2w-", 10, 5, Float.NONE),
        ("2w-", 5, 10, Float.NONE),
    ],
)
def test_c04_3_1_4_floats(record: str, own: int, theirs: int, expected: Float) -> None:
    assert float_after(record, own, theirs) is expected


def test_c04_3_1_4_3_a_pab_worth_only_a_loss_is_also_a_downfloat() -> None:
    assert float_after("U", 0, 0, PointSystem.from_values(pairing_allocated_bye=0)) is Float.DOWN


def test_c04_3_1_4_3_an_absence_worth_more_than_a_loss_is_a_downfloat() -> None:
    assert float_after("Z", 0, 0, PointSystem.from_values(win=30, draw=20, loss=10)) is Float.NONE
    assert float_after("Z", 0, 0, PointSystem.from_values(absence=5)) is Float.DOWN


def test_c04_3_1_4_floats_of_two_rounds_ago_use_the_scores_of_that_round() -> None:
    state = TournamentState(
        round_number=3,
        total_rounds=9,
        players=(player("H 2w0", 1), player("Z 1b1", 2), player("4w1 U", 3), player("3b0 Z", 4)),
    )
    field = Field.from_state(state, RULES_2026)
    assert field.tpns == [3, 2, 1, 4]
    assert field.last_floats == FloatSets(down=0b0101, up=0b0010)
    assert field.floats_before_last == FloatSets(down=0b0100)


def test_r1_numbers_count_players_who_have_taken_part() -> None:
    """A forfeited game and a PAB count as taking part, a requested bye does not (C.04.3 5.2.5)."""
    state = TournamentState(
        round_number=2,
        total_rounds=5,
        players=(
            player("H", tpn=1),
            player("3w+", tpn=2),
            player("2b-", tpn=3),
            player("U", tpn=4),
            player("Z", tpn=5),
            player("Z", tpn=6),
        ),
        absent=frozenset({TPN(1), TPN(2), TPN(5)}),
    )
    paired_now = frozenset({TPN(3), TPN(4), TPN(6)})
    assert participation_numbers(histories(state), paired_now) == {2: 1, 3: 2, 4: 3, 6: 4}


def test_c04_2_3_6_boards_are_sorted_by_score_sum_and_tpn() -> None:
    scores = {
        TPN(tpn): Points(points)
        for tpn, points in {1: 10, 2: 20, 3: 20, 4: 15, 5: 20, 6: 10, 7: 20, 8: 5}.items()
    }
    pairs = [(TPN(8), TPN(1)), (TPN(4), TPN(3)), (TPN(6), TPN(2)), (TPN(5), TPN(7))]
    assert publication_order(pairs, scores) == ((5, 7), (4, 3), (6, 2), (8, 1))
