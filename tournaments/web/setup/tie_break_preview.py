"""Compare the ranks by the present tie-breaks with those by others; nothing is saved."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.core.errors import ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.models import Tournament
from tournaments.setup.tie_breaks import tie_breaks_preview
from tournaments.setup.tournament_list import events_with_results
from tournaments.web.access import arbiter, arbiter_only, signed_in
from tournaments.web.action_form import add_service_error
from tournaments.web.htmx import HtmxHttpRequest, wants_part
from tournaments.web.setup.forms import TieBreakForm
from tournaments.web.setup.tie_break_steps import is_step, picker_part, typed


class PreviewForm(TieBreakForm):
    """A list of tie-breaks to try."""

    reason = None  # type: ignore[assignment]  # only a change needs a reason


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def preview(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show every player's rank by the list of the tournament and by the list in the form.

    The list can also be in the address (``?tie_breaks=…&tie_break_edition=…``).
    """
    frame = tournament_frame(tournament, runs=True)
    data = request.POST or request.GET
    form = PreviewForm(
        _complete(data, tournament) if "tie_breaks" in data else None, instance=tournament
    )
    rows = None
    if is_step(request.POST):
        form = PreviewForm(instance=tournament, initial=typed(request.POST))
        if wants_part(request):
            return picker_part(request, form)
    elif form.is_bound and form.is_valid():
        try:
            rows = tie_breaks_preview(
                tournament,
                tie_breaks=form.cleaned_data["tie_breaks"],
                edition=form.cleaned_data["tie_break_edition"],
                after_round=frame.latest_results,
            )
        except ServiceError as error:
            add_service_error(form, error)
    context = {
        "frame": frame,
        "section": "standings",
        "form": form,
        "rows": rows,
        "moved": sum(row.gains != 0 for row in rows or ()),
        "events": events_with_results(arbiter(request)),
    }
    status = 422 if form.is_bound and rows is None else 200
    return render(request, "setup/tie_break_preview.html", context, status=status)


def _complete(data: QueryDict, tournament: Tournament) -> QueryDict:
    """Return *data* with the edition of *tournament* if they name none."""
    complete = data.copy()
    complete["tie_break_edition"] = data.get("tie_break_edition") or tournament.tie_break_edition
    return complete


@signed_in
@require_POST
def try_list(request: HtmxHttpRequest) -> HttpResponse:
    """Go to the preview of the list in a form: on the tournament chosen in ``event``,
    or the newest with results.
    """
    events = events_with_results(arbiter(request))
    chosen = next((event for event in events if event.slug == request.POST.get("event")), None)
    if not events:
        messages.info(
            request, _("No tournament of yours has results yet, so there are no ranks to compare.")
        )
        return redirect("home")
    query = QueryDict(mutable=True)
    query["tie_breaks"] = request.POST.get("tie_breaks", "")
    query["tie_break_edition"] = request.POST.get("tie_break_edition", "")
    slug = (chosen or events[0]).slug
    return redirect(f"{reverse('tie-break-preview', args=[slug])}?{query.urlencode()}")
