"""Checking a whole event from its file: pairings, points and ranks, with each difference."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pytest

from pairing.engine.errors import InputError
from pairing.engine.model import TPN, Player, Points, PointSystem
from pairing.recheck import (
    Board,
    NumberDifference,
    Recheck,
    RoundDifference,
    recheck,
    remarks_on,
    round_difference,
)
from pairing.standings.ranking import Rules, Standings, standings
from pairing.trf.document import PlayerRecord, TrfDocument
from pairing.trf.matches import by_rounds_played
from pairing.trf.reader import read
from tests.trf.reports import FOUR, player, report


def rank(players: Sequence[Player]) -> Standings:
    return standings(players, PointSystem(), Rules.from_codes("BH,SB"))


WRONG_ROUND_2 = report(
    "142 3",
    "152 W",
    player(1, "2.0", "   3 w 1", "   2 w 1"),
    player(2, "0.5", "   4 b =", "   1 b 0"),
    player(3, "0.5", "   1 b 0", "   4 b ="),
    player(4, "1.0", "   2 w =", "   3 w ="),
    "### Correction @ Round 1: board 2, result 01 -> ==, C.04.2 4.3.1",
    "### Correction @ Round 12: another one",
)


def with_player(document: TrfDocument, tpn: int, **fields: object) -> TrfDocument:
    """Return *document* with some fields of one 001 record replaced,
    which the reader would refuse.
    """
    return dataclasses.replace(
        document,
        records=tuple(
            dataclasses.replace(record, **fields)  # type: ignore[arg-type]
            if isinstance(record, PlayerRecord) and record.tpn == tpn
            else record
            for record in document.records
        ),
    )


def ranked(document: TrfDocument, *ranks: int) -> TrfDocument:
    """Return *document* with the ranks of players 1, 2, …"""
    for tpn, rank in enumerate(ranks, start=1):
        document = with_player(document, tpn, rank=rank)
    return document


def test_a_correct_event_has_no_differences() -> None:
    found = recheck(read(FOUR))
    assert found == Recheck(2, 4, 0, (), (), ())
    assert found.differences == 0


def test_c04_2_3_6_a_difference_names_the_board_by_the_order_of_publication() -> None:
    """The leader's board is the first in the file and in the engine's pairing;
    only the colours differ.
    """
    difference = round_difference(read(WRONG_ROUND_2), 2)
    assert difference == RoundDifference(
        2,
        in_file=(Board(1, TPN(1), TPN(2)), Board(2, TPN(4), TPN(3))),
        paired_again=(Board(1, TPN(2), TPN(1)), Board(2, TPN(3), TPN(4))),
        remarks=("Correction @ Round 1: board 2, result 01 -> ==, C.04.2 4.3.1",),
    )


def test_c04_2_4_3_remarks_are_those_on_the_round_and_on_the_one_before() -> None:
    document = read(WRONG_ROUND_2)
    assert [len(remarks_on(document, number)) for number in (1, 2, 3, 11, 12, 13, 14)] == [
        1,
        1,
        0,
        0,
        1,
        1,
        0,
    ]


def test_c04_2_2_3_numbers_that_moved_concern_every_round_paired_until_then() -> None:
    document = read("### Numbers @ Round 2: assigned again, 3 moved, C.04.2 2.2\n" + FOUR)
    assert [len(remarks_on(document, number)) for number in (1, 2, 3)] == [1, 1, 0]


def test_a_bye_given_to_another_is_a_difference_without_a_board() -> None:
    text = report(
        "142 3",
        "152 W",
        player(1, "", "   3 w 1"),
        player(2, "", "0000 - U"),
        player(3, "", "   1 b 0"),
    )
    assert round_difference(read(text), 1) == RoundDifference(
        1,
        in_file=(Board(1, TPN(1), TPN(3)), Board(None, TPN(2), None)),
        paired_again=(Board(1, TPN(1), TPN(2)), Board(None, TPN(3), None)),
    )


def test_c04_3_1_9_3_an_impossible_round_is_a_difference() -> None:
    met = report(
        "142 3",
        "152 W",
        player(1, "2.0", "   2 w 1", "   2 w 1"),
        player(2, "0.0", "   1 b 0", "   1 b 0"),
    )
    difference = round_difference(read(met), 2)
    assert difference is not None
    assert (difference.no_legal_pairing, difference.in_file, difference.paired_again) == (
        "C.04.3 1.9.3",
        (Board(1, TPN(1), TPN(2)),),
        (),
    )


def _boards_of(found: RoundDifference | None) -> tuple[tuple[Board, ...], ...]:
    assert found is not None
    return found.in_file, found.paired_again


def test_c04_5_4_3_1_a_round_is_paired_again_with_the_numbers_it_was_paired_by() -> None:
    """A player who entered after round 1 became number 2,
    so the three others had the numbers 1, 2, 3, 4 then.

    With the present numbers all of 1, 3, 4, 5 but one are odd, and round 1 would have other
    colours.
    """
    games = (
        player(1, "2.0", "   4 w 1", "   4 b 1"),
        player(2, "0.0", "0000 - Z", "0000 - Z"),
        player(3, "2.0", "   5 b 1", "   5 w 1"),
        player(4, "0.0", "   1 b 0", "   1 w 0"),
        player(5, "0.0", "   3 w 0", "   3 b 0"),
    )
    late = "### Late entry @ Round 1: TPN 2, C.04.2 2.4"
    shown = by_rounds_played(read(report("142 6", "152 W", "192 FIDE_DOUBLESWISS", *games, late)))
    assert round_difference(shown, 1) is None
    kept_apart = report(
        "142 6", "152 W", "192 FIDE_DOUBLESWISS", *games, late, "260 001 002 0001 0004"
    )
    found = round_difference(by_rounds_played(read(kept_apart)), 1)
    assert found is not None
    assert found.paired_again == (Board(1, TPN(1), TPN(5)), Board(2, TPN(4), TPN(3)))
    untold = by_rounds_played(read(report("142 6", "152 W", "192 FIDE_DOUBLESWISS", *games)))
    assert round_difference(untold, 1) is not None
    # A player who is in the round did not enter after it, whatever a comment says.
    false = late.replace("TPN 2", "TPN 5")
    wrong = by_rounds_played(read(report("142 6", "152 W", "192 FIDE_DOUBLESWISS", *games, false)))
    assert _boards_of(round_difference(wrong, 1)) == _boards_of(round_difference(untold, 1))


def test_points_that_differ_from_the_results_are_listed_by_player() -> None:
    document = with_player(with_player(read(FOUR), 3, points=Points(25)), 1, points=Points(0))
    sums = {record.tpn: record.points for record in read(FOUR).players}
    found = recheck(document)
    assert found.points_differences == (
        NumberDifference(TPN(1), 0, sums[TPN(1)] or 0),
        NumberDifference(TPN(3), 25, sums[TPN(3)] or 0),
    )
    assert found.differences == 2


@pytest.mark.parametrize("points", ["0.0", "0.5", "1.0"])
def test_c04_2_3_1_an_adjourned_game_counts_nothing_or_a_draw(points: str) -> None:
    """Some files count the draw in the column and some do not; a whole point is wrong."""
    document = read(report("142 3", "152 W", player(1, "", "   2 w ?"), player(2, "", "   1 b ?")))
    changed = with_player(document, 1, points=Points(int(points.replace(".", ""))))
    assert len(recheck(changed).points_differences) == (points == "1.0")


def test_ranks_are_compared_by_the_rules_given_and_not_without_any() -> None:
    document = ranked(read(WRONG_ROUND_2), 1, 3, 4, 2)
    right = {line.in_file: line.computed for line in recheck(document, rank=rank).rank_differences}
    assert recheck(document).ranks == 0
    assert recheck(document, rank=rank).ranks == 4
    again = ranked(document, *(right.get(rank, rank) for rank in (1, 3, 4, 2)))
    assert recheck(again, rank=rank).rank_differences == ()
    swapped = with_player(again, 1, rank=4)
    assert recheck(swapped, rank=rank).rank_differences == (NumberDifference(TPN(1), 4, 1),)


def test_data_that_no_engine_can_pair_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        recheck(
            read(
                report(
                    "142 3",
                    "192 SOMETHING_ELSE",
                    player(1, "", "   2 w 1"),
                    player(2, "", "   1 b 0"),
                )
            )
        )
    assert caught.value.code == "trf.system_unknown"
