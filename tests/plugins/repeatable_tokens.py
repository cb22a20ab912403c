"""``secrets.token_hex`` draws the same in every run of a test, and never the same twice in a test.

Each line of the record has a random salt, which is in its fingerprint. With the same salts, the
same actions write the same rows, and a factory that comes after them saves again what it saved
before (:mod:`tests.tournaments.row_cache`).
"""

import hashlib
import os
import secrets
import threading
from collections.abc import Iterator
from typing import Final

import pytest


class Tokens:
    """The tokens of this process, by their number in the test."""

    def __init__(self) -> None:
        self.drawn = 0
        self._lock = threading.Lock()

    def token_hex(self, nbytes: int = 32) -> str:
        """Return the next token of *nbytes* bytes, at most 32; other processes draw others."""
        assert nbytes <= 32
        with self._lock:
            self.drawn += 1
            return hashlib.sha256(f"{os.getpid()} {self.drawn}".encode()).hexdigest()[: 2 * nbytes]

    def go_on_after(self, drawn: int) -> None:
        """Draw none of the first *drawn* tokens: they are in rows that were saved again."""
        self.drawn = max(self.drawn, drawn)


TOKENS: Final = Tokens()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    TOKENS.drawn = 0


@pytest.fixture(scope="session", autouse=True)
def _tokens_are_numbered() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "token_hex", TOKENS.token_hex)
        yield
