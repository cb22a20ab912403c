"""The list of tournaments."""

from __future__ import annotations

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.core.permissions import may_create
from tournaments.models import Event
from tournaments.setup.tournament_list import tournament_list
from tournaments.web.access import not_to_be_stored


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """List every tournament, the newest first."""
    response = render(
        request,
        "home.html",
        {
            "cards": tournament_list(request.user),
            "events": Event.objects.annotate(n=Count("sections")).order_by("-pk"),
            "may_create": may_create(request.user),
        },
    )
    return not_to_be_stored(response) if request.user.is_authenticated else response
