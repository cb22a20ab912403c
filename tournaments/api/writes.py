"""``If-Match`` and ``Idempotency-Key`` of every write of the API.

:class:`~tournaments.api.views.KnownQuery` wraps each unsafe method of its subclasses in
:func:`guarded`, so no address can forget them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import timedelta
from functools import wraps
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments.core.build import build
from tournaments.core.frame import state_key, state_of
from tournaments.core.page_store import State
from tournaments.core.permissions import may_read
from tournaments.models import Event, StoredAnswer, Tournament

from .errors import ApiProblem

UNSAFE: Final = ("post", "put", "patch", "delete")
KEY_HEADER: Final = "Idempotency-Key"
LONGEST_KEY: Final = 255
KEPT: Final = timedelta(hours=24)
NOT_STORED: Final = frozenset({401, 403, 412, 429})
"""Refusals of the person or of the moment: the same request may succeed later."""
_KEY: Final = re.compile(rf"[\x21-\x7e]{{1,{LONGEST_KEY}}}")

Handler = Callable[..., Response]
GUARDED: Final[set[Handler]] = set()
"""Every method that :func:`guarded` has returned, for the test that walks over all addresses."""


def etag(tournament: Tournament, *, runs: bool, unrecorded: str = "") -> str:
    """Return a tag for the state of *tournament*, the reader's role and the build,
    which decides the words.

    That of visitors is weak: their answer may be compressed. *unrecorded* is what else the answer
    depends on for arbiters, because no line of the record has it.
    """
    if not runs:
        return public_etag(state_of(tournament))
    more = f".{hashlib.sha256(unrecorded.encode()).hexdigest()[:16]}" if unrecorded else ""
    return f'"{tournament.pk}.{state_key(tournament, runs=True)}{more}.arbiter.{build()}"'


def public_etag(state: State) -> str:
    """Return the tag for visitors."""
    return f'W/"{state.owner}.{state.key}.public.{build()}"'


def guarded(handler: Handler) -> Handler:
    """Return *handler*, an unsafe method of a view, with ``If-Match`` and ``Idempotency-Key``.

    With one of the headers it runs in one transaction, which holds the tournament in the address.
    If that has another tag, nothing is saved and the answer is 412. A repeated key gets the first
    answer again, with another body 422; a repetition that comes meanwhile waits for that answer.
    """

    @wraps(handler)
    def method(view: Any, request: Request, *args: Any, **kwargs: Any) -> Response:
        key = _key_of(request)
        if key is None and not {"If-Match", "If-None-Match"} & set(request.headers):
            return handler(view, request, *args, **kwargs)

        def run() -> Response:
            return _on_condition(view, request, lambda: handler(view, request, *args, **kwargs))

        if key is None:
            with _transaction(view):
                return run()
        return _once(view, request, key, run)

    GUARDED.add(method)
    return method


def _transaction(view: Any) -> AbstractContextManager[Any]:
    # The engine works for seconds and saves nothing: it must not hold up those who write.
    return nullcontext() if view.saves_nothing else transaction.atomic()


def _on_condition(view: APIView, request: Request, run: Callable[[], Response]) -> Response:
    """Return the answer of *run*, or raise 412 if ``If-Match`` names another state.

    For people without a role *run* decides first: they get its 403, as without the header
    [RFC 9110 13.2.1]. Then the caller's transaction ends without saving anything.
    """
    tournament = _locked(view.kwargs["slug"]) if "slug" in view.kwargs else None
    runs = tournament is not None and may_read(request.user, tournament)
    tag = etag(tournament, runs=runs) if tournament else None
    fails = not _matches(request, tag)
    if not (fails and runs):
        response = run()
        if not fails:
            return response
    raise ApiProblem(412, "precondition_failed", _("The tournament has changed in the meantime."))


def _matches(request: Request, tag: str | None) -> bool:
    given = request.headers.get("If-Match")
    if given is not None and not parse_etags(given):
        return False  # Django takes a tag without quotation marks as no condition at all.
    return get_conditional_response(request._request, etag=tag) is None


def _locked(slug: str) -> Tournament | None:
    """Lock the tournament at *slug*; None if there is none.

    Its event and the other sections first, in the order in which a hand-over locks them: two
    requests never wait for each other.
    """
    row = Tournament.objects.filter(slug=slug).values_list("pk", "section__event").first()
    if row is None:
        return None
    wanted, event = row
    ids = [wanted]
    if event is not None:
        list(Event.objects.select_for_update().filter(pk=event))
        ids = list(Tournament.objects.filter(section__event=event).values_list("pk", flat=True))
    rows = Tournament.objects.select_for_update(of=("self",)).filter(pk__in=ids).order_by("pk")
    return next((each for each in rows if each.pk == wanted), None)


def _key_of(request: Request) -> str | None:
    """Return the key of *request*, or None; visitors have none, because they save nothing."""
    given = request.headers.get(KEY_HEADER)
    if given is None:
        return None
    if not _KEY.fullmatch(given):
        message = _("%(name)s must have 1 to %(most)s characters of ASCII without spaces.")
        values: dict[str, Any] = {"name": KEY_HEADER, "most": LONGEST_KEY}
        raise ApiProblem(400, "idempotency.invalid", message % values, **values)
    return given if request.user.is_authenticated else None


def _once(view: Any, request: Request, key: str, run: Callable[[], Response]) -> Response:
    """Return the answer stored under *key*, or that of *run*,
    which is stored with what it has saved.

    Instead of an answer with secrets, which are given once, its ``data_to_store`` is stored.
    """
    now, user = timezone.now(), request.user
    assert isinstance(user, User)
    digest = _digest(request.data)
    StoredAnswer.objects.filter(at__lt=now - KEPT).delete()
    row = StoredAnswer(
        account=user,
        key=hashlib.sha256(
            f"{request.method} {request.get_full_path()}\n{key}".encode()
        ).hexdigest(),
        address=request.path_info[:255],
        digest=digest,
        at=now,
    )
    same = StoredAnswer.objects.filter(account=user, key=row.key)
    with _transaction(view):
        if not view.saves_nothing:
            # PostgreSQL waits here for a request with the same key; on SQLite nobody else writes.
            StoredAnswer.objects.bulk_create([row], ignore_conflicts=True)
        first = same.first()
        if first is not None and first.digest != digest:
            message = _("This key was used with another body. Send another request with a new key.")
            raise ApiProblem(422, "idempotency.other_body", message)
        if first is not None and first.status:
            return Response(json.loads(first.body), status=first.status, headers=first.headers)
        response = _answer(view, run)
        if response.status_code >= 500 or response.status_code in NOT_STORED:
            if not view.saves_nothing:
                transaction.set_rollback(True)
            return response
        row.status, row.headers = response.status_code, dict(response.headers)
        row.body = JSONRenderer().render(getattr(response, "data_to_store", response.data)).decode()
        if view.saves_nothing:
            StoredAnswer.objects.bulk_create([row], ignore_conflicts=True)
        else:
            same.update(status=row.status, headers=row.headers, body=row.body)
        return response


def _answer(view: Any, run: Callable[[], Response]) -> Response:
    """Return the answer of *run*; a refusal becomes an answer, and *run* has then saved nothing."""
    try:
        with _transaction(view):
            return run()
    except Exception as error:
        response: Response = view.handle_exception(error)
        return response


def _digest(data: object) -> str:
    """Return the SHA-256 of a body that was read: bytes, or the values of JSON."""
    raw = data if isinstance(data, bytes) else json.dumps(data, sort_keys=True).encode()
    return hashlib.sha256(raw).hexdigest()
