"""Find the rounds of a report, and the players who are not paired in the next one."""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine.model import TPN, Result

from .document import PlayerRecord, RequestedByes, TrfDocument


def played_rounds(players: Sequence[PlayerRecord]) -> int:
    """Return how many rounds have been paired: the number of the last one with a game,
    or with an entry of everybody.

    A later column with byes alone announces who will be absent, because there are players left to
    pair. So does one with the pairing-allocated bye and blanks: it goes to one of the players to be
    paired [C.04.1/2026 3].
    """
    columns = max((len(player.rounds) for player in players), default=0)
    # Search from the last column, which is nearly always the right one.
    return next((number for number in range(columns, 0, -1) if _is_paired(players, number)), 0)


def _is_paired(players: Sequence[PlayerRecord], round_number: int) -> bool:
    cells = [player.cell(round_number) for player in players]
    return (
        any(cell is not None and cell.opponent is not None for cell in cells) or None not in cells
    )


def is_in_play(document: TrfDocument, round_number: int) -> bool:
    """Return whether a game of *round_number* has no result yet. Cost: one look at every player."""
    cells = (player.cell(round_number) for player in document.players) if round_number else ()
    return any(
        cell is not None
        and not cell.is_bye
        and (cell.result is None or (document.games > 1 and cell.second is None))
        for cell in cells
    )


def paired_in_round_1(document: TrfDocument) -> frozenset[TPN]:
    """Return the players paired in round 1; before round 1,
    all players without a bye or a blank announced for it.
    """
    players = document.players
    if played_rounds(players):
        cells = ((player.tpn, player.cell(1)) for player in players)
        return frozenset(tpn for tpn, cell in cells if cell is not None and cell.is_pairing)
    byes = requested_byes(document, 1)
    return frozenset(
        player.tpn for player in players if player.cell(1) is None and player.tpn not in byes
    )


def next_round(document: TrfDocument) -> int:
    """Return the round to be paired: the one after the last paired round."""
    return played_rounds(document.players) + 1


def requested_byes(document: TrfDocument, round_number: int) -> dict[TPN, Result]:
    """Return the byes for *round_number* in records 240, and in XXZ for the round to be paired."""
    return requested_byes_by_round(document).get(round_number, {})


def requested_byes_by_round(document: TrfDocument) -> dict[int, dict[TPN, Result]]:
    """Return the byes of records 240, and of XXZ for the round to be paired, by round.

    Cost: the length of the records.
    """
    byes: dict[int, dict[TPN, Result]] = {}
    records = document.of(RequestedByes)
    upcoming = next_round(document) if records else 0
    for record in records:
        number = upcoming if record.round_number is None else record.round_number
        byes.setdefault(number, {}).update(dict.fromkeys(record.players, record.kind))
    return byes
