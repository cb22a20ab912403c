"""The open games of a tournament: their page, their dates, and their calendar."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods

from pairing.rounds.game_dates import game_schedule
from pairing.rounds.open_games import OpenGame, open_games
from pairing.rules.name_search import find_lines
from tournaments.core.errors import Conflict, ServiceError
from tournaments.core.frame import Frame, tournament_frame
from tournaments.models import Entry, Game, Tournament
from tournaments.models.game import MOST_OF_A_PLACE
from tournaments.reports.game_calendar import game_calendar
from tournaments.reports.round_calendar import player_calendar as calendar_of_player, round_calendar
from tournaments.web.access import arbiter_only, who_and_when
from tournaments.web.action_form import Problem, add_service_error, seen_version
from tournaments.web.form_fields import WITHOUT_SECONDS, MomentField, validate_year
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.parts import PART, part_of, part_that_is, requested_page
from tournaments.web.public_page import page_with_more_for_arbiters, visitor_page


class GameDateForm(forms.Form):
    """The date and the place of a game."""

    starts_at = MomentField(
        label=gettext_lazy("Date and time"),
        widget=WITHOUT_SECONDS,
        validators=[validate_year],
        required=False,
    )
    place = forms.CharField(
        label=gettext_lazy("Place"),
        max_length=MOST_OF_A_PLACE,
        required=False,
        help_text=gettext_lazy(
            "Only if the game is not played in the playing hall. Everybody can read it."
        ),
    )


@page_with_more_for_arbiters(page=requested_page)
def games(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Show the open games; to arbiters also those of the running round that have no date.

    More than 200 come in parts, those with a date first; arbiters search all of them, with
    ``?find=``.
    """
    found = open_games(frame.tournament, public=not frame.runs)
    ordered = sorted(found, key=lambda game: not _has_date(game))
    is_long = len(ordered) > PART
    words = request.GET.get("find", "").strip() if frame.runs and is_long else ""
    # An arbiter's list becomes shorter with each result; for visitors every address is a page that
    # is kept.
    take = part_that_is if frame.runs else part_of
    part = take(
        _fitting(ordered, words) if words else ordered, requested_page(request.GET.get("page", ""))
    )
    with_date = [game for game in part.lines if _has_date(game)]
    context = {
        "frame": frame,
        "section": "desk" if frame.runs else "pairings",
        "part": part,
        "is_long": is_long,
        "find": words,
        "has_dates": any(map(_has_date, found)),
        "games": with_date,
        "others": [game for game in part.lines if not _has_date(game)],
        "zone": timezone.get_current_timezone_name(),
    }
    return render(request, "rounds/open_games.html", context)


def _has_date(game: OpenGame) -> bool:
    """Return whether the game is adjourned, or has a date of its own."""
    return game.is_adjourned or game.starts_at is not None


def _fitting(games: list[OpenGame], words: str) -> list[OpenGame]:
    """Return the *games* of this board, or of players whose name or number fits *words*."""
    if words.isascii() and words.isdecimal():
        return [game for game in games if game.board == int(words)]
    return find_lines(
        games,
        words,
        text_of=lambda game: f"{game.white.real_name} {game.black.real_name}",
        numbers_of=lambda game: (game.white.tpn, game.black.tpn),
    )


@visitor_page
def calendar(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Return the calendar of all open games with a date."""
    return _file(game_calendar(frame.tournament), f"{frame.tournament.slug}.ics")


@visitor_page
def rounds(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Return the calendar of the rounds whose start is known."""
    return _file(round_calendar(frame), f"{frame.tournament.slug}-rounds.ics")


@visitor_page
def player_calendar(request: HtmxHttpRequest, frame: Frame, entry_id: int) -> HttpResponse:
    """Return the calendar of one player: rounds with opponents, and postponed games."""
    player = get_object_or_404(Entry, tournament=frame.tournament, pk=entry_id)
    return _file(calendar_of_player(frame, player), f"{frame.tournament.slug}-{player.pk}.ics")


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def date(request: HtmxHttpRequest, tournament: Tournament, game_id: int) -> HttpResponse:
    """Show the date of a game; a POST sets, changes or removes it."""
    game = get_object_or_404(
        Game.objects.select_related("round"), round__tournament=tournament, pk=game_id
    )
    found = next(iter(open_games(tournament, public=False, game_id=game.pk)), None)
    initial = {"starts_at": game.starts_at or game.round.starts_at, "place": game.place}
    form = GameDateForm(request.POST or None, initial=initial)
    problem = None
    if request.method == "POST" and form.is_valid():
        removes = "remove" in request.POST
        try:
            game_schedule(
                game_id=game.pk,
                starts_at=None if removes else form.cleaned_data["starts_at"],
                place="" if removes else form.cleaned_data["place"],
                **who_and_when(request),
                seen_version=seen_version(request.POST),
            )
        except Conflict as error:
            problem = Problem.from_error(error, request)
        except ServiceError as error:
            add_service_error(form, error)
        else:
            messages.success(
                request,
                _("The date is removed.") if removes else _("The date of the game is saved."),
            )
            return redirect("open-games", tournament.slug)
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "desk",
        "game": game,
        "open": found,
        "form": form,
        "problem": problem,
        "zone": timezone.get_current_timezone_name(),
    }
    status = problem.status if problem else 422 if form.is_bound and form.errors else 200
    return render(request, "rounds/game_date.html", context, status=status)


def _file(text: str, name: str) -> HttpResponse:
    response = HttpResponse(text.encode("utf-8"), content_type="text/calendar; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
