"""The page of a round: the one place where arbiters work during the round."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from pairing.rounds.absences import NoShow, no_shows
from pairing.rounds.announce import announced_names, contradicted
from pairing.rounds.automatic import is_overdue, outlook
from pairing.rounds.checklist import Checklist, checklist
from pairing.rounds.draft_views import draft_viewed
from pairing.rounds.next_round import NextBoard, NextRound, next_round
from pairing.rounds.not_playing import is_changed_by_hand, not_playing_groups
from pairing.rounds.open_games import older_adjourned_named
from pairing.rounds.pair import is_stale
from pairing.rounds.round_page import RoundPage, round_page
from pairing.rounds.versions import round_version
from pairing.rules.corrections import may_still_report
from pairing.rules.rounds import PUBLIC_STATES, RoundState
from tournaments.core.actions import in_own_edition
from tournaments.core.chosen_rules import handling
from tournaments.core.frame import Frame, news_key, state_key, tournament_frame
from tournaments.core.messages import sentence
from tournaments.core.permissions import may_decide, may_run
from tournaments.desk.desk import desk
from tournaments.models import Entry, Round, Tournament
from tournaments.web.access import arbiter
from tournaments.web.action_form import Problem, render_with_problem
from tournaments.web.htmx import HtmxHttpRequest, wants_part
from tournaments.web.rounds.board_parts import part_of_round, searched
from tournaments.web.rounds.entry import entry_context, takes_results
from tournaments.web.rounds.swap import is_open, unchanged


def live_key(tournament: Tournament, number: int, now: datetime) -> str:
    """Return the key with which an open page of round *number* asks for news.

    No query; one if something is published automatically: when its time comes, the page says what
    became of it.
    """
    key = news_key(
        tournament, runs=True, reports_open=may_still_report(tournament.corrections_until, now)
    )
    return f"{key}.due" if is_overdue(tournament, number, now) else key


def to_announce(
    ahead: NextRound | None, announced: Collection[tuple[Entry, Entry]]
) -> tuple[NextBoard, ...]:
    """Return the certain boards that are not announced yet, while a game is still open."""
    if ahead is None or not ahead.open_boards:
        return ()
    known = {(white.pk, black.pk) for white, black in announced}
    return tuple(line for line in ahead.certain if (line.white.pk, line.black.pk) not in known)


def round_surface(
    request: HtmxHttpRequest, tournament: Tournament, row: Round, problem: Problem | None = None
) -> HttpResponse:
    """Show the round *row* in its state; with ``?v=`` the parts that an open page replaces."""
    if problem is not None:
        row.refresh_from_db()
    number, now = row.number, timezone.now()
    draft_viewed(row, arbiter(request), now)
    frame = tournament_frame(tournament, runs=True, now=now)
    boards = round_page(frame, row)
    to_board, found = searched(request, boards, reverse("round", args=[tournament.slug, number]))
    if to_board is not None:
        return to_board
    is_next = frame.working_round == number and row.state == RoundState.PLANNED
    decides = may_decide(request.user, tournament)
    shown = _part_shown(request, tournament, boards)
    can_swap = decides and is_open(tournament, row)
    swap = unchanged(frame, boards, shown["board_part"], found) if can_swap else None
    state = desk(frame) if is_next else None
    away = {absence.entry_id for absence in state.absences} if state else None
    context: dict[str, Any] = {
        "frame": frame,
        "section": "rounds",
        "number": number,
        "page": boards,
        **shown,
        "found_boards": found,
        "live_key": live_key(tournament, number, now),
        "takes_results": takes_results(request, tournament, boards),
        "by_hand": is_changed_by_hand(tournament, boards),
        "groups": not_playing_groups(frame, boards, away=away, with_byes=swap is None),
        "swap": swap,
        "is_next": is_next,
        "desk": state,
        "stale": is_stale(row, tournament),
        "no_shows": _no_shows(frame, number),
        "handling": handling(tournament),
        "problem": problem,
        "decides": decides,
        "runs": may_run(request.user, tournament),
        **_automatic(tournament, row, now),
        "is_last": number == len(frame.rounds),
        "next_number": number + 1,
    }
    is_live = wants_part(request) and "v" in request.GET
    context |= _before_the_boards(tournament, row, now, is_live=is_live)
    context["announced_later"] = _announced_later(row, now)
    context["leaves_fide_mode"] = _leaves_fide_mode(context["checklist"], frame)
    context["asks_byes_only"] = state is not None and state.coming == number and not state.expected
    context |= _asks_before_publishing(context, frame)
    if context["takes_results"]:
        context |= entry_context(request, tournament, row, boards)
    else:
        context["seen_version"] = round_version(tournament, number)
    if context["takes_results"] or swap:
        context["keys_on"] = "round-results" if context["takes_results"] else "round-draft"
    template = "rounds/_round_live.html" if is_live else "rounds/round_detail.html"
    return render_with_problem(request, template, context)


def _no_shows(frame: Frame, number: int) -> tuple[NoShow, ...]:
    """Return the players who did not come, on the page of a round that one of them concerns."""
    absent = no_shows(frame)
    concerned = any(number in (each.round_number, each.from_round) for each in absent)
    return absent if concerned else ()


def _automatic(tournament: Tournament, row: Round, now: datetime) -> dict[str, Any]:
    """Return what happens by itself in the round *row*, and the sentences on what stops it."""
    automatic = outlook(tournament, row, now)
    return {
        "automatic": automatic,
        "automatic_stops": [
            sentence(in_own_edition(tournament, stop))
            for stop in (automatic.stops if automatic else ())
        ],
    }


def _leaves_fide_mode(seen: Checklist | None, frame: Frame) -> bool:
    """Return whether publishing the draft would leave FIDE mode."""
    return seen is not None and seen.breaks_basic_rules and frame.left_fide_mode is None


def _asks_before_publishing(context: dict[str, Any], frame: Frame) -> dict[str, bool]:
    """Return whether the publication of the draft needs a confirmation,
    and whether it can end the time to report mistakes [C.04.2/2026 4.3].
    """
    seen: Checklist | None = context["checklist"]
    if seen is None:
        return {"asks_before_publishing": False, "ends_reports": False}
    return {
        "asks_before_publishing": frame.reports_open
        or bool(seen.bye_not_seen)
        or context["leaves_fide_mode"],
        "ends_reports": frame.reports_open and context["decides"] and not context["stale"],
    }


def _announced_later(row: Round, now: datetime) -> datetime | None:
    """Return the announced time of the results of the round *row* if it is still to come."""
    return (
        row.results_due_at if row.results_due_at is not None and row.results_due_at > now else None
    )


def _part_shown(
    request: HtmxHttpRequest, tournament: Tournament, boards: RoundPage
) -> dict[str, Any]:
    """Return the part of the boards that the page shows: all of them unless they are many."""
    part = part_of_round(request, boards)
    return {
        "board_part": part,
        "boards_address": reverse("round", args=[tournament.slug, boards.number]),
        "shown_page": replace(
            boards, boards=tuple(line for line in boards.boards if line.board in part.boards)
        ),
    }


def _before_the_boards(
    tournament: Tournament, row: Round, now: datetime, *, is_live: bool
) -> dict[str, Any]:
    """Return what the page shows until the pairings are published:
    the next round as it looks now, and the checks.

    The provisional pairing asks for its own news, so an update of the page (*is_live*) leaves it
    out.
    """
    is_public = row.state in PUBLIC_STATES
    ahead = (
        next_round(tournament, row.number)
        if row.state == RoundState.PLANNED and not is_live
        else None
    )
    public = () if is_public else announced_names(tournament, row.number)
    key = state_key(tournament, runs=True)
    return {
        "next_round": ahead,
        "announced": public,
        "to_announce": to_announce(ahead, public),
        "contradicted": contradicted(tournament, row)
        if public and row.state == RoundState.DRAFT
        else (),
        "key": f"{key}.done" if ahead and ahead.is_done else key,
        "checklist": checklist(tournament, row, now) if row.state == RoundState.DRAFT else None,
        "older_adjourned": () if is_public else older_adjourned_named(tournament, row.number),
    }
