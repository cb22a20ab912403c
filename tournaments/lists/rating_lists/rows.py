"""One player of a rating list, as every format gives it, and the lines that cannot be read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pairing.rules.names import repaired
from tournaments.core.errors import BadInput

MAX_NAME: Final = 120
MAX_CLUB: Final = 100
MIN_RATING: Final = 100
"""No federation rates lower: below is a cell of another column,
or 2,000 that was split at its comma.
"""
MAX_RATING: Final = 4_000
MAX_FIDE_ID: Final = 99_999_999_999
MAX_FAULTS: Final = 100
MAX_K: Final = 40
MAX_GAMES: Final = 999

TITLES: Final = {
    **{title.lower(): title for title in ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")},
    "g": "GM", "m": "IM", "f": "FM", "c": "CM", "wg": "WGM", "wm": "WIM", "wf": "WFM", "wc": "WCM",
}  # fmt: skip
"""FIDE titles in today's letters and in those of older lists, without capitals."""

RANK: Final = {
    title: place
    for place, title in enumerate(("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM", ""))
}
"""The titles from the highest to the lowest [C.04.2/2026 2.2.2]."""

RATES_OF_PLAY: Final = ("standard", "rapid", "blitz")

SEXES: Final = {"m": "m", "h": "m", "f": "w", "w": "w"}


class Row(NamedTuple):
    """One listed player. 0 means no rating or no FIDE ID; ``birth`` is a year or ``YYYY/MM/DD``."""

    fide_id: int
    national_id: str
    name: str
    federation: str
    sex: str
    title: str
    birth: str
    club: str
    standard: int
    rapid: int
    blitz: int
    inactive: int = 0
    """1 for a player whom FIDE's list marks as inactive; the rating still counts."""
    women_title: str = ""
    """The title that only women hold; ``title`` is the highest of all."""
    other_titles: str = ""
    """Titles of arbiters, organisers and trainers with commas, such as ``IA,FST``."""
    standard_k: int = 0
    rapid_k: int = 0
    blitz_k: int = 0
    """K of each rate of play [B.02/2024 8.3.3]; 0: the list has none."""
    standard_games: int = 0
    rapid_games: int = 0
    blitz_games: int = 0
    """The games that were rated for this list."""
    fide_standard: int = 0
    fide_rapid: int = 0
    fide_blitz: int = 0
    """The ratings of FIDE that the list of a federation repeats; FIDE's own list has none here."""


_RATINGS: Final = (*RATES_OF_PLAY, *(f"fide_{rate}" for rate in RATES_OF_PLAY))


@dataclass(slots=True)
class Faults:
    """The lines that were left out. Above :data:`MAX_FAULTS` the file is not a rating list."""

    found: list[BadInput] = field(default_factory=list)
    wrong_letters: int = 0
    """Players with a name like MÃ¼ller; they are not left out."""
    remark: BadInput | None = None
    """What is said about these players; None if there are none."""
    assumed: BadInput | None = None
    """What is said about the encoding of a file with other letters than those of western Europe."""
    has_ratings: bool = False
    """Whether a player has a rating of any kind."""

    def look_at(self, row: Row) -> None:
        """Remember whether *row* has a rating, or a name read in the wrong encoding."""
        name = row.name
        self.has_ratings = self.has_ratings or any(getattr(row, each) for each in _RATINGS)
        if name.isascii() or not (meant := repaired(name)):
            return
        self.wrong_letters += 1
        if self.remark is None:
            self.remark = BadInput("rating_list.wrong_letters", value=name[:60], meant=meant[:60])
        self.remark.params["count"] = self.wrong_letters

    def add(self, fault: BadInput) -> None:
        """Remember *fault*; raise ``BadInput`` if there are too many."""
        self.found.append(fault)
        if len(self.found) > MAX_FAULTS:
            first = self.found[0]
            raise BadInput(
                "rating_list.too_many_faults", line=first.line, limit=MAX_FAULTS, problem=str(first)
            )


def whole(text: str, most: int) -> int:
    """Return the number in *text*, 0 if empty; ``ValueError`` if none or above *most*."""
    if not text:
        return 0
    if len(text) <= 15 and text.isascii() and text.isdigit() and (number := int(text)) <= most:
        return number
    raise ValueError(text)


def _rating(text: str) -> int:
    """Return the rating in *text*, 0 for none; ``ValueError`` if nobody can have it."""
    rating = whole(text, MAX_RATING)
    if 0 < rating < MIN_RATING:
        raise ValueError(text)
    return rating


def _figure(text: str, most: int) -> int:
    """Return the number in *text*; 0 if there is none, or none that is possible."""
    try:
        return whole(text, most)
    except ValueError:
        return 0


def birth_of(text: str) -> str:
    """Return the year or date in *text* as a list gives it; empty if it is unreadable."""
    if len(text) == 4:
        return text if text.isascii() and text.isdigit() and text > "1800" else ""
    for pattern, order in (
        (r"(\d{4})[-/.](\d\d?)[-/.](\d\d?)", (1, 2, 3)),
        (r"(\d\d?)[-/.](\d\d?)[-/.](\d{4})", (3, 2, 1)),
    ):
        if found := re.fullmatch(pattern, text, re.ASCII):
            year, month, day = (int(found[part]) for part in order)
            return f"{year:04}/{month:02}/{day:02}" if month <= 12 and day <= 31 else ""
    return ""


def _title(text: str) -> str:
    """Return the title in *text*; those of arbiters, organisers and online play rank nobody."""
    return TITLES.get(text.lower(), "") if text else ""


def row_of(values: dict[str, str], line: int) -> Row:
    """Return the player of *values* (:class:`Row`); ``BadInput`` with *line* if one is invalid."""
    get = values.get
    name = " ".join(get("name", "").split())
    if not name:
        raise BadInput("csv.name_missing", line=line)
    if not any(map(str.isalpha, name)):
        raise BadInput("csv.name_without_letters", line=line, value=name[:40])
    if len(name) > MAX_NAME:
        raise BadInput("csv.too_long", line=line, value=name[:40], limit=MAX_NAME)
    checked = ""
    try:
        fide_id = whole(checked := get("fide_id", ""), MAX_FIDE_ID)
        standard = _rating(checked := get("standard", ""))
        rapid = _rating(checked := get("rapid", ""))
        blitz = _rating(checked := get("blitz", ""))
        of_fide = [_rating(checked := get(f"fide_{rate}", "")) for rate in RATES_OF_PLAY]
    except ValueError:
        raise BadInput("rating_list.number", line=line, value=checked[:40]) from None
    federation = get("federation", "").upper()
    flag = get("flag", "").lower()
    title = _title(get("title", ""))
    women_title = _title(get("women_title", "")) or (title if title.startswith("W") else "")
    if women_title:
        title = min(title, women_title, key=RANK.__getitem__)
    return Row(
        fide_id,
        get("national_id", "")[:20],
        name,
        federation if len(federation) == 3 and federation.isalpha() else "",
        SEXES.get(get("sex", "").lower()[:1], "w" if "w" in flag else ""),
        title,
        birth_of(get("birth", "")),
        get("club", "")[:MAX_CLUB],
        standard,
        rapid,
        blitz,
        int("i" in flag),
        women_title,
        get("other_titles", "").upper(),
        *(_figure(get(f"{rate}_k", ""), MAX_K) for rate in RATES_OF_PLAY),
        *(_figure(get(f"{rate}_games", ""), MAX_GAMES) for rate in RATES_OF_PLAY),
        *of_fide,
    )
