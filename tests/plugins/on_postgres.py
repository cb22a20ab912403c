"""What runs on PostgreSQL too: what can end differently there.
Everything else runs on SQLite alone.

A module runs on both if its text has one of :data:`WORDS` (locks, transactions, constraints, raw
SQL, a branch for one database). So does every test with the mark ``on_postgres("why")``; of a
module that has this mark, only the tests with it. Chess rules, words, layout, permissions, files
and the sentences about outdated forms are the same on both. With ``--quick`` only the modules with
one of :data:`WORDS` run; of a module that names only transactions, the tests with transactions of
their own.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]

WORDS: Final = re.compile(
    r"\btransaction=True|\btransactional_db|\bthreading\b|\bIntegrityError\b|\bconnection\.vendor\b|\.cursor\("
)
"""A module with one of these words runs on both databases without a mark."""
TRANSACTIONAL: Final = {"transaction=True", "transactional_db"}
MARK: Final = re.compile(r"\bmark\.on_postgres\b")


def is_left_out(path: Path, named: set[Path], *, quick: bool = False) -> bool:
    """Return whether PostgreSQL's run leaves out the test module at *path*;
    never one of *named*.
    """
    if path in named or ROOT / "tests" not in path.parents or not path.name.startswith("test_"):
        return False
    return not WORDS.search(text_of(path)) and (quick or not MARK.search(text_of(path)))


def is_test_left_out(item: pytest.Item, named: set[Path], *, quick: bool = False) -> bool:
    """Return whether the run leaves out *item* of a module that runs in part;
    never one of *named*.
    """
    if item.path in named:
        return False
    if MARK.search(text_of(item.path)):
        return item.get_closest_marker("on_postgres") is None
    words = set(WORDS.findall(text_of(item.path)))
    return quick and words <= TRANSACTIONAL and not has_transactions(item)


def has_transactions(item: pytest.Item) -> bool:
    """Return whether the test commits, instead of running in a transaction that is rolled back."""
    mark = item.get_closest_marker("django_db")
    return "transactional_db" in getattr(item, "fixturenames", ()) or (
        mark is not None and bool(mark.kwargs.get("transaction"))
    )


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")
