"""The pages of a correction: mistake, right value, effect, action [C.04.2/2026 4.3]."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from pairing.engine.model import TPN
from pairing.rounds.correction_outlook import (
    Outlook,
    corrections_of,
    outlook_for_game,
    outlook_for_rating,
)
from pairing.rounds.corrections import (
    RATINGS,
    RIGHT_RESULTS,
    Report,
    colours_correct,
    rating_correct,
    ratings_decided,
    result_correct,
    round_of_ratings,
    takes_estimate,
)
from pairing.rounds.mistakes import mistake_reported, mistake_settle, mistakes
from pairing.rounds.round_page import GameLine, RoundPage, round_page
from pairing.rules.corrections import (
    CorrectionEffect,
    CorrectionKind,
    is_backdated,
    may_report,
    minutes_back,
)
from pairing.rules.names import fold
from pairing.rules.rounds import PUBLIC_STATES, RoundState
from pairing.rules.verdict import Refused
from tournaments.core.chosen_rules import handling
from tournaments.core.errors import ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.messages import sentence
from tournaments.core.names_of_people import name_of
from tournaments.core.namesakes import disambiguate
from tournaments.core.permissions import may_decide
from tournaments.core.request_values import whole_number
from tournaments.models import Entry, Game, MistakeReport, Round, Tournament
from tournaments.models.mistake_report import COLOURS
from tournaments.standings.standings import standings
from tournaments.web.access import arbiter, arbiter_only
from tournaments.web.action_form import Problem
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.rounds.forms import CorrectionForm
from tournaments.web.templatetags.corrections import effect_label
from tournaments.web.templatetags.results import result_long, result_short
from tournaments.web.way_back import BOARD, ROUND, way_back


@dataclass(frozen=True, slots=True)
class _Subject:
    """The subject of a correction: a game, or a player's rating.

    Colours are those of the whole board.
    """

    kind: CorrectionKind
    line: GameLine | None = None
    entry: Entry | None = None


@arbiter_only
@require_safe
def corrections(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """List every correction, and those for the rating report only."""
    rows = corrections_of(tournament)
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "desk",
        "corrections": rows,
        "mistakes": mistakes(tournament),
    }
    return render(request, "rounds/corrections.html", context)


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Correct the mistake of ``?kind=`` and ``?board=`` or ``?player=``;
    POST shows the effect, ``save`` does it.

    With ``?board=`` alone it is the result of that board, if the results are published.
    """
    row = get_object_or_404(Round, tournament=tournament, number=number)
    if row.state not in PUBLIC_STATES:
        raise Http404
    frame = tournament_frame(tournament, runs=True)
    board = request.GET.get("board", "").partition("/")[0]
    page = round_page(frame, row, boards=(whole_number(board) or 0,))
    context: dict[str, Any] = {"frame": frame, "section": "rounds", "page": page, "number": number}
    subject = _subject(request, tournament, page)
    if subject is None:
        context["page"] = round_page(frame, row)
        context["chosen_board"] = request.GET.get("board", "")
        context["players"] = sorted(
            tournament.entries.all(), key=lambda entry: fold(entry.real_name)
        )
        disambiguate(context["players"])
        return render(request, "rounds/correction_start.html", context)
    context |= {
        "back": request.POST.get("back", _place(request, number)),
        "subject": subject,
        "kind": subject.kind.value,
        "article": handling(tournament).corrections[subject.kind],
    }
    if request.method != "POST":
        context["form"] = _form(subject, reported=_reported(request, subject))
        return render(request, "rounds/correction.html", context)
    return _answer(request, tournament, subject, context)


def _place(request: HtmxHttpRequest, number: int) -> str:
    """Return the board that was clicked, to return to it; of a match, the board of the game."""
    board = request.GET.get("board", "").partition("/")[0]
    return f"{ROUND}{number}{BOARD}{board}" if board else ""


