"""Pages for the list of entries and the actions on one entry."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pairing.rounds.absences import absence_explain
from pairing.rounds.announce import announced_with
from pairing.rules.entries import ByeWarning, after_the_last, bye_warnings
from pairing.rules.published import Situation
from pairing.rules.rounds import RoundFacts, RoundState
from pairing.rules.verdict import Allowed
from tournaments.core.chosen_rules import handling
from tournaments.core.errors import BadInput, DataMoved, ServiceError
from tournaments.core.frame import Frame, tournament_frame
from tournaments.core.namesakes import apart_of
from tournaments.core.newer_lines import OF_A_PLAYER
from tournaments.core.permissions import Power, may_decide
from tournaments.core.request_values import number_of, whole_number
from tournaments.entries.byes import bye_cancel, bye_request, may_have_bye, other_byes_with_points
from tournaments.entries.cells import ImportRow
from tournaments.entries.entries import (
    entry_add,
    entry_check_in,
    entry_remove,
    entry_return,
    entry_update,
    entry_withdraw,
)
from tournaments.entries.entry_list import EntryFilter, EntryList, entry_line, entry_list
from tournaments.entries.namesakes import Players, named_with_facts
from tournaments.entries.ranking_changes import has_begun
from tournaments.entries.waiting_rows import waiting_rows
from tournaments.events.registration.queue import new_registrations
from tournaments.models import ByeKind, Entry, Tournament
from tournaments.reports.record_page import newest_row
from tournaments.web.access import arbiter, arbiter_only, page, who_and_when
from tournaments.web.action_form import Problem, add_service_error, do, seen_version
from tournaments.web.announced_boards import announced_but_gone
from tournaments.web.changes_since import changes_since
from tournaments.web.entries.arrivals import words_after_entry
from tournaments.web.entries.forms import ByeForm, EntryForm, WithdrawForm
from tournaments.web.htmx import HtmxHttpRequest, go_to, page_before, page_or_partial
from tournaments.web.newest_data import on_newest_data
from tournaments.web.parts import part_of, requested_page
from tournaments.web.rating_lists.hits import from_list, offer_search
from tournaments.web.shown_values import shown, up_to_date
from tournaments.web.way_back import way_back


@dataclass(frozen=True, slots=True)
class ByeToConfirm:
    """A bye with points that needs confirmation before it is granted [C.04.2/2026 3.3]."""

    round_number: int
    kind: ByeKind
    warnings: tuple[ByeWarning, ...]


@page(read=(Power.READ, Power.CHECK_IN))
@require_safe
def entries(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the list in parts of 200, searched and filtered; htmx gets only the table."""
    shown, search = _filter_of(request.GET)
    frame = tournament_frame(tournament, runs=True)
    listed = entry_list(tournament, search=search, shown=shown, for_arbiters=True)
    context = {
        "frame": frame,
        "section": "entries",
        "list": listed,
        "part": part_of(listed.lines, requested_page(request.GET.get("page", ""))),
        "q": search,
        "shown": shown,
        "filters": _filters(listed),
        "only": next(label for kind, label, _n in _filters(listed) if kind == shown)
        if shown != EntryFilter.ALL
        else "",
        "waiting_count": waiting_rows(tournament).count,
        "registered": 0 if frame.published else new_registrations(tournament),
        "newest": partial(newest_row, frame),  # not needed for the table alone
    }
    return page_or_partial(request, "entries/entries.html", "entry-table", context)


def _filter_of(query: QueryDict) -> tuple[EntryFilter, str]:
    """Return the filter and the search in the query of an address."""
    try:
        shown = EntryFilter(query.get("shown", "all"))
    except ValueError:
        shown = EntryFilter.ALL
    return shown, query.get("q", "")


