"""The files for the mirror of an event: its sections with links to their mirrors, and the players of all of them.

A section that is not in the public list is not there: neither its name nor its players, nor how many such sections
there are.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any, Final

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from tournaments.core.build import build
from tournaments.core.errors import BadInput
from tournaments.events.event_page import event_key, players_of, sections_of
from tournaments.mirrors.pushing import Snapshot
from tournaments.mirrors.ways import way_to_section
from tournaments.models import Action, Decision, Event, Section
from tournaments.web.events.public import shown_event
from tournaments.web.mirror.names import file_of, language_of
from tournaments.web.mirror.snapshot import state_of
from tournaments.web.mirror.static_page import static_page
from tournaments.web.mirror.statics import Statics, entrances
from tournaments.web.public_page import request_for

INDEX: Final = "index.html"
PLAYERS: Final = "players.html"
SCRIPTS: Final = ("js/app.js", "js/event_players.js", "js/mirror.js")
MODULES: Final = ("js/elements.js", "js/names.js", "js/site_time.js", "js/storage.js")
_OF_TOURNAMENT: Final = re.compile(r"/t/([-a-zA-Z0-9_]+)/")


def snapshot_of(event: Event) -> Snapshot:
    """Return the mirror of *event* as visitors see it now. Its ``version`` is the sum of those of the sections.

    ``BadInput`` if something was published meanwhile. Eight queries, and one for each section.
    """
    sections = sections_of(event)
    site = _Pages(event, [section for section in sections if section.tournament.listed])
    pages: dict[str, bytes] = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            pages[f"{language}/{INDEX}"] = site.index(language)
            pages[f"{language}/{PLAYERS}"] = site.players(language)
    line, version = _line(sections)
    if event_key(sections_of(event), runs=False) != event_key(sections, runs=False):
        raise BadInput("mirror.moving")
    state = hashlib.sha256(b"".join(pages[name] for name in sorted(pages))).hexdigest()[:16]
    return Snapshot(
        tournament=event.identity,
        name=event.name,
        version=version,
        state=state,
        line=line,
        build=build(),
        pairings=0,
        results=0,
        pages=pages,
        files=site.statics.files(),
        entrances=lambda folder: entrances((INDEX,), folder, name=event.name, listed=bool(site.sections)),
        news=lambda counter: json.dumps({"key": state, "n": counter}, separators=(",", ":")).encode(),
    )


class _Pages:
    """The pages of *event* with the *sections* that are in the public list."""

    def __init__(self, event: Event, sections: Sequence[Section]) -> None:
        self.sections = sections
        self.statics = Statics(SCRIPTS, MODULES)
        self._event = event
        self._address = reverse("event", args=[event.slug])
        self._ways = {each.tournament.slug: way_to_section(event, each.tournament) for each in sections}
        self._players = players_of(sections)

    def index(self, language: str) -> bytes:
        context = {**shown_event(self._event, self.sections), "search_at": PLAYERS}
        return self._file("events/event.html", context, language, INDEX)

    def players(self, language: str) -> bytes:
        context = {
            "event": self._event,
            "sections": self.sections,
            "is_unlisted": not self.sections,
            "players": self._players,
            "search_at": PLAYERS,
        }
        return self._file("mirror/players.html", context, language, PLAYERS)

    def _file(self, template: str, context: dict[str, Any], language: str, name: str) -> bytes:
        html = render_to_string(template, context, request=request_for(self._address))

        def link(address: str) -> str | None:
            if path := self.statics.path(address):
                return f"../../{path}"
            if address == self._address:
                return INDEX
            if code := language_of(address):
                return f"../{code}/{name}"
            return self._to_section(address, language)

        return static_page(html, link, self.statics.keeps, state_of(self._event.identity, language, name)).encode()

    def _to_section(self, address: str, language: str) -> str | None:
        """Return where the page of a section at *address* is; None if its mirror does not have it."""
        found = _OF_TOURNAMENT.search(address)
        way = self._ways.get(found[1]) if found else None
        name = file_of(address, found[1]) if found else None
        path = way.to(language, name) if way and name else None
        return path if path is None or "://" in path else f"../../{path}"


def _line(sections: Sequence[Section]) -> tuple[str, int]:
    """Return what the record here must contain to replace the pages, and the sum of the public versions.

    Both are of the sections that are or were in the public list. For one that was removed from it, the line names the
    removal, and nothing that happened later.
    """
    listings = Decision.objects.filter(
        tournament__in=[section.tournament_id for section in sections],
        action__in=(Action.TOURNAMENT_LISTED, Action.TOURNAMENT_UNLISTED),
    ).order_by("sequence")
    newest = dict(listings.values_list("tournament_id", "hash"))
    lines, version = [], 0
    for tournament in (section.tournament for section in sections):
        fingerprint = tournament.public_fingerprint if tournament.listed else newest.get(tournament.pk, "")
        if fingerprint:
            lines.append(f"{tournament.identity}:{fingerprint}")
            version += tournament.public_version if tournament.listed else 0
    return " ".join(sorted(lines)), version
