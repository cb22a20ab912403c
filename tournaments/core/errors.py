"""Errors that a service raises if it does not do the action.

    ServiceError
    ├── RuleRefused   a rule does not allow it; 409, with the article
    ├── BadInput      the input is not valid; 400, with its place
    └── Conflict      somebody else changed it first; 409: reload and decide again
        └── DataMoved     the tournament changed after a page compared its data: compare again

A user without permission gets Django's ``PermissionDenied`` (403). A missing object raises the
model's ``DoesNotExist`` (404). The engine's ``InvariantError`` is our bug (500). In every case
nothing was saved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pairing.engine.errors import InputError
from pairing.rules.verdict import Refused
from pairing.trf.errors import TrfError
from tournaments.core.messages import sentence

if TYPE_CHECKING:
    from tournaments.models import Decision


class ServiceError(Exception):
    """Base: ``code`` for programs, ``article`` if a rule decided, ``params`` for the sentence."""

    status = 400

    def __init__(
        self, code: str, article: str = "", params: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(code)
        self.code = code
        self.article = article
        self.params = dict(params or {})

    def __str__(self) -> str:
        return sentence(self)


class RuleRefused(ServiceError):  # noqa: N818  a refusal is an answer
    """A rule does not allow the action; ``refusal`` is the refusal of the policy."""

    status = 409

    def __init__(self, refusal: Refused) -> None:
        super().__init__(refusal.code, refusal.article, refusal.params)
        self.refusal = refusal


class BadInput(ServiceError):  # noqa: N818
    """Invalid input: in a field of a form, or at a line and column of a file or ``sheet``.

    ``more`` are the other problems in the same file.
    """

    status = 400

    def __init__(
        self,
        code: str,
        *,
        field: str = "",
        line: int | None = None,
        column: int | None = None,
        more: tuple[BadInput, ...] = (),
        **params: object,
    ) -> None:
        super().__init__(code, "", params)
        self.field = field
        self.line = line
        self.column = column
        self.sheet = ""
        self.more = more


def unreadable(error: InputError) -> BadInput:
    """Return the *error* of a report with its line and column.

    The sentence is made later, in the reader's language.
    """
    line, column = (error.line, error.column) if isinstance(error, TrfError) else (0, 0)
    return BadInput("trf.invalid", line=line or None, column=column or None, problem=error)


class Conflict(ServiceError):  # noqa: N818
    """Somebody else changed the same meanwhile; ``lines`` are the lines of the record that did."""

    status = 409

    def __init__(
        self,
        code: str,
        article: str = "",
        params: Mapping[str, object] | None = None,
        lines: Sequence[Decision] = (),
    ) -> None:
        super().__init__(code, article, params)
        self.lines = tuple(lines)


class DataMoved(Conflict):
    """The tournament has changed since the data that a page compared with its form were read."""

    def __init__(self) -> None:
        super().__init__("form.no_version")
