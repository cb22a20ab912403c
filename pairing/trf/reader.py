"""Read a tournament report: TRF-2026, TRF16 and the extension records of pairing programs."""

from __future__ import annotations

import re

from pairing.engine.errors import Text, text as _
from pairing.engine.model import TPN, Colour, Points, Result

from .consistency import check_consistency
from .directives import DIRECTIVES, national_rating
from .document import PlayerRecord, Record, RoundCell, TextRecord, TrfDocument
from .errors import TrfError
from .fields import (
    CELL_WIDTH,
    COLOUR_OFFSET,
    FIRST_ROUND_COLUMN,
    MAX_BYTES,
    MAX_CHARACTERS,
    MAX_LINES,
    MAX_ROUNDS,
    NAME_GAP,
    OLD_TITLES,
    OPPONENT_WIDTH,
    PLAYER,
    PLAYER_GAPS,
    RESULT_OFFSET,
    ROUND_WIDTH,
    SEXES,
)
from .kinds import refuse_other_kinds
from .lines import SourceLine, clip
from .sexes import read_sex_from_titles

_FEDERATION = re.compile("(?!XX|BB)[A-Z]{3}")
"""The beginning of a record of national rating support; XX? and BB? are extensions."""
_LINE_END = re.compile(r"\r\n|\r|\n")
_BYTE_ORDER_MARK = "\ufeff"
_COLOURS = {
    "w": Colour.WHITE,
    "b": Colour.BLACK,
    "-": None,
    " ": None,
    "W": Colour.WHITE,
    "B": Colour.BLACK,
}
_RESULTS = {result.value: result for result in Result} | {
    result.value.lower(): result for result in Result
}
_WITHOUT_OPPONENT = {
    "+": Result.FULL_POINT_BYE,
    "=": Result.HALF_POINT_BYE,
    "-": Result.ZERO_POINT_BYE,
    " ": Result.ZERO_POINT_BYE,
}
"""The letters for a bye in old files: the letter of a game result, without an opponent."""
_COLUMNS = {column.name: column for column in PLAYER}


def read(
    text: str | bytes,
    *,
    system: str | None = None,
    check_points: bool = True,
    only_players: bool = False,
    any_kind: bool = False,
) -> TrfDocument:
    """Return the report in *text*; bytes are UTF-8. ``write(read(text))`` is exactly *text*.

    *system*, or record 192 if it is None, decides whether two rounds are the games of one match.
    Lines may end in LF, CRLF or CR; columns are counted in characters; unknown records are kept.
    Cost: one look at every character. Raise :class:`TrfError` with line and column for bytes that
    are not UTF-8 (``trf.not_utf8``), for a file that is not a report (``trf.too_large``,
    ``trf.no_players``), for a field whose content its column does not allow, and if the file
    contradicts itself (see :func:`pairing.trf.consistency.check_consistency`; without
    *check_points* the points column is not checked). A team event, a round robin and the like are
    refused first (:mod:`pairing.trf.kinds`). With *only_players* neither is: the rounds are not
    used. *any_kind*: such an event that was opened here before.
    """
    if isinstance(text, bytes):
        text = _decoded(text)
    _check_size(text)
    records: list[Record] = []
    tpn_lines: dict[TPN, int] = {}
    position, number, newline = 0, 0, "\n"
    while position < len(text):
        number += 1
        match = _LINE_END.search(text, position)
        start, end, position = position, *(match.span() if match else (len(text), len(text)))
        if number == 1 and match:
            newline = match[0]
        content = text[start:end]
        record = _record(
            SourceLine(number, content.removeprefix(_BYTE_ORDER_MARK) if number == 1 else content)
        )
        object.__setattr__(record, "source", text[start:position])
        if isinstance(record, PlayerRecord):
            _check_number(record, number, tpn_lines)
        records.append(record)
    if not tpn_lines:
        raise TrfError(
            "trf.no_players",
            _(
                "This file contains no players: a tournament report has a line '001 …' for each player."
            ),
            line=1,
            column=1,
        )
    read_sex_from_titles(tuple(record for record in records if isinstance(record, PlayerRecord)))
    document = TrfDocument(tuple(records), newline)
    if not only_players:
        if not any_kind:
            refuse_other_kinds(document, system)
        check_consistency(document, system, points=check_points)
    return document


