"""The checker on the published corpora: complete tournaments that it had no part in pairing."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from pairing.engine.checker import check, legal_pairing_exists
from pairing.engine.model import Pairing, TournamentState
from pairing.trf.convert import round_of, state_before_round
from pairing.trf.document import TrfDocument
from pairing.trf.reader import read
from pairing.trf.rounds import next_round


def paired_rounds(document: TrfDocument) -> Iterator[tuple[TournamentState, Pairing]]:
    """Yield every round of the file: the state before it and its pairing."""
    for number in range(1, next_round(document)):
        paired = round_of(document, number)
        if paired.pairs:
            yield state_before_round(document, number), paired


@pytest.mark.costly
@pytest.mark.parametrize("folder", ["2026", "large_events_2026"])
def test_the_checker_agrees_with_every_round_of_the_corpus(shared: Path, folder: str) -> None:
    """Only the board order is found, because a TRF file does not contain it."""
    files = sorted((shared / "corpus" / folder).glob("*.trf"))
    found: Counter[str] = Counter()
    rounds = 0
    for path in files:
        for state, paired in paired_rounds(read(path.read_bytes())):
            rounds += 1
            found.update(
                f"{path.name}: {one.message}"
                for one in check(state, paired)
                if one.article != "C.04.2 3.6"
            )
    assert rounds > len(files) > 0
    assert found == Counter()


def test_c04_3_1_9_3_the_checker_finds_no_legal_pairing_where_there_is_none(shared: Path) -> None:
    files = sorted((shared / "corpus" / "no_legal_pairing" / "2026").glob("*.trf"))
    exists = {}
    for path in files:
        document = read(path.read_bytes())
        exists[path.name] = legal_pairing_exists(state_before_round(document, next_round(document)))
    assert len(files) > 0
    assert exists == dict.fromkeys(exists, False)
