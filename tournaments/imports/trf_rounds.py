"""Save the rounds of a TRF file as they were played."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from pairing.engine.errors import InvariantError
from pairing.engine.model import TPN, Colour, Pairing, Result
from pairing.rules.rounds import RoundState
from pairing.trf.document import RoundCell, TrfDocument
from tournaments.core.errors import BadInput
from tournaments.models import ByeKind, Entry, Game, GameResult, Round, Seat


def round_take_over(
    round_: Round, pairing: Pairing, document: TrfDocument, entries: Mapping[TPN, Entry], *, now: datetime
) -> None:
    """Save *round_* from *document*, which has one round per round played: boards in publication order, results, byes.

    *pairing* is the published pairing. Raises :class:`BadInput` if the two sides of a game do not form a result.
    """
    cells = {player.tpn: player.cell(round_.number) for player in document.players}
    games = _save_games(round_, pairing, cells, games=document.games)
    seats = []
    seated = set()
    firsts = [game for game in games if game.first_id is None]
    for game, (white, black) in zip(firsts, pairing.pairs, strict=True):
        for tpn, colour in ((white, Colour.WHITE), (black, Colour.BLACK)):
            seats.append(Seat(round_id=round_.pk, entry_id=entries[tpn].pk, game_id=game.pk, colour=colour.value))
            seated.add(tpn)
    for tpn, cell in cells.items():
        if tpn not in seated:
            letter = cell.result.value if cell is not None and cell.result is not None else ByeKind.ZERO_POINT.value
            seats.append(Seat(round_id=round_.pk, entry_id=entries[tpn].pk, bye=letter))
    Seat.objects.bulk_create(seats)
    finished = all(game.result != GameResult.NOT_YET for game in games)
    round_.state = RoundState.RESULTS_PUBLISHED if finished else RoundState.PAIRINGS_PUBLISHED
    round_.published_at = now
    round_.results_published_at = now if finished else None
    round_.save(update_fields=["state", "published_at", "results_published_at"])


def _save_games(round_: Round, pairing: Pairing, cells: Mapping[TPN, RoundCell | None], *, games: int) -> list[Game]:
    """Save the games of the boards in publication order; the second games of matches follow all first games."""
    firsts, seconds = [], []
    possible = frozenset(GameResult.values)
    for board, (white, black) in enumerate(pairing.pairs, start=1):
        one, other = cells[white], cells[black]
        if one is None or other is None:
            raise InvariantError(f"Round {round_.number}: {white} and {black} are paired and have no cell.")
        letters = _letter(one.result) + _letter(other.result)
        turned = _letter(other.second) + _letter(one.second)
        for said in (letters, turned):
            if said not in possible:
                raise BadInput("trf.result_pair", white=white, black=black, round=round_.number, result=said)
        firsts.append(Game(round_id=round_.pk, board=board, result=letters))
        seconds.append(turned)
    saved = Game.objects.bulk_create(firsts)
    if games > 1:
        saved += Game.objects.bulk_create(
            Game(round=round_, board=game.board, result=result, first=game)
            for game, result in zip(saved, seconds, strict=True)
        )
    return saved


def _letter(result: Result | None) -> str:
    return "" if result is None else result.value
