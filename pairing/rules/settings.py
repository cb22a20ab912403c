"""The settings of a tournament: one row for each, with the type of its value in the record.

The replay, the comparison with the tables, the rules about when a setting may change, the form,
copies of a tournament and the documentation read this table (``docs/developer/add-a-setting.md``).
Label, help text and choices belong to the column of the same name in
``tournaments/models/tournament.py``. A default stays as it is once it is released, even if new
tournaments begin with another one: old lines of the record that do not name the setting mean it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Final, TypedDict, get_type_hints


class Fixed(Enum):
    """From when on a setting no longer changes."""

    NEVER = "it can change at any time"
    AT_THE_START = "declared in advance: until round 1 is paired"
    BEFORE_THE_LAST_ROUND = "by the Chief Arbiter, until the last round is paired"
    FOR_DEPUTIES = "once pairings are published, only the Chief Arbiter changes it"


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting. ``default`` is what a tournament has whose first line does not name it; dates are
    ISO texts, points are tenths. ``article`` requires that it is ``fixed``.

    ``is_copied``: a copy of a tournament has the same value.
    """

    default: str | int | None = ""
    fixed: Fixed = Fixed.NEVER
    article: str = ""
    is_copied: bool = True


_START: Final = Fixed.AT_THE_START


class SettingValues(TypedDict, total=False):
    """The settings that a line of the record names, under the names of their columns."""

    name: Annotated[str, Setting(is_copied=False)]
    city: Annotated[str, Setting()]
    federation: Annotated[str, Setting()]
    start_date: Annotated[str | None, Setting(None, _START, "C.04.2 1.3", is_copied=False)]
    end_date: Annotated[str | None, Setting(None, is_copied=False)]
    chief_arbiter: Annotated[str, Setting("", Fixed.FOR_DEPUTIES, "C.04.2 4")]
    deputy_arbiters: Annotated[str, Setting()]
    time_control: Annotated[str, Setting()]
    encoded_time_control: Annotated[str, Setting()]
    organiser: Annotated[str, Setting()]
    event_code: Annotated[str, Setting(is_copied=False)]
    report_profile: Annotated[str, Setting()]
    registered_on: Annotated[str | None, Setting(None, is_copied=False)]
    event_kind: Annotated[str, Setting("ordinary")]
    time_approved: Annotated[bool, Setting(False, is_copied=False)]
    arbiter_in_hall: Annotated[bool, Setting(False, is_copied=False)]
    no_arbiter_plays: Annotated[bool, Setting(False, is_copied=False)]
    no_favour: Annotated[bool, Setting(False, is_copied=False)]
    system_approved: Annotated[bool, Setting(False, is_copied=False)]
    total_rounds: Annotated[int, Setting(None, _START, "C.04.1 1")]
    system: Annotated[str, Setting("dutch_2026", _START, "C.04.2 1.3")]
    acceleration: Annotated[str, Setting("", _START, "C.04.2 1.1")]
    handling_edition: Annotated[str, Setting("c04_2_2026", _START, "C.04.2 1.3")]
    points_win: Annotated[int, Setting(10, _START, "C.04.1 3")]
    points_draw: Annotated[int, Setting(5, _START, "C.04.1 3")]
    points_loss: Annotated[int, Setting(0, _START, "C.04.1 3")]
    points_absence: Annotated[int, Setting(0, _START, "C.04.1 3")]
    points_pab: Annotated[int, Setting(10, _START, "C.04.1 3")]
    rating_list: Annotated[str, Setting(is_copied=False)]
    rate_of_play: Annotated[str, Setting("standard")]
    rating_method: Annotated[str, Setting("FIDON", _START, "C.04.2 2.1")]
    national_lists: Annotated[str, Setting("", _START, "C.04.2 2.1")]
    second_rating_method: Annotated[str, Setting("", _START, "C.04.2 2.1")]
    third_criterion: Annotated[str, Setting("", _START, "C.04.2 2.2.3")]
    late_entry_bye: Annotated[str, Setting("Z", _START, "C.04.2 2.4")]
    byes_in_advance: Annotated[bool, Setting(False, _START, "C.04.2 3.3")]
    max_byes: Annotated[int | None, Setting(None, _START, "C.04.2 3.3")]
    last_bye_round: Annotated[int | None, Setting(None, _START, "C.04.2 3.3")]
    correction_minutes: Annotated[int | None, Setting(None, _START, "C.04.2 4.3")]
    change_clause: Annotated[str, Setting("", _START, "C.04.2 4.4.2")]
    top_boards: Annotated[
        int, Setting(0, Fixed.BEFORE_THE_LAST_ROUND, "C.04.2 4.4.5", is_copied=False)
    ]
    second_reading: Annotated[bool, Setting(False, Fixed.FOR_DEPUTIES)]
    list_state: Annotated[str, Setting("provisional", is_copied=False)]
    entered_results: Annotated[str, Setting("own")]
    explanations_public: Annotated[bool, Setting(False)]
    forecast_public: Annotated[bool, Setting(False)]
    automatic_pairings: Annotated[int | None, Setting(None, is_copied=False)]
    automatic_results: Annotated[bool, Setting(False, is_copied=False)]
    keeps_data_days: Annotated[int | None, Setting(None)]
    tie_breaks: Annotated[str, Setting("BH/C1,BH,SB,DE,WIN", _START, "C.07 4.1.1")]
    tie_break_edition: Annotated[str, Setting("fide-2026", _START, "C.07 4.1.1", is_copied=False)]


SETTINGS: Final[Mapping[str, Setting]] = {
    name: hint.__metadata__[0]
    for name, hint in get_type_hints(SettingValues, include_extras=True).items()
}
"""The settings by name."""


def articles(fixed: Fixed) -> dict[str, str]:
    """Return the articles of the settings that are *fixed* so, by name."""
    return {name: each.article for name, each in SETTINGS.items() if each.fixed is fixed}
