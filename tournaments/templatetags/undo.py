"""The offer to undo the action that a message confirms."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import RequestContext
from django.utils import timezone

from pairing.rules.undo import OFFERED_FOR
from tournaments.core.frame import Frame
from tournaments.desk.undo import offered_undo
from tournaments.models import Action

register = template.Library()


@register.inclusion_tag("shared/_undo_offer.html", takes_context=True)
def undo_offer(context: RequestContext) -> dict[str, Any]:
    """Offer the undo of the user's newest action, for ten minutes. No query outside a tournament; otherwise two."""
    request, frame = context.get("request"), context.get("frame")
    if request is None or not isinstance(frame, Frame) or not request.user.is_authenticated:
        return {}
    line = offered_undo(frame, request.user, now=timezone.now())
    if line is None:
        return {}
    stays = request.method == "GET" and line.action != Action.ENTRY_ADDED
    return {
        "line": line,
        "tournament": frame.tournament,
        "offered_until": line.at + OFFERED_FOR,
        "back": request.get_full_path() if stays else "",
        "csrf_token": context.get("csrf_token"),
    }
