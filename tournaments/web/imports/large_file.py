"""The page of a large TRF file, which is read and saved by jobs: progress, preview, cancel."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext as _
from django.views.decorators.http import require_http_methods

from tournaments.core.errors import ServiceError
from tournaments.core.request_values import number_of
from tournaments.lists.imports.large_trf import (
    OpeningPage,
    open_file_of,
    opening_again,
    opening_begin,
    opening_cancel,
    opening_page,
    opening_save,
)
from tournaments.lists.imports.trf_tournament import STEPS_OF_READING, STEPS_OF_SAVING
from tournaments.models import OpeningState
from tournaments.web.access import arbiter, signed_in
from tournaments.web.action_form import confirms_leaving
from tournaments.web.htmx import HtmxHttpRequest, go_to, page_or_partial, wants_part
from tournaments.web.imports.forms import ImportRulesForm
from tournaments.web.imports.trf_preview import render_preview, render_problem


def begin(request: HtmxHttpRequest, data: bytes) -> HttpResponse:
    """Keep *data*, begin to read it, and go to its page; say if another file was closed."""
    person, now = arbiter(request), timezone.now()
    before = open_file_of(person)
    opening = opening_begin(data=data, actor=person, now=now, language=get_language() or "")
    if before is not None and opening_page(before.pk, person) is None:
        messages.info(
            request, _("The large file that was open before was closed. Nothing of it was saved.")
        )
    return redirect(reverse("trf-opening", args=[opening.pk]))


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def trf_opening(request: HtmxHttpRequest, opening_id: int) -> HttpResponse:
    """Show a large file's progress or preview, or lead to its tournament; htmx: progress."""
    if request.method == "POST":
        return _act(request, opening_id)
    page = opening_page(opening_id, arbiter(request))
    if page is None:
        messages.warning(
            request, _("This file is not open any more. Nothing of it was saved. Choose it again.")
        )
        return go_to(request, reverse("tournament-import"))
    if page.opening.tournament is not None:
        messages.success(request, _("The tournament was imported from the file."))
        return go_to(request, reverse("desk", args=[page.opening.tournament.slug]))
    if page.opening.state == OpeningState.READ:
        return go_to(request, request.path) if wants_part(request) else _read(request, page)
    is_saving = page.opening.state == OpeningState.SAVING
    steps = STEPS_OF_SAVING if is_saving else STEPS_OF_READING
    context = {"page": page, "is_saving": is_saving, "steps": steps + 1}
    return page_or_partial(request, "imports/trf_opening.html", "trf-opening", context)


def _read(request: HtmxHttpRequest, page: OpeningPage) -> HttpResponse:
    if page.preview is None:
        return render_problem(request, page.problem)
    data, run = bytes(page.opening.data), page.opening.run
    return render_preview(request, page.preview, data, run=run, problem=page.problem)


def _act(request: HtmxHttpRequest, opening_id: int) -> HttpResponse:
    person, now = arbiter(request), timezone.now()
    chosen = ImportRulesForm(request.POST)
    try:
        if "cancel" in request.POST:
            opening_cancel(opening_id=opening_id, actor=person)
            messages.success(request, _("The file was closed. Nothing was saved."))
            return redirect("tournament-import")
        saving = partial(opening_save, leave_fide_mode=confirms_leaving(request.POST))
        work = opening_again if "again" in request.POST else saving
        run = number_of(request.POST, "run")
        rules = chosen.cleaned_data if chosen.is_valid() else {}
        work(
            opening_id=opening_id,
            run=run,
            actor=person,
            now=now,
            language=get_language() or "",
            **rules,
        )
    except ServiceError as error:
        messages.warning(request, str(error))
    return redirect(reverse("trf-opening", args=[opening_id]))
