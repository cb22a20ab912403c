"""Read the participants of a TRF file, as rows of a list or players of its tournament."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from pairing.engine.model import TPN
from pairing.trf.crosstable import ESTIMATE, NATIONAL_RATING, national_ids, ratings_in_remarks
from pairing.trf.document import NationalRating, PlayerRecord, TrfDocument
from pairing.trf.encoding import as_utf8
from pairing.trf.errors import TrfError
from pairing.trf.reader import read
from tournaments.core.errors import BadInput, unreadable
from tournaments.core.many_rows import columns_of, insert_rows, values_of
from tournaments.core.numbers import reserve_keys
from tournaments.entries.cells import LENGTHS, ImportRow
from tournaments.lists.imports.sheets import MAX_ROWS
from tournaments.lists.imports.trf_fields import (
    birth_date_of_player,
    birth_order,
    federation_of,
    fide_id_of,
    method_of,
    name_of,
    rating_of,
    title_of,
    usable_rating,
)
from tournaments.lists.imports.trf_remarks import file_remarks, player_remarks
from tournaments.models import Entry, Tournament

MOST_ID: Final = LENGTHS["national_id"]


def trf_rows(data: bytes) -> tuple[list[ImportRow], list[BadInput]]:
    """Return the participants of a TRF file as rows of an entry list, and remarks on the file;
    its rounds are ignored.

    Raises :class:`BadInput` for a file that cannot be read, with line and column, and for more than
    ``MAX_ROWS`` participants.
    """
    try:
        document = read(as_utf8(data), only_players=True)
    except TrfError as error:
        raise unreadable(error) from error
    if not document.players:
        raise BadInput("trf.no_players")
    if len(document.players) > MAX_ROWS:
        raise BadInput("csv.too_many_rows", limit=MAX_ROWS)
    numbers, national, in_comments = (
        national_ids(document),
        national_ratings(document),
        ratings_in_remarks(document),
    )
    order = birth_order(document)
    rows = [
        ImportRow(
            line=line,
            name=name_of(player),
            fide_id=fide_id_of(player),
            federation=federation_of(player.federation),
            sex=player.sex if player.sex in ("m", "w") else "",
            title=title_of(player),
            birth_date=birth_date_of_player(player, order),
            fide_rating=usable_rating(player.rating),
            national_rating=national.get(player.tpn),
            # A list has an estimate only for a player without any other rating.
            estimate=None
            if usable_rating(player.rating) or player.tpn in national
            else in_comments.get((player.tpn, ESTIMATE)),
            national_id=numbers.get(player.tpn, "")[:MOST_ID],
        )
        for line, player in document.numbered(PlayerRecord)
    ]
    return rows, [*file_remarks(document), *player_remarks(document)]


def national_ratings(document: TrfDocument) -> dict[TPN, int]:
    """Return the usable national rating of each player of *document* who has one.

    It is that of the first record of national rating support in the file, without a record that of
    a comment.
    """
    records = {record.tpn: record.rating for record in reversed(document.of(NationalRating))}
    in_comments = {
        tpn: rating
        for (tpn, kind), rating in ratings_in_remarks(document).items()
        if kind == NATIONAL_RATING
    }
    usable = {tpn: usable_rating(rating) for tpn, rating in (in_comments | records).items()}
    return {tpn: rating for tpn, rating in usable.items() if rating}


@dataclass(frozen=True, slots=True)
class NewPlayers:
    """The players of a file, not saved yet, by number; they have their keys already.

    ``values`` are those of the columns ``names``, without the tournament.
    """

    entries: dict[TPN, Entry]
    names: list[str]
    values: list[tuple[object, ...]]

    @classmethod
    def from_document(cls, document: TrfDocument, now: datetime) -> NewPlayers:
        """Return the players of *document*, with all that can be computed before a transaction."""
        entries = _entries(document, now)
        for entry, key in zip(entries, reserve_keys(Entry, len(entries)), strict=True):
            entry.pk = key
        names = ["id", *columns_of(Entry, without=("tournament_id",))]
        by_number = {TPN(entry.tpn): entry for entry in entries if entry.tpn is not None}
        return cls(by_number, names, values_of(entries, names))

    def save(self, tournament: Tournament) -> None:
        """Save the players in *tournament*, inside the caller's transaction. One query."""
        rows = ((tournament.pk, *values) for values in self.values)
        insert_rows(Entry, ("tournament_id", *self.names), rows)
        for entry in self.entries.values():
            entry.tournament = tournament


def _entries(document: TrfDocument, now: datetime) -> list[Entry]:
    # If there are several federations, the first in the file counts.
    records = {record.tpn: record for record in reversed(document.of(NationalRating))}
    in_comments, ratings = ratings_in_remarks(document), national_ratings(document)
    numbers = national_ids(document)
    method, order = method_of(document), birth_order(document)
    entries = []
    for player in document.players:
        record = records.get(player.tpn)
        rating = usable_rating(player.rating)
        national = ratings.get(player.tpn, 0)
        entry = Entry(
            name=name_of(player),
            fide_id=fide_id_of(player),
            national_id=numbers.get(player.tpn, "")[:MOST_ID],
            federation=federation_of(player.federation),
            sex=player.sex if player.sex in ("m", "w") else "",
            title=title_of(player),
            birth_date=birth_date_of_player(player, order),
            fide_rating=rating,
            national_rating=national or None,
            national_federation=record.federation if record else "",
            **rating_of(method, rating or 0, national or 0, in_comments, player.tpn),
            tpn=player.tpn,
            created_at=now,
        )
        entries.append(entry)
    return entries
