"""The tables of the API as CSV for spreadsheets, in UTF-8: the same rows for the same reader.

The file begins with a byte order mark, so that spreadsheets recognise UTF-8. A text that begins
like a formula gets an apostrophe before it, so that no spreadsheet evaluates a name.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.response import Response

from tournaments.api import queries
from tournaments.core.frame import Frame
from tournaments.models import Tournament

from .serializers import EntryForArbitersSerializer, EntrySerializer
from .tables import CrosstableTable, prizes_shown
from .views import (
    AFTER,
    MISSING,
    NUMBER,
    REFUSED,
    SLUG,
    UNCHANGED,
    Pairings,
    Standings,
    TournamentReading,
)

ROW: Final = ("rank", "id", "tpn", "name", "title", "federation", "fide_id", "rating", "points")
SEAT: Final = ("id", "tpn", "name", "fide_id", "points")
"""The columns of a player: once in a row of the crosstable, twice in a row of the pairings."""
CSV = {
    (200, "text/csv"): str,
    304: UNCHANGED,
    (400, "application/json"): REFUSED,
    (404, "application/json"): MISSING,
}


def csv_answer(
    tournament: Tournament, name: str, rows: Sequence[Mapping[str, object]]
) -> HttpResponse:
    """Return *rows* as a file to download with the columns of the first row;
    without rows it is empty.
    """
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\r\n")
        writer.writeheader()
        writer.writerows({key: _safe(value) for key, value in row.items()} for row in rows)
    response = HttpResponse(
        text.getvalue().encode("utf-8-sig"), content_type="text/csv; charset=utf-8"
    )
    response.headers["Content-Disposition"] = f'attachment; filename="{tournament.slug}-{name}.csv"'
    return response


def _safe(value: object) -> object:
    # A single sign is not a formula: it is the letter of a result.
    if (
        isinstance(value, str)
        and len(value) > 1
        and value.startswith(("=", "+", "-", "@", "\t", "\r"))
    ):
        return "'" + value
    return "" if value is None else value


@extend_schema_view(
    get=extend_schema(
        operation_id="crosstable_csv",
        parameters=[SLUG, AFTER],
        responses=CSV,
    )
)
class CrosstableCsv(CrosstableTable):
    """The crosstable as CSV, a column for each round:
    ``12w1``, for a match ``12w1=``, or the letter of the bye.
    """

    def read(self, frame: Frame, **where: Any) -> HttpResponse:
        table = self.table(frame)
        rows = []
        for player in table["players"]:
            row = {name: player[name] for name in ROW}
            for cell in player["rounds"]:
                game = f"{cell['opponent']}{cell['colour'] or '-'}" if cell["opponent"] else ""
                row[f"round_{cell['round']}"] = (
                    f"{game}{cell['result']}{cell['second_result'] or ''}"
                )
            rows.append(row)
        return csv_answer(frame.tournament, "crosstable", rows)


@extend_schema_view(get=extend_schema(operation_id="prizes_csv", parameters=[SLUG], responses=CSV))
class PrizesCsv(TournamentReading):
    """The winners as CSV, with the money in cents;
    empty until the results of the last round are published.
    """

    def read(self, frame: Frame, **where: Any) -> HttpResponse:
        shown = prizes_shown(frame)
        values = {"is_provisional": shown["is_provisional"]}
        rows = [
            {"category": of["name"], **winner, **values}
            for of in shown["categories"]
            for winner in of["winners"]
        ]
        return csv_answer(frame.tournament, "prizes", rows)


@extend_schema_view(
    get=extend_schema(
        operation_id="standings_csv",
        parameters=[SLUG, AFTER],
        responses=CSV,
    )
)
class StandingsCsv(Standings):
    """The standings as CSV, with one column for each tie-break of the list."""

    def read(self, frame: Frame, **where: Any) -> HttpResponse:
        rows = []
        answer = cast(Response, super().read(frame, **where))
        for line in answer.data["standings"]:
            ties = line.pop("tie_breaks")
            rows.append(line | {tie["code"]: tie["value"] for tie in ties})
        return csv_answer(frame.tournament, "standings", rows)


@extend_schema_view(
    get=extend_schema(operation_id="pairings_csv", parameters=[SLUG, NUMBER], responses=CSV)
)
class PairingsCsv(Pairings):
    """The boards of a round as CSV, with the results once these are published;
    byes follow without a board.

    Results are the TRF letter of each player. If a round is a match, two more columns contain the
    second game.
    """

    def read(self, frame: Frame, **where: Any) -> HttpResponse:
        data = cast(Response, super().read(frame, **where)).data
        boards = [
            {
                "board": board["board"],
                "table": board["table"],
                **{f"white_{name}": board["white"][name] for name in SEAT},
                **{f"black_{name}": board["black"][name] for name in SEAT},
                "white_result": board["result"] and board["result"][0],
                "black_result": board["result"] and board["result"][1],
                # White of the match has Black in its second game.
                **_second(frame, board["second_result"] and board["second_result"][::-1]),
            }
            for board in data["boards"]
        ]
        byes = [
            {
                "board": None,
                "table": None,
                **{f"white_{name}": bye["player"][name] for name in SEAT},
                **{f"black_{name}": None for name in SEAT},
                "white_result": bye["kind"],
                "black_result": None,
                **_second(frame, None),
            }
            for bye in data["byes"]
        ]
        return csv_answer(frame.tournament, f"pairings-{data['round']}", boards + byes)


@extend_schema_view(get=extend_schema(operation_id="entries_csv", parameters=[SLUG], responses=CSV))
class EntriesCsv(TournamentReading):
    """All participants as CSV, by TPN; those without one last."""

    def read(self, frame: Frame, **where: Any) -> HttpResponse:
        shape = EntryForArbitersSerializer if frame.runs else EntrySerializer
        rows = shape(queries.entry_rows(frame.tournament), many=True).data
        return csv_answer(frame.tournament, "entries", list(rows))


def _second(frame: Frame, letters: str | None) -> dict[str, str | None]:
    """Return the columns of a second game, White of the match first;
    empty if a round is one game.
    """
    if not frame.is_of_matches:
        return {}
    return {
        "white_second_result": letters and letters[0],
        "black_second_result": letters and letters[1],
    }
