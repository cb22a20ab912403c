"""The facts of a tournament and its players from which ratings and norms are computed."""

from __future__ import annotations

from datetime import date
from typing import Final

from pairing.ratings.model import Event, EventKind, Person, Rate, System
from pairing.ratings.time_controls import TimeControl, code_of_words, read_time_control
from pairing.rules.arbiters import arbiter_of
from tournaments.core.chosen_rules import is_of_matches
from tournaments.models import Entry, RateOfPlay, SecondRatingMethod, Sex, Tournament

ENCODED: Final = "222 "
"""The record of an opened report with its encoded time control."""

CONFIRMATIONS: Final = {
    "arbiter_in_hall": "arbiter_in_hall",
    "arbiters_playing": "no_arbiter_plays",
    "by_hand": "no_favour",
    "system": "system_approved",
}
"""The settings with which an arbiter confirms conditions of the event, by condition."""


def event_of(tournament: Tournament) -> Event:
    """Return the facts of *tournament*; a fact not in its settings is unknown. No query."""
    control = time_control_of(tournament)
    chief = arbiter_of(tournament.chief_arbiter)
    return Event(
        rounds=tournament.total_rounds,
        rate=Rate(tournament.rate_of_play),
        system=System.OTHER if is_of_matches(tournament) else System.SWISS,
        kind=EventKind(tournament.event_kind),
        host=tournament.federation,
        start=tournament.start_date,
        end=tournament.end_date,
        seconds=control.seconds if control else None,
        same_time=control.is_equal if control else None,
        is_approved=tournament.time_approved,
        registered=tournament.registered_on,
        chief_arbiter_titles=frozenset({chief.title}) if chief.title else None,
        confirmed=frozenset(
            code for code, name in CONFIRMATIONS.items() if getattr(tournament, name)
        ),
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


def encoded_time_control(tournament: Tournament) -> str:
    """Return the time control for record 222; empty if it is not known.

    That of the settings, or of a report that was opened before there was this setting, or the one
    in words if it is clear.
    """
    if tournament.encoded_time_control:
        return tournament.encoded_time_control
    lines = (line for line in tournament.trf_extras if line.startswith(ENCODED))
    text = tournament.time_control
    found = next(lines, "").removeprefix(ENCODED).strip() or code_of_words(text) or text.strip()
    return "" if read_time_control(found) is None else found


def time_control_of(tournament: Tournament) -> TimeControl | None:
    """Return the time control; None if it is not known."""
    return read_time_control(encoded_time_control(tournament))


def _year(birth_date: str) -> int | None:
    year = birth_date[:4]
    return int(year) if year.isdecimal() and int(year) <= date.max.year and int(year) else None
