"""The lists as published, for pages: their rows, and what differs from the lists of today."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from django.core.paginator import Page, Paginator
from django.db.models import Max, QuerySet

from pairing.engine.model import TPN
from pairing.rules.names import as_shown
from tournaments.core.frame import Frame
from tournaments.core.scores import result_of
from tournaments.models import Action, ByeKind, Decision, Entry, PublishedList, Round
from tournaments.models.published_list import (
    Listed,
    ListedBoard,
    ListedCell,
    ListedCrosstable,
    ListedPairings,
    ListedPlayer,
    ListedStandings,
)
from tournaments.reports.published_lists import list_now
from tournaments.reports.record_page import PER_PAGE, decision_rows
from tournaments.standings.crosstable import Cell
from tournaments.standings.standings import Amount

Kind = PublishedList.Kind


@dataclass(frozen=True, slots=True)
class ByeRow:
    player: ListedPlayer
    kind: ByeKind


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """A line of the standings; ``points`` are tenths."""

    rank: int
    number: int
    name: str
    points: int
    values: tuple[Amount, ...]
    by_lot: bool


@dataclass(frozen=True, slots=True)
class CrosstableRow:
    """A line of the crosstable; ``place`` is its number, ``points`` are tenths.

    Two rows are equal if the player's rounds are: the numbers in the cells follow from the ranks of
    the others.
    """

    rank: int | None
    number: int
    name: str
    points: int
    rounds: list[ListedCell]
    place: int = field(compare=False)
    cells: tuple[Cell, ...] = field(compare=False)


Row = ListedBoard | ByeRow | StandingsRow | CrosstableRow


@dataclass(frozen=True, slots=True)
class Difference:
    """A board, a bye or a player whose row differs; None: the list does not have it."""

    published: Row | None
    today: Row | None


@dataclass(frozen=True, slots=True)
class PublishedListPage:
    """A stored list with its rows, and its differences to today."""

    row: PublishedList
    rows: tuple[Row, ...]
    differences: tuple[Difference, ...]

    @property
    def boards(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if not isinstance(row, ByeRow))

    @property
    def byes(self) -> tuple[ByeRow, ...]:
        return tuple(row for row in self.rows if isinstance(row, ByeRow))

    @property
    def first(self) -> Row | None:
        """The first row: every row has the same columns."""
        return self.rows[0] if self.rows else None


def published_lists(frame: Frame) -> QuerySet[PublishedList]:
    """Return the stored lists of lines that the reader may see, newest first."""
    rows = PublishedList.objects.filter(
        tournament=frame.tournament, decision__in=decision_rows(frame)
    )
    return rows.select_related("decision", "same_as__decision").order_by("-pk")


def published_lists_page(frame: Frame, number: str | int) -> Page[PublishedList]:
    """Return page *number* of the stored lists, without their content. Two queries."""
    return Paginator(
        published_lists(frame).defer("content", "same_as__content"), PER_PAGE
    ).get_page(number)


def imported_rounds(frame: Frame) -> tuple[int, Decision | None]:
    """Return the number of rounds that came with a file,
    and the line of the import if the reader may see it.

    These rounds were published elsewhere: no lists of them are stored. One query, two with such
    rounds.
    """
    rounds = Round.objects.filter(
        tournament=frame.tournament, published_at__isnull=False, paired_at__isnull=True
    )
    last = rounds.aggregate(last=Max("number"))["last"]
    if last is None:
        return 0, None
    return last, decision_rows(frame).filter(action=Action.TOURNAMENT_IMPORTED).last()


def published_list_page(frame: Frame, pk: int) -> PublishedListPage | None:
    """Return the stored list *pk* beside the list of today;
    None if the reader of *frame* may not see it.

    Players who have asked for initials since have them for visitors; the stored list, and so its
    fingerprint, stays. Two queries, and those of
    :func:`~tournaments.reports.published_lists.list_now`.
    """
    row = published_lists(frame).filter(pk=pk).first()
    if row is None:
        return None
    names = dict(Entry.objects.filter(tournament=frame.tournament).values_list("pk", "name"))
    listed = row.listed if frame.runs else cast(Listed, _with_initials(row.listed, names))
    published = rows_of(row.kind, listed)
    today = rows_of(row.kind, list_now(frame, row.kind, row.round_number))
    return PublishedListPage(row, tuple(published.values()), differences(published, today))


def _with_initials(value: Any, names: Mapping[int, str]) -> Any:
    """Return *value*, a part of a list, with initials instead of *names*, by entry."""
    if isinstance(value, list):
        return [_with_initials(inner, names) for inner in value]
    if not isinstance(value, dict):
        return value
    shown = {key: _with_initials(inner, names) for key, inner in value.items()}
    if "name" in shown and (today := names.get(shown.get("entry", 0))) is not None:
        shown["name"] = as_shown(shown["name"], today)
    return shown


def differences(
    published: dict[Hashable, Row], today: dict[Hashable, Row]
) -> tuple[Difference, ...]:
    """Return the rows that differ, in the order of the published list;
    rows that are only in today's list come last.
    """
    keys = dict.fromkeys((*published, *today))
    pairs = ((published.get(key), today.get(key)) for key in keys)
    return tuple(Difference(before, after) for before, after in pairs if before != after)


def rows_of(kind: str, content: Listed) -> dict[Hashable, Row]:
    """Return the rows of a list in order, by board or player."""
    match Kind(kind):
        case Kind.PAIRINGS:
            return _pairings(cast(ListedPairings, content))
        case Kind.STANDINGS:
            return _standings(cast(ListedStandings, content))
        case Kind.CROSSTABLE:
            return _crosstable(cast(ListedCrosstable, content))


def _pairings(content: ListedPairings) -> dict[Hashable, Row]:
    boards: dict[Hashable, Row] = {("board", line["board"]): line for line in content["boards"]}
    byes: dict[Hashable, Row] = {
        ("bye", line["player"]["entry"]): ByeRow(line["player"], ByeKind(line["kind"]))
        for line in content["byes"]
    }
    return {**boards, **byes}


def _standings(content: ListedStandings) -> dict[Hashable, Row]:
    return {
        line["entry"]: StandingsRow(
            rank=line["rank"],
            number=line["number"],
            name=line["name"],
            points=line["points"],
            values=tuple(
                Amount(column["code"], amount, column["scale"])
                for column, amount in zip(content["columns"], line["amounts"], strict=True)
            ),
            by_lot=line["by_lot"],
        )
        for line in content["players"]
    }


def _crosstable(content: ListedCrosstable) -> dict[Hashable, Row]:
    places = {line["entry"]: place for place, line in enumerate(content["players"], start=1)}
    players = {line["entry"]: line for line in content["players"]}

    def cell(number: int, listed: ListedCell) -> Cell:
        opponent, colour, results, points = listed
        against = None if opponent is None else players[opponent]
        return Cell(
            round_number=number,
            number=None if opponent is None else places[opponent],
            opponent=None if against is None else TPN(against["number"]),
            opponent_id=opponent,
            opponent_name="" if against is None else against["name"],
            colour=colour,
            result=result_of(results[0]),
            second=result_of(results[1]) if len(results) > 1 else None,
            points=points,
            games=content["games"],
        )

    return {
        line["entry"]: CrosstableRow(
            rank=line["rank"],
            number=line["number"],
            name=line["name"],
            points=line["points"],
            rounds=line["rounds"],
            place=places[line["entry"]],
            cells=tuple(
                cell(number, listed) for number, listed in enumerate(line["rounds"], start=1)
            ),
        )
        for line in content["players"]
    }
