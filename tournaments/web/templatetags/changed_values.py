"""Tags for the values that an action has changed: settings, players' data, times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from django import template
from django.db import models
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from pairing.record.private import EVERYWHERE
from pairing.rules.names import as_shown
from tournaments.core.setting_labels import SETTING_LABELS
from tournaments.models import Decision, Entry, Tournament
from tournaments.models.payload_game_data import GameDate
from tournaments.models.payloads import (
    EntryRatingChanged,
    EntryUpdated,
    GameScheduled,
    RatingCorrected,
    RoundScheduled,
    TournamentUpdated,
)
from tournaments.web.templatetags.numbers import birth, colon, day, moment as moment_of, points
from tournaments.web.templatetags.results import game_name

register = template.Library()

_TIMES: Final[Mapping[str, str | Promise]] = {
    "starts_at": gettext_lazy("Play begins"),
    "results_due_at": gettext_lazy("Results announced for"),
}


@register.simple_tag
def changed_values(
    decision: Decision, *, public: bool = False, names: Mapping[int, str] = MappingProxyType({})
) -> list[str]:
    """Return the values that the action has changed, old and new: ``Place: Lyon → Nice``;
    empty for other actions.

    *public*: for visitors, who read of a private value (:mod:`pairing.record.private`) only that it
    changed. *names* are those of today, by entry: players who chose initials since are shown with
    them.
    """
    payload = decision.payload
    match payload:
        case TournamentUpdated():
            values = _changes(payload.before, payload.after, SETTING_LABELS, Tournament)
        case EntryUpdated() | EntryRatingChanged():
            values = _changes(payload.before, payload.after, _labels(Entry, payload.after), Entry)
        case RoundScheduled():
            values = _changes(payload.before, payload.after, _TIMES, None)
        case GameScheduled(before=old_date, after=new_date):
            found = game_name(new_date["board"], new_date.get("game"))
            values = iter([("game", found, _date_of_game(old_date), _date_of_game(new_date))])
        case RatingCorrected():
            rated = payload.after.keys() & {"fide_rating", "national_rating", "rating"}
            values = _changes(payload.before, payload.after, _labels(Entry, sorted(rated)), Entry)
        case _:
            return []
    # With initials in the place of a name, the FIDE ID is private too.
    whole = bool(payload.before.get("full_name") or payload.after.get("full_name"))
    private = (EVERYWHERE | {"fide_id"} if whole else EVERYWHERE) if public else frozenset()
    entry = payload.after.get("entry")
    shown = partial(_shown, names.get(entry, "") if isinstance(entry, int) else "")
    return [
        _("%(what)s changed") % {"what": what}
        if name in private
        else f"{what}{colon()} {shown(name, old)} → {shown(name, new)}"
        for name, what, old, new in values
    ]


def _shown(today: str, name: str, text: str) -> str:
    return as_shown(text, today) if name == "name" else text


def _changes(
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    labels: Mapping[str, str | Promise],
    model: type[models.Model] | None,
) -> Iterator[tuple[str, str, str, str]]:
    """Yield name, label, old and new text of each value that differs."""
    for name, label in labels.items():
        if name in after and before.get(name) != after[name]:
            what = str(label)
            old, new = (_text(model, name, side.get(name)) for side in (before, after))
            yield name, what[:1].upper() + what[1:], old, new


def _labels(model: type[models.Model], names: Iterable[str]) -> dict[str, str | Promise]:
    return {name: model._meta.get_field(name).verbose_name for name in names if name != "entry"}  # type: ignore[union-attr]


def _date_of_game(date_of: GameDate) -> str:
    """Return the date of a game with its place; a game without one is played with its round."""
    return ", ".join(
        filter(None, (_text(None, "starts_at", date_of["starts_at"]), date_of["place"]))
    )


def _text(model: type[models.Model] | None, name: str, value: Any) -> str:
    """Return *value* of the field *name* as people read it; an empty one is a dash."""
    if model is None:
        return moment_of(timezone.localtime(datetime.fromisoformat(value))) if value else "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if name.startswith("points_"):
        return points(value)
    if name in ("start_date", "end_date"):
        return day(date.fromisoformat(value)) if value else "–"
    if name == "birth_date":
        return birth(value) or "–"
    field: Any = model._meta.get_field(name)
    choices = dict(field.flatchoices)
    if value in choices and (value or name not in ("title", "sex")):
        return str(choices[value])
    return "–" if value in (None, "") else " ".join(str(value).split("\n"))
