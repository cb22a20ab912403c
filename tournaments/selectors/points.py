"""Points given or taken by decision, each with its article and its reason: for everybody."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet

from tournaments.models import Decision, Entry, Tournament

ADJUSTED: Final = "points.adjusted"
"""The act that gives a player points, or takes them."""
WITHDRAWN: Final = "points.withdrawn"
"""The act that makes it as if the other had never been."""


@dataclass(frozen=True, slots=True)
class Adjustment:
    """What a decision gave a player in round ``round_number``, in tenths; below zero where it took.

    ``act`` is the row of the record with the article and the reason; None where a file brought the decision.
    """

    entry_id: int
    tpn: int
    name: str
    points: int
    round_number: int
    act: Decision | None


def acts_on_points(tournament: Tournament) -> QuerySet[Decision]:
    """Every act that gave or took points, or withdrew that, in order."""
    rows = Decision.objects.filter(tournament=tournament, act__in=(ADJUSTED, WITHDRAWN))
    return rows.order_by("sequence")


def adjustments(tournament: Tournament, *, after_round: int, tpn: int | None = None) -> tuple[Adjustment, ...]:
    """The points given or taken that count in the standings after round *after_round*, the oldest first.

    Those that stand: what was withdrawn is not among them. Of player *tpn* alone where one is named. Two queries where
    there are any, else none.
    """
    kept = [
        (entry, points, number)
        for letter, points, number, entries in tournament.abnormal_points
        if not letter and number is not None and number <= after_round
        for entry in entries
    ]
    if not kept:
        return ()
    players = Entry.objects.in_bulk({entry for entry, _, _ in kept})
    acts = _standing_acts(tournament)
    found = (
        Adjustment(
            entry_id=entry,
            tpn=players[entry].tpn or 0,
            name=players[entry].name,
            points=points,
            round_number=number,
            act=acts[entry, points, number].pop(0) if acts[entry, points, number] else None,
        )
        for entry, points, number in kept
    )
    return tuple(line for line in found if tpn in (None, line.tpn))


def other_changes(
    by_decision: Iterable[tuple[int, str, int]], listed: Iterable[Adjustment]
) -> tuple[tuple[int, str, int], ...]:
    """What is left of *by_decision* (number, name, tenths) beside what is *listed*: a file may give a result other
    points, or say what counts for the places only."""
    told: Counter[int] = Counter()
    for line in listed:
        told[line.tpn] += line.points
    left = ((tpn, name, points - told[tpn]) for tpn, name, points in by_decision)
    return tuple(line for line in left if line[2])


def _standing_acts(tournament: Tournament) -> defaultdict[tuple[int, int, int | None], list[Decision]]:
    """The acts that gave or took points and were not withdrawn, by player, points and round. One query."""
    found: defaultdict[tuple[int, int, int | None], list[Decision]] = defaultdict(list)
    for row in acts_on_points(tournament):
        told = row.after if row.act == ADJUSTED else row.before
        same = found[told["entry"], told["points"], row.round_number]
        if row.act == ADJUSTED:
            same.append(row)
        elif same:
            same.pop(0)
    return found
