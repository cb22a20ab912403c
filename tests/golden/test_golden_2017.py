"""The 2017 edition: golden positions, and tournaments with known pairings (../shared/golden,
../shared/corpus).

The witness is bbpPairings 5.0.1. Where it differs from us, the table below gives the reason
(docs/rules).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pairing import NoLegalPairingError, Pairing, pair
from pairing.cli.check import FileReport, check_file
from pairing.json_io import state_from_json
from pairing.trf.convert import state_before_round
from pairing.trf.reader import read
from pairing.trf.rounds import next_round, played_rounds
from tests.plugins.shared import HAS_SHARED, SHARED, shared_params

from .test_golden_positions import EVERYBODY_HAS_A_BYE, boards, expected_rows, params, read_boards

EVERY = 348 / 60
"""A sample of 60 spread evenly over the files, which are sorted by kind."""
EDITION_2017 = 4
"""The column of EXPECTED.tsv with the answer by the 2017 text."""
NOT_READ = {
    # bbpPairings 5.0.1 is older than records 250 and 260; the copies with XXA and XXP have the same
    # content.
    "acceleration__float-history-only__trf26.trf": "acceleration__float-history-only.trf",
    "acceleration__mid-tournament-brackets__trf26.trf": "acceleration__mid-tournament-brackets.trf",
    "forbidden_pairs__only-legal-pairing__trf26.trf": "forbidden_pairs__only-legal-pairing.trf",
}


def golden_cases() -> list[dict[str, Any]]:
    path = SHARED / "golden" / "dutch_2017.json"
    return json.loads(path.read_text()) if HAS_SHARED else []


def answer_2017(name: str) -> frozenset[tuple[int, int]]:
    return next(read_boards(row[EDITION_2017]) for row in expected_rows() if row[0] == name)


@pytest.mark.parametrize(
    "case", params(golden_cases(), lambda case: f"{case['id']}-{case['article']}")
)
def test_c04_3_2017_each_article_decides_its_position(case: dict[str, Any]) -> None:
    expected = case["expected"]
    pairs = frozenset((white, black) for white, black in expected["pairs"])
    paired = pair(state_from_json(case))
    assert (frozenset(paired.pairs), paired.bye) == (pairs, expected["bye"]), case["note"]


@pytest.mark.parametrize("row", params(expected_rows(), lambda row: row[0]))
def test_c04_3_2017_each_report_is_paired_by_the_text(row: list[str]) -> None:
    name, number = row[0], int(row[1])
    document = read((SHARED / "golden" / name).read_bytes())
    if name in EVERYBODY_HAS_A_BYE:
        assert pair(state_before_round(document, number, system="dutch_2017")) == Pairing(())
        number += 1
    expected = answer_2017(NOT_READ.get(name, name))
    assert boards(pair(state_before_round(document, number, system="dutch_2017"))) == expected


@pytest.mark.parametrize("path", shared_params("golden/rule_delta__*.trf"))
def test_c04_3_2017_the_editions_disagree_on_purpose(path: Path) -> None:
    document = read(path.read_bytes())
    number = next_round(document)
    answers = {
        system: boards(pair(state_before_round(document, number, system=system)))
        for system in EDITIONS
    }
    row = next(row for row in expected_rows() if row[0] == path.name)
    assert answers == {
        "dutch_2026": read_boards(row[2]),
        "dutch_2017": read_boards(row[EDITION_2017]),
    }
    assert answers["dutch_2026"] != answers["dutch_2017"]


EDITIONS = ("dutch_2026", "dutch_2017")


# -- tournaments with known pairings -------------------------------------------------------------


def sample() -> list[object]:
    everything = shared_params("corpus/2017/*.trf")
    return [everything[int(index * EVERY)] for index in range(60)] if HAS_SHARED else everything


def agreed(path: Path) -> FileReport:
    return FileReport(compared=played_rounds(read(path.read_bytes()).players))


@pytest.mark.parametrize("path", sample())
def test_c04_3_2017_every_round_of_a_sample_is_paired_the_same(path: Path) -> None:
    assert check_file(str(path)) == agreed(path)


@pytest.mark.slow
def test_c04_3_2017_every_round_of_every_file_is_paired_the_same(shared: Path) -> None:
    paths = sorted((shared / "corpus" / "2017").glob("*.trf"))
    assert len(paths) == 348
    for path in paths:
        assert check_file(str(path)) == agreed(path), path.name


@pytest.mark.parametrize("path", shared_params("corpus/no_legal_pairing/2017/*.trf"))
def test_c04_3_2017_a_9_a_round_that_cannot_be_paired_is_reported(path: Path) -> None:
    document = read(path.read_bytes())
    with pytest.raises(NoLegalPairingError) as caught:
        pair(state_before_round(document, next_round(document)))
    assert caught.value.article == "C.04.3 A.9"
