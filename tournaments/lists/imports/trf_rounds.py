"""Save the rounds of a TRF file as they were played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from pairing.engine.errors import InvariantError
from pairing.engine.model import TPN, Pairing, Result
from pairing.rules.rounds import RoundState
from pairing.trf.document import RoundCell, TrfDocument
from tournaments.core.errors import BadInput
from tournaments.core.many_rows import insert_rows
from tournaments.core.numbers import reserve_keys
from tournaments.models import ByeKind, Entry, Game, GameResult, Round, Seat, Tournament
from tournaments.models.payload_data import PlayedRound


@dataclass(frozen=True, slots=True)
class TakenRound:
    """A round of a file: pairs (White, Black) as published, with results, and the byes.

    ``results`` are the letters of each board as in :class:`GameResult`; ``seconds`` those of the
    second games of matches, else empty.
    """

    pairs: tuple[tuple[TPN, TPN], ...]
    results: tuple[str, ...]
    seconds: tuple[str, ...]
    byes: tuple[tuple[TPN, str], ...]

    @property
    def is_finished(self) -> bool:
        """Whether every game has a result."""
        return GameResult.NOT_YET.value not in (*self.results, *self.seconds)

    @property
    def state(self) -> RoundState:
        return RoundState.RESULTS_PUBLISHED if self.is_finished else RoundState.PAIRINGS_PUBLISHED

    def described(self, keys: Mapping[TPN, int]) -> PlayedRound:
        """Return the round as the record describes it; *keys* are those of the players."""
        games = zip(self.pairs, self.results, self.seconds or [None] * len(self.pairs), strict=True)
        return {
            "state": self.state.value,
            "boards": {
                str(board): [keys[white], keys[black], first, *([] if second is None else [second])]
                for board, ((white, black), first, second) in enumerate(games, start=1)
            },
            "byes": {str(keys[tpn]): letter for tpn, letter in self.byes},
        }


def taken_round(pairing: Pairing, document: TrfDocument, number: int) -> TakenRound:
    """Return round *number* of *document*, which has one round per round played;
    *pairing* is the published pairing.

    Raises :class:`BadInput` if the two sides of a game do not form a result.
    """
    cells = {player.tpn: player.cell(number) for player in document.players}
    results = tuple(_results(pair, cells, number) for pair in pairing.pairs)
    seated = {tpn for pair in pairing.pairs for tpn in pair}
    return TakenRound(
        pairs=pairing.pairs,
        results=tuple(first for first, _ in results),
        seconds=tuple(second for _, second in results) if document.games > 1 else (),
        byes=tuple(
            (
                tpn,
                cell.result.value
                if cell is not None and cell.result is not None
                else ByeKind.ZERO_POINT.value,
            )
            for tpn, cell in cells.items()
            if tpn not in seated
        ),
    )


@dataclass(frozen=True, slots=True)
class NewRounds:
    """The rounds of a file, not saved yet. Their games have their keys already;
    the rounds get theirs when saved.

    In ``games`` and ``seats`` the first value of a row is the number of its round.
    """

    taken: tuple[TakenRound, ...]
    games: list[tuple[int, int, int, str, int | None]]
    """Round, key, board, result, key of the first game;
    the second games of matches after all first ones.
    """
    seats: list[tuple[int, int, int | None, str, str]]
    """Round, key of the player, key of the game, colour, bye."""
    described: dict[str, PlayedRound]
    """The rounds for the record."""

    @classmethod
    def from_taken(cls, taken: Sequence[TakenRound], entries: Mapping[TPN, Entry]) -> NewRounds:
        """Return the *taken* rounds of *entries*.

        Everything is in them that can be computed before a transaction.
        """
        keys = {tpn: entry.pk for tpn, entry in entries.items()}
        count = sum(len(one.results) + len(one.seconds) for one in taken)
        free = iter(reserve_keys(Game, count))
        games: list[tuple[int, int, int, str, int | None]] = []
        seats: list[tuple[int, int, int | None, str, str]] = []
        firsts: dict[tuple[int, int], int] = {}
        for number, one in enumerate(taken, start=1):
            for board, ((white, black), result) in enumerate(
                zip(one.pairs, one.results, strict=True), start=1
            ):
                game = firsts[number, board] = next(free)
                games.append((number, game, board, result, None))
                seats.append((number, keys[white], game, "w", ""))
                seats.append((number, keys[black], game, "b", ""))
            seats += ((number, keys[tpn], None, "", letter) for tpn, letter in one.byes)
        for number, one in enumerate(taken, start=1):
            for board, result in enumerate(one.seconds, start=1):
                games.append((number, next(free), board, result, firsts[number, board]))
        described = {str(number): one.described(keys) for number, one in enumerate(taken, start=1)}
        return cls(tuple(taken), games, seats, described)

    def save(self, tournament: Tournament, now: datetime) -> None:
        """Save them as the first rounds of *tournament*, inside the caller's transaction.

        Three queries, and one for each round.
        """
        rounds = {round_.number: round_ for round_ in Round.objects.filter(tournament=tournament)}
        keys = {number: round_.pk for number, round_ in rounds.items()}
        games = ((keys[number], *row) for number, *row in self.games)
        insert_rows(Game, ("round_id", "id", "board", "result", "first_id"), games)
        seats = ((keys[number], *row) for number, *row in self.seats)
        insert_rows(Seat, ("round_id", "entry_id", "game_id", "colour", "bye"), seats)
        for number, one in enumerate(self.taken, start=1):
            round_ = rounds[number]
            round_.state = one.state
            round_.published_at = now
            round_.results_published_at = now if one.is_finished else None
            round_.save(update_fields=["state", "published_at", "results_published_at"])


def _results(
    pair: tuple[TPN, TPN], cells: Mapping[TPN, RoundCell | None], number: int
) -> tuple[str, str]:
    """Return the letters of the game of *pair*, and of the second, with reversed colours."""
    white, black = pair
    one, other = cells[white], cells[black]
    if one is None or other is None:
        raise InvariantError(f"Round {number}: {white} and {black} are paired and have no cell.")
    letters = _letter(one.result) + _letter(other.result)
    turned = _letter(other.second) + _letter(one.second)
    for result in (letters, turned):
        if result not in _POSSIBLE:
            raise BadInput("trf.result_pair", white=white, black=black, round=number, result=result)
    return letters, turned


_POSSIBLE = frozenset(GameResult.values)


def _letter(result: Result | None) -> str:
    return "" if result is None else result.value
