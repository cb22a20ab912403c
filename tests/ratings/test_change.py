"""Rating change and initial rating: each rule of B.02 on both sides of its limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from random import Random

import pytest

from pairing.ratings.change import RatingChange, rating_change
from pairing.ratings.initial import InitialRating, NotPublished, initial_rating
from pairing.ratings.model import Event, Game, Kind, Person, Rate
from pairing.ratings.rated_games import NotRated
from tests.ratings.notation import event, games

PLAYER = Person(rating=2000, k=20)
EVENT = Event(rounds=9, start=date(2026, 9, 5), seconds=7200)
RAPID = Event(rounds=9, rate=Rate.RAPID, start=date(2026, 9, 5), seconds=1200)


def change(
    lines: str, player: Person = PLAYER, of: Event = EVENT, period: int | None = None
) -> RatingChange:
    found = rating_change(player, of, games(lines), games_in_period=period)
    assert found is not None
    return found


def reasons(found: RatingChange | InitialRating) -> dict[int, NotRated]:
    return {game.round: game.reason for game in found.not_rated}


def first(lines: str, player: Person = PLAYER, of: Event = EVENT) -> tuple[int, int, int]:
    """Return difference, counted difference and expected score of the first game."""
    game = change(lines, player, of).games[0]
    return game.difference, game.counted, game.expected


def test_b02_8_3_a_change_is_k_times_the_sum_of_the_games() -> None:
    found = change("1 2000 - AUT; = 2100 - AUT; 0 1900 - AUT; 1 2211 - SWE")
    assert [(game.difference, game.expected, game.delta) for game in found.games] == [
        (0, 50, 50),
        (-100, 36, 14),
        (100, 64, -64),
        (-211, 23, 77),
    ]
    assert (found.made, found.expected, found.delta) == (250, 173, 77)
    assert (found.change, found.rounded) == (1540, 15)
    assert found.edition.name.endswith("8.3.1 of 1 October 2025")


@pytest.mark.parametrize("opponent, expected", [(2003, 50), (2004, 49), (1997, 50), (1996, 51)])
def test_b02_8_1_2_the_rows_of_the_table_end_where_they_say(opponent: int, expected: int) -> None:
    assert first(f"1 {opponent} - AUT")[2] == expected


@pytest.mark.parametrize("delta, rounded", [(5, 1), (4, 0), (-5, -1), (-4, 0), (-15, -2)])
def test_b02_8_3_4_a_half_is_rounded_away_from_zero(delta: int, rounded: int) -> None:
    found = replace(change("= 2000 - AUT"), k=replace(change("= 2000 - AUT").k, value=10))
    game = replace(found.games[0], made=50 + delta)
    assert replace(found, games=(game,)).rounded == rounded


@pytest.mark.parametrize(
    "own, opponent, start, rate, counted",
    [
        (2000, 2400, date(2026, 9, 5), Rate.STANDARD, -400),
        (2000, 2401, date(2026, 9, 5), Rate.STANDARD, -400),
        (2001, 1600, date(2026, 9, 5), Rate.STANDARD, 400),
        (2649, 2240, date(2026, 9, 5), Rate.STANDARD, 400),
        (2650, 2240, date(2026, 9, 5), Rate.STANDARD, 410),
        (2240, 2650, date(2026, 9, 5), Rate.STANDARD, -400),
        (2650, 2240, date(2025, 10, 1), Rate.STANDARD, 410),
        (2650, 2240, date(2025, 9, 30), Rate.STANDARD, 400),
        (2650, 2240, None, Rate.STANDARD, 410),
        (2650, 2240, date(2026, 9, 5), Rate.RAPID, 400),
        (2650, 2240, date(2026, 9, 5), Rate.BLITZ, 400),
    ],
)
def test_b02_8_3_1_the_difference_that_counts(
    own: int, opponent: int, start: date | None, rate: Rate, counted: int
) -> None:
    of = Event(rounds=9, rate=rate, start=start)
    found = first(f"1 {opponent} - AUT", Person(rating=own, k=10), of)
    assert found[:2] == (own - opponent, counted)


def test_the_oldest_edition_is_marked_for_an_older_event() -> None:
    of = replace(EVENT, start=date(2024, 2, 29))
    assert change("1 2000 - AUT", of=of).edition.is_older
    assert not change("1 2000 - AUT", of=replace(EVENT, start=date(2024, 3, 1))).edition.is_older


# Which games are rated.


def test_b02_5_1_unplayed_rounds_and_games_of_less_than_a_move_are_not_rated() -> None:
    found = change(
        "+ 2000 - AUT; - 2000 - AUT; w 2000 - AUT; l 2000 - AUT; U; H; F; Z; ? 2000 - AUT"
    )
    assert (found.games, found.change) == ((), 0)
    assert reasons(found) == {
        1: NotRated.FORFEIT,
        2: NotRated.FORFEIT,
        3: NotRated.LESS_THAN_A_MOVE,
        4: NotRated.LESS_THAN_A_MOVE,
        **dict.fromkeys((5, 6, 7, 8), NotRated.BYE),
        9: NotRated.OPEN,
    }


def test_b02_8_3_1_unrated_opponents_and_excluded_games_are_not_rated() -> None:
    lines = games("1 0 - AUT; 1 2000 - AUT; 1 2000 - AUT")
    lines[1] = replace(lines[1], exclusion="fair play")
    found = rating_change(PLAYER, EVENT, lines)
    assert found is not None
    assert reasons(found) == {1: NotRated.UNRATED_OPPONENT, 2: NotRated.EXCLUDED}
    assert [game.round for game in found.games] == [3]


@pytest.mark.parametrize(
    "minutes, own, opponent, is_rated",
    [
        (60, 1799, 1799, True),
        (59, 1799, 1799, False),
        (89, 1800, 1500, False),
        (89, 1500, 1800, False),
        (90, 1800, 1500, True),
        (90, 2399, 2399, True),
        (119, 2400, 1500, False),
        (119, 1500, 2400, False),
        (120, 2400, 1500, True),
    ],
)
def test_b02_1_1_a_standard_game_may_be_too_short_for_the_two_players(
    minutes: int, own: int, opponent: int, is_rated: bool
) -> None:
    of = replace(EVENT, seconds=60 * minutes)
    found = change(f"1 {opponent} - AUT", Person(rating=own, k=20), of)
    assert reasons(found) == ({} if is_rated else {1: NotRated.TOO_SHORT})
    approved = replace(of, is_approved=True)
    assert len(change(f"1 {opponent} - AUT", Person(rating=own, k=20), approved).games) == 1


@pytest.mark.parametrize(
    "rate, seconds, is_rated",
    [
        (Rate.RAPID, 600, False),
        (Rate.RAPID, 601, True),
        (Rate.RAPID, 3599, True),
        (Rate.RAPID, 3600, False),
        (Rate.BLITZ, 180, False),
        (Rate.BLITZ, 181, True),
        (Rate.BLITZ, 600, True),
        (Rate.BLITZ, 601, False),
    ],
)
def test_b02_rapid_and_blitz_have_their_own_times(rate: Rate, seconds: int, is_rated: bool) -> None:
    found = change("1 2000 - AUT", of=replace(RAPID, rate=rate, seconds=seconds))
    assert reasons(found) == ({} if is_rated else {1: NotRated.WRONG_TIME})


def test_unequal_times_are_not_rated_in_rapid() -> None:
    found = change("1 2000 - AUT", of=replace(RAPID, same_time=False))
    assert reasons(found) == {1: NotRated.WRONG_TIME}


@pytest.mark.parametrize(
    "own, opponent, facts, is_rated",
    [
        (2601, 2001, {}, False),
        (2601, 2002, {}, True),
        (2600, 2000, {}, True),
        (2001, 2601, {}, False),
        (2601, 2001, {"start": date(2024, 11, 30)}, True),
        (2601, 2001, {"start": date(2024, 12, 1)}, False),
        (2601, 2001, {"rate": Rate.STANDARD, "seconds": 7200}, True),
    ],
)
def test_b02_rapid_7_3_1_a_gap_of_600_points(
    own: int, opponent: int, facts: dict[str, object], is_rated: bool
) -> None:
    of = replace(RAPID, **facts)  # type: ignore[arg-type]
    found = change(f"1 {opponent} - AUT", Person(rating=own, k=10), of)
    assert reasons(found) == ({} if is_rated else {1: NotRated.GAP})


def test_b02_rapid_7_2_1_a_standard_rating_replaces_a_missing_one_on_both_sides() -> None:
    player = Person(standard=1900, k=20)
    lines = [Game(1, Kind.PLAYED, 2, Person(standard=1910)), *games("U; 1 0 - AUT")[1:]]
    found = rating_change(player, RAPID, lines)
    assert found is not None
    assert (found.rating, found.games[0].difference) == (1900, -10)
    assert reasons(found) == {2: NotRated.UNRATED_OPPONENT}
    assert initial_rating(player, RAPID, lines) is None
    assert rating_change(player, EVENT, lines) is None


# K.


@pytest.mark.parametrize(
    "person, k",
    [
        (Person(rating=2399), 20),
        (Person(rating=2400), 10),
        (Person(rating=2400, birth_year=2012), 10),
        (Person(rating=2299, birth_year=2008), 40),
        (Person(rating=2300, birth_year=2008), 20),
        (Person(rating=1500, birth_year=2007), 20),
        (Person(rating=1500, birth_year=2008, k=20), 20),
        (Person(rating=2500, k=20), 20),
    ],
)
def test_b02_8_3_3_k_is_that_of_the_list_or_assumed(person: Person, k: int) -> None:
    found = change("1 2000 - AUT", person).k
    assert (found.value, found.is_listed, found.is_lowered) == (k, bool(person.k), False)


@pytest.mark.parametrize(
    "k, played, value",
    [(40, 17, 40), (40, 18, 38), (20, 35, 20), (20, 36, 19), (10, 70, 10), (10, 71, 9)],
)
def test_b02_8_3_3_k_times_games_is_at_most_700(k: int, played: int, value: int) -> None:
    in_event = change("; ".join(["1 2000 - AUT"] * played), Person(rating=2000, k=k)).k
    in_month = change("1 2000 - AUT", Person(rating=2000, k=k), period=played).k
    assert (in_event.value, in_month.value, in_event.before) == (value, value, k)


# Unrated players.


def initial(lines: str, of: Event = EVENT) -> InitialRating:
    found = initial_rating(Person(), of, games(lines))
    assert found is not None
    return found


def test_b02_8_2_two_drawn_games_against_1800_are_added() -> None:
    found = initial(
        "1 1700 - AUT; = 1650 - AUT; 0 1900 - AUT; 1 1500 - AUT; = 1600 - AUT; 1 0 - AUT"
    )
    assert (found.halves, found.total, found.count, found.percent) == (6, 11950, 7, 57)
    assert (found.average, found.difference, found.rating) == (170714, 50, 1757)
    assert (found.reason, reasons(found)) == (None, {6: NotRated.UNRATED_OPPONENT})


@pytest.mark.parametrize(
    "lines, reason",
    [
        ("; ".join(["1 1700 - AUT"] * 4), NotPublished.FEW_GAMES),
        ("; ".join(["1 1700 - AUT"] * 5), None),
        ("; ".join(["0 1700 - AUT"] * 5), NotPublished.NO_POINTS),
        ("; ".join(["0 1700 - AUT"] * 5 + ["1 0 - AUT"]), NotPublished.NO_POINTS),
        ("; ".join(["= 1401 - AUT"] + ["0 1401 - AUT"] * 4), NotPublished.BELOW_FLOOR),
        ("1 0 - AUT", NotPublished.FEW_GAMES),
    ],
)
def test_b02_8_2_when_a_rating_is_published(lines: str, reason: NotPublished | None) -> None:
    assert initial(lines).reason is reason


@pytest.mark.parametrize(
    "opponents, rating, is_published", [(1461, 1400, True), (1460, 1399, False)]
)
def test_b02_7_1_4_the_floor_is_1400(opponents: int, rating: int, is_published: bool) -> None:
    """One point of five, and two draws, are 29 %: 158 less than the average."""
    found = initial("; ".join([f"1 {opponents} - AUT"] + [f"0 {opponents} - AUT"] * 4))
    assert (found.percent, found.difference, found.rating) == (29, -158, rating)
    assert (found.reason is None) is is_published


def test_b02_8_2_the_highest_initial_rating_is_2200() -> None:
    found = initial("; ".join(["1 2200 - AUT"] * 5))
    assert (found.percent, found.uncapped, found.rating) == (86, 2395, 2200)


# A second computation of a whole event, from the printed table with fractions.

PRINTED = """.51:10 .52:17 .53:25 .54:32 .55:39 .56:46 .57:53 .58:61 .59:68 .60:76 .61:83 .62:91
.63:98 .64:106 .65:113 .66:121 .67:129 .68:137 .69:145 .70:153 .71:162 .72:170 .73:179 .74:188
.75:197 .76:206 .77:215 .78:225 .79:235 .80:245 .81:256 .82:267 .83:278 .84:290 .85:302 .86:315
.87:328 .88:344 .89:357 .90:374 .91:391 .92:411 .93:432 .94:456 .95:484 .96:517 .97:559 .98:619
.99:735"""
ROWS = [(3, Fraction(1, 2))] + [
    (int(end), Fraction(int(chance[1:]), 100))
    for chance, _, end in (cell.partition(":") for cell in PRINTED.split())
]


def by_hand(own: Person, lines: Sequence[Game]) -> Fraction:
    """Return the change of *own* row by row, as one would with the printed table."""
    change = Fraction(0)
    assert own.rating is not None
    assert own.k is not None
    for line in lines:
        theirs = line.opponent.rating if line.opponent else None
        if line.kind is not Kind.PLAYED or not theirs:
            continue
        if max(own.rating, theirs) >= 2400:
            continue  # 90 minutes are too short for this pairing
        gap = min(abs(own.rating - theirs), 400)
        stronger = next((chance for end, chance in ROWS if gap <= end), Fraction(1))
        expected = stronger if own.rating >= theirs else 1 - stronger
        change += own.k * (Fraction(line.halves, 2) - expected)
    return change


def test_a_random_event_of_120_players_agrees_with_a_second_computation() -> None:
    chance = Random(20261128)
    people = [
        Person(
            rating=chance.choice([None, *[chance.randint(1400, 2550)] * 9]),
            k=chance.choice([10, 20, 40]),
            number=number,
        )
        for number in range(120)
    ]
    rounds: dict[int, list[Game]] = {number: [] for number in range(120)}
    for number in range(1, 10):
        order = chance.sample(people, len(people))
        for one, other in zip(order[::2], order[1::2], strict=True):
            halves = chance.choice([0, 1, 2])
            kind = chance.choice([*[Kind.PLAYED] * 9, Kind.FORFEIT_WIN, Kind.LESS_THAN_A_MOVE])
            rounds[one.number].append(Game(number, kind, halves, other))
            rounds[other.number].append(Game(number, kind, 2 - halves, one))
    of = event(seconds=5400)
    compared = 0
    for own in people:
        found = rating_change(own, of, rounds[own.number])
        assert (found is None) is (own.rating is None)
        if found is not None:
            assert Fraction(found.change, 100) == by_hand(own, rounds[own.number])
            compared += len(found.games)
    assert compared > 500


def test_b01_1_5_3_the_highest_rating_is_that_of_the_list_or_after_a_game() -> None:
    assert change("1 2000 - AUT; 0 2000 - AUT; 0 2000 - AUT").highest == (201_000, 1)
    assert change("0 2000 - AUT; 1 2000 - AUT; 1 2000 - AUT").highest == (201_000, 3)
    assert change("0 2000 - AUT; 1 2000 - AUT").highest == (200_000, 0)
    # The same rating again: the first time counts.
    assert change("1 2000 - AUT; 0 2000 - AUT; 1 2000 - AUT").highest == (201_000, 1)
