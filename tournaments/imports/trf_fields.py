"""Single fields of a report as the columns of our tables take them: what does not fit is empty."""

from __future__ import annotations

import re
from typing import Any

from pairing.trf.dates import WrittenDate, read_date
from pairing.trf.document import PlayerRecord, TrfDocument
from tournaments.models import StrengthSource, Title


def strength_of(method: str, fide: int, national: int, estimate: int = 0) -> dict[str, Any]:
    """The measure of strength: the arbiter's *estimate*, else by the method record 172 names; without one the FIDE
    rating, else the national one."""
    if estimate:
        return {"strength": estimate, "strength_source": StrengthSource.ESTIMATE}
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
    source = StrengthSource.FIDE if fide else StrengthSource.NATIONAL if national else StrengthSource.NONE
    return {"strength": fide or national, "strength_source": source}


def title_of(player: PlayerRecord) -> str:
    title = player.title.upper()
    return title if title in Title.values else ""


def federation_of(text: str) -> str:
    return text.strip().upper() if re.fullmatch("[A-Za-z]{3}", text.strip()) else ""


def fide_id_of(player: PlayerRecord) -> int | None:
    text = player.fide_id.strip()
    return int(text) or None if re.fullmatch("[0-9]{1,11}", text) else None


def day_of(document: TrfDocument, code: str) -> WrittenDate:
    """The date of the first record with *code* (042, 052) that says something; its text is empty where none does."""
    return read_date(next(filter(None, document.texts(code)), ""))
