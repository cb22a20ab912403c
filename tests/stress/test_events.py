"""The measurement of many events at once works: each part with few events and for a moment."""

from __future__ import annotations

from dataclasses import replace

import pytest

from .events import BRIEF, MOMENTS, Sizes, run


def test_the_figures_are_those_of_the_requirement() -> None:
    sizes = Sizes()
    assert (sizes.events, sizes.players, sizes.processes) == (50, 200, (1, 2, 4))


@pytest.mark.slow
def test_events_at_once_lose_nothing_and_every_part_has_its_lines() -> None:
    columns, faults = run(
        replace(BRIEF, events=MOMENTS, seconds=1, processes=(2,)), say=lambda _: None
    )
    assert faults == []
    (column,) = columns.values()
    assert {name.partition(":")[0] for name in column} == {"arbiters only", "visitors only", "both"}
