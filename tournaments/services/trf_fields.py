"""Single fields of a report as the columns of our tables take them: what does not fit is empty."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from pairing.trf.document import PlayerRecord
from tournaments.models import StrengthSource, Title


def strength_of(method: str, fide: int, national: int) -> dict[str, Any]:
    """The measure of strength by the method record 172 names; without one the FIDE rating, else the national one."""
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


def date_of(text: str) -> date | None:
    """A date as 042 and 052 write it, ``YYYY/MM/DD``, with years of two digits in older files; else None."""
    match = re.fullmatch(r"([0-9]{2}|[0-9]{4})[/.-]([0-9]{1,2})[/.-]([0-9]{1,2})", text.strip())
    if match is None:
        return None
    year, month, day = map(int, match.groups())
    try:
        return date(year if year > 99 else 2000 + year, month, day)
    except ValueError:
        return None
