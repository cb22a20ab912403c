"""Read and write the seats of a round: boards, byes and fixed tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from pairing.engine.model import TPN, Colour, Pairing
from pairing.rounds.snapshot import takes_part
from pairing.rules.published import Arrangement
from pairing.rules.rounds import RoundState
from pairing.rules.tables import tables
from tournaments.core.chosen_rules import is_of_matches
from tournaments.core.many_rows import save_fields
from tournaments.core.scores import AT_BOARD, Score
from tournaments.models import ByeKind, Entry, Game, GameResult, Round, Seat, Tournament
from tournaments.models.payload_round_data import BoardResult


def arrangement_of(
    round_: Round, entries: Mapping[TPN, Entry]
) -> tuple[Arrangement, dict[int, str]]:
    """Return the places in *round_*, and the results so far by board (:attr:`Score.as_one`).

    One query.
    """
    tpn_of = {entry.pk: tpn for tpn, entry in entries.items()}
    seats: dict[int, dict[str, TPN]] = defaultdict(dict)
    byes: dict[TPN, str] = {}
    results: dict[int, str] = {}
    rows: Sequence[tuple[int, str, str, int | None, int | None, str, str | None]] = list(
        Seat.objects.filter(round=round_).values_list(
            "entry_id", "colour", "bye", "game__board", "game__corrections", *AT_BOARD
        )
    )
    for entry_id, colour, bye, board, correction, first, second in rows:
        if board is None:
            byes[tpn_of[entry_id]] = bye
            continue
        seats[board][colour] = tpn_of[entry_id]
        results[board] = Score(first, second).as_one if correction is None else GameResult.ADJOURNED
    boards = {board: (pair["w"], pair["b"]) for board, pair in sorted(seats.items())}
    return Arrangement(boards, byes), results


def clear_pairing(round_: Round) -> None:
    """Delete the boards and byes of a draft. Two queries."""
    Seat.objects.filter(round=round_).delete()
    Game.objects.filter(round=round_).delete()


def discard_pairing(round_: Round) -> None:
    """Delete the draft: the round is to be paired again. Three queries."""
    clear_pairing(round_)
    round_.state = RoundState.PLANNED
    round_.paired_at = None
    round_.paired_from_version = None
    round_.save(update_fields=["state", "paired_at", "paired_from_version"])


def open_boards(tournament: Tournament, round_: Round, boards: Iterable[int]) -> dict[int, Game]:
    """Create the games of *boards* of *round_* without results;
    return the game at which the players sit, by board.

    If a round is a match, each board gets a second game. One query, or two for matches.
    """
    games = {
        game.board: game
        for game in Game.objects.bulk_create(Game(round=round_, board=b) for b in boards)
    }
    if is_of_matches(tournament):
        Game.objects.bulk_create(
            Game(round=round_, board=board, first=game) for board, game in games.items()
        )
    return games


def result_values(tournament: Tournament, game: Game, result: str) -> BoardResult:
    """Return *result* at the board of *game*, with the number of the game of a match."""
    if is_of_matches(tournament):
        return {"board": game.board, "game": game.number, "result": result}
    return {"board": game.board, "result": result}


def save_pairing(
    tournament: Tournament,
    round_: Round,
    pairing: Pairing,
    entries: Mapping[TPN, Entry],
    byes: Mapping[int, str],
) -> tuple[list[Game], list[Seat]]:
    """Give every player a seat in *round_*: a colour at a board, the pairing-allocated bye,
    or the bye of *byes*.

    *pairing* is in publication order: the first pair sits at board 1. *byes* are the letters of
    requested byes by entry id. A player without a pairing and without a request is absent without
    points; a late entry gets the points of the regulations. Two queries, three if a round is a
    match.
    """
    games = list(open_boards(tournament, round_, range(1, len(pairing.pairs) + 1)).values())
    seats = []
    seated = set()
    for game, (white, black) in zip(games, pairing.pairs, strict=True):
        for tpn, colour in ((white, Colour.WHITE), (black, Colour.BLACK)):
            seats.append(Seat(round=round_, entry=entries[tpn], game=game, colour=colour.value))
            seated.add(tpn)
    if pairing.bye is not None:
        seats.append(Seat(round=round_, entry=entries[pairing.bye], bye=ByeKind.PAIRING_ALLOCATED))
        seated.add(pairing.bye)
    for tpn, entry in sorted(entries.items()):
        if tpn not in seated:
            bye = bye_of(tournament, entry, round_.number, byes.get(entry.pk))
            seats.append(Seat(round=round_, entry=entry, bye=bye))
    made = Seat.objects.bulk_create(seats)
    if any(entry.fixed_table for entry in entries.values()):
        set_tables(round_)
    return games, made


def bye_of(tournament: Tournament, entry: Entry, number: int, requested: str | None) -> str:
    """Return why *entry* has no game in round *number*: a bye, a late entry, or an absence."""
    if entry.first_round > number and entry.withdrawn_from is None:
        return tournament.late_entry_bye
    return (requested if takes_part(entry, number) else None) or ByeKind.ZERO_POINT


def set_tables(round_: Round, *, keep: Collection[int] = ()) -> None:
    """Set the table of every board of *round_*: fixed tables first,
    the other boards fill the rest [C.04.2/2026 3.6].

    The boards *keep* stay at their tables. One query; two if a table changes.
    """
    fixed: dict[int, set[int]] = {}
    games: dict[int, Game] = {}
    for seat in Seat.objects.filter(round=round_, game__isnull=False).select_related(
        "game", "entry"
    ):
        if seat.game is not None:
            games[seat.game.board] = seat.game
            fixed.setdefault(seat.game.board, set()).update({seat.entry.fixed_table or 0} - {0})
    kept = {board: games[board].table or board for board in keep if board in games}
    changed = []
    for board, table in tables(fixed, kept).items():
        new = table if table != board else None
        if games[board].table != new:
            games[board].table = new
            changed.append(games[board])
    if changed:
        save_fields(changed, ["table"])
