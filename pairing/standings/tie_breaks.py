"""All tie-breaks: one row for each, and their modifiers. Everything else is derived from here.

Names and sentences are in English; the pages look up their translations.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pairing.engine.errors import Text, text as _

from . import buchholz, own_results, ratings
from .definition import TieBreak

CUTS: Final = ("C1", "C2")
MEDIANS: Final = ("M1", "M2")

_ROWS: Final = (
    TieBreak(
        "DE",
        name=_("Direct Encounter"),
        sentence=_("The points in the games between the tied players, if these decide"),
        article="6",
        column=None,
        modifiers=("P",),
        least_is_best=True,
    ),
    TieBreak(
        "WIN",
        name=_("Number of Wins"),
        sentence=_("The rounds that gave as many points as a win, played or not"),
        article="7.1",
        column=own_results.wins,
        counts_games=True,
    ),
    TieBreak(
        "WON",
        name=_("Number of Games Won"),
        sentence=_("The games won at the board"),
        article="7.2",
        column=own_results.games_won,
        counts_games=True,
    ),
    TieBreak(
        "BPG",
        name=_("Number of Games Played with Black"),
        sentence=_("The games played with Black"),
        article="7.3",
        column=own_results.games_with_black,
        counts_games=True,
    ),
    TieBreak(
        "BWG",
        name=_("Number of Games Won with Black"),
        sentence=_("The games won with Black"),
        article="7.4",
        column=own_results.games_won_with_black,
        counts_games=True,
    ),
    TieBreak(
        "PS",
        name=_("Progressive Scores"),
        sentence=_("The points after each round, added up: early points count more"),
        article="7.5",
        column=own_results.progressive_score,
        modifiers=CUTS,
        offered=("C1",),
    ),
    TieBreak(
        "REP",
        name=_("Rounds one Elected to Play"),
        sentence=_("All rounds, without requested byes and forfeit losses"),
        article="7.6",
        column=own_results.rounds_elected_to_play,
    ),
    TieBreak(
        "STD",
        name=_("Standard Points"),
        sentence=_("One for each round with more points than the opponent, half for as many"),
        article="7.7",
        column=own_results.standard_points,
        since={"STD": "fide-2026"},
    ),
    TieBreak(
        "TPN",
        name=_("Tournament Pairing Number"),
        sentence=_("The pairing number: the smaller comes first"),
        article="7.8",
        column=own_results.own_number,
        modifiers=("R",),
        since={"TPN": "fide-2026"},
        least_is_best=True,
    ),
    TieBreak(
        "BH",
        name=_("Buchholz"),
        sentence=_("The points of all opponents, added up"),
        article="8.1",
        column=buchholz.buchholz,
        modifiers=(*CUTS, *MEDIANS, "P", "F"),
        offered=("C1", "C2", "M1"),
    ),
    TieBreak(
        "AOB",
        name=_("Average of Opponents' Buchholz"),
        sentence=_("The average Buchholz of the opponents"),
        article="8.2",
        column=buchholz.average_of_buchholz,
        modifiers=("F",),
        since={"AOB/F": "fide-2026"},
    ),
    TieBreak(
        "FB",
        name=_("Fore Buchholz"),
        sentence=_("Buchholz as if all games of the last round were drawn"),
        article="8.3",
        column=buchholz.fore_buchholz,
        modifiers=(*CUTS, *MEDIANS, "P"),
        offered=("C1",),
    ),
    TieBreak(
        "SB",
        name=_("Sonneborn-Berger"),
        sentence=_(
            "The points of each opponent times the points scored against that opponent, added up"
        ),
        article="9.1",
        column=buchholz.sonneborn_berger,
        modifiers=(*CUTS, "P"),
        offered=("C1",),
    ),
    TieBreak(
        "KS",
        name=_("Koya System"),
        sentence=_("The points against opponents with at least half of the possible points"),
        article="9.2",
        column=buchholz.koya,
        modifiers=("L",),
    ),
    TieBreak(
        "ARO",
        name=_("Average Rating of Opponents"),
        sentence=_("The average rating of the opponents"),
        article="10.1",
        column=ratings.average_rating,
        modifiers=(*CUTS, *MEDIANS),
        offered=("C1",),
    ),
    TieBreak(
        "TPR",
        name=_("Tournament Performance Rating"),
        sentence=_("The rating that the results correspond to, by FIDE’s table"),
        article="10.2",
        column=ratings.performance,
        counts_games=True,
    ),
    TieBreak(
        "PTP",
        name=_("Perfect Tournament Performance"),
        sentence=_("The lowest rating with which the points scored would be expected"),
        article="10.3",
        column=ratings.perfect_performance,
        counts_games=True,
    ),
    TieBreak(
        "APRO",
        name=_("Average Performance Rating of Opponents"),
        sentence=_("The average performance rating of the opponents"),
        article="10.4",
        column=ratings.average_performance,
        counts_games=True,
    ),
    TieBreak(
        "APPO",
        name=_("Average Perfect Performance of Opponents"),
        sentence=_("The average perfect performance of the opponents"),
        article="10.5",
        column=ratings.average_perfect_performance,
        counts_games=True,
    ),
    TieBreak(
        "RTNG",
        name=_("Rating"),
        sentence=_("The player’s own rating: the higher comes first"),
        article="10.6",
        column=own_results.own_rating,
        modifiers=("R",),
        since={"RTNG": "fide-2026"},
    ),
)
TIE_BREAKS: Final[Mapping[str, TieBreak]] = {row.code: row for row in _ROWS}
"""The tie-breaks by code."""


class Modifier(NamedTuple):
    """A modifier [C.07/2026 14]: its name, the change as part of a sentence, and what it sets."""

    name: Text
    change: Text
    sets: Mapping[str, Any]


MODIFIERS: Final[Mapping[str, Modifier]] = {
    "C1": Modifier(_("Cut-1"), _("without the lowest value"), {"cut_least": 1, "cut_most": 0}),
    "C2": Modifier(_("Cut-2"), _("without the two lowest values"), {"cut_least": 2, "cut_most": 0}),
    "M1": Modifier(
        _("Median-1"),
        _("without the lowest and the highest value"),
        {"cut_least": 1, "cut_most": 1},
    ),
    "M2": Modifier(
        _("Median-2"),
        _("without the two lowest and the two highest values"),
        {"cut_least": 2, "cut_most": 2},
    ),
    "P": Modifier(
        _("forfeits as played"), _("forfeited games count as played"), {"forfeits_count": True}
    ),
    "F": Modifier(_("Fore"), _("with Fore Buchholz"), {"fore": True}),
    "R": Modifier(_("reversed"), _("in reversed order"), {"is_reversed": True}),
}
"""The modifiers by the letters after the slash; ``L`` with a number is read by :mod:`.codes`."""
