"""The page that changes the settings of a tournament."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pairing.engine.systems import system_by_code
from pairing.rounds.facts import round_facts
from pairing.rounds.paired_before import ever_paired
from pairing.rules.regulations import FIXED_AT_THE_START, FIXED_BEFORE_THE_LAST_ROUND, fixed_fields
from pairing.rules.rounds import RoundState
from pairing.trf.editions import dutch_on, is_newer_than
from tournaments.core.errors import DataMoved, ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import may_decide
from tournaments.desk.navigation import menu_label
from tournaments.models import Action, Tournament
from tournaments.setup.tournaments import OUR_LISTS, tournament_update
from tournaments.web.access import arbiter_only, who_and_when
from tournaments.web.action_form import add_service_error, confirms_leaving
from tournaments.web.changes_since import changes_since
from tournaments.web.htmx import HtmxHttpRequest, wants_part
from tournaments.web.newest_data import on_newest_data
from tournaments.web.setup.forms import TournamentForm
from tournaments.web.setup.tie_break_steps import is_step, picker_part, typed
from tournaments.web.shown_values import shown, up_to_date
from tournaments.web.templatetags.setting_summaries import GROUPS

OF_THE_SETTINGS: Final = (
    Action.TOURNAMENT_UPDATED,
    Action.ROUNDS_CHANGED,
    Action.TIE_BREAKS_CHANGED,
)


ANNOUNCED: Final = {*FIXED_AT_THE_START, *FIXED_BEFORE_THE_LAST_ROUND}
"""Settings for which a reason is asked once round 1 was paired."""

_RATINGS: Final = (
    "rating_list",
    "rate_of_play",
    "rating_method",
    "national_lists",
    "second_rating_method",
    "third_criterion",
)
_PRIVACY: Final = ("entered_results", "explanations_public", "forecast_public", "keeps_data_days")

PARTS: Final[dict[str, tuple[str, ...]]] = {
    "event": ("name", "total_rounds", "start_date", *GROUPS["place"]),
    "fide": tuple(GROUPS["fide"]),
    "pairing": (*(each for each in GROUPS["pairing"] if each not in _RATINGS), *GROUPS["points"]),
    "ratings": _RATINGS,
    "byes": tuple(GROUPS["byes"]),
    "deadlines": tuple(each for each in GROUPS["deadlines"] if each not in _PRIVACY),
    "privacy": _PRIVACY,
    "tie-breaks": tuple(GROUPS["tie_breaks"]),
}
"""The pages of the settings, each with its fields. A field of another page is not sent and stays
as it is (:func:`~tournaments.web.shown_values.up_to_date`).
"""
_WORTHS: Final = ("points_win", "points_draw", "points_loss")
"""Values that have their own place on the page: only a scoring of other values needs them."""


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HtmxHttpRequest, tournament: Tournament, part: str = "event") -> HttpResponse:
    """Change the settings of one *part* that may still change."""
    if request.method != "POST":
        decides = may_decide(request.user, tournament)
        return _settings_page(request, tournament, _form(tournament, decides=decides), part)
    if is_step(request.POST):
        form = TournamentForm(instance=tournament, initial=typed(request.POST))
        if wants_part(request):
            return picker_part(request, form)
        return _settings_page(
            request, tournament, form, part, values_shown=request.POST.get("shown")
        )
    return on_newest_data(request, tournament, lambda now: _save(request, now, part))


def _save(request: HtmxHttpRequest, tournament: Tournament, part: str) -> HttpResponse:
    """Save the settings that were sent, unless somebody else changed the same ones."""
    decides = may_decide(request.user, tournament)
    data, conflict = up_to_date(request.POST, [_form(tournament, decides=decides)])
    form = _form(tournament, data, decides=decides)
    if conflict:
        form.add_error(None, [conflict, *changes_since(request, OF_THE_SETTINGS)])
    elif form.is_valid():
        try:
            saved = tournament_update(
                tournament_id=tournament.pk,
                **who_and_when(request),
                reason=form.cleaned_data["reason"],
                compared=tournament.version,
                leave_fide_mode=confirms_leaving(request.POST),
                **_changed(form, tournament),
            )
        except DataMoved:
            raise
        except ServiceError as error:
            add_service_error(form, error)
        else:
            messages.success(request, _("The settings are saved."))
            add_other_list_message(request, form, saved)
            add_edition_message(request, saved)
            return redirect(request.path)
    return _settings_page(request, tournament, form, part, status=409 if conflict else 422)


def _form(
    tournament: Tournament, data: QueryDict | None = None, *, decides: bool
) -> TournamentForm:
    """Return the settings with the fixed ones locked.

    Settings declared in advance are locked after round 1 is paired; after a draft of round 1, also
    for users who may not decide.
    """
    form = TournamentForm(data, instance=tournament)
    last = ever_paired(tournament)
    locked = fixed_fields(
        round_facts(tournament),
        last_was_paired=last >= tournament.total_rounds,
        decides=decides,
        ever_paired=last > 0,
    )
    # A first day that is missing can still be added.
    form.lock(locked if tournament.start_date else locked - {"start_date"})
    return form


def _settings_page(
    request: HtmxHttpRequest,
    tournament: Tournament,
    form: TournamentForm,
    part: str,
    *,
    status: int = 200,
    values_shown: str | None = None,
) -> HttpResponse:
    """Return the page with *form*; *values_shown*: of the page it was sent from."""
    frame = tournament_frame(tournament, runs=True)
    begun = frame.rounds[0].state != RoundState.PLANNED
    context = {
        "form": form,
        "part": part,
        "fields": [form[name] for name in PARTS[part] if name not in _WORTHS],
        "title": menu_label("tournament-edit" if part == "event" else f"settings-{part}"),
        "shown": values_shown or shown([_form(tournament, decides=True)], only=PARTS[part]),
        "can_save": any(not form.fields[name].disabled for name in PARTS[part]),
        "frame": frame,
        "section": "desk",
        "begun": begun,
        "was_paired": not begun and ever_paired(tournament) > 0,
        "asks_reason": ever_paired(tournament) > 0
        and any(name in ANNOUNCED and not form.fields[name].disabled for name in PARTS[part]),
        "decides": may_decide(request.user, tournament),
    }
    return render(request, "setup/settings.html", context, status=status)


def add_other_list_message(
    request: HtmxHttpRequest, form: TournamentForm, saved: Tournament
) -> None:
    """Say if the default tie-breaks of the form were replaced for another system."""
    typed = form.values().get("tie_breaks", saved.tie_breaks)
    if typed != saved.tie_breaks and typed in OUR_LISTS:
        message = _(
            "The tie-breaks follow the pairing system and are now %(list)s. C.07 does not define "
            "WIN for a match "
            "of two games [C.07 7.1]."
        )
        messages.info(request, message % {"list": saved.tie_breaks})


def add_edition_message(request: HtmxHttpRequest, saved: Tournament) -> None:
    """Show a message if the Dutch System of *saved* was not yet in force on the first day.

    The pairing system does not follow the first day automatically.
    """
    if saved.start_date and is_newer_than(saved.system, saved.start_date):
        message = _(
            "On the first day the %(system)s was in force. The pairing system does not follow the first day: "
            "choose that system in the settings if you want to use it."
        )
        messages.info(
            request, message % {"system": system_by_code(dutch_on(saved.start_date)).name}
        )


def _changed(form: TournamentForm, tournament: Tournament) -> dict[str, object]:
    """Return only the changed fields: an unchanged field needs no permission."""
    return {
        name: value for name, value in form.values().items() if getattr(tournament, name) != value
    }
