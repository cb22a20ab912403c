"""Conditions of the event, the players of each round, and time controls."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from pairing.ratings.attendance import Attendance, Attendant, large_swiss, swiss_exemption
from pairing.ratings.conditions import State
from pairing.ratings.editions import rating_edition
from pairing.ratings.event_conditions import event_conditions
from pairing.ratings.model import Event, Game, Kind, Person, Rate, System
from pairing.ratings.rated_games import (
    NotRated,
    is_always_too_short,
    rate_of,
    too_many_a_day,
    why_not_rated,
)
from pairing.ratings.time_controls import code_of_words, read_time_control

FULL = Event(
    rounds=9,
    start=date(2026, 9, 5),
    end=date(2026, 9, 13),
    seconds=7200,
    same_time=True,
    schedule=(1, 2, 1, 2, 1, 2),
    registered=date(2026, 8, 6),
    chief_arbiter_titles=frozenset({"IA"}),
    arbiters_playing=0,
    pairings_by_hand=0,
    confirmed=frozenset({"arbiter_in_hall"}),
)
LETTERS = {letter.value: letter for letter in Attendance}


def test_an_event_of_which_all_is_known_meets_every_condition() -> None:
    rows = event_conditions(FULL)
    assert {row.state for row in rows} == {State.MET}
    assert [row.article for row in rows] == [
        *("0.5", "1.1.1", "1.1.2", "1.1.3", "1.1.3", "1.1.3b", "1.1.5", "1.1.5", "1.1.6", "1.4.2d"),
        "1.4.2e",
    ]


def test_an_event_of_which_nothing_is_known_fails_nothing() -> None:
    rows = event_conditions(Event(rounds=9))
    assert {row.code: row.state for row in rows if row.state is not State.CONFIRM} == {
        "standard": State.MET,
        "system": State.MET,
    }


@pytest.mark.parametrize(
    "facts, code, state",
    [
        ({"registered": date(2026, 8, 7)}, "registered", State.FAILED),
        ({"schedule": (3,)}, "rounds_a_day", State.FAILED),
        ({"schedule": (3,)}, "hours", State.MET),
        ({"schedule": (2,), "seconds": 10_800}, "hours", State.MET),
        ({"schedule": (2,), "seconds": 10_801}, "hours", State.FAILED),
        ({"seconds": 7199}, "minutes", State.FAILED),
        ({"same_time": False}, "same_time", State.FAILED),
        ({"chief_arbiter_titles": frozenset({"NA"})}, "chief_arbiter", State.FAILED),
        ({"chief_arbiter_titles": frozenset({"FA", "NA"})}, "chief_arbiter", State.MET),
        ({"arbiters_playing": 1}, "arbiters_playing", State.FAILED),
        (
            {"arbiters_playing": 1, "confirmed": frozenset({"arbiters_playing"})},
            "arbiters_playing",
            State.FAILED,
        ),
        (
            {"arbiters_playing": None, "confirmed": frozenset({"arbiters_playing"})},
            "arbiters_playing",
            State.MET,
        ),
        ({"confirmed": frozenset()}, "arbiter_in_hall", State.CONFIRM),
        ({"pairings_by_hand": 1, "confirmed": frozenset({"by_hand"})}, "by_hand", State.MET),
        ({"system": System.OTHER, "confirmed": frozenset({"system"})}, "system", State.MET),
        ({"pairings_by_hand": 1}, "by_hand", State.CONFIRM),
        ({"system": System.OTHER}, "system", State.CONFIRM),
        ({"rate": Rate.BLITZ}, "standard", State.FAILED),
        ({"end": date(2026, 10, 5)}, "long", State.CONFIRM),
    ],
)
def test_b01_1_1_a_fact_decides_its_condition(
    facts: dict[str, object], code: str, state: State
) -> None:
    rows = event_conditions(replace(FULL, **facts))  # type: ignore[arg-type]
    assert {row.code: row.state for row in rows}[code] is state


def test_b01_1_1_4_thirty_days_are_not_long() -> None:
    rows = event_conditions(replace(FULL, end=date(2026, 10, 4)))
    assert "long" not in {row.code for row in rows}


# 1.4.3d


def attendants(
    count: int,
    title: str,
    rounds: str = "PPP",
    rating: int | None = 2000,
    flags: str = "SWE HUN CZE",
) -> list[Attendant]:
    federations = flags.split()
    return [
        Attendant(
            Person(
                rating=rating,
                titles=frozenset({title}),
                federation=federations[number % len(federations)],
            ),
            tuple(LETTERS[letter] for letter in rounds),
        )
        for number in range(count)
    ]


def counts(players: list[Attendant]) -> tuple[State, list[tuple[int, int, int]]]:
    found = swiss_exemption(players, "AUT")
    return found.state, [tuple(row) for row in found.rounds]


ENOUGH = [*attendants(10, "WIM"), *attendants(10, "FM")]


def test_b01_1_4_3d_twenty_of_three_federations_and_ten_with_a_title() -> None:
    assert counts(ENOUGH) == (State.MET, [(20, 3, 10)] * 3)


@pytest.mark.parametrize(
    "players, row",
    [
        ([*attendants(10, "WIM"), *attendants(9, "FM")], (19, 3, 10)),
        ([*attendants(9, "WIM"), *attendants(11, "WFM")], (20, 3, 9)),
        (attendants(20, "GM", flags="SWE HUN"), (20, 2, 20)),
        (attendants(30, "GM", flags="SWE HUN CZE AUT FID NON"), (15, 3, 15)),
        ([*attendants(19, "GM"), *attendants(5, "GM", rating=None)], (19, 3, 19)),
    ],
)
def test_b01_1_4_3d_one_too_few(players: list[Attendant], row: tuple[int, int, int]) -> None:
    assert counts(players) == (State.FAILED, [row] * 3)


@pytest.mark.parametrize(
    "rounds, state, last",
    [
        ("PPU", State.MET, 20),
        ("PPZ", State.FAILED, 19),
        ("UUU", State.MET, 20),
        ("ZPZ", State.FAILED, 19),
    ],
)
def test_b01_1_4_3d_a_missed_round(rounds: str, state: State, last: int) -> None:
    players = [*attendants(1, "GM", rounds), *ENOUGH[1:]]
    assert (counts(players)[0], counts(players)[1][2][0]) == (state, last)


def test_b01_1_4_3d_who_misses_two_rounds_counts_in_none() -> None:
    found = counts([*attendants(1, "GM", "PZZ"), *ENOUGH[1:]])
    assert found == (State.FAILED, [(19, 3, 9)] * 3)


def test_b01_1_4_3d_a_win_by_forfeit_that_decides_is_to_be_confirmed() -> None:
    """As a second missed round it excludes the player, who is needed in round 1."""
    players = [*attendants(1, "GM", "PWZ"), *attendants(1, "IM", "ZPP"), *ENOUGH[1:]]
    assert counts(players) == (State.CONFIRM, [(19, 3, 9), (20, 3, 10), (20, 3, 10)])


def test_b01_1_4_3d_an_unknown_host_is_to_be_confirmed() -> None:
    assert swiss_exemption(ENOUGH, "").state is State.CONFIRM
    assert swiss_exemption(ENOUGH[1:], "").state is State.FAILED


def test_b01_1_4_3d_no_player_at_all() -> None:
    assert counts(attendants(3, "GM", flags="AUT")) == (State.FAILED, [(0, 0, 0)] * 3)


@pytest.mark.parametrize(
    "players, state",
    [
        (attendants(40, ""), State.MET),
        (attendants(39, ""), State.FAILED),
        ([*attendants(39, ""), *attendants(1, "", rating=1999)], State.FAILED),
        ([*attendants(40, ""), *attendants(9, "", rating=1400)], State.MET),
        ([*attendants(39, ""), *attendants(1, "", rating=None)], State.MET),
        ([*attendants(39, ""), *attendants(1, "", "PPU")], State.MET),
        ([*attendants(39, ""), *attendants(1, "", "PPZ")], State.FAILED),
    ],
)
def test_b01_1_5_6a_forty_players_with_an_average_of_2000(
    players: list[Attendant], state: State
) -> None:
    assert large_swiss(players).state is state


# Time controls.


@pytest.mark.parametrize(
    "code, seconds",
    [
        ("5400+30", 7200),
        ("40/6000+30:900+30", 8700),
        ("40/6000:20/3000:900+30", 9900),
        ("7200", 7200),
        ("40/5400+30:1800", 8400),
        (" 180+2 ", 300),
    ],
)
def test_the_time_for_60_moves(code: str, seconds: int) -> None:
    found = read_time_control(code)
    assert found is not None
    assert (found.seconds, found.is_equal) == (seconds, True)


def test_unequal_times_and_texts_that_are_no_code() -> None:
    found = read_time_control("W300-B240")
    assert found is not None
    assert (found.seconds, found.is_equal) == (240, False)
    for text in ("", "90 min + 30 s", "W300", "40/", "5400+", "-"):
        assert read_time_control(text) is None


@pytest.mark.parametrize(
    "text, seconds",
    [
        ("90 min + 30 s", 7200),
        ("90+30", 7200),
        ("15' + 10\" per move", 1500),
        ("60 minutes + 30 secondes / coup", 5400),
        ("90 min for 40 moves + 30 min", None),
        ("5400+30", None),
        ("61 min", None),
    ],
)
def test_a_time_in_words(text: str, seconds: int | None) -> None:
    found = read_time_control(code_of_words(text))
    assert (found and found.seconds) == seconds


@pytest.mark.parametrize(
    "seconds, rate",
    [
        (3600, Rate.STANDARD),
        (3599, Rate.RAPID),
        (601, Rate.RAPID),
        (600, Rate.BLITZ),
        (181, Rate.BLITZ),
        (180, None),
    ],
)
def test_the_rate_of_play_of_a_time(seconds: int, rate: Rate | None) -> None:
    assert rate_of(seconds) is rate


# Before the event: pairings that are too short, and days that are too long.


@pytest.mark.parametrize(
    "rating, minutes, is_short",
    [
        (2400, 119, True),
        (2400, 120, False),
        (2399, 119, False),
        (2399, 90, False),
        (1800, 89, True),
        (1799, 89, False),
        (None, 60, False),
        (None, 59, True),
    ],
)
def test_b02_1_1_games_of_a_player_that_are_always_too_short(
    rating: int | None, minutes: int, is_short: bool
) -> None:
    event, player = replace(FULL, seconds=60 * minutes), Person(rating)
    assert is_always_too_short(event, player) is is_short
    # The pairing decides by the higher rating of the two, on both sides of the board.
    weaker = Person(min(1500, rating or 1500))
    game = Game(1, Kind.PLAYED, 1, weaker)
    if rating:
        edition = rating_edition(Rate.STANDARD, event.start)
        reason = why_not_rated(player, event, game, edition)
        assert (reason is NotRated.TOO_SHORT) is is_short
    assert not is_always_too_short(replace(event, is_approved=True), player)
    assert not is_always_too_short(replace(event, seconds=None), player)


def test_b02r_1_another_rate_of_play_is_short_for_everybody() -> None:
    rapid = replace(FULL, rate=Rate.RAPID, seconds=601)
    assert not is_always_too_short(rapid, Person(2700))
    assert is_always_too_short(replace(rapid, seconds=600), Person())
    assert is_always_too_short(replace(rapid, seconds=3600), Person(1500))


@pytest.mark.parametrize(
    "facts, answer",
    [
        ({"schedule": (3,), "seconds": 7200}, False),
        ({"schedule": (1, 3), "seconds": 7201}, True),
        ({"schedule": (3,), "seconds": None}, None),
        ({"schedule": (), "seconds": 7200}, None),
        ({"schedule": (15,), "rate": Rate.RAPID}, False),
        ({"schedule": (16,), "rate": Rate.RAPID}, True),
        ({"schedule": (30,), "rate": Rate.BLITZ}, False),
        ({"schedule": (31,), "rate": Rate.BLITZ}, True),
    ],
)
def test_b02_3_rounds_and_hours_of_a_day(facts: dict[str, object], answer: bool | None) -> None:
    assert too_many_a_day(replace(FULL, **facts)) is answer  # type: ignore[arg-type]
