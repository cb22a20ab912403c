"""Arrange a draft by two clicks: one player, then another.

Nothing is written before the Chief Arbiter saves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pairing.engine.model import TPN
from pairing.rounds.arrange import named, pairings_of, require_unmoved, round_arrange
from pairing.rounds.checklist import article_by_hand
from pairing.rounds.draft_views import draft_viewed
from pairing.rounds.pair import is_stale
from pairing.rounds.round_page import BoardLine, PlayerLine, RoundPage, round_page
from pairing.rounds.swapping import Click, Swapping, swapping
from pairing.rules.fide_mode import break_basic_rules
from pairing.rules.rounds import RoundState
from pairing.rules.swapping import LEFT_OVER
from tournaments.core.actions import in_own_edition
from tournaments.core.errors import RuleRefused, ServiceError
from tournaments.core.frame import Frame, tournament_frame
from tournaments.core.messages import sentence
from tournaments.core.permissions import Power, may_decide
from tournaments.core.request_values import optional_number_of, whole_number
from tournaments.models import Action, ByeKind, Decision, Round, Tournament
from tournaments.web.access import arbiter, page, who_and_when
from tournaments.web.action_form import Problem, render_with_problem, seen_version
from tournaments.web.changes_since import MOST, described
from tournaments.web.htmx import HtmxHttpRequest, go_to, wants_part
from tournaments.web.rounds.board_parts import BoardPart, nearest_part, part_with
from tournaments.web.rounds.swap_parts import PartRequest, Search, SwapParts, shown_part, swap_parts
from tournaments.web.rounds.swap_words import (
    CheckLine,
    change_words,
    check_lines,
    search_summary,
    summary,
)
from tournaments.web.templatetags.board_links import board_link, part_query

CHANGES: Final = "m"
"""The parameter with the unsaved changes."""


@dataclass(frozen=True, slots=True)
class SwapRow:
    """A board of the page and the lines of its check; ``is_changed``: not one of the draft."""

    board: int
    white: PlayerLine
    black: PlayerLine
    is_changed: bool = False
    lines: tuple[CheckLine, ...] = ()

    @property
    def crosses_scoregroups(self) -> bool:
        return self.white.pairing_score != self.black.pairing_score


@dataclass(frozen=True, slots=True)
class SideRow:
    """A player without a board; ``bye`` is None for a player who is left over."""

    player: PlayerLine
    bye: ByeKind | None


@dataclass(frozen=True, slots=True)
class SwapView:
    """The draft as shown. ``address`` has the version and changes, ready for ``&mark=``.

    ``changes`` are the texts of the changes, ``left`` counts the players left over, ``bye_lines``
    are those of the check of the bye. ``rows`` are the boards of one part; ``parts`` is None if
    there is only one.
    """

    action: str
    address: str
    before: str
    token: str
    version: int
    rows: tuple[SwapRow, ...]
    side: tuple[SideRow, ...]
    parts: SwapParts[SwapRow] | None = None
    changes: tuple[str, ...] = ()
    marked: PlayerLine | None = None
    left: int = 0
    bye_lines: tuple[CheckLine, ...] = ()
    leaves_fide_mode: bool = False
    refusal: str = ""
    meanwhile: tuple[str, ...] = ()
    summary: str = ""

    @property
    def click(self) -> str:
        """The address of a click on a player (id follows): mark, or change places."""
        return (
            f"{self.address}&mark={self.marked.entry_id}&with="
            if self.marked
            else f"{self.address}&mark="
        )


@page(write=(Power.DECIDE,))
@require_http_methods(["GET", "HEAD", "POST"])
def swap(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show the draft with the changes ``?m=`` and a click; POST saves them.

    The click is ``&mark=…&with=…`` or ``&do=…``. A long one comes in parts, ``&page=…``;
    ``&find=…`` looks for a board in all of them.
    """
    row = get_object_or_404(Round, tournament=tournament, number=number)
    if request.method == "POST":
        return _save(request, tournament, row)
    if row.state == RoundState.PLANNED:
        raise Http404
    draft_viewed(row, arbiter(request), timezone.now())
    frame = tournament_frame(tournament, runs=True)
    if not is_open(tournament, row) or not may_decide(request.user, tournament):
        if wants_part(request):
            messages.warning(request, _("This round is not a draft that you can arrange."))
            return go_to(request, reverse("round", args=[tournament.slug, number]))
        return _answer(request, frame, number, None, stale=is_stale(row, tournament))
    seen = optional_number_of(request.GET, "version")
    if not wants_part(request) and _saved_since(tournament, row, seen, arbiter(request)):
        messages.info(request, _("Your changes to this draft are saved already."))
        return redirect("round", tournament.slug, number)
    click = Click(
        whole_number(request.GET.get("mark", "")),
        whole_number(request.GET.get("with", "")),
        request.GET.get("do", ""),
    )
    found = swapping(tournament, row, request.GET.get(CHANGES, ""), click)
    requested = PartRequest(request.GET.get("page", ""), request.GET.get("find", ""))
    meanwhile = _meanwhile(tournament, seen)
    view = _view(
        frame, round_page(frame, row), found, requested, mark=_marked(click), meanwhile=meanwhile
    )
    if view.parts is not None and view.parts.only is not None and not wants_part(request):
        return redirect(view.parts.only.url)
    return _answer(request, frame, number, view)


