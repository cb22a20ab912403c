"""Randomly changed files: each is preserved exactly and paired legally,
or refused with the position of the error.
"""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings, strategies as st

from pairing.engine.checker import check, legal_pairing_exists
from pairing.engine.errors import InputError, NoLegalPairingError
from pairing.engine.model import TournamentState
from pairing.engine.systems import pair
from pairing.trf.convert import state_before_round
from pairing.trf.errors import TrfError
from pairing.trf.matches import by_rounds_played
from pairing.trf.reader import read
from pairing.trf.rounds import next_round
from pairing.trf.writer import write
from tests.trf.mutations import mutant, mutated_text, seeds
from tests.trf.reports import player, report

BYTES = st.tuples(st.integers(0, 1 << 16), st.integers(0, 255))


def outcome(data: str | bytes) -> str:
    """Return ``refused``, ``unpairable``, ``no legal pairing`` or ``paired`` for a file;
    fail in any other case.
    """
    text = data.decode(errors="replace") if isinstance(data, bytes) else data
    try:
        document = read(data)
    except TrfError as error:
        return checked_refusal(error, lines=len(re.split("\r\n|\r|\n", text)))
    assert write(document) == text
    try:
        rounds = by_rounds_played(document)
        state = state_before_round(rounds, next_round(rounds))
        pairing = pair(state)
    except NoLegalPairingError:
        return shown_to_be_unpairable(state)
    except InputError as error:
        return checked_refusal(error)
    assert check(state, pairing) == ()
    return "paired"


def checked_refusal(error: InputError, *, lines: int | None = None) -> str:
    """Check a refusal: the reader's have a position in the file, and each is one printable line."""
    assert error.message.isprintable()
    assert len(error.message) < 400
    if lines is None:
        return "unpairable"
    assert isinstance(error, TrfError)
    assert 1 <= error.line <= lines
    assert error.column >= 1
    return "refused"


def shown_to_be_unpairable(state: TournamentState) -> str:
    assert not legal_pairing_exists(state)
    return "no legal pairing"


@pytest.mark.costly
@settings(max_examples=400)
@given(st.randoms(use_true_random=False))
def test_a_changed_report_is_paired_legally_or_refused_with_its_place(
    chance: random.Random,
) -> None:
    outcome(mutant(chance))


@pytest.mark.costly
@settings(max_examples=150)
@given(st.randoms(use_true_random=False), st.lists(BYTES, min_size=1, max_size=8))
def test_changed_bytes_are_read_or_refused_with_their_place(
    chance: random.Random, changes: list[tuple[int, int]]
) -> None:
    data = bytearray(write(seeds()[chance.randrange(len(seeds()))]).encode())
    for place, byte in changes:
        data[place % len(data)] = byte
    outcome(bytes(data))


@pytest.mark.costly
def test_the_changes_reach_every_outcome() -> None:
    """A fuzz test in which the reader refuses every file would prove nothing about pairing."""
    found = [outcome(mutant(random.Random(seed))) for seed in range(300)]
    counts = {
        name: found.count(name) for name in ("refused", "unpairable", "no legal pairing", "paired")
    }
    assert min(counts.values()) >= 3
    assert counts["paired"] >= 50


def test_an_empty_record_192_names_no_system() -> None:
    """Found by the test below: one reader used the empty record for the system,
    the other the next one.
    """
    text = report(
        "192",
        "192 FIDE_DOUBLESWISS",
        player(1, "", "   2 w 1", "   2 b 0"),
        player(2, "", "   1 b 0", "   1 w 1"),
    )
    assert outcome(text) == "no legal pairing"


def test_unchanged_files_are_paired() -> None:
    assert [outcome(write(document)) for document in seeds()[1:]] == ["paired"] * (len(seeds()) - 1)


@pytest.mark.slow
def test_thousands_of_changed_reports_are_paired_legally_or_refused() -> None:
    for seed in range(20_000):
        chance = random.Random(seed)
        try:
            outcome(mutated_text(mutant(chance), chance))
        except Exception as error:
            error.add_note(f"seed {seed}")
            raise
