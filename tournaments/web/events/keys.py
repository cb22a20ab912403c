"""The finder of an event, and the list of its keys."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from pairing.rules.names import begins, search_words, words_of
from tournaments.core.permissions import POWERS, Power
from tournaments.desk.find import find_in_event
from tournaments.events.event_page import own_tournaments
from tournaments.models import Event, Section
from tournaments.web.access import arbiter
from tournaments.web.events.access import event_page
from tournaments.web.events.navigation import EventDestination, EventKeys
from tournaments.web.htmx import HtmxHttpRequest, page_or_partial
from tournaments.web.keys import LONGEST, Hit, KeyPart, number_found, page_of_player, parts_on
from tournaments.web.rounds.result_keys import KeyLine
from tournaments.web.verb_lines import find_event_verbs, in_section


@event_page(*Power)
@require_safe
def find(request: HtmxHttpRequest, event: Event, sections: list[Section]) -> HttpResponse:
    """Show players of all sections and pages that fit ``q``; htmx gets the list alone."""
    keys = EventKeys(event, sections, arbiter(request))
    typed = request.GET.get("q", "")[:LONGEST]
    own = own_tournaments(sections, arbiter(request))
    players, in_all = find_in_event([section.tournament for section in sections], typed, own=own)
    at = {
        section.tournament_id: (section, role)
        for section, role in zip(sections, keys.roles, strict=True)
    }
    hits = []
    for tournament_id, player in players:
        section, role = at[tournament_id]
        address = reverse(
            page_of_player(POWERS[role] if role else ()),
            args=[section.tournament.slug, player.entry_id],
        )
        about = in_section(section, player.apart)
        hits.append(Hit(address, player.name, title=player.title, about=about))
    destinations = _fitting(keys.destinations, typed)
    hits += [
        Hit(place.url, place.label, about=_("page"), letter=place.letter) for place in destinations
    ]
    hits += [
        Hit(line.url, line.label, about=line.about)
        for line in find_event_verbs([*zip(sections, keys.roles, strict=True)], typed, own)
    ]
    context = {
        "event": event,
        "q": typed,
        "find_url": keys.find_url,
        "hits": hits,
        "number_found": number_found(len(hits), in_all - len(players)) if typed.strip() else "",
    }
    return page_or_partial(request, "keys/find.html", "found", context)


def _fitting(destinations: list[EventDestination], typed: str) -> list[EventDestination]:
    """Return the pages with title words that begin as *typed*; without it those with letters."""
    wanted = search_words(typed)
    if not wanted:
        return [place for place in destinations if place.letter]
    return [place for place in destinations if begins(words_of(place.label), wanted)]


@event_page(*Power)
@require_safe
def keys(request: HtmxHttpRequest, event: Event, sections: list[Section]) -> HttpResponse:
    """List the keys of the page ``on`` of an event and of all its pages."""
    own = EventKeys(event, sections, arbiter(request))
    there = [
        KeyLine((place.letter,), place.label, after=True)
        for place in own.destinations
        if place.letter
    ]
    everywhere = KeyPart(
        _("On every page of the event"),
        (
            KeyLine(("/",), _("find a player or a page; ↓ and ↑ choose, ⏎ opens")),
            KeyLine(
                (_("Ctrl"), "K"),
                _("the same, also while you type, on result entry and at check-in"),
            ),
            KeyLine(("?",), _("list the keys of this page")),
            KeyLine((_("Esc"),), _("close the finder or the list")),
            KeyLine(("g",), _("then a letter: go to a page; a digit: go to a section")),
            *there,
        ),
    )
    context = {"event": event, "parts": [*parts_on(request, own.powers), everywhere]}
    return page_or_partial(request, "keys/keys.html", "list", context)
