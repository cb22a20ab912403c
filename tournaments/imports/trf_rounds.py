"""Save the rounds of a TRF file as they were played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from pairing.engine.errors import InvariantError
from pairing.engine.model import TPN, Pairing, Result
from pairing.rules.rounds import RoundState
from pairing.trf.document import RoundCell, TrfDocument
from tournaments.core.errors import BadInput
from tournaments.core.many_rows import insert_rows
from tournaments.models import ByeKind, Entry, Game, GameResult, Round, Seat, Tournament


@dataclass(frozen=True, slots=True)
class TakenRound:
    """A round of a file: the pairs (White, Black) in publication order, with their results, and the byes.

    ``results`` are the letters of each board as in :class:`GameResult`; ``seconds`` those of the second games of
    matches, else empty.
    """

    pairs: tuple[tuple[TPN, TPN], ...]
    results: tuple[str, ...]
    seconds: tuple[str, ...]
    byes: tuple[tuple[TPN, str], ...]

    @property
    def is_finished(self) -> bool:
        """Whether every game has a result."""
        return GameResult.NOT_YET.value not in (*self.results, *self.seconds)


def taken_round(pairing: Pairing, document: TrfDocument, number: int) -> TakenRound:
    """Return round *number* of *document*, which has one round per round played; *pairing* is the published pairing.

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
            (tpn, cell.result.value if cell is not None and cell.result is not None else ByeKind.ZERO_POINT.value)
            for tpn, cell in cells.items()
            if tpn not in seated
        ),
    )


def rounds_take_over(
    tournament: Tournament, taken: Iterable[TakenRound], entries: Mapping[TPN, Entry], *, now: datetime
) -> None:
    """Save the rounds *taken* as the first ones of *tournament*: boards in publication order, results, byes."""
    rounds = list(Round.objects.filter(tournament=tournament).order_by("number"))
    rows = [(round_, one) for round_, one in zip(rounds, taken, strict=False)]
    games = _save_games(rows)
    seats: list[tuple[object, ...]] = []
    for round_, one in rows:
        for board, (white, black) in enumerate(one.pairs, start=1):
            game = games[round_.pk, board]
            seats.append((round_.pk, entries[white].pk, game, "w", ""))
            seats.append((round_.pk, entries[black].pk, game, "b", ""))
        seats += ((round_.pk, entries[tpn].pk, None, "", letter) for tpn, letter in one.byes)
    insert_rows(Seat, ("round_id", "entry_id", "game_id", "colour", "bye"), seats)
    for round_, one in rows:
        round_.state = RoundState.RESULTS_PUBLISHED if one.is_finished else RoundState.PAIRINGS_PUBLISHED
        round_.published_at = now
        round_.results_published_at = now if one.is_finished else None
        round_.save(update_fields=["state", "published_at", "results_published_at"])


def _save_games(rows: Iterable[tuple[Round, TakenRound]]) -> dict[tuple[int, int], int]:
    """Save the games, the second ones of matches after all first ones; return the first ones by round and board."""
    rows = list(rows)
    firsts = [(round_.pk, board, result) for round_, one in rows for board, result in enumerate(one.results, start=1)]
    insert_rows(Game, ("round_id", "board", "result"), firsts)
    saved = Game.objects.filter(round__in=[round_ for round_, _ in rows]).values_list("round_id", "board", "pk")
    games = {(round_id, board): pk for round_id, board, pk in saved}
    seconds = [
        (round_.pk, board, result, games[round_.pk, board])
        for round_, one in rows
        for board, result in enumerate(one.seconds, start=1)
    ]
    insert_rows(Game, ("round_id", "board", "result", "first_id"), seconds)
    return games


def _results(pair: tuple[TPN, TPN], cells: Mapping[TPN, RoundCell | None], number: int) -> tuple[str, str]:
    """Return the letters of the game of *pair*, and of the second game, in which the colours are reversed."""
    white, black = pair
    one, other = cells[white], cells[black]
    if one is None or other is None:
        raise InvariantError(f"Round {number}: {white} and {black} are paired and have no cell.")
    letters = _letter(one.result) + _letter(other.result)
    turned = _letter(other.second) + _letter(one.second)
    for said in (letters, turned):
        if said not in _POSSIBLE:
            raise BadInput("trf.result_pair", white=white, black=black, round=number, result=said)
    return letters, turned


_POSSIBLE = frozenset(GameResult.values)


def _letter(result: Result | None) -> str:
    return "" if result is None else result.value
