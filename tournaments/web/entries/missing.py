"""The question at *Pair* about every player who is missing [C.04.2/2026 4.1]."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _, pgettext
from django.views.decorators.http import require_http_methods

from pairing.rounds.attendance import attendance
from pairing.rounds.open_games import older_adjourned_named
from pairing.rounds.pair import require_players_as_seen, round_pair
from pairing.rules.check_in import Answer, reserved_answers
from pairing.rules.rounds import RoundState
from tournaments.core.errors import RuleRefused, ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import may_decide
from tournaments.core.request_values import number_of, optional_number_of
from tournaments.entries.missing import missing_answer
from tournaments.models import Entry, Round, Tournament
from tournaments.web.access import arbiter, arbiter_only
from tournaments.web.action_form import Problem
from tournaments.web.htmx import HtmxHttpRequest


@dataclass(frozen=True, slots=True)
class Question:
    """One missing player with the answer that the form shows; ``held`` if it was given before."""

    entry: Entry
    chosen: str
    held: bool


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def missing(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Ask about every missing player; POST saves the answers and pairs the round (``pair``), or only saves them."""
    row = get_object_or_404(Round, tournament=tournament, number=number)
    if request.method != "POST":
        if row.state != RoundState.PLANNED:
            return redirect("round", tournament.slug, number)
        return _page(request, tournament, row)
    answers = {
        number_of(request.POST, name): request.POST.get(f"answer-{request.POST[name]}", "")
        for name in request.POST
        if name.startswith("entry-")
    }
    try:
        if "pair" in request.POST:
            require_players_as_seen(tournament, number, optional_number_of(request.POST, "seen_version"))
        missing_answer(
            tournament_id=tournament.pk,
            round_number=number,
            actor=arbiter(request),
            now=timezone.now(),
            answers=answers,
            confirmed=request.POST.get("confirmed") == "yes",
            reason=request.POST.get("reason", "")[:500],
        )
        messages.success(request, _("The answers are saved. They hold until the players are checked in."))
        if "pair" not in request.POST:
            return redirect("check-in", tournament.slug)
        older_open = "older_open" in request.POST
        round_pair(round_id=row.pk, actor=arbiter(request), now=timezone.now(), older_open=older_open)
    except ServiceError as error:
        asks = isinstance(error, RuleRefused) and error.code == "check_in.ask_again"
        return _page(request, tournament, row, Problem.of(error, request), asks=asks)
    done = _("Round %(n)d is paired. Review the draft, then publish the pairings.")
    messages.success(request, done % {"n": number})
    return redirect("round", tournament.slug, number)


def _page(
    request: HtmxHttpRequest, tournament: Tournament, row: Round, problem: Problem | None = None, *, asks: bool = False
) -> HttpResponse:
    seen = attendance(tournament)
    decides = may_decide(request.user, tournament)
    reserved = set() if decides else {each.value for each in reserved_answers(row.number)}
    usual = Answer.WITHDRAW.value if Answer.SKIP.value in reserved else Answer.SKIP.value
    absent = seen.not_there if seen.round_number == row.number else ()
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "rounds",
        "number": row.number,
        "questions": [
            Question(entry, request.POST.get(f"answer-{entry.pk}", entry.answer or usual), bool(entry.answer))
            for entry in absent
        ],
        "answers": [
            (Answer.SKIP.value, pgettext("missing player", "skip until checked in")),
            (Answer.WITHDRAW.value, pgettext("missing player", "withdraw")),
            (Answer.COMING.value, pgettext("missing player", "is coming")),
        ],
        "reserved": reserved,
        "older_adjourned": older_adjourned_named(tournament, row.number) if absent or problem else (),
        "reason": request.POST.get("reason", ""),
        "asks": asks,
        "problem": None if asks else problem,
        "question": problem.sentence if asks and problem else "",
    }
    return render(request, "entries/missing.html", context, status=problem.status if problem else 200)
