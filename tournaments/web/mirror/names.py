"""The names of a mirror's files. All pages of one language are in one folder, so a link needs no path."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import parse_qsl

from django.conf import settings
from django.urls import Resolver404, get_script_prefix, resolve

_NAMES: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    "tournament": lambda values: "index.html",
    "players": lambda values: "players.html",
    "pairings-public": lambda values: f"pairings-{values['number']}.html",
    "standings": lambda values: "standings.html",
    "standings-after": lambda values: f"standings-{values['number']}.html",
    "crosstable": lambda values: "crosstable.html",
    "crosstable-picture": lambda values: "crosstable.svg",
    "me": lambda values: "me.html",
    "names": lambda values: "names.json",
    "progress": lambda values: "progress.html",
    "progress-picture": lambda values: "progress.svg",
    "prizes": lambda values: "prizes.html",
    "forecast": lambda values: "forecast.html",
    "rounds-calendar": lambda values: "rounds.ics",
    "player-page": lambda values: f"player-{values['entry_id']}.html",
}
"""The public pages that a mirror has, by the name of their address."""
_IGNORED: Final = frozenset({"v", "b", "q", "line", "other"})
"""Parameters without which the page has more: what they ask for only a server can find."""


def file_of(address: str, slug: str) -> str | None:
    """Return the name of the file with the page at *address* of the tournament *slug*; None if a mirror has none."""
    path, _, query = address.partition("#")[0].partition("?")
    try:
        match = resolve(f"/{path.removeprefix(get_script_prefix())}")
    except Resolver404:
        return None
    make = _NAMES.get(match.url_name or "")
    if make is None or match.kwargs.get("slug") != slug:
        return None
    name, dot, ending = make(match.kwargs).rpartition(".")
    wanted = dict(parse_qsl(query, keep_blank_values=True))
    order, part = wanted.pop("order", ""), wanted.pop("page", "")
    if wanted.keys() - _IGNORED or order not in ("", "name") or not (part == "" or part.isdecimal()):
        return None
    if order:
        name += "-by-name"
    if part not in ("", "1"):
        name += f"-part-{int(part)}"
    return f"{name}{dot}{ending}"


def language_of(address: str) -> str:
    """Return the language to which *address* changes; empty if it is another address."""
    path = address.partition("?")[0]
    try:
        match = resolve(f"/{path.removeprefix(get_script_prefix())}")
    except Resolver404:
        return ""
    code = match.kwargs.get("code", "") if match.url_name == "language" else ""
    return code if code in dict(settings.LANGUAGES) else ""
