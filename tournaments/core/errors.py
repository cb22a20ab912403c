"""What a service may answer instead of doing the action.

    ServiceError
    ├── RuleRefused   a rule stands against it; 409, with the article
    ├── BadInput      what was handed in cannot be used; 400, with the place
    └── Conflict      somebody else was faster; 409, look again and decide

Whoever may not do it at all gets Django's ``PermissionDenied`` (403); what does not exist raises the model's
``DoesNotExist`` (404); the engine's ``InvariantError`` is our bug (500). In every case nothing was saved.
"""

from __future__ import annotations

from collections.abc import Mapping

from pairing.engine.errors import InputError
from pairing.rules.verdict import Refused
from pairing.trf.errors import TrfError
from tournaments.core.messages import sentence


class ServiceError(Exception):
    """Base: ``code`` for programs, ``article`` where a rule decided, ``params`` for the sentence."""

    status = 400

    def __init__(self, code: str, article: str = "", params: Mapping[str, object] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.article = article
        self.params = dict(params or {})

    def __str__(self) -> str:
        return sentence(self)


class RuleRefused(ServiceError):  # noqa: N818  a refusal is an answer
    """A rule stands against the action; ``refusal`` is what the policy answered."""

    status = 409

    def __init__(self, refusal: Refused) -> None:
        super().__init__(refusal.code, refusal.article, refusal.params)
        self.refusal = refusal


class BadInput(ServiceError):  # noqa: N818
    """What was handed in cannot be used: in which field of a form, or on which line and column of a file.

    ``more`` are the other problems found in the same file.
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
        self.more = more


def unreadable(error: InputError) -> BadInput:
    """The *error* of a report, at its place; the sentence is made when somebody reads it, in their language."""
    line, column = (error.line, error.column) if isinstance(error, TrfError) else (0, 0)
    return BadInput("trf.invalid", line=line or None, column=column or None, problem=error)


class Conflict(ServiceError):  # noqa: N818
    """Somebody else changed it in the meantime."""

    status = 409
