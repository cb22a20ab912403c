"""The page for loading rating lists: those in use, the one being loaded, and a form."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods

from tournaments.core import jobs
from tournaments.core.errors import BadInput, ServiceError
from tournaments.core.permissions import may_load_lists
from tournaments.core.request_values import number_of, optional_number_of
from tournaments.lists.rating_lists.adapters import ADAPTERS
from tournaments.lists.rating_lists.fetching import require_list_address
from tournaments.lists.rating_lists.loading import (
    JOB,
    Loading,
    list_begin,
    list_cancel,
    problem_of,
    replaced_lists,
)
from tournaments.lists.rating_lists.renewing import failed_renewals, list_renew, may_be_renewed
from tournaments.lists.rating_lists.replacing import list_discard, list_use, waiting_lists
from tournaments.models import RatingList, RatingListState
from tournaments.web.access import arbiter, signed_in, who_and_when
from tournaments.web.action_form import add_service_error
from tournaments.web.htmx import HtmxHttpRequest, page_or_partial

MAX_UPLOAD: Final = 64_000_000
FIDE_LISTS: Final = "https://ratings.fide.com/download/players_list_xml.zip"
"""FIDE's list with all three ratings; the form proposes it."""


class ListForm(forms.Form):
    """A file or an address, whose list it is, and its month."""

    either_way = True
    url = forms.CharField(
        label=gettext_lazy("Address"), required=False, max_length=300, initial=FIDE_LISTS
    )
    file = forms.FileField(
        label=gettext_lazy("or a file"),
        required=False,
        help_text=gettext_lazy(
            "As published: XML, text, CSV, .xlsx or .dbf, packed or not; at most 64 MB."
        ),
    )
    federation = forms.CharField(
        label=gettext_lazy("Federation"),
        required=False,
        max_length=3,
        help_text=gettext_lazy(
            "Three letters, such as FRA; only for a list that is not recognised (see below)."
        ),
    )
    month = forms.CharField(
        label=gettext_lazy("Month of the list"),
        required=False,
        widget=forms.TextInput({"type": "month"}),
        help_text=gettext_lazy(
            "Empty: as in the file or its name, such as nov26; else this month."
        ),
    )

    def clean_federation(self) -> str:
        return str(self.cleaned_data["federation"]).upper()

    def clean_month(self) -> date | None:
        text = self.cleaned_data["month"]
        try:
            return date.fromisoformat(f"{text}-01") if text else None
        except ValueError:
            raise forms.ValidationError(_("Enter the month as in 2026-11.")) from None

    def clean_file(self) -> UploadedFile | None:
        file: UploadedFile | None = self.cleaned_data["file"]
        if file and (file.size or 0) > MAX_UPLOAD:
            raise forms.ValidationError(
                str(BadInput("rating_list.too_large", limit=MAX_UPLOAD // 1_000_000))
            )
        return file

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not cleaned.get("file") and not self.errors:
            if not cleaned.get("url"):
                self.add_error("file", _("Choose a file, or enter an address."))
            else:
                try:
                    require_list_address(cleaned["url"])
                except BadInput as error:
                    self.add_error("url", str(error))
        return cleaned


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def lists(request: HtmxHttpRequest) -> HttpResponse:
    """Show the lists, begin to load one, or cancel; htmx gets the lists alone.

    403 unless the user may load lists.
    """
    if not may_load_lists(request.user):
        raise PermissionDenied(
            _("Only site administrators load rating lists: they serve every tournament.")
        )
    if request.method != "POST":
        return _page(request, ListForm())
    if "cancel" in request.POST:
        try:
            list_cancel(list_id=number_of(request.POST, "cancel"), actor=arbiter(request))
        except ServiceError as error:
            messages.warning(request, str(error))
        else:
            messages.success(
                request, _("The loading stops within a few seconds. The list before stays in use.")
            )
        return redirect("rating-lists")
    if "use" in request.POST or "drop" in request.POST:
        return _decide(request)
    if "renew" in request.POST:
        return _renew(request)
    form = ListForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            _begin(request, form.cleaned_data)
        except ServiceError as error:
            add_service_error(form, error)
        else:
            messages.success(request, _("The list is being loaded. You can leave this page."))
            return redirect("rating-lists")
    return _page(request, form, status=422)


def _decide(request: HtmxHttpRequest) -> HttpResponse:
    """Use the waiting or replaced list ``use`` for ``current``; or ``drop`` one that waits."""
    try:
        if "drop" in request.POST:
            list_discard(list_id=number_of(request.POST, "drop"), actor=arbiter(request))
            messages.success(request, _("The smaller list is discarded. The list in use stays."))
        else:
            row = list_use(
                list_id=number_of(request.POST, "use"), **who_and_when(request),
                seen_current=optional_number_of(request.POST, "current"),
            )  # fmt: skip
            messages.success(request, _("The list “%(list)s” is in use.") % {"list": row})
    except ServiceError as error:
        messages.warning(request, str(error))
    return redirect("rating-lists")


def _renew(request: HtmxHttpRequest) -> HttpResponse:
    """Load the list ``renew`` again each month, or with an empty ``monthly`` no longer."""
    wanted = bool(request.POST.get("monthly"))
    try:
        row = list_renew(
            list_id=number_of(request.POST, "renew"), actor=arbiter(request), wanted=wanted
        )
    except ServiceError as error:
        messages.warning(request, str(error))
    else:
        done = (
            _("The list “%(list)s” is loaded again each month.")
            if wanted
            else _("The list “%(list)s” is no longer loaded by itself.")
        )
        messages.success(request, done % {"list": row})
    return redirect("rating-lists")


def _begin(request: HtmxHttpRequest, values: dict[str, Any]) -> None:
    file: UploadedFile | None = values["file"]
    with transaction.atomic():
        row = list_begin(
            **who_and_when(request), origin=(file.name or "") if file else values["url"],
            federation=values["federation"], month=values["month"],
        )  # fmt: skip
        if file:
            _keep(row, file)


def _keep(row: RatingList, file: UploadedFile) -> None:
    """Save the uploaded *file* where the loading finds it."""
    row.upload.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if isinstance(file, TemporaryUploadedFile):
        file.seek(0)
    with Path(row.upload).open("wb") as target:
        for part in file.chunks():
            target.write(part)


def _page(request: HtmxHttpRequest, form: ListForm, *, status: int = 200) -> HttpResponse:
    rows = list(RatingList.objects.select_related("loaded_by")[:12])
    loading = next((row for row in rows if row.state == RatingListState.LOADING), None)
    job = jobs.newest(JOB) if loading else None
    if job is None or not job.is_active:
        loading = None
    progress = Loading(**job.progress) if job else Loading()
    in_use = list(
        RatingList.objects.filter(is_current=True)
        .select_related("loaded_by")
        .order_by("federation", "rate")
    )
    before, failed = replaced_lists(in_use), failed_renewals(in_use)
    context = {
        "form": form,
        "loading": loading,
        "job": job,
        "progress": progress,
        "percent": 100 * progress.bytes_read // progress.bytes_total
        if progress.bytes_total
        else None,
        "in_use": [
            (
                row,
                before.get(row.pk),
                problem_of(row),
                may_be_renewed(row),
                (last, problem_of(last)) if (last := failed.get(row.pk)) else None,
            )
            for row in in_use
        ],
        "known": ADAPTERS.values(),
        "waiting": waiting_lists(),
        "earlier": [
            (row, problem_of(row)) for row in rows if not row.is_current and row != loading
        ][:5],
    }
    return page_or_partial(request, "rating_lists/lists.html", "lists", context, status=status)
