"""What previews of lists share: the file in the form, columns, and changes to tick."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpResponse, QueryDict
from django.utils.translation import gettext as _

from pairing.record.player_fields import TEXTS
from tournaments.core.birth_dates import ORDERS
from tournaments.core.errors import BadInput, Conflict, RuleRefused, ServiceError
from tournaments.core.request_values import file_of
from tournaments.entries.cells import FIELDS, OF_THE_DESK, ImportRow, label
from tournaments.lists.imports.comparing import ChangedPlayer, Comparison, FieldChange
from tournaments.lists.imports.csv_reading import ENCODINGS
from tournaments.lists.imports.reading import Reading, is_spreadsheet, read_table
from tournaments.lists.imports.sheets import MAX_COLUMNS
from tournaments.web.action_form import Problem
from tournaments.web.form_fields import UploadForm
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.imports.assumed_encoding import AssumedEncoding
from tournaments.web.imports.shown_changes import shown_changes

MOST_MISSING: Final = 2_500
"""With the boxes of 5,000 rows and of 500 changed players, and 1,000 columns,
a form stays below Django's limit.
"""
SHOWN_DOUBTFUL: Final = 100
OF_EVENTS: Final = (*FIELDS, "section")
"""What a column of a list for an event can contain."""


@dataclass(frozen=True, slots=True)
class Upload:
    """What a form sends: file, encoding, and the columns' fields if they were corrected."""

    data: bytes
    encoding: str = ""
    columns: str = ""
    """The fields of the columns, separated by commas; empty: as the program finds them."""
    dates: str = ""
    """What stands first in dates, ``day`` or ``month``; empty: as the column shows it."""
    has_sections: bool = False
    """Whether the list is for an event."""

    def read(self) -> Reading:
        """Return the list, or a table that is none; :class:`BadInput` if not even a table."""
        chosen = _chosen_columns(self.columns, self.fields)
        return read_table(
            self.data,
            chosen=chosen,
            encoding=self.encoding,
            dates=self.dates,
            has_sections=self.has_sections,
        )

    @property
    def fields(self) -> tuple[str, ...]:
        """What a column can contain."""
        return OF_EVENTS if self.has_sections else FIELDS


@dataclass(frozen=True, slots=True)
class ImportPage:
    """The parts in which the import pages differ: the empty page, the preview, and saving.

    ``page`` takes the form and a problem, ``preview`` the list and a problem, ``save`` goes on to
    the next page or raises ``Conflict`` and ``BadInput``, which are shown with the preview, and
    others.
    """

    page: Callable[[UploadForm, Problem | None, int], HttpResponse]
    preview: Callable[[Upload, Reading, Problem | None, int], HttpResponse]
    save: Callable[[Reading], HttpResponse]
    has_sections: bool = False

    def answer(self, request: HtmxHttpRequest) -> HttpResponse:
        """Answer *request*: the form, a preview of a file, or another preview or saving.

        The form of the preview contains the file unchanged. It is read again before saving, so that
        values in the form are not trusted.
        """
        if request.method != "POST":
            return self.page(UploadForm(), None, 200)
        if "confirmed" in request.POST:
            return self._from_preview(request)
        form = UploadForm(request.POST, request.FILES)
        if not form.is_valid():
            return self.page(form, None, 422)
        upload = Upload(form.data_bytes(), has_sections=self.has_sections)
        try:
            reading = upload.read()
        except ServiceError as error:
            return self.page(form, Problem.from_error(error), 422)
        return self._shown(upload, reading)

    def _shown(
        self, upload: Upload, reading: Reading, problem: Problem | None = None
    ) -> HttpResponse:
        """Show the preview with *problem*, or with the reason why the columns are not right."""
        if reading.refused is not None:
            problem = Problem.from_error(reading.refused)
        status = 422 if reading.refused is not None else problem.status if problem else 200
        return self.preview(upload, reading, problem, status)

    def _from_preview(self, request: HtmxHttpRequest) -> HttpResponse:
        """Save what is chosen.

        If the columns or the encoding have changed, show the preview again.
        """
        data, more = request.POST, self.has_sections
        seen_dates = _dates(data, "dates-shown")
        shown = Upload(
            b"", data.get("encoding-shown", ""), data.get("columns-shown", ""), seen_dates, more
        )
        try:
            columns = _columns(data, shown.fields) or shown.columns
            encoding = _encoding(data)
            if encoding != shown.encoding and columns == shown.columns:
                columns = ""  # Other letters can make other headings: the columns are found anew.
            upload = Upload(
                file_of(data, "confirmed"), encoding, columns, _dates(data, "dates"), more
            )
            try:
                reading = upload.read()
            except ServiceError as error:
                # The columns as they were: the user sees the list and the problem.
                shown = Upload(upload.data, shown.encoding, shown.columns, shown.dates, more)
                return self.preview(shown, shown.read(), Problem.from_error(error), 422)
            corrected = (upload.encoding, upload.columns, upload.dates) != (
                shown.encoding,
                shown.columns,
                shown.dates,
            )
            if "again" in data or corrected or reading.refused is not None:
                problem = (
                    None
                    if "again" in data
                    else Problem(_("The columns have changed."), _("Check the list."), 422)
                )
                return self._shown(upload, reading, problem)
            try:
                return self.save(reading)
            except (Conflict, BadInput, RuleRefused) as error:
                return self.preview(
                    upload, reading, Problem.from_error(error, request), error.status
                )
        except ServiceError as error:
            problem = Problem.from_error(error)
            return self.page(UploadForm(), problem, problem.status)


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """A new player of the list.

    ``sections`` are the options of a list for an event, instead of a box.
    """

    row: ImportRow
    sections: str = ""


