"""Read the tables of a tournament in the form in which the record describes them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from pairing.record.player_fields import RECORDED as ENTRY_FIELDS
from pairing.rules.draws import commitment
from tournaments.models import Entry, Game, RequestedBye, Round, Seat, Tournament
from tournaments.setup.tournaments import FIELDS as SETTINGS

ALSO: Final = (
    "initial_colour", "lots_seed", "final_at", "left_fide_mode", "order_of_equals", "expelled", "listed", "archived",
)  # fmt: skip
COLUMNS: Final = sorted(ENTRY_FIELDS)
VALUES: Final = {
    "result": ("result",),
    "colours": ("white", "black"),
    "rating": ("fide_rating", "national_rating"),
}
"""The fields that each kind of correction changes."""


@dataclass
class RoundContents:
    """A round: (White, Black, results of the games) by board
    and the letters of the byes, by entry.
    """

    state: str = "planned"
    boards: dict[int, tuple[int, int, tuple[str, ...]]] = field(default_factory=dict)
    byes: dict[int, str] = field(default_factory=dict)
    dates: dict[tuple[int, int], tuple[datetime, str]] = field(default_factory=dict)
    """The date and the place of games with a date of their own, by board and number of the game."""


@dataclass
class Contents:
    """A tournament as the record describes it; ``entries`` hold the fields,
    ``tpn`` and ``withdrawn_from``.
    """

    settings: dict[str, object] = field(default_factory=dict)
    entries: dict[int, dict[str, Any]] = field(default_factory=dict)
    rounds: dict[int, RoundContents] = field(default_factory=dict)
    byes_requested: dict[tuple[int, int], str] = field(default_factory=dict)
    check_in: tuple[int | None, bool] = (None, False)
    decided: list[tuple[int, int, int]] = field(default_factory=list)
    """Point adjustments: entry, tenths, round."""

    reported: list[dict[str, Any]] = field(default_factory=list, compare=False)
    """The reports to the rating officer, which no table has."""

    @property
    def is_over(self) -> bool:
        return self.rounds[max(self.rounds)].state == "results_published"

    def by_tpn(self, tpn: int) -> int:
        return next(pk for pk, entry in self.entries.items() if entry["tpn"] == tpn)

    def takes_part(self, pk: int, number: int) -> bool:
        entry = self.entries[pk]
        return entry["first_round"] <= number and (
            entry["withdrawn_from"] is None or number < entry["withdrawn_from"]
        )


def tables(tournament: Tournament) -> Contents:
    """Read the content of the tables. Seven queries."""
    row = Tournament.objects.get(pk=tournament.pk)
    rounds = {
        number: RoundContents(state)
        for number, state in Round.objects.filter(tournament=row).values_list("number", "state")
    }
    games: dict[tuple[int, int], dict[str, Any]] = {}
    seats = Seat.objects.filter(round__tournament=row).values_list(
        "round__number",
        "entry_id",
        "colour",
        "bye",
        "game__board",
        "game__result",
        "game__second__result",
    )
    for number, entry, colour, bye, board, first, second in seats:
        if board is None:
            rounds[number].byes[entry] = bye
        else:
            results = (first,) if second is None else (first, second)
            games.setdefault((number, board), {"results": results})[colour] = entry
    for (number, board), game in games.items():
        rounds[number].boards[board] = (game["w"], game["b"], game["results"])
    dated = Game.objects.filter(round__tournament=row, starts_at__isnull=False).select_related(
        "round"
    )
    for each in dated:
        rounds[each.round.number].dates[each.board, each.number] = (each.starts_at, each.place)
    requested = RequestedBye.objects.filter(entry__tournament=row).values_list(
        "entry_id", "round_number", "kind"
    )
    return Contents(
        settings={"draw_commitment": commitment(row.draw_secret)}
        | {name: _plain(getattr(row, name)) for name in [*sorted(SETTINGS), *ALSO]},
        entries={
            values["pk"]: {name: value for name, value in values.items() if name != "pk"}
            for values in Entry.objects.filter(tournament=row).values(
                "pk", "tpn", "withdrawn_from", "answer", *COLUMNS
            )
        },
        rounds=rounds,
        byes_requested={(entry, number): kind for entry, number, kind in requested},
        check_in=(row.check_in_round, row.check_in_open),
        decided=list(row.point_adjustments.values_list("entry_id", "points", "round_number")),
    )


def _plain(value: object) -> object:
    return value.isoformat() if hasattr(value, "isoformat") else value
