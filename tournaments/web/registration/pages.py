"""The public form of a tournament or of an event with sections. Nobody needs an account."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from config.middleware import client_address
from tournaments.core.request_limits import MAIL, SEND, count_request
from tournaments.events.event_page import sections_of
from tournaments.events.registration.opening import settings_of
from tournaments.events.registration.visitor import (
    Wish,
    end_mails,
    registration_add,
    registration_of,
)
from tournaments.models import Event, RegistrationSettings, Tournament
from tournaments.web.registration.filling import Place, fill_in, secret_of
from tournaments.web.registration.mail import mail_is_on, send_link


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def register(request: HttpRequest, slug: str) -> HttpResponse:
    """Register for a tournament; a section of an event leads to the form of the event."""
    tournament = get_object_or_404(Tournament.objects.select_related("section__event"), slug=slug)
    if section := getattr(tournament, "section", None):
        return redirect(f"{reverse('event-register', args=[section.event.slug])}?section={slug}")
    return _register(request, Place(tournament, settings_of(tournament)))


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def register_event(request: HttpRequest, slug: str) -> HttpResponse:
    """Register for the chosen section of an event, else the first with open registration."""
    event = get_object_or_404(Event, slug=slug)
    sections = sections_of(event)
    there = {
        each.tournament_id: each
        for each in RegistrationSettings.objects.filter(
            tournament__section__event=event, is_open=True
        )
    }
    open_ = [section for section in sections if section.tournament_id in there]
    wanted = request.POST.get("section", "") or request.GET.get("section", "")
    chosen = next((each for each in sections if each.tournament.slug == wanted), None)
    chosen = chosen or next(iter(open_ or sections), None)
    if chosen is None:
        raise Http404
    settings = there.get(chosen.tournament_id) or settings_of(chosen.tournament)
    return _register(request, Place(chosen.tournament, settings, event, tuple(open_)))


def _register(request: HttpRequest, place: Place) -> HttpResponse:
    def send(wish: Wish, token: str) -> HttpResponse:
        now, secret = timezone.now(), secret_of(token)
        by_mail = mail_is_on() and bool(wish.email.strip())
        count_request(SEND, client_address(request), now=now)
        if by_mail and registration_of(secret, now=now) is not None:
            return redirect(
                f"{request.path}?sent=yes"
            )  # the form was sent twice, and one e-mail is enough
        if by_mail:
            count_request(MAIL, wish.email.strip().casefold(), now=now)
        new = registration_add(tournament_id=place.tournament.pk, wish=wish, secret=secret, now=now)
        path = reverse("registered", args=[secret])
        if by_mail and send_link(new, request.build_absolute_uri(path)):
            return redirect(f"{request.path}?sent=yes")
        if by_mail:
            end_mails(new)
            messages.warning(
                request, _("The e-mail could not be sent. Keep the link on this page instead.")
            )
        return redirect(path)

    return fill_in(request, place, send)
