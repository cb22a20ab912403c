"""The address at which a phone switches its notifications on and off.

It answers the script of the page only (``static/js/push.js``): without scripts no browser has
notifications.
"""

from __future__ import annotations

import json
from typing import Any, Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import get_language, gettext as _
from django.views.decorators.http import require_http_methods

from config.middleware import client_address
from tournaments.core.errors import ServiceError
from tournaments.core.push_services import LONGEST_ADDRESS
from tournaments.core.request_limits import PUSH, count_request
from tournaments.core.web_push import public_key
from tournaments.models import Tournament
from tournaments.web.access import not_to_be_stored
from tournaments.web.events.followed import MOST_FOLLOWED
from tournaments.web.push.subscriptions import Wanted, subscribe, unsubscribe

MOST_BYTES: Final = 8_000


@require_http_methods(["GET", "HEAD", "POST"])
def push(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the key of this site, with which a browser subscribes; POST saves what it got, or with
    ``off`` forgets it. 404 where notifications are switched off.

    POST is JSON: ``endpoint``, ``p256dh``, ``auth``, ``own`` and ``players``. It answers with the
    number of players, 422 for anything else, and 409 with the reason if there is nothing to send.
    """
    if not settings.PUSH:
        raise Http404
    tournament = get_object_or_404(Tournament.objects.select_related("section__event"), slug=slug)
    if request.method != "POST":
        content = {"key": public_key(), "token": get_token(request)}
        return not_to_be_stored(JsonResponse(content))
    try:
        values = _values(request)
        count_request(PUSH, client_address(request), now=timezone.now())
        if values.get("off"):
            unsubscribe(tournament, _text(values, "endpoint"))
            return not_to_be_stored(JsonResponse({"players": 0}))
        count = subscribe(tournament, _wanted(values), timezone.now())
    except (ValueError, RecursionError):
        return _refused(_("This phone could not be registered for notifications."), 422)
    except ServiceError as error:
        return _refused(str(error), error.status, error.code)
    return not_to_be_stored(JsonResponse({"players": count}))


def _values(request: HttpRequest) -> dict[str, Any]:
    if len(request.body) > MOST_BYTES:
        raise ValueError("too long")
    values = json.loads(request.body)
    if not isinstance(values, dict):
        raise ValueError("no object")
    return values


def _wanted(values: dict[str, Any]) -> Wanted:
    players, own = values.get("players", []), values.get("own")
    if not isinstance(players, list):
        raise ValueError("no list")
    return Wanted(
        _text(values, "endpoint"),
        _text(values, "p256dh"),
        _text(values, "auth"),
        get_language() or settings.LANGUAGE_CODE,
        None if own is None else _number(own),
        [_number(each) for each in players[:MOST_FOLLOWED]],
    )


def _text(values: dict[str, Any], name: str) -> str:
    text = values.get(name)
    if not isinstance(text, str) or len(text) > LONGEST_ADDRESS or "\0" in text:
        raise ValueError(name)
    return text


def _number(value: object) -> int:
    if type(value) is not int or not 0 < value < 2**53:
        raise ValueError("no number of an entry")
    return value


def _refused(text: str, status: int, code: str = "") -> HttpResponse:
    return not_to_be_stored(JsonResponse({"problem": text, "code": code}, status=status))
