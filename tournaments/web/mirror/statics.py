"""The styles, scripts and pictures of a mirror, and its pages at the root."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from django.conf import settings
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.translation import get_language_info

from tournaments.core.build import build
from tournaments.web.mirror.static_page import POLICY

STYLES: Final = ("css/base.css", "css/components.css")
_HASHED: Final = re.compile(r"\.[0-9a-f]{12}(?=\.[a-z]+$)")


class Statics:
    """The files that the pages of a mirror use. *scripts* are those that stay; *also* is there in any case."""

    def __init__(self, scripts: Iterable[str], also: Iterable[str]) -> None:
        self._scripts = frozenset(scripts)
        self._used: set[str] = {*self._scripts, *also, *STYLES}

    def keeps(self, address: str) -> bool:
        """Return whether the script at *address* stays in a page."""
        return address.startswith(settings.STATIC_URL) and _plain(address) in self._scripts

    def path(self, address: str) -> str:
        """Return the path of a style, script or picture of the site at the mirror; empty if *address* is none."""
        if not address.startswith(settings.STATIC_URL):
            return ""
        plain = _plain(address)
        self._used.add(plain)
        return path_of(plain)

    def files(self) -> Mapping[str, bytes]:
        """Return the files that the pages use, by their path at the mirror."""
        found = {plain: finders.find(plain) for plain in sorted(self._used)}
        files = {}
        for plain, path in found.items():
            if isinstance(path, str):
                with open(path, "rb") as file:  # noqa: PTH123 - the finder's type
                    files[path_of(plain)] = file.read()
        return files


def _plain(address: str) -> str:
    """Return the name of the static file at *address*, without the part that depends on its content."""
    return _HASHED.sub("", address.removeprefix(settings.STATIC_URL))


def path_of(plain: str) -> str:
    """Return the path of a static file at the mirror: each build has its own, because names do not change inside."""
    return f"files/{build()}/{plain}"


def entrances(pages: Iterable[str], folder: str, *, name: str, listed: bool) -> Mapping[str, bytes]:
    """Return the pages at the root that lead to *pages* in *folder*: addresses that stay the same."""
    codes = [settings.LANGUAGE_CODE, *(code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE)]
    context = {
        "name": name,
        "listed": listed,
        "folder": folder,
        "policy": POLICY,
        "languages": [{"code": code, "name": get_language_info(code)["name_local"].capitalize()} for code in codes],
        "styles": [path_of(style) for style in STYLES],
        "script": path_of("js/mirror.js"),
    }
    return {page: render_to_string("mirror/entrance.html", {**context, "page": page}).encode() for page in pages}
