"""Import a list of players: upload the file, check the preview, confirm."""

from __future__ import annotations

import base64
import re
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from pairing.trf.encoding import decoded
from tournaments.core.errors import Conflict, ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.request_values import file_of
from tournaments.imports.entry_lists import ImportPreview, csv_preview, entries_import, trf_entries_preview
from tournaments.models import Tournament
from tournaments.web.access import arbiter, arbiter_only
from tournaments.web.action_form import Problem
from tournaments.web.form_fields import UploadForm
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.imports.assumed_encoding import AssumedEncoding


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def entries_import_page(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """First POST: a preview, nothing saved. Second POST (``confirmed``): everything saved, or nothing.

    The form of the preview contains the file unchanged. It is read again before saving, so that values in the form are
    not trusted.
    """
    if request.method != "POST":
        return _page(request, tournament, {"form": UploadForm()})
    if "confirmed" in request.POST:
        return _confirmed(request, tournament)
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, tournament, {"form": form}, status=422)
    data = form.data_bytes()
    try:
        preview = _understood(data, tournament)
    except ServiceError as error:
        return _page(request, tournament, {"form": form, "problem": Problem.of(error)}, status=422)
    return _preview_page(request, tournament, data, preview)


def _preview_page(
    request: HtmxHttpRequest,
    tournament: Tournament,
    data: bytes,
    preview: ImportPreview,
    problem: Problem | None = None,
) -> HttpResponse:
    content = {
        "preview": preview,
        "assumed": AssumedEncoding.of(data, (row.name for row in preview.rows)),
        "data": base64.b64encode(data).decode("ascii"),
        "problem": problem,
    }
    return _page(request, tournament, content, status=problem.status if problem else 200)


def _confirmed(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Enter the players. If more of them seem to be entered already than in the preview, show it once more."""
    try:
        data = file_of(request.POST, "confirmed")
        try:
            entered = entries_import(
                tournament_id=tournament.pk,
                actor=arbiter(request),
                now=timezone.now(),
                rows=_understood(data, tournament).rows,
                entered=request.POST.get("entered", ""),
            )
        except Conflict as conflict:
            return _preview_page(
                request, tournament, data, _understood(data, tournament), Problem.of(conflict, request)
            )
    except ServiceError as error:
        problem = Problem.of(error)
        return _page(request, tournament, {"form": UploadForm(), "problem": problem}, status=problem.status)
    said = ngettext("%(count)d player is entered.", "%(count)d players are entered.", len(entered))
    messages.success(request, said % {"count": len(entered)})
    return redirect("entries", tournament.slug)


def _understood(data: bytes, tournament: Tournament) -> ImportPreview:
    """Return the players in *data*: a TRF file begins with a record of three digits and a blank, or a remark."""
    is_trf = re.match(r"\ufeff?(?:[0-9]{3} |XX[A-Z] |###)", decoded(data).text) is not None
    read = trf_entries_preview if is_trf else csv_preview
    return read(data, tournament=tournament)


def _page(
    request: HtmxHttpRequest, tournament: Tournament, content: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    context = {"frame": tournament_frame(tournament, runs=True), "section": "entries", **content}
    return render(request, "imports/entries_import.html", context, status=status)
