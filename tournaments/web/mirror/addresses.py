"""The names of a mirror's files.

All pages of one language are in one folder, so a link needs no path.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final
from urllib.parse import parse_qsl

from django.conf import settings
from django.urls import Resolver404, ResolverMatch, get_script_prefix, resolve

_NAMES: Final = {
    "tournament": "index.html",
    "players": "players.html",
    "pairings-public": "pairings-{number}.html",
    "standings": "standings.html",
    "standings-after": "standings-{number}.html",
    "crosstable": "crosstable.html",
    "crosstable-picture": "crosstable.svg",
    "me": "me.html",
    "names": "names.json",
    "logo": "logo-{name}",
    "progress": "progress.html",
    "progress-picture": "progress.svg",
    "prizes": "prizes.html",
    "forecast": "forecast.html",
    "rounds-calendar": "rounds.ics",
    "player-page": "player-{entry_id}.html",
}
"""The public pages that a mirror has, by the name of their address."""
_IGNORED: Final = frozenset({"v", "b", "q", "line", "other"})
"""Parameters without which the page has more: what they ask for only a server can find."""


def file_of(address: str, slug: str) -> str | None:
    """Return the file of the page at *address* of *slug*; None if a mirror has none."""
    path, _, query = address.partition("#")[0].partition("?")
    match = _match(path.removeprefix(get_script_prefix()))
    if match is None or match.url_name not in _NAMES or match.kwargs.get("slug") != slug:
        return None
    wanted = dict(parse_qsl(query, keep_blank_values=True))
    order, part = wanted.pop("order", ""), wanted.pop("page", "")
    if (
        wanted.keys() - _IGNORED
        or order not in ("", "name")
        or not (part == "" or part.isdecimal())
    ):
        return None
    name, dot, ending = _NAMES[match.url_name].format(**match.kwargs).rpartition(".")
    if order:
        name += "-by-name"
    if part not in ("", "1"):
        name += f"-part-{int(part)}"
    return f"{name}{dot}{ending}"


def mirror_languages() -> tuple[str, ...]:
    """Return the languages of a mirror: that of the site and those of arbiters.

    Each costs as many files as all public pages have.
    """
    return tuple(dict.fromkeys((settings.LANGUAGE_CODE, *settings.ARBITER_LANGUAGES)))


def language_of(address: str) -> str:
    """Return the language to which *address* changes; empty if it is another address."""
    match = _match(address.partition("?")[0].removeprefix(get_script_prefix()))
    code = match.kwargs.get("code", "") if match and match.url_name == "language" else ""
    return code if code in mirror_languages() else ""


@lru_cache(maxsize=8192)
def _match(path: str) -> ResolverMatch | None:
    # The same addresses are on hundreds of pages.
    try:
        return resolve(f"/{path}")
    except Resolver404:
        return None
