"""Read FIDE's rating list in XML, a part at a time.

The parser is Python's expat with everything refused that such a list does not need: a document
type, and with it every entity, so that no file grows while it is read.

Almost all players of a list have plain elements in the same order, without entities, comments and
attributes. A regular expression with the elements of the first player reads such a player in one
call, and the parser gets as many lines of blanks instead. This happens only between two players,
and such a text is well-formed by itself, so the parser accepts or refuses the file as if it had
read everything. All other players go through the parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO, Final
from xml.parsers import expat

from tournaments.core.errors import BadInput
from tournaments.lists.rating_lists.rows import Faults, Row, row_of

PART: Final = 256 * 1024
LONGEST: Final = 1_000
"""Characters in one element, and thousands of bytes in one tag: no list has more."""
END: Final = "</player>"
READ_AS_UTF_8: Final = ("", "UTF-8", "ASCII", "US-ASCII")

FIELDS: Final = {
    "fideid": "fide_id",
    "name": "name",
    "country": "federation",
    "sex": "sex",
    "title": "title",
    "w_title": "women_title",
    "o_title": "other_titles",
    "rating": "standard",
    "games": "standard_games",
    "k": "standard_k",
    "rapid_rating": "rapid",
    "rapid_games": "rapid_games",
    "rapid_k": "rapid_k",
    "blitz_rating": "blitz",
    "blitz_games": "blitz_games",
    "blitz_k": "blitz_k",
    "birthday": "birth",
    "flag": "flag",
}
PLAIN_TAGS: Final = re.compile(r"(?:[a-z_]\w{0,40} ?){0,60}", re.ASCII)
BLANKS: Final = r"[ \t\r\n]*+"
TEXT: Final = rf"[^<>&\x00-\x1f\ufffe\uffff]{{0,{LONGEST}}}+"


def read_xml(stream: BinaryIO, faults: Faults, *, rate: str) -> Iterator[Row]:
    """Yield the players of *stream*.

    In a list for one *rate* of play the only rating is that of this rate. ``BadInput`` with the
    line for a file that ends too early, has a document type, or is not XML.
    """
    reader = _Reader(faults, rate)
    try:
        while part := stream.read(PART):
            reader.read(part)
            yield from reader.taken()
        reader.feed(reader.held, last=True)
    except expat.ExpatError as error:
        problem = expat.errors.messages.get(error.code, "")
        raise BadInput(
            "rating_list.not_xml", line=error.lineno, column=error.offset + 1, problem=problem
        ) from error
    yield from reader.taken()


def plain_player(tags: Sequence[str]) -> re.Pattern[str]:
    """Return the pattern of a player with the elements *tags*, each at most once,
    in this order, with text only.

    It has a group for each element in :data:`FIELDS`. The quantifiers are possessive, so no text
    takes long.
    """
    elements = []
    for tag in tags:
        text = f"({TEXT})" if tag in FIELDS else TEXT
        elements.append(f"(?:<{tag}>{text}</{tag}>{BLANKS}|<{tag} ?/>{BLANKS})?+")
    return re.compile(f"{BLANKS}<player>{BLANKS}{''.join(elements)}{END}")


class _Reader:
    """The parser, and the players read since the last part."""

    def __init__(self, faults: Faults, rate: str) -> None:
        self.rows: list[Row] = []
        self.faults = faults
        of_rate = {"rating": rate, "games": f"{rate}_games", "k": f"{rate}_k"}
        self.fields = FIELDS | of_rate if rate else FIELDS
        self.values: dict[str, str] = {}
        self.texts: list[str] = []
        self.depth = 0
        self.held = b""
        """The bytes after the last player, until the next part."""
        self.fed = self.ended = 0
        """The bytes that the parser got, and those up to the end
        of the last player that it has seen.
        """
        self.is_utf_8 = True
        self.tags: list[str] = []
        self.pattern: re.Pattern[str] | None = None
        self.names: list[str] = []
        """The fields of the groups of the pattern."""
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.XmlDeclHandler = self.declared
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters

    def taken(self) -> list[Row]:
        rows, self.rows = self.rows, []
        return rows

    def read(self, part: bytes) -> None:
        """Read the players that end in *part*; the rest is held until the next one."""
        self.held += part
        end = self.held.rfind(END.encode()) + len(END)
        if self.pattern is None or end < len(END):
            end = len(self.held)
        ready, self.held = self.held[:end], self.held[end:]
        try:
            text = ready.decode() if self.pattern is not None else None
        except UnicodeDecodeError:
            text = None
        if text is None:
            self.feed(ready)
            return
        place = 0
        while place < len(text):
            if self.ended == self.fed:
                place = self.skip_plain_players(text, place)
            after = text.find(END, place) + len(END)
            if after < len(END):
                after = len(text)
            if place < after:
                self.feed(text[place:after].encode())
            place = after

    def skip_plain_players(self, text: str, place: int) -> int:
        """Read plain players in *text* from *place*, give the parser blanks.

        Return the place after them.
        """
        assert self.pattern is not None
        begin, match, names, rows = place, self.pattern.match, self.names, self.rows
        while found := match(text, place):
            place = found.end()
            try:
                rows.append(
                    row_of(dict(zip(names, map(str.strip, found.groups("")), strict=True)), 0)
                )
            except BadInput as fault:
                fault.line = self.parser.CurrentLineNumber + text.count("\n", begin, place)
                self.faults.add(fault)
        if begin < place:
            lines = text.count("\n", begin, place)
            self.feed(
                b"\n" * lines + b" " * (place - max(begin, text.rfind("\n", begin, place) + 1))
            )
            self.ended = self.fed
        return place

    def feed(self, data: bytes, *, last: bool = False) -> None:
        """Give *data* to the parser; ``BadInput`` if it waits for the end of a far too long tag."""
        self.fed += len(data)
        self.parser.Parse(data, last)
        if self.fed - self.parser.CurrentByteIndex > LONGEST * 1_000:
            raise BadInput("rating_list.too_long", line=self.parser.CurrentLineNumber)

    def declared(self, version: str, encoding: str | None, standalone: int) -> None:
        self.is_utf_8 = (encoding or "").upper() in READ_AS_UTF_8

    def doctype(self, *declared: object) -> None:
        raise BadInput("rating_list.doctype", line=self.parser.CurrentLineNumber)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.texts.clear()
        self.depth += 1
        if tag == "player":
            self.values, self.tags = {}, []
        else:
            self.tags.append(tag)

    def characters(self, text: str) -> None:
        if self.depth < 2:
            return  # blanks between players
        if len(text) > LONGEST or len(self.texts) > LONGEST:
            raise BadInput("rating_list.too_long", line=self.parser.CurrentLineNumber)
        self.texts.append(text)

    def end(self, tag: str) -> None:
        self.depth -= 1
        if tag == "player":
            try:
                self.rows.append(row_of(self.values, self.parser.CurrentLineNumber))
            except BadInput as fault:
                self.faults.add(fault)
            self.player_ended()
        elif tag in self.fields:
            self.values[self.fields[tag]] = "".join(self.texts).strip()
        self.texts.clear()

    def player_ended(self) -> None:
        """Learn the elements from the first player; a nested one is none."""
        if self.depth != 1:
            return
        self.ended = self.parser.CurrentByteIndex + len(END)
        if self.pattern is None and self.is_utf_8 and PLAIN_TAGS.fullmatch(" ".join(self.tags)):
            tags = list(dict.fromkeys(self.tags))
            self.pattern = plain_player(tags)
            self.names = [self.fields[tag] for tag in tags if tag in FIELDS]