def _filters(seen: EntryList) -> list[tuple[EntryFilter, str, int]]:
    """Return the filters of the list with their labels and counts."""
    labels = [
        (EntryFilter.ALL, _("all")),
        (EntryFilter.CHECKED_IN, _("checked in")),
        (EntryFilter.NOT_CHECKED_IN, _("not checked in")),
        (EntryFilter.BYES, _("with byes")),
        (EntryFilter.WITHDRAWN, _("withdrawn")),
    ]
    return [(kind, label, seen.counts[kind]) for kind, label in labels]


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def add(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Enter one participant; after round 1 is paired, a late entry."""
    if request.method != "POST":
        return _add_page(request, tournament, EntryForm(tournament=tournament))
    if (looked_up := from_list(request.POST, tournament)) is not None:
        form, more = looked_up
        return _add_page(request, tournament, form, more=more)
    return on_newest_data(request, tournament, lambda now: _add(request, now))


def _add(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Enter the participant, or ask first if one of the same name is entered."""
    form = EntryForm(request.POST or None, tournament=tournament)
    if not form.is_valid():
        return _add_page(request, tournament, form)
    fields = form.values()
    row = ImportRow(0, fields["name"], fide_id=fields["fide_id"], birth_date=fields["birth_date"])
    there = Players.from_tournament(tournament).who_may_be(row)
    # If the player is entered again, the list of equal names grows, and the page asks once more.
    same = " ".join(str(entry.pk) for entry in there if isinstance(entry, Entry))
    if there and same != request.POST.get("same", ""):
        form.add_error(
            "name", str(BadInput("csv.name_entered", name="; ".join(map(named_with_facts, there))))
        )
        return _add_page(request, tournament, form, same=same)
    try:
        fields |= {"checked_in": True} if form.cleaned_data["arrived"] else {}
        actor, version = arbiter(request), tournament.version
        entry = entry_add(
            tournament_id=tournament.pk, actor=actor, now=timezone.now(), compared=version, **fields
        )
    except DataMoved:
        raise
    except ServiceError as error:
        add_service_error(form, error)
        return _add_page(request, tournament, form)
    messages.success(request, words_after_entry(tournament, entry))
    return redirect("entry-add" if "another" in request.POST else "entries", tournament.slug)


def _add_page(
    request: HtmxHttpRequest,
    tournament: Tournament,
    form: EntryForm,
    *,
    same: str = "",
    more: dict[str, Any] | None = None,
) -> HttpResponse:
    frame = tournament_frame(tournament, runs=True)
    context = {
        "frame": frame,
        "section": "entries",
        "form": form,
        "same": same,
        "late": frame.rounds[0].state != RoundState.PLANNED,
        "is_last_public": not _unpublished(frame)
        and Situation.LATE_ENTRY in handling(tournament).situations,
        "searches": not same and offer_search(form, tournament),
        **(more or {}),
    }
    return render(
        request,
        "entries/entry_form.html",
        context,
        status=409 if same else 422 if form.is_bound else 200,
    )


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HtmxHttpRequest, tournament: Tournament, entry_id: int) -> HttpResponse:
    """Show one participant: the data, byes, withdrawal."""
    if request.method != "POST":
        return entry_page(
            request, tournament, get_object_or_404(Entry, tournament=tournament, pk=entry_id)
        )
    return on_newest_data(request, tournament, lambda now: _save(request, now, entry_id))


def _save(request: HtmxHttpRequest, tournament: Tournament, entry_id: int) -> HttpResponse:
    """Save the data of the participant, unless somebody else changed the same ones."""
    entry = get_object_or_404(Entry, tournament=tournament, pk=entry_id)
    data, conflict = up_to_date(request.POST, [EntryForm(instance=entry, tournament=tournament)])
    form = EntryForm(data, instance=entry, tournament=tournament)
    if conflict:
        form.add_error(None, [conflict, *changes_since(request, OF_A_PLAYER, entry=entry)])
    elif form.is_valid():
        try:
            saved = entry_update(
                entry_id=entry.pk,
                **who_and_when(request),
                reason=form.cleaned_data["reason"],
                compared=tournament.version,
                **form.values(),
            )
        except DataMoved:
            raise
        except ServiceError as error:
            add_service_error(form, error)
        else:
            messages.success(request, _("%(name)s is saved.") % {"name": saved.real_name})
            return redirect("entries", tournament.slug)
    return entry_page(request, tournament, entry, form=form, status=409 if conflict else 422)


