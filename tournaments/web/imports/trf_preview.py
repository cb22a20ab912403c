"""Show what a TRF file contains before it is saved, or why it cannot be opened."""

from __future__ import annotations

import base64

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from pairing.rules.handling import handling_for
from tournaments.core.messages import reason
from tournaments.lists.imports.trf_tournament import TrfPreview
from tournaments.web.action_form import Problem
from tournaments.web.form_fields import UploadForm
from tournaments.web.imports.assumed_encoding import AssumedEncoding
from tournaments.web.imports.forms import ImportRulesForm


def render_preview(
    request: HttpRequest,
    preview: TrfPreview,
    data: bytes,
    *,
    run: int | None = None,
    problem: str = "",
) -> HttpResponse:
    """Show *preview* of the file *data*. The page sends the file back,
    or the number *run* if the site keeps it.

    *problem*: why its tournament was not saved.
    """
    used = {"system": preview.system, "tie_break_edition": preview.tie_break_edition}
    chosen = ImportRulesForm(initial={name: decided.code for name, decided in used.items()})
    for name, decided in used.items():
        chosen.fields[name].help_text = reason(decided)
    context = {
        "preview": preview,
        "rules": chosen,
        "handling_edition": handling_for(preview.system.code),
        "assumed": AssumedEncoding.from_data(data, (player.name for player in preview.players)),
        "data": base64.b64encode(data).decode("ascii") if run is None else "",
        "run": run,
        "problem": _problem(problem) if problem else None,
    }
    status = 409 if problem and run is None else 200
    return render(request, "imports/tournament_import.html", context, status=status)


def render_problem(request: HttpRequest, sentence: str) -> HttpResponse:
    """Show why a large file cannot be opened, and the form for another one."""
    context = {"form": UploadForm(), "problem": _problem(sentence)}
    return render(request, "imports/tournament_import.html", context, status=422)


def _problem(sentence: str) -> Problem:
    return Problem(title=_("The tournament was not imported."), sentence=sentence, status=422)
