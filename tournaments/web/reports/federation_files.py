"""Files of the tournament for federations and servers: chess-results, ECF, US Chess."""

from __future__ import annotations

import io
import zipfile
from typing import Any, Final

from django import forms
from django.core.validators import RegexValidator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.http import require_http_methods

from tournaments.core.errors import ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import may_read, may_run, read_roles
from tournaments.events.event_page import sections_of
from tournaments.models import Tournament
from tournaments.reports.chess_results import chess_results_xml
from tournaments.reports.federation_ids import federation_ids_save
from tournaments.reports.federation_reports import REPORTS
from tournaments.web.access import arbiter, arbiter_only
from tournaments.web.action_form import add_service_error
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.shown_values import shown, up_to_date

LEFT_OUT: Final = "LEFT_OUT.txt"
_MEMBER: Final = RegexValidator(r"^[0-9]{8}$", _("Enter the eight digits."))


class ChessResultsForm(forms.Form):
    """The key of the event, and the number of the program; the file is valid without both."""

    key = forms.CharField(
        label=_("Key of the event"),
        required=False,
        max_length=60,
        help_text=_(
            "chess-results gives one key to each event, once. The file is valid without it. Whoever "
            "knows the key can replace the event there: visitors never see it."
        ),
    )
    source = forms.CharField(
        label=_("Number of the program"),
        required=False,
        max_length=4,
        validators=[RegexValidator(r"^[0-9]+$", _("Enter a number."))],
        help_text=_("As agreed with chess-results."),
    )


class UsChessForm(forms.Form):
    """What only US Chess needs; each field may stay empty, and is then entered there."""

    affiliate = forms.CharField(
        label=_("Affiliate"),
        required=False,
        validators=[RegexValidator(r"^A[0-9]{7}$", _("Enter A and seven digits."))],
        help_text=_("A and seven digits."),
    )
    chief = forms.CharField(
        label=_("Member number of the chief tournament director"),
        required=False,
        validators=[_MEMBER],
    )
    assistant = forms.CharField(
        label=_("Member number of the assistant"), required=False, validators=[_MEMBER]
    )
    time_control = forms.CharField(
        label=_("Time control"),
        required=False,
        max_length=40,
        validators=[
            RegexValidator(
                r"^[A-Z0-9/;,+d]+$", _("Enter it as US Chess does, such as 40/90,SD/30.")
            )
        ],
        help_text=_("As US Chess writes it, such as 40/90,SD/30."),
    )
    state = forms.CharField(
        label=_("State"),
        required=False,
        validators=[RegexValidator(r"^[A-Z]{2}$", _("Enter two capital letters."))],
        help_text=_("Two letters, such as NY."),
    )
    zipcode = forms.CharField(
        label=_("ZIP code"),
        required=False,
        validators=[RegexValidator(r"^[0-9-]{5,10}$", _("Enter five digits."))],
    )


class EcfForm(forms.Form):
    """What only the ECF needs; each field may stay empty, and is then added in the file."""

    ecf_code = forms.CharField(
        label=_("Code of the event"),
        required=False,
        validators=[RegexValidator(r"^[A-Za-z0-9]{1,10}$", _("At most ten letters and digits."))],
        help_text=_("As the ECF gave it."),
    )
    ecf_index = forms.CharField(
        label=_("Number of the submission"),
        required=False,
        validators=[RegexValidator(r"^[1-9][0-9]?$", _("Enter a number."))],
        help_text=_("1 at first, then one more each time you send the event again."),
    )
    ecf_officer = forms.CharField(label=_("Results officer"), required=False, max_length=60)
    ecf_officer_address = forms.CharField(
        label=_("E-mail address of the results officer"), required=False, max_length=80
    )
    ecf_treasurer = forms.CharField(label=_("Treasurer"), required=False, max_length=60)
    ecf_treasurer_address = forms.CharField(
        label=_("E-mail address of the treasurer"), required=False, max_length=80
    )


FORMS: Final[dict[str, type[forms.Form]]] = {
    "chess-results": ChessResultsForm,
    "ecf": EcfForm,
    "us-chess": UsChessForm,
}
"""The form of each file."""


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def federation_files(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show a form for each file; a POST returns the file and saves the values of its form.

    A value that somebody else changed since the page was opened is not overwritten. Who may only
    read sees no saved value: the key at chess-results is like a password.
    """
    saved = tournament.federation_ids if may_run(request.user, tournament) else {}
    fresh = {name: form(initial=saved) for name, form in FORMS.items()}
    answered, status = dict(fresh), 200 if request.method != "POST" else 422
    wanted = request.POST.get("file", "")
    if wanted in FORMS:
        data, conflict = up_to_date(request.POST, [fresh[wanted]])
        form = answered[wanted] = FORMS[wanted](data)
        if form.is_valid() and not conflict:
            try:
                return _file(request, tournament, wanted, form.cleaned_data)
            except ServiceError as error:
                add_service_error(form, error)
        elif conflict:
            form.add_error(None, conflict)
            status = 409
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "print",
        "files": [(name, form, shown([fresh[name]])) for name, form in answered.items()],
    }
    return render(request, "reports/federation_files.html", context, status=status)


def _file(
    request: HtmxHttpRequest, tournament: Tournament, wanted: str, values: dict[str, Any]
) -> HttpResponse:
    """Return the file and save its *values*, unless there is no file with them."""
    made = (
        _xml(tournament, values)
        if wanted == "chess-results"
        else _archive(request, tournament, wanted, values)
    )
    federation_ids_save(tournament_id=tournament.pk, actor=arbiter(request), values=values)
    return made


def _xml(tournament: Tournament, values: dict[str, Any]) -> HttpResponse:
    frame = tournament_frame(tournament, runs=False)
    content = chess_results_xml(frame, key=values["key"], source=values["source"])
    return _download(content, "application/xml", f"{tournament.slug}-chess-results.xml")


def _archive(
    request: HtmxHttpRequest, tournament: Tournament, wanted: str, values: dict[str, Any]
) -> HttpResponse:
    """Return the files in a ZIP archive, and a text with what they do not say.

    A section of the event in which the reader has no role is not in them: the files have the whole
    names and the numbers of its players.
    """
    section = getattr(tournament, "section", None)
    name, sections, left_out = tournament.name, [("Open", tournament)], []
    if section:
        name, every = section.event.name, sections_of(section.event)
        read_roles(arbiter(request), [each.tournament for each in every])
        own = [each for each in every if may_read(request.user, each.tournament)]
        sections = [(each.label, each.tournament) for each in own]
        left_out = [
            gettext("%(section)s is not in the files: you have no role in this section.")
            % {"section": each.label}
            for each in every
            if each not in own
        ]
    files, notes = REPORTS[wanted].files(sections, name, values, timezone.localdate())
    left_out += notes
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, content in files.items():
            archive.writestr(file, content)
        if left_out:
            archive.writestr(LEFT_OUT, "\r\n".join([*left_out, ""]))
    return _download(made.getvalue(), "application/zip", f"{tournament.slug}-{wanted}.zip")


def _download(content: bytes, content_type: str, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=content_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
