"""Describe for the record what an import has saved."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pairing.engine.model import TPN
from pairing.rules.kept_records import IN_THE_OPEN
from tournaments.entries.entries import described
from tournaments.models import Entry, Tournament
from tournaments.models.payload_data import (
    ByeOfRound,
    EntryData,
    ImportedFile,
    PlayedRound,
    TakenAdjustment,
)
from tournaments.models.regulations import pairs_of
from tournaments.reports.held import held_adjustments, held_byes, held_settings


@dataclass(frozen=True, slots=True)
class DescribedPlayers:
    """The players of a file as the record describes them."""

    entries: list[EntryData]
    national_federations: dict[str, str]

    @classmethod
    def from_entries(cls, entries: Collection[Entry]) -> DescribedPlayers:
        """Return the description of *entries*, which have their keys."""
        federations = {
            str(entry.pk): entry.national_federation
            for entry in entries
            if entry.national_federation
        }
        return cls([described(entry) for entry in entries], federations)


def expelled_take_over(
    tournament: Tournament, rounds: Mapping[TPN, int], entries: Mapping[TPN, Entry]
) -> dict[str, int]:
    """Save who was expelled from which of *rounds* on; return the rounds by entry."""
    expelled = {entries[tpn]: number for tpn, number in rounds.items() if tpn in entries}
    for entry, number in expelled.items():
        entry.withdrawn_from = number
        entry.save(update_fields=["withdrawn_from"])
    tournament.expelled = [entry.pk for entry in expelled]
    tournament.save(update_fields=["expelled"])
    return {str(entry.pk): number for entry, number in expelled.items()}


def taken_over(
    tournament: Tournament,
    players: DescribedPlayers,
    played: dict[str, PlayedRound],
    *,
    system: str,
    paired_otherwise: list[int],
    sha256: str,
    expelled_from: dict[str, int],
) -> ImportedFile:
    """Return everything that was saved of a file. Four queries.

    *players* and *played* were made with the rows, before the transaction; the rest is read from
    the tables.
    """
    row = Tournament.objects.get(pk=tournament.pk)
    byes: list[ByeOfRound] = [
        {"entry": entry, "round": number, "kind": kind}
        for (entry, number), kind in held_byes(row).items()
    ]
    adjustments: list[TakenAdjustment] = [
        {"entry": entry, "points": points, "round": number, "result": result}
        for entry, points, number, result in held_adjustments(row)
    ]
    return {
        "players": len(players.entries),
        "rounds": len(played),
        "system": system,
        "paired_otherwise": paired_otherwise,
        "sha256": sha256,
        "settings": {
            name: value for name, value in held_settings(row).items() if name != IN_THE_OPEN
        },
        "entries": players.entries,
        "played": played,
        "byes": byes,
        "prohibited_pairs": pairs_of(row),
        "adjustments": adjustments,
        "expelled_from": expelled_from,
        "national_federations": players.national_federations,
        "kept_records": list(row.trf_extras),
    }
