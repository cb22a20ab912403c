"""The tie-breaks of C.07 for individual Swiss tournaments, from the text:
one function for each of its articles.

Values are in points (Buchholz 13.5), places and counts are whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from .ratings import average_of, perfect_performance, performance, rated_opponents, rounded
from .table import Table

PLACES = ("DE", "DE/P")


class Part(NamedTuple):
    """What one round contributes: the score of the opponent or dummy, and the contribution."""

    score: int
    amount: int
    is_voluntary: bool


def column(table: Table, code: str) -> dict[int, float | None]:
    """Return the value of each player."""
    name, *modifiers = code.split("/")
    found: dict[int, float | None] = {}
    for tpn in table.rows:
        value = COLUMNS[name](table, tpn, modifiers)
        found[tpn] = None if value is None else float(value)
    return found


def _wins(table: Table, tpn: int, _: list[str]) -> int:
    return sum(one.points == table.win for one in table.rows[tpn])


def _won(table: Table, tpn: int, _: list[str]) -> int:
    return sum(one.result in ("1", "W") for one in table.rows[tpn])


def _black(table: Table, tpn: int, _: list[str]) -> int:
    return sum(one.is_played and one.colour == "b" for one in table.rows[tpn])


def _black_won(table: Table, tpn: int, _: list[str]) -> int:
    return sum(one.result in ("1", "W") and one.colour == "b" for one in table.rows[tpn])


def _progressive(table: Table, tpn: int, modifiers: list[str]) -> Fraction:
    sums, score = [], 0
    for one, bonus in zip(table.rows[tpn], table.bonuses[tpn], strict=True):
        score += one.points + bonus
        sums.append(score)
    cut = int(modifiers[0][1:]) if modifiers else 0
    return Fraction(sum(sums[cut:]), 10)


def _elected(table: Table, tpn: int, _: list[str]) -> int:
    return sum(not one.is_voluntary for one in table.rows[tpn])


def _standard(table: Table, tpn: int, _: list[str]) -> Fraction:
    total = Fraction(0)
    for number, one in enumerate(table.rows[tpn]):
        if one.result in ("?", ""):
            continue
        other = (
            table.rows[one.opponent][number].points
            if one.is_played and one.opponent
            else table.draw
        )
        total += 1 if one.points > other else Fraction(1, 2) if one.points == other else 0
    return total


def _parts(table: Table, tpn: int, modifiers: list[str]) -> list[Part]:
    """Return the value of each round's opponent [16.3],
    or of the dummy of an unplayed round [16.4].

    With /P a forfeited game is one against the scheduled opponent.
    """
    found = []
    for one in table.rows[tpn]:
        counts = one.is_played or ("P" in modifiers and one.opponent is not None)
        if counts:
            worth = table.adjusted(one.opponent or 0)
        else:
            worth = table.score(tpn)
            if table.caps_dummies:
                limit = table.adjusted(one.opponent) if one.opponent else table.draw * table.rounds
                worth = min(worth, limit)
        found.append(Part(worth, worth, one.is_voluntary and not counts))
    return found


def _cut(parts: list[Part], modifiers: list[str]) -> list[Part]:
    """Cut the least significant contributions, voluntarily unplayed rounds first,
    then the most [14.1-14.4, 16.5].
    """
    left = list(parts)
    for modifier in [one for one in modifiers if one[0] in "CM"]:
        for _ in range(int(modifier[1:])):
            if not left:
                break
            least = min(left, key=lambda part: (part.score, part.amount))
            own = [part for part in left if part.is_voluntary]
            lowest = min(own, key=lambda part: (part.amount, part.score)) if own else None
            left.remove(lowest if lowest is not None and lowest.amount >= least.amount else least)
        if modifier[0] == "M":
            for _ in range(int(modifier[1:])):
                if left:
                    left.remove(max(left, key=lambda part: (part.score, part.amount)))
    return left


def _buchholz(table: Table, tpn: int, modifiers: list[str]) -> Fraction:
    seen = with_the_last_round_drawn(table) if "F" in modifiers else table
    return Fraction(sum(part.amount for part in _cut(_parts(seen, tpn, modifiers), modifiers)), 10)


def _sonneborn(table: Table, tpn: int, modifiers: list[str]) -> Fraction:
    rounds = zip(_parts(table, tpn, modifiers), table.rows[tpn], strict=True)
    parts = [part._replace(amount=part.score * one.points) for part, one in rounds]
    return Fraction(sum(part.amount for part in _cut(parts, modifiers)), 100)


def _fore(table: Table, tpn: int, modifiers: list[str]) -> Fraction:
    return _buchholz(with_the_last_round_drawn(table), tpn, modifiers)


def with_the_last_round_drawn(table: Table) -> Table:
    """Return the table in which every paired game of the last round is a draw [8.3]."""
    rows = {
        tpn: [*row[:-1], row[-1]._replace(result="=", points=table.draw)]
        if row and row[-1].opponent
        else row
        for tpn, row in table.rows.items()
    }
    return replace(table, rows=rows)


def _average_of_buchholz(table: Table, tpn: int, modifiers: list[str]) -> Fraction | None:
    met = [one.opponent for one in table.rows[tpn] if one.is_played and one.opponent]
    return (
        sum((_buchholz(table, other, modifiers) for other in met), Fraction(0)) / len(met)
        if met
        else None
    )


def _koya(table: Table, tpn: int, modifiers: list[str]) -> Fraction:
    shift = int(modifiers[0][1:]) if modifiers else 0
    twice_the_limit = table.win * table.rounds + 10 * shift
    against = [one for one in table.rows[tpn] if one.is_played and one.opponent]
    return Fraction(
        sum(one.points for one in against if 2 * table.score(one.opponent or 0) >= twice_the_limit),
        10,
    )


def _average_rating(table: Table, tpn: int, modifiers: list[str]) -> int | None:
    met = [Part(rating, rating, False) for rating in rated_opponents(table, tpn)]
    return rounded([part.amount for part in _cut(met, modifiers)])


def _rating(table: Table, tpn: int, _: list[str]) -> int:
    return table.ratings[tpn]


COLUMNS: dict[str, Callable[[Table, int, list[str]], Fraction | int | None]] = {
    "WIN": _wins,
    "WON": _won,
    "BPG": _black,
    "BWG": _black_won,
    "PS": _progressive,
    "REP": _elected,
    "STD": _standard,
    "TPN": lambda table, tpn, _: tpn,
    "BH": _buchholz,
    "AOB": _average_of_buchholz,
    "FB": _fore,
    "SB": _sonneborn,
    "KS": _koya,
    "ARO": _average_rating,
    "RTNG": _rating,
    "TPR": performance,
    "PTP": perfect_performance,
    "APRO": lambda table, tpn, _: average_of(performance, table, tpn),
    "APPO": lambda table, tpn, _: average_of(perfect_performance, table, tpn),
}


def place_in_direct_encounter(
    table: Table, tied: list[int], *, forfeits: bool = False
) -> dict[int, float | None]:
    """Return the place of each of the *tied* [6];
    players whom the article does not separate share it.
    """
    places: dict[int, float | None] = {}
    place = 1
    for tier in _tiers(table, tied, forfeits):
        places |= dict.fromkeys(tier, float(place))
        place += len(tier)
    return places


def _tiers(table: Table, tied: list[int], forfeits: bool) -> list[list[int]]:
    if len(tied) == 1:
        return [tied]
    among = {tpn: _against(table, tpn, tied, forfeits) for tpn in tied}
    missing = {tpn: len(tied) - 1 - len(among[tpn]) for tpn in tied}
    score = {tpn: sum(among[tpn].values(), Fraction(0)) for tpn in tied}
    if not any(missing.values()):  # All have met [6.2].
        tiers = [
            [tpn for tpn in tied if score[tpn] == made]
            for made in sorted({*score.values()}, reverse=True)
        ]
        return (
            tiers
            if len(tiers) == 1
            else [again for tier in tiers for again in _tiers(table, tier, forfeits)]
        )
    first: list[list[int]] = []
    rest = list(tied)
    while certain := _certain_winner(
        table, rest, score, missing
    ):  # Whatever the missing games give [6.3].
        first.append([certain])
        rest.remove(certain)
    return [*first, *_tiers(table, rest, forfeits)] if first and rest else first or [rest]


def _certain_winner(
    table: Table, rest: list[int], score: dict[int, Fraction], missing: dict[int, int]
) -> int | None:
    if len(rest) < 2:
        return rest[0] if rest else None
    for tpn in rest:
        worst = score[tpn] + missing[tpn] * table.loss
        if all(worst > score[other] + missing[other] * table.win for other in rest if other != tpn):
            return tpn
    return None


def _against(table: Table, tpn: int, among: Iterable[int], forfeits: bool) -> dict[int, Fraction]:
    """Return the points against each of the others, the average of repeated meetings;
    with /P by forfeit too [6.1].
    """
    games: dict[int, list[int]] = {}
    for one in table.rows[tpn]:
        if (one.is_played or forfeits) and one.opponent in among and one.result not in ("?", ""):
            games.setdefault(one.opponent or 0, []).append(one.points)
    return {other: Fraction(sum(points), len(points)) for other, points in games.items()}
