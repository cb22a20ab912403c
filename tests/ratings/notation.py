"""Games of one player in short: ``1 2460 GM GER`` is a win against a GM of GER rated 2460.

Results: ``1 = 0`` played, ``w d l`` less than a move, ``+ -`` forfeited, ``U H F Z`` byes. A rating
of 0 is none; a title may be ``-`` or two, ``FM+WGM``. Lines end with ``;``; rounds count from 1.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from pairing.ratings.model import Event, Game, Kind, Person

KINDS = {
    **dict.fromkeys("1=0", Kind.PLAYED),
    **dict.fromkeys("wdl", Kind.LESS_THAN_A_MOVE),
    "+": Kind.FORFEIT_WIN,
    "-": Kind.FORFEIT_LOSS,
    "U": Kind.PAIRING_ALLOCATED_BYE,
    "H": Kind.HALF_POINT_BYE,
    "F": Kind.FULL_POINT_BYE,
    "Z": Kind.ZERO_POINT_BYE,
    "?": Kind.OPEN,
}
HALVES = {"1": 2, "w": 2, "+": 2, "U": 2, "F": 2, "=": 1, "d": 1, "H": 1}

EVENT = Event(rounds=9, host="AUT", start=date(2026, 9, 5), seconds=7200, most_rounds_a_day=1)
"""A Swiss of nine rounds in which norms are possible."""
HERO = Person(rating=2410, federation="AUT")

NINE = """1 2500 GM SWE; 1 2480 GM SWE; 1 2440 GM HUN; 1 2410 IM HUN; = 2380 FM CZE;
= 2360 - CZE; = 2350 - SLO; = 2340 - AUT; 1 2320 - AUT"""
"""Nine opponents with an average of 2398, and 7 points: a GM norm with Rp 2618."""


def person(text: str) -> Person:
    rating, title, federation = text.split()
    titles = frozenset() if title == "-" else frozenset(title.split("+"))
    return Person(int(rating) or None, titles=titles, federation=federation)


def games(text: str) -> list[Game]:
    found = []
    for number, line in enumerate(text.replace("\n", " ").split(";"), 1):
        letter, _, opponent = line.strip().partition(" ")
        found.append(
            Game(
                number,
                KINDS[letter],
                HALVES.get(letter, 0),
                person(opponent) if opponent.strip() else None,
            )
        )
    return found


def changed(text: str, **lines: str) -> list[Game]:
    """Return the games of *text* with other lines: ``changed(NINE, r9="U")``."""
    rows = [row.strip() for row in text.replace("\n", " ").split(";")]
    for name, line in lines.items():
        number = int(name[1:])
        rows[number - 1 : number] = [line]
    return games("; ".join(rows))


def event(**facts: object) -> Event:
    return replace(EVENT, **facts)  # type: ignore[arg-type]
