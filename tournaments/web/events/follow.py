"""The players that somebody follows: a page with a card for each, whose address is the list.

The list itself stays on the phone (``static/js/follow.js``): there is no account. Without scripts
the address is the list, so a bookmark keeps it.
"""

from __future__ import annotations

import re
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournaments.core.frame import state_now, tournament_frame
from tournaments.core.page_store import EVENT
from tournaments.core.public_address import printed_address
from tournaments.core.qr_codes import qr_path
from tournaments.events.event_page import MOST_HITS, event_key, players_of, sections_of
from tournaments.models import Event, Tournament
from tournaments.web.access import not_to_be_stored
from tournaments.web.events.followed import MOST_FOLLOWED, followed_players, players_found
from tournaments.web.htmx import HtmxHttpRequest, page_or_partial
from tournaments.web.news import event_digest
from tournaments.web.not_found import not_found
from tournaments.web.public_page import stored_for_visitors, words

_NUMBER: Final = re.compile(r"[0-9]{1,15}")
_MOST_LETTERS: Final = 16 * MOST_FOLLOWED


def entry_ids(text: str) -> str:
    """Return the ids of entries in *text* in one order, with a dot between two."""
    numbers = sorted({int(each) for each in _NUMBER.findall(text[:_MOST_LETTERS])})
    return ".".join(map(str, numbers[:MOST_FOLLOWED]))


@require_safe
def follow(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a card for each player of ``?p=``, in the order of the boards, and find others.

    It shows players of all sections of the event, so it is rendered once for each of their states.
    With ``?v=`` of the newest one 204.
    """
    tournament = get_object_or_404(Tournament.objects.select_related("section__event"), slug=slug)
    key = _key(tournament)
    if request.headers.get("HX-Request") == "true" and request.GET.get("v") == key:
        return not_to_be_stored(HttpResponse(status=204))
    return stored_for_visitors(
        request,  # type: ignore[arg-type]  # the middleware of htmx has been there
        f"{EVENT}followed-{tournament.pk}",
        key,
        lambda: _key(tournament),
        lambda reader: _page(reader, tournament, key),
        p=entry_ids,
        q=words,
    )


def _key(tournament: Tournament) -> str:
    """Return the key of the news that the page asks for: of the event, or of the tournament."""
    section = getattr(tournament, "section", None)
    if section is not None:
        return event_digest(event_key(sections_of(section.event), runs=False))
    state = state_now(tournament.slug)
    return state.key if state is not None else ""


def _page(request: HtmxHttpRequest, tournament: Tournament, key: str) -> HttpResponse:
    chosen = request.GET.get("p", "")
    search = request.GET.get("q", "")
    numbers = [int(each) for each in chosen.split(".") if each]
    here = reverse("follow", args=[tournament.slug])
    found = players_found(tournament, search) if search else []
    request.finds = bool(found) or not search
    known = set(numbers)
    context: dict[str, Any] = {
        "frame": tournament_frame(tournament, runs=False),
        "section": "me",
        "push_is_on": settings.PUSH,
        "cards": followed_players(tournament, numbers),
        "p": chosen,
        "q": search,
        "found": [(each, _with(chosen, each.entry.pk)) for each in found[:MOST_HITS]],
        "found_ids": ".".join(str(each.entry.pk) for each in found[:MOST_FOLLOWED]),
        "more": len(found) - MOST_HITS,
        "not_found": not_found([each.entry for each in found], search),
        "total": len(found),
        "all_of_them": _with(chosen, *(each.entry.pk for each in found)),
        "are_new": any(each.entry.pk not in known for each in found),
        "key": key,
    }
    if (section := getattr(tournament, "section", None)) is not None:
        context |= {"event": section.event, "digest": key}
    if chosen and (address := printed_address(f"{here}?p={chosen}")):
        context["address"] = address
        context["modules"], context["path"] = qr_path(address)
    return page_or_partial(request, "events/follow.html", "live", context)


def _with(chosen: str, *others: int) -> str:
    return entry_ids(".".join([chosen, *map(str, others)]))


@require_safe
def me(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for the name once for all sections of an event, and lead to *My board* of the section.

    A phone that has chosen a player in a section goes there by itself.
    """
    event = get_object_or_404(Event, slug=slug)
    sections = sections_of(event)
    key = event_key(sections, runs=False)

    def render_for(reader: HtmxHttpRequest) -> HttpResponse:
        search = reader.GET.get("q", "")
        found = [each for each in players_of(sections, search) if each.entry.tpn] if search else []
        reader.finds = bool(found)
        context = {
            "event": event,
            "sections": sections,
            "q": search,
            "hits": found[:MOST_HITS],
            "not_found": not_found([each.entry for each in found], search),
            "digest": event_digest(key),
        }
        return render(reader, "events/me.html", context)

    return stored_for_visitors(
        request,  # type: ignore[arg-type]  # as above
        f"{EVENT}me-{event.pk}",
        key,
        lambda: event_key(sections_of(event), runs=False),
        render_for,
        q=words,
    )
