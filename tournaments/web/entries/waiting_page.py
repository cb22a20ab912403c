"""The page of waiting rows: one form for each, to correct and enter it, or discard it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _, gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from pairing.record.player_fields import TEXTS
from tournaments.core.errors import ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.request_values import number_of, whole_number
from tournaments.entries.cells import VALUES, label
from tournaments.entries.waiting_rows import (
    CONFIRMABLE,
    most_of,
    problems_of,
    waiting_discard,
    waiting_discard_all,
    waiting_enter,
    waiting_enter_all,
    waiting_keep,
    waiting_rows,
)
from tournaments.lists.imports.comparing import ChangedPlayer
from tournaments.lists.imports.waiting_changes import entered_players, key_of, waiting_change
from tournaments.models import Tournament, WaitingEntry
from tournaments.web.access import arbiter_only, who_and_when
from tournaments.web.action_form import Problem
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.imports.shown_changes import ShownChange, shown_changes
from tournaments.web.shown_values import read_shown, shown

ROWS_A_PAGE: Final = 50
_ALWAYS: Final = (
    "name",
    "fide_rating",
    "national_rating",
    "title",
    "federation",
    "fide_id",
    "birth_date",
    "sex",
)
"""The fields that the template names."""


class WaitingForm(forms.Form):
    """The texts of a row, as they were typed."""

    either_way = True
    """No field is labelled optional: a row may be incomplete."""

    confirmed = forms.BooleanField(label=gettext_lazy("Enter the player anyway"), required=False)

    def __init__(self, waiting: WaitingEntry, data: Any = None) -> None:
        super().__init__(data, initial=waiting.fields, prefix=f"row-{waiting.pk}")
        for name in VALUES:
            words = label(name)
            self.fields[name] = forms.CharField(
                label=words[:1].upper() + words[1:], required=False, max_length=most_of(name)
            )

    @property
    def plain_texts(self) -> list[forms.BoundField]:
        """The texts without a rule of their own; the club always, others if given."""
        return [self[name] for name in TEXTS if name == "club" or self.initial.get(name)]

    @property
    def others(self) -> list[forms.BoundField]:
        """All other fields, if given: what is not in the form is lost when the row is corrected."""
        apart = (*_ALWAYS, *TEXTS)
        return [self[name] for name in VALUES if name not in apart and self.initial.get(name)]

    def texts(self) -> dict[str, str]:
        """Return the typed texts."""
        return {
            name: str(self.data.get(self.add_prefix(name), ""))[: most_of(name)] for name in VALUES
        }


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row with its form, its problems, and whether the arbiter can set these aside."""

    waiting: WaitingEntry
    form: WaitingForm
    problems: tuple[str, ...]
    confirmable: bool
    shown: str
    entered: ChangedPlayer | None
    """The player of the row, if entered already."""
    changes: tuple[ShownChange, ...] = ()
    is_refused: bool = False

    @property
    def offers_changes(self) -> bool:
        """Whether the row has values that the entry of its player can take over."""
        return any(not change.refused for change in self.changes)


