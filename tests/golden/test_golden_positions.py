"""The golden positions of the 2026 texts, in JSON and in reports (../shared/golden/README.md).

Where two engines agree, we agree with them. Where they differ, the table below names the engine
that follows the text, and the reason (docs/rules).
"""

from __future__ import annotations

import json
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from pairing import Pairing, pair
from pairing.json_io import state_from_json
from pairing.trf.convert import state_before_round
from pairing.trf.reader import read
from pairing.trf.rounds import next_round
from tests.plugins.shared import HAS_SHARED, REASON, SHARED

Boards = frozenset[tuple[int, int]]


class Witness(Enum):
    """The columns of EXPECTED.tsv with the answers by the 2026 text."""

    BBPPAIRINGS = 2
    GACRUX = 3


DISPUTED = {
    # [C2]: bbpPairings 6.0.0 gives a second bye.
    "fe1_disputes__seed7073463-r8-p9.trf": Witness.GACRUX,
    "fe1_disputes__seed735265-r7-p10.trf": Witness.GACRUX,
    "fe1_disputes__seed8848759-r9-p10.trf": Witness.GACRUX,
    # gacrux ignores XXA and XXP; the __trf26 copies have the same content in 250 and 260, and there
    # they agree.
    "acceleration__float-history-only.trf": Witness.BBPPAIRINGS,
    "acceleration__mid-tournament-brackets.trf": Witness.BBPPAIRINGS,
    "forbidden_pairs__only-legal-pairing.trf": Witness.BBPPAIRINGS,
}
EVERYBODY_HAS_A_BYE = {
    # Every player has a bye in the last round of the file, so it is over (gacrux: nobody to pair);
    # bbpPairings pairs the next.
    "open_questions__c6-vs-completion-6.trf",
    "open_questions__c6-vs-completion-8.trf",
    "rounds_played__trailing-round-complete.trf",
}


def expected_rows() -> list[list[str]]:
    lines = (SHARED / "golden" / "EXPECTED.tsv").read_text().splitlines() if HAS_SHARED else []
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return [row for row in rows if (SHARED / "golden" / row[0]).exists()]


def json_cases() -> list[dict[str, Any]]:
    paths = [SHARED / "golden" / f"{name}.json" for name in ("dutch_2026", "double_swiss")]
    return [case for path in paths for case in json.loads(path.read_text())] if HAS_SHARED else []


def params(cases: list[Any], name: Any) -> list[Any]:
    if not cases:
        return [pytest.param(None, id="absent", marks=pytest.mark.skip(reason=REASON))]
    return [pytest.param(case, id=name(case)) for case in cases]


def boards(pairing: Pairing) -> Boards:
    return frozenset(pairing.pairs) | (
        {(pairing.bye, 0)} if pairing.bye is not None else frozenset()
    )


def read_boards(cell: str) -> Boards:
    """Read ``"1 5;3 2;6 0"`` as boards."""
    pairs = (board.split() for board in cell.split(";") if board)
    return frozenset((int(white), int(black)) for white, black in pairs)


@pytest.mark.parametrize(
    "case", params(json_cases(), lambda case: f"{case['id']}-{case['article']}")
)
def test_each_article_decides_its_position(case: dict[str, Any]) -> None:
    expected = case["expected"]
    pairs = frozenset((white, black) for white, black in expected["pairs"])
    paired = pair(state_from_json(case))
    assert (frozenset(paired.pairs), paired.bye) == (pairs, expected["bye"]), case["note"]


@pytest.mark.parametrize("row", params(expected_rows(), lambda row: row[0]))
def test_each_report_is_paired_by_the_text(row: list[str]) -> None:
    name, round_number = row[0], int(row[1])
    document = read((SHARED / "golden" / name).read_bytes())
    if name in EVERYBODY_HAS_A_BYE:
        assert pair(state_before_round(document, round_number)) == Pairing(())
        assert read_boards(row[Witness.GACRUX.value]) == frozenset()
        round_number += 1
    assert next_round(document) == round_number
    witness = DISPUTED.get(name, Witness.BBPPAIRINGS)
    agreed = row[5] == "bbp6==gacrux"
    assert agreed != (name in DISPUTED or name in EVERYBODY_HAS_A_BYE)
    assert boards(pair(state_before_round(document, round_number))) == read_boards(
        row[witness.value]
    )


def test_every_exception_names_an_existing_file(shared: Path) -> None:
    assert {*DISPUTED, *EVERYBODY_HAS_A_BYE} <= {
        path.name for path in (shared / "golden").iterdir()
    }
