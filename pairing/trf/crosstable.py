"""What the standings need from a report: rounds, ratings, the list of tie-breaks, the first day, the lots."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pairing.engine.changes import PointChanges
from pairing.engine.errors import text as _
from pairing.engine.model import TPN, Player

from .abnormal import point_changes
from .convert import history
from .document import AbnormalPoints, NationalRating, TextRecord, TrfDocument
from .errors import TrfError
from .rounds import played_rounds
from .scoring import point_system

_TIE_BREAKS: Final = ("202", "212")
_LOTS: Final = "Lots (C.07 4.2), by SHA-256 of seed:number, the smallest first; seed: "
"""What a comment begins with that says by which seed lots were drawn: the format has no record for it, this is ours."""


_EDITION: Final = "Tie-break rules: C.07, edition "
"""What a comment begins with that names the edition of C.07 by our code: the format has no record for it either."""

ESTIMATE: Final = "estimate by the arbiter"
NATIONAL_RATING: Final = "national"
_RATING: Final = re.compile(rf"Rating of TPN (\d{{1,4}}): (\d{{1,4}}), ({ESTIMATE}|{NATIONAL_RATING})", re.ASCII)


def crosstable_players(document: TrfDocument) -> tuple[Player, ...]:
    """Everybody with all rounds that have been paired; a blank is an absence.

    Raises ``trf.result_missing`` for a game without a result: there are no standings before it has one.
    """
    players = document.players
    rounds = played_rounds(players)
    return tuple(Player(player.tpn, history(document, player, rounds)) for player in players)


def changes(document: TrfDocument, players: Sequence[Player]) -> dict[TPN, PointChanges]:
    """What records 299 add to the points of the *players*; raises as :func:`~.abnormal.point_changes`."""
    return point_changes(document.numbered(AbnormalPoints), players, point_system(document))


def ratings(document: TrfDocument) -> dict[TPN, int]:
    """The ratings of those who have one: the FIDE rating of 001, else the first national one in the file, else one that
    a comment names."""
    said = {tpn: rating for (tpn, _kind), rating in said_ratings(document).items()}
    national = {record.tpn: record.rating for record in reversed(document.of(NationalRating)) if record.rating}
    others = said | national
    return {player.tpn: rating for player in document.players if (rating := player.rating or others.get(player.tpn))}


def rating_remark(tpn: TPN, rating: int, kind: str) -> TextRecord:
    """The comment (``###``) that names a *rating* no record can say: an :data:`ESTIMATE`, or a national one of nobody
    knows which federation (:data:`NATIONAL_RATING`). Column 49 of 001 is for FIDE ratings only."""
    return TextRecord("###", f"Rating of TPN {tpn}: {rating}, {kind}")


def is_rating_remark(record: TextRecord) -> bool:
    """Whether *record* is one that :func:`rating_remark` makes."""
    return record.code == "###" and _RATING.fullmatch(record.text) is not None


def said_ratings(document: TrfDocument) -> dict[tuple[TPN, str], int]:
    """The ratings that comments of *document* name, by player and kind; the first in the file counts."""
    found = [match for text in document.texts("###") if (match := _RATING.fullmatch(text))]
    return {(TPN(int(match[1])), match[3]): int(match[2]) for match in reversed(found)}


def tie_break_list(document: TrfDocument) -> TextRecord | None:
    """The record that lists the tie-breaks: 212 where there is one, else 202 (the same list without the points)."""
    records = {record.code: record for record in document.of(TextRecord) if record.code in _TIE_BREAKS}
    return records.get("212") or records.get("202")


def lots_remark(seed: str) -> TextRecord:
    """The comment (``###``) that says by which *seed* lots were drawn [C.07/2026 4.2]."""
    return TextRecord("###", _LOTS + seed)


def is_lots_remark(record: TextRecord) -> bool:
    """Whether *record* is one that :func:`lots_remark` makes."""
    return record.code == "###" and record.text.startswith(_LOTS)


def lots_seed(document: TrfDocument) -> str | None:
    """The seed by which lots were drawn, where a comment of *document* says one.

    Raises :class:`TrfError` (``trf.lots_twice``) where two comments say two: nobody could tell which was drawn first.
    """
    remarks = [(line, record) for line, record in document.numbered(TextRecord) if is_lots_remark(record)]
    seeds = [record.text.removeprefix(_LOTS) for _, record in remarks]
    if len(set(seeds)) > 1:
        raise TrfError(
            "trf.lots_twice",
            _("Lots were drawn twice, by two seeds: only one draw can hold."),
            line=remarks[1][0],
            column=1,
        )
    return seeds[0] if seeds else None


def edition_remark(edition: str) -> TextRecord:
    """The comment (``###``) that names the *edition* of C.07 by our code, such as ``fide-2024``."""
    return TextRecord("###", _EDITION + edition)


def is_edition_remark(record: TextRecord) -> bool:
    """Whether *record* is one that :func:`edition_remark` makes."""
    return record.code == "###" and record.text.startswith(_EDITION)


def edition_remarks(document: TrfDocument) -> list[tuple[int, str]]:
    """The editions of C.07 that comments of *document* name, each with its line."""
    remarks = [(line, record) for line, record in document.numbered(TextRecord) if is_edition_remark(record)]
    return [(line, record.text.removeprefix(_EDITION)) for line, record in remarks]
