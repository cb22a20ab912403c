"""Buchholz and Sonneborn-Berger by the text applied from 1 March 2026.

The crosstable is the individual Swiss of IA M. Held's "Exercises in Tie-Breaking" (2023). Its values are of the text
of that year; they hold for everybody without an unplayed round, and those with one are computed by hand from the
2026 text, whose dummy is capped.
"""

import pytest

from pairing.engine.model import TPN, Colour, Player, PointSystem, Result, RoundRecord
from pairing.standings.points import score
from pairing.standings.ranking import Standing, standings
from pairing.standings.tie_breaks import Unplayed, adjusted_score, kinds_of_unplayed, tie_breaks

# Number: results by round. +W7: won with White against 7; F: forfeit; H, U, Z: half-point, allocated, zero-point bye.
HELD = {
    2: "+B10 +W7 =B1 +W16 =B3",
    1: "+W9 =B13 =W2 +B15 =W4",
    3: "=W11 +B6 +W8 =B4 =W2",
    4: "+B12 H +W13 =W3 =B1",
    16: "=W8 +B11 +W7 -B2 +W15",
    6: "-B14 -W3 U +W10 +B8",
    5: "-W13 -B15 +W11 =B7 +W10",
    8: "=B16 +W14 -B3 +W13 -W6",
    11: "=B3 -W16 -B5 +F9 +W7",
    12: "-W4 U +F14 Z Z",
    14: "+W6 -B8 -F12 Z +B13",
    15: "-B7 +W5 +B10 -W1 -B16",
    7: "+W15 -B2 -B16 =W5 -B11",
    9: "-B1 -W10 H -F11 U",
    13: "+B5 =W1 -B4 -B8 -W14",
    10: "-W2 +B9 -W15 -B6 -B5",
}
LETTERS = {"+": Result.WIN, "=": Result.DRAW, "-": Result.LOSS}
FORFEITS = {"+": Result.FORFEIT_WIN, "-": Result.FORFEIT_LOSS}
STANDARD = PointSystem()


def record(text: str) -> RoundRecord:
    if len(text) == 1:
        return RoundRecord(None, None, next(result for result in Result if result.value == text))
    opponent = TPN(int(text[2:]))
    if text[1] == "F":
        return RoundRecord(opponent, Colour.WHITE, FORFEITS[text[0]])
    return RoundRecord(opponent, Colour.WHITE if text[1] == "W" else Colour.BLACK, LETTERS[text[0]])


def player(tpn: int, rounds: str) -> Player:
    return Player(TPN(tpn), tuple(record(text) for text in rounds.split()))


FIELD = [player(tpn, rounds) for tpn, rounds in HELD.items()]
VALUES = tie_breaks(FIELD, STANDARD)


def test_the_scores_of_the_crosstable():
    assert {p.tpn: score(p, STANDARD) for p in FIELD} == {
        2: 40, 1: 35, 3: 35, 4: 35, 16: 35, 6: 30, 5: 25, 8: 25, 11: 25, 12: 20, 14: 20, 15: 20, 7: 15, 9: 15, 13: 15,
        10: 10,
    }  # fmt: skip


@pytest.mark.parametrize(
    "tpn, buchholz, sonneborn_berger",
    [
        (2, 130, 950),
        (3, 155, 1050),
        (1, 125, 800),
        (16, 125, 725),
        (8, 135, 525),
        (5, 85, 425),
        (15, 120, 350),
        (7, 145, 325),
        (13, 140, 425),
        (10, 130, 150),
    ],
)
def test_c07_8_1_c07_9_1_rows_without_an_unplayed_round_are_as_published(tpn, buchholz, sonneborn_berger):
    assert (VALUES[TPN(tpn)].buchholz, VALUES[TPN(tpn)].sonneborn_berger) == (buchholz, sonneborn_berger)