def preview_content(
    upload: Upload, reading: Reading, found: Comparison, problem: Problem | None
) -> dict[str, Any]:
    """Return what the templates of a preview need."""
    is_text = not is_spreadsheet(upload.data)
    return {
        "reading": reading,
        "found": found,
        "digest": found.digest,
        "total": len(reading.rows) + len(reading.doubtful),
        "rows": [PreviewRow(row) for row in found.new],
        "changes": [line for player in found.changed for line in shown_changes(player, _box)],
        "doubtful": found.doubtful[:SHOWN_DOUBTFUL],
        "more_doubtful": max(len(found.doubtful) - SHOWN_DOUBTFUL, 0),
        "removable": found.removable and len(found.missing) <= MOST_MISSING,
        "can_save": bool(
            found.new or found.changed or found.doubtful or (found.removable and found.missing)
        ),
        "column_choices": [(name, label(name)) for name in upload.fields],
        "columns": _shown_columns(reading),
        "for_desk": reading.columns is not None
        and not OF_THE_DESK.keys().isdisjoint(reading.columns.places),
        "texts": [
            name
            for name in TEXTS
            if name == "club" or (reading.columns is not None and name in reading.columns.places)
        ],
        "has_national_ids": reading.columns is not None and "national_id" in reading.columns.places,
        "columns_sent": _sent_columns(reading),
        "encodings": ENCODINGS if is_text else (),
        "assumed": AssumedEncoding.from_data(upload.data, (row.name for row in reading.rows))
        if is_text and not upload.encoding
        else None,
        "encoding": upload.encoding,
        "wrong_letters": is_text and _has_wrong_letters(found),
        "dates": upload.dates,
        "asks_dates": reading.values is not None and reading.values.asks_dates,
        "data": base64.b64encode(upload.data).decode("ascii"),
        "problem": problem,
    }


def ticked_fields(data: QueryDict) -> dict[int, set[str]]:
    """Return the fields that are ticked in the form *data*, by the key of the player."""
    fields: dict[int, set[str]] = {}
    for ticked in data.getlist("change"):
        found = re.fullmatch(r"([0-9]{1,18})-([a-z_]{1,20})", ticked)
        if found:
            fields.setdefault(int(found[1]), set()).add(found[2])
    return fields


def _box(player: ChangedPlayer, change: FieldChange) -> str:
    """Return what the box of *change* sends; the digest of the comparison guards the values."""
    return f"{player.entry.pk}-{change.field}"


def _shown_columns(reading: Reading) -> list[tuple[int, str, str, bool]]:
    """Return the columns: number from 1, heading, field, and whether the content decided it."""
    if reading.columns is None:
        return []
    columns = reading.columns
    fields = {number: name for name, number in columns.places.items()}
    headings = dict(enumerate(columns.headings))
    return [
        (
            number + 1,
            headings.get(number, ""),
            fields.get(number, ""),
            fields.get(number, "") in columns.guessed,
        )
        for number in range(columns.width)
    ]


def _sent_columns(reading: Reading) -> str:
    return ",".join(name for _number, _heading, name, _guessed in _shown_columns(reading))


def _columns(data: QueryDict, fields: Collection[str]) -> str:
    """Return the fields of the columns that the selects of the form name; empty if it has none."""
    names = []
    for number in range(1, MAX_COLUMNS + 1):
        name = data.get(f"column-{number}")
        if name is None:
            break
        names.append(name if name in fields else "")
    return ",".join(names)


def _chosen_columns(columns: str, fields: Collection[str]) -> dict[int, str] | None:
    if not columns:
        return None
    names = columns.split(",")[:MAX_COLUMNS]
    return {number: name for number, name in enumerate(names) if name in fields}


def _has_wrong_letters(found: Comparison) -> bool:
    """Return whether names or clubs have UTF-8 read and written again as another encoding."""
    return any(
        problem.code == "csv.letters_doubled" for row in found.doubtful for problem in row.problems
    )


def _dates(data: QueryDict, name: str) -> str:
    return order if (order := data.get(name, "")) in ORDERS else ""


def _encoding(data: QueryDict) -> str:
    encoding = data.get("encoding", "")
    return encoding if encoding in ENCODINGS else ""
