"""Decide which records of an imported report everybody may read.

A report may hold records that this program does not know, and comments in free words: addresses,
telephone numbers, notes about players. They are kept for the arbiters' own files. Only records
whose every word is known are public.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

IMPORTED: Final = "tournament.imported"
IN_THE_OPEN: Final = "trf_extras"
"""The setting that has the records in lines of that action from
before 28 November 2026, not hidden.
"""

NOTE_ON_MATCHES: Final = (
    "Double-Swiss (C.04.5): rounds 2k-1 and 2k of this file are the two games of match k, the "
    "second with the colours "
    "reversed. The TRF has no form for matches; comments count matches."
)
_PLAYERS: Final = r"\d{1,4}(?:, \d{1,4}){0,9998}"
_ROUND: Final = r" @ Round \d{1,2}"
_ARTICLE: Final = (
    r"(?:Laws|C\.\d\d(?:\.\d)?)"
    r"(?: (?:[a-i]|[A-Z]?[\d.]{1,8}[a-z]?(?:\.[a-z])?)(?:, [A-Z]?[\d.]{1,8}){0,4})?"
)
_OF_ARTICLE: Final = rf"(?:, (?:{_ARTICLE})?)?"
_RESULT: Final = r"[-+=01WLDwld?]{0,2}"
_CODE: Final = r"[A-Z]{1,6}(?:\d{1,3})?(?:[/:][A-Z0-9.-]{1,8}){0,4}"
_CODES: Final = rf"(?:none|{_CODE}(?:,{_CODE}){{0,30}})"
_RATING: Final = r"(?:fide|national|second)_rating (?:None|\d{1,4}) -> (?:None|\d{1,4})"
_CORRECTED: Final = (
    rf"(?:result {_RESULT} -> {_RESULT}|colours reversed|{_RATING}(?:, {_RATING}){{0,2}})"
)
_SCOPE: Final = (
    "(?:standings and next pairing|standings and the pairing after the published "
    "one|rating report only)"
)
_BACK: Final = r"(?:, reported \d{1,7} minutes before its entry)?"
_DAY: Final = (
    r"(?:(?:(?:19|20)\d\d|\d\d)/[01]?\d/[0-3]?\d|(?:19|20)\d\d-[01]\d-[0-3]\d"
    r"|[0-3]?\d[./][01]?\d[./](?:19|20)\d\d)"
)
"""Years first, of two or four digits, or days first with years of four digits:
no telephone number looks so.
"""
_PERIOD: Final = r"\d{1,3}/\d{1,5}(?:\+\d{1,4})?|\d{1,5}(?:\+\d{1,4})?"
_PERIODS: Final = rf"(?:{_PERIOD})(?::(?:{_PERIOD})){{0,4}}"
"""A time control in seconds, such as ``40/6000+30:900+30``."""
_REPORTED: Final = rf"\d{{1,4}} – \d{{1,4}}(?: {_RESULT}){{1,2}}"
_COMMENTS: Final = (
    (
        rf"Correction{_ROUND}: (?:board \d{{1,4}}(?: game \d)?|TPN \d{{1,4}}), {_CORRECTED}, "
        rf"{_ARTICLE}, {_SCOPE}{_BACK}"
    ),
    rf"FIDE mode left(?:{_ROUND}(?:: rules no longer in force{_OF_ARTICLE})?)?",
    (
        rf"Open games{_ROUND}: \d{{1,2}}/\d{{1,4}}(?:, \d{{1,2}}/\d{{1,4}}){{0,200}}, draws for this "
        rf"pairing, {_ARTICLE}"
    ),
    rf"Full-point bye{_ROUND}: TPN {_PLAYERS}, {_ARTICLE}",
    rf"Expelled{_ROUND}: TPN \d{{1,4}}",
    rf"Order of tied players{_ROUND}: TPN {_PLAYERS}, {_ARTICLE}",
    rf"Import{_ROUND}: pairings differ from the engine's, {_ARTICLE}",
    rf"Rounds(?:{_ROUND})?: \d{{1,2}} -> \d{{1,2}}{_OF_ARTICLE}",
    (
        rf"Configuration{_ROUND}: (?:no legal pairing|boards {_PLAYERS} differ) with the new number "
        rf"of rounds{_OF_ARTICLE}"
    ),
    rf"Late entry{_ROUND}: TPN {_PLAYERS}{_OF_ARTICLE}",
    rf"Tie-breaks(?:{_ROUND})?: {_CODES} -> {_CODES}{_OF_ARTICLE}",
    rf"(?:MPA|Adjournment){_ROUND}: boards {_PLAYERS}(?:, ended without a draw)?{_OF_ARTICLE}",
    rf"MPA{_ROUND}: bye of TPN {_PLAYERS}{_OF_ARTICLE}",
    rf"Points(?: withdrawn)?{_ROUND}: TPN \d{{1,4}} [-+]\d{{1,2}}\.\d{_OF_ARTICLE}",
    rf"Numbers{_ROUND}: assigned again, \d{{1,4}} moved{_OF_ARTICLE}",
    re.escape(NOTE_ON_MATCHES),
    (
        r"Rating report \d{1,4}: \d{1,6} games(?: played until \d{4}-\d\d-\d\d)?; blank rounds are "
        r"not in this report"
    ),
    r"Rating report \d{1,4}, \d{4}-\d\d-\d\d: \d{1,6} games, SHA-256 [0-9a-f]{64}",
    r"Open game @ Round \d{1,2}: \d{1,4} – \d{1,4}",
    rf"Correction of rating report \d{{1,4}}{_ROUND}: {_REPORTED} -> {_REPORTED}",
)
"""The comments of our own exports (``trf_comments.py`` and
``sent_reports.py`` in ``tournaments/reports``).
"""
_PUBLIC: Final = re.compile(
    "|".join(
        (
            rf"132(?: {{1,100}}{_DAY}){{0,99}}",
            rf"(?:042|052) {{1,9}}{_DAY}",
            r"172 [A-Z]{3} [A-Z]{3,5}",
            rf"222 (?:{_PERIODS}|W{_PERIODS}-B{_PERIODS})",
            *(f"### {comment}" for comment in _COMMENTS),
        )
    ),
    re.ASCII,
)


def is_public_record(line: str) -> bool:
    """Return whether all may read *line* of an import: dates, codes, comments of our exports."""
    return _PUBLIC.fullmatch(line.rstrip()) is not None


def public_records(lines: Iterable[str]) -> Iterator[str]:
    """Yield those of *lines* that everybody may read, in their order."""
    return filter(is_public_record, lines)


def private_records(lines: Iterable[str]) -> list[str]:
    """Return those of *lines* that only arbiters may read; blank ones are neither."""
    return [line for line in lines if line.strip() and not is_public_record(line)]


def records_in_the_open(action: str, after: Mapping[str, Any]) -> list[str]:
    """Return the private records that a line of the record has in the open,
    which its fingerprint covers as they are.

    Lines of an import from before 28 November 2026 have them; newer ones hide them.
    """
    settings = after.get("settings") if action == IMPORTED else None
    kept = settings.get(IN_THE_OPEN, ()) if isinstance(settings, Mapping) else ()
    return (
        private_records(each for each in kept if isinstance(each, str))
        if isinstance(kept, list)
        else []
    )


_E_MAIL: Final = re.compile(r"[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_TELEPHONE: Final = re.compile(
    r"(?<![\w.])(?:(?:tele(?:phone|fon)|t[ée]l[ée]phone|t[ée]l|phone|mob(?:ile|il)?|handy|natel|fax)\b\W{0,3})?"
    r"(?:\+\d|\(?0\d)[\d ()./-]{6,24}\d(?!\w)",
    re.IGNORECASE,
)
_DIGITS_OF_TELEPHONE: Final = 9
_LONGEST: Final = 1_000
"""Characters of a text that are kept; no field of a tournament is longer,
and a search takes time for each.
"""
_DATE: Final = re.compile(r"\b\d{1,2}[./ -]\d{1,2}[./ -](?:19|20)\d\d\b")
_EMPTY_BRACKETS: Final = re.compile(r"[(\[<]\W*[)\]>]")


def without_contact_data(text: str) -> str:
    """Return *text*, which everybody will read, without e-mail addresses and telephone numbers.

    A telephone number begins with ``+`` or 0 and has at least nine digits; a FIDE ID does not begin
    with 0, and dates stay.
    """

    def shortened(found: re.Match[str]) -> str:
        digits = sum(map(str.isdigit, found[0]))
        return "" if digits >= _DIGITS_OF_TELEPHONE and not _DATE.search(found[0]) else found[0]

    text = text[:_LONGEST]
    left = _TELEPHONE.sub(shortened, _E_MAIL.sub("", text))
    return (
        text if left == text else " ".join(_EMPTY_BRACKETS.sub("", left).split()).rstrip(" ,;:/-")
    )
