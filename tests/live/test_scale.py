"""The measurement of many events at once works: each part with few events and for a moment."""

from __future__ import annotations

from dataclasses import replace

import pytest

from .desk import Sent
from .many_events import MOMENTS, lost
from .scale import BRIEF, PAIR, PUBLISH, PUBLISH_RESULTS, RESULT, Sizes, run

FEW = replace(BRIEF, events=MOMENTS, seconds=1, processes=(2,))


def test_the_figures_are_those_of_the_requirement() -> None:
    sizes = Sizes()
    assert (sizes.events, sizes.players, sizes.processes) == (50, 200, (1, 2, 4))


def test_a_confirmed_result_that_is_not_in_the_record_is_found() -> None:
    def sent(result: str, version: int, status: int | None = 200) -> tuple[int, Sent]:
        return 2, Sent("chief-1", 7, result, version - 1, status, {"version": version})

    record = {("open", 2, 7): ["10", "=="]}
    assert lost(record, {"open": [sent("10", 1), sent("==", 2), sent("01", 3, status=409)]}) == []
    assert [len(lost(record, {"open": [one]})) for one in (sent("01", 1), sent("10", 2), sent("==", 3))] == [1, 1, 1]
    assert len(lost(record, {"other": [sent("10", 1)]})) == 1


@pytest.mark.slow
def test_events_at_once_lose_nothing_and_every_part_has_its_lines() -> None:
    costs, columns, faults = run(FEW, say=lambda _: None)
    assert faults == []
    for kind in (RESULT, PAIR, PUBLISH, PUBLISH_RESULTS):
        assert kind in costs
    (column,) = columns.values()
    assert {name.partition(":")[0] for name in column} == {"arbiters only", "visitors only", "both"}
