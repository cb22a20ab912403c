"""Read FIDE's rating list in XML, a part at a time.

The parser is Python's expat with everything refused that such a list does not need: a document type, and with it every
entity, so that no file grows while it is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final
from xml.parsers import expat

from tournaments.core.errors import BadInput
from tournaments.rating_lists.rows import Faults, Row, row_of

PART: Final = 256 * 1024
LONGEST: Final = 1_000
"""Characters in one element, and thousands of bytes in one tag: no list has more."""

FIELDS: Final = {
    "fideid": "fide_id",
    "name": "name",
    "country": "federation",
    "sex": "sex",
    "title": "title",
    "w_title": "w_title",
    "rating": "standard",
    "rapid_rating": "rapid",
    "blitz_rating": "blitz",
    "birthday": "birth",
}


def read_xml(stream: BinaryIO, faults: Faults, *, rate: str) -> Iterator[Row]:
    """Yield the players of *stream*; the only rating of a list for one *rate* of play is that of this rate.

    ``BadInput`` with the line for a file that ends too early, has a document type, or is not XML.
    """
    reader = _Reader(faults, rate)
    fed = 0
    try:
        while part := stream.read(PART):
            fed += len(part)
            reader.parser.Parse(part, False)
            if fed - reader.parser.CurrentByteIndex > LONGEST * 1_000:
                raise BadInput("rating_list.too_long", line=reader.parser.CurrentLineNumber)
            yield from reader.taken()
        reader.parser.Parse(b"", True)
    except expat.ExpatError as error:
        problem = expat.errors.messages.get(error.code, "")
        raise BadInput("rating_list.not_xml", line=error.lineno, column=error.offset + 1, problem=problem) from error
    yield from reader.taken()


class _Reader:
    """The parser, and the players read since the last part."""

    def __init__(self, faults: Faults, rate: str) -> None:
        self.rows: list[Row] = []
        self.faults = faults
        self.fields = FIELDS if rate == "" else FIELDS | {"rating": rate}
        self.values: dict[str, str] = {}
        self.texts: list[str] = []
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters

    def taken(self) -> list[Row]:
        rows, self.rows = self.rows, []
        return rows

    def doctype(self, *declared: object) -> None:
        raise BadInput("rating_list.doctype", line=self.parser.CurrentLineNumber)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.texts.clear()
        if tag == "player":
            self.values = {}

    def characters(self, text: str) -> None:
        if len(text) > LONGEST or len(self.texts) > LONGEST:
            raise BadInput("rating_list.too_long", line=self.parser.CurrentLineNumber)
        self.texts.append(text)

    def end(self, tag: str) -> None:
        if tag == "player":
            try:
                self.rows.append(row_of(self.values, self.parser.CurrentLineNumber))
            except BadInput as fault:
                self.faults.add(fault)
        elif tag in self.fields:
            self.values[self.fields[tag]] = "".join(self.texts).strip()
        self.texts.clear()
