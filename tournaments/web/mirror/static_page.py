"""Make a file of a mirror from a public page: links lead to other files,
and parts that need the server are left out.

The page is text of our own templates, in which every value is escaped: a tag ends at the first
``>``, and an attribute at the next ``"``. So patterns are enough, and 600 pages take two seconds
instead of twenty.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Final

from django.utils.html import escape

Link = Callable[[str], str | None]

POLICY: Final = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'"
)
_LIVE: Final = re.compile(r"<([a-z]+)\b[^>]*\sdata-server-only\b[^>]*>")
_SCRIPT: Final = re.compile(r'<script\b[^>]*\ssrc="([^"]*)"[^>]*></script>')
_LEFT_OUT: Final = re.compile(
    r'<link rel="(?:manifest|alternate)"[^>]*>|<meta '
    r'(?:property="og:image[^>]*|name="(?:htmx-config|twitter:card)"[^>]*)>',
    re.DOTALL,
)
_OF_HTMX: Final = re.compile(r'\s(?:hx-[a-z-]+="[^"]*"|data-quiet|data-key="[^"]*")')
_ADDRESS: Final = re.compile(
    r'\s(href|src|action|data-names|data-player|data-pairings-url|data-results-url)="([^"]*)"'
)
_DEAD: Final = r"<a\b[^>]*\sdata-dead\b[^>]*>((?:(?!</a>).)*)</a>"
_DEAD_ALONE: Final = re.compile(rf"<(li|p)\b[^>]*>\s*{_DEAD}\s*</\1>", re.DOTALL)
_DEAD_BUTTON: Final = re.compile(
    r'<a\b(?=[^>]*\sclass="[^"]*\bbutton\b)' + _DEAD.removeprefix(r"<a\b"), re.DOTALL
)
_DEAD_LINK: Final = re.compile(_DEAD, re.DOTALL)


def static_page(html: str, link: Link, is_used: Callable[[str], bool], state: str) -> str:
    """Return *html* as a file of a mirror.

    *link* turns an address of the site into one of the mirror, None if it is not there. *is_used*
    tells which scripts stay. *state* is the line that says whether the page is checked; it becomes
    the end of the content.
    """
    html = _without_live(html)
    html = _SCRIPT.sub(lambda found: found[0] if is_used(found[1]) else "", html)
    html = _LEFT_OUT.sub("", html)
    html = _OF_HTMX.sub("", html)
    html = _ADDRESS.sub(lambda found: _attribute(found[1], unescape(found[2]), link), html)
    html = _DEAD_LINK.sub(_without_link, _DEAD_BUTTON.sub("", _DEAD_ALONE.sub("", html)))
    html = html.replace("</main>", f"{state}</main>", 1)
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    return html.replace('<meta charset="utf-8">', f'<meta charset="utf-8">{policy}', 1)


def _without_link(found: re.Match[str]) -> str:
    """Return the words of a link that leads nowhere; with their looks, if they have any."""
    looks = re.match(r'<a\b[^>]*\s(class="[^"]*")', found[0])
    return f"<span {looks[1]}>{found[1]}</span>" if looks else found[1]


def _attribute(name: str, address: str, link: Link) -> str:
    if not address.startswith("/"):
        return f' {name}="{escape(address)}"'
    target = link(address)
    return " data-dead" if target is None else f' {name}="{escape(target)}"'


def _without_live(html: str) -> str:
    """Remove the elements with ``data-server-only``: only the server can answer what they offer."""
    while found := _LIVE.search(html):
        depth = 0
        for tag in re.compile(rf"<(/?){found[1]}\b[^>]*>").finditer(html, found.start()):
            depth += -1 if tag[1] else 1
            if not depth:
                html = html[: found.start()] + html[tag.end() :]
                break
        else:
            raise ValueError(f"<{found[1]} data-server-only> has no end")
    return html