def _answer(
    request: HtmxHttpRequest, tournament: Tournament, subject: _Subject, context: dict[str, Any]
) -> HttpResponse:
    """Show the effect of the correction, or make it."""
    form = _form(subject, request.POST)
    status = 200
    if not form.is_valid():
        status = 422
    else:
        published = _results_published(tournament, subject, context["page"])
        form.cleaned_data["reported_at"] = _not_before(published, form.cleaned_data["reported_at"])
        outlook = _outlook(tournament, subject, form.cleaned_data)
        is_last = outlook.timeline.is_last
        choices = [
            (effect.value, effect_label(effect.value, is_last))
            for effect in outlook.classification.effects
        ]
        form.fields["chosen"].choices = choices  # type: ignore[attr-defined]
        decides = may_decide(request.user, tournament)
        context |= {"outlook": outlook, "decides": decides}
        context |= _dated(
            tournament,
            outlook,
            form.cleaned_data["reported_at"],
            context["article"],
            decides=decides,
        )
        if "save" in request.POST:
            try:
                _act(request, subject, form.cleaned_data)()
            except ServiceError as error:
                context["problem"] = Problem.from_error(error, request)
                status = error.status
            else:
                _settle(request, subject)
                messages.success(request, _("The correction is saved and is in the record."))
                return redirect(
                    way_back(request, tournament, reverse("corrections", args=[tournament.slug]))
                )
    context["form"] = form
    return render(request, "rounds/correction.html", context, status=status)


def _reported(request: HtmxHttpRequest, subject: _Subject) -> MistakeReport | None:
    """Return the report of a player from which the page was opened, with ``?report=``."""
    number = whole_number(request.GET.get("report", ""))
    if number is None or subject.line is None:
        return None
    return mistake_reported(game_id=subject.line.game_id, report_id=number)


def _settle(request: HtmxHttpRequest, subject: _Subject) -> None:
    """Settle the report of a player that was just corrected."""
    report = _reported(request, subject)
    if report is not None and request.tournament is not None:
        with transaction.atomic():
            mistake_settle(
                tournament_id=request.tournament.pk,
                report_id=report.pk,
                by=name_of(arbiter(request)),
                now=timezone.now(),
            )


def _results_published(
    tournament: Tournament, subject: _Subject, page: RoundPage
) -> datetime | None:
    """Return when the results of the correction were published.

    One query for a rating, otherwise none.
    """
    if subject.entry is None:
        return page.results_published_at
    number = round_of_ratings(tournament)
    return Round.objects.get(tournament=tournament, number=number).results_published_at


def _not_before(published: datetime | None, reported: datetime) -> datetime:
    """Return *reported*, but not before the publication if both are in the same minute.

    The time has no seconds, and nobody reports a mistake in results that are not published yet.
    """
    if published is not None and reported <= published < reported + timedelta(minutes=1):
        return published
    return reported


def _subject(request: HtmxHttpRequest, tournament: Tournament, page: RoundPage) -> _Subject | None:
    """Return the subject in the address; None without one, 404 if it does not exist."""
    kind_name = request.GET.get("kind")
    if kind_name is None and page.state == RoundState.RESULTS_PUBLISHED and "board" in request.GET:
        kind_name = CorrectionKind.RESULT.value
    if kind_name not in list(CorrectionKind):
        return None
    kind = CorrectionKind(kind_name)
    if kind is CorrectionKind.RATING:
        player = whole_number(request.GET.get("player", ""))
        if player is None:
            return None
        return _Subject(
            kind,
            entry=get_object_or_404(
                Entry.objects.select_related("tournament"), tournament=tournament, pk=player
            ),
        )
    # “3” is board 3, “3/2” is the second game of its match.
    board, *game = request.GET.get("board", "").split("/", 1)
    line = next((line for line in page.boards if str(line.board) == board), None)
    number = (
        whole_number(game[0] if game else "1", least=1, most=len(line.games))
        if line is not None
        else None
    )
    if line is None or number is None:
        raise Http404
    return _Subject(kind, line=line.games[number - 1])


