"""The next round while games are open: a provisional pairing, and the certain boards.

Nothing is saved. :data:`LOOK_AHEADS` pairs the outcomes of the open games in a thread of this
process, without a lock in the database. Each process has a thread of its own.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from threading import Condition, Lock, Thread
from typing import Final

from pairing.call_stack import with_room
from pairing.engine.errors import InputError, NoLegalPairingError
from pairing.engine.model import TPN, Colour, TournamentState
from pairing.engine.systems import pair
from pairing.look_ahead import MOST_OPEN, LookAhead, OpenGame, Outlook
from pairing.rounds.snapshot import snapshot
from pairing.rules.rounds import PUBLIC_STATES, RoundState
from tournaments.models import Entry, GameResult, Round, Seat, Tournament

BREATH: Final = 0.001
"""Seconds between two pairings in which other threads of the process work."""


@dataclass(frozen=True, slots=True)
class NextBoard:
    """A board of the provisional pairing; ``times`` is how many of the paired outcomes give it."""

    board: int
    white: Entry
    black: Entry
    times: int
    is_certain: bool


@dataclass(frozen=True, slots=True)
class OpenBoard:
    """A board of the round being played with a game without a result."""

    board: int
    white: str
    black: str


@dataclass(frozen=True, slots=True)
class NextRound:
    """The provisional pairing of ``number``; open games count as draws [C.04.2/2026 3.1].

    ``boards`` and ``bye`` are empty if these draws leave no legal pairing. ``outlook`` has the
    outcomes paired so far.
    """

    number: int
    open_boards: tuple[OpenBoard, ...]
    boards: tuple[NextBoard, ...]
    bye: Entry | None
    bye_is_certain: bool
    outlook: Outlook
    is_done: bool
    """Whether every outcome that is to be paired has been paired."""
    failed: bool = False
    """Whether the open games as draws leave no legal pairing."""

    @property
    def certain(self) -> tuple[NextBoard, ...]:
        return tuple(board for board in self.boards if board.is_certain)

    most_open = MOST_OPEN

    @property
    def is_sample(self) -> bool:
        """Whether too many games are open to pair every outcome."""
        return len(self.outlook.games) > MOST_OPEN


class LookAheads:
    """The look-aheads of this process, one for each of the *most* tournaments asked about last.

    *begin* starts the work; it is called with a function that pairs until nothing is left.
    """

    def __init__(self, begin: Callable[[Callable[[], None]], None], most: int = 20) -> None:
        self._begin = begin
        self._most = most
        self._lock = Lock()
        self._one_done = Condition(self._lock)
        self._by_tournament: OrderedDict[int, LookAhead] = OrderedDict()
        self._is_working = False

    def outlook(
        self, tournament_id: int, state: TournamentState, games: Sequence[OpenGame]
    ) -> tuple[Outlook, bool]:
        """Return what follows from the outcomes paired so far, and whether all are paired;
        begin to pair the others.

        A result that came in only narrows what was paired before; any other change begins anew. The
        sample of many open games is drawn from the tournament and the number of games, so that it
        is the same in every process.
        """
        with self._lock:
            ahead = self._by_tournament.get(tournament_id)
            known = ahead.known_in(state, games) if ahead else None
            if (
                ahead is None
                or known is None
                or (not ahead.is_exhaustive and len(games) < len(ahead.games))
            ):
                ahead, known = LookAhead(state, games, Random(f"{tournament_id} {len(games)}")), {}  # noqa: S311
                self._by_tournament[tournament_id] = ahead
            self._by_tournament.move_to_end(tournament_id)
            while len(self._by_tournament) > self._most:
                self._by_tournament.popitem(last=False)
            begins = not ahead.is_done and not self._is_working
            self._is_working = self._is_working or begins
        if begins:
            try:
                self._begin(self._work)
            except BaseException:
                self._is_working = False
                raise
        return ahead.outlook(known), ahead.is_done

    def wait(self, tournament_id: int, seconds: float) -> None:
        """Return once all outcomes of the tournament that are to be paired have been paired,
        or after *seconds*.

        Nothing to wait for if nobody asked for an :meth:`outlook`. Another process may have paired
        them long ago.
        """
        with self._one_done:
            ahead = self._by_tournament.get(tournament_id)
            if ahead is not None:
                self._one_done.wait_for(lambda: ahead.is_done, timeout=seconds)

    def _work(self) -> None:
        """Pair one outcome after another until all are done, the latest request first."""
        try:
            while (ahead := self._next()) is not None:
                ahead.advance()
                if ahead.is_done:
                    with self._one_done:
                        self._one_done.notify_all()
                time.sleep(BREATH)
        except BaseException:
            with self._lock:
                self._by_tournament.clear()
                self._is_working = False
            raise

    def _next(self) -> LookAhead | None:
        with self._lock:
            for ahead in reversed(self._by_tournament.values()):
                if not ahead.is_done:
                    return ahead
            self._is_working = False
            return None


def _in_a_thread(work: Callable[[], None]) -> None:
    Thread(target=with_room(work), name="look-ahead", daemon=True).start()


LOOK_AHEADS: Final = LookAheads(_in_a_thread)


def next_round(
    tournament: Tournament, number: int, look_aheads: LookAheads = LOOK_AHEADS
) -> NextRound | None:
    """Return the outlook on the planned round *number* while round *number* - 1 is being played.

    None if that is not the state of the rounds, or players have no number or no initial colour yet.
    Seven queries and one pairing, however many games are open; the outcomes are paired by
    *look_aheads*.
    """
    states = dict(Round.objects.filter(tournament=tournament).values_list("number", "state"))
    if states.get(number) != RoundState.PLANNED or states.get(number - 1) not in PUBLIC_STATES:
        return None
    if (
        not tournament.initial_colour
        or Entry.objects.filter(tournament=tournament, tpn__isnull=True).exists()
    ):
        return None
    state, entries = snapshot(tournament, number)
    games, open_boards = _open_games(tournament, number - 1)
    try:
        pairing = pair(state)
    except NoLegalPairingError:
        pairing = None
    except InputError:  # The rows cannot be paired at all: the page of the round says why.
        return None
    outlook, is_done = look_aheads.outlook(tournament.pk, state, games)
    certain = outlook.certain
    pairs = pairing.pairs if pairing else ()
    bye = pairing.bye if pairing else None
    return NextRound(
        number=number,
        open_boards=open_boards,
        boards=tuple(
            NextBoard(
                board=board,
                white=entries[white],
                black=entries[black],
                times=outlook.boards.get((white, black), 0),
                is_certain=(white, black) in certain,
            )
            for board, (white, black) in enumerate(pairs, start=1)
        ),
        bye=None if bye is None else entries[bye],
        bye_is_certain=bye is not None and outlook.certain_bye == bye,
        outlook=outlook,
        is_done=is_done,
        failed=pairing is None,
    )


def _open_games(
    tournament: Tournament, number: int
) -> tuple[tuple[OpenGame, ...], tuple[OpenBoard, ...]]:
    """Return the games of round *number* without a result, and their boards, by board. Two queries.

    An adjourned game is not among them: it stays a draw for the pairing of the next round.
    """
    open_ = Round.objects.get(tournament=tournament, number=number).games.filter(
        result=GameResult.NOT_YET
    )
    at_first: dict[int, list[bool]] = {}
    for pk, first in open_.order_by("board", "pk").values_list("pk", "first"):
        at_first.setdefault(first or pk, []).append(first is not None)
    seats: dict[int, dict[str, tuple[int, str]]] = {}
    rows = Seat.objects.filter(game__in=at_first).values_list(
        "game", "colour", "entry__tpn", "entry__name", "game__board"
    )
    boards: dict[int, int] = {}
    for game, colour, tpn, name, board in rows:
        if tpn is not None:
            seats.setdefault(game, {})[colour] = (tpn, name)
            boards[game] = board
    games: list[OpenGame] = []
    lines: list[OpenBoard] = []
    for game, seconds in at_first.items():
        (white, white_name), (black, black_name) = (seats[game][colour.value] for colour in Colour)
        games += [OpenGame(TPN(white), TPN(black), is_second) for is_second in seconds]
        lines.append(OpenBoard(boards[game], white_name, black_name))
    return tuple(games), tuple(lines)
