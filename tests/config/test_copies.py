"""Of several servers on one data folder one makes the automatic copies."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from config import copies, in_use
from config.copies import Copies


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that were started, instead of starting them."""
    found: list[list[str]] = []

    class Ended:
        def __init__(self, command: list[str], **_: object) -> None:
            found.append(command)

        def poll(self) -> int:
            return 0

    monkeypatch.setattr(copies.subprocess, "Popen", Ended)
    monkeypatch.setattr(copies, "FIRST_AFTER", 0.0)
    monkeypatch.setattr(copies, "LOOK_EVERY", 0.0)
    monkeypatch.setattr(in_use, "_held", [])
    return found


def test_one_of_two_servers_makes_the_copies_and_the_other_goes_on(tmp_path: Path, started: list[list[str]]) -> None:
    first, second = Copies(tmp_path, 10), Copies(tmp_path, 10)
    for server in (first, second, first, second):
        server.look()
    assert [command[-2:] for command in started] == [["backup", "--automatic"]]
    (handle,) = in_use._held
    os.close(handle)  # as when the first has ended
    second.look()
    assert len(started) == 2


def test_the_second_server_on_a_folder_is_not_the_first(tmp_path: Path, started: list[list[str]]) -> None:
    assert [in_use.is_first(tmp_path), in_use.is_first(tmp_path)] == [True, False]
    os.close(in_use._held.pop())
    assert in_use.is_first(tmp_path)
    os.close(in_use._held.pop())


def test_a_folder_that_cannot_be_written_hides_no_copy(tmp_path: Path, started: list[list[str]]) -> None:
    """The copy itself says why it cannot be made."""
    (tmp_path / "backups").write_text("no folder")
    Copies(tmp_path, 10).look()
    assert len(started) == 1
