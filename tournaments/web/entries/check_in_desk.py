"""What check-in desks of tournament and event share: find, check in, and the list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import urlencode

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _, ngettext, pgettext

from tournaments.core.actions import lines_of_request
from tournaments.core.errors import ServiceError
from tournaments.core.request_values import MOST, BadValue, number_of, whole_number
from tournaments.entries.check_in import entries_check_in
from tournaments.entries.check_in_list import CheckInList, DeskLine, check_in_list, matches
from tournaments.entries.entries import entry_check_in
from tournaments.models import Entry, Tournament
from tournaments.web.access import arbiter
from tournaments.web.action_form import Problem
from tournaments.web.htmx import HtmxHttpRequest, go_to, wants_part
from tournaments.web.parts import PART, first_letter, part_that_is, requested_page


class Show(Protocol):
    """Show a desk's page: with a refusal, the newest action, a search, or the last player."""

    def __call__(
        self,
        problem: Problem | None = None,
        *,
        status_text: str = "",
        search: str = "",
        last: Entry | None = None,
    ) -> HttpResponse: ...


@dataclass(frozen=True, slots=True)
class DeskPage:
    """The check-in desk of *tournaments* at ``address``; ``labels`` name its sections."""

    request: HtmxHttpRequest
    tournaments: Sequence[Tournament]
    address: str
    show: Show
    labels: Mapping[int, str] = field(default_factory=dict)

    def find(self) -> HttpResponse:
        """Check in the only player whose name begins with ``who``; several are shown."""
        who = self.request.POST.get("who", "").strip()
        found = matches(check_in_list(*self.tournaments).coming, who) if who else []
        arriving = [line for line in found if line.presence.can_arrive]
        if len(arriving) == 1:
            return self._set(arriving[0].entry.pk, checked_in=True)
        if not who:
            message = _("Type the first letters of a name.")
        elif arriving:
            message = ngettext(
                "%(n)d player fits: choose one.", "%(n)d players fit: choose one.", len(arriving)
            )
            message %= {"n": len(arriving)}
        elif found:
            message = _("%(name)s is not expected, or is checked in already.") % {
                "name": self._name(found[0].entry)
            }
        else:
            message = _("No player matches your search.")
        return self.show(status_text=message, search=who)

    def tick(self) -> HttpResponse:
        """Check the player ``in`` or ``out``, or ``all`` missing ones in, by the button."""
        if "all" in self.request.POST:
            return self._check_in_all()
        goes_out = "out" in self.request.POST
        entry_id = number_of(self.request.POST, "out" if goes_out else "in")
        return self._set(entry_id, checked_in=not goes_out)

    def _check_in_all(self) -> HttpResponse:
        """Check in the players whom the page showed as missing, in all tournaments or in none."""
        seen = {
            tournament.pk: _ids_in(self.request.POST.get(f"missing-{tournament.pk}", ""))
            for tournament in sorted(self.tournaments, key=lambda each: each.pk)
        }
        arrived = 0
        try:
            with transaction.atomic():
                for pk, entries in seen.items():
                    if entries:
                        arrived += len(
                            entries_check_in(
                                tournament_id=pk,
                                actor=arbiter(self.request),
                                now=timezone.now(),
                                round_number=number_of(self.request.POST, f"round-{pk}"),
                                seen=entries,
                            )
                        )
        except ServiceError as error:
            return self.show(Problem.from_error(error, self.request))
        sentence = ngettext(
            "%(n)d player is checked in.", "%(n)d players are checked in.", arrived
        ) % {"n": arrived}
        messages.success(self.request, sentence)
        return go_to(self.request, self.address + kept(self.request))

    def _set(self, entry_id: int, *, checked_in: bool) -> HttpResponse:
        """Check the player in or out, and show the page with a sentence about it."""
        entry = get_object_or_404(Entry, tournament__in=self.tournaments, pk=entry_id)
        try:
            entry_check_in(
                entry_id=entry.pk,
                actor=arbiter(self.request),
                now=timezone.now(),
                checked_in=checked_in,
            )
        except ServiceError as error:
            return self.show(Problem.from_error(error, self.request))
        for tournament in self.tournaments:
            if tournament.pk == entry.tournament_id:
                tournament.refresh_from_db()
        message = (
            _("%(name)s is checked in.") if checked_in else _("%(name)s is no longer checked in.")
        )
        sentence = message % {"name": self._name(entry)}
        if not wants_part(self.request):
            messages.success(self.request, sentence)
            return redirect(self.address + kept(self.request))
        # Somebody else may have checked the player in: that is not undone here.
        is_own = checked_in and bool(lines_of_request())
        response = self.show(status_text=sentence, last=entry if is_own else None)
        response.headers["HX-Trigger"] = "saved"
        return response

    def _name(self, entry: Entry) -> str:
        label = self.labels.get(entry.tournament_id)
        return f"{entry.real_name} ({label})" if label else entry.real_name


def _ids_in(text: str) -> list[int]:
    """Return the entries of a hidden field, ids with blanks: one field for any number of players."""
    ids = [whole_number(word) for word in text.split()]
    if None in ids:
        raise BadValue("request.number", field="missing", name="missing", least=0, most=MOST)
    return [each for each in ids if each is not None]


def kept(request: HtmxHttpRequest) -> str:
    """Return the query that keeps the list at its part of missing players, after an action."""
    query = {"shown": "missing"} if _only_missing(request) else {}
    if page := requested_page(request.GET.get("page", "")):
        query["page"] = page
    return f"?{urlencode(query)}" if query else ""


def _only_missing(request: HtmxHttpRequest) -> bool:
    return request.GET.get("shown") == "missing"


def list_context(
    request: HtmxHttpRequest,
    listed: CheckInList,
    labels: Mapping[int, str],
    *,
    status_text: str,
    search: str,
    last: Entry | None,
) -> dict[str, Any]:
    """Return what the list on the page needs; *labels* are those of the sections, by tournament."""
    only_missing = _only_missing(request)
    lines: Sequence[DeskLine] = [
        line for line in listed.coming if line.presence.can_arrive or not only_missing
    ]
    # The script searches in the list that it has: only in a long one does it ask.
    is_long, words = len(lines) > PART, search or request.GET.get("q", "")
    if is_long or not wants_part(request):
        lines = matches(lines, words)
    part_name = "" if search else requested_page(request.GET.get("page", ""))
    part = part_that_is(lines, part_name, label=_letter, anchor=_row)
    open_parts = [part for part in listed.parts if part.seen.missing and not part.is_closed]
    return {
        "listed": listed,
        "lines": [(line, labels.get(line.entry.tournament_id, "")) for line in part.lines],
        "list_part": part,
        "is_long": is_long,
        "words": words,
        "arriving": sum(line.presence.can_arrive for line in lines),
        "open_parts": open_parts,
        "all_missing": sum(len(part.seen.missing) for part in open_parts),
        "parts": [(part, labels.get(part.tournament.pk, "")) for part in listed.parts],
        "search": search,
        "only_missing": only_missing,
        "only": pgettext("filter", "missing players") if only_missing else "",
        "kept": kept(request),
        "status_text": status_text,
        "last": next(
            (line for line in listed.lines if last is not None and line.entry.pk == last.pk), None
        ),
    }


def _letter(line: DeskLine) -> str:
    return first_letter(line.entry.real_name)


def _row(line: DeskLine) -> str:
    return f"at-{line.entry.pk}"
