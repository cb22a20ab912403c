"""Import a list of players: upload the file, correct the columns, tick what changes, confirm."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_http_methods

from tournaments.core.errors import BadInput, Conflict, ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.request_values import file_of, numbers_of
from tournaments.entries.cells import FIELDS, label
from tournaments.imports.comparing import ChangedPlayer, FieldChange, compare
from tournaments.imports.csv_reading import ENCODINGS
from tournaments.imports.entry_lists import Choice, Imported, list_import
from tournaments.imports.reading import Reading, is_spreadsheet, read_list
from tournaments.imports.sheets import MAX_COLUMNS
from tournaments.models import Tournament
from tournaments.web.access import arbiter, arbiter_only
from tournaments.web.action_form import Problem
from tournaments.web.form_fields import UploadForm
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.imports.assumed_encoding import AssumedEncoding
from tournaments.web.imports.shown_changes import shown_changes

MOST_MISSING: Final = 2_500
"""With the boxes of 5,000 rows and of 500 changed players, and 1,000 columns, a form stays below Django's limit."""
SHOWN_DOUBTFUL: Final = 100


@dataclass(frozen=True, slots=True)
class Upload:
    """What a form sends: the file, the encoding, and the fields of the columns if the user has corrected them."""

    data: bytes
    encoding: str = ""
    columns: str = ""
    """The fields of the columns, separated by commas; empty: as the program finds them."""

    def read(self) -> Reading:
        """Return the list; raises :class:`BadInput`."""
        return read_list(self.data, chosen=_chosen_columns(self.columns), encoding=self.encoding)


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def entries_import_page(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """First POST: a preview, nothing saved. Next POST: another preview (``again``), or everything ticked is saved.

    The form of the preview contains the file unchanged. It is read again before saving, so that values in the form are
    not trusted.
    """
    if request.method != "POST":
        return _page(request, tournament, {"form": UploadForm()})
    if "confirmed" in request.POST:
        return _from_preview(request, tournament)
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, tournament, {"form": form}, status=422)
    upload = Upload(form.data_bytes())
    try:
        reading = upload.read()
    except ServiceError as error:
        return _page(request, tournament, {"form": form, "problem": Problem.of(error)}, status=422)
    return _preview(request, tournament, upload, reading)


