"""The codes of tie-breaks as in regulations and in the records 202 and 212: ``BH/C1``, ``SB``, ``KS/L+1``.

``CODE[/C1|/C2|/M1|/M2|/L±n|/P|/F|/R]…``; upper and lower case are the same [C.07/2026 5, 14]. A person may also type
``BH-C1`` or ``BH C1``, and put semicolons or new lines between the codes; a list is written with ``/`` and commas.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from pairing.engine.errors import InputError

from .editions import TieBreakEdition


class TieBreak(Enum):
    """The individual tie-breaks. The value is the code; each has its name and the article that defines it."""

    DE = ("DE", "Direct Encounter", "6")
    WIN = ("WIN", "Number of Wins", "7.1")
    WON = ("WON", "Number of Games Won", "7.2")
    BPG = ("BPG", "Number of Games Played with Black", "7.3")
    BWG = ("BWG", "Number of Games Won with Black", "7.4")
    PS = ("PS", "Progressive Scores", "7.5")
    REP = ("REP", "Rounds one Elected to Play", "7.6")
    STD = ("STD", "Standard Points", "7.7")
    TPN = ("TPN", "Tournament Pairing Number", "7.8")
    BH = ("BH", "Buchholz", "8.1")
    AOB = ("AOB", "Average of Opponents' Buchholz", "8.2")
    FB = ("FB", "Fore Buchholz", "8.3")
    SB = ("SB", "Sonneborn-Berger", "9.1")
    KS = ("KS", "Koya System", "9.2")
    ARO = ("ARO", "Average Rating of Opponents", "10.1")
    TPR = ("TPR", "Tournament Performance Rating", "10.2")
    PTP = ("PTP", "Perfect Tournament Performance", "10.3")
    APRO = ("APRO", "Average Performance Rating of Opponents", "10.4")
    APPO = ("APPO", "Average Perfect Performance of Opponents", "10.5")
    RTNG = ("RTNG", "Rating", "10.6")

    label: str
    article: str

    def __new__(cls, code: str, label: str, article: str) -> TieBreak:
        member = object.__new__(cls)
        member._value_ = code
        member.label = label
        member.article = article
        return member

    @property
    def needs_ratings(self) -> bool:
        """Return whether it is one of Article 10, which cannot be used if a participant is unrated."""
        return self.article.startswith("10.")


CUTS: Final = ("C1", "C2")
MEDIANS: Final = ("M1", "M2")
_VARIANTS: Final[Mapping[TieBreak, tuple[str, ...]]] = {
    TieBreak.DE: ("P",),
    TieBreak.PS: CUTS,
    TieBreak.TPN: ("R",),
    TieBreak.BH: (*CUTS, *MEDIANS, "P", "F"),
    TieBreak.AOB: ("F",),
    TieBreak.FB: (*CUTS, *MEDIANS, "P"),
    TieBreak.SB: (*CUTS, "P"),
    TieBreak.KS: ("L",),
    TieBreak.ARO: (*CUTS, *MEDIANS),
    TieBreak.RTNG: ("R",),
}
"""The modifiers allowed for each tie-break; a tie-break that is not listed has none [C.07/2026 14]."""

_LIMIT: Final = re.compile(r"L([+-]\d{1,2})")
_BETWEEN: Final = re.compile(r"[,;\n]")
_MODIFIERS: Final = re.compile(r"\s*/\s*|(?<!L)-|\s+")
"""What separates a code from its modifiers; the minus of ``L-1`` does not."""
_PRIMARY: Final = "PTS"
"""The code of the points in record 212; they always come first."""


@dataclass(frozen=True, slots=True)
class TieBreakCode:
    """One tie-break of a list with its modifiers.

    ``cut_least`` and ``cut_most`` are the numbers of contributions to cut [C.07/2026 14.1-14.4]. ``limit`` is the
    number of half points by which the limit of the Koya system is moved [C.07/2026 14.5]. ``forfeits_count`` is ``/P``
    [C.07/2026 6.1.1], ``fore`` is ``/F`` [C.07/2026 8.2], ``is_reversed`` is ``/R`` [C.07/2026 7.8, 10.6].
    """

    tie_break: TieBreak
    cut_least: int = 0
    cut_most: int = 0
    limit: int = 0
    forfeits_count: bool = False
    fore: bool = False
    is_reversed: bool = False

    def __str__(self) -> str:
        modifiers = (
            f"M{self.cut_most}" if self.cut_most else f"C{self.cut_least}" if self.cut_least else "",
            f"L{self.limit:+d}" if self.limit else "",
            "P" if self.forfeits_count else "",
            "F" if self.fore else "",
            "R" if self.is_reversed else "",
        )
        return "/".join((self.tie_break.value, *filter(None, modifiers)))

    @property
    def least_is_best(self) -> bool:
        """Return whether the smaller value is better: for places and numbers, and for a reversed rating."""
        if self.tie_break is TieBreak.DE:
            return True
        return (self.tie_break is TieBreak.TPN) != self.is_reversed


DEFAULT_LIST: Final = ("BH/C1", "BH", "SB", "DE", "WIN")
"""Our own choice, because C.07 recommends no list."""


def parse_list(codes: str | Sequence[str], edition: TieBreakEdition) -> tuple[TieBreakCode, ...]:
    """Return the tie-breaks in *codes*, in the same order; a text has commas, semicolons or new lines
    between them and may begin with ``PTS``.

    Raise :class:`InputError`: ``tie_break.unknown``, ``tie_break.modifier`` (this tie-break does not have that
    modifier), ``tie_break.not_in_edition``, ``tie_break.twice``.
    """
    words = [word.strip() for word in (_BETWEEN.split(codes) if isinstance(codes, str) else codes)]
    if words and words[0].upper() == _PRIMARY:
        del words[0]
    parsed = tuple(parse_code(word, edition) for word in words if word)
    for place, code in enumerate(parsed, 1):
        first = parsed.index(code) + 1
        if first < place:
            raise InputError(
                "tie_break.twice",
                f"{code} stands twice in the list, at places {first} and {place}: it can break a tie once.",
                tie_break=str(code),
                first=first,
                second=place,
            )
    return parsed


def parse_code(text: str, edition: TieBreakEdition) -> TieBreakCode:
    """Return the tie-break with the code *text* in *edition*; raise as :func:`parse_list`."""
    name, *modifiers = _MODIFIERS.split(text.strip().upper())
    tie_break = next((known for known in TieBreak if known.value == name), None)
    if tie_break is None:
        known = " ".join(known.value for known in TieBreak if known.value not in edition.unknown)
        raise InputError(
            "tie_break.unknown", f"There is no tie-break '{text}'; known: {known}.", tie_break=text, known=known
        )
    fields: dict[str, Any] = {}
    for modifier in modifiers:
        given = _modifier(modifier, tie_break)
        if given is None or fields.keys() & given.keys():
            allowed = ", ".join(_spelling(variant) for variant in _VARIANTS.get(tie_break, ())) or "none"
            raise InputError(
                "tie_break.modifier",
                f"{tie_break.value} cannot have the modifiers of '{text}'; {tie_break.value} has {allowed}.",
                tie_break=text,
                allowed=allowed,
            )
        fields |= given
    code = TieBreakCode(tie_break, **fields)
    plain = f"{name}/F" if code.fore and tie_break is TieBreak.AOB else name
    if plain in edition.unknown:
        raise InputError(
            "tie_break.not_in_edition",
            f"{text} is not in {edition.name}: it came with a later text.",
            tie_break=text,
            edition=edition.code,
        )
    return code


def format_list(codes: Sequence[TieBreakCode]) -> str:
    """Return the list in the form of record 202."""
    return ",".join(str(code) for code in codes)


def _modifier(text: str, tie_break: TieBreak) -> dict[str, Any] | None:
    """Return the fields that one modifier sets; None if *tie_break* does not have it."""
    variants = _VARIANTS.get(tie_break, ())
    limit = _LIMIT.fullmatch(text)
    if limit is not None and "L" in variants:
        return {"limit": int(limit[1])}
    if text not in variants or text == "L":
        return None
    match text[0]:
        case "C":
            return {"cut_least": int(text[1]), "cut_most": 0}
        case "M":
            return {"cut_least": int(text[1]), "cut_most": int(text[1])}
        case "P":
            return {"forfeits_count": True}
        case "F":
            return {"fore": True}
        case _:
            return {"is_reversed": True}


def _spelling(variant: str) -> str:
    return "/L+n or /L-n" if variant == "L" else f"/{variant}"
