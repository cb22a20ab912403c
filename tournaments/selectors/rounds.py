"""The boards of a round: for the arbiter, for the public, by board and by name."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from pairing.engine.model import TPN, Result
from tournaments.bridge import accelerations, point_system, takes_part
from tournaments.models import ByeKind, GameResult, Round, RoundState, Seat, Tournament

from .frame import Frame

_RESULTS: Final[Mapping[str, Result]] = {result.value: result for result in Result}


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player as a pairing names him, with points (tenths) and colours *before* the round.

    ``virtual`` are the points (tenths) an acceleration adds for the pairing of this round only [C.04.7/2026].

    ``colours`` holds a letter for each played game (``W``, ``B``) and ``·`` for an unplayed round.
    """

    entry_id: int
    tpn: int | None
    name: str
    title: str
    federation: str
    strength: int
    points: int
    colours: str
    virtual: int

    @property
    def pairing_score(self) -> int:
        """What the player was paired by."""
        return self.points + self.virtual


@dataclass(frozen=True, slots=True)
class BoardLine:
    """One board; ``result`` is a :class:`GameResult` value, empty where none is known to the reader."""

    board: int
    game_id: int
    white: PlayerLine
    black: PlayerLine
    result: str
    version: int

    @property
    def is_missing(self) -> bool:
        return self.result == GameResult.NOT_YET

    @property
    def crosses_scoregroups(self) -> bool:
        """Whether the two players come from different scoregroups: one of them floats."""
        return self.white.pairing_score != self.black.pairing_score


@dataclass(frozen=True, slots=True)
class ByeLine:
    """A player without a game in the round, and why."""

    player: PlayerLine
    kind: ByeKind


@dataclass(frozen=True, slots=True)
class NameLine:
    """Where one player sits, for the list by name; no board for a bye."""

    player: PlayerLine
    board: int | None
    colour: str
    opponent: PlayerLine | None
    result: str
    bye: ByeKind | None


@dataclass(frozen=True, slots=True)
class RoundPage:
    """A round with its boards in publication order [C.04.2/2026 3.6]; nothing in it where it is not paired."""

    number: int
    state: RoundState
    starts_at: datetime | None
    results_due_at: datetime | None
    paired_at: datetime | None
    published_at: datetime | None
    results_published_at: datetime | None
    round_id: int
    boards: tuple[BoardLine, ...] = ()
    byes: tuple[ByeLine, ...] = ()

    @property
    def is_accelerated(self) -> bool:
        """Whether anybody has virtual points in this round."""
        players = [bye.player for bye in self.byes] + [p for line in self.boards for p in (line.white, line.black)]
        return any(player.virtual for player in players)

    @property
    def missing(self) -> tuple[int, ...]:
        """The boards without a result."""
        return tuple(line.board for line in self.boards if line.is_missing)

    @property
    def entered(self) -> int:
        return len(self.boards) - len(self.missing)

    @property
    def pairing_allocated_bye(self) -> ByeLine | None:
        return next((line for line in self.byes if line.kind == ByeKind.PAIRING_ALLOCATED), None)

    @property
    def other_byes(self) -> tuple[ByeLine, ...]:
        return tuple(line for line in self.byes if line.kind != ByeKind.PAIRING_ALLOCATED)

    def by_name(self, words: str = "") -> tuple[NameLine, ...]:
        """Every player of the round in alphabetical order; with *words* those who answer to them."""
        lines: list[NameLine] = []
        for line in self.boards:
            lines.append(NameLine(line.white, line.board, "w", line.black, line.result, None))
            lines.append(NameLine(line.black, line.board, "b", line.white, line.result, None))
        lines.extend(NameLine(bye.player, None, "", None, "", bye.kind) for bye in self.byes)
        wanted = (line for line in lines if answers_to(line.player, words))
        return tuple(sorted(wanted, key=lambda line: (fold(line.player.name), line.player.tpn or 0)))

    def searched(self, words: str) -> RoundPage:
        """The same round with only the boards and byes in which a player's name or TPN answers to *words*."""
        return replace(
            self,
            boards=tuple(
                line for line in self.boards if answers_to(line.white, words) or answers_to(line.black, words)
            ),
            byes=tuple(line for line in self.byes if answers_to(line.player, words)),
        )