def _from_preview(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Save what is ticked. If the columns or the encoding are others than in the preview, show it once more."""
    data = request.POST
    shown = Upload(b"", data.get("encoding-shown", ""), data.get("columns-shown", ""))
    try:
        upload = Upload(file_of(data, "confirmed"), _encoding(data), _columns(data) or shown.columns)
        try:
            reading = upload.read()
        except ServiceError as error:
            # The columns as they were: the user sees the list and the problem.
            shown = Upload(upload.data, shown.encoding, shown.columns)
            return _preview(request, tournament, shown, shown.read(), Problem.of(error), status=422)
        corrected = (upload.encoding, upload.columns) != (shown.encoding, shown.columns)
        if "again" in data or corrected:
            problem = None if "again" in data else Problem(_("The columns have changed."), _("Check the list."), 422)
            return _preview(request, tournament, upload, reading, problem, status=problem.status if problem else 200)
        try:
            done = list_import(
                tournament_id=tournament.pk,
                actor=arbiter(request),
                now=timezone.now(),
                reading=reading,
                choice=_choice(data),
                seen=data.get("seen", ""),
            )
        except (Conflict, BadInput) as error:
            return _preview(request, tournament, upload, reading, Problem.of(error, request), status=error.status)
    except ServiceError as error:
        problem = Problem.of(error)
        return _page(request, tournament, {"form": UploadForm(), "problem": problem}, status=problem.status)
    messages.success(request, _said(done))
    return redirect("waiting" if done.waiting else "entries", tournament.slug)


def _choice(data: QueryDict) -> Choice:
    """Return what is ticked in the form *data*."""
    fields: dict[int, set[str]] = {}
    for ticked in data.getlist("change"):
        found = re.fullmatch(r"([0-9]{1,18})-([a-z_]{1,20})", ticked)
        if found:
            fields.setdefault(int(found[1]), set()).add(found[2])
    return Choice(
        lines=frozenset(numbers_of(data, "new")), fields=fields, removed=frozenset(numbers_of(data, "remove"))
    )


def _said(done: Imported) -> str:
    entered, changed = len(done.entered), len(done.changed)
    parts = [
        ngettext("%(count)d player is entered.", "%(count)d players are entered.", entered) % {"count": entered},
    ]
    if changed:
        parts.append(
            ngettext("%(count)d player is changed.", "%(count)d players are changed.", changed) % {"count": changed}
        )
    if done.removed:
        parts.append(
            ngettext("%(count)d player is removed.", "%(count)d players are removed.", done.removed)
            % {"count": done.removed}
        )
    if done.waiting:
        parts.append(
            ngettext("%(count)d row waits to be corrected.", "%(count)d rows wait to be corrected.", done.waiting)
            % {"count": done.waiting}
        )
    return " ".join(parts)


def _preview(
    request: HtmxHttpRequest,
    tournament: Tournament,
    upload: Upload,
    reading: Reading,
    problem: Problem | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    found = compare(reading, tournament)
    is_text = not is_spreadsheet(upload.data)
    content = {
        "reading": reading,
        "found": found,
        "total": len(reading.rows) + len(reading.doubtful),
        "changes": [line for player in found.changed for line in shown_changes(player, _box)],
        "doubtful": found.doubtful[:SHOWN_DOUBTFUL],
        "more_doubtful": max(len(found.doubtful) - SHOWN_DOUBTFUL, 0),
        "removable": found.removable and len(found.missing) <= MOST_MISSING,
        "can_save": bool(found.new or found.changed or found.doubtful or (found.removable and found.missing)),
        "column_choices": [(name, label(name)) for name in FIELDS],
        "columns": _shown_columns(reading),
        "columns_sent": _sent_columns(reading),
        "encodings": ENCODINGS if is_text else (),
        "assumed": AssumedEncoding.of(upload.data, (row.name for row in reading.rows))
        if is_text and not upload.encoding
        else None,
        "encoding": upload.encoding,
        "data": base64.b64encode(upload.data).decode("ascii"),
        "problem": problem,
    }
    return _page(request, tournament, content, status=status)


def _box(player: ChangedPlayer, change: FieldChange) -> str:
    """Return what the box of *change* sends; the digest of the comparison guards the values."""
    return f"{player.entry.pk}-{change.field}"


def _shown_columns(reading: Reading) -> list[tuple[int, str, str, bool]]:
    """Return the columns of the table: number from 1, heading, field, and whether the content decided it."""
    if reading.columns is None:
        return []
    columns = reading.columns
    fields = {number: name for name, number in columns.places.items()}
    headings = dict(enumerate(columns.headings))
    return [
        (number + 1, headings.get(number, ""), fields.get(number, ""), fields.get(number, "") in columns.guessed)
        for number in range(columns.width)
    ]


def _sent_columns(reading: Reading) -> str:
    return ",".join(name for _number, _heading, name, _guessed in _shown_columns(reading))


def _columns(data: QueryDict) -> str:
    """Return the fields of the columns that the selects of the form name; empty if it has none."""
    names = []
    for number in range(1, MAX_COLUMNS + 1):
        name = data.get(f"column-{number}")
        if name is None:
            break
        names.append(name if name in FIELDS else "")
    return ",".join(names)


def _chosen_columns(columns: str) -> dict[int, str] | None:
    if not columns:
        return None
    names = columns.split(",")[:MAX_COLUMNS]
    return {number: name for number, name in enumerate(names) if name in FIELDS}


def _encoding(data: QueryDict) -> str:
    encoding = data.get("encoding", "")
    return encoding if encoding in ENCODINGS else ""


def _page(
    request: HtmxHttpRequest, tournament: Tournament, content: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    context = {"frame": tournament_frame(tournament, runs=True), "section": "entries", **content}
    return render(request, "imports/entries_import.html", context, status=status)
