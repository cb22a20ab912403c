"""Find an opponent for a player without one in a published round [C.04.2/2026 4.4.3, 4.4.4]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pairing.rounds.change_page import CautionLine, caution_lines
from pairing.rounds.new_opponent import OpponentPage, opponent_forfeit, opponent_give, opponent_page
from pairing.rules.opponents import NewOpponent
from pairing.rules.published import perhaps_away
from pairing.rules.rounds import RoundState
from tournaments.core.errors import ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.names_of_people import name_of
from tournaments.core.namesakes import disambiguate
from tournaments.core.permissions import may_decide
from tournaments.core.request_values import number_of
from tournaments.models import Entry, Round, Tournament
from tournaments.web.access import arbiter, arbiter_only
from tournaments.web.action_form import Problem, seen_version
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.rounds.change_form import Line, lines_between

FORFEIT = "forfeit"
"""The choice to change no pairing: the opponent loses by forfeit."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A change as the page shows it: the boards before and after, and what it costs.

    ``lost`` are the byes that players lose, ``without`` the players who have no board afterwards,
    each with the letter of the bye.
    """

    option: NewOpponent
    partner: Entry | None
    is_perhaps_away: bool
    article: str
    lines: tuple[Line, ...]
    lost: tuple[tuple[Entry, str], ...]
    without: tuple[tuple[Entry, str], ...]
    agreeing: tuple[Entry, ...]
    cautions: tuple[CautionLine, ...]

    @property
    def value(self) -> str:
        """The value of the choice in the form; 0 is the bye."""
        return str(self.partner.pk if self.partner else 0)

    @property
    def is_late(self) -> bool:
        return self.article.endswith("4.4.4")


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def opponent(
    request: HtmxHttpRequest, tournament: Tournament, number: int, entry_id: int
) -> HttpResponse:
    """Show everybody who could play the player *entry_id* in the published round, with the cost;
    POST makes the change.

    With ``?absent=1`` the published opponent is not there.
    """
    row = get_object_or_404(Round, tournament=tournament, number=number)
    if row.state != RoundState.PAIRINGS_PUBLISHED:
        raise Http404
    player = get_object_or_404(Entry, tournament=tournament, pk=entry_id)
    is_absent = request.GET.get("absent") == "1"
    page = opponent_page(tournament, row, player, is_absent=is_absent, at=timezone.now())
    if page is None:
        raise Http404
    disambiguate(page.entries.values())
    problem = None
    if request.method == "POST":
        try:
            _save(request, row, page, is_absent=is_absent)
        except ServiceError as error:
            problem = Problem.from_error(error, request)
        else:
            messages.success(request, _("The change is saved and is in the record."))
            return redirect("round", tournament.slug, number)
    choices = [_choice(page, option) for option in page.options]
    context: dict[str, Any] = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "rounds",
        "number": number,
        "player": page.player,
        "missing": page.missing,
        "board": page.board,
        "choices": choices,
        "chosen": request.POST.get("partner") or (choices[0].value if choices else FORFEIT),
        "may_forfeit": page.missing is not None,
        "decides": may_decide(request.user, tournament) and tournament.final_at is None,
        "asks_start": any(choice.option.started for choice in choices),
        "asks_exception": any(choice.option.breaches for choice in choices),
        "witness": request.POST.get("witness", name_of(arbiter(request))),
        "reason": request.POST.get("reason", _reason(page)),
        "exception": request.POST.get("exception", ""),
        "problem": problem,
    }
    status = problem.status if problem else 200
    return render(request, "rounds/opponent.html", context, status=status)


def _save(request: HtmxHttpRequest, row: Round, page: OpponentPage, *, is_absent: bool) -> None:
    """Record the forfeit alone, or give the player the chosen opponent."""
    actor, now = arbiter(request), timezone.now()
    version = seen_version(request.POST, "version")
    if request.POST.get("partner") == FORFEIT:
        opponent_forfeit(
            round_id=row.pk, player_id=page.player.pk, actor=actor, now=now, seen_version=version
        )
        return
    opponent_give(
        round_id=row.pk,
        player_id=page.player.pk,
        is_absent=is_absent,
        partner_id=number_of(request.POST, "partner") or None,
        agreed="agreed" in request.POST,
        witness=request.POST.get("witness", ""),
        reason=request.POST.get("reason", ""),
        actor=actor,
        now=now,
        seen_version=version,
        started="started" in request.POST,
        exception=request.POST.get("exception", ""),
    )


def _choice(page: OpponentPage, option: NewOpponent) -> Choice:
    """Return *option* with the names and the cost that the page shows."""
    now, after, entries = page.facts.now, option.after, page.entries
    byes = sorted(after.byes.items())
    return Choice(
        option=option,
        partner=entries[option.partner] if option.partner is not None else None,
        is_perhaps_away=option.partner in perhaps_away(page.facts),
        article=page.facts.situations[option.situation],
        lines=lines_between(now, after, entries),
        lost=tuple(
            (entries[tpn], letter)
            for tpn, letter in sorted(now.byes.items())
            if tpn not in after.byes
        ),
        without=tuple((entries[tpn], letter) for tpn, letter in byes),
        agreeing=tuple(entries[tpn] for tpn in option.agreeing),
        cautions=caution_lines(page.state, entries, now, after),
    )


def _reason(page: OpponentPage) -> str:
    """Return the reason that the data give; the arbiter may replace it."""
    if page.missing is not None:
        return _("%(name)s did not come to board %(n)d.") % {
            "name": page.missing.real_name,
            "n": page.board,
        }
    late = {page.entries[tpn].pk for tpn in page.facts.late}
    if page.player.pk in late:
        return _("%(name)s entered late and has arrived.") % {"name": page.player.real_name}
    return _("%(name)s has no opponent.") % {"name": page.player.real_name}
