"""The page of the logo, and the logo as a file for everybody."""

from __future__ import annotations

from typing import Final

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_http_methods, require_safe

from tournaments.core.errors import BadInput, Conflict, ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.pictures import CONTENT_TYPES
from tournaments.models import Section, Tournament
from tournaments.setup.logo import LARGEST, LogoName, logo_file, logo_set, with_logo_of
from tournaments.web.access import arbiter, arbiter_only, who_and_when
from tournaments.web.action_form import Problem, add_service_error, seen_version
from tournaments.web.htmx import HtmxHttpRequest

A_YEAR: Final = 31_536_000
"""Seconds: the address has the fingerprint of the picture, so it never gets another one."""


class LogoForm(forms.Form):
    """The file of a new logo."""

    file = forms.FileField(
        label=gettext_lazy("Picture"),
        help_text=gettext_lazy("PNG, JPEG or WebP, at most 200 kB and 2,000 pixels on each side."),
        widget=forms.FileInput({"accept": ",".join(CONTENT_TYPES.values())}),
        error_messages={
            "required": gettext_lazy("Choose the file."),
            "empty": gettext_lazy("This file is empty."),
        },
    )

    def clean_file(self) -> bytes:
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST:  # before it is read
            raise forms.ValidationError(str(BadInput("logo.too_large", most=LARGEST // 1000)))
        return bytes(file.read())


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the logo; POST sets the one of ``file``, or with ``remove`` none."""
    if request.method != "POST":
        return _page(request, tournament, LogoForm())
    removes = "remove" in request.POST
    form = LogoForm(request.POST, request.FILES)
    if not removes and not form.is_valid():
        return _page(request, tournament, form, status=422)
    try:
        logo_set(
            tournament_id=tournament.pk,
            **who_and_when(request),
            data=None if removes else form.cleaned_data["file"],
            seen_version=seen_version(request.POST),
        )
    except Conflict as error:
        problem = Problem.from_error(error, request)
        return _page(request, tournament, LogoForm(), problem, status=error.status)
    except BadInput as error:
        add_service_error(form, error)
        return _page(request, tournament, form, status=422)
    except ServiceError as error:
        return _page(request, tournament, LogoForm(), Problem.from_error(error), error.status)
    messages.success(request, _("The logo is removed.") if removes else _("The logo is saved."))
    return redirect("settings-logo", tournament.slug)


def _page(
    request: HtmxHttpRequest,
    tournament: Tournament,
    form: LogoForm,
    problem: Problem | None = None,
    status: int = 200,
) -> HttpResponse:
    frame = tournament_frame(Tournament.objects.get(pk=tournament.pk), runs=True)
    together = with_logo_of(tournament, arbiter(request))
    sections = Section.objects.filter(tournament__in=together) if len(together) > 1 else ()
    context = {
        "frame": frame,
        "section": "desk",
        "form": form,
        "problem": problem,
        "seen_version": frame.tournament.version,
        "labels": [each.label for each in sections],
    }
    return render(request, "setup/logo.html", context, status=status)


def _etag(request: HttpRequest, slug: str, name: str) -> str | None:
    there = Tournament.objects.filter(slug=slug, logo=name).exists()
    return f'"{name}"' if there and name else None


@require_safe
@cache_control(public=True, max_age=A_YEAR, immutable=True)
@condition(etag_func=_etag)
def logo(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Return the logo of a tournament; 404 for one that it does not have, or no longer."""
    parts, data = LogoName.read(name), logo_file(slug, name)
    if parts is None or data is None:
        raise Http404
    return HttpResponse(data, content_type=CONTENT_TYPES[parts.ending])
