"""Remarks on possible faults of a readable report: cut off, mistyped, unknown numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from pairing.engine.errors import text as _
from pairing.engine.model import TPN
from pairing.rules.names import repaired

from .crosstable import number_in_remark
from .document import (
    NationalRating,
    PlayerRecord,
    ProhibitedPairs,
    RequestedByes,
    RoundCount,
    TextRecord,
    TrfDocument,
    VirtualPoints,
    VirtualPointsHistory,
)
from .errors import TrfError
from .fields import FIRST_ROUND_COLUMN, MAX_RATING, PLAYER, ROUND_WIDTH
from .kinds import other_system_named
from .lines import clip
from .rounds import played_rounds
from .sexes import first_sex_from_titles, titles_that_may_be_sexes

KNOWN_TEXTS: Final = frozenset(
    {
        *(
            "",
            "###",
            "012",
            "022",
            "032",
            "042",
            "052",
            "062",
            "072",
            "082",
            "092",
            "102",
            "112",
            "122",
        ),
        *("172", "182", "192", "202", "212", "222"),
        *("013", "300", "310", "320", "330", "352", "362", "801", "802"),
    }
)
"""Codes of records that are kept as text and belong to the format."""
_HEAD: Final = frozenset({"012", "022", "102", "112"})
"""Records with names of the tournament, the town and the arbiters."""
MOST_NUMBERS: Final = 10
_COLUMNS: Final = {column.name: column for column in PLAYER}
_COUNT: Final = re.compile(r"\D{0,3}(\d{1,5})\b", re.ASCII)
_NUMBER_AND_NAME: Final = re.compile(r"\s*[\dOoIl]{1,3}[ .]\s{0,6}\d{1,4}\s.{0,12}?[^\W\d_]{2}")


def remarks(document: TrfDocument) -> list[TrfError]:
    """Return the remarks on *document*, each with its line: nothing is refused.

    Cost: one look at every record.
    """
    return [
        *_counts(document),
        *_unknown_records(document),
        *_gaps(document),
        *_unknown_numbers(document),
        *_short_lines(document),
        *_wrong_letters(document),
        *_fields(document),
        *_system(document),
        *_rounds(document),
        *_same_fide_ids(document),
    ]


def looks_like_a_player(line: str) -> bool:
    """Return whether *line* of an unknown record begins as record 001: digits, number, name."""
    return (
        _NUMBER_AND_NAME.match(line) is not None and len(line.rstrip()) > _COLUMNS["name"].first + 1
    )


def _counts(document: TrfDocument) -> Iterator[TrfError]:
    """Yield remarks on records 062 and 072 that do not count the players of the file."""
    players = document.players
    for code, there, message in (
        ("062", len(players), _("062 says %(stated)s players, the file has %(there)s.")),
        (
            "072",
            sum(bool(player.rating) for player in players),
            _("072 says %(stated)s rated players, the file has %(there)s players with a rating."),
        ),
    ):
        for line, record in document.numbered(TextRecord):
            if (
                record.code == code
                and (found := _COUNT.match(record.text))
                and int(found[1]) != there
            ):
                yield TrfError(
                    "trf.count", message, line=line, column=5, stated=int(found[1]), there=there
                )


def _unknown_records(document: TrfDocument) -> Iterator[TrfError]:
    """Yield a remark on each unknown record that may be a player, and one on all others."""
    others: list[tuple[int, str]] = []
    for line, record in document.numbered(TextRecord):
        if record.code in KNOWN_TEXTS:
            continue
        text = (record.source or f"{record.code} {record.text}").rstrip()
        if looks_like_a_player(text):
            message = _(
                "'%(found)s' is not a record that this program knows. If it is a player, it must "
                "begin with 001."
            )
            yield TrfError("trf.unknown_record", message, line=line, column=1, found=clip(text))
        else:
            others.append((line, record.code))
    if others:
        codes = Counter(clip(code) for _line, code in others)
        shown = ", ".join(f"{code} ({times})" for code, times in codes.most_common(MOST_NUMBERS))
        message = _("This program does not know these records and does not use them: %(codes)s.")
        yield TrfError("trf.unknown_records", message, line=others[0][0], column=1, codes=shown)


def _gaps(document: TrfDocument) -> Iterator[TrfError]:
    there = {player.tpn for player in document.players}
    missing = [number for number in range(1, max(there, default=TPN(0))) if number not in there]
    if missing:
        message = _(
            "The pairing numbers have gaps: %(missing)s missing. Lines of players may be lost."
        )
        yield TrfError("trf.numbers_missing", message, line=1, column=5, missing=_listed(missing))


def _unknown_numbers(document: TrfDocument) -> Iterator[TrfError]:
    """Yield remarks on records that name numbers of no player; 299 is refused where it is used."""
    there = {player.tpn for player in document.players}
    highest = max(there, default=TPN(0))
    for line, record in enumerate(document.records, start=1):
        code, named = "", tuple[TPN, ...]()
        match record:
            case RequestedByes() | ProhibitedPairs():
                code, named = record.code, record.players
            case VirtualPointsHistory():
                code, named = "XXA", (record.tpn,)
            case VirtualPoints() if record.first_tpn > highest:
                code, named = "250", (record.first_tpn,)
            case NationalRating():
                code, named = record.federation, (record.tpn,)
            case TextRecord(code="###") if (about := number_in_remark(record)) is not None:
                code, named = "###", (about,)
        unknown = sorted(number for number in set(named) if number not in there)
        if unknown:
            message = _(
                "Record %(record)s names %(unknown)s, but there is no such player: this is not used."
            )
            yield TrfError(
                "trf.unknown_number",
                message,
                line=line,
                column=5,
                record=code,
                unknown=_listed(unknown),
            )


def _short_lines(document: TrfDocument) -> Iterator[TrfError]:
    """Yield a remark on a player whose line ends before the points, which most players have."""
    players = list(document.numbered(PlayerRecord))
    if 2 * sum(player.points is not None for _, player in players) <= len(players):
        return
    for line, player in players:
        length = len((player.source or "").rstrip())
        if player.points is None and 0 < length < _COLUMNS["points"].first:
            message = _("The line of player %(tpn)s ends in column %(at)s: it may be cut off.")
            yield TrfError(
                "trf.short_line", message, line=line, column=length, tpn=player.tpn, at=length
            )


def _wrong_letters(document: TrfDocument) -> Iterator[TrfError]:
    """Yield one remark on names like MÃ¼ller, of players and in the head of the file."""
    column = _COLUMNS["name"].first
    names = [(line, column, player.name) for line, player in document.numbered(PlayerRecord)]
    names += [
        (line, 5, each.text) for line, each in document.numbered(TextRecord) if each.code in _HEAD
    ]
    wrong = sorted((*each, meant) for each in names if (meant := repaired(each[2])))
    if wrong:
        message = _(
            "Names with wrong letters: %(count)s. The first is '%(found)s', which probably means "
            "'%(meant)s'."
        )
        line, column, found, meant = wrong[0]
        yield TrfError(
            "trf.wrong_letters",
            message,
            line=line,
            column=column,
            count=len(wrong),
            found=clip(found),
            meant=clip(meant),
        )


def _fields(document: TrfDocument) -> Iterator[TrfError]:
    if (first := first_sex_from_titles(document)) is not None:
        message = _(
            "The columns of the titles have only m, f or w: these letters are read as the sex of "
            "the players."
        )
        yield TrfError("trf.sex_in_title", message, line=first, column=_COLUMNS["title"].first)
    if letters := titles_that_may_be_sexes(document):
        message = _(
            "Players whose sex is not given and who have m or f in the columns of the titles: "
            "%(count)s. These letters are read as the titles IM and FM. If they mean the sex, "
            "correct the file."
        )
        column = _COLUMNS["title"].first
        yield TrfError(
            "trf.title_or_sex", message, line=letters[0][0], column=column, count=len(letters)
        )
    for line, player in document.numbered(PlayerRecord):
        if player.sex not in ("", "m", "w"):
            message = _("'%(found)s' is not a sex, m or w, and is not used.")
            column = _COLUMNS["sex"].first
            yield TrfError(
                "trf.sex_dropped", message, line=line, column=column, found=clip(player.sex)
            )
    if high := ratings_too_high(document):
        message = _("%(count)s ratings are above %(most)s, the first is %(found)s: please check.")
        line, found = high[0]
        column = _COLUMNS["rating"].first
        yield TrfError(
            "trf.rating_too_high",
            message,
            line=line,
            column=column,
            count=len(high),
            found=found,
            most=MAX_RATING,
        )


def ratings_too_high(document: TrfDocument) -> list[tuple[int, int]]:
    """Return the lines with a rating that nobody can have, and that rating."""
    fide = [(line, player.rating or 0) for line, player in document.numbered(PlayerRecord)]
    national = [(line, record.rating) for line, record in document.numbered(NationalRating)]
    return sorted((line, rating) for line, rating in (*fide, *national) if rating > MAX_RATING)


def _rounds(document: TrfDocument) -> Iterator[TrfError]:
    """Yield remarks on played rounds of byes alone, and on byes after the last round."""
    players = list(document.numbered(PlayerRecord))
    for number in range(1, played_rounds(document.players) + 1):
        cells = [player.cell(number) for _, player in players]
        if None not in cells and all(cell is not None and cell.is_bye for cell in cells):
            message = _("Round %(round)s has only byes and no game. It counts as finished.")
            column = FIRST_ROUND_COLUMN + ROUND_WIDTH * (number - 1)
            yield TrfError(
                "trf.round_of_byes", message, line=players[0][0], column=column, round=number
            )
    declared = next((record.rounds for record in document.of(RoundCount) if record.rounds), 0)
    later = [
        (line, 5, record.round_number)
        for line, record in document.numbered(RequestedByes)
        if declared and (record.round_number or 0) > declared
    ]
    for line, player in players if declared else ():
        for number, cell in enumerate(player.rounds[declared:], start=declared + 1):
            if cell is not None and cell.is_bye:
                later.append((line, FIRST_ROUND_COLUMN + ROUND_WIDTH * (number - 1), number))
    for line, column, found in later:
        message = _(
            "A bye for round %(round)s is not used: the tournament has %(rounds)s rounds (142 or XXR)."
        )
        yield TrfError(
            "trf.bye_after_last", message, line=line, column=column, round=found, rounds=declared
        )


def _same_fide_ids(document: TrfDocument) -> Iterator[TrfError]:
    """Yield one remark on players who have the FIDE ID of another one."""
    first_of: dict[str, TPN] = {}
    twice = []
    for line, player in document.numbered(PlayerRecord):
        fide_id = player.fide_id.strip().lstrip("0")
        if fide_id and (first := first_of.setdefault(fide_id, player.tpn)) != player.tpn:
            twice.append((line, first, player.tpn, fide_id))
    if twice:
        line, first, tpn, fide_id = twice[0]
        message = _(
            "Players %(first)s and %(tpn)s have the same FIDE ID, %(found)s: is this one person "
            "twice? Number of such players: %(count)s."
        )
        more = {"first": first, "tpn": tpn, "found": clip(fide_id), "count": len(twice)}
        yield TrfError(
            "trf.fide_id_twice", message, line=line, column=_COLUMNS["fide_id"].first, **more
        )


def _system(document: TrfDocument) -> Iterator[TrfError]:
    if (found := other_system_named(document)) is not None:
        message = _(
            "092 says '%(found)s', which is not the pairing system that is used. Please check."
        )
        yield TrfError("trf.other_system", message, line=found[0], column=5, found=clip(found[1]))


def _listed(numbers: list[int] | list[TPN]) -> str:
    shown = ", ".join(map(str, numbers[:MOST_NUMBERS]))
    return shown if len(numbers) <= MOST_NUMBERS else f"{shown}, …"