@pytest.mark.parametrize(
    "tpn, buchholz, sonneborn_berger",
    [
        # HPB: the dummy has min(3½, 5 × ½) = 2½. 3 + 2½ + 1½ + 3½ + 3½; 3 + 1¼ + 1½ + 1¾ + 1¾
        (4, 140, 925),
        # PAB: min(3, 2½). 2 + 3½ + 2½ + 1 + 2½; 2½ + 1 + 2½
        (6, 115, 600),
        # HPB min(1½, 2½), forfeit loss to 11 min(1½, 2½), PAB 1½. 3½ + 1 + 1½ + 1½ + 1½; ¾ + 1½
        (9, 90, 225),
        # Forfeit win over 9: min(2½, 1½). 3½ + 3½ + 2½ + 1½ + 1½; 1¾ + 1½ + 1½
        (11, 125, 475),
        # PAB 2, forfeit win over 14 min(2, 2), two ZPB of min(2, 2½) each. 3½ + 2 + 2 + 2 + 2; 2 + 2
        (12, 115, 400),
        # Forfeit loss to 12: min(2, 3), ZPB 2. 3 + 2½ + 2 + 2 + 1½; 3 + 1½
        (14, 110, 450),
    ],
)
def test_c07_16_4_the_dummy_of_an_unplayed_round_is_capped(tpn, buchholz, sonneborn_berger):
    assert (VALUES[TPN(tpn)].buchholz, VALUES[TPN(tpn)].sonneborn_berger) == (buchholz, sonneborn_berger)


def test_c07_16_3_who_left_counts_a_draw_for_every_round_missed_to_the_end():
    scores = {p.tpn: (score(p, STANDARD), adjusted_score(p, STANDARD)) for p in FIELD}
    assert {tpn: pair for tpn, pair in scores.items() if pair[0] != pair[1]} == {12: (20, 30)}


@pytest.mark.parametrize(
    "rounds, kinds",
    [
        ("+W2 =B3", [None, None]),
        ("U F", [Unplayed.FULL_BYE, Unplayed.FULL_BYE]),
        ("+F2 -F3", [Unplayed.FORFEIT_WIN, Unplayed.FORFEIT_LOSS]),
        ("H +W2", [Unplayed.REQUESTED_BYE, None]),
        ("+W2 H", [None, Unplayed.REQUESTED_BYE_TO_THE_END]),
        ("Z -F2 Z", [Unplayed.REQUESTED_BYE_TO_THE_END, Unplayed.FORFEIT_LOSS, Unplayed.REQUESTED_BYE_TO_THE_END]),
        ("Z U Z", [Unplayed.REQUESTED_BYE, Unplayed.FULL_BYE, Unplayed.REQUESTED_BYE_TO_THE_END]),
        ("Z H +F2", [Unplayed.REQUESTED_BYE, Unplayed.REQUESTED_BYE, Unplayed.FORFEIT_WIN]),
    ],
)
def test_c07_16_2_1_the_kinds_of_unplayed_rounds(rounds, kinds):
    assert list(kinds_of_unplayed(player(1, rounds).rounds)) == kinds


def test_c04_2_3_1_an_adjourned_game_has_given_nothing_yet():
    field = [
        Player(TPN(1), (RoundRecord(TPN(2), Colour.WHITE, Result.UNKNOWN),)),
        Player(TPN(2), (RoundRecord(TPN(1), Colour.BLACK, Result.UNKNOWN),)),
    ]
    assert [(line.rank, line.points) for line in standings(field, STANDARD)] == [(1, 0), (1, 0)]


def test_a_point_system_of_its_own():
    three_points = PointSystem.of(win=30, draw=10, loss=0)
    field = [player(1, "+W2 =B3"), player(2, "-B1 U"), player(3, "Z =W1")]
    # 1: opponents 2 (3) and 3 (1). 2: 1 (4), and a dummy of min(3, 2 draws). 3: a dummy of min(1, 2), and 1 (4).
    assert standings(field, three_points) == (
        Standing(rank=1, tpn=TPN(1), points=40, buchholz=40, sonneborn_berger=30 * 30 + 10 * 10),
        Standing(rank=2, tpn=TPN(2), points=30, buchholz=60, sonneborn_berger=20 * 30),
        Standing(rank=3, tpn=TPN(3), points=10, buchholz=50, sonneborn_berger=40 * 10),
    )


def test_c07_4_2_points_then_buchholz_then_sonneborn_berger_and_the_tied_share_a_place():
    order = [(line.rank, line.tpn) for line in standings(FIELD, STANDARD)]
    assert order == [
        (1, 2), (2, 3), (3, 4), (4, 1), (5, 16), (6, 6), (7, 8), (8, 11), (9, 5), (10, 15), (11, 12), (12, 14), (13, 7),
        (14, 13), (15, 9), (16, 10),
    ]  # fmt: skip
    same = [player(1, "=W2"), player(2, "=B1"), player(3, "Z")]
    assert [(line.rank, line.tpn) for line in standings(same, STANDARD)] == [(1, 1), (1, 2), (3, 3)]


def test_before_the_first_round_everybody_is_first():
    assert [line.rank for line in standings([Player(TPN(1)), Player(TPN(2))], STANDARD)] == [1, 1]
    assert standings([], STANDARD) == ()
