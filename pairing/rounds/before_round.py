"""The players of a round as its page reads them: points, colours and virtual points before it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, partial
from typing import Final, NamedTuple

from pairing.engine.model import TPN, Colour, PointSystem
from pairing.rounds.computed_standings import changes, point_adjustments
from pairing.rounds.snapshot import accelerations, players_after
from pairing.rules.names import namesakes
from tournaments.core.chosen_rules import point_system
from tournaments.core.scores import AT_BOARD, Score, result_of
from tournaments.models import Seat, Tournament


class Seated(NamedTuple):
    """A player of the round and the game, without models: 18 ms for 5,000 players, not 140."""

    colour: str
    bye: str
    pk: int
    tpn: int | None
    name: str
    full_name: str
    title: str
    federation: str
    club: str
    fide_id: int | None
    rating: int
    first_round: int
    withdrawn_from: int | None
    board: int | None
    table: int | None
    result: str
    game: int
    version: int
    starts_at: datetime | None
    place: str
    second_result: str | None
    second: int
    second_version: int
    second_starts_at: datetime | None
    second_place: str


_OF_ENTRY: Final = (
    *("pk", "tpn", "name", "full_name", "title", "federation", "club", "fide_id"),
    *("rating", "first_round", "withdrawn_from"),
)


_OF_GAME: Final = ("result", "pk", "version", "starts_at", "place")


SEATED: Final = Seat.objects.values_list(
    *("colour", "bye", *(f"entry__{name}" for name in _OF_ENTRY), "game__board", "game__table"),
    *(f"{game}__{name}" for game in ("game", "game__second") for name in _OF_GAME),
)
"""The columns of :class:`Seated`: finding those of other tables takes time, so it is done once."""


@dataclass(frozen=True, slots=True)
class BeforeRound:
    points: Mapping[int, int]
    colours: Mapping[int, str]
    virtual: Mapping[int, int]
    whole_names: bool
    namesakes: Collection[int]

    def name(self, seat: Seated) -> str:
        """Return the name of the player of *seat* for the reader."""
        return (seat.full_name or seat.name) if self.whole_names else seat.name


def before_round(
    tournament: Tournament,
    number: int,
    seats: Sequence[Seated],
    names: Mapping[int, str],
    *,
    whole_names: bool,
) -> BeforeRound:
    """Return points and colours before round *number*, and the virtual points of its *seats*.

    With the *names* of all players of the round, *seats* are some of them, and only their points
    are read. One query; four if there are point adjustments.
    """
    # A large field has only a few dozen different rounds: convert each of them once.
    outcome = cache(partial(_round_outcome, point_system(tournament)))
    points: defaultdict[int, int] = defaultdict(int)
    colours: defaultdict[int, str] = defaultdict(str)
    rows = _OUTCOMES.filter(round__tournament=tournament, round__number__lt=number)
    if names:
        rows = rows.filter(entry__in=[seat.pk for seat in seats])
    for entry_id, colour, bye, first, second in rows:
        gave, sign = outcome(colour, bye, first, second)
        points[entry_id] += gave
        colours[entry_id] += sign
    if point_adjustments(tournament):
        players, entries = players_after(tournament, number - 1)
        for tpn, change in changes(tournament, players).items():
            points[entries[tpn].pk] += sum(change.by_round)
    before = BeforeRound(points, colours, _virtual(tournament, number, seats), whole_names, ())
    return replace(
        before, namesakes=namesakes(names or {seat.pk: before.name(seat) for seat in seats})
    )


# Finding the columns of other tables takes time, so it is done once.
_OUTCOMES: Final = Seat.objects.order_by("round__number").values_list(
    "entry_id", "colour", "bye", *AT_BOARD
)


def _round_outcome(
    values: PointSystem, colour: str, bye: str, first: str, second: str | None
) -> tuple[int, str]:
    """Return a round's points in tenths, and its sign: colour, ``·`` unplayed, ``?`` unknown."""
    letters = (bye,) if bye else Score(first, second).of(Colour(colour))
    results = [result_of(letter) for letter in letters if letter]
    sign = colour.upper() if any(result.is_played for result in results) else "·"
    return sum(values.value(result) for result in results), sign if results else "?"


def _virtual(tournament: Tournament, number: int, seats: Iterable[Seated]) -> dict[int, int]:
    """Return the virtual points in round *number*, by entry; players without any are left out.

    Every player present at the start has a seat.
    """
    entries = {TPN(seat.tpn): seat for seat in seats if seat.tpn is not None}
    return {
        entry.pk: record.points
        for record in accelerations(tournament, entries)
        if record.first_round <= number <= record.last_round
        for tpn, entry in entries.items()
        if tpn <= record.last_tpn
    }
