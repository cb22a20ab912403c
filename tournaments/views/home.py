"""The list of tournaments, setting one up, opening one from a file, and the settings afterwards."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from types import MappingProxyType

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from pairing.rules.handling import handling_for
from pairing.rules.regulations import fixed_fields
from pairing.trf.encoding import as_utf8
from tournaments.bridge import round_facts
from tournaments.forms import ImportRulesForm, TournamentForm, UploadForm
from tournaments.htmx import HtmxHttpRequest
from tournaments.messages import reason
from tournaments.models import RoundState, Tournament
from tournaments.request_values import file_of
from tournaments.selectors.frame import tournament_frame
from tournaments.selectors.home import tournament_list
from tournaments.services.errors import BadInput, ServiceError
from tournaments.services.imports import tournament_import_trf, trf_preview
from tournaments.services.tournaments import OUR_LISTS, tournament_create, tournament_update

from .access import arbiter, arbiter_only, not_to_be_stored, signed_in
from .acts import Problem, tell_form
from .assumed_encoding import AssumedEncoding


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Every tournament, the newest first."""
    response = render(request, "tournaments/home.html", {"cards": tournament_list(request.user)})
    return not_to_be_stored(response) if request.user.is_authenticated else response


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: HtmxHttpRequest) -> HttpResponse:
    """Set up a tournament."""
    form = TournamentForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = tournament_create(actor=arbiter(request), now=timezone.now(), **form.values())
        except ServiceError as error:
            tell_form(form, error)
        else:
            messages.success(request, _("The tournament is set up. Now the players."))
            _tell_other_list(request, form, made)
            return redirect("desk", made.slug)
    status = 422 if form.is_bound else 200
    return render(request, "tournaments/tournament_form.html", {"form": form}, status=status)


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Change the settings, as far as they may still change."""
    frame = tournament_frame(tournament, runs=True)
    form = TournamentForm(request.POST or None, instance=tournament)
    form.lock(fixed_fields(round_facts(tournament)))
    if request.method == "POST" and form.is_valid():
        try:
            saved = tournament_update(
                tournament_id=tournament.pk, actor=arbiter(request), now=timezone.now(), **_changed(form, tournament)
            )
        except ServiceError as error:
            tell_form(form, error)
        else:
            messages.success(request, _("The settings are saved."))
            _tell_other_list(request, form, saved)
            return redirect("desk", tournament.slug)
    context = {
        "form": form,
        "frame": frame,
        "section": "desk",
        "begun": frame.rounds[0].state != RoundState.PLANNED,
    }
    return render(request, "tournaments/tournament_form.html", context, status=422 if form.is_bound else 200)


def _tell_other_list(request: HtmxHttpRequest, form: TournamentForm, saved: Tournament) -> None:
    """Say it where our own list of tie-breaks, typed or left in the form, was saved as that of the other systems."""
    typed = form.values().get("tie_breaks", saved.tie_breaks)
    if typed != saved.tie_breaks and typed in OUR_LISTS:
        told = _(
            "The list of tie-breaks follows the pairing system and is now %(list)s. For a match of two games C.07 does"
            " not say what WIN counts [C.07 7.1]."
        )
        messages.info(request, told % {"list": saved.tie_breaks})


def _changed(form: TournamentForm, tournament: Tournament) -> dict[str, object]:
    """Only what differs: what stays as it is needs nobody's leave."""
    return {name: value for name, value in form.values().items() if getattr(tournament, name) != value}


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def import_trf(request: HtmxHttpRequest) -> HttpResponse:
    """Open a TRF file: look at what is in it first, by other rules if need be, then make a tournament of it."""
    if request.method != "POST":
        return _import_page(request, UploadForm())
    if "confirmed" in request.POST:
        return _import_confirmed(request)
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return _import_page(request, form, status=422)
    return _import_preview(request, form, form.data_bytes())


def _import_preview(
    request: HtmxHttpRequest, form: UploadForm, data: bytes, rules: Mapping[str, str] = MappingProxyType({})
) -> HttpResponse:
    """What is in *data*, by the *rules* chosen or those the file says."""
    try:
        preview = trf_preview(as_utf8(data), **rules)
    except BadInput as error:
        return _import_page(request, form, problem=Problem.of(error), status=422)
    used = {"system": preview.system, "tie_break_edition": preview.tie_break_edition}
    chosen = ImportRulesForm(initial={name: decided.code for name, decided in used.items()})
    for name, decided in used.items():
        chosen.fields[name].help_text = reason(decided)
    context = {
        "preview": preview,
        "rules": chosen,
        "handling_edition": handling_for(preview.system.code),
        "assumed": AssumedEncoding.of(data, (player.name for player in preview.players)),
        "data": base64.b64encode(data).decode("ascii"),
    }
    return render(request, "tournaments/tournament_import.html", context)


def _import_confirmed(request: HtmxHttpRequest) -> HttpResponse:
    chosen = ImportRulesForm(request.POST)
    try:
        data = file_of(request.POST, "confirmed")
    except BadInput as error:
        return _import_page(request, UploadForm(), problem=Problem.of(error), status=422)
    if not chosen.is_valid():
        return _import_page(request, UploadForm(), status=422)
    if "again" in request.POST:
        return _import_preview(request, UploadForm(), data, chosen.cleaned_data)
    try:
        made = tournament_import_trf(
            actor=arbiter(request), now=timezone.now(), data=as_utf8(data), **chosen.cleaned_data
        )
    except ServiceError as error:
        return _import_page(request, UploadForm(), problem=Problem.of(error), status=422)
    messages.success(request, _("The tournament is there, as it stood in the file."))
    return redirect(reverse("desk", args=[made.slug]))


def _import_page(
    request: HtmxHttpRequest, form: UploadForm, *, problem: Problem | None = None, status: int = 200
) -> HttpResponse:
    return render(request, "tournaments/tournament_import.html", {"form": form, "problem": problem}, status=status)