def is_open(tournament: Tournament, row: Round) -> bool:
    """Return whether *row* is a draft that can be arranged now."""
    return (
        row.state == RoundState.DRAFT
        and not is_stale(row, tournament)
        and tournament.final_at is None
    )


def unchanged(
    frame: Frame, page: RoundPage, part: BoardPart, found: Sequence[BoardLine] = ()
) -> SwapView:
    """Return the draft without changes, for the page of the round with this *part*. No query.

    *found* are several boards that fit a search.
    """
    tournament = frame.tournament
    address = reverse("round", args=[tournament.slug, page.number])
    return SwapView(
        **_addresses(tournament, page.number, "", "", part),
        version=tournament.version,
        rows=tuple(map(_unchanged, (line for line in page.boards if line.board in part.boards))),
        side=tuple(SideRow(line.player, line.kind) for line in page.byes),
        parts=swap_parts(
            part,
            lambda board: address + board_link(board),
            address,
            search=Search("", [_unchanged(line) for line in found]),
        ),
    )


def _unchanged(line: BoardLine) -> SwapRow:
    return SwapRow(line.board, line.white, line.black)


def _save(request: HtmxHttpRequest, tournament: Tournament, row: Round) -> HttpResponse:
    problem: Problem | None = None
    version, token = seen_version(request.POST, "version"), request.POST.get(CHANGES, "")
    requested = request.GET.get("page", "")
    found: Swapping | None = None
    try:
        require_unmoved(tournament, version)
        found = swapping(tournament, row, token)
        if found.refused is not None:
            raise RuleRefused(found.refused)
        round_arrange(
            round_id=row.pk,
            pairings=pairings_of(found.saved_as, found.entries),
            reason=request.POST.get("reason", ""),
            **who_and_when(request),
            seen_version=version,
        )
    except ServiceError as error:
        problem = Problem.from_error(error, request)
    else:
        messages.success(request, _("The change is saved and is in the record."))
        first = nearest_part(requested, len(found.saved_as.boards)).boards[:1]
        address = reverse("round", args=[tournament.slug, row.number])
        return redirect(address + "".join(map(part_query, first)))
    tournament.refresh_from_db()
    row.refresh_from_db()
    frame = tournament_frame(tournament, runs=True)
    view = None
    if is_open(tournament, row):
        view = _view(
            frame,
            round_page(frame, row),
            found or swapping(tournament, row, token),
            PartRequest(requested),
        )
    return _answer(request, frame, row.number, view, problem)


def _answer(
    request: HtmxHttpRequest,
    frame: Frame,
    number: int,
    view: SwapView | None,
    problem: Problem | None = None,
    *,
    stale: bool = False,
) -> HttpResponse:
    context = {
        "frame": frame,
        "section": "rounds",
        "number": number,
        "swap": view,
        "problem": problem,
        "stale": stale,
        "reason": request.POST.get("reason", ""),
    }
    template = "rounds/_arranging.html" if wants_part(request) else "rounds/swap.html"
    return render_with_problem(request, template, context)


def _marked(click: Click) -> int | None:
    """Return the player who stays marked after *click*: only a first click marks."""
    return click.mark if click.other is None and not click.button else None


def _saved_since(tournament: Tournament, row: Round, seen: int | None, user: User) -> bool:
    """Return whether *user* has arranged the draft *row* since version *seen*.

    Then the changes of an old address, to which the browser goes back, would be made on top of
    themselves. One query if anything was done.
    """
    if seen is None or seen == tournament.version:
        return False
    lines = Decision.objects.filter(
        tournament=tournament, sequence__gt=seen, round_number=row.number
    )
    return lines.filter(action=Action.ROUND_ARRANGED, actor=user).exists()


