"""Points added or removed by decision (record 299) in the standings: reading T10 of docs/rules."""

from __future__ import annotations

from pairing.engine.changes import PointChanges
from pairing.engine.model import TPN
from pairing.standings.crosstable import crosstable
from pairing.standings.editions import EDITIONS, PRESENT
from pairing.standings.ranking import Rules, standings

from .fields import STANDARD, field

FOUR = {1: "+W2 +B3", 2: "-B1 +W4", 3: "+B4 -W1", 4: "-W3 -B2"}
"""1 has two points, 2 and 3 one, 4 none."""


def table(
    changes: dict[int, PointChanges], codes: str = "BH,SB,PS,WIN,DE"
) -> dict[int, tuple[int, int, list[int | None]]]:
    """Return by number: the rank, the points, and the values of *codes*."""
    given = {TPN(tpn): change for tpn, change in changes.items()}
    answer = standings(field(FOUR), STANDARD, Rules.from_codes(codes), changes=given)
    return {
        line.tpn: (line.rank, line.points, [value.amount for value in line.values])
        for line in answer.lines
    }


def test_a_penalty_is_part_of_the_score_from_its_round_on() -> None:
    plain, changed = table({}), table({1: PointChanges((0, 0), (-15, 0))})
    assert changed[1][:2] == (3, 5)
    bh, sb, ps, win, _ = zip(plain[1][2], changed[1][2], strict=True)
    assert (sb, win) == ((plain[1][2][1],) * 2, (2, 2))  # They did not come from a game.
    assert bh[0] == bh[1]  # The values of its own opponents do not change.
    assert ps == (30, 0)  # 10 - 15, then 20 - 15
    for opponent in (2, 3):
        assert (
            changed[opponent][2][0] == (plain[opponent][2][0] or 0) - 15
        )  # Buchholz: 1 is worth 0.5 now


def test_a_result_worth_other_points_gives_these_points_in_its_round() -> None:
    changed = table({2: PointChanges((0, -5), (0, 0))})  # The win against 4 is worth half a point.
    assert changed[2][:2] == (3, 5)
    assert changed[2][2][1:4] == [0, 5, 0]  # SB, PS, WIN: not as many points as a win.
    assert changed[1][2][1] == 10 * 5 + 10 * 10


def test_round_999_counts_for_the_place_and_in_no_tie_break() -> None:
    plain, changed = table({}), table({4: PointChanges((0, 0), (0, 0), places_only=30)})
    assert (changed[4][:2], changed[1][0]) == ((1, 30), 2)
    for tpn in FOUR:
        assert changed[tpn][2][:4] == plain[tpn][2][:4]


def test_c07_8_3_a_fore_tie_break_keeps_the_bonus_and_draws_the_game() -> None:
    given = {TPN(1): PointChanges((0, 20), (5, 0), places_only=1)}
    rows = crosstable(
        field(FOUR), STANDARD, EDITIONS[PRESENT], changes=given
    ).with_last_round_drawn.rows
    assert (rows[TPN(1)].score, rows[TPN(1)].places_only) == (10 + 5 + 5, 1)
