"""Look ahead: pair the next round for the ways in which the games still open can end.

A board is certain if every possible outcome of the open games gives it. With up to
:data:`MOST_OPEN` open games all are paired (729 for six games); with more, a sample of them, which
can show that a board is not certain, but never that it is. Forfeits are left out: a board is
certain as long as the open games are played.

Chance comes in as an argument. Cost: one pairing for each outcome, of which most parts are shared
with the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from pairing.engine.errors import NoLegalPairingError
from pairing.engine.generator import Chance
from pairing.engine.model import TPN, Pairing, Result, RoundRecord, TournamentState
from pairing.engine.systems import pair_similar

MOST_OPEN = 6
"""Up to this number of open games every outcome is paired."""
SAMPLE = 30
"""The outcomes that are paired with more open games."""

WHITE_RESULTS = (Result.WIN, Result.DRAW, Result.LOSS)
BLACK_RESULT = {
    Result.WIN: Result.LOSS,
    Result.DRAW: Result.DRAW,
    Result.LOSS: Result.WIN,
    Result.UNKNOWN: Result.UNKNOWN,
}

Board = tuple[TPN, TPN]
"""White and Black of the next round."""
End = tuple[Result, ...]
"""One result for each open game, in their order, for the White of the first game of the board."""


@dataclass(frozen=True, slots=True, order=True)
class OpenGame:
    """A game of the last round without a result. *is_second*:
    the second game of a match [C.04.5/2026 0].

    *white* and *black* have these colours in the first game.
    """

    white: TPN
    black: TPN
    is_second: bool = False


@dataclass(frozen=True, slots=True)
class Outlook:
    """How often each board, bye and failure follows, of ``paired`` of ``possible`` outcomes."""

    games: tuple[OpenGame, ...]
    possible: int
    paired: int
    boards: Mapping[Board, int]
    byes: Mapping[TPN, int]
    unpairable: int

    @property
    def is_complete(self) -> bool:
        """Whether every possible outcome was paired."""
        return self.paired == self.possible

    @property
    def certain(self) -> frozenset[Board]:
        """Return the boards that follow from every outcome; none until all are paired."""
        if not self.is_complete:
            return frozenset()
        return frozenset(board for board, times in self.boards.items() if times == self.possible)

    @property
    def certain_bye(self) -> TPN | None:
        """Return the player who has the PAB after every outcome."""
        if not self.is_complete:
            return None
        return next((tpn for tpn, times in self.byes.items() if times == self.possible), None)


class LookAhead:
    """Pairings of the next round by the outcome of the open games,
    which grow by one with :meth:`advance`.

    *state* is the state before the next round; the results that it has for the open *games* do not
    matter. With more than :data:`MOST_OPEN` games, *chance* draws :data:`SAMPLE` outcomes.
    """

    def __init__(self, state: TournamentState, games: Sequence[OpenGame], chance: Chance) -> None:
        self.state = state
        self.games = tuple(games)
        self.possible = len(WHITE_RESULTS) ** len(self.games)
        self._left = list(
            all_ends(len(self.games)) if len(self.games) <= MOST_OPEN else self._drawn(chance)
        )
        self._left.reverse()
        self._pair = pair_similar(state.system)
        self._pairings: dict[End, Pairing | None] = {}
        self._shared: dict[Board, Board] = {}

    @property
    def is_done(self) -> bool:
        """Whether every outcome that is to be paired has been paired."""
        return not self._left

    @property
    def is_exhaustive(self) -> bool:
        """Whether all possible outcomes are paired, and not a sample of them."""
        return len(self.games) <= MOST_OPEN

    def advance(self) -> None:
        """Pair one more outcome."""
        end = self._left[-1]
        try:
            found = self._pair(self.after(end))
        except NoLegalPairingError:
            self._pairings[end] = None
        else:
            # One object for the same board in all pairings: 729 pairings of 300 players then take
            # one megabyte.
            boards = tuple([self._shared.setdefault(board, board) for board in found.pairs])
            self._pairings[end] = Pairing(boards, found.bye)
        self._left.pop()
        if not self._left:
            self._pair = pair_similar(self.state.system)  # What it has kept is not needed any more.

    def after(self, end: End) -> TournamentState:
        """Return the state if the open games end like *end*.

        Only the players of these games are made again.
        """
        return _with_results(self.state, zip(self.games, end, strict=True))

    def known_in(
        self, state: TournamentState, games: Sequence[OpenGame]
    ) -> dict[OpenGame, Result] | None:
        """Return the results that *state* has for our games that
        are no longer among the open *games*.

        None if these pairings do not answer for *state*: it differs in anything else, another game
        is open, or one of our games did not end with a win, a draw or a loss.
        """
        if not set(games) <= set(self.games) or state.round_number != self.state.round_number:
            return None
        if {player.tpn for player in state.players} != {
            player.tpn for player in self.state.players
        }:
            return None
        if _with_open(state, self.games) != _with_open(self.state, self.games):
            return None
        players = state.by_tpn()
        known: dict[OpenGame, Result] = {}
        for game in self.games:
            if game in games:
                continue
            record = players[game.white].rounds[-1]
            result = record.second if game.is_second else record.result
            if result not in WHITE_RESULTS:
                return None
            known[game] = result
        return known

    def outlook(self, known: Mapping[OpenGame, Result] | None = None) -> Outlook:
        """Count what follows from the outcomes paired so far,
        of those that agree with the *known* results.

        So a result that comes in needs no new pairing: its outcomes are among those paired before.
        *known* are results for the White of the first game; a result that no outcome has (a
        forfeit) leaves none.
        """
        known = known or {}
        kept = [(place, known[game]) for place, game in enumerate(self.games) if game in known]
        boards: Counter[Board] = Counter()
        byes: Counter[TPN] = Counter()
        unpairable = paired = 0
        for end, pairing in list(self._pairings.items()):  # Another thread may be adding to them.
            if any(end[place] is not result for place, result in kept):
                continue
            paired += 1
            if pairing is None:
                unpairable += 1
                continue
            boards.update(pairing.pairs)
            if pairing.bye is not None:
                byes[pairing.bye] += 1
        return Outlook(
            games=tuple(game for game in self.games if game not in known),
            possible=len(WHITE_RESULTS) ** (len(self.games) - len(kept)),
            paired=paired,
            boards=boards,
            byes=byes,
            unpairable=unpairable,
        )

    def _drawn(self, chance: Chance) -> Iterator[End]:
        """Draw different outcomes.

        More than six games have at least 2,187, so a repetition is rare.
        """
        seen: set[End] = set()
        while len(seen) < SAMPLE:
            end = tuple(WHITE_RESULTS[_below_three(chance)] for _ in self.games)
            if end not in seen:
                seen.add(end)
                yield end


def all_ends(games: int) -> Iterator[End]:
    """Return every outcome of that many games, all draws first: players ask for that first."""
    ends = product(WHITE_RESULTS, repeat=games)
    drawn = (Result.DRAW,) * games
    yield drawn
    yield from (end for end in ends if end != drawn)


def _with_open(state: TournamentState, games: Iterable[OpenGame]) -> TournamentState:
    """Return *state* with no result for these games."""
    return _with_results(state, ((game, Result.UNKNOWN) for game in games))


def _with_results(
    state: TournamentState, results: Iterable[tuple[OpenGame, Result]]
) -> TournamentState:
    """Return *state* with these results of the last round, each for the White of the first game.

    Only the players of these games are made again.
    """
    records: dict[TPN, RoundRecord] = {}
    rounds = {player.tpn: player.rounds for player in state.players}
    for game, result in results:
        for tpn, own in ((game.white, result), (game.black, BLACK_RESULT[result])):
            last = records.get(tpn) or rounds[tpn][-1]
            records[tpn] = (
                replace(last, second=own) if game.is_second else replace(last, result=own)
            )
    players = [
        replace(player, rounds=(*player.rounds[:-1], records[player.tpn]))
        if player.tpn in records
        else player
        for player in state.players
    ]
    return replace(state, players=tuple(players))


def _below_three(chance: Chance) -> int:
    while (number := chance.getrandbits(2)) == 3:
        pass
    return number
