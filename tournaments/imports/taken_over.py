"""Describe for the record what an import has saved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pairing.engine.model import TPN
from pairing.record.state import State
from tournaments.entries.entries import described
from tournaments.models import Entry, Tournament
from tournaments.models.payload_data import ByeOfRound, ImportedFile, PlayedRound, TakenAdjustment
from tournaments.reports.held import held


def expelled_take_over(
    tournament: Tournament, rounds: Mapping[TPN, int], entries: Mapping[TPN, Entry]
) -> dict[str, int]:
    """Save who was expelled from which of the *rounds* on; return the rounds by entry, for the record."""
    expelled = {entries[tpn]: number for tpn, number in rounds.items() if tpn in entries}
    for entry, number in expelled.items():
        entry.withdrawn_from = number
        entry.save(update_fields=["withdrawn_from"])
    tournament.expelled = [entry.pk for entry in expelled]
    tournament.save(update_fields=["expelled"])
    return {str(entry.pk): number for entry, number in expelled.items()}


def taken_over(
    tournament: Tournament,
    entries: Iterable[Entry],
    *,
    system: str,
    paired_otherwise: list[int],
    sha256: str,
    expelled_from: dict[str, int],
) -> ImportedFile:
    """Return everything that was saved of a file, as the tables have it now. Eight queries."""
    state = held(tournament)
    players = list(entries)
    told = [described(entry) for entry in players]
    played = {str(number): played_round(state, number) for number, table in state.rounds.items() if table.is_public}
    byes: list[ByeOfRound] = [
        {"entry": entry, "round": number, "kind": kind} for (entry, number), kind in state.byes.items()
    ]
    adjustments: list[TakenAdjustment] = [
        {"entry": entry, "points": points, "round": number, "result": result}
        for entry, points, number, result in state.adjustments
    ]
    return {
        "players": len(told),
        "rounds": len(played),
        "system": system,
        "paired_otherwise": paired_otherwise,
        "sha256": sha256,
        "settings": state.settings,
        "entries": told,
        "played": played,
        "byes": byes,
        "prohibited_pairs": state.prohibited,
        "adjustments": adjustments,
        "expelled_from": expelled_from,
        "national_federations": {
            str(entry.pk): entry.national_federation for entry in players if entry.national_federation
        },
    }


def played_round(state: State, number: int) -> PlayedRound:
    table = state.rounds[number]
    return {
        "state": table.state,
        "boards": {str(n): [board.white, board.black, *board.results] for n, board in table.boards.items()},
        "byes": {str(entry): letter for entry, letter in table.byes.items()},
    }
