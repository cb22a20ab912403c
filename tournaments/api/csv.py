"""The tables of the API once more as CSV, for spreadsheets: the same rows for the same reader, in UTF-8.

The file begins with a byte order mark, by which spreadsheets know that it is UTF-8. A text that begins like a formula
gets an apostrophe before it: a name must not compute.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema, extend_schema_view

from tournaments.models import Tournament
from tournaments.selectors.frame import Frame
from tournaments.selectors.prizes import prize_list

from .tables import CrosstableTable, PrizesSerializer
from .views import AFTER, MISSING, REFUSED, SLUG, UNCHANGED, TournamentReading

CSV = {(200, "text/csv"): str, 304: UNCHANGED, (404, "application/json"): MISSING}


def csv_answer(tournament: Tournament, name: str, rows: Sequence[Mapping[str, object]]) -> HttpResponse:
    """*rows* as a file to download, the columns those of the first row; without rows it is empty."""
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\r\n")
        writer.writeheader()
        writer.writerows({key: _safe(value) for key, value in row.items()} for row in rows)
    response = HttpResponse(text.getvalue().encode("utf-8-sig"), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{tournament.slug}-{name}.csv"'
    return response


def _safe(value: object) -> object:
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")):
        return "'" + value
    return "" if value is None else value


@extend_schema_view(
    get=extend_schema(
        operation_id="crosstable_csv",
        parameters=[SLUG, AFTER],
        responses=CSV | {(400, "application/json"): REFUSED},
    )
)
class CrosstableCsv(CrosstableTable):
    """The crosstable as CSV, a column for each round: ``12w1``, or the letter of the bye."""

    def read(self, frame: Frame, **where: Any) -> HttpResponse:
        table = self.table(frame)
        rows = []
        for player in table["players"]:
            row = {name: player[name] for name in ("rank", "tpn", "name", "title", "federation", "strength", "points")}
            for seen in player["rounds"]:
                game = f"{seen['opponent']}{seen['colour'] or '-'}" if seen["opponent"] else ""
                row[f"round_{seen['round']}"] = f"{game}{seen['result']}"
            rows.append(row)
        return csv_answer(frame.tournament, "crosstable", rows)


@extend_schema_view(get=extend_schema(operation_id="prizes_csv", parameters=[SLUG], responses=CSV))
class PrizesCsv(TournamentReading):
    """The winners as CSV, the money in cents; nobody in it before the results of the last round are published."""

    def read(self, frame: Frame, **where: Any) -> HttpResponse:
        categories = PrizesSerializer(prize_list(frame)).data["categories"]
        rows = [{"category": of["name"], **winner} for of in categories for winner in of["winners"]]
        return csv_answer(frame.tournament, "prizes", rows)
