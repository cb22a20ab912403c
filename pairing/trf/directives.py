"""Read the records 132, 142, 152, 162, 240, 250, 260, 299, XX?, BB? and national ratings."""

from __future__ import annotations

import re
from collections.abc import Callable

from pairing.engine.errors import text as _
from pairing.engine.model import TPN, Colour, Points, Result

from .document import (
    AbnormalPoints,
    InitialColour,
    NationalRating,
    PointValues,
    ProhibitedPairs,
    Record,
    RequestedByes,
    RoundCount,
    RoundDates,
    VirtualPoints,
    VirtualPointsHistory,
)
from .fields import (
    ABNORMAL,
    ABNORMAL_FIRST_PLAYER,
    ABNORMAL_GAPS,
    ACCELERATION,
    DATE_WIDTH,
    EXTENSION_POINTS,
    FIRST_ROUND_COLUMN,
    HISTORY_FIRST_COLUMN,
    HISTORY_STEP,
    HISTORY_TPN,
    MAX_ROUNDS,
    MAX_TPN,
    NATIONAL,
    NATIONAL_GAPS,
    POINT_SYMBOLS,
    POINTS_WIDTH,
    ROUND_WIDTH,
    STANDINGS_ONLY,
    XXS_CODES,
)
from .lines import SourceLine, clip, whole

_POINT_CELL = re.compile(r"\s*(\S)\s*([\d.,]+)(?!\S)", re.ASCII)
_ABNORMAL_LETTERS = {
    "W": Result.WIN,
    "D": Result.DRAW,
    "L": Result.LOSS,
    "F": Result.FULL_POINT_BYE,
    "H": Result.HALF_POINT_BYE,
    "Z": Result.ZERO_POINT_BYE,
    "+": Result.FORFEIT_WIN,
    "-": Result.FORFEIT_LOSS,
}
_BYE_LETTERS = {"F": Result.FULL_POINT_BYE, "H": Result.HALF_POINT_BYE, "Z": Result.ZERO_POINT_BYE}


def _round_dates(line: SourceLine) -> Record:
    starts = range(
        FIRST_ROUND_COLUMN - 1,
        min(len(line.text), FIRST_ROUND_COLUMN + ROUND_WIDTH * MAX_ROUNDS),
        ROUND_WIDTH,
    )
    dates = [line.text[start : start + DATE_WIDTH].strip() for start in starts]
    while dates and not dates[-1]:
        dates.pop()
    return RoundDates(tuple(dates))


def _round_count(line: SourceLine) -> Record:
    column, word = next(line.words(), (5, ""))
    rounds = line.whole(word, column, _("the number of rounds"), low=1, high=MAX_ROUNDS)
    return RoundCount(line.code, rounds)


def _initial_colour(line: SourceLine) -> Record:
    column, word = next(line.words(), (5, ""))
    if word.upper() not in ("W", "B"):
        line.fail(
            "trf.initial_colour",
            _("Found '%(found)s' instead of the initial colour, W or B."),
            column=column,
            found=clip(word),
        )
    return InitialColour(line.code, Colour(word.lower()))


def _configuration(line: SourceLine) -> Record:
    colour, by_rank = None, False
    for column, word in line.words():
        match word.lower():
            case "white1":
                colour = Colour.WHITE
            case "black1":
                colour = Colour.BLACK
            case "rank":
                by_rank = True
            case _:
                line.fail(
                    "trf.configuration",
                    _("'%(found)s' is not known in XXC; expected: white1, black1 or rank."),
                    column=column,
                    found=clip(word),
                )
    return InitialColour(line.code, colour, by_rank)


def _point_values(line: SourceLine) -> Record:
    """Read record 162.

    The format's text and table disagree about the columns, so the cells are read in order.
    """
    values: list[tuple[str, Points]] = []
    position, end = 3, len(line.text.rstrip())
    while position < end:
        match = _POINT_CELL.match(line.text, position)
        if match is None or match[1].upper() not in POINT_SYMBOLS:
            column, word = next(line.words(position + 1))
            line.fail(
                "trf.point_symbol",
                _(
                    "Found '%(found)s' instead of a symbol (one of W, D, L, A, P, X) and its points."
                ),
                column=column,
                found=clip(word),
            )
        values.append((match[1].upper(), line.points(match[2], match.start(2) + 1)))
        position = match.end()
    if not values:
        line.fail(
            "trf.point_symbol",
            _("A symbol (one of W, D, L, A, P, X) and its points are expected."),
            column=6,
        )
    return PointValues(line.code, tuple(values))


def _extension_points(line: SourceLine) -> Record:
    column, word = next(line.words(), (5, ""))
    return PointValues(line.code, (("", line.points(word, column)),))


def _xxs(line: SourceLine) -> Record:
    values: list[tuple[str, Points]] = []
    for column, word in line.words():
        name, equals, points = word.partition("=")
        if not equals or name.upper() not in XXS_CODES:
            line.fail(
                "trf.point_symbol",
                _("'%(found)s' is not known in XXS; expected: CODE=POINTS with one of %(known)s."),
                column=column,
                found=clip(word),
                known=", ".join(XXS_CODES),
            )
        values.append((name.upper(), line.points(points, column + len(name) + 1)))
    return PointValues(line.code, tuple(values))


def _tpns(line: SourceLine, first: int) -> tuple[TPN, ...]:
    return tuple(line.tpn(word, column) for column, word in line.words(first))


