"""All errors of the API have one shape: ``{"error": {"code", "article", "message", "params"}}``.

    exception                              status   code
    ├── ServiceError   RuleRefused, Conflict    409   its own, with the article if a rule decided
    │                  BadInput                 400   its own; field, line and column among the
    params ├── EngineError    NoLegalPairingError      409   no_legal_pairing, C.04.3 1.9.3 │
              InputError, TrfError     400   its own; line and column among the params │
         InvariantError           500   internal: a bug of ours, logged, nothing saved ├──
    ApiProblem     raised by the API itself   …   its own ├── Http404, PermissionDenied
    404 403   not_found, permission_denied ├── APIException   the framework's            …
    method_not_allowed, throttled, parse_error … ├── DatabaseError  busy, full, away     503
    unavailable, with Retry-After └── anything else                           500   internal

``code`` is for programs and does not change; ``message`` is for people, in the language of the
request.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.functional import Promise
from django.utils.translation import gettext as _, ngettext
from rest_framework import exceptions
from rest_framework.response import Response

from config.unavailable import RETRY_AFTER, is_unavailable, sentence
from pairing.engine.errors import InputError, NoLegalPairingError
from pairing.trf.errors import TrfError
from tournaments.core.errors import BadInput, ServiceError, unreadable
from tournaments.core.messages import input_sentence

logger = logging.getLogger(__name__)


class ApiProblem(exceptions.APIException):
    """An error of the API itself; *message* is a whole sentence, *params* are its values."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str | Promise,
        *,
        wait: int | None = None,
        **params: object,
    ):
        super().__init__(detail=str(message), code=code)
        self.status_code = status
        self.code = code
        self.params = params
        self.wait = wait  # seconds until a retry may succeed, sent as Retry-After


def unknown_tournament(slug: str) -> ApiProblem:
    return ApiProblem(
        404, "tournament.unknown", _("There is no tournament “%s” here.") % slug, slug=slug
    )


def unknown_event(slug: str) -> ApiProblem:
    return ApiProblem(404, "event.unknown", _("There is no event “%s” here.") % slug, slug=slug)


def unknown_round(number: int, total: int) -> ApiProblem:
    text = ngettext(
        "There is no round %(round)s: the tournament has %(total)s round.",
        "There is no round %(round)s: the tournament has %(total)s rounds.",
        total,
    )
    message = text % {"round": number, "total": total}
    return ApiProblem(404, "round.unknown", message, round=number, total=total)


def unknown_parameter(name: str, known: Sequence[str]) -> ApiProblem:
    """Return the error for an unknown parameter; a long *name* is cut:
    it cannot be a typing mistake.
    """
    params = {"name": name[:60], "known": ", ".join(known)}
    if known:
        message = _("“%(name)s” is not a parameter of this address. Known: %(known)s.") % params
    else:
        message = _("“%(name)s” is not a parameter of this address: it has no parameters.") % params
    return ApiProblem(400, "query.unknown", message, name=params["name"], known=list(known))


def not_published(number: int) -> ApiProblem:
    """Return the same error for an unpaired round and for a draft,
    so that visitors cannot detect the draft.
    """
    message = _("The pairings of round %(round)s are not published.") % {"round": number}
    return ApiProblem(404, "round.not_published", message, round=number)


def results_not_published(number: int) -> ApiProblem:
    message = _("The results of round %(round)s are not published.") % {"round": number}
    return ApiProblem(404, "results.not_published", message, round=number)


def answer(exc: Exception, context: Mapping[str, Any]) -> Response:
    """Return the response for *exc*: the exception handler in the framework's settings."""
    match exc:
        case ServiceError():
            return _response(
                exc.status, exc.code, str(exc), article=exc.article, params=_with_place(exc)
            )
        case NoLegalPairingError():
            return _response(409, exc.code, str(exc), article=exc.article)
        case InputError():
            return _response(400, exc.code, _in_place(exc), params=_with_place(exc))
        case ApiProblem():
            headers = {} if exc.wait is None else {"Retry-After": str(exc.wait)}
            return _response(
                exc.status_code, exc.code, str(exc.detail), params=exc.params, headers=headers
            )
        case Http404():
            return _response(404, "not_found", _("There is no page at this address."))
        case PermissionDenied():
            return _response(403, "permission_denied", _("You do not have permission to do this."))
        case exceptions.APIException():
            return _from_framework(exc)
        case _ if is_unavailable(exc):
            logger.error(
                "%s: the database cannot be used: %s", context.get("view"), str(exc).strip()
            )
            return _response(
                503, "unavailable", sentence(), headers={"Retry-After": str(RETRY_AFTER)}
            )
        case _:
            logger.error("%s failed", context.get("view"), exc_info=exc)
            message = _("The program had an error. Nothing was saved. See the log for details.")
            return _response(500, "internal", message)


def _response(
    status: int,
    code: str,
    message: str,
    *,
    article: str = "",
    params: Mapping[str, object] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    body = {
        "code": code,
        "article": article or None,
        "message": message,
        "params": dict(params or {}),
    }
    return Response({"error": _sendable(body)}, status=status, headers=dict(headers or {}))


def _sendable(value: object) -> object:
    """Replace the characters of *value* that UTF-8 cannot encode:
    a message may quote half a surrogate pair.
    """
    match value:
        case str():
            return value.encode("utf-8", "replace").decode("utf-8")
        case dict():
            return {str(key): _sendable(item) for key, item in value.items()}
        case list() | tuple():
            return [_sendable(item) for item in value]
        case None | bool() | int() | float():
            return value
        case _:
            return str(value)


def _in_place(exc: InputError) -> str:
    """Return the sentence of *exc*, after line and column if it has them."""
    return str(unreadable(exc)) if isinstance(exc, TrfError) else input_sentence(exc)


def _with_place(exc: BadInput | TrfError | ServiceError | InputError) -> dict[str, object]:
    """Return the parameters of *exc* with field, line and column if it has them."""
    place = {name: getattr(exc, name, None) for name in ("field", "line", "column")}
    return {**exc.params, **{name: value for name, value in place.items() if value}}


def _from_framework(exc: exceptions.APIException) -> Response:
    headers: dict[str, str] = {}
    params: dict[str, object] = {}
    wait: float | None = getattr(exc, "wait", None)
    if wait is not None:
        params["wait"] = math.ceil(wait)
        headers["Retry-After"] = str(params["wait"])
    codes = exc.get_codes()
    code = codes if isinstance(codes, str) else str(exc.default_code)
    return _response(exc.status_code, code, str(exc.detail), params=params, headers=headers)
