"""Convert single fields of a report to columns of the tables; what does not fit is empty."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from pairing.engine.model import TPN
from pairing.rules.initial_order import tournament_rating
from pairing.rules.kept_records import without_contact_data
from pairing.trf.crosstable import ESTIMATE, SECOND_RATING
from pairing.trf.dates import WrittenDate, read_date
from pairing.trf.document import PlayerRecord, TrfDocument
from pairing.trf.fields import MAX_RATING
from tournaments.core.birth_dates import birth_date_of, order_of
from tournaments.core.errors import BadInput
from tournaments.entries.cells import MIN_FIDE_ID
from tournaments.models import RatingMethod, RatingSource, Title

_TITLES: Final = frozenset(Title.values)


def rating_of(
    method: str, fide: int, national: int, in_comments: Mapping[tuple[TPN, str], int], tpn: TPN
) -> dict[str, Any]:
    """Return the rating of *tpn* and its source: by comments (*in_comments*) or *method*.

    A second rating counts as an estimate, because the file does not say from which list it is.
    """
    if estimate := in_comments.get((tpn, ESTIMATE)) or in_comments.get((tpn, SECOND_RATING)):
        return {"rating": estimate, "rating_source": RatingSource.ESTIMATE}
    source, rating = tournament_rating(method, fide, national)
    return {"rating": rating, "rating_source": RatingSource(source)}


def method_of(document: TrfDocument) -> RatingMethod:
    """Return the method of record 172; without a computable one, FIDE, else national."""
    word = document.text("172")[4:].strip().upper()
    known = word in RatingMethod.values and word != RatingMethod.OTHER
    return RatingMethod(word) if known else RatingMethod.FIDE_ELSE_NATIONAL


def usable_rating(rating: int | None) -> int | None:
    """Return *rating*, or None if it is 0 or above the limit of ratings in entries."""
    return rating if rating and rating <= MAX_RATING else None


def birth_order(document: TrfDocument) -> str:
    """Return what is first in dates of birth, ``day`` or ``month``; empty if undecided."""
    return order_of((player.birth_date for player in document.players), day_first=False)


def birth_date_of_player(player: PlayerRecord, order: str) -> str:
    """Return the birth date as ``YYYY/MM/DD``; empty without one, or an impossible one.

    *order* is that of the file (:func:`birth_order`); if nothing decides it, the day is first.
    Older files have other separators (``1980.00.00``), or two digits for the year, which then comes
    first.
    """
    text = player.birth_date.strip()
    if not text.strip("0/.- "):
        return ""
    try:
        return birth_date_of(text, "birth_date", order or "day")
    except BadInput:
        pass
    day = read_date(text).day
    try:
        return birth_date_of(f"{day:%Y/%m/%d}" if day else "", "birth_date")
    except BadInput:
        return ""


def title_of(player: PlayerRecord) -> str:
    title = player.title.upper()
    return title if title in _TITLES else ""


def federation_of(text: str) -> str:
    return text.strip().upper() if re.fullmatch("[A-Za-z]{3}", text.strip()) else ""


def name_of(player: PlayerRecord) -> str:
    """Return the name of *player* without contact data; the number if there is none."""
    return without_contact_data(player.name) or f"#{player.tpn}"


def fide_id_of(player: PlayerRecord) -> int | None:
    text = player.fide_id.strip()
    return int(text) if re.fullmatch("[0-9]{1,11}", text) and int(text) >= MIN_FIDE_ID else None


def day_of(document: TrfDocument, code: str) -> WrittenDate:
    """Return the date of the first record with *code* (042, 052) that is not empty;
    without one its text is empty.
    """
    return read_date(next(filter(None, document.texts(code)), ""))
