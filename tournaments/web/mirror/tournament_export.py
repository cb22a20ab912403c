"""All files of a tournament's mirror: pages in every language, styles and scripts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from html import unescape
from typing import Final

from django.http import Http404
from django.urls import reverse
from django.utils import translation

from tournaments.core.build import build
from tournaments.core.errors import BadInput
from tournaments.core.frame import Frame, is_still, tournament_frame
from tournaments.core.public_address import printed_address
from tournaments.models import Tournament
from tournaments.setup.logo import logo_file
from tournaments.site.mirrors.manifest import FOLDERS, Export, Manifest, lists_of
from tournaments.site.mirrors.sources import Version, folder_of_event, link_between, source_of
from tournaments.web import news
from tournaments.web.mirror.addresses import file_of, mirror_languages
from tournaments.web.mirror.static_files import StaticFiles, entrances
from tournaments.web.public_page import body_of

SCRIPTS: Final = ("js/app.js", "js/me.js", "js/mirror.js")
"""The scripts of the pages; the others need the server."""
MODULES: Final = ("js/common.js", "js/follow.js", "js/names.js")
"""Scripts that the others import by their plain names."""
ENTRANCES: Final = ("index.html", "me.html")
"""The pages at the root: addresses that stay the same."""
_LINK: Final = re.compile(r'\shref="(/[^"]*)"')


def version_of(pk: int, now: datetime) -> Version:
    """Return what the mirror of the tournament *pk* shows to visitors."""
    tournament = Tournament.objects.select_related("section__event").get(pk=pk)
    frame = tournament_frame(tournament, runs=False, now=now)
    event = link_to_event(tournament)
    shown = f"{frame.state.key} {build()} {printed_address('/')} {event or ''}".rstrip()
    return Version(shown, partial(export_of, frame, event))


def link_to_event(tournament: Tournament) -> str | None:
    """Return where the event's mirror is, from the root of that of *tournament*, if any."""
    section = getattr(tournament, "section", None)
    if section is None:
        return None
    event = source_of(section.event).store.settings
    return link_between(source_of(tournament).store.settings, event, folder_of_event(section.event))


def export_of(frame: Frame, event: str | None) -> Export:
    """Return the version of a visitor's *frame*; *event* is where the event's mirror is.

    Pages in the store are taken as they are; the others are rendered, and put there. ``BadInput``
    if something was published meanwhile. Cost with 300 players: about ten seconds of processor
    time.
    """
    statics = StaticFiles(SCRIPTS, MODULES)
    pages: dict[str, bytes] = {}
    for language in mirror_languages():
        with translation.override(language):
            for name, body in _pages(frame, statics, event, language):
                pages[f"{language}/{name}"] = body
    tournament = frame.tournament
    if not is_still(tournament):
        raise BadInput("mirror.moving")
    manifest = Manifest(
        tournament=tournament.identity,
        name=tournament.name,
        version=tournament.public_version,
        state=frame.state.key,
        line=tournament.public_fingerprint,
        build=build(),
        pairings=frame.latest_published or 0,
        results=frame.latest_results,
    )
    return Export(
        manifest,
        pages=pages | lists_of(pages),
        files=statics.files(),
        entrances=entrances(ENTRANCES, name=tournament.name, listed=tournament.listed),
        news=json.loads(news.content_of(frame.state)[0]),
    )


def _pages(
    frame: Frame, statics: StaticFiles, event: str | None, language: str
) -> Iterator[tuple[str, bytes]]:
    """Yield name and bytes of each page in the active *language*, found by links."""
    tournament = frame.tournament
    section = getattr(tournament, "section", None)
    page_of_event = reverse("event", args=[section.event.slug]) if section else ""

    def link(address: str) -> str | None:
        if found := file_of(address, tournament.slug):
            _, mark, anchor = address.partition("#")
            return f"{found}{mark}{anchor}"
        if event is not None and address == page_of_event:
            return f"../../{event}{FOLDERS[0]}/{language}/index.html"
        return None

    waiting = [
        reverse(name, args=[tournament.slug]) for name in ("tournament", "me", "names", "players")
    ]
    if logo := logo_file(tournament.slug, tournament.logo):
        yield f"logo-{tournament.logo}", logo
    known = {file_of(address, tournament.slug) for address in waiting}
    while waiting:
        address = waiting.pop(0)
        name = file_of(address, tournament.slug)
        try:
            body = body_of(frame, address)
        except Http404:
            body = None
        if name is None or body is None:
            continue
        if name.endswith(".html"):
            text = body.decode()
            for found in map(unescape, dict.fromkeys(_LINK.findall(text))):
                if (other := file_of(found, tournament.slug)) and other not in known:
                    known.add(other)
                    waiting.append(found.partition("#")[0])
            body = statics.page(
                text, link, identity=tournament.identity, language=language, name=name
            )
        yield name, body
