"""The files for an event's mirror: sections with links, and all their players.

A section that is not in the public list is not there: neither its name nor its players, nor how
many such sections there are.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from tournaments.core.build import build
from tournaments.core.errors import BadInput
from tournaments.events.event_page import event_key, players_of, sections_of
from tournaments.models import Action, Decision, Event, Section, Tournament
from tournaments.site.mirrors.manifest import FOLDERS, Export, Manifest
from tournaments.site.mirrors.sources import Version, link_between, source_of
from tournaments.web.events.public import shown_event
from tournaments.web.mirror.addresses import file_of, mirror_languages
from tournaments.web.mirror.static_files import StaticFiles, entrances
from tournaments.web.public_page import request_for

INDEX: Final = "index.html"
PLAYERS: Final = "players.html"
SCRIPTS: Final = ("js/app.js", "js/event_players.js", "js/mirror.js")
MODULES: Final = ("js/common.js", "js/names.js")
_OF_TOURNAMENT: Final = re.compile(r"/t/([-a-zA-Z0-9_]+)/")


def version_of(pk: int, now: datetime) -> Version:
    """Return what the mirror of the event *pk* shows to visitors."""
    export = export_of(Event.objects.get(pk=pk))
    return Version(f"{export.manifest.state} {build()}", lambda: export)


def export_of(event: Event) -> Export:
    """Return *event* as visitors see it now. Its ``version`` is the sum of those of the sections.

    ``BadInput`` if something was published meanwhile. Eight queries, and one for each section.
    """
    sections = sections_of(event)
    listed = [section for section in sections if section.tournament.listed]
    statics = StaticFiles(SCRIPTS, MODULES)
    pages = _pages(event, listed, statics)
    line, version = _line(sections)
    if event_key(sections_of(event), runs=False) != event_key(sections, runs=False):
        raise BadInput("mirror.moving")
    state = hashlib.sha256(b"".join(pages[name] for name in sorted(pages))).hexdigest()[:16]
    return Export(
        Manifest(
            tournament=event.identity,
            name=event.name,
            version=version,
            state=state,
            line=line,
            build=build(),
        ),
        pages=pages,
        files=statics.files(),
        entrances=entrances((INDEX,), name=event.name, listed=bool(listed)),
        news={"key": state},
    )


def _pages(event: Event, sections: Sequence[Section], statics: StaticFiles) -> dict[str, bytes]:
    """Return the pages of *event* with the *sections* that are in the public list."""
    address_of_event = reverse("event", args=[event.slug])
    to_sections = {
        each.tournament.slug: _link_to_section(event, each.tournament) for each in sections
    }
    templates = {INDEX: "events/event.html", PLAYERS: "mirror/players.html"}
    context = {
        "event": event,
        "sections": sections,
        "is_unlisted": not sections,
        "players": players_of(sections),
    }
    pages = {}
    for language in mirror_languages():

        def link(address: str, language: str = language) -> str | None:
            if address == address_of_event:
                return INDEX
            found = _OF_TOURNAMENT.search(address)
            to_section = to_sections.get(found[1]) if found else None
            name = file_of(address, found[1]) if found else None
            return to_section(f"{language}/{name}") if to_section and name else None

        with translation.override(language):
            for name, template in templates.items():
                shown = shown_event(event, sections) if name == INDEX else context
                request = request_for(address_of_event)
                html = render_to_string(template, {**shown, "search_at": PLAYERS}, request=request)
                body = statics.page(
                    html, link, identity=event.identity, language=language, name=name
                )
                pages[f"{language}/{name}"] = body
    return pages


def _link_to_section(event: Event, tournament: Tournament) -> Callable[[str], str | None]:
    """Return how pages of *event* lead to its section's page: None if it is not sent yet."""
    store = source_of(tournament).store
    chosen, state = store.settings, store.state
    root = link_between(source_of(event).store.settings, chosen, tournament.slug)
    sent = store.sent(chosen.destination) if root is not None and state.folder in FOLDERS else {}

    def link(page: str) -> str | None:
        path = f"{state.folder}/{page}"
        if root is None or path not in sent:
            return None
        return f"{root}{path}" if "://" in root else f"../../{root}{path}"

    return link


def _line(sections: Sequence[Section]) -> tuple[str, int]:
    """Return what the record here must contain to replace the pages,
    and the sum of the public versions.

    Both are of the sections that are or were in the public list. For one that was removed from it,
    the line names the removal, and nothing that happened later.
    """
    listings = Decision.objects.filter(
        tournament__in=[section.tournament_id for section in sections],
        action__in=(Action.TOURNAMENT_LISTED, Action.TOURNAMENT_UNLISTED),
    ).order_by("sequence")
    newest = dict(listings.values_list("tournament_id", "hash"))
    lines, version = [], 0
    for tournament in (section.tournament for section in sections):
        fingerprint = (
            tournament.public_fingerprint if tournament.listed else newest.get(tournament.pk, "")
        )
        if fingerprint:
            lines.append(f"{tournament.identity}:{fingerprint}")
            version += tournament.public_version if tournament.listed else 0
    return " ".join(sorted(lines)), version
