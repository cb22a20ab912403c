"""The facts of a tournament and its players from which ratings and norms are computed."""

from __future__ import annotations

from datetime import date
from typing import Final

from pairing.ratings.model import Event, Person, Rate, System
from pairing.ratings.time_controls import TimeControl, read_time_control, read_time_in_words
from pairing.rules.arbiters import arbiter_of
from tournaments.core.chosen_rules import is_of_matches
from tournaments.models import Entry, RateOfPlay, SecondRatingMethod, Sex, Tournament

ENCODED: Final = "222 "
"""The record of an opened report with its encoded time control."""


def event_of(tournament: Tournament) -> Event:
    """Return the facts of *tournament*; what is not in its settings is unknown. No query."""
    control = time_control_of(tournament)
    chief = arbiter_of(tournament.chief_arbiter)
    return Event(
        rounds=tournament.total_rounds,
        rate=Rate(tournament.rate_of_play),
        system=System.OTHER if is_of_matches(tournament) else System.SWISS,
        host=tournament.federation,
        start=tournament.start_date,
        end=tournament.end_date,
        seconds=control.seconds if control else None,
        same_time=control.is_equal if control else None,
        chief_arbiter_titles=frozenset({chief.title}) if chief.title else None,
    )


def person_of(entry: Entry, tournament: Tournament) -> Person:
    """Return the player by the FIDE rating of the rate of play; a national rating is never used."""
    may_replace = (
        tournament.rate_of_play != RateOfPlay.STANDARD
        and tournament.second_rating_method == SecondRatingMethod.FIDE_STANDARD
    )
    return Person(
        rating=entry.fide_rating or None,
        standard=entry.second_rating if may_replace else None,
        titles=frozenset({entry.title, entry.women_title} - {""}),
        federation=entry.federation,
        is_woman=entry.sex == Sex.WOMAN,
        k=entry.k_factor,
        birth_year=_year(entry.birth_date),
        number=entry.tpn or 0,
    )


def time_control_of(tournament: Tournament) -> TimeControl | None:
    """Return the time control: that of an opened report, else the setting if it is clear."""
    encoded = next(
        (line for line in tournament.trf_extras if line.startswith(ENCODED)), ""
    ).removeprefix(ENCODED)
    text = tournament.time_control
    return read_time_control(encoded) or read_time_in_words(text) or read_time_control(text)


def _year(birth_date: str) -> int | None:
    year = birth_date[:4]
    return int(year) if year.isdecimal() and int(year) <= date.max.year and int(year) else None
