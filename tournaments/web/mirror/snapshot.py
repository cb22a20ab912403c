"""All files of a mirror: the public pages of one version in every language, with the styles and scripts they need."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Final

from django.conf import settings
from django.http import Http404
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from tournaments.core.build import build
from tournaments.core.errors import BadInput
from tournaments.core.frame import Frame, is_still
from tournaments.mirrors.manifest import lists_of
from tournaments.mirrors.pushing import FOLDERS, Snapshot
from tournaments.mirrors.ways import way_to_event
from tournaments.web import news
from tournaments.web.mirror.names import file_of, language_of
from tournaments.web.mirror.static_page import SCRIPTS, static_page
from tournaments.web.mirror.statics import Statics, entrances, path_of
from tournaments.web.public_page import body_of

MODULES: Final = ("js/chosen.js", "js/elements.js", "js/names.js", "js/site_time.js", "js/storage.js")
"""Scripts that the others import by their plain names."""
ENTRANCES: Final = ("index.html", "me.html")
"""The pages at the root: addresses that stay the same."""
_LINK: Final = re.compile(r'\shref="(/[^"]*)"')


def snapshot_of(frame: Frame) -> Snapshot:
    """Return the mirror of the version of *frame*, which is that of a visitor.

    Pages in the store are taken as they are; the others are rendered, and put there. ``BadInput`` if something was
    published meanwhile. Cost with 300 players: about ten seconds of processor time.
    """
    site = _Site(frame)
    pages: dict[str, bytes] = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            for name, body in site.pages(language):
                pages[f"{language}/{name}"] = body
    tournament = frame.tournament
    if not is_still(tournament):
        raise BadInput("mirror.moving")
    said = json.loads(news.content_of(frame.state)[0])
    return Snapshot(
        tournament=tournament.identity,
        name=tournament.name,
        version=tournament.public_version,
        state=frame.state.key,
        line=tournament.public_fingerprint,
        build=build(),
        pairings=frame.latest_published or 0,
        results=frame.latest_results,
        pages=pages | lists_of(pages),
        files=site.statics.files(),
        entrances=lambda folder: entrances(ENTRANCES, folder, name=tournament.name, listed=tournament.listed),
        news=lambda counter: json.dumps(said | {"n": counter}, separators=(",", ":")).encode(),
    )


class _Site:
    """The public pages of one tournament, found by their links, beginning at the overview."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._slug = frame.tournament.slug
        self.statics = Statics(SCRIPTS, MODULES)
        section = getattr(frame.tournament, "section", None)
        self._event = reverse("event", args=[section.event.slug]) if section else ""
        self._way = way_to_event(frame.tournament)

    def pages(self, language: str) -> Iterator[tuple[str, bytes]]:
        """Yield name and bytes of each page in *language*, which is the active one."""
        first = [reverse(name, args=[self._slug]) for name in ("tournament", "me", "names", "players")]
        waiting, known = list(first), {file_of(address, self._slug) for address in first}
        while waiting:
            address = waiting.pop(0)
            name = file_of(address, self._slug)
            body = self._body(address)
            if name is None or body is None:
                continue
            if name.endswith(".html"):
                text = body.decode()
                for found in map(unescape, dict.fromkeys(_LINK.findall(text))):
                    if (other := file_of(found, self._slug)) and other not in known:
                        known.add(other)
                        waiting.append(found.partition("#")[0])
                body = self._static(text, language, name).encode()
            yield name, body

    def _body(self, address: str) -> bytes | None:
        try:
            return body_of(self._frame, address)
        except Http404:
            return None

    def _static(self, text: str, language: str, name: str) -> str:
        def link(address: str) -> str | None:
            if path := self.statics.path(address):
                return f"../../{path}"
            if found := file_of(address, self._slug):
                _, mark, anchor = address.partition("#")
                return f"{found}{mark}{anchor}"
            if self._way is not None and address == self._event:
                return f"../../{self._way}{FOLDERS[0]}/{language}/index.html"
            code = language_of(address)
            return f"../{code}/{name}" if code else None

        return static_page(text, link, self.statics.keeps, state_of(self._frame.tournament.identity, language, name))


def state_of(identity: str, language: str, name: str) -> str:
    """Return the line that says whether the page *name* is checked, for a mirror with this *identity*."""
    context = {
        "page": f"{language}/{name}",
        "identity": identity,
        "language": language,
        "script": f"../../{path_of('js/mirror.js')}",
    }
    return render_to_string("mirror/_state.html", context)
