"""The checker for the Dutch System before July 2017: each of its rules, broken by hand."""

from dataclasses import replace

import pytest

from pairing.engine.checker import check
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import TPN, Colour, Pairing, Player, Result, RoundRecord, TournamentState
from pairing.engine.systems import pair

from .test_dutch_pre2017_literal import positions

GAME = {"w": Colour.WHITE, "b": Colour.BLACK}


def player(tpn: int, *rounds: str) -> Player:
    """Read ``"2w1"``: against 2, White, won; ``"U"``: a bye."""
    records = []
    for text in rounds:
        if len(text) == 1:
            records.append(RoundRecord(None, None, Result(text)))
        else:
            records.append(RoundRecord(TPN(int(text[:-2])), GAME[text[-2]], Result(text[-1])))
    return Player(TPN(tpn), tuple(records))


def state(*players: Player, total_rounds: int = 9) -> TournamentState:
    return TournamentState(
        len(players[0].rounds) + 1, total_rounds, players, system="dutch_pre2017"
    )


def pairing(*pairs: tuple[int, int], bye: int | None = None) -> Pairing:
    return Pairing(
        tuple((TPN(white), TPN(black)) for white, black in pairs), None if bye is None else TPN(bye)
    )


def checked(before: TournamentState, wrong: Pairing) -> list[tuple[str, str]]:
    return [(finding.code, finding.article) for finding in check(before, wrong)]


def test_c04_3_pre2017_f5_and_a5_everybody_has_one_place() -> None:
    three = state(player(1), player(2), player(3))
    assert checked(three, pairing((1, 2))) == [
        ("check.player_missing", "C.04.3/pre2017 F5"),
        ("check.bye_missing", "C.04.3/pre2017 A5"),
    ]
    assert checked(three, pairing((1, 2), bye=3)) == []


def test_c04_3_pre2017_b1_a_no_second_meeting() -> None:
    met = state(player(1, "2w1"), player(2, "1b0"))
    assert checked(met, pairing((2, 1))) == [("check.c1_rematch", "C.04.3/pre2017 B1.a")]


@pytest.mark.parametrize("unplayed", ["U", "F", "H", "2w+"])
def test_c04_3_pre2017_b1_b_no_bye_after_half_a_point_without_play(unplayed: str) -> None:
    before = state(
        player(1, unplayed), player(2, "1b-" if unplayed == "2w+" else "Z"), player(3, "Z")
    )
    findings = checked(before, pairing((3, 2), bye=1))
    assert findings == [("check.b1_b_bye_barred", "C.04.3/pre2017 B1.b")]


@pytest.mark.parametrize("unplayed", ["Z", "2w-"])
def test_c04_3_pre2017_b1_b_a_bye_after_a_round_without_points(unplayed: str) -> None:
    before = state(
        player(1, unplayed), player(2, "1b+" if unplayed == "2w-" else "Z"), player(3, "Z")
    )
    assert checked(before, pairing((3, 2), bye=1)) == []


def test_c04_3_pre2017_b2_two_absolute_preferences_except_topscorers() -> None:
    rounds = [
        player(1, "3w1", "4w1"),
        player(2, "4w1", "3w1"),
        player(3, "1b0", "2b0"),
        player(4, "2b0", "1b0"),
    ]
    early = state(*rounds)
    assert (
        checked(early, pairing((2, 1), (3, 4))) == [("check.c3_colours", "C.04.3/pre2017 B2")] * 2
    )
    last = replace(early, total_rounds=3)
    assert checked(last, pairing((2, 1), (3, 4))) == [("check.c3_colours", "C.04.3/pre2017 B2")]


@pytest.mark.costly
def test_c04_3_pre2017_e_every_reversed_board_is_found() -> None:
    rules = set()
    for before in positions(0, players=(4, 12)):
        try:
            right = pair(before)
        except NoLegalPairingError:
            continue
        for board, (white, black) in enumerate(right.pairs):
            wrong = replace(
                right, pairs=(*right.pairs[:board], (black, white), *right.pairs[board + 1 :])
            )
            ((code, rule),) = checked(before, wrong)
            assert code == "check.colours"
            rules.add(rule.removeprefix("C.04.3/pre2017 "))
    assert rules == {"E1", "E2", "E3", "E4", "E5"}


def test_c04_3_pre2017_e2_two_absolute_preferences_are_equally_strong() -> None:
    """Two topscorers due Black: 1 after black, white, white, 2 after two Whites.

    No difference to alternate: E4.
    """
    before = state(
        player(1, "3b1", "4w1", "5w1"),
        player(2, "Z", "3w1", "4w1"),
        player(3, "1w0", "2b0", "6b0"),
        player(4, "5w=", "1b0", "2b0"),
        player(5, "4b=", "6w0", "1b0"),
        player(6, "Z", "5b1", "3w1"),
        total_rounds=4,
    )
    paired = pair(before)
    assert paired.pairs[0] == (2, 1)
    assert checked(before, paired) == []
    reversed_first = replace(paired, pairs=((TPN(1), TPN(2)), *paired.pairs[1:]))
    assert checked(before, reversed_first) == [("check.colours", "C.04.3/pre2017 E4")]


def test_c04_3_pre2017_f1_boards_in_the_wrong_order_are_found() -> None:
    before = state(player(1), player(2), player(3), player(4))
    right = pair(before)
    wrong = replace(right, pairs=right.pairs[::-1])
    assert checked(before, wrong) == [("check.board_order", "C.04.3/pre2017 F1")]
