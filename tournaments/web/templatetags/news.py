"""The status bar of public pages: where their script looks for news, and the words it uses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import template

register = template.Library()

WITH_NEWS: Final = frozenset({
    "tournament", "me", "offline", "players", "pairings-public", "why-public", "round-codes", "standings",
    "standings-after", "player-standing", "player-page", "crosstable", "progress", "forecast", "prizes", "record",
    "fingerprints", "against-engine", "published-lists", "published-list", "open-games",
    "live-results", "follow", "player-groups",
})  # fmt: skip
"""The names of the public pages of a tournament."""


@register.inclusion_tag("shared/_news_bar.html", takes_context=True)
def news_bar(context: Mapping[str, Any]) -> dict[str, object]:
    """Return what the bar of a public page needs; nothing on all other pages."""
    request = context.get("request")
    match = getattr(request, "resolver_match", None)
    if "digest" in context and match is not None and match.url_name in ("event", "follow"):
        return {"event": context["event"], "digest": context["digest"]}
    if "frame" not in context or match is None or match.url_name not in WITH_NEWS:
        return {}
    return {"frame": context["frame"]}
