"""The check-in before a round [C.04.2/2026 4.1]."""

from __future__ import annotations

from functools import partial
from typing import TypedDict

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pairing.rules.check_in import Consequence, reserved_consequences
from tournaments.core import permissions
from tournaments.core.amounts import amount_of
from tournaments.core.errors import BadInput, Conflict, RuleRefused, ServiceError
from tournaments.core.frame import state_key, tournament_frame
from tournaments.core.permissions import Power
from tournaments.core.request_values import number_of, numbers_of
from tournaments.entries.check_in import check_in_close, check_in_open, check_in_settle
from tournaments.entries.check_in_list import DeskLine, check_in_list
from tournaments.entries.desk_data import desk_data_set, fee_set, shown
from tournaments.models import DeskData, Entry, Tournament
from tournaments.web.access import arbiter_only, page, who_and_when
from tournaments.web.action_form import Problem, do, render_with_problem, seen_version
from tournaments.web.entries.check_in_desk import DeskPage, list_context
from tournaments.web.htmx import HtmxHttpRequest, page_or_partial, wants_part


@page(read=(Power.READ, Power.CHECK_IN))
@require_safe
def check_in(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show everybody by name; an open page polls with ``?v=``: 204 without news."""
    if wants_part(request) and request.GET.get("v") == state_key(tournament, runs=True):
        return HttpResponse(status=204)
    return _page(request, tournament)


@page(write=(Power.CHECK_IN,))
@require_POST
def find(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Check in the only player whose name begins with ``who``; several are shown."""
    return _desk(request, tournament).find()


@page(write=(Power.CHECK_IN,))
@require_POST
def tick(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Check the player ``in`` or ``out``, by the button that was pressed."""
    return _desk(request, tournament).tick()


def _desk(request: HtmxHttpRequest, tournament: Tournament) -> DeskPage:
    address = reverse("check-in", args=[tournament.slug])
    return DeskPage(request, [tournament], address, partial(_page, request, tournament))


@page(read=(Power.CHECK_IN,), write=(Power.CHECK_IN,))
@require_http_methods(["GET", "HEAD", "POST"])
def card(request: HtmxHttpRequest, tournament: Tournament, entry_id: int) -> HttpResponse:
    """Show phone, note and fee of one player; POST saves them, ``pay`` the fee as paid.

    With ``?event`` it leads back to the check-in of the event.
    """
    section = getattr(tournament, "section", None)
    back = reverse("check-in", args=[tournament.slug])
    if "event" in request.GET and section is not None:
        back = reverse("event-check-in", args=[section.event.slug])
    entry = get_object_or_404(Entry, tournament=tournament, pk=entry_id)
    line = next(line for line in check_in_list(tournament).lines if line.entry.pk == entry.pk)
    problem = None
    if request.method == "POST":
        try:
            _save_card(request, line)
        except ServiceError as error:
            problem = Problem.from_error(error, request)
        else:
            messages.success(request, _("Saved: %(name)s.") % {"name": entry.real_name})
            return redirect(back)
    stored = DeskData.objects.filter(entry=entry).first() or DeskData(entry=entry)
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "entries",
        "line": line,
        "back": back,
        "stored": stored,
        "was": shown(stored),
        "typed": request.POST if problem and "pay" not in request.POST else None,
        "problem": problem,
    }
    return render_with_problem(request, "entries/desk_card.html", context)


def _save_card(request: HtmxHttpRequest, line: DeskLine) -> None:
    """Save the card of *line*; with ``pay`` only that the shown fee (cents) is paid.

    :class:`Conflict` if the fee or the card has changed since then.
    """
    stored = DeskData.objects.filter(entry=line.entry).first() or DeskData(entry=line.entry)
    given: DeskFields = {
        "phone": stored.phone, "note": stored.note, "fee_due": stored.fee_due, "fee_paid": stored.fee_paid,
    }  # fmt: skip
    seen = shown(stored)
    if "pay" in request.POST:
        given["fee_paid"] = number_of(request.POST, "pay")
        if given["fee_paid"] != line.fee_due:
            raise Conflict("desk_data.moved_on")
    else:
        seen = request.POST.get("was", "")
        due = request.POST.get("fee_due", "").strip()
        given = {
            "phone": request.POST.get("phone", ""),
            "note": request.POST.get("note", ""),
            "fee_due": _cents("fee_due", due) if due else None,
            "fee_paid": _cents("fee_paid", request.POST.get("fee_paid", "") or "0"),
        }
    desk_data_set(entry_id=line.entry.pk, **who_and_when(request), seen=seen, **given)


class DeskFields(TypedDict):
    phone: str
    note: str
    fee_due: int | None
    fee_paid: int


def _cents(field: str, text: str) -> int:
    """Return *text* in cents; "30", "30,50" and "30 €"."""
    cents = amount_of(text)
    if cents is None:
        raise BadInput("desk_data.amount", field=field)
    return cents


@arbiter_only
@require_POST
def fee(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Set the entry fee of everybody without a fee of their own."""
    return do(
        request,
        lambda: fee_set(
            tournament_id=tournament.pk,
            **who_and_when(request),
            fee=_cents("fee", request.POST.get("fee", "") or "0"),
        ),
        done=_("The entry fee is saved."),
        to=reverse("check-in", args=[tournament.slug]),
        refused=lambda problem: _page(request, tournament, problem),
    )


@arbiter_only
@require_POST
def switch(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Open the check-in (``open=yes``), or close it."""
    opens = request.POST.get("open") == "yes"
    change = check_in_open if opens else check_in_close
    return do(
        request,
        lambda: change(
            tournament_id=tournament.pk,
            **who_and_when(request),
            seen_version=seen_version(request.POST),
        ),
        done=_("The check-in is open.") if opens else _("The check-in is closed."),
        to=reverse("check-in", args=[tournament.slug]),
        refused=lambda problem: _page(request, tournament, problem),
    )


@arbiter_only
@require_POST
def settle(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Exclude all missing players or give them a bye; the page asks first if they are many."""
    missing = numbers_of(request.POST, "missing")
    needs_confirmation = False

    def settle_them() -> None:
        nonlocal needs_confirmation
        try:
            check_in_settle(
                tournament_id=tournament.pk,
                **who_and_when(request),
                consequence=request.POST.get("consequence", ""),
                seen=missing,
                confirmed=request.POST.get("confirmed") == "yes",
                reason=request.POST.get("reason", ""),
            )
        except RuleRefused as refused:
            needs_confirmation = refused.code == "check_in.ask_again"
            raise

    return do(
        request,
        settle_them,
        done=_("The missing players will be paired.")
        if request.POST.get("consequence") == Consequence.PAIRED.value
        else _("The missing players will not be paired."),
        to=reverse("check-in", args=[tournament.slug]),
        refused=lambda problem: _page(
            request, tournament, problem, needs_confirmation=needs_confirmation
        ),
    )


def _page(
    request: HtmxHttpRequest,
    tournament: Tournament,
    problem: Problem | None = None,
    *,
    needs_confirmation: bool = False,
    status_text: str = "",
    search: str = "",
    last: Entry | None = None,
) -> HttpResponse:
    """Show the page. With *needs_confirmation* it repeats the submitted values,
    and the problem asks.

    *status_text* is about the newest action, *last* is the player whom it checked in, *search*
    limits the list.
    """
    if problem is not None:
        tournament.refresh_from_db()
    listed = check_in_list(tournament)
    (part,) = listed.parts
    decides = permissions.may_decide(request.user, tournament)
    context = {
        **list_context(request, listed, {}, status_text=status_text, search=search, last=last),
        "frame": tournament_frame(tournament, runs=True),
        "section": "entries",
        "part": part,
        "seen": part.seen,
        "key": state_key(tournament, runs=True),
        "desk_address": reverse("check-in", args=[tournament.slug]),
        "find_address": reverse("check-in-find", args=[tournament.slug]),
        "tick_address": reverse("check-in-tick", args=[tournament.slug]),
        "helps": permissions.may(request.user, tournament, Power.CHECK_IN),
        "runs": permissions.may_run(request.user, tournament),
        "consequences": _consequences(),
        "reserved": ()
        if decides
        else {each.value for each in reserved_consequences(part.seen.round_number)},
        "chosen": request.POST.get("consequence", Consequence.EXCLUDED.value),
        "reason": request.POST.get("reason", ""),
        "needs_confirmation": needs_confirmation,
        "problem": None if needs_confirmation else problem,
        "question": problem.sentence if needs_confirmation and problem else "",
    }
    status = problem.status if problem else 200
    return page_or_partial(request, "entries/check_in.html", "live", context, status=status)


def _consequences() -> list[tuple[str, str]]:
    return [
        (
            Consequence.EXCLUDED.value,
            _("Exclude them: they are no longer paired, unless they are brought back one by one"),
        ),
        (Consequence.ZERO_POINT.value, _("Leave them out of this round, without points")),
        (Consequence.HALF_POINT.value, _("Leave them out of this round, with a half-point bye")),
        (
            Consequence.PAIRED.value,
            _("Pair them although they have not checked in: decision of the Chief Arbiter"),
        ),
    ]
