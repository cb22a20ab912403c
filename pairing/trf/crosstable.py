"""Read from a report what the standings need: rounds, ratings, tie-breaks, day, lots."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pairing.engine.changes import PointChanges
from pairing.engine.errors import text as _
from pairing.engine.model import TPN, Player
from pairing.rules.draws import is_seed

from .abnormal import point_changes
from .convert import history
from .document import AbnormalPoints, NationalRating, TextRecord, TrfDocument
from .errors import TrfError
from .rounds import played_rounds
from .scoring import point_system

_TIE_BREAKS: Final = ("202", "212")
_EXPELLED: Final = re.compile(r"Expelled @ Round ([1-9]\d?\d?): TPN ([1-9]\d{0,3})", re.ASCII)
_LOTS: Final = "Lots (C.07 4.2), by SHA-256 of seed:number, the smallest first; seed: "
"""The beginning of a comment with the seed of the lots.

The format has no record for it; this comment is our own.
"""


_EDITION: Final = "Tie-break rules: C.07, edition "
"""The beginning of a comment with our code of the C.07 edition.

The format has no record for it either.
"""

ESTIMATE: Final = "estimate by the arbiter"
NATIONAL_RATING: Final = "national"
SECOND_RATING: Final = "second rating"
_KINDS: Final = f"{ESTIMATE}|{NATIONAL_RATING}|{SECOND_RATING}"
_NATIONAL_ID: Final = re.compile(r"National ID of TPN (\d{1,4}): (\S.{0,19})", re.ASCII)
_RATING: Final = re.compile(rf"Rating of TPN (\d{{1,4}}): (\d{{1,4}}), ({_KINDS})", re.ASCII)


def crosstable_players(document: TrfDocument) -> tuple[Player, ...]:
    """Return all players with all paired rounds; a blank is an absence.

    Raise ``trf.result_missing`` for a game without a result, because standings need all results.
    """
    players = document.players
    rounds = played_rounds(players)
    return tuple(Player(player.tpn, history(document, player, rounds)) for player in players)


def changes(document: TrfDocument, players: Sequence[Player]) -> dict[TPN, PointChanges]:
    """Return what records 299 add to points; raise as :func:`~.abnormal.point_changes`."""
    return point_changes(document.numbered(AbnormalPoints), players, point_system(document))


def ratings(document: TrfDocument) -> dict[TPN, int]:
    """Return the ratings: the FIDE rating of 001, else the first national one in the file,
    else one in a comment.

    Players without any rating are left out.
    """
    commented = {tpn: rating for (tpn, _kind), rating in ratings_in_remarks(document).items()}
    national = {
        record.tpn: record.rating
        for record in reversed(document.of(NationalRating))
        if record.rating
    }
    others = commented | national
    return {
        player.tpn: rating
        for player in document.players
        if (rating := player.rating or others.get(player.tpn))
    }


def rating_remark(tpn: TPN, rating: int, kind: str) -> TextRecord:
    """Return the comment (``###``) for a *rating* that no record can express.

    It is an :data:`ESTIMATE`, a national rating whose federation is unknown
    (:data:`NATIONAL_RATING`), or the :data:`SECOND_RATING` of a player without a rating by the
    first choice. Column 49 of 001 is for FIDE ratings only.
    """
    return TextRecord("###", f"Rating of TPN {tpn}: {rating}, {kind}")


def national_id_remark(tpn: TPN, number: str) -> TextRecord:
    """Return the comment for the national ID of a player without national rating support."""
    return TextRecord("###", f"National ID of TPN {tpn}: {number}")


def is_national_id_remark(record: TextRecord) -> bool:
    """Return whether *record* was made by :func:`national_id_remark`."""
    return record.code == "###" and _NATIONAL_ID.fullmatch(record.text) is not None


def national_ids(document: TrfDocument) -> dict[TPN, str]:
    """Return each player's national ID, from the first national record, or a comment."""
    found = [match for text in document.texts("###") if (match := _NATIONAL_ID.fullmatch(text))]
    values = {TPN(int(match[1])): match[2] for match in reversed(found)}
    return values | {
        record.tpn: record.number
        for record in reversed(document.of(NationalRating))
        if record.number
    }


def is_rating_remark(record: TextRecord) -> bool:
    """Return whether *record* was made by :func:`rating_remark`."""
    return record.code == "###" and _RATING.fullmatch(record.text) is not None


def ratings_in_remarks(document: TrfDocument) -> dict[tuple[TPN, str], int]:
    """Return the ratings in comments of *document*, by player and kind; the first counts."""
    found = [match for text in document.texts("###") if (match := _RATING.fullmatch(text))]
    return {(TPN(int(match[1])), match[3]): int(match[2]) for match in reversed(found)}


def tie_break_list(document: TrfDocument) -> TextRecord | None:
    """Return the record with the tie-breaks: 212, else 202 (the same without the points)."""
    records = {
        record.code: record for record in document.of(TextRecord) if record.code in _TIE_BREAKS
    }
    return records.get("212") or records.get("202")


def lots_remark(seed: str) -> TextRecord:
    """Return the comment (``###``) with the *seed* of the lots [C.07/2026 4.2]."""
    return TextRecord("###", _LOTS + seed)


def is_lots_remark(record: TextRecord) -> bool:
    """Return whether *record* is of :func:`lots_remark` with a seed drawn by this program.

    Other text after the same beginning may be private, and is an unknown comment.
    """
    return is_about_lots(record) and is_seed(record.text.removeprefix(_LOTS))


def is_about_lots(record: TextRecord) -> bool:
    """Return whether *record* begins as :func:`lots_remark`, with or without a seed."""
    return record.code == "###" and record.text.startswith(_LOTS)


def lots_seed(document: TrfDocument) -> str | None:
    """Return the seed of the lots if a comment of *document* has one.

    Raise :class:`TrfError` (``trf.lots_twice``) if two comments have different seeds, because the
    first draw is unknown.
    """
    remarks = [
        (line, record) for line, record in document.numbered(TextRecord) if is_lots_remark(record)
    ]
    seeds = [record.text.removeprefix(_LOTS) for _, record in remarks]
    if len(set(seeds)) > 1:
        raise TrfError(
            "trf.lots_twice",
            _("The file contains two draws of lots with different seeds. Keep only one."),
            line=remarks[1][0],
            column=1,
        )
    return seeds[0] if seeds else None


def expelled_remark(tpn: TPN, round_number: int) -> TextRecord:
    """Return the comment (``###``) on a player who is expelled from round *round_number* on."""
    return TextRecord("###", f"Expelled @ Round {round_number}: TPN {tpn}")


def is_expelled_remark(record: TextRecord) -> bool:
    """Return whether *record* was made by :func:`expelled_remark`."""
    return record.code == "###" and _EXPELLED.fullmatch(record.text) is not None


def number_in_remark(record: TextRecord) -> TPN | None:
    """Return the player whom a comment on a rating or expulsion names; None for another comment."""
    if match := _RATING.fullmatch(record.text):
        return TPN(int(match[1]))
    match = _EXPELLED.fullmatch(record.text)
    return TPN(int(match[2])) if match else None


def expelled_players(document: TrfDocument) -> dict[TPN, int]:
    """Return the players whom comments name as expelled, with the first round without them."""
    found = (match for text in document.texts("###") if (match := _EXPELLED.fullmatch(text)))
    return {TPN(int(match[2])): int(match[1]) for match in found}


def edition_remark(edition: str) -> TextRecord:
    """Return the comment (``###``) with our code of the C.07 *edition*, such as ``fide-2024``."""
    return TextRecord("###", _EDITION + edition)


def is_edition_remark(record: TextRecord) -> bool:
    """Return whether *record* was made by :func:`edition_remark`."""
    return record.code == "###" and record.text.startswith(_EDITION)


def edition_remarks(document: TrfDocument) -> list[tuple[int, str]]:
    """Return the editions of C.07 in comments of *document*, each with its line."""
    remarks = [
        (line, record)
        for line, record in document.numbered(TextRecord)
        if is_edition_remark(record)
    ]
    return [(line, record.text.removeprefix(_EDITION)) for line, record in remarks]