@arbiter_only
@require_safe
def waiting(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the rows that wait, 50 on a page."""
    return _page(request, tournament)


@arbiter_only
@require_POST
def enter(request: HtmxHttpRequest, tournament: Tournament, waiting_id: int) -> HttpResponse:
    """Enter the player of a row with the corrected data."""

    def save(form: WaitingForm, given: dict[str, Any]) -> str:
        confirmed = form.add_prefix("confirmed") in request.POST
        entry = waiting_enter(values=form.texts(), confirmed=confirmed, **given)
        return _("%(name)s is entered.") % {"name": entry.real_name}

    return _decided(request, tournament, waiting_id, save)


@arbiter_only
@require_POST
def change(request: HtmxHttpRequest, tournament: Tournament, waiting_id: int) -> HttpResponse:
    """Save the ticked values of a row in the entry of its player."""

    def save(form: WaitingForm, given: dict[str, Any]) -> str:
        entry = waiting_change(values=form.texts(), keys=set(request.POST.getlist("take")), **given)
        return _("%(name)s is changed.") % {"name": entry.real_name}

    return _decided(request, tournament, waiting_id, save)


@arbiter_only
@require_POST
def discard(request: HtmxHttpRequest, tournament: Tournament, waiting_id: int) -> HttpResponse:
    """Discard a row."""

    def save(form: WaitingForm, given: dict[str, Any]) -> str:
        waiting_discard(**given)
        return _("The row “%(name)s” is discarded.") % {"name": given["seen"].get("name", "")}

    return _decided(request, tournament, waiting_id, save)


@arbiter_only
@require_POST
def keep(request: HtmxHttpRequest, tournament: Tournament, waiting_id: int) -> HttpResponse:
    """Save the texts of a row when a field is left; answer with the problems left."""
    form, given = _sent(request, tournament, waiting_id)
    try:
        row = waiting_keep(values=form.texts(), **given)
    except ServiceError as error:
        if not request.htmx:
            return _page(request, tournament, refused=(waiting_id, error))
        context = {"pk": waiting_id, "problems": [str(error)]}
        return render(request, "entries/_waiting_problems.html", context, status=error.status)
    if not request.htmx:
        return redirect("waiting", tournament.slug)
    kept = shown_row(row, None)
    context = {"pk": row.pk, "problems": kept.problems, "shown": kept.shown}
    return render(request, "entries/_waiting_problems.html", context)


def _sent(
    request: HtmxHttpRequest, tournament: Tournament, waiting_id: int
) -> tuple[WaitingForm, dict[str, Any]]:
    """Return the form of the row, and what every action on a row needs."""
    form = WaitingForm(WaitingEntry(pk=waiting_id, fields={}), request.POST)
    return form, {
        "waiting_id": waiting_id,
        "tournament_id": tournament.pk,
        **who_and_when(request),
        "seen": seen_texts(request, form),
    }


def _decided(
    request: HtmxHttpRequest,
    tournament: Tournament,
    waiting_id: int,
    save: Callable[[WaitingForm, dict[str, Any]], str],
) -> HttpResponse:
    """Run *save*, which returns a sentence for the list, or show the refusal at the row."""
    form, given = _sent(request, tournament, waiting_id)
    try:
        found = save(form, given)
    except ServiceError as error:
        return _page(request, tournament, refused=(waiting_id, error))
    messages.success(request, found)
    return redirect("waiting", tournament.slug)


@arbiter_only
@require_POST
def enter_all(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Enter all rows without a problem that were on the list when the page was opened."""
    last = number_of(request.POST, "last")
    try:
        entered = waiting_enter_all(tournament_id=tournament.pk, **who_and_when(request), last=last)
    except ServiceError as error:
        return _page(request, tournament, refused=(0, error))
    message = ngettext(
        "%(count)d player is entered.", "%(count)d players are entered.", len(entered)
    )
    messages.success(request, message % {"count": len(entered)})
    return redirect("waiting", tournament.slug)


@arbiter_only
@require_POST
def discard_all(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Discard all rows that were on the list when the page was opened."""
    last = number_of(request.POST, "last")
    try:
        count = waiting_discard_all(tournament_id=tournament.pk, **who_and_when(request), last=last)
    except ServiceError as error:
        return _page(request, tournament, refused=(0, error))
    message = ngettext("%(count)d row is discarded.", "%(count)d rows are discarded.", count)
    messages.success(request, message % {"count": count})
    return redirect("waiting", tournament.slug)


def seen_texts(request: HtmxHttpRequest, form: WaitingForm) -> Mapping[str, str]:
    """Return the texts that the page showed when it was opened."""
    before = read_shown(request.POST.get("shown", ""))
    return {name: str(before.get(form.add_prefix(name), "")) for name in VALUES}


def _page(
    request: HtmxHttpRequest,
    tournament: Tournament,
    refused: tuple[int, ServiceError] | None = None,
) -> HttpResponse:
    """Show a page of the list; *refused*: the row with a problem, whose form keeps its text."""
    rows = waiting_rows(tournament)
    refused_id, error = refused or (0, None)
    page = part_of(rows, request, refused_id)
    entered = entered_players(tournament, page.object_list)
    listed = [
        shown_row(row, request if row.pk == refused_id else None, entered.get(row.pk))
        for row in page.object_list
    ]
    last = rows.order_by("-pk").values_list("pk", flat=True).first() or 0
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "entries",
        "page": page,
        "rows": listed,
        "last": last,
        "problem": Problem.from_error(error) if error else None,
    }
    return render(request, "entries/waiting.html", context, status=error.status if error else 200)


def part_of(
    rows: QuerySet[WaitingEntry], request: HtmxHttpRequest, refused_id: int
) -> Page[WaitingEntry]:
    """Return the page of *rows* that has *refused_id*; 0: the one that *request* asks for."""
    wanted = whole_number(request.GET.get("page", "")) or 1
    if refused_id:
        wanted = rows.filter(pk__lt=refused_id).count() // ROWS_A_PAGE + 1
    return Paginator(rows, ROWS_A_PAGE).get_page(wanted)


def shown_row(
    waiting: WaitingEntry, request: HtmxHttpRequest | None, entered: ChangedPlayer | None = None
) -> ShownRow:
    """Return *waiting* for the page; with *request* the form keeps what was typed there.

    *entered* is its player, if entered already.
    """
    problems = problems_of(waiting)
    fresh = WaitingForm(waiting)
    return ShownRow(
        waiting=waiting,
        form=WaitingForm(waiting, request.POST) if request else fresh,
        problems=tuple(map(str, problems)),
        confirmable=bool(problems) and all(problem.code in CONFIRMABLE for problem in problems),
        shown=shown([fresh]),
        entered=entered,
        changes=tuple(shown_changes(entered, key_of)) if entered else (),
        is_refused=request is not None,
    )
