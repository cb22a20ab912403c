"""The editions of B.02 (ratings) and B.01 (titles) as data. Editions are added, never edited.

The first day of an event chooses its edition. An event older than the oldest edition here gets the
oldest, with ``is_older``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum
from typing import Final, TypeVar

from pairing.engine.errors import Text, text as _

from .model import Rate


@dataclass(frozen=True, slots=True)
class RatingEdition:
    """One text of B.02 for a rate of play.

    ``cap``: a larger difference counts as this one. ``uncapped_from``: a player with at least this
    rating has no cap. A game is not rated if the ratings differ by ``gap`` and one is above
    ``gap_above``.
    """

    name: Text
    applied_from: date
    cap: int = 400
    uncapped_from: int | None = None
    gap: int | None = None
    gap_above: int = 0
    is_older: bool = False
    """The event began before this edition."""


_STANDARD_2024: Final = RatingEdition(_("FIDE B.02, applied from 1 March 2024"), date(2024, 3, 1))
_RAPID_2024: Final = RatingEdition(
    _("FIDE B.02 Rapid and Blitz, applied from 1 March 2024"), date(2024, 3, 1)
)
_STANDARD: Final = (
    _STANDARD_2024,
    replace(
        _STANDARD_2024,
        name=_("FIDE B.02, applied from 1 March 2024, with 8.3.1 of 1 October 2025"),
        applied_from=date(2025, 10, 1),
        uncapped_from=2650,
    ),
)
_RAPID: Final = (
    _RAPID_2024,
    replace(
        _RAPID_2024,
        name=_(
            "FIDE B.02 Rapid and Blitz, applied from 1 March 2024, with 7.3.1 of 1 December 2024"
        ),
        applied_from=date(2024, 12, 1),
        gap=600,
        gap_above=2600,
    ),
)
RATING_EDITIONS: Final[Mapping[Rate, Sequence[RatingEdition]]] = {
    Rate.STANDARD: _STANDARD,
    Rate.RAPID: _RAPID,
    Rate.BLITZ: _RAPID,
}
"""The editions of each rate, the oldest first."""

FLOOR: Final = 1400
"""The lowest published rating [B.02/2024 7.1.4]."""
MOST_INITIAL: Final = 2200
"""The highest initial rating [B.02/2024 8.2]."""
FEWEST_INITIAL_GAMES: Final = 5
HYPOTHETICAL: Final = 1800
"""The rating of the two added opponents, each of whom is drawn with [B.02/2024 8.2.3]."""
MOST_K_TIMES_GAMES: Final = 700
"""K is lowered when K times the games of the period is more [B.02/2024 8.3.3]."""

SHORTEST: Final = ((2400, 120), (1800, 90), (0, 60))
"""Minutes for 60 moves by the higher of the two ratings [B.02/2024 1.1]."""

MOST_HOURS_A_DAY: Final = 12
"""Hours of play in a day of standard chess, with 60 moves a game [B.02/2024 3]."""
MOST_ROUNDS_A_DAY: Final = {Rate.RAPID: 15, Rate.BLITZ: 30}
"""Rated rounds in a day [B.02R/2024 3.1]."""


class Title(Enum):
    """The titles that norms lead to."""

    GM = "GM"
    IM = "IM"
    WGM = "WGM"
    WIM = "WIM"


COUNTED_TITLES: Final = ("GM", "IM", "WGM", "WIM", "FM", "WFM")
"""Titles that count for the half [B.01/2024 1.4.5a], in the order of FIDE's sheets; CM and WCM do
not count.
"""
TITLED: Final = frozenset(COUNTED_TITLES)
HIGHER_TITLED: Final = frozenset({"GM", "IM", "WGM", "WIM"})
"""Titles that count for the exemption [B.01/2024 1.4.3d]."""


@dataclass(frozen=True, slots=True)
class TitleRules:
    """The limits of one title. ``required`` has the titles of a third of the opponents
    [B.01/2024 1.4.5b-e], ``floor`` the adjusted rating floor [B.01/2024 1.4.6b].

    ``rating`` must be reached once before the title is given [B.01/2024 1.5.3].
    """

    title: Title
    required_article: str
    required: frozenset[str]
    floor: int
    average: int
    performance: int
    rating: int
    is_for_women: bool = False


@dataclass(frozen=True, slots=True)
class NormEdition:
    """One text of B.01. ``direct_ratings``: a title by place or result is conditional until the
    player has had this rating [B.01/2024 0.6.2].
    """

    name: Text
    applied_from: date
    titles: Mapping[Title, TitleRules]
    direct_ratings: Mapping[str, int]
    games: int = 9
    games_in_team_championships: int = 7
    games_in_world_cup: int = 8
    most_counted: int = 13
    """An event with more rounds counts as this number of games [B.01/2024 1.7]."""
    unrated: int = 1400
    percent: int = 35
    minutes: int = 120
    rounds_a_day: int = 2
    hours_a_day: int = 12
    days_before: int = 30
    """Days between the registration on the server of FIDE and the start [B.01/2024 1.1.1]."""
    direct_players: int = 10
    """Players that an event with direct titles needs, and ``games`` rounds [B.01/2024 1.2]."""
    is_older: bool = False


def _title(
    title: Title, article: str, required: str, *limits: int, is_for_women: bool = False
) -> TitleRules:
    floor, average, performance, rating = limits
    titles = frozenset(required.split())
    return TitleRules(title, article, titles, floor, average, performance, rating, is_for_women)


_TITLES_2024: Final = {
    rules.title: rules
    for rules in (
        _title(Title.GM, "1.4.5b", "GM", 2200, 2380, 2600, 2500),
        _title(Title.IM, "1.4.5c", "GM IM", 2050, 2230, 2450, 2400),
        _title(Title.WGM, "1.4.5d", "GM IM WGM", 2000, 2180, 2400, 2300, is_for_women=True),
        _title(Title.WIM, "1.4.5e", "GM IM WGM WIM", 1850, 2030, 2250, 2200, is_for_women=True),
    )
}
_DIRECT_2024: Final = {
    "GM": 2300,
    "IM": 2200,
    "FM": 2100,
    "CM": 2000,
    "WGM": 2100,
    "WIM": 2000,
    "WFM": 1900,
    "WCM": 1800,
}
NORM_EDITIONS: Final = (
    NormEdition(
        _("FIDE B.01, applied from 1 January 2024"), date(2024, 1, 1), _TITLES_2024, _DIRECT_2024
    ),
)
"""The editions, the oldest first."""

E = TypeVar("E", RatingEdition, NormEdition)


def rating_edition(rate: Rate, start: date | None) -> RatingEdition:
    """Return the edition of B.02 for an event that starts on *start*; None: the present one."""
    return _on(RATING_EDITIONS[rate], start)


def norm_edition(start: date | None) -> NormEdition:
    """Return the edition of B.01 for an event that starts on *start*; None: the present one."""
    return _on(NORM_EDITIONS, start)


def _on(editions: Sequence[E], start: date | None) -> E:
    if start is None:
        return editions[-1]
    for edition in reversed(editions):
        if edition.applied_from <= start:
            return edition
    return replace(editions[0], is_older=True)
