"""Break the program in known ways: ``python -m tests.stress.second --broken``
says how many events each defect needs.

A comparison that reads fewer pages must still find what it found before. Each defect changes one
function of the program, as a programmer could get it wrong, and random events are played until one
of them differs.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, NamedTuple
from unittest import mock

from .play import people, play


class Defect(NamedTuple):
    """``path`` names a function of the program, ``change`` returns what replaces it."""

    path: str
    change: Callable[[Any], Any]


class Search(NamedTuple):
    """How a defect was looked for: ``found`` is the first difference,
    empty if there was none in all ``events``.
    """

    name: str
    events: int
    actions: int
    comparisons: int
    found: str


def _without_last_line(original: Any) -> Any:
    return lambda request, tournament, name, rows: original(
        request, tournament, name, rows[:-1] if name == "standings" else rows
    )


def _cut_another(original: Any) -> Any:
    return lambda parts, left: (left[-1], original(parts, left)[1])


def _colours_swapped(original: Any) -> Any:
    def cells(rounds: Any, *others: Any) -> Any:
        found = original(rounds, *others)
        swapped = [
            replace(cell, colour={"w": "b", "b": "w"}.get(cell.colour, "")) for cell in found[2:]
        ]
        return (*found[:2], *swapped)

    return cells


def _corrections_are_secret(original: Any) -> Any:
    def record(self: Any, payload: Any, **options: Any) -> Any:
        if "correct" in payload.action:
            options["is_public"] = False
        return original(self, payload, **options)

    return record


def _newest_list(original: Any) -> Any:
    def players(tournament: Any, after: int) -> Any:
        over = tournament.rounds.filter(state="results_published").count()
        return original(tournament, over if after else after)

    return players


def _all_deputies(original: Any) -> Any:
    deputy = pkgutil.resolve_name("tournaments.models.Role").DEPUTY
    return lambda user, tournament: original(user, tournament) or deputy


def _refusals_change(original: Any) -> Any:
    """Let every refused form add a round to the tournament's name,
    which no page of numbers shows.
    """

    def call(self: Any, request: Any) -> Any:
        response = original(self, request)
        part = request.path.split("/")
        if request.method == "POST" and response.status_code in (409, 422) and part[1] == "t":
            tournaments = pkgutil.resolve_name("tournaments.models.Tournament").objects.filter(
                slug=part[2]
            )
            row = tournaments.get()
            tournaments.update(name=f"{row.name}.", public_version=row.public_version + 1)
        return response

    return call


DEFECTS: Final[dict[str, Defect]] = {
    "a tie-break leaves out another opponent": Defect(
        "pairing.standings.cuts._least_significant", _cut_another
    ),
    "the crosstable forgets point adjustments": Defect(
        "tournaments.standings.crosstable.score",
        lambda original: lambda player, system, change=None: original(player, system),
    ),
    "the crosstable swaps colours after round 2": Defect(
        "tournaments.standings.crosstable.cells_of", _colours_swapped
    ),
    "the page of player 3 has half a point too much": Defect(
        "tournaments.standings.player.score",
        lambda original: lambda player, *more: original(player, *more) + 5 * (player.tpn == 3),
    ),
    "a correction leaves the public pages as they were": Defect(
        "tournaments.core.actions.OpenAction.record", _corrections_are_secret
    ),
    "pages stay as they were for every second action": Defect(
        "tournaments.core.frame.key_of",
        lambda original: lambda version, fingerprint: original(version // 2, ""),
    ),
    "standings of earlier rounds are the newest": Defect(
        "tournaments.standings.ranked_field.players_after", _newest_list
    ),
    "the standings as CSV lack the last line": Defect(
        "tournaments.api.csv.list_file", _without_last_line
    ),
    "floats are marked without virtual points": Defect(
        "pairing.rounds.round_page.BoardLine.crosses_scoregroups",
        lambda original: property(lambda board: board.white.points != board.black.points),
    ),
    "round 2 has no virtual points": Defect(
        "pairing.rounds.before_round._virtual",
        lambda original: (
            lambda tournament, number, seats: (
                {} if number == 2 else original(tournament, number, seats)
            )
        ),
    ),
    "the boards are in another order": Defect(
        "pairing.rounds.round_page._boards", lambda original: lambda *given: original(*given)[::-1]
    ),
    "half-point byes are missing": Defect(
        "pairing.rounds.round_page._byes",
        lambda original: (
            lambda *given: tuple(line for line in original(*given) if line.kind != "H")
        ),
    ),
    "results are shown before their publication": Defect(
        "tournaments.core.scores.Score.hidden", lambda original: lambda score: score
    ),
    "the public file has results before their publication": Defect(
        "tournaments.reports.trf_export._cells",
        lambda original: lambda *given, public: original(*given, public=False),
    ),
    "visitors see drafts": Defect(
        "tournaments.core.frame._seen", lambda original: lambda state, *, runs: state
    ),
    "the public record has secret lines": Defect(
        "tournaments.reports.record_file._is_public", lambda original: lambda *given: True
    ),
    "everybody is a deputy": Defect("tournaments.core.permissions.role_of", _all_deputies),
    "a refused action changes something": Defect(
        "config.middleware.ErrorsAreNotStoredMiddleware.__call__", _refusals_change
    ),
}
"""Each is found only in events that reach it: with an acceleration, a correction,
a point adjustment, a third round.
"""


@contextmanager
def broken(name: str) -> Iterator[None]:
    """Let the program have the defect *name*."""
    path, change = DEFECTS[name]
    with mock.patch(path, change(pkgutil.resolve_name(path))):
        yield


def search(name: str, seeds: Iterable[int]) -> Search:
    """Play the events of *seeds* on the program with the defect *name*,
    until one of them differs.
    """
    browsers = people()
    events = actions = comparisons = 0
    found = ""
    for seed in seeds:
        with broken(name):
            report = play(browsers, seed)
        events += 1
        actions += report.done.total()
        comparisons += report.checks
        if report.differences:
            found = report.differences[0].strip().splitlines()[-1]
            break
    return Search(name, events, actions, comparisons, found)
