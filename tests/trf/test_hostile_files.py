"""Well-formed files made to be slow: the work grows in proportion to the file,
or the file is refused.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pairing.engine.model import TPN, Points
from pairing.trf.acceleration import MAX_ACCELERATED_ROUNDS, virtual_points
from pairing.trf.convert import prohibited_pairs, state_before_round
from pairing.trf.document import TrfDocument, VirtualPoints
from pairing.trf.errors import TrfError
from pairing.trf.reader import read
from pairing.trf.writer import write
from tests.examples import first
from tests.trf.reports import player, report
from tests.trf.work import lines_run

ROUNDS = 9


def field(players: int) -> list[str]:
    """Return *players* players who were absent in eight rounds, and two who played:
    round 9 is to be paired.
    """
    pairs = [
        player(1, "", *["   2 w ="] * (ROUNDS - 1)),
        player(2, "", *["   1 b ="] * (ROUNDS - 1)),
    ]
    return pairs + [player(tpn, "", *["0000 - Z"] * (ROUNDS - 1)) for tpn in range(3, players + 1)]


def hostile(line: Callable[[int], str], records: int, players: int) -> str:
    return report("142 11", *(line(number) for number in range(records)), *field(players))


RECORDS: dict[str, Callable[[int], str]] = {
    "250 over everything": lambda number: f"250      {number % 90 / 10:04} 001 009 0001 9999",
    "250 over half of it": lambda number: (
        f"250      01.0 {1 + number % 5:03} 009 {1 + number % 70:04} 9999"
    ),
    "250 one by one": lambda number: (
        f"250      01.0 001 001 {1 + number % 80:04} {1 + number % 80:04}"
    ),
    "XXA": lambda number: f"XXA {1 + number % 80:>4}" + "  1.0" * 9,
    "240": lambda number: f"240 Z {1 + number % 9:03} 0001 0002 0003 0004",
    "XXZ": lambda number: "XXZ 1 2 3 4",
    "260 the same list": lambda number: "260 001 999 0001 0002 0003 0004",
    "260 other lists": lambda number: f"260 001 009 0001 {2 + number % 40:04} {50 + number % 7:04}",
    "XXP": lambda number: f"XXP 1 2 {3 + number % 60}",
    "299 one player": lambda number: f"299          -1.0  {1 + number % 8:03}    1",
    "299 four players": lambda number: "299 D         1.0  000    1    2    1    2",
    "299 everybody": lambda number: f"299 Z         0.0  {1 + number % 8:03}",
    "FRA": lambda number: f"FRA {1 + number % 20:>4}{2000:>44}",
    "162": lambda number: "162  W 1.0    D 0.5    L 0.0",
    "BBW": lambda number: "BBW 1.0",
    "XXS": lambda number: "XXS W=1.0 D=0.5",
    "142": lambda number: "142 11",
    "XXC": lambda number: "XXC white1",
    "132": lambda number: "132" + " " * 88 + "26/11/21  26/11/22",
    "192": lambda number: "192 FIDE_DUTCH_2026",
    "###": lambda number: "### a remark",
    "unknown": lambda number: "ZZZ 1 2 3",
}


def everything(text: str) -> None:
    """Read everything needed to pair a round from a file, and write it back."""
    document = read(text)
    state_before_round(document, ROUNDS)
    assert write(document) == text


@pytest.mark.parametrize("name", first(list(RECORDS), 4, pytest.mark.costly))
def test_the_work_grows_with_records_and_players_and_not_with_their_product(name: str) -> None:
    """The work for both together is the sum of the work for each,
    in which common work counts twice.
    """

    def work(records: int, players: int) -> int:
        return lines_run(lambda: everything(hostile(RECORDS[name], records, players)))

    together, apart = work(400, 120), work(400, 20) + work(10, 120)
    assert together < 1.3 * apart
    assert work(800, 20) < 2.1 * work(400, 20)


@pytest.mark.costly
def test_twenty_thousand_accelerations_over_the_whole_field_are_read_once_each() -> None:
    """Each round of each record is read once, and each player of each round: 180,000 and 4,500."""
    document = read(hostile(RECORDS["250 over everything"], 20_000, 500))
    assert lines_run(lambda: state_before_round(document, ROUNDS)) < 2_500_000
    points = {player.virtual_points for player in state_before_round(document, ROUNDS).players}
    assert points == {(19_999 % 90,) * 9}  # The last record counts.


@pytest.mark.costly
def test_too_many_accelerations_are_refused() -> None:
    lines = [f"250      01.0 001 099 0001 {2 + number % 9000:04}" for number in range(30_000)]
    document = read(report(*lines, *field(3)))
    with pytest.raises(TrfError) as caught:
        state_before_round(document, ROUNDS)
    error = caught.value
    assert (error.code, error.line, error.column) == (
        "trf.too_many_accelerations",
        200_000 // 9 + 1,
        15,
    )
    assert (
        error.message == "The records 250 cover more than 200,000 rounds in total. Check the file."
    )


def test_the_maximum_number_of_accelerations_is_read() -> None:
    record = VirtualPoints(Points(10), 1, 8, TPN(1), TPN(1))
    most = TrfDocument((record,) * (MAX_ACCELERATED_ROUNDS // 8))
    assert virtual_points(most, [TPN(1)], 8) == {1: (10,) * 8}
    with pytest.raises(TrfError):
        virtual_points(TrfDocument((*most.records, record)), [TPN(1)], 8)


@pytest.mark.costly
def test_prohibited_lists_that_differ_are_counted_and_the_same_list_is_not() -> None:
    everybody = range(1, 448)  # 99,681 pairs
    listed = "XXP " + " ".join(map(str, everybody))
    document = read(report(*[listed] * 200, *(player(tpn, "0.0") for tpn in range(1, 451))))
    numbers = frozenset(one.tpn for one in document.players)
    assert len(prohibited_pairs(document, 1, numbers)) == 447 * 446 // 2
    document = read(report(*(f"{listed} {448 + extra}" for extra in range(2)), *field(450)))
    with pytest.raises(TrfError) as caught:
        prohibited_pairs(document, 1, numbers)
    assert (caught.value.code, caught.value.line) == ("trf.too_many_prohibited", 2)


def test_the_records_of_one_class_are_found_without_looking_at_all_of_them() -> None:
    document: TrfDocument = read(report(*["### remark"] * 5_000, *field(3)))
    assert lines_run(lambda: document.players) < 20
