"""The page that imports a list of participants, from a spreadsheet, a text or a TRF file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_http_methods

from pairing.rules.verdict import Refused
from tournaments.core.actions import in_own_edition
from tournaments.core.errors import RuleRefused
from tournaments.core.frame import tournament_frame
from tournaments.core.request_values import numbers_of
from tournaments.lists.imports.comparing import compare
from tournaments.lists.imports.entry_lists import Choice, Imported, list_import
from tournaments.lists.imports.reading import Reading
from tournaments.models import ListState, Tournament
from tournaments.web.access import arbiter_only, who_and_when
from tournaments.web.action_form import Problem
from tournaments.web.form_fields import UploadForm
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.imports.preview import ImportPage, Upload, preview_content, ticked_fields


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def entries_import_page(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """First POST: a preview, nothing saved.

    Next POST: another preview (``again``), or everything ticked is saved.
    """

    def page(form: UploadForm, problem: Problem | None, status: int) -> HttpResponse:
        return _page(request, tournament, {"form": form, "problem": problem}, status=status)

    def preview(
        upload: Upload, reading: Reading, problem: Problem | None, status: int
    ) -> HttpResponse:
        found = compare(reading, tournament)
        if problem is None and found.new and tournament.list_state == ListState.DEFINITIVE:
            # Say it before somebody has gone through the list.
            refused = RuleRefused(
                in_own_edition(tournament, Refused("entry.list_closed", "C.04.2 2.5"))
            )
            problem = replace(
                Problem.from_error(refused),
                remedy=(reverse("numbers", args=[tournament.slug]), _("Numbers")),
            )
        content = preview_content(upload, reading, found, problem)
        return _page(request, tournament, content, status=status)

    def save(reading: Reading) -> HttpResponse:
        done = list_import(
            tournament_id=tournament.pk,
            **who_and_when(request),
            reading=reading,
            choice=_choice(request.POST),
            seen=request.POST.get("seen", ""),
        )
        messages.success(request, imported_text(done))
        return redirect("waiting" if done.waiting else "entries", tournament.slug)

    return ImportPage(page, preview, save).answer(request)


def _choice(data: QueryDict) -> Choice:
    """Return what is ticked in the form *data*."""
    return Choice(
        lines=frozenset(numbers_of(data, "new")),
        fields=ticked_fields(data),
        removed=frozenset(numbers_of(data, "remove")),
    )


def imported_text(done: Imported) -> str:
    """Return sentences with the counts of *done*."""
    entered, changed = len(done.entered), len(done.changed)
    parts = [
        ngettext("%(count)d player is entered.", "%(count)d players are entered.", entered)
        % {"count": entered}
    ]
    if changed:
        parts.append(
            ngettext("%(count)d player is changed.", "%(count)d players are changed.", changed)
            % {"count": changed}
        )
    if done.removed:
        parts.append(
            ngettext("%(count)d player is removed.", "%(count)d players are removed.", done.removed)
            % {"count": done.removed}
        )
    if done.waiting:
        parts.append(
            ngettext(
                "%(count)d row waits to be corrected.",
                "%(count)d rows wait to be corrected.",
                done.waiting,
            )
            % {"count": done.waiting}
        )
    return " ".join(parts)


def _page(
    request: HtmxHttpRequest, tournament: Tournament, content: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    context = {"frame": tournament_frame(tournament, runs=True), "section": "entries", **content}
    return render(request, "imports/entries_import.html", context, status=status)
