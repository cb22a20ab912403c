"""Moving players in a draft, and the checks beside the boards [C.04.3/2026 1.9.3]."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from pairing.engine.model import TPN, Colour, Player, Points, Result, RoundRecord, TournamentState
from pairing.rules.board_checks import FloatOf, board_checks
from pairing.rules.published import Arrangement
from pairing.rules.swapping import (
    GiveBye,
    Move,
    Seat,
    Swap,
    SwapColours,
    TakeOut,
    left_over,
    moved,
    settled,
)
from pairing.rules.verdict import Refused
from tests.engine.compact_matches import match_position

DRAFT = Arrangement(
    {1: (TPN(1), TPN(5)), 2: (TPN(6), TPN(2)), 3: (TPN(3), TPN(7))},
    {TPN(4): "U", TPN(8): "H", TPN(9): "Z"},
)


def after(*moves: Move) -> Arrangement:
    found = moved(DRAFT, moves)
    assert isinstance(found, Arrangement), found
    return found


def refusal(*moves: Move) -> str:
    found = moved(DRAFT, moves)
    assert isinstance(found, Refused)
    return found.code


def test_two_players_change_places_and_take_the_colours_of_the_places() -> None:
    assert after(Swap(TPN(1), TPN(2))).boards == {1: (2, 5), 2: (6, 1), 3: (3, 7)}
    assert after(Swap(TPN(1), TPN(5))).boards[1] == (5, 1) == after(SwapColours(1)).boards[1]
    only = Arrangement({1: (TPN(1), TPN(2))})
    assert moved(only, [Swap(TPN(1), TPN(2))]) == Arrangement({1: (TPN(2), TPN(1))})


def test_a_player_changes_places_with_the_bye() -> None:
    swapped = after(Swap(TPN(3), TPN(4)))
    assert (swapped.boards[3], swapped.byes) == ((4, 7), {3: "U", 8: "H", 9: "Z"})


def test_a_player_without_a_game_takes_a_place_and_the_other_is_left_over() -> None:
    swapped = after(Swap(TPN(3), TPN(8)))
    assert (swapped.boards[3], left_over(swapped)) == ((8, 7), (3,))
    assert settled(swapped).byes == {3: "Z", 4: "U", 9: "Z"}


def test_a_requested_bye_comes_back_to_the_player_who_asked_for_it() -> None:
    assert after(Swap(TPN(3), TPN(8)), Swap(TPN(8), TPN(3))) == DRAFT
    assert after(Swap(TPN(3), TPN(8)), TakeOut(TPN(8))).byes == {
        3: "",
        7: "",
        8: "H",
        4: "U",
        9: "Z",
    }
    assert after(Swap(TPN(4), TPN(8))).byes == {4: "", 8: "U", 9: "Z"}


def test_a_player_taken_out_leaves_the_opponent_over_and_the_board_can_be_filled_again() -> None:
    out = after(TakeOut(TPN(2)))
    assert (left_over(out), sorted(out.boards)) == ((2, 6), [1, 3])
    assert after(TakeOut(TPN(2)), Seat(TPN(2), TPN(6))).boards[2] == (2, 6)
    assert after(Seat(TPN(9), TPN(8))).boards[4] == (9, 8)


def test_the_first_board_that_is_free_is_filled() -> None:
    assert after(TakeOut(TPN(1)), Seat(TPN(9), TPN(8))).boards[1] == (9, 8)
    nobody = Arrangement({}, {TPN(1): "Z", TPN(2): "H"})
    assert moved(nobody, [Seat(TPN(2), TPN(1))]) == Arrangement({1: (TPN(2), TPN(1))})


def test_c04_1_3_the_bye_is_given_once() -> None:
    assert moved(DRAFT, [GiveBye(TPN(1))]) == Refused("change.two_allocated_byes", "C.04.1 3")
    given_away = after(TakeOut(TPN(4)), GiveBye(TPN(5)))
    assert given_away.byes == {1: "", 4: "", 5: "U", 8: "H", 9: "Z"}


def test_a_move_that_does_not_fit_the_draft_is_refused() -> None:
    for move in (
        Swap(TPN(1), TPN(77)),
        Swap(TPN(77), TPN(1)),
        Swap(TPN(1), TPN(1)),
        SwapColours(9),
        TakeOut(TPN(9)),
        GiveBye(TPN(77)),
    ):
        assert refusal(TakeOut(TPN(4)), move) == "swap.does_not_fit"
    assert refusal(Seat(TPN(1), TPN(8))) == "swap.does_not_fit"
    assert refusal(Seat(TPN(8), TPN(4))) == "swap.does_not_fit"


MOVES = st.one_of(
    st.builds(Swap, st.integers(1, 9), st.integers(1, 9)),
    st.builds(Seat, st.integers(1, 9), st.integers(1, 9)),
    st.builds(TakeOut, st.integers(1, 9)),
    st.builds(GiveBye, st.integers(1, 9)),
    st.builds(SwapColours, st.integers(1, 4)),
)


@pytest.mark.costly
@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(MOVES, max_size=12))
def test_every_player_keeps_exactly_one_place_and_there_is_at_most_one_bye(
    moves: list[Move],
) -> None:
    now = DRAFT
    done: list[Move] = []
    for move in moves:
        found = moved(DRAFT, [*done, move])
        if isinstance(found, Refused):
            continue
        done.append(move)
        now = found
        assert sorted(now.everybody) == sorted(DRAFT.everybody)
        assert [*now.byes.values()].count("U") <= 1
        assert all(white != black for white, black in now.boards.values())
    assert all(letter in "UHFZ" and letter for letter in settled(now).byes.values())


def played(*rounds: tuple[int, str, str]) -> tuple[RoundRecord, ...]:
    return tuple(
        RoundRecord(TPN(other), Colour(colour), Result(letter)) for other, colour, letter in rounds
    )


STATE = TournamentState(
    3,
    5,
    (
        Player(TPN(1), played((3, "w", "1"), (2, "w", "1"))),
        Player(TPN(2), played((4, "b", "1"), (1, "b", "0"))),
        Player(TPN(3), played((1, "b", "0"), (4, "w", "="))),
        Player(TPN(4), played((2, "w", "0"), (3, "b", "="))),
    ),
    prohibited=frozenset({frozenset({TPN(1), TPN(4)})}),
)


def test_c04_1_each_board_has_its_broken_rules_colours_and_float() -> None:
    arranged = Arrangement({1: (TPN(1), TPN(4)), 2: (TPN(2), TPN(3))})
    checks = board_checks(STATE, arranged, [1, 2, 7], engine=[(TPN(2), TPN(3))])
    assert {*checks} == {1, 2}
    codes = [caution.code for caution in checks[1].cautions]
    assert codes == ["prohibited", "both_colours", "third_colour", "colour_difference"]
    assert checks[1].refused == ()  # the caution has said it
    assert checks[1].is_engines is False
    assert checks[1].float_of is not None
    assert (checks[1].float_of.down, checks[1].float_of.up, checks[1].float_of.difference) == (
        1,
        4,
        15,
    )
    assert (checks[2].cautions, checks[2].is_engines) == ((), True)
    assert checks[2].float_of is not None
    assert checks[2].float_of.again == ()
    met = board_checks(STATE, Arrangement({1: (TPN(2), TPN(1)), 2: (TPN(3), TPN(4))}), [1])
    assert [caution.code for caution in met[1].cautions] == ["met_before"]


def test_c04_3_1_4_2_a_float_of_the_last_round_is_named_again() -> None:
    players = (
        Player(TPN(1), played((3, "w", "1"), (2, "b", "="))),
        Player(TPN(2), played((4, "b", "0"), (1, "w", "="))),
        Player(TPN(3), played((1, "b", "0"), (4, "w", "="))),
        Player(TPN(4), played((2, "w", "1"), (3, "b", "="))),
    )
    checks = board_checks(
        TournamentState(3, 5, players), Arrangement({1: (TPN(3), TPN(1)), 2: (TPN(4), TPN(2))}), [1]
    )
    assert checks[1].float_of is not None
    assert checks[1].float_of.again == (1, 3)


def test_c04_3_1_4_2_floats_need_a_game_between_different_scores() -> None:
    """In round 2 nobody had points; 3 and 4 then won by forfeit, which is not a float here."""
    players = (
        Player(TPN(1), played((2, "w", "="))),
        Player(TPN(2), played((1, "b", "="))),
        Player(TPN(3), played((4, "w", "+"))),
        Player(TPN(4), played((3, "b", "-"))),
    )
    arranged = Arrangement({1: (TPN(3), TPN(1)), 2: (TPN(4), TPN(2))})
    second = board_checks(TournamentState(2, 5, players), arranged, [1, 2])
    assert [check.float_of for check in second.values()] == [
        FloatOf(TPN(3), TPN(1), 5),
        FloatOf(TPN(2), TPN(4), 5),
    ]
    first = board_checks(
        TournamentState(1, 5, tuple(Player(TPN(tpn)) for tpn in range(1, 5))), arranged, [1, 2]
    )
    assert [check.float_of for check in first.values()] == [None, None]
    assert all(check.is_fine for check in first.values())


def test_c04_5_1_5_floats_of_matches_have_no_direction_and_are_not_named_again() -> None:
    """In round 2 player 1 met a lower score, as now in round 3:
    to the text both players are floaters alike.
    """
    lines = {1: "3w11 2b10", 2: "4w01 1w01", 3: "1b00 4w==", 4: "2b10 3b=="}
    checks = board_checks(match_position(lines), Arrangement({1: (TPN(1), TPN(4))}), [1])
    assert checks[1].float_of == FloatOf(TPN(1), TPN(4), 10)


def test_c04_1_a_bye_that_breaks_a_rule_and_a_colour_that_is_not_granted() -> None:
    bye = RoundRecord(None, None, Result("U"))
    players = (
        Player(TPN(1), (*played((2, "w", "1")), bye)),
        Player(TPN(2), played((1, "b", "0"), (3, "w", "0"))),
        Player(TPN(3), (bye, *played((2, "b", "1")))),
    )
    state = TournamentState(3, 5, players)
    checks = board_checks(state, Arrangement({1: (TPN(1), TPN(2))}, {TPN(3): "U"}), [1])
    # The caution about their first game says nothing about colours.
    assert [caution.code for caution in checks[1].cautions] == ["met_before"]
    assert checks[1].refused == ((1, Colour.BLACK),)
    assert (checks[None].board, checks[None].players) == (None, (3,))
    assert [caution.code for caution in checks[None].cautions] == ["second_bye"]
    assert not any(check.is_fine for check in checks.values())
    colours = board_checks(state, Arrangement({1: (TPN(3), TPN(1))}, {TPN(2): "Z"}), [1])
    assert (colours[1].cautions, colours[1].refused, colours[1].is_fine) == ((), (), True)
    colours = board_checks(state, Arrangement({1: (TPN(1), TPN(3))}, {TPN(2): "Z"}), [1])
    assert [caution.code for caution in colours[1].cautions] == ["both_colours"]
    assert (colours[1].refused, colours[1].is_fine) == ((), False)


def test_c04_3_1_4_2_floats_count_virtual_points_and_played_games_only() -> None:
    ahead = (Points(10), Points(0))
    players = (
        Player(TPN(1), played((3, "w", "=")), virtual_points=ahead),
        Player(TPN(2), played((4, "b", "+")), virtual_points=ahead),
        Player(TPN(3), played((1, "b", "="))),
        Player(TPN(4), played((2, "w", "-"))),
    )
    arranged = Arrangement({1: (TPN(2), TPN(1)), 2: (TPN(3), TPN(4))})
    checks = board_checks(TournamentState(2, 5, players), arranged, [1, 2])
    # 1 floated down to 3 in a game; 2 won against 4 without one.
    assert [check.float_of for check in checks.values()] == [
        FloatOf(TPN(2), TPN(1), 5),
        FloatOf(TPN(3), TPN(4), 5),
    ]
    turned = Arrangement({1: (TPN(1), TPN(4)), 2: (TPN(2), TPN(3))})
    floats = [
        check.float_of
        for check in board_checks(TournamentState(2, 5, players), turned, [1, 2]).values()
    ]
    assert [float_ and float_.again for float_ in floats] == [(1,), (3,)]
    assert [check.is_fine for check in checks.values()] == [False, False]


def test_c04_3_1_4_2_virtual_points_of_round_1_are_no_float_of_the_round_before() -> None:
    ahead = tuple(
        Player(TPN(tpn), (), virtual_points=(Points(10),) if tpn == 1 else ()) for tpn in (1, 2)
    )
    first = board_checks(TournamentState(1, 5, ahead), Arrangement({1: (TPN(1), TPN(2))}), [1])
    assert first[1].float_of == FloatOf(TPN(1), TPN(2), 10)


def test_c04_1_a_colour_that_is_not_granted_is_a_remark() -> None:
    players = (
        Player(TPN(1), played((2, "w", "="))),
        Player(TPN(2), played((1, "b", "="))),
        Player(TPN(3), (RoundRecord(None, None, Result("H")),)),
    )
    state = TournamentState(2, 5, players)
    checks = board_checks(state, Arrangement({1: (TPN(1), TPN(3))}, {TPN(2): "U"}), [1])
    assert (checks[1].cautions, checks[1].refused, checks[1].float_of) == (
        (),
        ((1, Colour.BLACK),),
        None,
    )
    assert not checks[1].is_fine
