"""Arrange a draft by hand, and change published pairings if [C.04.2/2026 4.4] allows it."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, replace
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
from pairing.rounds.round_page import RoundPage, answers, round_page
from pairing.rules.manual import COLOUR_CODES
from pairing.rules.publication import (
    Given,
    games_started,
    is_larger,
    may_change,
    may_deviate,
    needs_consent,
    sound,
)
from pairing.rules.published import Arrangement, Situation, affected, changed_boards, new_pairs
from pairing.rules.rearrangement import rearranged
from pairing.rules.rounds import RoundState
from pairing.rules.smallest import Proposal, proposal
from pairing.rules.verdict import Refused, first_refusal
from tournaments.core.actions import in_own_edition
from tournaments.core.errors import ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.messages import sentence
from tournaments.core.permissions import may_decide
from tournaments.core.request_values import numbers_of, whole_number
from tournaments.models import Entry, Round, Tournament
from tournaments.web.access import arbiter, arbiter_only
from tournaments.web.action_form import Problem, seen_version
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.rounds.forms import ConsentForm


@dataclass(frozen=True, slots=True)
class Row:
    """One board of the form: its number, and its players so far."""

    board: int
    white: int | None
    black: int | None


@dataclass(frozen=True, slots=True)
class _Ticked:
    """The ticked lines of the list: boards by number, players without a board by entry id."""

    boards: tuple[int, ...]
    players: tuple[int, ...]

    @classmethod
    def of(cls, request: HtmxHttpRequest) -> _Ticked:
        boards, players = (_numbers_in(request.GET.getlist(name)) for name in "bp")
        return cls(boards, players)


def _numbers_in(words: Iterable[str]) -> tuple[int, ...]:
    """Return the whole numbers among *words*; ignore the rest, like numbers that do not exist."""
    return tuple(number for word in words if (number := whole_number(word)) is not None)


@dataclass(frozen=True, slots=True)
class _Choice:
    """The boards to rearrange, by number, and all players who need a place at the end.

    ``concerned`` are the boards that the regulations or the event concern, ``suggested`` is the
    smallest sufficient change of published pairings, ``more`` the further boards as typed.
    """

    situation: Situation | None
    boards: tuple[int, ...]
    pool: tuple[Entry, ...]
    concerned: tuple[int, ...] = ()
    suggested: Proposal | None = None
    more: str = ""


@dataclass(frozen=True, slots=True)
class Left:
    """A player of the form, and the bye that the player gets if no board of the form seats them.

    ``letter`` is the chosen one. ``kept`` is the letter of the present bye with points; empty:
    there is none. ``is_late``: the player need not get a place at all.
    """

    entry: Entry
    letter: str
    kept: str
    is_late: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A board before and after the smallest change, with (White, Black); None: no such board."""

    board: int
    before: tuple[Entry, Entry] | None
    after: tuple[Entry, Entry] | None


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Rearrange the boards ``?b=`` and the players ``?p=``; POST shows the effect, and with
    ``save`` does it.

    They are chosen from a list; ``find`` keeps it open, and ``?q=`` shows the lines that match, and
    all ticked lines. If the pairings are published, the page proposes the smallest sufficient
    change; ``?more=`` adds boards to the form.
    """
    row = get_object_or_404(Round, tournament=tournament, number=number)
    if row.state not in (RoundState.DRAFT, RoundState.PAIRINGS_PUBLISHED):
        raise Http404
    draft_viewed(row, arbiter(request), timezone.now())
    page = change_page(tournament, row, at=timezone.now())
    choice = _choice(request, page)
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
    context["back"] = _back(request)
    context |= {
        "rows": _rows(choice, page),
        "left": _left(choice, page),
        "reason": "",
        "is_suggested": True,
    }
    context |= {"lines": _lines(page, choice), "ticked": _Ticked.of(request)}
    context["checked"] = next(
        (one for one in page.situations if one.situation is choice.situation), None
    )
    context["moved_byes"] = _moved_byes(page, choice)
    context["asks_consent"] = choice.situation is not None and needs_consent(choice.situation)
    context["consents"] = frozenset[int]()
    context["consent_form"] = ConsentForm(request.POST or None)
    context["situation_article"] = (
        page.facts.situations[choice.situation] if choice.situation is not None else ""
    )
    context["more"] = request.POST.get("more", choice.more)
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


def _answer(
    request: HtmxHttpRequest,
    tournament: Tournament,
    row: Round,
    page: ChangePage,
    choice: _Choice,
    context: dict[str, Any],
) -> HttpResponse:
    """Show the broken rules of the arrangement and whether it is allowed, or save it."""
    after, status = _arranged(request, page, choice), 200
    agreed = frozenset(numbers_of(request.POST, "consent"))
    reason = request.POST.get("reason", "")
    context |= {
        "rows": _typed_rows(request, choice, page),
        "left": _left_typed(request, choice, page),
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
    elif "save" in request.POST and (typed := _not_in_the_form(context["more"], choice)):
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
            problem = Problem.of(error, request)
            if error.code == "change.not_arrived":
                entries = reverse("entries", args=[tournament.slug])
                problem = replace(
                    problem, way_out=(f"{entries}?shown=not-checked-in", _("Entries"))
                )
            context["problem"], status = problem, problem.status
        else:
            messages.success(request, _("The change is saved and is in the record."))
            return redirect("round", tournament.slug, row.number)
    context["outlook"] = _outlook(tournament, page, choice, after, agreed)
    return render(request, "rounds/change.html", context, status=status)


def _places(request: HtmxHttpRequest, page: RoundPage, change: ChangePage) -> dict[str, Any]:
    """Return the list to choose from, searched with ``?q=`` by name, TPN or board; ticked lines
    always stay in it.
    """
    ticked = _Ticked.of(request)
    words = "" if request.GET.get("find") == "all" else request.GET.get("q", "").strip()
    late = change.late
    if words:
        boards = {*ticked.boards, *_numbers_in([words])}
        page = page.searched(words, boards=boards, players=ticked.players)
        late = [
            one
            for one in late
            if one.pk in ticked.players or answers(one.real_name, one.tpn, words)
        ]
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


def _choice(request: HtmxHttpRequest, page: ChangePage) -> _Choice:
    """Return the existing boards and players in the address, and those of the smallest sufficient
    change.
    """
    ticked = _Ticked.of(request)
    chosen = {n for n in ticked.boards if n in page.facts.now.boards}
    people = [page.by_pk[pk] for pk in ticked.players if pk in page.by_pk]
    situation = next(
        (
            situation
            for situation in page.facts.situations
            if situation.value == request.GET.get("situation")
        ),
        None,
    )
    ticked_players = {*people, *(tpn for n in chosen for tpn in page.facts.now.boards[n])}
    if not ticked_players:  # nothing ticked: use the players of the situation
        chosen, people = page.named_by(situation)
    chosen |= {board for tpn in people if (board := page.board_of(tpn)) is not None}
    concerned = (
        tuple(sorted(chosen)) if situation in (Situation.REGULATIONS, Situation.TOP_BOARDS) else ()
    )
    suggested = None
    if situation is not None and page.facts.state is RoundState.PAIRINGS_PUBLISHED:
        new = page.facts.late & ticked_players or None
        suggested = proposal(
            page.facts, situation, concerned=concerned, new=new, chosen=ticked_players
        )
    if suggested is not None and situation is Situation.WITHOUT_OPPONENT and not ticked_players:
        # All players with a bye are without an opponent: the form shows the two of the new board.
        chosen, people = set(), []
    arrived = page.facts.late - page.facts.not_arrived
    if (
        suggested is None
        and situation is Situation.LATE_ENTRY
        and not arrived & {*ticked_players, *people}
    ):
        # Only boards are ticked, and no change of them is enough: the late entries can still be
        # chosen.
        people += sorted(arrived)
    if suggested is not None:
        chosen |= {*suggested.games}
        people += [tpn for tpn in affected(page.facts.now, suggested.after) if tpn not in people]
    more = request.GET.get("more", "") if chosen or people else ""
    chosen |= {*_numbers_in(re.findall(r"\d+", more))}
    boards = tuple(n for n in page.facts.now.boards if n in chosen)
    seated = [tpn for n in boards for tpn in page.facts.now.boards[n]]
    pool = [*seated, *(tpn for tpn in people if tpn not in seated)]
    return _Choice(
        situation, boards, tuple(page.entries[tpn] for tpn in pool), concerned, suggested, more
    )


def _not_in_the_form(more: str, choice: _Choice) -> list[int]:
    """Return the boards in the text *more* that the form does not show."""
    return sorted({*_numbers_in(re.findall(r"\d+", more))} - {*choice.boards})


def _numbers(choice: _Choice, page: ChangePage) -> list[int]:
    """Return the boards to fill: the chosen ones, and new ones at the end for players without a
    board.
    """
    last = max(page.facts.now.boards, default=0)
    wanted = max(len(choice.boards), len(choice.pool) // 2)
    return [*choice.boards, *range(last + 1, last + 1 + wanted - len(choice.boards))]


def _rows(choice: _Choice, page: ChangePage) -> list[Row]:
    """Return the initial rows of the form: the smallest change, or the present players, newcomers
    at the new boards.
    """
    numbers = _numbers(choice, page)
    if choice.suggested is not None:
        pairs = choice.suggested.after.boards
        return [
            Row(n, *((page.entries[tpn].pk for tpn in pairs[n]) if n in pairs else (None, None)))
            for n in numbers
        ]
    rest = [entry.pk for entry in choice.pool if page.board_of(page.by_pk[entry.pk]) is None]
    rows = []
    for n in numbers:
        if n in page.facts.now.boards:
            white, black = (page.entries[tpn].pk for tpn in page.facts.now.boards[n])
            rows.append(Row(n, white, black))
        else:
            rows.append(Row(n, *(rest.pop(0) if rest else None for _side in "wb")))
    return rows


def _left(choice: _Choice, page: ChangePage) -> list[Left]:
    """Return the byes of the players who get no board: those of the smallest change, or the present
    ones.

    Without a smallest change, the last player of an odd number gets the allocated bye, unless
    somebody has it.
    """
    now = page.facts.now.byes
    byes = now if choice.suggested is None else choice.suggested.after.byes
    holders = {entry for entry in choice.pool if byes.get(page.by_pk[entry.pk]) == "U"}
    if (
        choice.suggested is None
        and not holders
        and len(choice.pool) % 2
        and "U" not in now.values()
    ):
        holders = {choice.pool[-1]}
    return [_left_of(page, entry, "U" if entry in holders else "Z") for entry in choice.pool]


def _left_of(page: ChangePage, entry: Entry, letter: str) -> Left:
    tpn = page.by_pk[entry.pk]
    kept = page.facts.now.byes.get(tpn, "")
    return Left(entry, letter, kept if kept in ("H", "F") else "", tpn in page.facts.late)


def _left_typed(request: HtmxHttpRequest, choice: _Choice, page: ChangePage) -> list[Left]:
    """Return the byes of the form.

    A form opened before each player had a bye of their own has one for all.
    """
    for_all = request.POST.get("left", "Z")
    found = []
    for entry in choice.pool:
        letter = request.POST.get(f"left-{entry.pk}", for_all)
        found.append(_left_of(page, entry, "U" if letter == "U" else "Z"))
    return found


def _lines(page: ChangePage, choice: _Choice) -> tuple[Line, ...]:
    """Return the boards that the smallest change changes, before and after."""
    if choice.suggested is None:
        return ()

    def players(arrangement: Arrangement, board: int) -> tuple[Entry, Entry] | None:
        pair = arrangement.boards.get(board)
        return None if pair is None else (page.entries[pair[0]], page.entries[pair[1]])

    now, after = page.facts.now, choice.suggested.after
    return tuple(Line(n, players(now, n), players(after, n)) for n in changed_boards(now, after))


def _moved_byes(page: ChangePage, choice: _Choice) -> list[tuple[Entry, str]]:
    """Return the players who have another bye in the smallest change, with its letter."""
    if choice.suggested is None:
        return []
    now = page.facts.now.byes
    byes = sorted(choice.suggested.after.byes.items())
    return [(page.entries[tpn], letter) for tpn, letter in byes if now.get(tpn) != letter]


def _typed_rows(request: HtmxHttpRequest, choice: _Choice, page: ChangePage) -> list[Row]:
    there = {entry.pk for entry in choice.pool}
    return [
        Row(n, seat_typed(request, f"w-{n}", there), seat_typed(request, f"b-{n}", there))
        for n in _numbers(choice, page)
    ]


def seat_typed(request: HtmxHttpRequest, name: str, there: Container[int]) -> int | None:
    """Return the entry id at the seat *name* of the form; None if it is not one of those
    *there*.
    """
    entry_id = whole_number(request.POST.get(name, ""))
    return entry_id if entry_id is not None and entry_id in there else None


def _arranged(request: HtmxHttpRequest, page: ChangePage, choice: _Choice) -> Arrangement:
    """Return the whole round with the boards of the form; a board with one player disappears."""
    typed: dict[int, tuple[TPN, TPN] | None] = dict.fromkeys(choice.boards)
    for row in _typed_rows(request, choice, page):
        if row.white is not None and row.black is not None:
            typed[row.board] = (page.by_pk[row.white], page.by_pk[row.black])
    left = {page.by_pk[one.entry.pk]: one.letter for one in _left_typed(request, choice, page)}
    pool = {page.by_pk[entry.pk] for entry in choice.pool}
    missing = page.facts.missing_players
    return rearranged(
        page.facts.now, typed, pool=pool, late=page.facts.late, left=left, missing=missing
    )


def _outlook(
    tournament: Tournament,
    page: ChangePage,
    choice: _Choice,
    after: Arrangement,
    agreed: frozenset[int],
) -> dict[str, Any]:
    """Return the data that the page shows before it saves, and what the Chief Arbiter has to state
    for it.
    """
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
    choice: _Choice,
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
