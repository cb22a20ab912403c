"""The labels of the settings of a tournament, for the form and the refusals."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _, pgettext_lazy

SETTING_LABELS: Final = {
    "tie_breaks": _("Tie-breaks"),
    "tie_break_edition": _("Edition of the tie-break rules"),
    "name": _("Name"),
    "city": pgettext_lazy("town", "Place"),
    "federation": _("Federation"),
    "start_date": _("First day"),
    "end_date": _("Last day"),
    "chief_arbiter": _("Chief arbiter"),
    "deputy_arbiters": _("Deputy arbiters"),
    "time_control": _("Time control"),
    "total_rounds": _("Number of rounds"),
    "system": _("Pairing system"),
    "acceleration": _("Acceleration"),
    "rating_list": _("Rating list"),
    "rate_of_play": _("Rate of play"),
    "rating_method": _("Rating that ranks the players"),
    "second_rating_method": _("Second rating, for players without the first"),
    "third_criterion": _("Order of players with equal rating and title"),
    "late_entry_bye": _("Points of late entries for each missed round"),
    "byes_in_advance": _("Byes with points are requested one round earlier"),
    "max_byes": _("Byes with points per player"),
    "last_bye_round": _("Last round for byes with points"),
    "correction_minutes": _("Minutes to report mistakes"),
    "change_clause": _("Regulation that allows changes of published pairings"),
    "top_boards": _("Top boards of the last round"),
    "second_reading": _("Second reading of results required"),
    "explanations_public": _("Players may read the explanations of pairings"),
    "forecast_public": _("Show everybody a forecast"),
    "automatic_pairings": _("Publish the pairings automatically (minutes before play begins)"),
    "automatic_results": _("Publish the results automatically at the announced time"),
    "keeps_data_days": _("Days until personal data are deleted"),
    "points_win": _("Win"),
    "points_draw": _("Draw"),
    "points_loss": _("Loss"),
    "points_pab": _("Points for the pairing-allocated bye"),
    "handling_edition": _("Handling rules"),
    "prohibited_pairs": _("Prohibited pairs"),
    "points_absence": _("Points for an absence"),
    "left_fide_mode": _("Round in which FIDE mode was left"),
}
"""Labels by the name of the field."""
