"""Write names in ASCII, for the formats of federations that have no other letters.

Cyrillic letters are those of passports (ICAO 9303), Greek ones those of ISO 843 without accents.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

from pairing.rules.names import fold

_CYRILLIC: Final = (
    "а-a б-b в-v г-g д-d е-e ж-zh з-z и-i к-k л-l м-m н-n о-o п-p р-r с-s т-t у-u ф-f х-kh ц-ts "
    "ч-ch ш-sh щ-shch ъ-ie ы-y ь- э-e ю-iu я-ia є-ie і-i ї-i ґ-g ў-u ђ-d ј-j љ-lj њ-nj ћ-c џ-dz "
    "ѓ-g ќ-k ѕ-dz ә-a ғ-g қ-k ң-n ө-o ұ-u ү-u һ-h"
)
_GREEK: Final = (
    "α-a β-v γ-g δ-d ε-e ζ-z η-i θ-th ι-i κ-k λ-l μ-m ν-n ξ-x ο-o π-p ρ-r σ-s ς-s τ-t υ-y φ-f "
    "χ-ch ψ-ps ω-o"
)
_LETTERS: Final[Mapping[str, str]] = dict(
    pair.split("-", 1) for pair in f"{_CYRILLIC} {_GREEK}".split()
)
"""What stands for a letter without its accent."""
_OU: Final = re.compile("(?i)(?<=ο)[υύ]")
"""The second letter of the only pair of Greek letters that is one sound in every name."""


def ascii_of(text: str, width: int) -> str:
    """Return *text* in ASCII, at most *width* letters: accents are left out, and letters of
    alphabets that are not known here.
    """
    return _ascii(text)[:width]


def is_lost(text: str, width: int) -> bool:
    """Return whether :func:`ascii_of` leaves out letters or digits of *text*."""
    return len(_ascii(text)) > width or any(
        letter.isalnum() and not _ascii(letter) and fold(letter) not in _LETTERS for letter in text
    )


def _ascii(text: str) -> str:
    text = _OU.sub(lambda found: "U" if found[0].isupper() else "u", text)
    plain = "".join(letter if letter.isascii() else _unaccented(letter) for letter in text)
    return "".join(letter for letter in plain if letter.isascii() and letter.isprintable())


def _unaccented(letter: str) -> str:
    if letter.isspace():
        return " "
    if unicodedata.category(letter) == "Pd":  # a dash between two names
        return "-"
    folded = fold(letter)
    folded = _LETTERS.get(folded, folded)
    return folded.capitalize() if letter.isupper() else folded
