"""The arbiters' page of the hall screens: make them, show something now, and send a message."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.core.errors import BadInput, ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import Power
from tournaments.core.qr_codes import qr_path
from tournaments.core.request_values import whole_number
from tournaments.core.short_address import new_screen_code
from tournaments.events.screens import (
    choosable_sections,
    screen_add,
    screen_change,
    screen_remove,
    screen_show,
    screens_elsewhere,
    screens_message,
    tournaments_of,
)
from tournaments.models import Screen, ScreenContent, Tournament
from tournaments.models.screen import LONGEST_MESSAGE
from tournaments.web.access import arbiter, page, who_and_when
from tournaments.web.action_form import Problem, add_service_error, do, seen_version
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.screens.forms import ScreenForm
from tournaments.web.screens.listings import source_of
from tournaments.web.screens.slides import pages_of
from tournaments.web.templatetags.paper import public_address

for_arbiters = page(read=(Power.RUN,))


@dataclass(frozen=True, slots=True)
class Row:
    """A screen on the page, with its address and its contents in words."""

    screen: Screen
    address: str
    is_only_here: bool
    contents: list[tuple[str, str]]


@for_arbiters
@require_safe
def screens(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the screens with their addresses."""
    return _list(request, tournament)


@for_arbiters
@require_http_methods(["GET", "HEAD", "POST"])
def add(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the form of a new screen; POST makes it."""
    sections = choosable_sections(tournament, arbiter(request))
    if request.method != "POST":
        return _form(request, tournament, ScreenForm.empty(tournament, sections))
    form = ScreenForm(request.POST, sections=sections)

    def save() -> None:
        screen_add(
            tournament_id=tournament.pk,
            **who_and_when(request),
            code=new_screen_code(),
            wanted=form.wanted(tournament),
        )

    return _saved(request, tournament, form, save, None)


@for_arbiters
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HtmxHttpRequest, tournament: Tournament, screen_id: int) -> HttpResponse:
    """Show the form of a screen with its QR code; POST changes the screen."""
    screen = _screen(tournament, screen_id)
    sections = choosable_sections(tournament, arbiter(request))
    if request.method != "POST":
        return _form(request, tournament, ScreenForm.from_screen(screen, sections), screen)
    form = ScreenForm(request.POST, sections=sections)

    def save() -> None:
        screen_change(
            screen_id=screen.pk,
            **who_and_when(request),
            wanted=form.wanted(tournament),
            seen_version=seen_version(request.POST),
        )

    return _saved(request, tournament, form, save, screen)


@for_arbiters
@require_POST
def show(request: HtmxHttpRequest, tournament: Tournament, screen_id: int) -> HttpResponse:
    """Show only ``content`` on a screen; without it all of its contents.

    ``page`` is the number of the page that stays, 0 if they turn by themselves. Without it the
    prizes stay at the first, for an arbiter who turns them, and everything else turns.
    """
    screen = _screen(tournament, screen_id)
    content = request.POST.get("content", "")
    text = request.POST.get("page", "1" if content == ScreenContent.PRIZES else "0")
    number = whole_number(text)
    return do(
        request,
        lambda: screen_show(
            screen_id=screen.pk,
            **who_and_when(request),
            content=content,
            page=-1 if number is None else number,
        ),
        done=""
        if "page" in request.POST
        else _("The screen “%(name)s” follows within two seconds.") % {"name": screen.name},
        to=reverse("hall-screen-pages", args=[tournament.slug, screen.pk])
        if number or "page" in request.POST
        else reverse("hall-screens", args=[tournament.slug]),
        refused=lambda problem: _list(request, tournament, problem),
    )


@for_arbiters
@require_safe
def pages(request: HtmxHttpRequest, tournament: Tournament, screen_id: int) -> HttpResponse:
    """Show the pages of what a screen shows now, to turn them at the desk."""
    screen = _screen(tournament, screen_id)
    found = pages_of(screen, [source_of(each) for each in tournaments_of(screen)])
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "rounds",
        "row": _row(request, screen),
        "pages": found,
        "now": min(screen.page_now, len(found)),
    }
    return render(request, "screens/pages.html", context)


@for_arbiters
@require_POST
def message(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the ``message`` on all screens; an empty one removes it."""
    text = "" if "remove" in request.POST else request.POST.get("message", "")
    return _done(
        request,
        tournament,
        lambda: screens_message(tournament_id=tournament.pk, **who_and_when(request), text=text),
        _("The message is on the screens within two seconds.")
        if text.strip()
        else _("The message is removed."),
    )


@for_arbiters
@require_POST
def remove(request: HtmxHttpRequest, tournament: Tournament, screen_id: int) -> HttpResponse:
    """Remove a screen; once more changes nothing."""
    screen = Screen.objects.filter(tournament=tournament, pk=screen_id).first()
    if screen is None:
        return redirect("hall-screens", tournament.slug)
    return _done(
        request,
        tournament,
        lambda: screen_remove(screen_id=screen.pk, **who_and_when(request)),
        _("The screen “%(name)s” is removed: its address has ended.") % {"name": screen.name},
    )


def _screen(tournament: Tournament, screen_id: int) -> Screen:
    """Return a screen of *tournament*; 404 without it."""
    found = Screen.objects.filter(tournament=tournament, pk=screen_id).first()
    if found is None:
        raise Http404
    found.tournament = tournament
    return found


def _done(
    request: HtmxHttpRequest, tournament: Tournament, action: Callable[[], object], done: str
) -> HttpResponse:
    return do(
        request,
        action,
        done=done,
        to=reverse("hall-screens", args=[tournament.slug]),
        refused=lambda problem: _list(request, tournament, problem),
    )


def _saved(
    request: HtmxHttpRequest,
    tournament: Tournament,
    form: ScreenForm,
    save: Callable[[], None],
    screen: Screen | None,
) -> HttpResponse:
    if not form.is_valid():
        return _form(request, tournament, form, screen, status=422)
    try:
        save()
    except BadInput as error:
        add_service_error(form, error)
        return _form(request, tournament, form, screen, status=error.status)
    except ServiceError as error:
        problem = Problem.from_error(error)
        return _form(request, tournament, form, screen, status=error.status, problem=problem)
    messages.success(
        request, _("The screen “%(name)s” is saved.") % {"name": form.cleaned_data["name"]}
    )
    return redirect("hall-screens", tournament.slug)


def _list(
    request: HtmxHttpRequest, tournament: Tournament, problem: Problem | None = None
) -> HttpResponse:
    found = list(Screen.objects.filter(tournament=tournament))
    elsewhere = screens_elsewhere(tournament)
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "rounds",
        "rows": [_row(request, screen) for screen in found],
        "elsewhere": elsewhere,
        "readable": {each.pk for each in choosable_sections(tournament, arbiter(request))}
        if elsewhere
        else (),
        "message": next((screen.message for screen in found if screen.message), ""),
        "longest_message": LONGEST_MESSAGE,
        "problem": problem,
    }
    status = problem.status if problem else 200
    return render(request, "screens/list.html", context, status=status)


def _row(request: HtmxHttpRequest, screen: Screen) -> Row:
    path = reverse("screen", args=[screen.code])
    public = public_address(request, path)
    address = public or request.build_absolute_uri(path)
    contents = [
        (content.value, str(content.label))
        for content in ScreenContent
        if content.value in screen.contents
    ]
    return Row(screen, address, public is None, contents)


def _form(
    request: HtmxHttpRequest,
    tournament: Tournament,
    form: ScreenForm,
    screen: Screen | None = None,
    *,
    status: int = 200,
    problem: Problem | None = None,
) -> HttpResponse:
    row = _row(request, screen) if screen else None
    modules, drawn = qr_path(row.address) if row else (0, "")
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "rounds",
        "form": form,
        "row": row,
        "modules": modules,
        "path": drawn,
        "problem": problem,
    }
    return render(request, "screens/form.html", context, status=status)
