"""The pages for a forbidden (403) or unknown (404) address.

Nobody stores them: it can exist a moment later.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Final

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views import defaults

from tournaments.models import Tournament
from tournaments.web.access import not_to_be_stored

_IN_TOURNAMENT: Final = re.compile(r"/t/([-\w]+)/")


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Handle 403."""
    return not_to_be_stored(defaults.permission_denied(request, exception))


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Handle 404: lead back to the tournament of the address, if there is one."""
    return not_to_be_stored(
        render(request, "404.html", {"tournament": _tournament_of(request)}, status=404)
    )


def _tournament_of(request: HttpRequest) -> Tournament | None:
    """Return the tournament in whose addresses *request* looked; everybody may see its overview.

    At most one query.
    """
    found = _IN_TOURNAMENT.match(request.path_info)
    if found is None:
        return None
    with suppress(DatabaseError):  # the page is sent without the link
        return Tournament.objects.only("slug", "name").filter(slug=found[1]).first()
    return None
