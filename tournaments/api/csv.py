"""The tables of the API as files for spreadsheets: the same rows for the same reader."""

from __future__ import annotations

from typing import Any, Final, cast

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.response import Response

from tournaments.api import queries
from tournaments.api.list_files import AS, FILES, list_file
from tournaments.core.frame import Frame

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
CSV = FILES | {
    304: UNCHANGED,
    (400, "application/json"): REFUSED,
    (404, "application/json"): MISSING,
}


@extend_schema_view(
    get=extend_schema(
        operation_id="crosstable_csv",
        parameters=[SLUG, AFTER, AS],
        responses=CSV,
    )
)
class CrosstableCsv(CrosstableTable):
    """The crosstable as CSV, a column for each round:
    ``12w1``, for a match ``12w1=``, or the letter of the bye.
    """

    known = ("after_round", "as")

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
        return list_file(self.request, frame.tournament, "crosstable", rows)


@extend_schema_view(
    get=extend_schema(operation_id="prizes_csv", parameters=[SLUG, AS], responses=CSV)
)
class PrizesCsv(TournamentReading):
    """The winners as CSV, with the money in cents;
    empty until the results of the last round are published.
    """

    known = ("as",)

    def read(self, frame: Frame, **where: Any) -> HttpResponse:
        shown = prizes_shown(frame)
        values = {"is_provisional": shown["is_provisional"]}
        rows = [
            {"category": of["name"], **winner, **values}
            for of in shown["categories"]
            for winner in of["winners"]
        ]
        return list_file(self.request, frame.tournament, "prizes", rows)


@extend_schema_view(
    get=extend_schema(
        operation_id="standings_csv",
        parameters=[SLUG, AFTER, AS],
        responses=CSV,
    )
)
class StandingsCsv(Standings):
    """The standings as CSV, with one column for each tie-break of the list."""

    known = ("after_round", "as")

    def read(self, frame: Frame, **where: Any) -> HttpResponse:
        rows = []
        answer = cast(Response, super().read(frame, **where))
        for line in answer.data["standings"]:
            ties = line.pop("tie_breaks")
            rows.append(line | {tie["code"]: tie["value"] for tie in ties})
        return list_file(self.request, frame.tournament, "standings", rows)


@extend_schema_view(
    get=extend_schema(operation_id="pairings_csv", parameters=[SLUG, NUMBER, AS], responses=CSV)
)
class PairingsCsv(Pairings):
    """The boards of a round as CSV, with the results once these are published;
    byes follow without a board.

    Results are the TRF letter of each player. If a round is a match, two more columns contain the
    second game.
    """

    known = ("as",)

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
        return list_file(self.request, frame.tournament, f"pairings-{data['round']}", boards + byes)


@extend_schema_view(
    get=extend_schema(operation_id="entries_csv", parameters=[SLUG, AS], responses=CSV)
)
class EntriesCsv(TournamentReading):
    """All participants as CSV, by TPN; those without one last."""

    known = ("as",)

    def read(self, frame: Frame, **where: Any) -> HttpResponse:
        shape = EntryForArbitersSerializer if frame.runs else EntrySerializer
        rows = shape(queries.entry_rows(frame.tournament), many=True).data
        return list_file(self.request, frame.tournament, "entries", list(rows))


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
