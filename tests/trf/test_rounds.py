"""Finding the rounds of a report: the last column may contain the byes of a round to be paired."""

from __future__ import annotations

import pytest

from pairing.engine.model import TPN, Result
from pairing.trf.document import TrfDocument
from pairing.trf.reader import read
from pairing.trf.rounds import next_round, played_rounds, requested_byes
from tests.trf.reports import FOUR, player, report

GAME = (player(1, "", "   2 w 1"), player(2, "", "   1 b 0"))


def document(*columns: str, extra: str = "") -> TrfDocument:
    """Return players 3, 4, … with the given cells (comma between rounds),
    and one game 1-2 in round 1.
    """
    players = [player(tpn, "", *cells.split(",")) for tpn, cells in enumerate(columns, 3)]
    return read(report(*GAME, *players, *filter(None, [extra])))


@pytest.mark.parametrize(
    "text, following",
    [
        (report(player(1, "0.0"), player(2, "0.0")), 1),
        (report(player(1, "0.5", "0000 - H"), player(2, "0.0")), 1),
        (report(*GAME), 2),
        (report(GAME[0] + "  0000 - Z", GAME[1]), 2),
        (report(GAME[0] + "  0000 - Z", GAME[1] + "  0000 - H"), 3),
        (report(GAME[0] + "  0000 - U", GAME[1] + "  0000 - Z"), 3),
        (report(GAME[0] + "  0000 - H  0000 - H", GAME[1]), 2),
        (report(player(1, "0.0", "0000 - H", "0000 - Z"), player(2, "0.0")), 1),
        (report(GAME[0] + "  0000 - +", GAME[1]), 2),
        (report(player(1, "", "   2 w"), player(2, "", "   1 b")), 2),
        (FOUR, 3),
    ],
    ids=[
        "nothing played",
        "a bye announced for round 1",
        "one round",
        "one bye announced for round 2",
        "everybody has a bye in round 2, so it is over",
        "an allocated bye of the only player who is there",
        "byes announced for rounds 2 and 3",
        "byes announced for rounds 1 and 2",
        "a plus without an opponent is a bye asked for",
        "a round under way",
        "two rounds",
    ],
)
def test_the_next_round_follows_the_last_that_was_paired(text: str, following: int) -> None:
    assert next_round(read(text)) == following


def test_an_empty_field_has_no_played_round() -> None:
    assert played_rounds(()) == 0


def test_byes_are_announced_by_240_for_their_round_and_by_xxz_for_the_next() -> None:
    text = document("", "", "", extra="240 H 002 0003\n240 Z 003 0004\nXXZ 5")
    assert requested_byes(text, 2) == {TPN(3): Result.HALF_POINT_BYE, TPN(5): Result.ZERO_POINT_BYE}
    assert requested_byes(text, 3) == {TPN(4): Result.ZERO_POINT_BYE}
    assert requested_byes(text, 1) == {}
