"""Import one list into all sections of an event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods

from tournaments.core.permissions import Power
from tournaments.core.request_values import numbers_of, whole_number
from tournaments.events.list_comparing import STAYS, EventComparison, compare_event
from tournaments.events.list_import import EventChoice, EventImported, event_list_import
from tournaments.events.placing import have_limits, open_sections
from tournaments.lists.imports.reading import Reading
from tournaments.models import Event, Section
from tournaments.web.access import who_and_when
from tournaments.web.action_form import Problem
from tournaments.web.events.access import event_page, require_runs_all
from tournaments.web.form_fields import UploadForm
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.imports.entry_lists import imported_text
from tournaments.web.imports.preview import (
    ImportPage,
    PreviewRow,
    Upload,
    preview_content,
    ticked_fields,
)


@gzip_page
@event_page(Power.RUN)
@require_http_methods(["GET", "HEAD", "POST"])
def event_import_page(
    request: HtmxHttpRequest, event: Event, sections: list[Section]
) -> HttpResponse:
    """First POST: a preview with the section of each row.

    Next POST: another preview, or everything chosen is saved.
    """
    require_runs_all(request, sections)

    def page(form: UploadForm, problem: Problem | None, status: int) -> HttpResponse:
        return _page(request, event, {"form": form, "problem": problem}, status)

    def preview(
        upload: Upload, reading: Reading, problem: Problem | None, status: int
    ) -> HttpResponse:
        return _page(request, event, _content(request, sections, upload, reading, problem), status)

    def save(reading: Reading) -> HttpResponse:
        done = event_list_import(
            event=event,
            **who_and_when(request),
            reading=reading,
            choice=_choice(request.POST),
            seen=request.POST.get("seen", ""),
        )
        messages.success(request, _imported_text(done))
        waits = any(each.waiting for each in done.sections.values())
        return redirect("event-waiting" if waits else "event-entries", event.slug)

    return ImportPage(page, preview, save, has_sections=True).answer(request)


def _content(
    request: HtmxHttpRequest,
    sections: Sequence[Section],
    upload: Upload,
    reading: Reading,
    problem: Problem | None,
) -> dict[str, Any]:
    """Return what the preview needs; sections chosen in the last one stay chosen."""
    found = compare_event(reading, sections, _sections(request.POST))
    open_ = open_sections(sections)
    content = preview_content(upload, reading, found.whole, problem)
    moves = [move for move in found.moves if move.refused is None]
    return content | {
        "compared": found,
        "digest": found.digest,
        "rows": _rows(found, open_),
        "can_save": bool(open_) and (content["can_save"] or bool(moves)),
        "unlimited": open_[0]
        if open_ and not have_limits(open_) and not _names_sections(reading)
        else None,
    }


def _names_sections(reading: Reading) -> bool:
    return reading.columns is not None and "section" in reading.columns.places


def _rows(found: EventComparison, open_: Sequence[Section]) -> list[PreviewRow]:
    """Return the new players with the options of their sections; first those without a section."""
    options: dict[tuple[int, bool], SafeString] = {}
    rows = []
    for each in sorted(found.placed, key=lambda each: (each.problem is None, each.row.line)):
        key = (each.section.pk if each.section else 0, each.problem is not None)
        if key not in options:
            options[key] = _options(open_, *key)
        rows.append(PreviewRow(each.row, options[key]))
    return rows


def _options(open_: Sequence[Section], chosen: int, waits: bool) -> SafeString:
    none = _("waiting") if waits else _("do not enter")
    several = format_html_join(
        "",
        '<option value="{}"{}>{}</option>',
        (
            (
                section.tournament_id,
                SafeString(" selected") if section.pk == chosen else "",
                section.label,
            )
            for section in open_
        ),
    )
    selected = "" if chosen else SafeString(" selected")
    return format_html('<option value="{}"{}>{}</option>{}', STAYS, selected, none, several)


def _choice(data: QueryDict) -> EventChoice:
    """Return what is chosen in the form *data*."""
    return EventChoice(
        sections=_sections(data),
        fields=ticked_fields(data),
        removed=frozenset(numbers_of(data, "remove")),
        moved=frozenset(numbers_of(data, "move")),
    )


def _sections(data: QueryDict) -> dict[int, int]:
    """Return the tournaments of the fields ``to-…``, by line."""
    chosen = {}
    for name, value in data.items():
        line = whole_number(name.removeprefix("to-")) if name.startswith("to-") else None
        to = whole_number(str(value))
        if line is not None and to is not None:
            chosen[line] = to
    return chosen


def _imported_text(done: EventImported) -> str:
    parts = [
        f"{label}: {imported_text(each)}"
        for label, each in done.sections.items()
        if each.entered or each.changed or each.removed or each.waiting
    ]
    if done.moved:
        moved = ngettext("%(n)d player has moved.", "%(n)d players have moved.", done.moved)
        parts.append(moved % {"n": done.moved})
    return " · ".join(parts) or _("Nothing has changed.")


def _page(
    request: HtmxHttpRequest, event: Event, content: dict[str, Any], status: int
) -> HttpResponse:
    return render(
        request, "events/import.html", {"event": event, "here": "entries", **content}, status=status
    )
