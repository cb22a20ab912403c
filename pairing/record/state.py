"""A tournament as its record describes it, and the questions the replay asks about it.

Players are known by the number of their entry, which is the same in all lines of one record.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from pairing.rules.rounds import PUBLIC_STATES, RoundState

from .chain import Line
from .private import same

RESULTS: Final = frozenset(
    {"10", "==", "01", "00", "=0", "0=", "+-", "-+", "--", "WL", "DD", "LW", "??", ""}
)
"""The results of a game: White's letter of the report file, then Black's;
adjourned, and none yet.
"""
BYES: Final = frozenset("UFHZ")
RATINGS: Final = ("fide_rating", "national_rating", "second_rating", "rating")
"""The ratings that a correction changes; ``rating`` is an estimate."""


GameDate = tuple[str, str]
"""The date of a game in UTC, and its place."""


class InconsistentError(Exception):
    """A line that contradicts the lines before it; the message says in what."""


@dataclass(slots=True)
class Board:
    """White, Black, and the results: one, or two if a round is a match."""

    white: int
    black: int
    results: list[str]
    dates: dict[int, GameDate] = field(default_factory=dict)
    """The date (in UTC) and the place of the games that are not played with the round,
    by number of the game.
    """
    values: dict[int, dict[str, Any]] = field(default_factory=dict)
    """By number of the game, the values of :data:`~pairing.record.defaults.GAME`
    that are not the default.
    """


@dataclass(slots=True)
class RoundTable:
    """A round: its state, its boards by number, the letters of byes by entry, its announced times,
    and its own times.

    ``tables`` has the tables of the boards that are not at the table of their number. All times are
    in UTC (:func:`moment`).
    """

    state: str = RoundState.PLANNED.value
    boards: dict[int, Board] = field(default_factory=dict)
    byes: dict[int, str] = field(default_factory=dict)
    tables: dict[int, int] = field(default_factory=dict)
    starts_at: str | None = None
    results_due_at: str | None = None
    paired_at: str | None = None
    published_at: str | None = None
    results_published_at: str | None = None
    values: dict[str, Any] = field(default_factory=dict)
    """The values of :data:`~pairing.record.defaults.ROUND` that are not the default."""

    @property
    def is_public(self) -> bool:
        return self.state in PUBLIC_STATES

    @property
    def places(self) -> Iterator[int]:
        """The player of every place; a player twice has two places."""
        for board in self.boards.values():
            yield from (board.white, board.black)
        yield from self.byes


@dataclass(slots=True)
class Corrected:
    """A correction: kind and round, board and game, or entry, and what the arbiter decided.

    For wrong colours the game is 0, because they are those of the whole match.
    """

    kind: str
    round_number: int
    about: tuple[int, ...]
    reported_at: str
    entered_at: str
    effect: str
    waiting: bool
    before: dict[str, Any]
    after: dict[str, Any]
    reason: object
    values: dict[str, Any] = field(default_factory=dict)
    """The values of :data:`~pairing.record.defaults.CORRECTION` that are not the default."""


@dataclass(slots=True)
class State:
    """Everything that the lines read so far say.

    ``waiting`` has the values of corrections that wait, by subject and name of the value.
    ``by_rule`` has the withdrawals made by the rules, by entry and round: the value before, and
    after.
    """

    settings: dict[str, Any] = field(default_factory=dict)
    players: dict[int, dict[str, Any]] = field(default_factory=dict)
    rounds: dict[int, RoundTable] = field(default_factory=dict)
    byes: dict[tuple[int, int], str] = field(default_factory=dict)
    """The letters of requested byes, by entry and round."""
    check_in: tuple[int | None, bool] = (None, False)
    """The round of the last check-in, and whether it is open."""
    desk: dict[int, dict[str, Any]] = field(default_factory=dict)
    """What only the check-in desk knows, by entry."""
    fee: object = 0
    skipped: dict[int, frozenset[int]] = field(default_factory=dict)
    """By round, the missing players whom its newest pairing
    leaves out until they are checked in.
    """
    adjustments: list[tuple[int | None, int, int | None, str]] = field(default_factory=list)
    """Point adjustments: entry, tenths of points, round,
    and the result that is worth them (from files only).
    """
    prohibited: list[list[int]] = field(default_factory=list)
    """Two entries each, and the last round of the prohibition if it does not hold in all."""
    prizes: object = None
    waiting: dict[tuple[object, ...], Any] = field(default_factory=dict)
    corrections: list[Corrected] = field(default_factory=list)
    """In the order of their entry, without those that a newer one replaced while they waited."""
    views: dict[tuple[int, str], dict[object, str]] = field(default_factory=dict)
    """By round and time of the pairing, the accounts that opened the draft, and when."""
    created: tuple[object, str] = (None, "")
    """The account that made the tournament, and the time."""
    section: object = None
    """The event and the section, if the tournament is one."""
    by_rule: dict[tuple[int, int], tuple[int | None, int]] = field(default_factory=dict)
    draws: list[tuple[str, str]] = field(default_factory=list)
    """What a witness named and the seed, of each draw of the program;
    the secret is not known yet.
    """
    reports: list[dict[str, Any]] = field(default_factory=list)
    """The reports to the rating officer that were sent and not withdrawn."""
    last_report: int = 0
    """The number of the newest report, withdrawn or not."""
    lines: dict[int, Line] = field(default_factory=dict)
    """The lines so far, by number, for the undo."""
    has_gaps: bool = False
    """Whether lines about check-ins or about byes in coming rounds were withheld."""

    @property
    def games(self) -> int:
        """The number of games at a board."""
        return 2 if str(self.settings.get("system")).startswith("double_swiss") else 1

    @property
    def late_entry_bye(self) -> str:
        return str(self.settings.get("late_entry_bye", "Z"))

    def player(self, entry: int) -> dict[str, Any]:
        if entry not in self.players:
            raise InconsistentError(f"there is no entry {entry}.")
        return self.players[entry]

    def numbered(self, tpn: int) -> int:
        """Return the entry with pairing number *tpn*."""
        found = [entry for entry, values in self.players.items() if values["tpn"] == tpn]
        if len(found) != 1:
            raise InconsistentError(f"there is no player with number {tpn}.")
        return found[0]

    def round(self, line: Line) -> RoundTable:
        """Return the round of *line*."""
        return self.round_number(line.round_number)

    def round_number(self, number: object) -> RoundTable:
        if not isinstance(number, int) or number not in self.rounds:
            raise InconsistentError(f"there is no round {number}.")
        return self.rounds[number]

    def board(self, table: RoundTable, number: int) -> Board:
        if number not in table.boards:
            raise InconsistentError(f"there is no board {number} in its round.")
        return table.boards[number]

    def takes_part(self, entry: int, number: int) -> bool:
        """Return whether the player has arrived by round *number* and has not withdrawn."""
        values = self.player(entry)
        gone = values["withdrawn_from"]
        return bool(values["first_round"] <= number and (gone is None or number < gone))

    def is_excused(self, entry: int, number: int) -> bool:
        """Return if the player asked for a bye in *number*, or is left out until checked in."""
        return (entry, number) in self.byes or entry in self.skipped.get(number, ())

    def bye_of(self, entry: int, number: int) -> str:
        """Return the letter of a player who is not paired in round *number*."""
        values = self.player(entry)
        if values["first_round"] > number and values["withdrawn_from"] is None:
            return self.late_entry_bye
        return self.byes.get((entry, number), "Z") if self.takes_part(entry, number) else "Z"

    def open_board(self, white: int, black: int) -> Board:
        """Return a board without a result."""
        for entry in (white, black):
            self.player(entry)
        return Board(white, black, [""] * self.games)


def moment(text: str | None) -> str | None:
    """Return the time *text* in UTC with microseconds: equal times are equal texts; None stays."""
    return (
        None
        if text is None
        else datetime.fromisoformat(text).astimezone(UTC).isoformat(timespec="microseconds")
    )


def require(condition: object, message: str) -> None:
    """Raise :class:`InconsistentError` unless *condition* is true."""
    if not condition:
        raise InconsistentError(message)


def require_before(what: str, value: object, known: object) -> None:
    """Raise :class:`InconsistentError` unless *what* has the *value* that earlier lines left."""
    if not same(value, known):
        raise InconsistentError(f"before it, {what} was {shown(known)} and not {shown(value)}.")


def shown(value: object) -> str:
    """Return *value* as the sentences of the verifier have it."""
    return "nothing" if value is None or value == "" else f"“{value}”"
