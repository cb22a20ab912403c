"""Read FIDE's rating list as text: columns of fixed width under their headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import BinaryIO, Final

from tournaments.core.errors import BadInput
from tournaments.lists.rating_lists.rows import Faults, Row, row_of

LONGEST: Final = 1_000
_TITLES: Final = re.compile(r"[A-Z]+(?:,[A-Z]+)*")
"""Other titles, such as ``SI,FI,LSI``; a rating or a title of the
online arena may follow without a blank.
"""
_ARENA: Final = ("AGM", "AIM", "AFM", "ACM")
"""Titles of the online arena, in the column FOA."""

HEADINGS: Final = {
    "id number": "fide_id",
    "id_number": "fide_id",
    "name": "name",
    "fed": "federation",
    "country": "federation",
    "sex": "sex",
    "tit": "title",
    "titl": "title",
    "title": "title",
    "wtit": "women_title",
    "otit": "",  # Its letters may go on in the next column: other_titles_of.
    "foa": "",
    "srtng": "standard",
    "rrtng": "rapid",
    "brtng": "blitz",
    "sgm": "standard_games",
    "rgm": "rapid_games",
    "bgm": "blitz_games",
    "sk": "standard_k",
    "rk": "rapid_k",
    "bk": "blitz_k",
    "games": "{rate}_games",
    "gms": "{rate}_games",
    "k": "{rate}_k",
    "b-day": "birth",
    "birthday": "birth",
    "born": "birth",
    "flag": "flag",
}
"""The fields under FIDE's headings, those of older lists too.

The list for one rate of play has a month instead of SRtng, such as NOV26, and Gms and K of this
rate.
"""

MONTHS: Final = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
MONTH: Final = re.compile(rf"({'|'.join(MONTHS)})(\d\d)", re.IGNORECASE)
_KNOWN: Final = "|".join(sorted((*map(re.escape, HEADINGS), MONTH.pattern), key=len, reverse=True))
_HEADING: Final = re.compile(rf"(?:{_KNOWN})(?={_KNOWN}|\s|$)|\S+", re.IGNORECASE)
"""A heading; older lists have no blank between two of them, such as TitlFed and GamesBorn."""


def is_fide_text(head: str) -> bool:
    """Return whether *head*, the first line of a file that is not blank, has FIDE's headings."""
    plain = head.lstrip("\ufeff").strip().lower()
    return plain.startswith(("id number", "id_number")) and "name" in plain


def read_text(stream: BinaryIO, faults: Faults, *, rate: str) -> Iterator[Row]:
    """Yield the players of *stream*; a rating under a month is of *rate* (or standard).

    The columns are where the headings are; a line with headings between the players moves them.
    ``BadInput`` with the line if the last line is cut off, or a line is far too long.
    """
    columns: list[tuple[str, slice]] = []
    other_titles: slice | None = None
    has_arena = False
    last = number = 0
    while data := stream.readline(LONGEST + 1):
        number += 1
        line = _line(data, number)
        if not line.strip():
            continue
        if not columns or (line[0] in "Ii " and is_fide_text(line)):
            columns = _columns(line, rate or "standard", number)
            other_titles, has_arena = _other_titles(line), _has_arena(line)
            last = max(
                place.start for name, place in columns if name == "birth" or name == "federation"
            )
            continue
        if not data.endswith(b"\n") and len(line.rstrip()) < last:
            raise BadInput("rating_list.cut_off", line=number)
        try:
            end = _end_of_titles(line, other_titles, has_arena=has_arena)
            whole = _without_surplus(line, other_titles, end)
            values = {name: whole[place].strip() for name, place in columns}
            if other_titles is not None:
                values["other_titles"] = line[other_titles.start : end].strip()
            yield row_of(values, number)
        except BadInput as fault:
            faults.add(fault)


def _other_titles(head: str) -> slice | None:
    """Return the place of the other titles; None if *head* has no heading of them."""
    places = [(found.start(), found[0].lower()) for found in _HEADING.finditer(head)]
    following = pairwise(places)
    return next(
        (slice(begin, end) for (begin, text), (end, _) in following if text == "otit"), None
    )


def _has_arena(head: str) -> bool:
    return any(found[0].lower() == "foa" for found in _HEADING.finditer(head))


def _end_of_titles(line: str, titles: slice | None, *, has_arena: bool) -> int:
    """Return the place after the other *titles* of *line*, which may be too long for their column.

    With *has_arena* the title of the column FOA may follow without a blank; it is not theirs.
    """
    found = _TITLES.match(line, titles.start) if titles is not None else None
    end = found.end() if found else 0
    if has_arena and line[:end].endswith(_ARENA):
        end -= len(_ARENA[0])
    return end


def _without_surplus(line: str, titles: slice | None, end: int) -> str:
    """Return *line* without letters of other *titles*, up to *end*, too long for a column.

    A player with five such titles has more letters than the column is wide, and everything after
    them is that much later in the line.
    """
    surplus = end - titles.stop if titles is not None else 0
    if titles is None or surplus <= 0:
        return line
    return line[: titles.stop] + line[titles.stop + surplus :]


def _columns(head: str, rate: str, number: int) -> list[tuple[str, slice]]:
    """Return field and place of each used column, from the places of the headings in *head*."""
    places = [(found.start(), found[0].lower()) for found in _HEADING.finditer(head)]
    ends = [begin for begin, _ in places[1:]] + [LONGEST]
    fields = [
        HEADINGS.get(text, rate if MONTH.fullmatch(text) else "").format(rate=rate)
        for _, text in places
    ]
    columns = [
        (name, slice(begin, end))
        for (begin, _), end, name in zip(places, ends, fields, strict=True)
        if name
    ]
    if not {"fide_id", "name", "federation"} <= {name for name, _ in columns}:
        raise BadInput("rating_list.unknown", line=number)
    # The number may begin left of its heading, which is then not the first column of the text.
    return [
        (name, slice(0, place.stop) if place.start == places[0][0] else place)
        for name, place in columns
    ]


def _line(data: bytes, number: int) -> str:
    """Return a line as text: UTF-8, else the Windows encoding of western Europe."""
    if len(data) > LONGEST:
        raise BadInput("rating_list.too_long", line=number)
    try:
        return data.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace").rstrip("\r\n")
