"""A player's ranks and prizes "if it ended now", and what the last round can still change.

From the published standings and pairings only; computed once for a public state, for all players.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any, Final, NamedTuple

from pairing.engine.model import ABSENT, TPN, PointSystem
from pairing.standings.last_round import (
    Bounds,
    Chance,
    Scores,
    bounds_at_board,
    bounds_without_game,
    money_bounds,
)
from pairing.standings.prize_rules import Category, Placed
from pairing.standings.prizes import hand_out
from tournaments.core import page_store
from tournaments.core.chosen_rules import point_system
from tournaments.core.frame import Frame, is_still
from tournaments.core.scores import result_of
from tournaments.models import Eligible, Entry, Game, GameResult, Seat
from tournaments.standings.prize_conditions import admits, heading_of
from tournaments.standings.prize_plan import CategoryPlan, PrizePlan, described, plan_from, plan_of
from tournaments.standings.prizes import categories_of
from tournaments.standings.ranked_field import RankedField, field_for

RESULTS: Final = ("win", "draw", "loss")
PRIVATE: Final = frozenset(
    {
        *(Eligible.WOMEN, Eligible.MEN),
        *(Eligible.BORN_FROM, Eligible.BORN_UNTIL, Eligible.AGE_FROM, Eligible.AGE_UNTIL),
    }
)
"""Conditions about data that nobody may read of a player who is shown with initials."""


class CategoryRank(NamedTuple):
    """The rank among the players who can win a category."""

    category: CategoryPlan
    rank: int

    @property
    def heading(self) -> str:
        return heading_of(self.category)


class PrizeNow(NamedTuple):
    """A prize by the newest published standings: cents, or a ``thing``, or both."""

    category: CategoryPlan
    place: int
    amount: int
    thing: str

    @property
    def heading(self) -> str:
        return heading_of(self.category)


class Ending(NamedTuple):
    """The places to which a ``result`` of the last game leads (empty without a game), and the
    money in cents; None where it is not known or there is none to win.
    """

    result: str
    places: Bounds
    money: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Prospect:
    """What the newest standings would give a player, and the ends of the last round."""

    players: int
    currency: str
    ranks: tuple[CategoryRank, ...]
    prizes: tuple[PrizeNow, ...]
    endings: tuple[Ending, ...]

    @property
    def has_money(self) -> bool:
        return any(ending.money for ending in self.endings)


def prospect_of(frame: Frame, tpn: int, points: Mapping[int, int]) -> Prospect | None:
    """Return the prospect of the player *tpn*, whose published points are among *points*; None
    before the first results, or if the player has no rank.

    No query while the store has the state; otherwise as for :func:`prospects`.
    """
    if not frame.latest_results or tpn not in points:
        return None
    all_of_them = prospects(frame)
    plan = plan_from(all_of_them["plan"]) if all_of_them["plan"] else PrizePlan()
    own = str(tpn)
    return Prospect(
        players=len(points),
        currency=plan.currency,
        ranks=tuple(
            CategoryRank(plan.categories[index], rank)
            for index, rank in all_of_them["ranks"].get(own, ())
            if plan.categories[index].conditions
        ),
        prizes=_read(plan, all_of_them["prizes"].get(own, ())),
        endings=tuple(_endings(all_of_them, plan, TPN(tpn), points)),
    )


def prizes_by_player(frame: Frame) -> tuple[str, dict[int, tuple[PrizeNow, ...]]]:
    """Return currency and prizes by player (TPN). As many queries as :func:`prospects`."""
    found = prospects(frame)
    if not found["plan"]:
        return "", {}
    plan = plan_from(found["plan"])
    return plan.currency, {int(tpn): _read(plan, lines) for tpn, lines in found["prizes"].items()}


def _read(plan: PrizePlan, lines: Sequence[tuple[int, int, int, str]]) -> tuple[PrizeNow, ...]:
    return tuple(
        PrizeNow(plan.categories[index], place, cents, thing)
        for index, place, cents, thing in lines
    )


def prospects(frame: Frame) -> dict[str, Any]:
    """Return what the pages of all players need; from the store, where it is put.

    Queries without the store as for :func:`field_for`, two for the prizes, and two before the last
    round.
    """
    name = f"prospects-{frame.latest_results}.json"
    if (stored := page_store.read(frame.state, name)) is not None:
        found: dict[str, Any] = json.loads(stored.body)
        return found
    body = json.dumps(_computed(frame)).encode()
    page_store.write(frame.state, name, {}, body, still=partial(is_still, frame.tournament))
    made: dict[str, Any] = json.loads(body)
    return made


def public_members(
    line: CategoryPlan, category: Category, entries: Mapping[TPN, Entry], first_day: date | None
) -> frozenset[TPN]:
    """Return the members of the category *line* whom everybody may know, on the *first_day*.

    Ages are known by the year of birth, not by the day, and only the rest of the data is known of
    players who are shown with initials.
    """
    members = category.members or frozenset()
    if not any(eligible in PRIVATE for eligible, _ in line.conditions):
        return members
    return frozenset(tpn for tpn in members if _is_known(line, entries[tpn], first_day))


def _computed(frame: Frame) -> dict[str, Any]:
    plan = plan_of(frame.tournament)
    if not frame.latest_results:
        return {"plan": None, "ranks": {}, "prizes": {}, "unsure": [], "last": None}
    field = field_for(frame, frame.latest_results)
    placed = [Placed(line.tpn, line.rank, line.points) for line in field.table.lines]
    categories = categories_of(plan, field.entries, frame.tournament.start_date, placed)
    public = [
        public_members(line, category, field.entries, frame.tournament.start_date)
        for line, category in zip(plan.categories, categories, strict=True)
    ]
    # Once the event is over the prize list names all winners.
    winners = [category.members or frozenset() for category in categories]
    hidden = {
        tpn
        for category, shown in zip(categories, public, strict=True)
        if category.members is not None and category.teams is None
        for tpn in category.members - shown
    }
    return {
        "plan": described(plan) if plan.categories else None,
        "ranks": _ranks(categories, public, placed),
        "prizes": _prizes(plan, categories, winners if frame.is_over else public, placed),
        "unsure": sorted(hidden),
        "last": _last_round(frame, field, categories),
    }


def _is_known(line: CategoryPlan, entry: Entry, first_day: date | None) -> bool:
    if entry.full_name:
        return False
    known = copy(entry)
    known.birth_date = entry.birth_date[:4]
    return admits(line, known, first_day)


def _ranks(
    categories: Sequence[Category], public: Sequence[frozenset[TPN]], placed: Sequence[Placed]
) -> dict[int, list[tuple[int, int]]]:
    """Return for each player the categories with the rank in them."""
    found: dict[int, list[tuple[int, int]]] = {}
    for index, (category, shown) in enumerate(zip(categories, public, strict=True)):
        rank, last = 0, 0
        admitted = [player for player in placed if category.admits(player.tpn)]
        for place, player in enumerate(admitted, start=1):
            rank, last = (rank if player.rank == last else place), player.rank
            if player.tpn in shown:
                found.setdefault(int(player.tpn), []).append((index, rank))
    return found


def _prizes(
    plan: PrizePlan,
    categories: Sequence[Category],
    public: Sequence[frozenset[TPN]],
    placed: Sequence[Placed],
) -> dict[int, list[tuple[int, int, int, str]]]:
    """Return the prizes of each player: category, place, cents, prize in kind."""
    found: dict[int, list[tuple[int, int, int, str]]] = {}
    for index, awards in enumerate(hand_out(categories, placed, plan.rules)):
        money = {award.tpn: (award.place, award.amount) for award in awards.awards}
        things = {given.tpn: (given.place, given.thing) for given in awards.things}
        for tpn in (money.keys() | things.keys()) & public[index]:
            place, cents = money.get(tpn, (0, 0))
            thing = things.get(tpn, (0, ""))
            found.setdefault(int(tpn), []).append((index, place or thing[0], cents, thing[1]))
    return found


def _last_round(
    frame: Frame, field: RankedField, categories: Sequence[Category]
) -> dict[str, Any] | None:
    """Return the boards of the last round and the points of all who are ranked; None unless only
    the results of this round are missing.

    There is none for matches, or while an adjourned game of an earlier round is open. Two queries.
    """
    tournament, number = frame.tournament, len(frame.rounds)
    is_last = frame.latest_published == number == frame.latest_results + 1
    earlier = Game.objects.filter(round__tournament=tournament, round__number__lt=number)
    adjourned = earlier.filter(result=GameResult.ADJOURNED)
    if not is_last or frame.is_of_matches or adjourned.exists():
        return None
    seats = Seat.objects.filter(round__tournament=tournament, round__number=number).order_by("pk")
    boards: dict[int, dict[str, int]] = {}
    byes: dict[int, str] = {}
    rows = seats.values_list("game_id", "colour", "bye", "entry__tpn")
    for game, colour, bye, number_of_player in rows:
        if bye:
            byes[number_of_player or 0] = bye
        else:
            boards.setdefault(game, {})[colour] = number_of_player or 0
    pairs = [(TPN(board["w"]), TPN(board["b"])) for board in boards.values()]
    points = {line.tpn: int(line.points) for line in field.table.lines}
    system = point_system(tournament)
    gains = {tpn: _gain(system, byes.get(tpn)) for tpn in points}
    scores = [
        Scores.of(points, pairs, gains, members)
        for members in (None, *(category.members for category in categories))
    ]
    return {
        "results": [(system.win, system.loss), (system.draw,) * 2, (system.loss, system.win)],
        "boards": pairs,
        "gains": {tpn: gain for tpn, gain in gains.items() if gain},
        "scores": [
            ([(*pair, n) for pair, n in each.pairs.items()], list(each.singles.items()))
            for each in scores
        ],
        "members": [sorted(category.members or ()) for category in categories],
    }


def _gain(system: PointSystem, bye: str | None) -> int:
    return system.worth(ABSENT) if bye is None else system.value(result_of(bye))


def _endings(
    of_all: dict[str, Any], plan: PrizePlan, tpn: TPN, points: Mapping[int, int]
) -> Iterator[Ending]:
    """Yield the ends of the last round for the player: after a win, a draw and a loss, or the only
    one without a game.
    """
    if of_all["last"] is None:
        return
    last = _LastRound(of_all["last"], tpn, points)
    for index, result in enumerate(RESULTS if last.board else ("",)):
        chances = [
            Chance(line.amounts, last.bounds(number, index) if last.is_in(number) else None)
            for number, line in enumerate(plan.categories, start=1)
            if not line.team_size
        ]
        money = None if tpn in of_all["unsure"] else money_bounds(chances, plan.rules)
        yield Ending(result, last.bounds(0, index), money if money and money[1] else None)


class _LastRound:
    """The stored last round for one player: 0 are all players, then the categories from 1 on."""

    def __init__(self, stored: dict[str, Any], tpn: TPN, points: Mapping[int, int]) -> None:
        self.board: list[int] | None = next(
            (board for board in stored["boards"] if tpn in board), None
        )
        self._tpn, self._points = tpn, points
        self._after = points[tpn] + stored["gains"].get(str(tpn), 0)
        self._results = [(white, black) for white, black in stored["results"]]
        self._members = [set(points), *map(set, stored["members"])]
        self._stored = stored["scores"]
        self._scores: dict[int, Scores] = {}

    def is_in(self, number: int) -> bool:
        return self._tpn in self._members[number]

    def bounds(self, number: int, index: int) -> Bounds:
        """Return the places among players *number* with the result *index* of the player."""
        if number not in self._scores:
            pairs, singles = self._stored[number]
            self._scores[number] = Scores(
                {(white, black): n for white, black, n in pairs}, dict(singles)
            )
        if self.board is None:
            return bounds_without_game(self._scores[number], self._after, self._results)
        white, black = (self._counted(number, each) for each in self.board)
        is_white = self.board[0] == self._tpn
        # The results are White's, the best first.
        gains = self._results[index if is_white else -1 - index]
        return bounds_at_board(
            self._scores[number],
            (white, black),
            is_white=is_white,
            gains=gains,
            results=self._results,
        )

    def _counted(self, number: int, tpn: int) -> int | None:
        return self._points.get(tpn) if tpn in self._members[number] else None
