"""Run an action from a page, and show a refusal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _

from tournaments.core.errors import BadInput, Conflict, RuleRefused, ServiceError
from tournaments.core.request_values import optional_number_of
from tournaments.web.changes_since import changes_since, described
from tournaments.web.htmx import HtmxHttpRequest, go_to

OVERTAKEN: Final = frozenset(
    {
        "draft.stale",
        "round.already_published",
        "results.already_published",
        "standings.final",
        "standings.already_final",
    }
)
"""Refusals of a rule that usually follow from what somebody else did since the page was opened."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why an action was not done: ``title`` names the problem, ``more`` has further lines.

    ``remedy`` is a link with its text, for refusals that have one.
    """

    title: str
    sentence: str
    status: int
    more: tuple[str, ...] = ()
    remedy: tuple[str, str] | None = None

    @classmethod
    def from_error(cls, error: ServiceError, request: HtmxHttpRequest | None = None) -> Problem:
        """Return the problem of *error*; for an outdated page also what others have changed."""
        if isinstance(error, RuleRefused):
            title = _("The rules do not allow this now.")
        elif error.code in ("person.is_there", "invitation.is_there"):
            title = _("Nobody was appointed.")
        elif error.code.startswith("undo."):
            title = _("Nothing was undone.")
        elif isinstance(error, Conflict):
            title = _("Somebody else changed this in the meantime.")
        else:
            title = _("Please check your input.")
        more = tuple(str(other) for other in error.more) if isinstance(error, BadInput) else ()
        if isinstance(error, Conflict) and error.lines:
            more = described(error.lines)
        elif request is not None and (isinstance(error, Conflict) or error.code in OVERTAKEN):
            more = changes_since(request)
        return cls(title=title, sentence=str(error), status=error.status, more=more)


def seen_version(data: QueryDict, name: str = "seen_version") -> int:
    """Return the version in the field *name*; -1, which matches nothing, without one."""
    version = optional_number_of(data, name)
    return -1 if version is None else version


def render_with_problem(
    request: HttpRequest, template: str, context: Mapping[str, Any]
) -> HttpResponse:
    """Render *template*, with the status of the ``problem`` in *context* if there is one."""
    problem: Problem | None = context["problem"]
    return render(request, template, context, status=problem.status if problem else 200)


def do(
    request: HtmxHttpRequest,
    action: Callable[[], object],
    *,
    done: str,
    to: str,
    refused: Callable[[Problem], HttpResponse],
    remedies: Mapping[str, tuple[str, str]] = MappingProxyType({}),
    stale: str = "",
    warning: Callable[[], str] = str,
) -> HttpResponse:
    """Run *action*; then go to the page *to* and show *done* there, or show the refusal.

    An empty *done* is not shown. After the action *warning* says what else is to be done, or
    nothing.

    htmx gets only the refusal, for the page's ``#problem``. After a conflict the page itself is out
    of date: htmx is sent to *stale*, or to *to*, where the sentence appears as a message.
    *remedies* are addresses with their texts, by the code of the refusal.
    """
    try:
        action()
    except Conflict as error:
        problem = Problem.from_error(error, request)
        if not request.htmx:
            return refused(problem)
        messages.warning(request, " · ".join((problem.sentence, *problem.more)))
        response = go_to(request, stale or to)
        response.status_code = error.status  # htmx follows the header, whatever the status
        return response
    except ServiceError as error:
        problem = replace(Problem.from_error(error, request), remedy=remedies.get(error.code))
        if not request.htmx:
            return refused(problem)
        return render(request, "shared/_problem.html", {"problem": problem}, status=problem.status)
    if done:
        messages.success(request, done)
    if warned := warning():
        messages.warning(request, warned)
    return go_to(request, to)


def confirms_leaving(data: QueryDict) -> bool:
    """Return whether both questions of ``shared/_leave_fide_mode.html`` are answered."""
    return "leave_fide_mode" in data and "leave_fide_mode_again" in data


def add_service_error(form: BaseForm, error: ServiceError) -> None:
    """Add the refusal of a service to the form: at its field, or above the form.

    If the action would leave FIDE mode, the form then asks two questions
    (``shared/_form_errors.html``).
    """
    form.asks_fide_mode = error.code == "fide_mode.confirm_rules"  # type: ignore[attr-defined]
    field = error.field if isinstance(error, BadInput) else ""
    form.add_error(field if field in form.fields else None, str(error))
