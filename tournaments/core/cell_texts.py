"""The texts of cells, whatever they contain: without capitals, quotes and words for nothing."""

from __future__ import annotations

import re
from typing import Final

from pairing.rules.names import fold

_NOTHING: Final = frozenset(
    (
        "na", "n a", "nc", "n c", "nd", "n d", "k a", "none", "null", "nil", "unr", "unrated", "ur", "unknown",
        "not rated", "no rating", "no elo", "non classe", "non classee", "sans", "sans elo", "neant", "inconnu",
        "ohne", "kein", "keine", "ohne elo", "ohne dwz", "ohne wertung", "unbekannt", "sin elo", "sin rating",
        "ninguno", "senza", "senza elo", "nessuno", "geen", "geen rating", "onbekend", "sem", "sem elo", "sem rating",
        "nenhum", "brak", "bez rankingu", "bez elo", "nieznany",
    )
)  # fmt: skip
_LONGEST_WORD: Final = 20
_FORMULA: Final = re.compile(r'="(.*)"')
_QUOTED: Final = re.compile(
    """['"`´‘’‚“”„«»‹›](?!.* ['‘’])([^"“”„«»]*[^'"`´‘’‚“”„«»‹›])['"`´‘’“”„«»‹›]"""
)
_QUOTES: Final = "'\"`´’‘“”„«»"


def plain(text: str) -> str:
    """Return *text* without capitals, accents and punctuation, with one blank between words."""
    return " ".join(re.sub(r"[^a-z0-9]+", " ", fold(text)).split())


def shortened(text: str) -> str:
    """Return *text* for a sentence: at most 60 characters."""
    return text if len(text) <= 60 else text[:59] + "…"


def says_nothing(text: str) -> bool:
    """Return whether *text* is empty, a dash, zeros, or a word such as ``n.c.`` or ``unr``."""
    if not text.strip(" -–—?./0"):
        return True
    return len(text) <= _LONGEST_WORD and not text[-1].isdecimal() and plain(text) in _NOTHING


def without_formula(text: str) -> str:
    """Return *text* without the ``="…"`` with which programs keep zeros in front of a number."""
    found = _FORMULA.fullmatch(text)
    return found[1].strip() if found else text


def without_quotes(text: str) -> str:
    """Return *text* without quotation marks around it, or the one before a text in spreadsheets."""
    return without_formula(text.strip()).strip(_QUOTES + " ")


def unquoted(text: str) -> str:
    """Return *text* without a pair of quotation marks around the whole of it.

    One apostrophe is part of a name.
    """
    found = _QUOTED.fullmatch(text)
    return found[1].strip() if found else text
