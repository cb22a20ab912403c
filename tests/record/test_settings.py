"""The settings of a tournament, its lists and its end, in a record without a database."""

from __future__ import annotations

from typing import Any, Final

import pytest

from pairing.record.chain import Line
from pairing.record.defaults import PRIZES, SECTION
from pairing.record.replay import replay
from pairing.record.state import State
from tests.record.records import AT, EVENT, SETTINGS, UnsignedLine, entry, lines_of

NUMBERED: Final = EVENT[:6]


def state_after(*lines: UnsignedLine, hidden: bool = True) -> State:
    state, fault = replay(lines_of(lines, hidden=hidden))
    assert fault is None, fault
    return state


def fault(*lines: UnsignedLine, hidden: bool = True) -> str:
    found = replay(lines_of(lines, hidden=hidden))[1]
    return found.message if found else ""


# A tournament from a report file

PLAYED: Final[dict[str, Any]] = {
    "1": {
        "state": "results_published",
        "boards": {"1": [10, 30, "10"]},
        "byes": {"20": "U", "40": "Z"},
    },
    "2": {"state": "pairings_published", "boards": {"1": [20, 10, ""]}, "byes": {}},
}
FILE: Final[dict[str, Any]] = {
    "settings": {**SETTINGS, "total_rounds": 3},
    "entries": [{**entry(number), "tpn": number} for number in (1, 2, 3, 4)],
    "expelled_from": {"40": 2},
    "national_federations": {"10": "FRA"},
    "played": PLAYED,
    "byes": [{"entry": 30, "round": 3, "kind": "H"}],
    "prohibited_pairs": [[10, 20]],
    "adjustments": [{"entry": 10, "points": 5, "round": 1, "result": ""}],
}


def imported(**more: Any) -> UnsignedLine:
    return UnsignedLine("tournament.imported", {}, {**FILE, **more})


def test_a_tournament_from_a_file_begins_with_everything_in_it() -> None:
    state = state_after(imported())
    assert [(n, table.state) for n, table in state.rounds.items()] == [
        (1, "results_published"), (2, "pairings_published"), (3, "planned"),
    ]  # fmt: skip
    assert (state.rounds[1].boards[1].results, state.rounds[1].byes) == (["10"], {20: "U", 40: "Z"})
    assert (state.rounds[1].published_at, state.rounds[1].results_published_at) == (AT, AT)
    assert state.rounds[2].results_published_at is None
    assert (state.players[40]["withdrawn_from"], state.players[10]["national_federation"]) == (
        2,
        "FRA",
    )
    assert (state.byes, state.prohibited) == ({(30, 3): "H"}, [[10, 20]])
    assert state.adjustments == [(10, 5, 1, "")]
    assert fault(imported(), imported()) == "the tournament exists already."


@pytest.mark.parametrize(
    "round_1, wanted",
    [
        ({"boards": {"1": [10, 30, "11"]}}, "['11'] are no results."),
        ({"boards": {"1": [10, 30, "10", "10"]}}, "['10', '10'] are no results."),
        ({"boards": {"1": [10, 70, "10"]}}, "there is no entry 70."),
        ({"byes": {"10": "U"}}, "a player has two places in its round."),
        ({"byes": {"20": "X"}}, "it has an unknown bye."),
    ],
)
def test_a_forged_round_of_a_file_is_found(round_1: dict[str, Any], wanted: str) -> None:
    assert fault(imported(played={"1": {**PLAYED["1"], **round_1}})) == wanted


# Lists, and other computers

LISTED: Final = UnsignedLine("tournament.listed", {"listed": False}, {"listed": True})
AWAY: Final = {"handed_over_at": AT, "handed_over_to": "Lyon", "handed_over_address": ""}
HERE: Final = {"handed_over_at": None, "handed_over_to": "", "handed_over_address": ""}
GIVEN: Final = UnsignedLine("tournament.handed_over", HERE, AWAY)
BACK: Final = UnsignedLine("tournament.brought_back", AWAY, HERE)


def test_a_tournament_is_shown_and_hidden_in_turn() -> None:
    assert state_after(EVENT[0], LISTED).settings["listed"] is True
    assert fault(EVENT[0], LISTED, LISTED) == "before it, listed was “True” and not “False”."
    assert fault(EVENT[0], LISTED._replace(after={"listed": False})) == "listed does not change."
    assert fault(EVENT[0], LISTED._replace(after={"listed": "yes"})) == "there is no “listed”."
    assert (
        fault(EVENT[0], LISTED._replace(before={"name": ""}, after={"name": True}))
        == "there is no “name”."
    )


def test_after_a_hand_over_only_the_other_computer_or_bringing_it_back_goes_on() -> None:
    assert state_after(EVENT[0], GIVEN, BACK).settings["handed_over_at"] is None
    assert fault(EVENT[0], GIVEN, LISTED) == "the event was handed over."
    assert fault(EVENT[0], BACK) == "the event was not handed over."
    other = BACK._replace(action="tournament.taken_over", before={**AWAY, "handed_over_to": "Nice"})
    assert fault(EVENT[0], GIVEN, other) == "before it, the hand-over was “Lyon” and not “Nice”."
    assert fault(EVENT[0], GIVEN._replace(after=HERE)) == "a hand-over has no time."


# Settings


def test_c04_2_2_1_another_method_ranks_every_player_again() -> None:
    by_fide = UnsignedLine("tournament.created", {}, {**SETTINGS, "rating_method": "FIDE"})
    national = UnsignedLine(
        "entry.updated",
        {"entry": 10, "national_rating": None},
        {"entry": 10, "national_rating": 2222},
    )
    change = UnsignedLine("tournament.updated", {"rating_method": "FIDE"}, {"rating_method": "NRO"})
    state = state_after(by_fide, *EVENT[1:6], national, change)
    assert (state.players[10]["rating_source"], state.players[10]["rating"]) == ("national", 2222)


