"""Convert single fields of a report to columns of the tables; a value that does not fit becomes empty."""

from __future__ import annotations

import re
from typing import Any

from pairing.trf.dates import WrittenDate, read_date
from pairing.trf.document import PlayerRecord, TrfDocument
from tournaments.models import RatingSource, Title


def rating_of(method: str, fide: int, national: int, estimate: int = 0) -> dict[str, Any]:
    """Return the rating with its source: the arbiter's *estimate*, else the rating chosen by the method of record 172.

    Without a method it is the FIDE rating, else the national one.
    """
    if estimate:
        return {"rating": estimate, "rating_source": RatingSource.ESTIMATE}
    match method:
        case "FIDE":
            national = 0
        case "NRO":
            fide = 0
        case "NIDOF" if national:
            fide = 0
        case "HBFN" if national > fide:
            fide = 0
        case "LBFN" if 0 < national < fide:
            fide = 0
    source = RatingSource.FIDE if fide else RatingSource.NATIONAL if national else RatingSource.NONE
    return {"rating": fide or national, "rating_source": source}


def title_of(player: PlayerRecord) -> str:
    title = player.title.upper()
    return title if title in Title.values else ""


def federation_of(text: str) -> str:
    return text.strip().upper() if re.fullmatch("[A-Za-z]{3}", text.strip()) else ""


def fide_id_of(player: PlayerRecord) -> int | None:
    text = player.fide_id.strip()
    return int(text) or None if re.fullmatch("[0-9]{1,11}", text) else None


def day_of(document: TrfDocument, code: str) -> WrittenDate:
    """Return the date of the first record with *code* (042, 052) that is not empty; without one its text is empty."""
    return read_date(next(filter(None, document.texts(code)), ""))
