"""Arrange a draft by hand, and change published pairings if [C.04.2/2026 4.4] allows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pairing.engine.model import TPN
from pairing.rounds.against_engine import differs_from_engine
from pairing.rounds.arrange import named, pairings_of, round_arrange
from pairing.rounds.change_page import ChangePage, caution_lines, change_page
from pairing.rounds.changes import round_change
from pairing.rounds.checklist import article_by_hand
from pairing.rounds.draft_views import draft_viewed
from pairing.rounds.round_page import RoundPage, round_page
from pairing.rules.manual import COLOUR_CODES
from pairing.rules.name_search import find_lines
from pairing.rules.publication import games_started, is_larger, may_change, may_deviate, sound
from pairing.rules.published import Arrangement, Situation, affected, changed_boards, new_pairs
from pairing.rules.rounds import RoundState
from pairing.rules.situations import Given
from pairing.rules.verdict import Refused, first_refusal
from tournaments.core.actions import in_own_edition
from tournaments.core.errors import ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.messages import sentence
from tournaments.core.permissions import may_decide
from tournaments.core.request_values import numbers_of
from tournaments.models import Round, Tournament
from tournaments.web.access import arbiter, arbiter_only
from tournaments.web.action_form import Problem, seen_version
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.rounds.change_form import (
    Choice,
    Ticked,
    arranged,
    byes_left,
    byes_typed,
    changed_lines,
    choice_of,
    may_agree,
    moved_byes,
    not_in_the_form,
    numbers_in,
    others_of,
    rows_of,
    typed_rows,
)
from tournaments.web.rounds.forms import ConsentForm


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Rearrange boards ``?b=`` and players ``?p=``; POST shows the effect, with ``save`` does it.

    They are chosen from a list; ``find`` keeps it open, and ``?q=`` shows the lines that match, and
    all ticked lines. If the pairings are published, the page proposes the smallest sufficient
    change; ``?more=`` adds boards to the form, and under 4.4.5 ``?with=`` is the only other top
    board that may change.
    """
    row = get_object_or_404(Round, tournament=tournament, number=number)
    if row.state not in (RoundState.DRAFT, RoundState.PAIRINGS_PUBLISHED):
        raise Http404
    draft_viewed(row, arbiter(request), timezone.now())
    page = change_page(tournament, row, at=timezone.now())
    choice = choice_of(request, page)
    is_public = row.state == RoundState.PAIRINGS_PUBLISHED
    frame = tournament_frame(tournament, runs=True)
    context: dict[str, Any] = {
        "frame": frame,
        "section": "rounds",
        "number": number,
        "change": page,
        "is_public": is_public,
        "decides": may_decide(request.user, tournament),
        "choice": choice,
    }
    if "find" in request.GET or not choice.pool or (is_public and choice.situation is None):
        context |= _places(request, round_page(frame, row), page)
        context["chose_nobody"] = "go" in request.GET and not choice.pool
        return render(request, "rounds/change_start.html", context)
    context |= _form_of(request, page, choice)
    if "boards" in request.POST:
        query = request.GET.copy()
        query["more"] = context["more"]
        return redirect(f"{request.path}?{query.urlencode()}")
    if request.method != "POST":
        if choice.suggested is not None and not choice.more:
            everybody = frozenset(entry.pk for entry in page.entries.values())
            context["outlook"] = _outlook(
                tournament, page, choice, choice.suggested.after, everybody
            )
        return render(request, "rounds/change.html", context)
    return _answer(request, tournament, row, page, choice, context)


def _form_of(request: HtmxHttpRequest, page: ChangePage, choice: Choice) -> dict[str, Any]:
    """Return what the form of *choice* shows."""
    situation = choice.situation
    return {
        "back": _back(request),
        "rows": rows_of(choice, page),
        "left": byes_left(choice, page),
        "reason": "",
        "is_suggested": True,
        "lines": changed_lines(page, choice),
        "ticked": Ticked.from_request(request),
        "others": others_of(request, page, choice),
        "checked": next((one for one in page.situations if one.situation is situation), None),
        "moved_byes": moved_byes(page, choice),
        "may_agree": may_agree(page, choice),
        "consents": frozenset[int](),
        "consent_form": ConsentForm(request.POST or None),
        "situation_article": page.facts.situations[situation] if situation is not None else "",
        "more": request.POST.get("more", choice.more),
    }


