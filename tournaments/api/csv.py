"""The tables of the API as files for spreadsheets: the same rows for the same reader."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Any, Final, cast

from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from tournaments.api import queries
from tournaments.api.list_files import AS, FILES, HEADS, KNOWN, list_file
from tournaments.core.frame import Frame
from tournaments.core.permissions import Power, may
from tournaments.standings.further_columns import file_cells
from tournaments.standings.prizes import PrizeList, prize_list
from tournaments.standings.standings import standings

from .serializers import (
    EntryForArbitersSerializer,
    EntrySerializer,
    StandingSerializer,
    points_number,
)
from .tables import CrosstableTable
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
PRIZE: Final = (
    "category", "place", "id", "tpn", "name", "fide_id", "members", "points", "cents", "thing",
    "is_provisional",
)  # fmt: skip
CSV = FILES | {
    304: UNCHANGED,
    (400, "application/json"): REFUSED,
    (404, "application/json"): MISSING,
}


class WithFurtherColumns(TournamentReading):
    """Base of the files that have the columns which an arbiter chooses for paper."""

    def further(self, frame: Frame, after: int) -> Callable[[int], dict[str, object]]:
        """Return a function for these columns of a player."""
        runs = frame.runs and may(self.request.user, frame.tournament, Power.RUN)
        return file_cells(frame, after, runs=runs)


@extend_schema_view(
    get=extend_schema(
        operation_id="crosstable_csv", parameters=[SLUG, AFTER, AS, HEADS], responses=CSV
    )
)
class CrosstableCsv(WithFurtherColumns, CrosstableTable):
    """The crosstable as CSV, a column for each round: ``12w1``, for a match ``12w1=``, or the
    letter of the bye; then the tie-breaks, and the columns that the standings have at their end.
    """

    known = ("after_round", *KNOWN)

    def read(self, frame: Frame, **where: Any) -> HttpResponse:
        table = self.table(frame)
        after = table["after_round"]
        ties = {
            line.tpn: {value.code: value.number for value in line.values}
            for line in standings(frame, after_round=after).lines
        }
        further = self.further(frame, after)
        rows = []
        for player in table["players"]:
            row = {name: player[name] for name in ROW}
            for cell in player["rounds"]:
                game = f"{cell['opponent']}{cell['colour'] or '-'}" if cell["opponent"] else ""
                row[f"round_{cell['round']}"] = (
                    f"{game}{cell['result']}{cell['second_result'] or ''}"
                )
            rows.append(row | ties.get(player["tpn"], {}) | further(player["tpn"]))
        name = f"crosstable-after-{table['after_round']}"
        return list_file(self.request, frame.tournament, name, rows, ROW)


@extend_schema_view(
    get=extend_schema(operation_id="prizes_csv", parameters=[SLUG, AS, HEADS], responses=CSV)
)
class PrizesCsv(TournamentReading):
    """The winners as CSV, with the money in cents, and what nobody could win; before the results
    of the last round are published the prizes without names.
    """

    known = KNOWN

    def read(self, frame: Frame, **where: Any) -> HttpResponse:
        rows = list(prize_rows(prize_list(frame)))
        return list_file(self.request, frame.tournament, "prizes", rows, PRIZE)


@extend_schema_view(
    get=extend_schema(
        operation_id="standings_csv", parameters=[SLUG, AFTER, AS, HEADS], responses=CSV
    )
)
class StandingsCsv(WithFurtherColumns, Standings):
    """The standings as CSV, with one column for each tie-break of the list; then club, performance
    and FIDE rating change, for people who run the tournament the categories of prizes too.
    """

    known = ("after_round", *KNOWN)

    def read(self, frame: Frame, **where: Any) -> HttpResponse:
        rows = []
        answer = cast(Response, super().read(frame, **where))
        further = self.further(frame, answer.data["after_round"])
        for line in answer.data["standings"]:
            ties = {tie["code"]: tie["value"] for tie in line.pop("tie_breaks")}
            rows.append(line | ties | further(line["tpn"]))
        name = f"standings-after-{answer.data['after_round']}"
        return list_file(self.request, frame.tournament, name, rows, names_of(StandingSerializer))


@extend_schema_view(
    get=extend_schema(
        operation_id="pairings_csv", parameters=[SLUG, NUMBER, AS, HEADS], responses=CSV
    )
)
class PairingsCsv(Pairings):
    """The boards of a round as CSV, with the results once these are published;
    byes follow without a board.

    Results are the TRF letter of each player. If a round is a match, two more columns contain the
    second game.
    """

    known = KNOWN

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
    get=extend_schema(operation_id="entries_csv", parameters=[SLUG, AS, HEADS], responses=CSV)
)
class EntriesCsv(TournamentReading):
    """All participants as CSV, by TPN; those without one last."""

    known = KNOWN

    def read(self, frame: Frame, **where: Any) -> HttpResponse:
        shape = EntryForArbitersSerializer if frame.runs else EntrySerializer
        rows = shape(queries.entry_rows(frame.tournament), many=True).data
        return list_file(self.request, frame.tournament, "entries", list(rows), names_of(shape))


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


def names_of(shape: type[Serializer[Any]]) -> tuple[str, ...]:
    """Return the columns of a list without rows: the fields of *shape* but the tie-breaks."""
    return tuple(name for name in shape().get_fields() if name != "tie_breaks")


def prize_rows(
    prizes: PrizeList,
    result: Callable[[int, int], object] = lambda points, _: points_number(points),
) -> Iterator[dict[str, Any]]:
    """Yield a row for each prize in the order of the categories; money is in cents.

    *result* returns what the players are compared by, of points and the number of players in a
    team. A prize that nobody could win, and each prize before there are winners, has no player.
    """
    empty = dict.fromkeys(PRIZE) | {"is_provisional": prizes.is_provisional}
    for of in prizes.categories:
        row = empty | {"category": of.heading}
        for winner in of.winners:
            yield row | {
                "place": winner.place,
                "id": winner.entry_id,
                "tpn": winner.tpn,
                "name": winner.name,
                "fide_id": winner.fide_id,
                "points": result(winner.points, 1),
                "cents": winner.amount,
                "thing": winner.thing,
            }
        for award in of.teams:
            yield row | {
                "place": award.place,
                "name": award.team.name,
                "members": ", ".join(map(str, award.team.members)),
                "points": result(award.team.points, len(award.team.members)),
                "cents": award.amount,
                "thing": award.thing,
            }
        if not prizes.is_handed_out:
            offered = zip_longest(of.category.amounts, of.category.things)
            for place, (cents, thing) in enumerate(offered, start=1):
                yield row | {"place": place, "cents": cents or 0, "thing": thing or ""}
        if of.left_over or of.things_left:
            things = ", ".join(of.things_left)
            yield row | {"name": _("Not awarded"), "cents": of.left_over, "thing": things}
