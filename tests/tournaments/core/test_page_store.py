"""The store of pages: no damaged or dropped page is sent,
and never keeps anybody from reading.
"""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import brotli
import pytest
from django.conf import settings

from tournaments.core import page_store
from tournaments.core.build import build
from tournaments.core.page_store import MOST_ENDLESS, State, Stored

ONE, TWO = State("7", "1.aa"), State("7", "2.bb")
HEADERS = {"Content-Type": "text/html"}
BODY = b"<p>abc</p>" * 50


def files(state: State = ONE) -> list[str]:
    return sorted(
        path.name
        for path in (Path(settings.PAGES_DIR) / build() / state.owner / state.key).glob("*")
    )


def test_a_page_is_sent_in_the_smallest_encoding_that_is_accepted() -> None:
    assert page_store.get(ONE, "page", ("br", "gzip")) is None
    put = page_store.put(ONE, "page", HEADERS, BODY)
    assert put == Stored(HEADERS, BODY)
    assert files() == ["page.gz"]
    small = page_store.get(ONE, "page", ("br", "gzip"))
    assert small is not None
    assert (small.encoding, brotli.decompress(small.body), small.headers) == ("br", BODY, HEADERS)
    assert files() == ["page.br", "page.gz"]
    assert page_store.get(ONE, "page", ("br", "gzip")) == small
    middle = page_store.get(ONE, "page", ("gzip",))
    assert middle is not None
    assert (middle.encoding, gzip.decompress(middle.body)) == ("gzip", BODY)
    assert page_store.get(ONE, "page") == Stored(HEADERS, BODY)
    assert page_store.get(TWO, "page") is None


@pytest.mark.parametrize("name", ["page.gz", "page.br"])
def test_a_file_that_a_power_failure_cut_is_not_sent(name: str) -> None:
    page_store.put(ONE, "page", HEADERS, BODY, ("br",))
    path = Path(settings.PAGES_DIR) / build() / "7" / "1.aa" / name
    whole = path.read_bytes()
    for damaged in (
        b"",
        whole[:20],
        whole[:-1],
        whole + b"x",
        bytes(len(whole)),
        whole[:-3] + b"abc",
    ):
        path.write_bytes(damaged)
        assert page_store.read(ONE, name) is None
    found = page_store.get(ONE, "page", ("br",))
    assert found is None or brotli.decompress(found.body) == BODY


def test_what_is_being_written_when_its_state_ends_is_not_kept() -> None:
    """Deleted personal data must not come back with a request that began before."""
    assert page_store.put(ONE, "page", HEADERS, BODY, still=lambda: False) is None
    assert files() == []

    def dropped() -> bool:
        page_store.drop_others(TWO)
        return True  # as read before the commit

    assert page_store.put(ONE, "page", HEADERS, BODY, still=dropped) == Stored(HEADERS, BODY)
    assert files() == []


def test_other_states_are_dropped_and_other_tournaments_are_not() -> None:
    other = State("70", "1.aa")
    for state in (ONE, TWO, other):
        page_store.put(state, "page", HEADERS, BODY)
    page_store.drop_others(TWO)
    assert (files(ONE), files(TWO), files(other)) == ([], ["page.gz"], ["page.gz"])


def test_two_builds_of_the_program_do_not_mix(monkeypatch: pytest.MonkeyPatch) -> None:
    page_store.put(ONE, "page", HEADERS, BODY)
    with monkeypatch.context() as patch:
        patch.setattr(page_store, "build", lambda: "other")
        assert page_store.get(ONE, "page") is None
        page_store.put(ONE, "page", HEADERS, b"other")
    assert page_store.get(ONE, "page") == Stored(HEADERS, BODY)
    page_store.forget_other_builds()
    assert [path.name for path in Path(settings.PAGES_DIR).glob("*")] == [build()]


def test_a_tournament_is_forgotten_in_every_build(
    monkeypatch: pytest.MonkeyPatch, db: None, django_capture_on_commit_callbacks: Any
) -> None:
    event = State(f"{page_store.EVENT}3", "x")
    for one in (build(), "other"):
        with monkeypatch.context() as patch:
            patch.setattr(page_store, "build", lambda one=one: one)
            page_store.put(ONE, "page", HEADERS, BODY)
            page_store.put(event, "page", HEADERS, BODY)
    with django_capture_on_commit_callbacks() as callbacks:
        page_store.forget_tournament(7)
    assert list(Path(settings.PAGES_DIR).rglob("*.gz")) == []
    page_store.put(ONE, "page", HEADERS, BODY)  # a visitor between the deletion and its commit
    for forget in callbacks:
        forget()
    assert list(Path(settings.PAGES_DIR).rglob("*.gz")) == []


def test_endless_addresses_do_not_fill_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_store, "MOST_ENDLESS", 3)
    for number in range(9):
        assert page_store.put(ONE, f"q{number}", HEADERS, BODY, endless=True) == Stored(
            HEADERS, BODY
        )
    page_store.put(ONE, "page", HEADERS, BODY)
    assert files() == ["endless", "page.gz", "q0.gz", "q1.gz", "q2.gz"]
    assert MOST_ENDLESS < 10_000


@pytest.mark.parametrize(
    "fault", [OSError(28, "No space left on device"), OSError(30, "Read-only file system")]
)
def test_a_full_disk_keeps_nobody_from_reading(
    fault: OSError, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr(page_store, "_warned_at", float("-inf"))
    for name, state in (("mkdir", TWO), ("write_bytes", ONE)):
        with monkeypatch.context() as patch:
            patch.setattr(Path, name, refuse)
            for _ in range(3):
                assert page_store.put(state, "page", HEADERS, BODY) == Stored(HEADERS, BODY)
        assert page_store.get(state, "page") is None
        page_store.put(ONE, "other", HEADERS, BODY)
    assert (files(ONE), files(TWO)) == (["other.gz"], [])
    (line,) = [record.message for record in caplog.records if record.name == page_store.__name__]
    assert str(fault.strerror) in line


def test_languages_are_noted_by_readers() -> None:
    page_store.note_language(ONE, "fr")  # nothing of this state is kept
    assert page_store.noted_languages("7") == set()
    for state, language in ((ONE, "en"), (TWO, "fr")):
        page_store.put(state, "page", HEADERS, BODY)
        page_store.note_language(state, language)
    assert page_store.noted_languages("7") == {"en", "fr"}
    page_store.drop_others(TWO)
    assert page_store.noted_languages("7") == {"fr"}


WRITER = """
import sys
sys.path.insert(0, sys.argv[2])
from django.conf import settings
settings.configure(PAGES_DIR=sys.argv[1])
from tournaments.core import page_store
page_store.build = lambda: "b"
print("begins", flush=True)
while True:
    page_store.put(page_store.State("7", "1.aa"), "page", {}, b"x" * 3_000_000)
"""


@pytest.mark.costly
def test_a_killed_process_leaves_no_half_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Path(__file__).resolve().parents[3]
    monkeypatch.setattr(settings, "PAGES_DIR", tmp_path)
    monkeypatch.setattr(page_store, "build", lambda: "b")
    for _ in range(3):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, tmp_path, root], stdout=subprocess.PIPE
        ) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            while page_store.get(ONE, "page") is None and writer.poll() is None:
                pass
            os.kill(writer.pid, signal.SIGKILL)
        found = page_store.get(ONE, "page")
        assert found is not None
        assert found.body == b"x" * 3_000_000
