"""Read FIDE's rating list as text: columns of fixed width under their headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO, Final

from tournaments.core.errors import BadInput
from tournaments.rating_lists.rows import Faults, Row, row_of

LONGEST: Final = 1_000

HEADINGS: Final = {
    "ID Number": "fide_id",
    "Name": "name",
    "Fed": "federation",
    "Sex": "sex",
    "Tit": "title",
    "WTit": "w_title",
    "OTit": "",
    "FOA": "",
    "SRtng": "standard",
    "SGm": "",
    "SK": "",
    "RRtng": "rapid",
    "RGm": "",
    "Rk": "",
    "RK": "",
    "BRtng": "blitz",
    "BGm": "",
    "BK": "",
    "Gms": "",
    "K": "",
    "B-day": "birth",
    "Flag": "",
}
"""The fields under FIDE's headings. The list for one rate of play has a month instead of SRtng, such as NOV26."""

MONTHS: Final = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
MONTH: Final = re.compile(rf"({'|'.join(MONTHS)})(\d\d)", re.IGNORECASE)


def is_fide_text(head: str) -> bool:
    """Return whether *head*, the first line of a file, has FIDE's headings."""
    return head.lstrip("\ufeff").startswith("ID Number") and " Name " in head


def read_text(stream: BinaryIO, faults: Faults, *, rate: str) -> Iterator[Row]:
    """Yield the players of *stream*; the rating under a month is that of the *rate* of play (empty: standard).

    ``BadInput`` with the line if the last line is cut off, or a line is far too long.
    """
    head = _line(stream.readline(LONGEST + 1), 1)
    columns = _columns(head, rate or "standard")
    last = max(begin for begin, end, name in columns if name == "birth" or name == "federation")
    number = 1
    while data := stream.readline(LONGEST + 1):
        number += 1
        line = _line(data, number)
        if not data.endswith(b"\n") and len(line.rstrip()) < last:
            raise BadInput("rating_list.cut_off", line=number)
        if not line.strip():
            continue
        try:
            yield row_of({name: line[begin:end].strip() for begin, end, name in columns}, number)
        except BadInput as fault:
            faults.add(fault)


def _columns(head: str, rate: str) -> list[tuple[int, int, str]]:
    """Return begin, end and field of each column that is used, from the places of the headings in *head*."""
    places = [(found.start(), found[0]) for found in re.finditer(r"ID Number|\S+", head)]
    ends = [begin for begin, _ in places[1:]] + [LONGEST]
    fields = [HEADINGS.get(text, rate if MONTH.fullmatch(text) else "") for _, text in places]
    columns = [(begin, end, name) for (begin, _), end, name in zip(places, ends, fields, strict=True) if name]
    if not {"fide_id", "name", "federation"} <= {name for _, _, name in columns}:
        raise BadInput("rating_list.unknown", line=1)
    return columns


def _line(data: bytes, number: int) -> str:
    """Return a line as text: UTF-8, else the Windows encoding of western Europe."""
    if len(data) > LONGEST:
        raise BadInput("rating_list.too_long", line=number)
    try:
        return data.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace").rstrip("\r\n")