def _form(
    subject: _Subject, data: Any = None, *, reported: MistakeReport | None = None
) -> CorrectionForm:
    results = [
        (code, f"{result_short(code)} · {result_long(code)}")
        for code in RIGHT_RESULTS
        if subject.line is None or code != subject.line.result
    ]
    effects = [(effect.value, effect_label(effect.value)) for effect in CorrectionEffect]
    initial: dict[str, Any] = {"reported_at": timezone.localtime().replace(microsecond=0)}
    if subject.line is not None:
        initial["version"] = subject.line.version
    if reported is not None:
        initial["reported_at"] = timezone.localtime(reported.at).replace(microsecond=0)
        initial["reason"] = _("%(name)s, with a phone") % {"name": reported.entry.name}
        initial |= {} if reported.right == COLOURS else {"result": reported.right}
    if subject.entry is not None:
        initial |= {name: getattr(subject.entry, name) for name in RATINGS}
        initial["rating"] = subject.entry.rating or None
        initial["seen"] = ratings_decided(subject.entry)
    asks_second = subject.entry is not None and subject.entry.tournament.second_rating_method
    second = (
        subject.entry.tournament.get_second_rating_method_display()
        if subject.entry and asks_second
        else ""
    )
    form = CorrectionForm(
        data, kind=subject.kind.value, results=results, effects=effects, second=second,
        estimate=subject.entry is not None and takes_estimate(subject.entry), initial=initial,
    )  # fmt: skip
    if subject.line is not None and data is not None and data.get("result") == subject.line.result:
        message = _("This result was already corrected: it is %(result)s. Nothing was saved again.")
        messages_of = form.fields["result"].error_messages if "result" in form.fields else {}
        messages_of["invalid_choice"] = message % {"result": result_short(subject.line.result)}
    return form


def quick_form(line: GameLine) -> CorrectionForm:
    """Return the form of a correction of the result of *line*, for its card."""
    return _form(_Subject(CorrectionKind.RESULT, line=line))


def _outlook(tournament: Tournament, subject: _Subject, values: dict[str, Any]) -> Outlook:
    if subject.line is None:
        return outlook_for_rating(
            tournament, round_of_ratings(tournament), reported_at=values["reported_at"]
        )
    game = Game.objects.select_related("round__tournament", "second", "first__second").get(
        pk=subject.line.game_id
    )
    result = values.get("result", game.result)
    frame = tournament_frame(tournament, runs=False)
    lines = standings(frame, after_round=frame.latest_results).lines if frame.latest_results else ()
    before = {TPN(line.tpn): (line.points, line.rank) for line in lines}
    return outlook_for_game(
        game, subject.kind, result=result, reported_at=values["reported_at"], before=before
    )


def _dated(
    tournament: Tournament, outlook: Outlook, reported: datetime, article: str, *, decides: bool
) -> dict[str, object]:
    """Return the note on a report that is dated back, with the reason if it is refused."""
    now = timezone.now()
    verdict = may_report(outlook.timeline, reported, now, decides=decides, article=article)
    return {
        "refusal": sentence(verdict) if isinstance(verdict, Refused) else "",
        "minutes_back": minutes_back(reported, now),
        "is_backdated": is_backdated(outlook.timeline, reported, now),
    }


def _act(
    request: HtmxHttpRequest, subject: _Subject, values: dict[str, Any]
) -> Callable[[], object]:
    """Return the service that makes the correction, as a callable."""
    chosen = CorrectionEffect(values["chosen"]) if values["chosen"] else None
    report = Report(reported_at=values["reported_at"], reason=values["reason"], chosen=chosen)
    actor, now = arbiter(request), timezone.now()
    line, entry = subject.line, subject.entry
    version = -1 if values["version"] is None else int(values["version"])
    if line is not None and subject.kind is CorrectionKind.RESULT:
        return lambda: result_correct(
            game_id=line.game_id,
            result=values["result"],
            report=report,
            actor=actor,
            now=now,
            seen_version=version,
        )
    if line is not None:
        return lambda: colours_correct(
            game_id=line.game_id, report=report, actor=actor, now=now, seen_version=version
        )
    assert entry is not None  # a subject is a board or a player
    ratings = {name: values[name] for name in RATINGS if name in values}
    if values.get("rating") is not None:
        ratings["rating"] = values["rating"]
    return lambda: rating_correct(
        entry_id=entry.pk, ratings=ratings, report=report, actor=actor, now=now, seen=values["seen"]
    )
