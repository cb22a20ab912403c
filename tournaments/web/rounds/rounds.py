"""The round page and its three actions: pair, discard, publish."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from pairing.rounds.announce import announced_names
from pairing.rounds.attendance import unconfirmed
from pairing.rounds.next_round import next_round
from pairing.rounds.pair import OF_WHO_PLAYS, round_pair, round_unpair
from pairing.rounds.publish import round_publish
from pairing.rules.rounds import RoundState
from tournaments.core.frame import state_key
from tournaments.core.newer_lines import newer_lines
from tournaments.core.permissions import may_decide
from tournaments.core.request_values import optional_number_of
from tournaments.models import Round, Tournament
from tournaments.web.access import arbiter_only, who_and_when
from tournaments.web.action_form import do, seen_version
from tournaments.web.htmx import HtmxHttpRequest, go_to, wants_part
from tournaments.web.rounds.surface import live_key, round_surface, to_announce


@arbiter_only
@require_safe
def detail(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show the round to arbiters in every state; while results are entered, with their entry.

    An open page polls with ``?v=``: 204 without news, otherwise the parts of the page that can
    change.
    """
    if wants_part(request) and request.GET.get("v") == live_key(tournament, number, timezone.now()):
        return HttpResponse(status=204)
    return round_surface(
        request, tournament, get_object_or_404(Round, tournament=tournament, number=number)
    )


@arbiter_only
@require_safe
def provisional(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Return the provisional pairing for an open page; the page of the round without htmx.

    204 if ``?v=`` is the state and everything was paired.
    """
    key = state_key(tournament, runs=True)
    if request.GET.get("v") == f"{key}.done":
        return HttpResponse(status=204)
    if not request.htmx:
        return round_surface(
            request, tournament, get_object_or_404(Round, tournament=tournament, number=number)
        )
    ahead = next_round(tournament, number)
    if ahead is None:
        return HttpResponseClientRefresh()
    context = {
        "next_round": ahead,
        "key": f"{key}.done" if ahead.is_done else key,
        "announced": (public := announced_names(tournament, number)),
        "to_announce": to_announce(ahead, public),
        "decides": may_decide(request.user, tournament),
    }
    return render(request, "rounds/_next_round.html", context)


@arbiter_only
@require_POST
def pair(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Pair the round; first ask about missing players without an answer, if the page is current."""
    row = get_object_or_404(Round, tournament=tournament, number=number)
    seen = optional_number_of(request.POST, "seen_version")
    is_as_seen = seen is None or not newer_lines(tournament, seen, OF_WHO_PLAYS)
    if (
        row.state in (RoundState.PLANNED, RoundState.DRAFT)
        and is_as_seen
        and unconfirmed(tournament, number)
    ):
        return go_to(request, reverse("round-missing", args=[tournament.slug, number]))
    return do(
        request,
        lambda: round_pair(
            round_id=row.pk,
            **who_and_when(request),
            older_open="older_open" in request.POST,
            byes_only="byes_only" in request.POST,
            seen_version=seen,
        ),
        done=_("Round %(n)d is paired. Review the draft, then publish the pairings.")
        % {"n": number},
        to=reverse("round", args=[tournament.slug, number]),
        refused=lambda problem: round_surface(request, tournament, row, problem),
        remedies={
            "no_legal_pairing": (
                reverse("round-by-hand", args=[tournament.slug, number]),
                _("Pair by hand"),
            ),
            **_remedies_for_missing(tournament, number),
        },
    )


@arbiter_only
@require_POST
def discard(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Discard the draft."""
    row = get_object_or_404(Round, tournament=tournament, number=number)
    return do(
        request,
        lambda: round_unpair(
            round_id=row.pk, **who_and_when(request), seen_version=seen_version(request.POST)
        ),
        done=_("The draft of round %(n)d is discarded.") % {"n": number},
        to=reverse("round", args=[tournament.slug, number]),
        refused=lambda problem: round_surface(request, tournament, row, problem),
    )


@arbiter_only
@require_POST
def publish(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Publish the pairings; ``cut_short`` and ``reason`` end the time
    to report mistakes early [C.04.2/2026 4.3].
    """
    row = get_object_or_404(Round, tournament=tournament, number=number)
    reason = request.POST.get("reason", "") if "cut_short" in request.POST else None
    return do(
        request,
        lambda: round_publish(
            round_id=row.pk,
            **who_and_when(request),
            seen_version=seen_version(request.POST),
            cut_short=reason,
            leave_fide_mode="leave_fide_mode" in request.POST,
            bye_not_seen="bye_not_seen" in request.POST,
        ),
        done=_("The pairings of round %(n)d are published.") % {"n": number},
        to=reverse("round", args=[tournament.slug, number]),
        refused=lambda problem: round_surface(request, tournament, row, problem),
        remedies=_remedies_for_missing(tournament, number),
    )


def _remedies_for_missing(tournament: Tournament, number: int) -> dict[str, tuple[str, str]]:
    """Return the link to the decision about missing players, by the code of the refusal."""
    entries = reverse("entries", args=[tournament.slug])
    return {
        "check_in.unsettled": (
            reverse("round-missing", args=[tournament.slug, number]),
            _("Missing players"),
        ),
        "entry.not_arrived": (f"{entries}?shown=not-checked-in", _("Entries")),
    }
