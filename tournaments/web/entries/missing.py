"""The question at *Pair* about every player who is missing [C.04.2/2026 4.1]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _, pgettext
from django.views.decorators.http import require_http_methods

from pairing.rounds.attendance import attendance
from pairing.rounds.open_games import older_adjourned_named
from pairing.rounds.pair import require_players_as_seen, round_pair
from pairing.rules.check_in import Answer, reserved_answers
from pairing.rules.names import begins, search_words, words_of
from pairing.rules.rounds import RoundState
from tournaments.core.errors import RuleRefused, ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import may_decide
from tournaments.core.request_values import number_of, optional_number_of
from tournaments.entries.missing import missing_answer
from tournaments.models import Entry, Round, Tournament
from tournaments.web.access import arbiter_only, who_and_when
from tournaments.web.action_form import Problem
from tournaments.web.announced_boards import announced_but_gone
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.parts import PART, Part, first_letter, part_that_is, requested_page


@dataclass(frozen=True, slots=True)
class Question:
    """One missing player with the answer that the form shows; ``held`` if it was given before."""

    entry: Entry
    chosen: str
    held: bool


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def missing(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Ask about every missing player; POST saves the answers and pairs the round (``pair``),
    or only saves them.

    More than 200 players come in parts by name, with a search ``?q=`` through all of them;
    ``go_on`` saves the answers and goes to the first player without one.
    """
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
            require_players_as_seen(
                tournament, number, optional_number_of(request.POST, "seen_version")
            )
        answered = missing_answer(
            tournament_id=tournament.pk,
            round_number=number,
            **who_and_when(request),
            answers=answers,
            confirmed=request.POST.get("confirmed") == "yes",
            reason=request.POST.get("reason", "")[:500],
        )
        messages.success(
            request, _("The answers are saved. They hold until the players are checked in.")
        )
        gone = [entry.pk for entry in answered if answers[entry.pk] != Answer.COMING.value]
        if warning := announced_but_gone(tournament, gone):
            messages.warning(request, warning)
        if "go_on" in request.POST:
            return redirect(
                _first_without_answer(tournament, number, confirmed="confirmed" in request.POST)
            )
        if "pair" not in request.POST:
            return redirect("check-in", tournament.slug)
        older_open = "older_open" in request.POST
        round_pair(round_id=row.pk, **who_and_when(request), older_open=older_open)
    except ServiceError as error:
        asks = isinstance(error, RuleRefused) and error.code == "check_in.ask_again"
        return _page(request, tournament, row, Problem.from_error(error, request), asks=asks)
    done = _("Round %(n)d is paired. Review the draft, then publish the pairings.")
    messages.success(request, done % {"n": number})
    return redirect("round", tournament.slug, number)


def _first_without_answer(tournament: Tournament, number: int, *, confirmed: bool) -> str:
    """Return the address of the part with the first missing player who has no answer;
    of the first part without one.

    *confirmed*: the question about their number was answered in this part.
    """
    absent = _absent(tournament, number)
    place = next((place for place, entry in enumerate(absent) if not entry.answer), 0)
    requested = {"page": str(place // PART + 1)} if place >= PART else {}
    if confirmed:
        requested["confirmed"] = "yes"
    address = reverse("round-missing", args=[tournament.slug, number])
    return f"{address}?{urlencode(requested)}" if requested else address


def _absent(tournament: Tournament, number: int) -> tuple[Entry, ...]:
    """Return the missing players of round *number* by name; nobody if it is not the next one."""
    seen = attendance(tournament)
    return seen.not_there if seen.round_number == number else ()


def _part(request: HtmxHttpRequest, absent: Sequence[Entry]) -> Part[Entry]:
    """Return the players of the page: one part of all, or of those who fit the search."""
    wanted = search_words(request.GET.get("q", "")) if len(absent) > PART else []
    fitting = (
        [entry for entry in absent if begins(words_of(entry.real_name), wanted)]
        if wanted
        else absent
    )
    return part_that_is(
        fitting,
        requested_page(request.GET.get("page", "")),
        label=lambda entry: first_letter(entry.real_name),
        anchor=lambda entry: f"missing-{entry.pk}",
    )


def _page(
    request: HtmxHttpRequest,
    tournament: Tournament,
    row: Round,
    problem: Problem | None = None,
    *,
    asks: bool = False,
) -> HttpResponse:
    absent = _absent(tournament, row.number)
    part = _part(request, absent)
    decides = may_decide(request.user, tournament)
    reserved = set() if decides else {each.value for each in reserved_answers(row.number)}
    usual = Answer.WITHDRAW.value if Answer.SKIP.value in reserved else Answer.SKIP.value
    shown = {entry.pk for entry in part.lines}
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "rounds",
        "number": row.number,
        "questions": [
            Question(
                entry,
                request.POST.get(f"answer-{entry.pk}", entry.answer or usual),
                bool(entry.answer),
            )
            for entry in part.lines
        ],
        "part": part,
        "missing": len(absent),
        "is_long": len(absent) > PART,
        "q": request.GET.get("q", ""),
        "unanswered": sum(not entry.answer and entry.pk not in shown for entry in absent),
        "confirmed": asks or (len(absent) > PART and "confirmed" in request.GET),
        "answers": [
            (Answer.SKIP.value, pgettext("missing player", "skip until checked in")),
            (Answer.WITHDRAW.value, pgettext("missing player", "withdraw")),
            (Answer.COMING.value, pgettext("missing player", "is coming")),
        ],
        "reserved": reserved,
        "numbered": not tournament.entries.filter(tpn=None).exists(),
        "older_adjourned": older_adjourned_named(tournament, row.number)
        if absent or problem
        else (),
        "reason": request.POST.get("reason", ""),
        "asks": asks,
        "problem": None if asks else problem,
        "question": problem.sentence if asks and problem else "",
    }
    return render(
        request, "entries/missing.html", context, status=problem.status if problem else 200
    )
