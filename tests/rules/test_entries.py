"""Late entries, withdrawals and requested byes [C.04.2/2026 2.4, 3.2, 3.3],
and settings declared in advance.
"""

import pytest

from pairing.rules.check_in import CheckIn
from pairing.rules.entries import (
    ByeRules,
    ByeWarning,
    bye_warnings,
    may_ask_for_points,
    may_change_bye,
    may_change_first_round,
    may_enter,
    may_expel,
    may_remove,
    may_return,
    may_withdraw,
)
from pairing.rules.regulations import FIXED_AT_THE_START, may_change_fields, may_set_initial_colour
from pairing.rules.rounds import RoundFacts, RoundState
from pairing.rules.undo import may_undo
from pairing.rules.verdict import ALLOWED, Refused, first_refusal

# Round 1 has been played, round 2 is published, round 3 is a draft, round 4 is planned.
UNDER_WAY = [
    RoundFacts(1, RoundState.RESULTS_PUBLISHED),
    RoundFacts(2, RoundState.PAIRINGS_PUBLISHED),
    RoundFacts(3, RoundState.DRAFT),
    RoundFacts(4, RoundState.PLANNED),
]
NOT_BEGUN = [RoundFacts(1, RoundState.PLANNED), RoundFacts(2, RoundState.PLANNED)]
OVER = [RoundFacts(1, RoundState.RESULTS_PUBLISHED), RoundFacts(2, RoundState.PAIRINGS_PUBLISHED)]


def no_such_round(number, total):
    return Refused("round.unknown", "C.04.1 1", {"round": number, "total": total})


@pytest.mark.parametrize(
    "first_round, expected",
    [
        (None, ALLOWED),
        (2, Refused("entry.round_published", "C.04.2 2.4", {"round": 2})),
        (3, ALLOWED),
        (4, ALLOWED),
        (5, no_such_round(5, 4)),
        (0, no_such_round(0, 4)),
    ],
)
def test_c04_2_2_4_a_late_entry_is_paired_from_a_later_round(first_round, expected):
    assert may_enter(UNDER_WAY, first_round) == expected


def test_c04_2_2_4_nobody_enters_when_the_last_round_is_published():
    assert may_enter(UNDER_WAY, None, list_closed=True) == Refused(
        "entry.list_closed", "C.04.2 2.5"
    )
    assert may_enter(OVER, None) == Refused("entry.too_late", "C.04.2 2.4")


@pytest.mark.parametrize(
    "state, expected",
    [
        (RoundState.DRAFT, ALLOWED),
        (RoundState.PAIRINGS_PUBLISHED, ALLOWED),
        (RoundState.RESULTS_PUBLISHED, Refused("entry.too_late", "C.04.2 2.4")),
    ],
)
def test_c04_2_4_4_4_a_player_enters_while_the_last_round_is_played(state, expected):
    rounds = [RoundFacts(1, RoundState.RESULTS_PUBLISHED), RoundFacts(2, state)]
    assert may_enter(rounds, None, may_be_admitted=True) == expected
    closed = may_enter(rounds, None, may_be_admitted=True, list_closed=True)
    assert closed == (
        Refused("entry.list_closed", "C.04.2 2.5") if expected is ALLOWED else expected
    )
    assert isinstance(may_enter(rounds, 3, may_be_admitted=True), Refused)


def test_c04_2_3_2_a_player_who_has_begun_withdraws_and_is_not_removed():
    assert (may_remove(NOT_BEGUN), may_remove(UNDER_WAY)) == (
        ALLOWED,
        Refused("entry.event_begun", "C.04.2 3.2"),
    )
    assert may_remove(NOT_BEGUN, ever_paired=True) == ALLOWED
    refused = Refused("entry.chief_arbiter_removes", "C.04.2 3.2")
    assert may_remove(NOT_BEGUN, ever_paired=True, decides=False) == refused


@pytest.mark.parametrize(
    "from_round, expected",
    [
        (2, Refused("withdrawal.round_published", "C.04.2 4.4", {"round": 2})),
        (3, ALLOWED),
        (4, ALLOWED),
        (5, no_such_round(5, 4)),
    ],
)
def test_c04_2_3_2_a_withdrawal_does_not_touch_published_pairings(from_round, expected):
    assert may_withdraw(UNDER_WAY, from_round) == expected


