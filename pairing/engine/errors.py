"""What can go wrong when a round is paired, and whose affair it is.

EngineError
├── InputError            the caller's: a state that contradicts itself, an unknown system
├── NoLegalPairingError   the tournament's: Article 1.9.3 leaves it to the Chief Arbiter
└── InvariantError        ours: a bug; nothing it computed may be used
"""

from __future__ import annotations


class EngineError(Exception):
    """Base of everything the engine raises on purpose."""


class InputError(EngineError):
    """The state given cannot be a tournament: the message says where, and what was expected.

    ``code`` is stable for programs (``state.opponent_mismatch``), ``params`` fills its sentence.
    """

    def __init__(self, code: str, message: str, **params: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.params = params


class NoLegalPairingError(EngineError):
    """No round-pairing complies with the absolute criteria: the Chief Arbiter decides [C.04.3/2026 1.9.3]."""

    code = "no_legal_pairing"

    def __init__(self, article: str = "C.04.3 1.9.3") -> None:
        super().__init__(f"No legal pairing of this round exists ({article}): the Chief Arbiter decides what to do.")
        self.article = article


class InvariantError(EngineError):
    """The engine contradicted itself: a bug in this program, never the arbiter's fault."""
