"""Players of the lists for the entry form: hits for a text, and the filled form."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.lists.rating_lists.list_file import HITS
from tournaments.lists.rating_lists.search import Listed, find_listed, lists_in_use, search_lists
from tournaments.models import Tournament
from tournaments.web.access import arbiter_only
from tournaments.web.entries.forms import EntryForm
from tournaments.web.htmx import HtmxHttpRequest

LEAST = 2
"""Letters from which on a name is searched for."""
WHILE_TYPING = 12
"""Hits that are shown while somebody types; the button shows more."""


@arbiter_only
@require_safe
def hits(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Return the list of hits for the name that is being typed, for htmx."""
    query = request.GET.get("name", "")
    found = _hits(tournament, query, most=WHILE_TYPING) if len(query.strip()) >= LEAST else []
    return render(
        request,
        "rating_lists/_hits.html",
        {"hits": found, "is_part": True, "searched": bool(query.strip())},
    )


def _hits(tournament: Tournament, query: str, *, most: int = HITS) -> list[dict[str, str]]:
    """Return the hits for *query* as texts.

    A template looks up few of them while somebody types.
    """
    return [_shown(hit) for hit in search_lists(tournament, query, most=most)]


def _shown(hit: Listed) -> dict[str, str]:
    row = hit.row
    about = (
        row.federation,
        row.birth[:4],
        str(row.fide_id or ""),
        hit.national.club if hit.national else "",
    )
    others = [f"({hit.national_rating})"] if hit.national_rating else []
    others += [f"/ {hit.second_rating}"] if hit.second_rating else []
    return {
        "key": hit.key,
        "title": row.title,
        "name": row.name,
        "about": " · ".join((*filter(None, about), *([_("inactive")] if row.inactive else []))),
        "rating": str(hit.fide_rating or "–"),
        "others": " ".join(others),
    }


def offer_search(form: EntryForm, tournament: Tournament) -> bool:
    """Let the name field search while typing; return whether there is a list."""
    if not lists_in_use(tournament):
        return False
    form.fields["name"].widget.attrs |= {
        "data-hits": "button + button",
        "autocomplete": "off",
        "hx-get": reverse("entry-hits", args=[tournament.slug]),
        "hx-trigger": "input changed delay:120ms",
        "hx-target": "#hits",
        "hx-swap": "outerHTML",
        "hx-sync": "this:queue last",
    }
    form.fields["name"].help_text = _(
        "Last name, First name; or the beginning of a name, or a FIDE ID, to search the rating list."
    )
    return True


def from_list(data: QueryDict, tournament: Tournament) -> tuple[EntryForm, dict[str, Any]] | None:
    """Return the typed form and what the page needs, if *data* ask for the rating list.

    ``listed`` names a hit, whose data are filled in; ``search`` asks for the hits. None: *data* are
    to be saved.
    """
    if "listed" not in data and "search" not in data:
        return None
    form = EntryForm(tournament=tournament)
    form.initial.update({name: data.get(name, "") for name in form.fields if name in data})
    if "search" in data:
        return form, {"hits": _hits(tournament, data.get("name", "")), "searched": True}
    hit = find_listed(tournament, data.get("listed", ""))
    if hit is None:
        return form, {"list_changed": True}
    form.initial.update(hit.values)
    return form, {"filled": hit}