def _answer(
    request: HtmxHttpRequest,
    tournament: Tournament,
    row: Round,
    page: ChangePage,
    choice: Choice,
    context: dict[str, Any],
) -> HttpResponse:
    """Show the broken rules of the arrangement and whether it is allowed, or save it."""
    after, status = arranged(request, page, choice), 200
    agreed = frozenset(numbers_of(request.POST, "consent"))
    reason = request.POST.get("reason", "")
    context |= {
        "rows": typed_rows(request, choice, page),
        "left": byes_typed(request, choice, page),
        "reason": reason,
        "consents": agreed,
        "further": request.POST.get("further", ""),
        "exception": request.POST.get("exception", ""),
        "started": "started" in request.POST,
        "is_suggested": choice.suggested is not None
        and not affected(choice.suggested.after, after),
    }
    consent: ConsentForm = context["consent_form"]
    if not consent.is_valid():
        status = 422
    elif "save" in request.POST and (typed := not_in_the_form(context["more"], choice)):
        message = _(
            "Further boards typed here are not in the form yet: %(boards)s. Nothing was saved. "
            "Press “Show boards”, or "
            "empty the field, then save again."
        )
        found = message % {"boards": ", ".join(map(str, typed))}
        context["problem"], status = Problem(_("Please check your input."), found, 422), 422
    elif "save" in request.POST:
        try:
            _act(request, row, page, choice, after, agreed, consent.cleaned_data)()
        except ServiceError as error:
            problem = Problem.from_error(error, request)
            if error.code == "change.not_arrived":
                entries = reverse("entries", args=[tournament.slug])
                problem = replace(problem, remedy=(f"{entries}?shown=not-checked-in", _("Entries")))
            context["problem"], status = problem, problem.status
        else:
            messages.success(request, _("The change is saved and is in the record."))
            return redirect("round", tournament.slug, row.number)
    context["outlook"] = _outlook(tournament, page, choice, after, agreed)
    return render(request, "rounds/change.html", context, status=status)


def _places(request: HtmxHttpRequest, page: RoundPage, change: ChangePage) -> dict[str, Any]:
    """Return the list, searched with ``?q=`` by name, TPN or board; ticked lines stay in it."""
    ticked = Ticked.from_request(request)
    words = "" if request.GET.get("find") == "all" else request.GET.get("q", "").strip()
    late = change.late
    if words:
        boards = {*ticked.boards, *numbers_in([words])}
        page = page.searched(words, boards=boards, players=ticked.players)
        found = find_lines(
            late, words, text_of=lambda one: one.real_name, numbers_of=lambda one: (one.tpn,)
        )
        late = [one for one in late if one.pk in ticked.players or one in found]
    return {
        "page": page,
        "late": late,
        "ticked": ticked,
        "q": words,
        "anybody": page.boards or page.byes or late,
    }


def _back(request: HtmxHttpRequest) -> str:
    """Return the address of the list with its ticked lines."""
    query = request.GET.copy()
    query.pop("go", None)
    query["find"] = "on"
    return f"{request.path}?{query.urlencode()}"


def _outlook(
    tournament: Tournament,
    page: ChangePage,
    choice: Choice,
    after: Arrangement,
    agreed: frozenset[int],
) -> dict[str, Any]:
    """Return what the page shows before saving, and what the Chief Arbiter has to state."""
    facts = page.facts
    if choice.situation is None:
        verdict = sound(facts.now, after)
        # By the numbers of the form: the boards are sorted when the change is saved.
        shown: dict[str, Any] = {
            "differs": differs_from_engine(tournament, page, after),
            "changed": new_pairs(facts.now, after),
            "no_legal_pairing": article_by_hand(tournament, facts.number),
        }
    else:
        consents = frozenset(tpn for tpn, entry in page.entries.items() if entry.pk in agreed)
        concerned = frozenset(choice.concerned)
        given = Given(concerned, further=True, exception=True, started=True)
        verdict = first_refusal(
            may_change(facts, after, choice.situation, consents=consents, given=given),
            may_deviate(facts, after, choice.situation, given=given),
        )
        shown = {
            "differs": None,
            "changed": changed_boards(facts.now, after),
            "is_larger": is_larger(facts, after, choice.situation, concerned=concerned),
            "started": games_started(facts, after),
        }
    if isinstance(verdict, Refused):
        refusal = sentence(
            in_own_edition(tournament, named(verdict, lambda tpn: page.entries[TPN(tpn)].real_name))
        )
        return shown | {"refusal": refusal, "cautions": (), "is_larger": False}
    broken = caution_lines(page.state, page.entries, facts.now, after)
    return shown | {
        "refusal": "",
        "cautions": broken,
        "is_exception": choice.situation not in (None, Situation.CORRECTION)
        and any(line.code in COLOUR_CODES for line in broken),
        "affected": [page.entries[tpn] for tpn in affected(facts.now, after)],
    }


def _act(
    request: HtmxHttpRequest,
    row: Round,
    page: ChangePage,
    choice: Choice,
    after: Arrangement,
    agreed: frozenset[int],
    consent: Mapping[str, Any],
) -> Callable[[], object]:
    """Return the service that makes the change, as a callable."""
    pairings = pairings_of(after, page.entries)
    version = seen_version(request.POST, "version")
    reason, actor, now = request.POST.get("reason", ""), arbiter(request), timezone.now()
    situation = choice.situation
    if situation is None:
        return lambda: round_arrange(
            round_id=row.pk,
            pairings=pairings,
            reason=reason,
            actor=actor,
            now=now,
            seen_version=version,
        )
    return lambda: round_change(
        round_id=row.pk,
        pairings=pairings,
        situation=situation,
        consents=agreed,
        reason=reason,
        actor=actor,
        now=now,
        seen_version=version,
        concerned=choice.concerned,
        further=request.POST.get("further", ""),
        exception=request.POST.get("exception", ""),
        started="started" in request.POST,
        consented_at=consent["consented_at"],
        witness=consent["witness"],
    )