@pytest.mark.parametrize(
    "state, expected",
    [
        (RoundState.PLANNED, no_such_round(3, 2)),
        (RoundState.DRAFT, no_such_round(3, 2)),
        (RoundState.PAIRINGS_PUBLISHED, ALLOWED),
        (RoundState.RESULTS_PUBLISHED, Refused("withdrawal.over", "C.04.2 3.2")),
    ],
)
def test_c04_2_3_2_a_player_may_leave_during_the_last_round(state, expected):
    rounds = [RoundFacts(1, RoundState.RESULTS_PUBLISHED), RoundFacts(2, state)]
    assert may_withdraw(rounds, 3) == expected
    assert isinstance(may_withdraw(rounds, 4), Refused)
    undone = may_undo("entry.withdrawn", rounds, 3, CheckIn(), own=True, decides=False)
    assert (undone == ALLOWED) == (expected == ALLOWED)


@pytest.mark.parametrize(
    "gone_from, refused", [(1, True), (2, True), (3, False), (4, False), (None, False)]
)
def test_c04_2_3_2_a_later_withdrawal_does_not_bring_a_player_back(gone_from, refused):
    verdict = may_withdraw(UNDER_WAY, 4, gone_from=gone_from)
    expected = (
        Refused("withdrawal.later", "C.04.2 3.2", {"round": gone_from}) if refused else ALLOWED
    )
    assert verdict == expected


@pytest.mark.parametrize(
    "present, refused", [(1, True), (2, True), (3, False), (4, False), (9, False)]
)
def test_c04_2_2_4_a_player_who_takes_part_cannot_become_a_late_entry(present, refused):
    expected = Refused("entry.takes_part", "C.04.2 2.4", {"round": present}) if refused else ALLOWED
    assert may_change_first_round(UNDER_WAY, present) == expected


@pytest.mark.parametrize(
    "last, first_round, refused",
    [(3, 3, False), (3, 4, True), (2, None, True), (3, None, False), (None, 4, False)],
)
def test_c04_2_2017_c_2_a_late_entry_joins_in_the_third_round_at_the_latest(
    last, first_round, refused
):
    """Round 3 is the next round."""
    verdict = may_enter(UNDER_WAY, first_round, last_late_round=last)
    assert verdict == (
        Refused("entry.too_late_in_edition", "C.04.2 2.4", {"round": last}) if refused else ALLOWED
    )


def test_c04_2_3_2_only_a_withdrawn_player_returns():
    assert (may_return(withdrawn=True), may_return(withdrawn=False)) == (
        ALLOWED,
        Refused("entry.not_withdrawn"),
    )


@pytest.mark.parametrize(
    "number, expected",
    [
        (1, Refused("bye.round_published", "C.04.2 3.3", {"round": 1})),
        (2, Refused("bye.round_published", "C.04.2 3.3", {"round": 2})),
        (3, ALLOWED),
        (4, ALLOWED),
        (9, no_such_round(9, 4)),
    ],
)
def test_c04_2_3_3_a_bye_is_requested_in_advance(number, expected):
    assert may_change_bye(UNDER_WAY, number) == expected


def test_c04_1_1_declared_settings_are_fixed():
    verdicts = {name: may_change_fields(UNDER_WAY, ["city", name]) for name in FIXED_AT_THE_START}
    assert verdicts == {
        name: Refused("tournament.begun", article, {"field": name})
        for name, article in FIXED_AT_THE_START.items()
    }
    assert may_change_fields(UNDER_WAY, ["city", "name"]) == ALLOWED
    assert may_change_fields(NOT_BEGUN, list(FIXED_AT_THE_START)) == ALLOWED
    assert may_change_fields(NOT_BEGUN, list(FIXED_AT_THE_START), ever_paired=True) == ALLOWED
    for name, article in FIXED_AT_THE_START.items():
        refused = Refused("tournament.chief_arbiter_changes", article, {"field": name})
        assert (
            may_change_fields(NOT_BEGUN, ["city", name], ever_paired=True, decides=False) == refused
        )
    assert may_change_fields(NOT_BEGUN, ["city"], ever_paired=True, decides=False) == ALLOWED


def test_c04_3_5_1_the_initial_colour_is_drawn_before_the_first_pairing():
    assert (may_set_initial_colour(NOT_BEGUN), may_set_initial_colour(UNDER_WAY)) == (
        ALLOWED,
        Refused("colour.event_begun", "C.04.3 5.1"),
    )


def test_the_first_refusal_is_returned():
    first, second = Refused("a"), Refused("b")
    assert (first_refusal(), first_refusal(ALLOWED, first, second)) == (ALLOWED, first)


