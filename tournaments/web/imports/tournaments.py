"""The page that opens a TRF file as a tournament."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pairing.trf.encoding import as_utf8
from tournaments.core.errors import BadInput, RuleRefused, ServiceError
from tournaments.core.request_values import file_of
from tournaments.lists.imports.entry_lists import tournament_import_trf, trf_preview
from tournaments.lists.imports.large_trf import LARGE, open_file_of
from tournaments.lists.imports.native_files import refuse_native_file
from tournaments.web.access import arbiter, signed_in, who_and_when
from tournaments.web.action_form import Problem, confirms_leaving
from tournaments.web.form_fields import UploadForm
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.imports.forms import ImportRulesForm
from tournaments.web.imports.large_file import begin
from tournaments.web.imports.trf_preview import render_preview


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def import_trf(request: HtmxHttpRequest) -> HttpResponse:
    """Open a TRF file: preview it, with other rules if needed, then create a tournament.

    A large file has a page of its own (:mod:`.large_file`).
    """
    if request.method != "POST":
        return _import_page(request, UploadForm())
    if "confirmed" in request.POST:
        return _import_confirmed(request)
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return _import_page(request, form, status=422)
    data = form.data_bytes()
    try:
        refuse_native_file(data, form.file_name())
    except BadInput as error:
        return _import_page(request, form, problem=Problem.from_error(error), status=422)
    return begin(request, data) if len(data) > LARGE else _import_preview(request, form, data)


def _import_preview(
    request: HtmxHttpRequest,
    form: UploadForm,
    data: bytes,
    rules: Mapping[str, str] = MappingProxyType({}),
    *,
    problem: str = "",
) -> HttpResponse:
    """Preview *data*, by the chosen *rules* or those of the file.

    *problem*: why it was not imported.
    """
    try:
        preview = trf_preview(
            as_utf8(data),
            system=rules.get("system", ""),
            tie_break_edition=rules.get("tie_break_edition", ""),
        )
    except BadInput as error:
        return _import_page(request, form, problem=Problem.from_error(error), status=422)
    return render_preview(request, preview, data, problem=problem)


def _import_confirmed(request: HtmxHttpRequest) -> HttpResponse:
    chosen = ImportRulesForm(request.POST)
    try:
        data = file_of(request.POST, "confirmed")
    except BadInput as error:
        return _import_page(request, UploadForm(), problem=Problem.from_error(error), status=422)
    if not chosen.is_valid():
        return _import_page(request, UploadForm(), status=422)
    if "again" in request.POST:
        return _import_preview(request, UploadForm(), data, chosen.cleaned_data)
    try:
        made = tournament_import_trf(
            **who_and_when(request),
            data=as_utf8(data),
            is_form=True,
            leave_fide_mode=confirms_leaving(request.POST),
            **chosen.cleaned_data,
        )
    except RuleRefused as error:
        return _import_preview(request, UploadForm(), data, chosen.cleaned_data, problem=str(error))
    except ServiceError as error:
        return _import_page(request, UploadForm(), problem=Problem.from_error(error), status=422)
    messages.success(request, _("The tournament was imported from the file."))
    return redirect(reverse("desk", args=[made.slug]))


def _import_page(
    request: HtmxHttpRequest, form: UploadForm, *, problem: Problem | None = None, status: int = 200
) -> HttpResponse:
    context = {"form": form, "problem": problem, "open_file": open_file_of(arbiter(request))}
    return render(request, "imports/tournament_import.html", context, status=status)