def _requested_byes(line: SourceLine) -> Record:
    letter = line.text[4:5].upper()
    if letter not in _BYE_LETTERS or line.text[5:6].strip():
        line.fail(
            "trf.bye_kind",
            _("Found '%(found)s' instead of the kind of bye, F, H or Z."),
            column=5,
            found=clip(line.text[4:6].strip()),
        )
    column, word = next(line.words(6), (7, ""))
    round_number = line.round_number(word, column)
    return RequestedByes(
        line.code, _BYE_LETTERS[letter], round_number, _tpns(line, column + len(word))
    )


def _absent(line: SourceLine) -> Record:
    return RequestedByes(line.code, Result.ZERO_POINT_BYE, None, _tpns(line, 5))


def _virtual_points(line: SourceLine) -> Record:
    """Read record 250. Match points belong to teams; if it has only match points, they are used."""
    match_points, game_points, first_round, last_round, first_tpn, last_tpn = ACCELERATION
    column = game_points if line.field(game_points) else match_points
    record = VirtualPoints(
        points=line.points(line.field(column), column.first),
        first_round=line.round_number(line.field(first_round), first_round.first),
        last_round=line.round_number(line.field(last_round), last_round.first),
        first_tpn=line.tpn(line.field(first_tpn), first_tpn.first),
        last_tpn=line.tpn(line.field(last_tpn), last_tpn.first),
    )
    if record.first_round > record.last_round:
        line.fail("trf.range", _("The last round is before the first."), column=last_round.first)
    if record.first_tpn > record.last_tpn:
        line.fail(
            "trf.range", _("The last pairing number is before the first."), column=last_tpn.first
        )
    return record


def _abnormal_points(line: SourceLine) -> Record:
    """Read record 299 by columns, which alone tell a round and a player apart."""
    for gap in ABNORMAL_GAPS:
        if line.text[gap - 1 : gap].strip():
            line.fail(
                "trf.gap", _("Column %(at)s of a record 299 must be blank."), column=gap, at=gap
            )
    letter = line.text[4:5].strip().upper()
    if letter and letter not in _ABNORMAL_LETTERS:
        line.fail(
            "trf.bye_kind",
            _("Found '%(found)s' instead of a kind of result, W D L F H Z + - or a blank."),
            column=5,
            found=clip(letter),
        )
    match_points, points, round_number = ABNORMAL
    word = line.field(round_number)
    number = (
        line.whole(word, round_number.first, _("a round number"), high=STANDINGS_ONLY)
        if word
        else 0
    )
    if MAX_ROUNDS < number < STANDINGS_ONLY:
        line.round_number(word, round_number.first)
    teams = line.field(match_points)
    return AbnormalPoints(
        kind=_ABNORMAL_LETTERS.get(letter),
        points=line.signed_points(line.field(points), points.first),
        round_number=number or None,
        players=_tpns(line, ABNORMAL_FIRST_PLAYER),
        match_points=line.signed_points(teams, match_points.first) if teams else None,
    )


def national_rating(line: SourceLine) -> NationalRating | None:
    """Read a record of national rating support; None if *line* has another layout."""
    fields = {column.name: line.field(column) for column in NATIONAL}
    tpn, rating = whole(fields.pop("tpn")), whole(fields.pop("rating"))
    if tpn is None or not 1 <= tpn <= MAX_TPN or rating is None:
        return None
    if any(line.text[gap - 1 : gap].strip() for gap in NATIONAL_GAPS):
        return None
    return NationalRating(federation=line.code, tpn=TPN(tpn), rating=rating, **fields)


def _virtual_points_history(line: SourceLine) -> Record:
    tpn = line.tpn(line.field(HISTORY_TPN), HISTORY_TPN.first)
    points: list[Points] = []
    for start in range(HISTORY_FIRST_COLUMN - 1, len(line.text.rstrip()), HISTORY_STEP):
        if len(points) == MAX_ROUNDS:
            line.fail(
                "trf.too_many_rounds",
                _("More than %(most)s rounds are not possible."),
                column=start + 1,
                most=MAX_ROUNDS,
            )
        word = line.text[start : start + POINTS_WIDTH].strip()
        points.append(line.points(word, start + 1) if word else Points(0))
    return VirtualPointsHistory(tpn, tuple(points))


def _prohibited_pairs(line: SourceLine) -> Record:
    words = list(line.words())
    if len(words) < 2:
        line.fail("trf.number", _("The first and the last round are expected."), column=5)
    (first_column, first), (last_column, last) = words[:2]
    first_round, last_round = (
        line.round_number(first, first_column),
        _last_round(line, last, last_column),
    )
    if first_round > last_round:
        line.fail("trf.range", _("The last round is before the first."), column=last_column)
    return ProhibitedPairs(line.code, _tpns(line, last_column + len(last)), first_round, last_round)


def _last_round(line: SourceLine, word: str, column: int) -> int:
    """Return the last round of a prohibition; programs write 999 for "always"."""
    return line.whole(word, column, _("a round number"), low=1, high=999)


def _prohibited_always(line: SourceLine) -> Record:
    return ProhibitedPairs(line.code, _tpns(line, 5))


DIRECTIVES: dict[str, Callable[[SourceLine], Record]] = {
    "132": _round_dates,
    "142": _round_count,
    "XXR": _round_count,
    "152": _initial_colour,
    "XXC": _configuration,
    "162": _point_values,
    "XXS": _xxs,
    **dict.fromkeys(EXTENSION_POINTS, _extension_points),
    "240": _requested_byes,
    "XXZ": _absent,
    "250": _virtual_points,
    "XXA": _virtual_points_history,
    "260": _prohibited_pairs,
    "299": _abnormal_points,
    "XXP": _prohibited_always,
}
"""The function that reads each record code."""
