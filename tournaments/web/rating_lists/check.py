"""The page that compares entries with the rating lists and takes over what is ticked."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _, ngettext
from django.views.decorators.http import require_http_methods

from tournaments.core.errors import ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import may_load_lists
from tournaments.entries.ranking_changes import has_begun
from tournaments.lists.rating_lists.comparing import Difference, compare, refresh
from tournaments.models import Tournament
from tournaments.web.access import arbiter_only, who_and_when
from tournaments.web.action_form import Problem
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.imports.shown_changes import value_text
from tournaments.web.newest_data import on_newest_data
from tournaments.web.rating_lists.estimates import EstimatesForm, estimates_form, save_estimates
from tournaments.web.rating_lists.reminder import reminder
from tournaments.web.shown_values import shown

LABELS: Final = {
    "fide_rating": _("FIDE rating"),
    "national_rating": _("National rating"),
    "title": _("FIDE title"),
    "women_title": _("Women’s title"),
    "k_factor": _("K"),
    "federation": _("Federation"),
    "name": _("Name"),
    "birth_date": _("Date of birth"),
    "fide_id": _("FIDE ID"),
    "sex": _("Sex"),
}


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def check(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show old and new value of every difference with a box; save the ticked ones, all or none.

    With ``do=estimates`` POST saves the estimates of players without a rating.
    """
    if request.method != "POST":
        return _page(request, tournament)
    if request.POST.get("do") == "estimates":
        return on_newest_data(request, tournament, lambda now: _save_estimates(request, now))
    try:
        changed = refresh(
            tournament_id=tournament.pk,
            **who_and_when(request),
            keys=set(request.POST.getlist("take")),
            reason=request.POST.get("reason", "")[:1000],
        )
    except ServiceError as error:
        return _page(
            request, Tournament.objects.get(pk=tournament.pk), Problem.from_error(error, request)
        )
    done = ngettext(
        "%(n)d player is updated from the list.",
        "%(n)d players are updated from the list.",
        changed,
    )
    messages.success(request, done % {"n": changed})
    return redirect("ratings-check", tournament.slug)


def _save_estimates(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    saved = save_estimates(request, tournament)
    if isinstance(saved, HttpResponse):
        return saved
    form, status = saved
    return _page(request, tournament, form=form, status=status)


def _page(
    request: HtmxHttpRequest,
    tournament: Tournament,
    problem: Problem | None = None,
    *,
    form: EstimatesForm | None = None,
    status: int = 200,
) -> HttpResponse:
    estimates = estimates_form(tournament)
    frame = tournament_frame(tournament, runs=True)
    compared = compare(tournament)
    context = {
        "frame": frame,
        "section": "entries",
        "compared": compared,
        "rows": [
            (one, [_line(each, tournament) for each in one.differences])
            for one in compared.different
        ],
        "ticked": set(request.POST.getlist("take")) if problem else None,
        "asks_reason": has_begun(tournament),
        "results_published": frame.latest_results > 0,
        "loads": may_load_lists(request.user),
        "outdated": reminder(frame),
        "problem": problem,
        "form": form or estimates,
        # A refused form stays with its reason, also if it came too late.
        "shows_estimates": form is not None
        or (estimates.entries and not (tournament.final_at or frame.latest_results)),
        "shown": shown([estimates]),
        "unrated": sum(not entry.rating for entry in estimates.entries),
        "reason": request.POST.get("reason", "")[:1000],
    }
    status = problem.status if problem else status
    return render(request, "rating_lists/check.html", context, status=status)


def _line(difference: Difference, tournament: Tournament) -> tuple[Difference, str, str, str]:
    """Return *difference* with its label, and both values as the page shows them."""
    name = difference.field
    label = (
        tournament.get_second_rating_method_display()
        if name == "second_rating"
        else str(LABELS[name])
    )
    return difference, label, value_text(name, difference.old), value_text(name, difference.new)
