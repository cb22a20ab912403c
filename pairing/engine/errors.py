"""Define the errors of pairing a round, by the side that has to act.

EngineError
├── InputError            the caller's: a state that contradicts itself, an unknown system
├── NoLegalPairingError   the tournament's: Article 1.9.3 leaves it to the Chief Arbiter
└── InvariantError        ours: a bug; nothing it computed may be used
"""

from __future__ import annotations


class Text(str):
    """A text for people as it is in the source; the program that shows it may translate it."""

    __slots__ = ()


def text(words: str) -> Text:
    """Mark *words* for the catalogues of other languages, which find them by the name ``_``."""
    return Text(words)


class EngineError(Exception):
    """Base of everything the engine raises on purpose."""


class InputError(EngineError):
    """Reject a state that is no tournament: the message names the place and what is expected.

    ``code`` is stable for programs (``state.opponent_mismatch``); ``params`` fills its sentence. A
    *message* that is a :class:`Text` has ``%(name)s`` for them, and is kept as ``template``;
    parameters that are a :class:`Text` are words of the sentence too. Any other message is used
    unchanged.
    """

    def __init__(self, code: str, message: str, **params: object) -> None:
        self.template = message if isinstance(message, Text) else None
        self.message = message % params if isinstance(message, Text) else message
        super().__init__(self.message)
        self.code = code
        self.params = params


class NoLegalPairingError(EngineError):
    """No round-pairing is legal: the Chief Arbiter decides [C.04.3/2026 1.9.3]."""

    code = "no_legal_pairing"

    def __init__(self, article: str = "C.04.3 1.9.3") -> None:
        super().__init__(
            f"No legal pairing of this round exists ({article}): the Chief Arbiter decides what to do."
        )
        self.article = article


class InvariantError(EngineError):
    """The engine contradicted itself: a bug in this program, never the arbiter's fault."""
