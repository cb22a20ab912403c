"""Decide which games the next report has: each game once, later only corrections.

C.04.2 and the handbook on the report file (C.02.03) know one report of a whole event. A part of it
has the games that are finished and were not in an earlier part, and names every change of a game
that was.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .verdict import ALLOWED, Refused, Verdict

Key = tuple[int, int, int]
"""A game: its round, and its players in the order of their numbers.

Two players meet once in a round.
"""


@dataclass(frozen=True, slots=True)
class ReportedGame:
    """A game with its result: White's letter, then Black's; of both games if a round is a match."""

    round_number: int
    board: int
    white: int
    black: int
    results: tuple[str, ...]

    @property
    def key(self) -> Key:
        return self.round_number, *sorted((self.white, self.black))  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class Change:
    """A game that the report *report* had otherwise."""

    report: int
    before: ReportedGame
    after: ReportedGame


@dataclass(frozen=True, slots=True)
class Selection:
    """What the next report has: games that were never sent, and changes of games that were."""

    games: tuple[ReportedGame, ...]
    corrected: tuple[Change, ...]


def selected(
    finished: Iterable[ReportedGame], sent: Mapping[Key, tuple[int, ReportedGame]]
) -> Selection:
    """Return what the next report has of the *finished* games;
    *sent* are the games as last sent, with the report.
    """
    games, corrected = [], []
    for game in finished:
        known = sent.get(game.key)
        if known is None:
            games.append(game)
        elif known[1] != game:
            corrected.append(Change(*known, game))
    return Selection(tuple(games), tuple(corrected))


def may_send(selection: Selection) -> Verdict:
    """Check whether there is a report to send: not without a new game or a correction."""
    if selection.games or selection.corrected:
        return ALLOWED
    return Refused("report.nothing_new")
