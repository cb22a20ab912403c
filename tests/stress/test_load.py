"""The measurement of a hall full of phones works: each part with a few requests."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import pytest

from tests.live.conftest import SLUG
from tests.live.server import Site

from .load import BRIEF, Measurement, Sizes
from .phones import PAGES, Event
from .proxy import is_installed
from .report import processor_seconds

FEW = replace(
    BRIEF,
    seconds=0.5,
    rate=20,
    enter_every=0.2,
    polling=5,
    behind_proxy=5,
    burst=10,
    slow=4,
    idle=5,
)


def test_a_third_of_the_visits_are_searches_and_pages_of_players() -> None:
    sizes = Sizes()
    event = Event("open", range(1, 301), 9)
    visits = event.visits(sizes.rate, sizes.seconds, random.Random(1))
    assert len(visits) == 12_000
    kinds = Counter(visit.kind for visit in visits)
    assert set(kinds) == set(PAGES)
    assert 0.32 < (kinds["search"] + kinds["player"]) / len(visits) < 0.35
    assert {visit.language for visit in visits} == {"en", "fr"}


def test_the_time_of_a_process_that_has_ended_counts_with_its_parent() -> None:
    before = processor_seconds([os.getpid()])
    subprocess.run([sys.executable, "-c", "sum(range(10**6))"], check=True)
    assert processor_seconds([os.getpid()]) > before + 0.01


@pytest.mark.slow
def test_each_part_has_its_line_and_no_fault(served: Site) -> None:
    event = Event(SLUG, range(1, 61), 1)
    measurement = Measurement(served, event, replace(FEW, players=60), say=lambda _: None)
    measurement.run()
    assert measurement.faults == []
    found = {row.what for row in measurement.rows}
    names = {"hall", "polling, 5 phones", "burst", "4 slow and 5 idle connections"}
    assert names <= found
    assert is_installed() == ("nginx: hall" in found)