@pytest.mark.parametrize(
    "most, last, number, others, expected",
    [
        (None, None, 9, 8, ALLOWED),
        (2, None, 3, 1, ALLOWED),
        (2, None, 3, 2, Refused("bye.too_many", "C.04.2 3.3", {"limit": 2})),
        (0, None, 3, 0, Refused("bye.too_many", "C.04.2 3.3", {"limit": 0})),
        (None, 4, 4, 0, ALLOWED),
        (None, 4, 5, 0, Refused("bye.too_late", "C.04.2 3.3", {"last": 4})),
    ],
)
def test_c04_2_3_3_byes_with_points_have_the_limits_of_the_regulations(
    most, last, number, others, expected
):
    assert may_ask_for_points(ByeRules(most, last), number, others=others) == expected


def test_c04_2_3_2_a_player_is_expelled_once_and_not_while_the_entry_can_be_removed():
    assert may_expel(expelled=False, removable=False) == ALLOWED
    for removable in (False, True):
        assert may_expel(expelled=True, removable=removable) == Refused(
            "expulsion.done", "C.04.2 3.2"
        )
    assert may_expel(expelled=False, removable=True) == Refused("expulsion.not_begun", "C.04.2 3.2")


def test_c04_2_3_3_limits_of_byes_with_points():
    assert may_ask_for_points(ByeRules(), 9, others=9) == ALLOWED
    assert may_ask_for_points(ByeRules(), 1, others=0, entitled=False) == Refused(
        "bye.not_entitled", "C.04.2 3.3"
    )
    last = ByeRules(last_round=3)
    assert may_ask_for_points(last, 3, others=0) == ALLOWED
    assert may_ask_for_points(last, 4, others=0) == Refused(
        "bye.too_late", "C.04.2 3.3", {"last": 3}
    )
    most = ByeRules(most=1)
    assert may_ask_for_points(most, 1, others=0) == ALLOWED
    assert may_ask_for_points(most, 1, others=1) == Refused(
        "bye.too_many", "C.04.2 3.3", {"limit": 1}
    )


def test_c04_2_3_3_a_bye_in_advance_is_asked_for_before_the_previous_round_is_published():
    refused = {
        number: Refused("bye.not_in_advance", "C.04.2 3.3", {"round": number - 1})
        for number in (2, 3)
    }
    for number in (1, 2, 3, 4):
        for rules, expected in (
            (ByeRules(), ALLOWED),
            (ByeRules(in_advance=True), refused.get(number, ALLOWED)),
        ):
            assert may_ask_for_points(rules, number, others=0, rounds=UNDER_WAY) == expected
    for number in (1, 2):
        assert (
            may_ask_for_points(ByeRules(in_advance=True), number, others=0, rounds=NOT_BEGUN)
            == ALLOWED
        )


def test_c04_1_4_a_second_bye_with_points_and_a_full_point_are_confirmed():
    second, full = ByeWarning.SECOND, ByeWarning.FULL_POINT
    found = {
        (kind, others): bye_warnings(kind, others=others) for kind in "HFZ" for others in (0, 1)
    }
    assert found == {
        ("H", 0): (), ("H", 1): (second,), ("F", 0): (full,), ("F", 1): (second, full), ("Z", 0): (), ("Z", 1): (),
    }  # fmt: skip


def test_c04_2_3_2_expelled_is_for_good_and_a_withdrawal_may_be_brought_forward():
    assert may_withdraw(UNDER_WAY, 4, expelled=True) == Refused("expulsion.done", "C.04.2 3.2")
    assert (
        may_withdraw(UNDER_WAY, 3, gone_from=4)
        == may_withdraw(UNDER_WAY, 4, gone_from=4)
        == ALLOWED
    )
    later = Refused("withdrawal.later", "C.04.2 3.2", {"round": 2})
    assert may_withdraw(UNDER_WAY, 3, gone_from=2) == later
    published = Refused("withdrawal.round_published", "C.04.2 4.4", {"round": 2})
    assert may_withdraw(UNDER_WAY, 2, gone_from=2) == published


def test_c04_2_2_4_a_player_of_the_last_round_takes_part_once_it_is_published():
    assert may_change_first_round(OVER, 2) == Refused(
        "entry.takes_part", "C.04.2 2.4", {"round": 2}
    )
    assert may_change_first_round(OVER, 3) == ALLOWED


def test_c04_2_3_2_a_deputy_removes_an_entry_while_there_was_no_draft():
    assert may_remove(NOT_BEGUN, decides=False) == ALLOWED
