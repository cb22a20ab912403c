"""What the public page of an event shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tournaments.events.event_page import MOST_HITS, event_key, frames, players_of, public_state
from tournaments.events.registration.opening import event_is_offered
from tournaments.models import Event, Section
from tournaments.standings.standings import winners_of
from tournaments.web.news import event_digest
from tournaments.web.not_found import not_found


def shown_event(event: Event, sections: Sequence[Section], search: str = "") -> dict[str, Any]:
    """Return the context of ``events/event.html`` for *sections*.

    One query, one for each section, one for a search; those of the standings for a section that is
    over, unless the store has them.
    """
    key = event_key(sections, runs=False)
    found = players_of(sections, search) if search else []
    return {
        "event": event,
        "logo_of": next((each.tournament for each in sections if each.tournament.logo), None),
        "sections": [
            {
                "section": section,
                "frame": frame,
                "state": public_state(frame),
                "winners": winners_of(frame) if frame.is_over else [],
            }
            for section, frame in zip(sections, frames(sections), strict=True)
        ],
        "q": search,
        "is_unlisted": not any(section.tournament.listed for section in sections),
        "registration": event_is_offered(sections),
        "hits": found[:MOST_HITS],
        "not_found": not_found([each.entry for each in found], search),
        "key": key,
        "digest": event_digest(key),
    }
