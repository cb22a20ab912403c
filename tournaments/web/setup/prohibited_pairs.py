"""The page of the prohibited pairs: by hand, a family, a club or a federation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pairing.rounds.facts import round_facts
from pairing.rounds.paired_before import ever_paired
from pairing.rules.names import fold
from pairing.rules.regulations import may_change_fields
from pairing.rules.verdict import Refused
from tournaments.core.actions import in_own_edition
from tournaments.core.errors import BadInput, ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.messages import sentence
from tournaments.core.namesakes import disambiguate
from tournaments.core.permissions import may_decide
from tournaments.core.request_values import numbers_of, optional_number_of
from tournaments.models import Entry, Tournament
from tournaments.models.regulations import pairs_of
from tournaments.setup.prohibited_effect import Effect, effect_of
from tournaments.setup.prohibited_pairs import MOST_PAIRS, prohibited_pairs_set, shown
from tournaments.web.access import arbiter_only, who_and_when
from tournaments.web.action_form import Problem, render_with_problem
from tournaments.web.htmx import HtmxHttpRequest

Pairs = list[list[int]]


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def prohibited_pairs(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the pairs; POST shows the effect on round 1; ``confirmed`` saves it."""
    if request.method != "POST":
        return _page(request, tournament)
    try:
        wanted = _wanted(request, tournament)
        if "confirmed" not in request.POST:
            return _page(
                request, tournament, requested=wanted, effect=effect_of(tournament, wanted)
            )
        prohibited_pairs_set(
            tournament_id=tournament.pk,
            **who_and_when(request),
            pairs=wanted,
            reason=request.POST.get("reason", "")[:1000],
            seen=request.POST.get("was", ""),
        )
    except ServiceError as error:
        return _page(request, tournament, Problem.from_error(error, request))
    messages.success(request, _("The prohibited pairs are saved."))
    return redirect("prohibited-pairs", tournament.slug)


def _wanted(request: HtmxHttpRequest, tournament: Tournament) -> Pairs:
    """Return the pairs that the form asks for: confirmed ones, or the present ones changed."""
    if "confirmed" in request.POST:
        ones, others, lasts = (numbers_of(request.POST, name) for name in ("one", "other", "last"))
        return [_pair(*three) for three in zip(ones, others, lasts, strict=False)]
    present = pairs_of(tournament)
    if "remove" in request.POST:
        gone = set(request.POST.getlist("pair"))
        return [pair for pair in present if f"{pair[0]}-{pair[1]}" not in gone]
    group = _group(request, tournament)
    last = optional_number_of(request.POST, "last_round", most=99) or 0
    added = [_pair(one, other, last) for one, other in combinations(sorted(group), 2)]
    new = {tuple(pair[:2]) for pair in added}
    return sorted([pair for pair in present if tuple(pair[:2]) not in new] + added)


def _pair(one: int, other: int, last: int) -> list[int]:
    return [one, other, last] if last else [one, other]


def _group(request: HtmxHttpRequest, tournament: Tournament) -> list[int]:
    """Return the entries that shall not meet: of a club, of a federation, or by name."""
    entries = list(Entry.objects.filter(tournament=tournament))
    disambiguate(entries)
    by = request.POST.get("by", "names")
    if by in ("club", "federation"):
        value = request.POST.get(by, "")
        found = [
            entry.pk
            for entry in entries
            if getattr(entry, by) and fold(getattr(entry, by)) == fold(value)
        ]
    else:
        found = [_named(name, entries) for name in request.POST.getlist("name") if name.strip()]
    if len(set(found)) < 2:
        raise BadInput("prohibited.two_needed", field=by)
    if len(set(found)) * (len(set(found)) - 1) // 2 > MOST_PAIRS:
        raise BadInput("prohibited.too_many", field=by, limit=MOST_PAIRS)
    return list(set(found))


def _named(name: str, entries: Iterable[Entry]) -> int:
    """Return the one entry with that name, or whose name begins with it.

    A name with what tells namesakes apart is found as the list proposes it; a pairing number or
    FIDE ID too.
    """
    typed = name.strip()
    wanted = fold(typed)
    ways: tuple[Callable[[Entry], bool], ...] = (
        lambda entry: fold(entry.name_apart) == wanted,
        lambda entry: typed in (str(entry.tpn), str(entry.fide_id)),
        lambda entry: fold(entry.real_name) == wanted,
        lambda entry: fold(entry.real_name).startswith(wanted),
    )
    found = next(
        (them for way in ways if (them := [entry.pk for entry in entries if way(entry)])), []
    )
    if len(found) != 1:
        raise BadInput("prohibited.name", field="name", value=name.strip(), found=len(found))
    return found[0]


def _page(
    request: HtmxHttpRequest,
    tournament: Tournament,
    problem: Problem | None = None,
    *,
    requested: Pairs | None = None,
    effect: Effect | None = None,
) -> HttpResponse:
    entries = {entry.pk: entry for entry in Entry.objects.filter(tournament=tournament)}
    disambiguate(entries.values())
    present, again = pairs_of(tournament), ever_paired(tournament) > 0
    decides = may_decide(request.user, tournament)
    verdict = may_change_fields(
        round_facts(tournament), ["prohibited_pairs"], decides=decides, ever_paired=again
    )
    names = sorted((entry.name_apart for entry in entries.values()), key=fold)
    context: dict[str, Any] = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "entries",
        "pairs": _shown(present, entries),
        "requested": requested,
        "new": _shown([pair for pair in requested if pair not in present], entries)
        if requested is not None
        else (),
        "gone": _shown([pair for pair in present if pair not in requested], entries)
        if requested is not None
        else (),
        "effect": effect,
        "was": shown(present),
        "names": names,
        "clubs": _several(entry.club for entry in entries.values()),
        "federations": _several(entry.federation for entry in entries.values()),
        "refusal": sentence(in_own_edition(tournament, verdict))
        if isinstance(verdict, Refused)
        else "",
        "needs_reason": again,
        "problem": problem,
    }
    return render_with_problem(request, "setup/prohibited_pairs.html", context)


def _shown(pairs: Pairs, entries: dict[int, Entry]) -> list[dict[str, object]]:
    """Return the *pairs* with names, by name."""
    shown = [
        {
            "key": f"{one}-{other}",
            "one": entries[one].name_apart,
            "other": entries[other].name_apart,
            "last": last[0] if last else 0,
        }
        for one, other, *last in pairs
    ]
    return sorted(shown, key=lambda pair: (fold(str(pair["one"])), fold(str(pair["other"]))))


def _several(values: Iterable[str]) -> list[str]:
    """Return the values that at least two players have, in order."""
    given = [value for value in values if value]
    return sorted({value for value in given if given.count(value) > 1}, key=fold)