def fold(text: str) -> str:
    """*text* as people search it: without accents, in lower case, spaces and commas alike."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join(plain.casefold().replace(",", " ").split())


def answers(name: str, tpn: int | None, words: str) -> bool:
    """Whether every one of *words* begins a part of *name*, or *words* is the *tpn*."""
    wanted = fold(words).split()
    parts = fold(name).replace("-", " ").split()
    return words.strip() == str(tpn) or all(any(part.startswith(word) for part in parts) for word in wanted)


def answers_to(player: PlayerLine, words: str) -> bool:
    """Whether *player* is meant by *words*."""
    return answers(player.name, player.tpn, words)


def round_page(frame: Frame, row: Round) -> RoundPage:
    """The round *row* as the reader of *frame* may see it. Two queries.

    To a visitor a draft is an unpaired round, and results are unknown until they are published.
    """
    state = frame.state_of(row.number)
    page = RoundPage(
        number=row.number,
        state=state,
        starts_at=row.starts_at,
        results_due_at=row.results_due_at,
        paired_at=row.paired_at if state != RoundState.PLANNED else None,
        published_at=row.published_at,
        results_published_at=row.results_published_at,
        round_id=row.pk,
    )
    if state == RoundState.PLANNED:
        return page
    seats = list(Seat.objects.filter(round=row).select_related("entry", "game"))
    before = _before(frame.tournament, row.number, seats)
    show_results = frame.runs or state == RoundState.RESULTS_PUBLISHED
    return replace(
        page,
        boards=_boards(seats, before, show_results=show_results),
        byes=_byes(seats, before, row.number),
    )


@dataclass(frozen=True, slots=True)
class _Before:
    points: Mapping[int, int]
    colours: Mapping[int, str]
    virtual: Mapping[int, int]


def _before(tournament: Tournament, number: int, seats: Iterable[Seat]) -> _Before:
    """Points and colours of everybody before round *number*, and the virtual points of its *seats*. One query."""
    values = point_system(tournament)
    points: defaultdict[int, int] = defaultdict(int)
    colours: defaultdict[int, str] = defaultdict(str)
    rows = (
        Seat.objects.filter(round__tournament=tournament, round__number__lt=number)
        .order_by("round__number")
        .values_list("entry_id", "colour", "bye", "game__result")
    )
    for entry_id, colour, bye, result in rows:
        letter = bye or (result[:1] if colour == "w" else result[1:])
        if not letter:
            colours[entry_id] += "?"
            continue
        outcome = _RESULTS[letter]
        points[entry_id] += values.value(outcome)
        colours[entry_id] += colour.upper() if outcome.is_played else "·"
    return _Before(points, colours, _virtual(tournament, number, seats))


def _virtual(tournament: Tournament, number: int, seats: Iterable[Seat]) -> dict[int, int]:
    """The virtual points by entry of those who have any in round *number*: everybody there at the start has a seat."""
    entries = {TPN(seat.entry.tpn): seat.entry for seat in seats if seat.entry.tpn is not None}
    return {
        entry.pk: record.points
        for record in accelerations(tournament, entries)
        if record.first_round <= number <= record.last_round
        for tpn, entry in entries.items()
        if tpn <= record.last_tpn
    }


def _player(seat: Seat, before: _Before) -> PlayerLine:
    entry = seat.entry
    return PlayerLine(
        entry_id=entry.pk,
        tpn=entry.tpn,
        name=entry.name,
        title=entry.title,
        federation=entry.federation,
        strength=entry.strength,
        points=before.points.get(entry.pk, 0),
        colours=before.colours.get(entry.pk, ""),
        virtual=before.virtual.get(entry.pk, 0),
    )


def _boards(seats: Iterable[Seat], before: _Before, *, show_results: bool) -> tuple[BoardLine, ...]:
    at_board: defaultdict[int, dict[str, Seat]] = defaultdict(dict)
    for seat in seats:
        if seat.game is not None:
            at_board[seat.game.board][seat.colour] = seat
    lines = []
    for board, pair in sorted(at_board.items()):
        game = pair["w"].game
        assert game is not None  # only seats with a game were collected
        lines.append(
            BoardLine(
                board=board,
                game_id=game.pk,
                white=_player(pair["w"], before),
                black=_player(pair["b"], before),
                result=game.result if show_results else GameResult.NOT_YET,
                version=game.version,
            )
        )
    return tuple(lines)


def _byes(seats: Iterable[Seat], before: _Before, number: int) -> tuple[ByeLine, ...]:
    """Those without a game who are still, and already, in the tournament."""
    lines = [
        ByeLine(_player(seat, before), ByeKind(seat.bye))
        for seat in seats
        if seat.bye and takes_part(seat.entry, number)
    ]
    rank = {ByeKind.PAIRING_ALLOCATED: 0, ByeKind.FULL_POINT: 1, ByeKind.HALF_POINT: 2, ByeKind.ZERO_POINT: 3}
    return tuple(sorted(lines, key=lambda line: (rank[line.kind], line.player.tpn or 0)))
