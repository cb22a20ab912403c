"""Expel a player."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.core.permissions import Power
from tournaments.entries.expulsion import entry_expel
from tournaments.models import Entry, Tournament
from tournaments.web.access import page, who_and_when
from tournaments.web.action_form import do
from tournaments.web.announced_boards import announced_but_gone
from tournaments.web.entries.entries import entry_page
from tournaments.web.htmx import HtmxHttpRequest


@page(write=(Power.DECIDE,))
@require_POST
def expel(request: HtmxHttpRequest, tournament: Tournament, entry_id: int) -> HttpResponse:
    """Expel the participant, with the ``reason``."""
    entry = get_object_or_404(Entry, tournament=tournament, pk=entry_id)
    return do(
        request,
        lambda: entry_expel(
            entry_id=entry.pk, **who_and_when(request), reason=request.POST.get("reason", "")
        ),
        done=_("%(name)s is expelled and left out of the standings.") % {"name": entry.real_name},
        warning=lambda: announced_but_gone(tournament, [entry.pk]),
        to=reverse("entry-edit", args=[tournament.slug, entry.pk]),
        refused=lambda problem: entry_page(request, tournament, entry, problem=problem),
    )
