"""The page *Check before sending*, and the whole report as one archive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from pairing.rules.report_checks import Finding, Listed
from pairing.rules.report_profiles import Profile
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import Power, may, read_roles
from tournaments.entries.entries import RATINGS
from tournaments.events.event_page import sections_of
from tournaments.lists.rating_lists.comparing import compare
from tournaments.models import Tournament
from tournaments.reports.report_check import profile_for, report_findings
from tournaments.web.access import arbiter, arbiter_only, page
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.reports.report_archive import Part, report_archive


@dataclass(frozen=True, slots=True)
class Checked:
    """A section, or the only tournament of the event, with what was found."""

    label: str
    tournament: Tournament
    profile: Profile
    findings: tuple[Finding, ...]


@arbiter_only
@require_safe
def report_check(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show everything for which a federation would send the report back, for all sections of the
    event in which the reader has a role.
    """
    parts, others = _parts(request, tournament, Power.READ)
    own, _left_out = _parts(request, tournament, Power.RUN)
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "print",
        "checked": [_checked(label, each) for label, each in parts],
        "others": others,
        "saves": may(request.user, tournament, Power.RUN),
        "saves_all": len(own) == len(parts),
    }
    return render(request, "reports/report_check.html", context)


@page(read=(Power.RUN,))
@require_safe
def archive(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Return the report of all sections in which the reader is an arbiter, as one ZIP archive."""
    own, others = _parts(request, tournament, Power.RUN)
    section = getattr(tournament, "section", None)
    checked = [_checked(label, each) for label, each in own]
    content = report_archive(
        request,
        section.event.name if section else tournament.name,
        [Part(each.label, each.tournament, each.profile, each.findings) for each in checked],
        [
            _("%(section)s is not in the report: you are not an arbiter of this section.")
            % {"section": label}
            for label in others
        ],
    )
    response = HttpResponse(content, content_type="application/zip")
    response.headers["Content-Disposition"] = f'attachment; filename="{tournament.slug}-report.zip"'
    return response


def _parts(
    request: HtmxHttpRequest, tournament: Tournament, power: Power
) -> tuple[Sequence[tuple[str, Tournament]], list[str]]:
    """Return the sections of the event in which the reader has *power*, by label, and the labels of
    the others.
    """
    section = getattr(tournament, "section", None)
    if section is None:
        return [("", tournament)], []
    sections = sections_of(section.event)
    read_roles(arbiter(request), [each.tournament for each in sections])
    own = [each for each in sections if may(request.user, each.tournament, power)]
    others = [each.label for each in sections if each not in own]
    return [(each.label, each.tournament) for each in own], others


def _checked(label: str, tournament: Tournament) -> Checked:
    frame = tournament_frame(tournament, runs=True)
    found = report_findings(frame, _listed(tournament))
    return Checked(label, tournament, profile_for(tournament), found)


def _listed(tournament: Tournament) -> Listed:
    """Return what the rating lists say about the players; nothing without a list."""
    compared = compare(tournament)
    if not compared.lists:
        return Listed()
    fields = {one.entry.pk: {each.field for each in one.differences} for one in compared.different}
    return Listed(
        names=frozenset(entry for entry, differ in fields.items() if "name" in differ),
        ratings=frozenset(entry for entry, differ in fields.items() if differ & set(RATINGS)),
        missing=frozenset(entry.pk for entry in compared.not_found if entry.fide_id),
    )
