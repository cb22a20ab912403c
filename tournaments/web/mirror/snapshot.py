"""All files of a mirror: the public pages of one version in every language, with the styles and scripts they need."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Final

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import Http404
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import get_language_info

from tournaments.core.build import build
from tournaments.core.errors import BadInput
from tournaments.core.frame import Frame, state_key
from tournaments.core.stored_pages import newest_bodies
from tournaments.mirrors.manifest import lists_of
from tournaments.mirrors.pushing import Snapshot
from tournaments.models import Tournament
from tournaments.web import news, storing
from tournaments.web.mirror.names import file_of, language_of
from tournaments.web.mirror.static_page import POLICY, SCRIPTS, static_page
from tournaments.web.public_page import rendered

MODULES: Final = ("js/chosen.js", "js/names.js")
"""Scripts that the others import by their plain names."""
ENTRANCES: Final = ("index.html", "me.html")
"""The pages at the root: addresses that stay the same."""
STYLES: Final = ("css/base.css", "css/components.css")
_LINK: Final = re.compile(r'\shref="(/[^"]*)"')
_HASHED: Final = re.compile(r"\.[0-9a-f]{12}(?=\.[a-z]+$)")


def snapshot_of(frame: Frame) -> Snapshot:
    """Return the mirror of the version of *frame*, which is that of a visitor.

    Pages that were stored at the publication are taken as they are; the others are rendered. ``BadInput`` if something
    was published meanwhile. Cost with 300 players: some seconds of processor time.
    """
    site = _Site(frame)
    pages: dict[str, bytes] = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            for name, body in site.pages(language):
                pages[f"{language}/{name}"] = body
    tournament = frame.tournament
    newest = Tournament.objects.only("public_version", "public_fingerprint").get(pk=tournament.pk)
    if state_key(newest, runs=False) != state_key(tournament, runs=False):
        raise BadInput("mirror.moving")
    said = json.loads(news.content_of(tournament.pk, frame.public_key)[0])
    return Snapshot(
        tournament=tournament.identity,
        name=tournament.name,
        version=tournament.public_version,
        state=frame.public_key,
        line=tournament.public_fingerprint,
        build=build(),
        pairings=frame.latest_published or 0,
        results=frame.latest_results,
        pages=pages | lists_of(pages),
        files=site.files(),
        entrances=lambda folder: _entrances(tournament, folder),
        news=lambda counter: json.dumps(said | {"n": counter}, separators=(",", ":")).encode(),
    )


class _Site:
    """The public pages of one tournament, found by their links, beginning at the overview."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._slug = frame.tournament.slug
        self._stored = {(path, language): body for path, language, body in newest_bodies(frame.tournament)}
        if not any(path == self._player(frame) for path, _ in self._stored):
            # The newest version was not a publication, or its pages are not stored.
            for path, language, body in storing.whole_players_of(frame):
                self._stored[path, language] = body
        self._used: set[str] = {*SCRIPTS, *MODULES, *STYLES}

    def _player(self, frame: Frame) -> str:
        entry = frame.tournament.entries.order_by("pk").values_list("pk", flat=True).first() or 0
        return reverse("player-page", args=[self._slug, entry])

    def pages(self, language: str) -> Iterator[tuple[str, bytes]]:
        """Yield name and bytes of each page in *language*, which is the active one."""
        first = [reverse(name, args=[self._slug]) for name in ("tournament", "me", "names", "players")]
        waiting, known = list(first), {file_of(address, self._slug) for address in first}
        while waiting:
            address = waiting.pop(0)
            name = file_of(address, self._slug)
            body = self._body(address, language)
            if name is None or body is None:
                continue
            if name.endswith(".html"):
                text = body.decode()
                for found in map(unescape, _LINK.findall(text)):
                    if (other := file_of(found, self._slug)) and other not in known:
                        known.add(other)
                        waiting.append(found.partition("#")[0])
                body = self._static(text, language, name).encode()
            yield name, body

    def _body(self, address: str, language: str) -> bytes | None:
        if found := self._stored.get((address, language)):
            return found
        try:
            path, answers = rendered(self._frame, address)
        except Http404:
            return None
        if found := self._stored.get((path, language)):
            return found
        return answers[0].content if answers[0].status_code == 200 else None

    def _static(self, text: str, language: str, name: str) -> str:
        def link(address: str) -> str | None:
            if path := self._script(address):
                return f"../../{path}"
            if code := language_of(address):
                return f"../{code}/{name}"
            found = file_of(address, self._slug)
            _, mark, anchor = address.partition("#")
            return f"{found}{mark}{anchor}" if found else None

        context = {
            "page": f"{language}/{name}",
            "identity": self._frame.tournament.identity,
            "language": language,
            "script": f"../../{_path('js/mirror.js')}",
        }
        return static_page(text, link, self._is_used, render_to_string("mirror/_state.html", context))

    def _is_used(self, address: str) -> bool:
        return address.startswith(settings.STATIC_URL) and _plain(address) in SCRIPTS

    def _script(self, address: str) -> str:
        """Return the path of a style, script or picture of the site at the mirror; empty if *address* is none."""
        if not address.startswith(settings.STATIC_URL):
            return ""
        plain = _plain(address)
        self._used.add(plain)
        return _path(plain)

    def files(self) -> Mapping[str, bytes]:
        """Return the styles, scripts and pictures that the pages use, by their path at the mirror."""
        found = {plain: finders.find(plain) for plain in sorted(self._used)}
        files = {}
        for plain, path in found.items():
            if isinstance(path, str):
                with open(path, "rb") as file:  # noqa: PTH123 - the finder's type
                    files[_path(plain)] = file.read()
        return files


def _plain(address: str) -> str:
    """Return the name of the static file at *address*, without the part that depends on its content."""
    return _HASHED.sub("", address.removeprefix(settings.STATIC_URL))


def _path(plain: str) -> str:
    """Return the path of a static file at the mirror: each build has its own, because names do not change inside."""
    return f"files/{build()}/{plain}"


def _entrances(tournament: Tournament, folder: str) -> Mapping[str, bytes]:
    codes = [settings.LANGUAGE_CODE, *(code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE)]
    context = {
        "name": tournament.name,
        "listed": tournament.listed,
        "folder": folder,
        "policy": POLICY,
        "languages": [{"code": code, "name": get_language_info(code)["name_local"].capitalize()} for code in codes],
        "styles": [_path(style) for style in STYLES],
        "script": _path("js/mirror.js"),
    }
    return {page: render_to_string("mirror/entrance.html", {**context, "page": page}).encode() for page in ENTRANCES}
