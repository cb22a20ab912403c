"""The styles, scripts and pictures of a mirror, and its pages at the root."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from django.conf import settings
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string

from tournaments.core.build import build
from tournaments.site.mirrors.manifest import FOLDERS
from tournaments.web.mirror.addresses import language_of, mirror_languages
from tournaments.web.mirror.static_page import POLICY, Link, static_page

STYLES: Final = ("css/base.css", "css/components.css")
_HASHED: Final = re.compile(r"\.[0-9a-f]{12}(?=\.[a-z]+$)")


class StaticFiles:
    """The files that a mirror's pages use: *scripts* stay in them, *modules* they import."""

    def __init__(self, scripts: Iterable[str], modules: Iterable[str]) -> None:
        self._scripts = frozenset(scripts)
        self._used = {*self._scripts, *modules, *STYLES}

    def page(self, html: str, link: Link, *, identity: str, language: str, name: str) -> bytes:
        """Return *html* as the file *name* in the folder of *language*.

        *link* returns where an address of the site is, from this folder; None if it is not there.
        """

        def any_link(address: str) -> str | None:
            if address.startswith(settings.STATIC_URL):
                return f"../../{self._path(address)}"
            if target := link(address):
                return target
            return f"../{code}/{name}" if (code := language_of(address)) else None

        script = f"../../{path_of('js/mirror.js')}"
        context = {
            "page": f"{language}/{name}",
            "identity": identity,
            "language": language,
            "script": script,
        }
        state = render_to_string("mirror/_state.html", context)
        return static_page(html, any_link, self._stays, state).encode()

    def files(self) -> dict[str, bytes]:
        """Return the files that the pages use, by their path at the mirror."""
        found = {plain: finders.find(plain) for plain in sorted(self._used)}
        return {
            path_of(plain): Path(path).read_bytes()
            for plain, path in found.items()
            if isinstance(path, str)
        }

    def _stays(self, address: str) -> bool:
        return address.startswith(settings.STATIC_URL) and _plain(address) in self._scripts

    def _path(self, address: str) -> str:
        plain = _plain(address)
        self._used.add(plain)
        return path_of(plain)


def _plain(address: str) -> str:
    """Return the static file at *address*, without the part that depends on its content."""
    return _HASHED.sub("", address.removeprefix(settings.STATIC_URL))


def path_of(plain: str) -> str:
    """Return the path of a static file at the mirror, which differs for each build."""
    return f"files/{build()}/{plain}"


def entrances(
    pages: Iterable[str], *, name: str, listed: bool
) -> Mapping[str, Mapping[str, bytes]]:
    """Return the *pages* at the root, which keep their addresses, by their folder."""
    context = {
        "name": name,
        "listed": listed,
        "policy": POLICY,
        "languages": [
            {"code": code, "name": dict(settings.LANGUAGES)[code]} for code in mirror_languages()
        ],
        "styles": [path_of(style) for style in STYLES],
        "script": path_of("js/mirror.js"),
    }

    def entrance(page: str, folder: str) -> bytes:
        return render_to_string(
            "mirror/entrance.html", {**context, "page": page, "folder": folder}
        ).encode()

    return {folder: {page: entrance(page, folder) for page in pages} for folder in FOLDERS}
