"""The addresses on printed sheets and in shared links, and the titles of pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from django import template
from django.conf import settings
from django.core.paginator import Page
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from tournaments.core.public_address import LOOPBACK, name_for_others, printed_address
from tournaments.core.qr_codes import qr_path
from tournaments.core.short_address import short_code

register = template.Library()


@register.inclusion_tag("shared/_sheet_address.html", takes_context=True)
def sheet_address(context: Mapping[str, Any]) -> dict[str, object]:
    """Return the short address of *My board* and its QR code; empty if unreachable by phones."""
    address = printed_address(
        reverse("short-address", args=[short_code(context["frame"].tournament)])
    )
    if address is None:
        return {}
    modules, path = qr_path(address)
    return {"words": address.partition("//")[2], "path": path, "modules": modules}


@register.inclusion_tag("shared/_rows_on_paper.html")
def rows_on_paper(
    part: object, columns: int = 0, search: str = "", only: str = "", *, of_rounds: bool = False
) -> dict[str, object]:
    """Return which rows of a list are on the page, for the head of each printed sheet.

    Nothing is shown for the whole list. *part* is a Part, a page of a Paginator, a BoardPart, or
    None. *search* are the words that were searched for, *only* is the filter. With *columns* it is
    a row of a table with these columns, else a line above the list.
    """
    shown = _rows_shown(part)
    return {
        "shown": shown,
        "is_search": bool(search),
        "only": only,
        "columns": columns,
        "of_rounds": of_rounds,
    }


def _rows_shown(part: Any) -> tuple[int, int, int] | None:
    """Return the first and last row of *part* and the number of all; None if it is whole."""
    if isinstance(part, Page):
        return (
            (part.start_index(), part.end_index(), part.paginator.count)
            if part.has_other_pages()
            else None
        )
    if not part or not part.is_long or not part.number:
        return None
    _number, first, last = part.pages[part.number - 1]
    return first, last, part.count


@register.simple_block_tag
def page_title(content: str) -> SafeString:
    """Return the title of the page on one line, for the browser and for messages."""
    return mark_safe(" ".join(content.split()))  # noqa: S308 - the template has escaped it


@register.simple_tag
def address_for_all(path: str) -> str:
    """Return the whole address of *path* for other machines; empty if there is none."""
    return printed_address(path) or ""


def public_address(request: HttpRequest, path: str) -> str | None:
    """Return *path* for a link to pass on; None if other machines cannot reach the site.

    Without a public address in the settings, it has the host name that the arbiter uses; at the
    server itself this is localhost, and the first other name in ALLOWED_HOSTS is used.
    """
    if settings.PUBLIC_ADDRESS:
        return f"{settings.PUBLIC_ADDRESS}{path}"
    host = urlsplit(f"//{request.get_host()}")
    if host.hostname not in LOOPBACK:
        return request.build_absolute_uri(path)
    name = name_for_others()
    port = f":{host.port}" if host.port else ""
    return f"{request.scheme}://{name}{port}{path}" if name else None


def link_with_code(request: HttpRequest, path: str) -> dict[str, object]:
    """Return the address of *path* with its QR code; ``is_only_here``: no phone can reach it."""
    public = public_address(request, path)
    address = public or request.build_absolute_uri(path)
    modules, drawn = qr_path(address)
    return {"address": address, "is_only_here": public is None, "modules": modules, "path": drawn}
