"""The runner of the server: started, started again, ended, and one for a data folder."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from config import in_use
from tournaments.core import processes as work
from tournaments.core.processes import RunnerProcess


def forever() -> None:
    time.sleep(600)


@pytest.fixture(autouse=True)
def _ready(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(work, "run", forever)
    monkeypatch.setattr(work, "AGAIN_AFTER", 0.0)
    monkeypatch.setattr(in_use, "_held", [])
    yield
    for handle in in_use._held:
        os.close(handle)


def test_the_runner_is_started_again_if_it_dies_and_ends_with_the_server(tmp_path: Path) -> None:
    runner = RunnerProcess(tmp_path)
    runner.keep_running()
    first = runner._process
    assert first is not None
    assert first.is_alive()
    runner.keep_running()
    assert runner._process is first
    first.kill()
    first.join()
    runner.keep_running()
    second = runner._process
    assert second is not None
    assert second is not first
    assert second.is_alive()
    runner.end()
    assert not second.is_alive()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such locks")
def test_of_two_servers_on_a_folder_one_has_a_runner_and_the_other_takes_over(
    tmp_path: Path,
) -> None:
    first, second = RunnerProcess(tmp_path), RunnerProcess(tmp_path)
    for server in (first, second, first, second):
        server.keep_running()
    assert first._process is not None
    assert second._process is None
    first.end()
    os.close(in_use._held.pop())  # as when the first has ended
    second.keep_running()
    assert second._process is not None
    second.end()


def test_the_second_server_on_a_folder_is_not_the_first(tmp_path: Path) -> None:
    assert [in_use.is_first(tmp_path), in_use.is_first(tmp_path)] == [True, False]
    os.close(in_use._held.pop())
    assert in_use.is_first(tmp_path)
