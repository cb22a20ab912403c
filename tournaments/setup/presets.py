"""The kinds of events: rounds, points, byes, deadlines and tie-breaks of a new one.

The values are our own choice of usual settings; the regulations of an event may differ. A kind is
not stored: it only fills the form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.setup.tie_break_lists import LISTS


@dataclass(frozen=True, slots=True)
class Preset:
    """A kind of event, with the values of the form by the name of the field;
    "" leaves a field empty or not ticked.

    In the last ``rounds_without_byes`` rounds there are no byes with points.
    """

    name: str | Promise
    sentence: str | Promise
    rounds: int
    rounds_without_byes: int = 0
    values: Mapping[str, str] = field(default_factory=dict)

    def filled(self, rounds: int) -> dict[str, str]:
        """Return the values for an event of *rounds* rounds."""
        last = str(max(rounds - self.rounds_without_byes, 0)) if self.rounds_without_byes else ""
        return {**DEFAULTS, **self.values, "total_rounds": str(rounds), "last_bye_round": last}


SCORINGS: Final = {"standard": (10, 5, 0), "football": (30, 10, 0)}
"""The points for win, draw and loss, in tenths, by the code of the form."""

DEFAULTS: Final[dict[str, str]] = {
    "scoring": "standard",
    "pab": "win",
    "late_entry_bye": "Z",
    "byes_in_advance": "",
    "max_byes": "",
    "correction_minutes": "",
    "tie_breaks": LISTS["buchholz"].codes,
    "days_between": "1",
}
"""The values of the fields that the kinds set, for a kind that does not say otherwise."""

PRESETS: Final[Mapping[str, Preset]] = {
    "club": Preset(
        _("Club evening"),
        _(
            "One round a week; two half-point byes per player, late entries get half a point per "
            "missed round."
        ),
        rounds=7,
        rounds_without_byes=2,
        values={"max_byes": "2", "late_entry_bye": "H", "days_between": "7"},
    ),
    "weekend": Preset(
        _("Weekend open"),
        _(
            "Two rounds a day; one half-point bye, not in the last two rounds; 30 minutes to "
            "report mistakes."
        ),
        rounds=5,
        rounds_without_byes=2,
        values={"max_byes": "1", "correction_minutes": "30"},
    ),
    "rapid": Preset(
        _("Rapid"),
        _("All rounds in a day; no byes with points; 10 minutes to report mistakes."),
        rounds=7,
        values={"max_byes": "0", "correction_minutes": "10"},
    ),
    "blitz": Preset(
        _("Blitz"),
        _("Many short rounds; no byes with points; 5 minutes to report mistakes."),
        rounds=11,
        values={"max_byes": "0", "correction_minutes": "5"},
    ),
    "youth": Preset(
        _("Youth event"),
        _("One half-point bye, not in the last three rounds; direct encounter breaks ties first."),
        rounds=7,
        rounds_without_byes=3,
        values={
            "max_byes": "1",
            "correction_minutes": "15",
            "tie_breaks": LISTS["encounter"].codes,
        },
    ),
    "rated": Preset(
        _("FIDE-rated open"),
        _(
            "One half-point bye, requested a round ahead, not in the last three; an hour to "
            "report mistakes."
        ),
        rounds=9,
        rounds_without_byes=3,
        values={"max_byes": "1", "correction_minutes": "60", "byes_in_advance": "on"},
    ),
}
"""The kinds of events, by their code in forms."""

USUAL: Final = "club"
"""The kind that a new form shows."""


def values_for(kind: str, rounds: str = "") -> dict[str, str]:
    """Return the values of *kind*, for the number of *rounds* as typed; empty or no number:
    as usual for the kind.
    """
    preset = PRESETS[kind]
    return preset.filled(int(rounds) if rounds.isascii() and rounds.isdecimal() else preset.rounds)


def with_preset(typed: Mapping[str, str], kind: str, shown: str) -> dict[str, str]:
    """Return the values of a form with those of *kind* where they still
    are as the kind *shown* had filled them.

    So nothing that the arbiter typed is lost. An unknown *shown* has filled nothing: the form had
    the defaults. An empty number of rounds becomes that of *kind*.
    """
    rounds = typed.get("total_rounds", "").strip()
    # The fields may have been filled before the number of rounds was typed.
    old = (
        (values_for(shown), values_for(shown, rounds))
        if shown in PRESETS
        else ({**DEFAULTS, "last_bye_round": ""},)
    )
    new = values_for(kind, rounds)
    filled = {
        name: value
        for name, value in new.items()
        if name not in typed or any(typed[name] == each.get(name, "") for each in old)
    }
    return {**typed, **filled, "total_rounds": rounds or new["total_rounds"]}
