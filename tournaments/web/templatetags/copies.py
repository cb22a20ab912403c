"""What pages of arbiters say about the automatic copies of the site."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.conf import settings

from tournaments.site.backups import state
from tournaments.site.backups.sentences import sentence

register = template.Library()


@register.inclusion_tag("shared/_copies.html")
def copies(*, newest: bool = False) -> dict[str, object]:
    """Return what failed; or, for *newest*, when the newest copy was made."""
    found = state.read()
    last = found.last
    if newest and found.problem is not None:
        return {}
    return {
        "newest": newest,
        "problem": sentence(found.problem),
        "since": _moment(found.problem.since) if found.problem else None,
        "last": last,
        "second": sentence(found.second_problem) if settings.BACKUP_DIR else "",
        "second_folder": settings.BACKUP_DIR,
        "second_at": _moment(found.second_at),
    }


def _moment(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