def _meanwhile(tournament: Tournament, seen: int | None) -> tuple[str, ...]:
    """Return what was done in the tournament since version *seen*. One query if something was."""
    if seen is None or seen == tournament.version:
        return ()
    lines = Decision.objects.filter(tournament=tournament, sequence__gt=seen).order_by("-sequence")
    return described(lines[:MOST])


def _addresses(
    tournament: Tournament, number: int, token: str, before: str, part: BoardPart
) -> dict[str, Any]:
    action = reverse("round-swap", args=[tournament.slug, number])
    page = {"page": part.number} if part.is_long else {}
    address, earlier = (
        f"{action}?{urlencode({'version': tournament.version, CHANGES: m, **page})}"
        for m in (token, before)
    )
    return {"action": action + part.query, "address": address, "before": earlier, "token": token}


def _view(
    frame: Frame,
    page: RoundPage,
    found: Swapping,
    requested: PartRequest,
    *,
    mark: int | None = None,
    meanwhile: tuple[str, ...] = (),
) -> SwapView:
    players = {player.entry_id: player for player in _players(page)}
    entries = found.entries
    refusal = ""
    if found.refused is not None:
        own = named(found.refused, lambda tpn: entries[TPN(tpn)].real_name)
        refusal = sentence(in_own_edition(frame.tournament, own))
    changes = tuple(change_words(change, entries) for change in found.changes)
    codes = [caution.code for check in found.checks.values() for caution in check.cautions]
    rows = _rows(found, players)
    last = max((*found.draft.boards, *found.after.boards), default=0)
    part, search = shown_part(rows, requested, last=last, mark=mark)
    marked = players.get(mark) if mark is not None else None
    parts = _parts(frame.tournament, page.number, found, part, search, rows, marked)
    return SwapView(
        **_addresses(frame.tournament, page.number, found.token, found.token_before, part),
        version=frame.tournament.version,
        rows=tuple(row for row in rows if row.board in part.boards),
        side=_side(found, players),
        parts=parts,
        changes=changes,
        marked=marked,
        left=len(found.left),
        bye_lines=check_lines(found.checks[None], entries) if None in found.checks else (),
        leaves_fide_mode=_leaves_fide_mode(frame, page.number, codes),
        refusal=refusal,
        meanwhile=meanwhile,
        summary=refusal
        or search_summary(parts)
        or (summary(found.changes[-1], found.checks, entries) if changes else ""),
    )


def _leaves_fide_mode(frame: Frame, number: int, codes: Sequence[str]) -> bool:
    """Return whether publishing boards that break the rules *codes* would leave FIDE mode."""
    if frame.left_fide_mode is not None or not break_basic_rules(codes):
        return False
    return not article_by_hand(frame.tournament, number)


def _parts(
    tournament: Tournament,
    number: int,
    found: Swapping,
    part: BoardPart,
    search: Search[SwapRow],
    rows: Sequence[SwapRow],
    marked: PlayerLine | None,
) -> SwapParts[SwapRow] | None:
    """Return what *part* says of the others; links keep changes and who is *marked*."""
    address = reverse("round-swap", args=[tournament.slug, number])
    sent = {"version": str(tournament.version), CHANGES: found.token}
    if marked is not None:
        sent["mark"] = str(marked.entry_id)

    def place(board: int) -> str:
        return f"{address}?{urlencode(sent | {'page': str(part_with(board, part.last).number)})}#board-{board}"

    changed = (row for row in rows if row.is_changed)
    return swap_parts(part, place, address, sent=sent.items(), search=search, changed=changed)


def _players(page: RoundPage) -> Sequence[PlayerLine]:
    seated = [player for line in page.boards for player in (line.white, line.black)]
    return [*seated, *(line.player for line in page.byes)]


def _rows(found: Swapping, players: Mapping[int, PlayerLine]) -> tuple[SwapRow, ...]:
    changed = {*found.changed}
    return tuple(
        SwapRow(
            board,
            players[found.entries[pair[0]].pk],
            players[found.entries[pair[1]].pk],
            is_changed=board in changed,
            lines=check_lines(found.checks[board], found.entries) if board in changed else (),
        )
        for board, pair in sorted(found.after.boards.items())
    )


def _side(found: Swapping, players: Mapping[int, PlayerLine]) -> tuple[SideRow, ...]:
    """Return the players without a board: those left over, the bye, then the others, by number."""
    order = {LEFT_OVER: 0, ByeKind.PAIRING_ALLOCATED.value: 1}
    byes = sorted(found.after.byes.items(), key=lambda item: (order.get(item[1], 2), item[0]))
    return tuple(
        SideRow(players[pk], ByeKind(letter) if letter != LEFT_OVER else None)
        for tpn, letter in byes
        if (pk := found.entries[tpn].pk) in players
    )
