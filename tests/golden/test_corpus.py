"""Tournaments with known pairings: every round again,
from the file alone (../shared/corpus/README.md).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pairing import NoLegalPairingError, pair
from pairing.cli.check import FileReport, check_file
from pairing.cli.pair import pairing_text
from pairing.trf.convert import state_before_round
from pairing.trf.reader import read
from pairing.trf.rounds import next_round, played_rounds
from tests.plugins.shared import HAS_SHARED, shared_params

EVERY = 336 / 60
"""A sample of 60 spread evenly over the files, which are sorted by kind."""


def sample() -> list[object]:
    everything = shared_params("corpus/2026/*.trf")
    return [everything[int(index * EVERY)] for index in range(60)] if HAS_SHARED else everything


def agreed(path: Path) -> FileReport:
    return FileReport(compared=played_rounds(read(path.read_bytes()).players))


@pytest.mark.parametrize("path", sample())
def test_every_round_of_a_sample_is_paired_the_same(path: Path) -> None:
    assert check_file(str(path)) == agreed(path)


@pytest.mark.slow
def test_every_round_of_every_file_is_paired_the_same(shared: Path) -> None:
    paths = sorted((shared / "corpus" / "2026").glob("*.trf"))
    assert len(paths) == 336
    for path in paths:
        assert check_file(str(path)) == agreed(path), path.name


@pytest.mark.slow
@pytest.mark.parametrize("path", shared_params("corpus/large_events_2026/*.trf"))
def test_every_round_of_the_large_events_is_paired_the_same(path: Path) -> None:
    assert check_file(str(path)) == agreed(path)


@pytest.mark.parametrize("path", shared_params("corpus/large_rounds_2026/*.trf"))
def test_a_large_round_is_paired_the_same_board_by_board(path: Path) -> None:
    document = read(path.read_bytes())
    assert (
        pairing_text(pair(state_before_round(document, 5)))
        == path.with_suffix(".expected").read_text().strip()
    )


@pytest.mark.parametrize("path", shared_params("corpus/no_legal_pairing/2026/*.trf"))
def test_c04_3_1_9_3_a_round_that_cannot_be_paired_is_reported(path: Path) -> None:
    document = read(path.read_bytes())
    with pytest.raises(NoLegalPairingError):
        pair(state_before_round(document, next_round(document)))