def _decoded(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise _too_large(
            MAX_BYTES,
            _("The file is larger than %(most)s bytes, too large for a tournament report."),
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        lines = before.count("\n") + before.count("\r") - before.count("\r\n")
        raise TrfError(
            "trf.not_utf8",
            _("Byte %(byte)s is not UTF-8 text. Save the file as UTF-8 and try again."),
            line=lines + 1,
            column=len(before) - max(before.rfind("\n"), before.rfind("\r")),
            byte=f"0x{data[error.start]:02x}",
        ) from None


def _check_size(text: str) -> None:
    if len(text) > MAX_CHARACTERS:
        raise _too_large(
            MAX_CHARACTERS,
            _("The file is longer than %(most)s characters, too long for a tournament report."),
        )
    if max(text.count("\n"), text.count("\r")) > MAX_LINES:
        raise _too_large(
            MAX_LINES, _("The file has more than %(most)s lines, too many for a tournament report.")
        )


def _too_large(most: int, message: Text) -> TrfError:
    return TrfError("trf.too_large", message, line=1, column=1, most=f"{most:,}")


def _check_number(player: PlayerRecord, line: int, tpn_lines: dict[TPN, int]) -> None:
    if player.tpn in tpn_lines:
        raise TrfError(
            "trf.tpn_twice",
            _("Pairing number %(tpn)s is used twice; it is also on line %(first_line)s."),
            line=line,
            column=_COLUMNS["tpn"].first,
            tpn=player.tpn,
            first_line=tpn_lines[player.tpn],
        )
    tpn_lines[player.tpn] = line


def _record(line: SourceLine) -> Record:
    code = line.code
    if code == "001":
        return _player(line)
    if code in DIRECTIVES:
        if line.text[3:4].strip():
            line.fail(
                "trf.gap",
                _("Column 4 of a record %(record)s must be blank."),
                column=4,
                record=code,
            )
        return DIRECTIVES[code](line)
    if _FEDERATION.fullmatch(code) and (national := national_rating(line)) is not None:
        return national
    return TextRecord(code.rstrip(), line.content)


def _player(line: SourceLine) -> PlayerRecord:
    for column in PLAYER_GAPS:
        found = line.text[column - 1 : column]
        if found.strip() and not (column == NAME_GAP and _is_letter_of_name(line.text)):
            line.fail(
                "trf.gap",
                _(
                    "Column %(at)s of a record 001 must be blank, but it has '%(found)s': a field "
                    "beside it is too "
                    "long or has shifted."
                ),
                column=column,
                at=column,
                found=clip(found),
            )
    fields = {name: line.text[column.span].strip() for name, column in _COLUMNS.items()}
    if _is_letter_of_name(line.text):
        fields["name"] += line.text[NAME_GAP - 1]
    title = fields["title"].upper()
    return PlayerRecord(
        tpn=line.tpn(fields["tpn"], _COLUMNS["tpn"].first),
        name=fields["name"],
        sex=SEXES.get(fields["sex"].lower(), fields["sex"]),
        title=OLD_TITLES.get(title, title),
        rating=_optional(line, "rating", _("the rating"), fields["rating"]),
        federation=fields["federation"],
        fide_id=fields["fide_id"],
        birth_date=fields["birth_date"],
        points=_optional_points(line, fields["points"]),
        rank=_optional(line, "rank", _("the rank"), fields["rank"]),
        rounds=_rounds(line),
    )


def _is_letter_of_name(text: str) -> bool:
    """Return whether a name of 34 letters ends in column 48, before a rating or none."""
    rating = text[_COLUMNS["rating"].span].strip()
    letters = text[NAME_GAP - 2 : NAME_GAP]
    is_name = len(letters) == 2 and not letters[0].isspace() and letters[1].isalpha()
    return is_name and (not rating or rating.isdecimal())


def _optional(line: SourceLine, name: str, what: Text, text: str) -> int | None:
    return line.whole(text, _COLUMNS[name].first, what) if text else None


def _optional_points(line: SourceLine, text: str) -> Points | None:
    return line.signed_points(text, _COLUMNS["points"].first) if text else None


def _rounds(line: SourceLine) -> tuple[RoundCell | None, ...]:
    text = line.text.rstrip()
    cells: list[RoundCell | None] = []
    for start in range(FIRST_ROUND_COLUMN - 1, len(text), ROUND_WIDTH):
        if len(cells) == MAX_ROUNDS:
            line.fail(
                "trf.too_many_rounds",
                _("More than %(most)s rounds are not possible."),
                column=start + 1,
                most=MAX_ROUNDS,
            )
        cells.append(_cell(line, text[start : start + ROUND_WIDTH].ljust(ROUND_WIDTH), start + 1))
    return tuple(cells)


def _cell(line: SourceLine, text: str, column: int) -> RoundCell | None:
    """Read the ten columns of one round: opponent, blank, colour, blank, result, two blanks."""
    if text.isspace():
        return None
    if text[4] + text[6] + text[CELL_WIDTH:] != "    ":
        line.fail(
            "trf.round_columns",
            _(
                "Found '%(found)s' instead of a round: opponent in columns %(first)s-%(last)s, colour in "
                "%(colour)s, result in %(result)s."
            ),
            column=column,
            found=clip(text.rstrip()),
            first=column,
            last=column + OPPONENT_WIDTH - 1,
            colour=column + COLOUR_OFFSET,
            result=column + RESULT_OFFSET,
        )
    number, colour, letter = text[:OPPONENT_WIDTH].strip(), text[COLOUR_OFFSET], text[RESULT_OFFSET]
    if colour not in _COLOURS:
        line.fail(
            "trf.colour",
            _("Found '%(found)s' instead of a colour, w, b or -."),
            column=column + COLOUR_OFFSET,
            found=clip(colour),
        )
    if letter not in _RESULTS and letter != " ":
        line.fail(
            "trf.result",
            _("'%(found)s' is not a result; the letters are 1 = 0 + - W D L F H Z U ?."),
            column=column + RESULT_OFFSET,
            found=clip(letter),
        )
    if not number.strip("0"):
        return _bye(line, letter, _COLOURS[colour], column)
    return _game(line, number, _COLOURS[colour], _RESULTS.get(letter), column)


def _bye(line: SourceLine, letter: str, colour: Colour | None, column: int) -> RoundCell:
    result = _WITHOUT_OPPONENT.get(letter) or _RESULTS[letter]
    if colour is not None or not result.is_bye:
        line.fail(
            "trf.opponent_missing",
            _("A game needs an opponent: enter a pairing number, or F, H, Z or U as the result."),
            column=column,
        )
    return RoundCell(None, None, result)


def _game(
    line: SourceLine, number: str, colour: Colour | None, result: Result | None, column: int
) -> RoundCell:
    opponent = line.tpn(number, column)
    if result is not None and result.is_bye:
        line.fail(
            "trf.bye_with_opponent",
            _("'%(result)s' is a bye, but there is an opponent, %(opponent)s."),
            column=column + RESULT_OFFSET,
            result=result.value,
            opponent=opponent,
        )
    if colour is None and (result is None or result.is_played):
        line.fail("trf.colour", _("A game needs a colour, w or b."), column=column + COLOUR_OFFSET)
    return RoundCell(opponent, colour, result)
