"""The pages of the mirrors, of a tournament and of an event: whether they are up to date, and where they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods

from tournaments.core import jobs
from tournaments.core.errors import BadInput, ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.messages import sentence
from tournaments.core.permissions import Power, may_decide
from tournaments.core.request_values import BadValue
from tournaments.core.signing import public_key
from tournaments.mirrors.kept import Kept, MirrorSettings
from tournaments.mirrors.owners import OfEvent, OfTournament, Owner
from tournaments.mirrors.running import JOB
from tournaments.mirrors.setting import event_mirror_set, mirror_again, mirror_replace, mirror_set, mirror_stop
from tournaments.mirrors.ways import name_of_event
from tournaments.models import Event, Section, Tournament
from tournaments.web.access import arbiter, page
from tournaments.web.action_form import Problem, do, seen_version, tell_form
from tournaments.web.events.access import event_page
from tournaments.web.htmx import HtmxHttpRequest, go_to

ACTIONS = ("again", "everything", "replace", "save", "stop")
DIGITS = 16
"""So many digits of the key are shown at the mirror."""


class MirrorForm(forms.Form):
    """Where the mirror is."""

    kind = forms.ChoiceField(
        label=gettext_lazy("Kind"),
        choices=[
            ("web", gettext_lazy("Web space: the files are sent to it (WebDAV, or PUT)")),
            ("folder", gettext_lazy("Folder of this server, which another program copies to the web")),
        ],
        widget=forms.RadioSelect,
        initial="web",
    )
    address = forms.CharField(
        label=gettext_lazy("Address at which the files are saved"),
        required=False,
        max_length=500,
        widget=forms.URLInput({"placeholder": "https://cloud.example.org/dav/open/"}),
        help_text=gettext_lazy("An empty folder for this mirror alone."),
    )
    user = forms.CharField(
        label=gettext_lazy("User name"),
        required=False,
        max_length=200,
        widget=forms.TextInput({"autocomplete": "off"}),
        help_text=gettext_lazy("Empty: the secret is sent as a token."),
    )
    secret = forms.CharField(
        label=gettext_lazy("Password or token"),
        required=False,
        max_length=500,
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "off"}),
        help_text=gettext_lazy(
            "It is kept on this server only: in no record, file or copy. Empty: the saved one stays, for the same "
            "server and user."
        ),
    )
    public = forms.CharField(
        label=gettext_lazy("Address at which visitors find it"),
        required=False,
        max_length=500,
        widget=forms.URLInput({"placeholder": "https://club.example.org/open/"}),
        help_text=gettext_lazy("For the links that lead to it."),
    )

    def wanted(self) -> MirrorSettings:
        """Return the settings that were entered."""
        return MirrorSettings(**{name: value for name, value in self.cleaned_data.items() if name != "sections"})


class EventMirrorForm(MirrorForm):
    """Where the mirror of an event is, and whether its sections go there too."""

    sections = forms.BooleanField(
        label=gettext_lazy("Send the pages of the sections too"),
        required=False,
        initial=True,
        help_text=gettext_lazy(
            "Each section of the public list gets a folder of its own there. A section that has a mirror elsewhere "
            "keeps it."
        ),
    )


@dataclass(frozen=True, slots=True)
class Subject:
    """What the page is about: whose mirror, the address of the page, who reads it, and what the template needs."""

    owner: Owner
    here: str
    decides: bool
    form: type[MirrorForm]
    context: Mapping[str, Any]


@page(read=(Power.RUN,), write=(Power.DECIDE,))
@require_http_methods(["GET", "HEAD", "POST"])
def mirror(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show settings and state; POST with ``do`` = ``save``, ``again``, ``everything``, ``replace`` or ``stop``."""
    context = {
        "frame": tournament_frame(Tournament.objects.get(pk=tournament.pk), runs=True),
        "section": "desk",
        "back": reverse("tournament-manage", args=[tournament.slug]),
        "folder_name": tournament.slug,
    }
    owner = OfTournament(tournament.pk, tournament.identity)
    here = reverse("mirror", args=[tournament.slug])
    return _answer(request, Subject(owner, here, may_decide(request.user, tournament), MirrorForm, context))


