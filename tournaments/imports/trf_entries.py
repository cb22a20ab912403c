"""Read the participants of a TRF file as rows of an entry list."""

from __future__ import annotations

from pairing.trf.document import PlayerRecord
from pairing.trf.encoding import as_utf8
from pairing.trf.errors import TrfError
from pairing.trf.reader import read
from tournaments.core.errors import BadInput, unreadable
from tournaments.entries.cells import ImportRow
from tournaments.imports.sheets import MAX_ROWS
from tournaments.imports.trf_fields import federation_of, fide_id_of, title_of


def trf_rows(data: bytes) -> list[ImportRow]:
    """Return the participants of a TRF file as rows of an entry list; its rounds are ignored.

    Raises :class:`BadInput` for a file that cannot be read, with line and column, and for more than ``MAX_ROWS``
    participants.
    """
    try:
        document = read(as_utf8(data))
    except TrfError as error:
        raise unreadable(error) from error
    if not document.players:
        raise BadInput("trf.no_players")
    if len(document.players) > MAX_ROWS:
        raise BadInput("csv.too_many_rows", limit=MAX_ROWS)
    return [
        ImportRow(
            line=line,
            name=player.name or f"#{player.tpn}",
            fide_id=fide_id_of(player),
            federation=federation_of(player.federation),
            sex=player.sex if player.sex in ("m", "w") else "",
            title=title_of(player),
            birth_date=player.birth_date[:10],
            fide_rating=player.rating or None,
        )
        for line, player in document.numbered(PlayerRecord)
    ]