def rounds(before: int, after: int, *byes: tuple[int, int]) -> UnsignedLine:
    gone = [{"entry": entry, "round": number} for entry, number in byes]
    return UnsignedLine(
        "rounds.changed", {"total_rounds": before, "byes": gone}, {"total_rounds": after}
    )


def test_fewer_rounds_take_their_byes_and_their_check_in_along() -> None:
    bye = UnsignedLine("bye.requested", {"value": None}, {"entry": 10, "value": "H"}, 2)
    opened = UnsignedLine("check_in.opened", {}, {"for_round": 2})
    state = state_after(*EVENT, bye, opened, rounds(2, 1, (10, 2)), hidden=False)
    assert (list(state.rounds), state.byes, state.check_in) == ([1], {}, (None, False))
    kept = state_after(*EVENT, bye, opened, rounds(2, 3))
    assert (list(kept.rounds), kept.byes, kept.check_in) == ([1, 2, 3], {(10, 2): "H"}, (2, True))
    assert fault(*EVENT, bye, rounds(2, 1), hidden=False).startswith(
        "before it, the list of byes was"
    )
    assert fault(*EVENT, rounds(3, 1)) == "before it, the number of rounds was “2” and not “3”."
    assert fault(*EVENT, rounds(2, 0)) == "a published round is removed."
    updated = UnsignedLine("tournament.updated", {"total_rounds": 2}, {"total_rounds": 0})
    assert fault(*EVENT, updated) == "a published round is removed."


def test_times_are_announced_and_changed_from_what_they_were() -> None:
    at = {"starts_at": "2026-11-22T10:00:00+01:00", "results_due_at": None}
    set_ = UnsignedLine("round.scheduled", {"starts_at": None, "results_due_at": None}, at, 2)
    state = state_after(*NUMBERED, set_)
    assert (state.rounds[2].starts_at, state.rounds[2].results_due_at) == (
        "2026-11-22T09:00:00.000000+00:00",
        None,
    )
    assert fault(*NUMBERED, set_, set_).startswith("before it, starts_at was")


def test_a_tournament_becomes_a_section_of_an_event() -> None:
    a = {"event": "Open", "section": "A"}
    assert state_after(EVENT[0], UnsignedLine("section.set", {}, a)).section == {**SECTION, **a}
    assert fault(
        EVENT[0], UnsignedLine("section.set", {}, a), UnsignedLine("section.set", {}, a)
    ).startswith("before it, the section was")


# Lists about players


def test_c07_4_2_tied_players_are_ordered_from_the_order_before() -> None:
    ranked = UnsignedLine("equals.ranked", {"order": []}, {"order": [20, 10]})
    assert state_after(*NUMBERED, ranked).settings["order_of_equals"] == [20, 10]
    assert fault(*NUMBERED, ranked, ranked).startswith("before it, the order of tied players was")
    assert (
        fault(*NUMBERED, UnsignedLine("equals.ranked", {"order": []}, {"order": [70]}))
        == "there is no entry 70."
    )


def test_c04_2_1_5_prohibited_pairs_are_players_of_the_tournament() -> None:
    pairs = UnsignedLine("prohibited_pairs.set", {"pairs": []}, {"pairs": [[10, 20], [10, 30, 1]]})
    assert state_after(*NUMBERED, pairs).prohibited == [[10, 20], [10, 30, 1]]
    assert fault(*NUMBERED, pairs, pairs).startswith("before it, the list of prohibited pairs was")
    assert fault(*NUMBERED, pairs._replace(after={"pairs": [[10, 70]]})) == "there is no entry 70."


def test_prizes_change_from_what_they_were() -> None:
    first, second = {**PRIZES, "currency": "EUR", "categories": []}, {**PRIZES, "categories": []}
    assert state_after(EVENT[0], UnsignedLine("prizes.set", {}, first)).prizes == first
    assert (
        fault(
            EVENT[0],
            UnsignedLine("prizes.set", {}, first),
            UnsignedLine("prizes.set", first, second),
        )
        == ""
    )
    assert fault(
        EVENT[0], UnsignedLine("prizes.set", {}, first), UnsignedLine("prizes.set", second, first)
    ).startswith("before it")


POINTS: Final = UnsignedLine(
    "points.adjusted", {}, {"entry": 10, "name": "Abara", "points": -5}, 1, "the telephone rang"
)
POINTS_BACK: Final = UnsignedLine(
    "points.withdrawn", {"entry": 10, "name": "Abara", "points": -5}, {}, 1, "it did not"
)


def test_points_are_adjusted_in_published_rounds_and_the_adjustment_withdrawn() -> None:
    assert state_after(*EVENT, POINTS).adjustments == [(10, -5, 1, "")]
    assert state_after(*EVENT, POINTS, POINTS_BACK).adjustments == []
    assert fault(*EVENT, POINTS._replace(round_number=2)) == "its round is not published."
    named = POINTS._replace(after={**POINTS.after, "name": "Blomqvist"})
    assert fault(*EVENT, named) == "before it, the name was “Abara” and not “Blomqvist”."


# Withheld lines


def test_a_withheld_line_changes_nothing_and_leaves_a_gap() -> None:
    state, fault_ = replay([Line.withheld(sequence=1, key="", previous="", hash="", signature="")])
    assert (fault_, state.has_gaps, state.settings) == (None, True, {})


def test_standings_are_not_final_before_the_last_round_is_over() -> None:
    final = UnsignedLine(
        "standings.made_final", {}, {"final_at": AT, "share_rank": [], "draw_secret": ""}
    )
    assert fault(*EVENT, final) == "a round is not over."