def entry_page(
    request: HtmxHttpRequest,
    tournament: Tournament,
    entry: Entry,
    *,
    form: EntryForm | None = None,
    problem: Problem | None = None,
    bye_to_confirm: ByeToConfirm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the page of *entry*; a *problem* has its own status."""
    if problem is not None:
        tournament.refresh_from_db()
        entry.refresh_from_db()
    frame = tournament_frame(tournament, runs=True)
    open_rounds = _unpublished(frame)
    context: dict[str, Any] = {
        "frame": frame,
        "section": "entries",
        "entry": entry,
        "line": entry_line(entry),
        "apart": apart_of(entry),
        "form": form or EntryForm(instance=entry, tournament=tournament),
        "shown": shown([EntryForm(instance=entry, tournament=tournament)]),
        "bye_form": ByeForm(
            rounds=open_rounds, initial={"round_number": whole_number(request.GET.get("round", ""))}
        ),
        "withdraw_form": WithdrawForm(rounds=_withdrawable(frame), total=len(frame.rounds)),
        "withdraw_rounds": _withdrawable(frame),
        "open_rounds": open_rounds,
        "announced_round": open_rounds[0] if open_rounds else None,
        "announced_boards": announced_with(tournament, open_rounds[0], [entry.pk])
        if open_rounds
        else (),
        "decides": may_decide(request.user, tournament),
        "asks_reason": has_begun(tournament),
        "is_expelled": entry.pk in tournament.expelled,
        "removable": frame.rounds[0].state == RoundState.PLANNED,
        "problem": problem,
        "bye_to_confirm": bye_to_confirm,
    }
    status = problem.status if problem else status
    return render(request, "entries/entry_form.html", context, status=status)


def _no_such_round() -> Problem:
    sentence = _("Choose a round whose pairings are not published yet.")
    return Problem(_("Please check your input."), sentence, 422)


def _unpublished(frame: Frame) -> list[int]:
    """Return the rounds for which a bye or a withdrawal can still count."""
    return [tab.number for tab in frame.rounds if not tab.is_public]


def _withdrawable(frame: Frame) -> list[int]:
    """Return the first rounds without a player who withdraws now.

    During the last round it is the number after it.
    """
    leaves = after_the_last([RoundFacts(tab.number, tab.state) for tab in frame.rounds])
    return _unpublished(frame) or ([] if leaves is None else [leaves])


@page(write=(Power.CHECK_IN,))
@require_POST
def check_in(request: HtmxHttpRequest, tournament: Tournament, entry_id: int) -> HttpResponse:
    """Check a participant in or out; htmx gets the row."""
    entry = get_object_or_404(Entry, tournament=tournament, pk=entry_id)
    try:
        entry = entry_check_in(
            entry_id=entry.pk,
            **who_and_when(request),
            checked_in=request.POST.get("checked_in") == "yes",
        )
    except ServiceError as error:
        messages.warning(request, str(error))
        return go_to(request, reverse("check-in", args=[tournament.slug]))
    if request.htmx:
        shown, search = _filter_of(QueryDict(urlsplit(page_before(request)).query))
        listed = entry_list(tournament, for_arbiters=True)
        context = {
            "frame": tournament_frame(tournament, runs=True),
            "line": next((line for line in listed.lines if line.entry_id == entry.pk), None)
            or entry_line(entry),
            "filters": _filters(listed),
            "shown": shown,
            "q": search,
            "swap_counts": True,
        }
        return render(request, "entries/entries.html#entry-row-and-counts", context)
    requested = requested_page(request.GET.get("page", ""))
    place = f"{reverse('entries', args=[tournament.slug])}{requested and f'?page={requested}'}#entry-{entry.pk}"
    return redirect(way_back(request, tournament, place))


@arbiter_only
@require_POST
def request_bye(request: HtmxHttpRequest, tournament: Tournament, entry_id: int) -> HttpResponse:
    """Grant a bye that the participant requested."""
    entry = get_object_or_404(Entry, tournament=tournament, pk=entry_id)
    form = ByeForm(request.POST, rounds=_unpublished(tournament_frame(tournament, runs=True)))
    if not form.is_valid():
        problem = _no_such_round()
        return entry_page(request, tournament, entry, problem=problem)
    number, kind = form.cleaned_data["round_number"], form.cleaned_data["kind"]
    warnings = bye_warnings(kind, others=other_byes_with_points(entry, number))
    asks = warnings and isinstance(may_have_bye(tournament, entry, number, kind), Allowed)
    if asks and request.POST.get("confirmed") != f"{number} {kind}":
        return entry_page(
            request,
            tournament,
            entry,
            bye_to_confirm=ByeToConfirm(number, ByeKind(kind), warnings),
            status=422,
        )
    return do(
        request,
        lambda: bye_request(
            entry_id=entry.pk,
            **who_and_when(request),
            round_number=number,
            kind=kind,
            seen_version=seen_version(request.POST),
        ),
        done=_("%(name)s: %(bye)s in round %(n)d.")
        % {"name": entry.real_name, "bye": ByeKind(kind).label, "n": number},
        warning=lambda: announced_but_gone(tournament, [entry.pk], from_round=number),
        to=way_back(request, tournament, reverse("entry-edit", args=[tournament.slug, entry.pk])),
        refused=lambda problem: entry_page(request, tournament, entry, problem=problem),
    )


@arbiter_only
@require_POST
def cancel_bye(
    request: HtmxHttpRequest, tournament: Tournament, entry_id: int, number: int
) -> HttpResponse:
    """Cancel a requested bye."""
    entry = get_object_or_404(Entry, tournament=tournament, pk=entry_id)
    return do(
        request,
        lambda: bye_cancel(
            entry_id=entry.pk,
            **who_and_when(request),
            round_number=number,
            seen_version=seen_version(request.POST),
        ),
        done=_("%(name)s: bye in round %(n)d cancelled.") % {"name": entry.real_name, "n": number},
        to=way_back(request, tournament, reverse("entry-edit", args=[tournament.slug, entry.pk])),
        refused=lambda problem: entry_page(request, tournament, entry, problem=problem),
    )


@arbiter_only
@require_POST
def withdraw(request: HtmxHttpRequest, tournament: Tournament, entry_id: int) -> HttpResponse:
    """Withdraw the participant."""
    entry = get_object_or_404(Entry, tournament=tournament, pk=entry_id)
    frame = tournament_frame(tournament, runs=True)
    form = WithdrawForm(request.POST, rounds=_withdrawable(frame), total=len(frame.rounds))
    if not form.is_valid():
        problem = _no_such_round()
        if request.htmx:
            return render(request, "shared/_problem.html", {"problem": problem}, status=422)
        return entry_page(request, tournament, entry, problem=problem)
    number = form.cleaned_data["from_round"]
    return do(
        request,
        lambda: entry_withdraw(
            entry_id=entry.pk,
            **who_and_when(request),
            from_round=number,
            seen_version=seen_version(request.POST),
        ),
        done=(
            _("%(name)s is withdrawn from round %(n)d.")
            if number <= len(frame.rounds)
            else _("%(name)s is withdrawn during the last round.")
        )
        % {"name": entry.real_name, "n": number},
        warning=lambda: announced_but_gone(tournament, [entry.pk], from_round=number),
        to=way_back(request, tournament, reverse("entry-edit", args=[tournament.slug, entry.pk])),
        refused=lambda problem: entry_page(request, tournament, entry, problem=problem),
    )


@arbiter_only
@require_POST
def explain_absence(
    request: HtmxHttpRequest, tournament: Tournament, entry_id: int
) -> HttpResponse:
    """Record that a player has explained a forfeit; the player is paired again."""
    entry = get_object_or_404(Entry, tournament=tournament, pk=entry_id)
    number = number_of(request.POST, "round_number", most=99)
    return do(
        request,
        lambda: absence_explain(
            entry_id=entry.pk,
            **who_and_when(request),
            round_number=number,
            explanation=request.POST.get("explanation", "")[:1000],
            seen_version=seen_version(request.POST),
        ),
        done=_("%(name)s: absence explained.") % {"name": entry.real_name},
        to=way_back(request, tournament, reverse("desk", args=[tournament.slug])),
        refused=lambda problem: entry_page(request, tournament, entry, problem=problem),
    )


@arbiter_only
@require_POST
def bring_back(request: HtmxHttpRequest, tournament: Tournament, entry_id: int) -> HttpResponse:
    """Bring a withdrawn participant back."""
    entry = get_object_or_404(Entry, tournament=tournament, pk=entry_id)
    if _unpublished(tournament_frame(tournament, runs=True)):
        done = _("%(name)s is back and is paired from the next round.")
    else:
        done = _("%(name)s is back. No round is left to be paired.")
    return do(
        request,
        lambda: entry_return(
            entry_id=entry.pk,
            **who_and_when(request),
            reason=request.POST.get("reason", "")[:1000],
            seen_version=seen_version(request.POST),
        ),
        done=done % {"name": entry.real_name},
        to=way_back(request, tournament, reverse("entry-edit", args=[tournament.slug, entry.pk])),
        refused=lambda problem: entry_page(request, tournament, entry, problem=problem),
    )


@arbiter_only
@require_POST
def remove(request: HtmxHttpRequest, tournament: Tournament, entry_id: int) -> HttpResponse:
    """Remove the entry, before round 1."""
    entry = get_object_or_404(Entry, tournament=tournament, pk=entry_id)
    return do(
        request,
        lambda: entry_remove(
            entry_id=entry.pk,
            **who_and_when(request),
            reason=request.POST.get("reason", "")[:1000],
            seen_version=seen_version(request.POST),
        ),
        done=_("%(name)s is removed from the list.") % {"name": entry.real_name},
        to=reverse("entries", args=[tournament.slug]),
        refused=lambda problem: entry_page(request, tournament, entry, problem=problem),
    )
