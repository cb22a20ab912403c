"""The parts of the measurement of a round that need no server: what is computed from the times, and the table."""

from __future__ import annotations

import os

from .during import Drafts, Row, draft_rows, outlook_rows, processor_time, table, together_rows, typing_rows
from .typist import INERT, Press, Typed


def typed(*shown: float, seconds: float = 1.0) -> Typed:
    """Return results that were on the screen after so many milliseconds, after two inert keys."""
    inert = [Press(INERT, 0.1, 4.0, 1), Press(INERT, 0.1, 6.0, 1)]
    return Typed((*inert, *(Press("1", time / 10, time, 1) for time in shown)), seconds, processor=0.03)


def values(rows: list[Row]) -> dict[str, str]:
    return {row.what: row.value for row in rows}


def test_inert_keys_count_only_for_themselves() -> None:
    found = values(typing_rows(typed(10, 12, 90), typed(1, 1, 1, seconds=1.5)))
    assert found["key to screen, median"] == "12.0 ms"
    assert found["key to screen, p95"] == "90.0 ms"
    assert found["key to screen / key that does nothing"] == "2.00"
    assert found["scripts of the page for a result, median"] == "1.2 ms"
    assert found["page's processor time for a result, saving and news included"] == "10.0 ms"
    assert found["results a minute, keys without pause (the upper limit)"] == "120"


def test_processor_time_is_shared_out_among_the_results() -> None:
    found = values(together_rows([0.01, 0.02, 0.03, 0.04], processor=0.2))
    assert found["five arbiters without pause, answer, median"] == "30.0 ms"
    assert found["server's processor time for a result"] == "50.0 ms"


def test_pairing_and_page_of_a_draft_are_added_up() -> None:
    found = values(draft_rows(Drafts(paired=[0.09, 0.07, 0.07], shown=[0.2, 0.1, 0.12], waited=[0.5, 0.3, 0.4])))
    assert found["draft: processor time to pair, median / first"] == "70.0 ms / 90.0 ms"
    assert found["draft: both together, median"] == "190.0 ms"


def test_each_kind_of_outlook_has_a_line() -> None:
    rows = outlook_rows({"sample": [0.08, 0.09], "all outcomes": [1.6], "narrowed": [0.01]})
    assert [row.value for row in rows] == ["90.0 ms", "1.60 s", "10.0 ms"]


def test_the_table_has_the_aim_beside_the_value() -> None:
    lines = table([Row("a", "2 ms", "30 ms"), Row("b", "3 ms")], "SQLite").splitlines()
    assert lines == ["| what | SQLite | aim |", "|---|---|---|", "| a | 2 ms | 30 ms |", "| b | 3 ms | – |"]


def test_processor_time_of_a_process_grows_when_it_works() -> None:
    before = processor_time([os.getpid()])
    sum(range(100_000))
    assert processor_time([os.getpid()]) > before > 0
