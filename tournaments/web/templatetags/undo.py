"""The offer to undo the action that a message confirms."""

from __future__ import annotations

from typing import Any

from django import template
from django.contrib.messages.storage.base import Message
from django.template import RequestContext
from django.utils import timezone

from pairing.rules.undo import OFFERED_FOR
from tournaments.core.frame import Frame
from tournaments.core.message_lines import fingerprint_of
from tournaments.desk.undo import offered_undo
from tournaments.models import Action

register = template.Library()


@register.inclusion_tag("shared/_undo_offer.html", takes_context=True)
def undo_offer(context: RequestContext, message: Message) -> dict[str, Any]:
    """Offer the undo of the action that *message* confirms, for ten minutes.

    No query outside a tournament, or if *message* confirms no action; otherwise two.
    """
    request, frame = context.get("request"), context.get("frame")
    if request is None or not isinstance(frame, Frame) or not request.user.is_authenticated:
        return {}
    fingerprint = fingerprint_of(message)
    if not fingerprint:
        return {}
    line = offered_undo(frame, request.user, now=timezone.now(), fingerprint=fingerprint)
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
