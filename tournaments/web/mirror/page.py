"""The pages of mirrors: whether they are up to date, and where they are."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
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
from tournaments.models import Event, Section, Tournament
from tournaments.site.mirrors import exporting
from tournaments.site.mirrors.actions import mirror_again, mirror_replace, mirror_set, mirror_stop
from tournaments.site.mirrors.sources import Source, folder_of_event, source_of
from tournaments.site.mirrors.store import MirrorSettings
from tournaments.site.mirrors.updating import JOB
from tournaments.web.access import arbiter, page
from tournaments.web.action_form import Problem, add_service_error, do, seen_version
from tournaments.web.events.access import event_page
from tournaments.web.htmx import HtmxHttpRequest, go_to

DIGITS = 16
"""So many digits of the key are shown at the mirror."""


class MirrorForm(forms.Form):
    """Where the mirror is."""

    kind = forms.ChoiceField(
        label=gettext_lazy("Kind"),
        choices=[
            ("web", gettext_lazy("Web space: the files are sent to it (WebDAV, or PUT)")),
            (
                "folder",
                gettext_lazy("Folder of this server, which another program copies to the web"),
            ),
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
        label=gettext_lazy("Username"),
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
            "It is kept on this server only: in no record, file or copy. Empty: the saved one "
            "stays, for the same "
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


class EventMirrorForm(MirrorForm):
    """Where the mirror of an event is, and whether its sections go there too."""

    sections = forms.BooleanField(
        label=gettext_lazy("Send the pages of the sections too"),
        required=False,
        initial=True,
        help_text=gettext_lazy(
            "Each section of the public list gets a folder of its own there. A section that has a "
            "mirror elsewhere "
            "keeps it."
        ),
    )


@page(read=(Power.RUN,), write=(Power.DECIDE,))
@require_http_methods(["GET", "HEAD", "POST"])
def mirror(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show settings and state, and do what a button asks; ``?file`` has the pages."""
    context = {
        "frame": tournament_frame(Tournament.objects.get(pk=tournament.pk), runs=True),
        "section": "desk",
        "back": reverse("tournament-manage", args=[tournament.slug]),
        "folder_name": tournament.slug,
        "decides": may_decide(request.user, tournament),
    }
    return _answer(request, source_of(tournament), MirrorForm, context)


@event_page(Power.RUN, Power.DECIDE)
@require_http_methods(["GET", "HEAD", "POST"])
def event_mirror(request: HtmxHttpRequest, event: Event, sections: list[Section]) -> HttpResponse:
    """Show the same for an event; only the Chief Arbiter of all sections can change it."""
    context = {
        "event": event,
        "here": "sections",
        "back": reverse("event-sections", args=[event.slug]),
        "folder_name": folder_of_event(event),
        "sections": [
            {"section": each, "has_mirror": source_of(each.tournament).store.is_on}
            for each in sections
        ],
        "decides": all(may_decide(request.user, section.tournament) for section in sections),
    }
    return _answer(request, source_of(event), EventMirrorForm, context)


def _answer(
    request: HtmxHttpRequest, source: Source, form_class: type[MirrorForm], context: dict[str, Any]
) -> HttpResponse:
    if request.method != "POST":
        return (
            _file(source) if "file" in request.GET else _page(request, source, form_class, context)
        )
    what = request.POST.get("do", "")
    if what == "save":
        return _save(request, source, form_class, context)
    given: dict[str, Any] = {"source": source, "actor": arbiter(request)}
    seen = seen_version(request.POST)
    done = _("The mirror is being brought up to date.")
    actions = {
        "again": lambda: mirror_again(**given),
        "everything": lambda: mirror_again(**given, everything=True),
        "file": lambda: exporting.file_start(**given),
        "replace": lambda: mirror_replace(
            **given, refused=request.POST.get("refused", ""), seen_revision=seen
        ),
        "stop": lambda: mirror_stop(**given, seen_revision=seen),
    }
    if what not in actions:
        raise BadValue("request.choice", field="do", name="do", expected=sorted([*actions, "save"]))
    if what == "stop":
        done = _("Nothing more is sent to the mirror. The files there stay: delete them there.")
    if what == "file":
        done = _("The file is being made.")

    def refused(problem: Problem) -> HttpResponse:
        return _page(request, source, form_class, context, problem=problem)

    return do(request, actions[what], done=done, to=request.path, refused=refused)


def _save(
    request: HtmxHttpRequest, source: Source, form_class: type[MirrorForm], context: dict[str, Any]
) -> HttpResponse:
    form = form_class(request.POST)
    if not form.is_valid():
        return _page(request, source, form, context, status=422)
    values = dict(form.cleaned_data)
    sections = values.pop("sections", False)
    wanted, seen = MirrorSettings(**values), seen_version(request.POST)
    try:
        mirror_set(
            source=source,
            actor=arbiter(request),
            wanted=wanted,
            seen_revision=seen,
            sections=sections,
        )
    except BadInput as error:
        add_service_error(form, error)
        return _page(request, source, form, context, status=error.status)
    except ServiceError as error:
        return _page(request, source, form, context, problem=Problem.from_error(error))
    messages.success(request, _("Saved. The mirror is being brought up to date."))
    return go_to(request, request.path)


def _file(source: Source) -> HttpResponse:
    try:
        content = source.store.pages_file.read_bytes()
    except FileNotFoundError as error:
        raise Http404 from error
    response = HttpResponse(content, content_type="application/zip")
    response.headers["Content-Disposition"] = f'attachment; filename="{source.folder()}.zip"'
    return response


def _page(
    request: HtmxHttpRequest,
    source: Source,
    form: MirrorForm | type[MirrorForm],
    context: dict[str, Any],
    *,
    problem: Problem | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show *form*, or one of its class with what is saved."""
    store = source.store
    chosen, state, is_away = store.settings, store.state, source.is_away
    if isinstance(form, type):
        form = form(
            initial={name: getattr(chosen, name) for name in ("kind", "address", "user", "public")}
        )
    job, fault = jobs.waiting(JOB, source.key), state.fault
    context |= {
        "is_away": is_away,
        "sends": chosen.is_on and not is_away,
        "form": form,
        "chosen": chosen,
        "has_secret": bool(chosen.secret),
        "state": state,
        "fault": sentence(BadInput(fault.code, **fault.params)) if fault else "",
        "next_try": job.due if job else None,
        "is_waiting": chosen.is_on and jobs.is_active(JOB, source.key),
        "file_job": jobs.newest(exporting.JOB, source.key),
        "file_made": exporting.file_made(source),
        "folder": settings.MIRROR_DIR,
        "key": " ".join(public_key()[at : at + 4] for at in range(0, DIGITS, 4)),
        "problem": problem,
    }
    return render(
        request, "mirror/settings.html", context, status=problem.status if problem else status
    )