@event_page(Power.RUN, Power.DECIDE)
@require_http_methods(["GET", "HEAD", "POST"])
def event_mirror(request: HtmxHttpRequest, event: Event, sections: list[Section]) -> HttpResponse:
    """Show the same for an event; only the Chief Arbiter of all sections can change it."""
    context = {
        "event": event,
        "here": "sections",
        "back": reverse("event-sections", args=[event.slug]),
        "folder_name": name_of_event(event),
        "sections": [{"section": each, "has_mirror": Kept(each.tournament.identity).is_on} for each in sections],
    }
    decides = all(may_decide(request.user, section.tournament) for section in sections)
    here = reverse("event-mirror", args=[event.slug])
    return _answer(request, Subject(OfEvent(event.pk, event.identity), here, decides, EventMirrorForm, context))


def _answer(request: HtmxHttpRequest, subject: Subject) -> HttpResponse:
    if request.method != "POST":
        return _page(request, subject)
    what = request.POST.get("do", "")
    if what not in ACTIONS:
        raise BadValue("request.choice", field="do", name="do", expected=list(ACTIONS))
    if what == "save":
        return _save(request, subject)
    given: dict[str, Any] = {"owner": subject.owner, "actor": arbiter(request)}
    seen = seen_version(request.POST)
    done = _("The mirror is being brought up to date.")

    def action() -> None:
        if what == "stop":
            mirror_stop(**given, seen_revision=seen)
        elif what == "replace":
            mirror_replace(**given, refused=request.POST.get("refused", ""), seen_revision=seen)
        else:
            mirror_again(**given, everything=what == "everything")

    if what == "stop":
        done = _("Nothing more is sent to the mirror. The files there stay: delete them there.")
    return do(
        request, action, done=done, to=subject.here, refused=lambda problem: _page(request, subject, problem=problem)
    )


def _save(request: HtmxHttpRequest, subject: Subject) -> HttpResponse:
    form = subject.form(request.POST)
    if not form.is_valid():
        return _page(request, subject, form, status=422)
    given: dict[str, Any] = {
        "actor": arbiter(request),
        "wanted": form.wanted(),
        "seen_revision": seen_version(request.POST),
    }
    try:
        if isinstance(subject.owner, OfEvent):
            event_mirror_set(owner=subject.owner, sections=form.cleaned_data["sections"], **given)
        else:
            mirror_set(owner=subject.owner, **given)
    except BadInput as error:
        tell_form(form, error)
        return _page(request, subject, form, status=error.status)
    except ServiceError as error:
        return _page(request, subject, form, problem=Problem.of(error))
    messages.success(request, _("Saved. The mirror is being brought up to date."))
    return go_to(request, subject.here)


def _page(
    request: HtmxHttpRequest,
    subject: Subject,
    form: MirrorForm | None = None,
    *,
    problem: Problem | None = None,
    status: int = 200,
) -> HttpResponse:
    kept = subject.owner.kept
    chosen, state = kept.settings, kept.state
    fault = state.fault
    initial = {"kind": chosen.kind, "address": chosen.address, "user": chosen.user, "public": chosen.public}
    is_away = subject.owner.is_away()
    context = {
        **subject.context,
        "is_away": is_away,
        "sends": chosen.is_on and not is_away,
        "form": form or subject.form(initial=initial),
        "chosen": chosen,
        "has_secret": bool(chosen.secret),
        "state": state,
        "fault": sentence(BadInput(fault.code, **fault.params)) if fault else "",
        "is_waiting": chosen.is_on and jobs.is_active(JOB, subject.owner.key),
        "folder": settings.MIRROR_DIR,
        "key": " ".join(public_key()[at : at + 4] for at in range(0, DIGITS, 4)),
        "problem": problem,
        "here_url": subject.here,
        "decides": subject.decides,
    }
    return render(request, "mirror/settings.html", context, status=problem.status if problem else status)
