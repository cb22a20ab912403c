"""The round page and its three actions: pair, discard, publish."""

from __future__ import annotations

from collections.abc import Collection

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from pairing.rounds.absences import no_shows
from pairing.rounds.announce import announced_names
from pairing.rounds.attendance import unconfirmed
from pairing.rounds.checklist import checklist
from pairing.rounds.draft_views import draft_viewed
from pairing.rounds.facts import older_adjourned
from pairing.rounds.next_round import NextBoard, NextRound, next_round
from pairing.rounds.pair import OF_WHO_PLAYS, is_stale, round_pair, round_unpair
from pairing.rounds.publish import round_publish
from pairing.rounds.round_page import round_page
from pairing.rounds.versions import round_version
from pairing.rules.rounds import PUBLIC_STATES, RoundState
from tournaments.core.chosen_rules import handling
from tournaments.core.frame import state_key, tournament_frame
from tournaments.core.newer_lines import newer_lines
from tournaments.core.permissions import may_decide
from tournaments.core.request_values import optional_number_of
from tournaments.desk.desk import desk
from tournaments.models import Entry, Round, Tournament
from tournaments.web.access import arbiter, arbiter_only
from tournaments.web.action_form import Problem, do, seen_version
from tournaments.web.htmx import HtmxHttpRequest, go_to
from tournaments.web.rounds.swap import is_open, unchanged


@arbiter_only
@require_safe
def detail(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show the round to arbiters: before the pairing, as a draft, or published."""
    return _page(request, tournament, number)


@arbiter_only
@require_safe
def provisional(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Return the provisional pairing of the next round for an open page; the page of the round without htmx.

    204 if ``?v=`` is the state and everything was paired.
    """
    key = state_key(tournament, runs=True)
    if request.GET.get("v") == f"{key}.done":
        return HttpResponse(status=204)
    if not request.htmx:
        return _page(request, tournament, number)
    ahead = next_round(tournament, number)
    if ahead is None:
        return HttpResponseClientRefresh()
    context = {
        "next_round": ahead,
        "key": f"{key}.done" if ahead.is_done else key,
        "announced": (public := announced_names(tournament, number)),
        "to_announce": _to_announce(ahead, public),
        "decides": may_decide(request.user, tournament),
    }
    return render(request, "rounds/_next_round.html", context)


@arbiter_only
@require_POST
def pair(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Pair the round; ask first about missing players without an answer, unless the page is out of date."""
    row = get_object_or_404(Round, tournament=tournament, number=number)
    seen = optional_number_of(request.POST, "seen_version")
    is_as_seen = seen is None or not newer_lines(tournament, seen, OF_WHO_PLAYS)
    if row.state in (RoundState.PLANNED, RoundState.DRAFT) and is_as_seen and unconfirmed(tournament, number):
        return go_to(request, reverse("round-missing", args=[tournament.slug, number]))
    return do(
        request,
        lambda: round_pair(
            round_id=row.pk,
            actor=arbiter(request),
            now=timezone.now(),
            older_open="older_open" in request.POST,
            seen_version=seen,
        ),
        done=_("Round %(n)d is paired. Review the draft, then publish the pairings.") % {"n": number},
        to=reverse("round", args=[tournament.slug, number]),
        refused=lambda problem: _page(request, tournament, number, problem),
        ways_out={
            "no_legal_pairing": (reverse("round-by-hand", args=[tournament.slug, number]), _("Pair by hand")),
            **_ways_to_the_missing(tournament, number),
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
            round_id=row.pk, actor=arbiter(request), now=timezone.now(), seen_version=seen_version(request.POST)
        ),
        done=_("The draft of round %(n)d is discarded.") % {"n": number},
        to=reverse("round", args=[tournament.slug, number]),
        refused=lambda problem: _page(request, tournament, number, problem),
    )


@arbiter_only
@require_POST
def publish(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Publish the pairings; ``cut_short`` and ``reason`` end the time to report mistakes early [C.04.2/2026 4.3]."""
    row = get_object_or_404(Round, tournament=tournament, number=number)
    reason = request.POST.get("reason", "") if "cut_short" in request.POST else None
    return do(
        request,
        lambda: round_publish(
            round_id=row.pk,
            actor=arbiter(request),
            now=timezone.now(),
            seen_version=seen_version(request.POST),
            cut_short=reason,
            leave_fide_mode="leave_fide_mode" in request.POST,
        ),
        done=_("The pairings of round %(n)d are published.") % {"n": number},
        to=reverse("round", args=[tournament.slug, number]),
        refused=lambda problem: _page(request, tournament, number, problem),
        ways_out=_ways_to_the_missing(tournament, number),
    )


def _to_announce(ahead: NextRound | None, announced: Collection[tuple[Entry, Entry]]) -> tuple[NextBoard, ...]:
    """Return the certain boards that are not announced yet, while a game is still open."""
    if ahead is None or not ahead.open_boards:
        return ()
    known = {(white.pk, black.pk) for white, black in announced}
    return tuple(line for line in ahead.certain if (line.white.pk, line.black.pk) not in known)


def _ways_to_the_missing(tournament: Tournament, number: int) -> dict[str, tuple[str, str]]:
    """Return the link to the decision about missing players, by the code of the refusal."""
    entries = reverse("entries", args=[tournament.slug])
    return {
        "check_in.unsettled": (reverse("round-missing", args=[tournament.slug, number]), _("Missing players")),
        "entry.not_arrived": (f"{entries}?shown=not-checked-in", _("Entries")),
    }


def _page(
    request: HtmxHttpRequest, tournament: Tournament, number: int, problem: Problem | None = None
) -> HttpResponse:
    row = get_object_or_404(Round, tournament=tournament, number=number)
    now = timezone.now()
    draft_viewed(row, arbiter(request), now)
    frame = tournament_frame(tournament, runs=True, now=now)
    absent = no_shows(frame)
    is_next = frame.working_round == number and row.state == RoundState.PLANNED
    seen = checklist(tournament, row, now) if row.state == RoundState.DRAFT else None
    ahead = next_round(tournament, number) if row.state == RoundState.PLANNED else None
    key = state_key(tournament, runs=True)
    public = announced_names(tournament, number) if row.state not in PUBLIC_STATES else ()
    decides = may_decide(request.user, tournament)
    page = round_page(frame, row)
    context = {
        "frame": frame,
        "section": "rounds",
        "number": number,
        "next_round": ahead,
        "announced": public,
        "to_announce": _to_announce(ahead, public),
        "key": f"{key}.done" if ahead and ahead.is_done else key,
        "page": page,
        "swap": unchanged(frame, page) if decides and is_open(tournament, row) else None,
        "is_next": is_next,
        "desk": desk(frame) if is_next else None,
        "stale": is_stale(row, tournament),
        "no_shows": absent if any(number in (each.round_number, each.from_round) for each in absent) else (),
        "handling": handling(tournament),
        "checklist": seen,
        "problem": problem,
        "older_adjourned": older_adjourned(tournament, number) if row.state not in PUBLIC_STATES else (),
        "leaves_fide_mode": seen is not None and seen.breaks_basic_rules and frame.left_fide_mode is None,
        "decides": decides,
        "seen_version": round_version(tournament, row.number),
    }
    return render(request, "rounds/round_detail.html", context, status=problem.status if problem else 200)
