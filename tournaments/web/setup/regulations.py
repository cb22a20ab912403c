"""The page with the regulations as text, for the screen, for paper and to be copied."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, gettext as _, override
from django.views.decorators.http import require_safe

from tournaments.core.frame import tournament_frame
from tournaments.models import Tournament
from tournaments.web.access import arbiter_only
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.setup.regulations_text import as_text, regulations_of


@arbiter_only
@require_safe
def regulations(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the regulations in the language of the page, or in another one (``?in=fr``)."""
    language = request.GET.get("in") or get_language() or "en"
    if language not in settings.ARBITER_LANGUAGES:
        language = "en"
    with override(language):
        sections = regulations_of(tournament)
        title = _("Regulations of %(name)s") % {"name": tournament.name}
        text = as_text(sections, title)
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "desk",
        "sections": sections,
        "regulations_title": title,
        "text": text,
        "language": language,
        "languages": settings.ARBITER_LANGUAGES,
    }
    return render(request, "setup/regulations.html", context)
