"""Rating changes, initial ratings and title norms of all players of a tournament report."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from pairing.engine.model import ABSENT, TPN, Result, RoundRecord
from pairing.ratings.attendance import (
    Attendance,
    Attendant,
    attendance_of,
    large_swiss,
    swiss_exemption,
)
from pairing.ratings.change import rating_change
from pairing.ratings.editions import Title, norm_edition, rating_edition
from pairing.ratings.event_conditions import event_conditions
from pairing.ratings.initial import initial_rating
from pairing.ratings.model import Event, EventKind, Game, Person, Rate, System
from pairing.ratings.norms import norm
from pairing.ratings.rated_games import rate_of
from pairing.ratings.results import games_of
from pairing.ratings.time_controls import read_time_control
from pairing.trf.convert import total_rounds
from pairing.trf.dates import read_date
from pairing.trf.document import PlayerRecord, RoundDates, TrfDocument
from pairing.trf.editions import first_day, shown_day
from pairing.trf.kinds import named_round_robin

from .files import display, document_of
from .norm_cases import change_json, exemption_json, initial_json, large_json, norm_json


class Given(NamedTuple):
    """What the options say about the event."""

    rate: Rate | None = None
    minutes: int | None = None
    host: str = ""
    kind: EventKind = EventKind.ORDINARY


def report_norms(data: bytes, name: str, given: Given) -> dict[str, Any]:
    """Return the figures of every player of the report in *data*, by pairing
    number, and those of the ``event``. A first day that does not decide the editions is reported
    on standard error.

    Raise :class:`InputError` for a file other than a report of an individual tournament.
    """
    # With a system named, a round robin is read too, and rounds are single games.
    document = document_of(data, name, "dutch_2026", check_points=False)
    people = {record.tpn: _person(record) for record in document.players}
    games = {record.tpn: _games(record, people) for record in document.players}
    event = _event(document, given)
    _print_guess(name, document)
    attendants = [
        Attendant(people[record.tpn], _attendance(games[record.tpn], event.rounds))
        for record in document.players
    ]
    exemption, large = swiss_exemption(attendants, event.host), large_swiss(attendants)
    event = replace(event, swiss_exemption=exemption.state)
    if event.system.is_predetermined:
        people = _with_their_points(people, games)
        games = {record.tpn: _games(record, people) for record in document.players}
    answers: dict[str, Any] = {
        "event": {
            "editions": [
                norm_edition(event.start).name,
                rating_edition(event.rate, event.start).name,
            ],
            "conditions": [
                [row.article, row.needed, row.found, row.state.value]
                for row in event_conditions(event)
            ],
            "1.4.3d": exemption_json(exemption),
            "1.5.6a": large_json(large),
        }
    }
    for record in document.players:
        person = people[record.tpn]
        answers[str(record.tpn)] = {
            "name": record.name,
            **_ratings(person, event, games[record.tpn]),
            **{
                title.value: norm_json(norm(title, person, event, games[record.tpn]))
                for title in Title
            },
        }
    return answers


def _print_guess(name: str, document: TrfDocument) -> None:
    """Report on standard error a first day that is missing, unreadable or ambiguous."""
    written = first_day(document)
    if written.day is None:
        problem = f"“{shown_day(written)}” is not a valid date" if written.text else "is missing"
        line = f"the first day (042) {problem}, so the present editions are used"
    elif written.is_ambiguous:
        line = f"the first day (042) is read as {shown_day(written)}"
    else:
        return
    print(f"pairing: {display(name)}: {line}; please check", file=sys.stderr)


def _ratings(person: Person, event: Event, games: Sequence[Game]) -> dict[str, Any]:
    if (change := rating_change(person, event, games)) is not None:
        return {"rating_change": change_json(change) | {"k_assumed": not change.k.is_listed}}
    initial = initial_rating(person, event, games)
    return {} if initial is None else {"initial_rating": initial_json(initial)}


def _person(record: PlayerRecord) -> Person:
    year = record.birth_date[:4]
    return Person(
        rating=record.rating or None,
        titles=frozenset({record.title} - {""}),
        federation=record.federation,
        is_woman=record.sex == "w",
        birth_year=int(year) if year.isdecimal() else None,
        number=record.tpn,
    )


def _games(record: PlayerRecord, people: Mapping[TPN, Person]) -> list[Game]:
    """Return the games; a blank round is a missed one."""
    return games_of(
        [
            ABSENT
            if cell is None
            else RoundRecord(cell.opponent, cell.colour, cell.result or Result.UNKNOWN)
            for cell in record.rounds
        ],
        people,
    )


def _attendance(games: Sequence[Game], rounds: int) -> tuple[Attendance, ...]:
    kinds = {game.round: game.kind for game in games}
    return tuple(attendance_of(kinds.get(number)) for number in range(1, rounds + 1))


def _with_their_points(
    people: Mapping[TPN, Person], games: Mapping[TPN, Sequence[Game]]
) -> dict[TPN, Person]:
    """Return the people, each unrated one with whether no point was made
    against a rated player [B.01/2024 1.4.2b].
    """
    return {
        tpn: replace(
            person,
            no_points=not person.rating
            and not any(
                game.halves
                for game in games[tpn]
                if game.opponent is not None and game.opponent.rating
            ),
        )
        for tpn, person in people.items()
    }


def _event(document: TrfDocument, given: Given) -> Event:
    control = read_time_control(document.text("222"))
    seconds = 60 * given.minutes if given.minutes else control.seconds if control else None
    days = [day for record in document.of(RoundDates) for day in record.dates if day.strip()]
    schedule = tuple(Counter(days).values())
    robin = named_round_robin(document)
    return Event(
        rounds=total_rounds(document),
        rate=given.rate or (rate_of(seconds) if seconds else None) or Rate.STANDARD,
        system=_robin(robin) if robin else System.SWISS,
        kind=given.kind,
        host=(given.host or document.text("032")).strip().upper(),
        start=first_day(document).day,
        end=read_date(document.text("052")).day,
        seconds=seconds,
        same_time=control.is_equal if control else None,
        schedule=schedule,
        players=len(document.players),
    )


def _robin(text: str) -> System:
    return System.DOUBLE_ROUND_ROBIN if "double" in text.lower() else System.ROUND_ROBIN
