"""Undo of the last action, where no rule forbids it."""

from datetime import UTC, datetime, timedelta

import pytest

from pairing.rules.actions import Action
from pairing.rules.check_in import CheckIn
from pairing.rules.rounds import RoundFacts, RoundState
from pairing.rules.undo import OFFERED_FOR, OPPOSITE, can_be_undone, is_in_time, may_undo
from pairing.rules.verdict import ALLOWED, Refused

STATES = (
    RoundState.PLANNED,
    RoundState.DRAFT,
    RoundState.PAIRINGS_PUBLISHED,
    RoundState.RESULTS_PUBLISHED,
)


def answers(action, **more):
    given = {"check_in": CheckIn(), "own": True, "decides": False} | more
    verdicts = [may_undo(action, [RoundFacts(1, state)], 1, **given) for state in STATES]
    return ["yes" if verdict == ALLOWED else verdict.code for verdict in verdicts]


TABLE = {
    Action.ROUND_PAIRED_BY_HAND: [
        "round.not_paired",
        "yes",
        "round.already_published",
        "round.already_published",
    ],
    Action.ROUND_PAIRED: [
        "round.not_paired",
        "yes",
        "round.already_published",
        "round.already_published",
    ],
    Action.RESULT_RECORDED: [
        "result.round_not_published",
        "result.round_not_published",
        "yes",
        "result.closed",
    ],
    Action.ENTRY_WITHDRAWN: [
        "yes",
        "yes",
        "withdrawal.round_published",
        "withdrawal.round_published",
    ],
    Action.ENTRY_RETURNED: ["yes"] * 4,
    Action.BYE_REQUESTED: ["yes", "yes", "bye.round_published", "bye.round_published"],
    Action.BYE_CANCELLED: ["yes", "yes", "bye.round_published", "bye.round_published"],
    Action.CHECK_IN_ANSWERED: ["yes", "yes", "bye.round_published", "bye.round_published"],
    Action.CHECK_IN_SETTLED: ["yes", "yes", "bye.round_published", "bye.round_published"],
    Action.ENTRY_CHECKED_IN: ["yes"] * 4,
    Action.ENTRY_CHECKED_OUT: ["yes"] * 4,
    Action.ENTRIES_CHECKED_IN: ["yes"] * 4,
}


@pytest.mark.parametrize("action", [action for action in Action if action.row.reversed])
def test_c04_2_4_4_what_the_rules_protect_is_not_undone(action):
    assert answers(action) == TABLE[action]


def test_the_undo_itself_reverses_what_has_no_opposite_action():
    assert {action.value for action in Action if action.row.reversed} == {
        "round.paired", "round.paired_by_hand", "result.recorded", "entry.withdrawn", "entry.returned",
        "bye.requested", "bye.cancelled", "entry.checked_in", "entry.checked_out", "check_in.settled",
        "check_in.answered", "entries.checked_in",
    }  # fmt: skip
    assert not any(action.row.opposite for action in Action if action.row.reversed)


def test_the_other_actions_are_undone_by_an_ordinary_one():
    """It restores the values before; where an entry, a role or a place in a list began or ended,
    it is another one.
    """
    again = {
        "entry.updated", "entry.rating_changed", "desk_data.changed", "fee.set", "tournament.updated",
        "prohibited_pairs.set", "prizes.set", "round.scheduled", "round.arranged",
    }  # fmt: skip
    assert {done for done, undone_by in OPPOSITE.items() if done == undone_by} == again
    assert {done: undone_by for done, undone_by in OPPOSITE.items() if done not in again} == {
        "entry.added": "entry.removed",
        "entry.removed": "entry.added",
        "tournament.listed": "tournament.unlisted",
        "tournament.unlisted": "tournament.listed",
        "tournament.archived": "tournament.restored",
        "tournament.restored": "tournament.archived",
        "person.appointed": "person.removed",
    }
    assert all(can_be_undone(action) for action in OPPOSITE)


@pytest.mark.parametrize(
    "action", ["pairings.published", "results.published", "result.corrected", "action.undone", "x"]
)
def test_other_actions_are_corrected_and_not_undone(action):
    assert not can_be_undone(action)
    assert answers(action) == ["undo.not_this"] * 4


@pytest.mark.parametrize(
    "action", ["round.paired", "result.recorded", "bye.requested", "round.scheduled"]
)
def test_c04_1_1_an_action_on_a_round_that_is_no_longer_declared_is_not_undone(action):
    verdict = may_undo(
        action, [RoundFacts(1, RoundState.PLANNED)], 2, CheckIn(), own=True, decides=True
    )
    assert verdict == Refused("round.unknown", "C.04.1 1", {"round": 2, "total": 1})


def test_only_the_chief_arbiter_undoes_the_action_of_another_arbiter():
    given = {"own": False, "check_in": CheckIn()}
    verdicts = [
        may_undo("round.paired", [RoundFacts(1, RoundState.DRAFT)], 1, decides=each, **given)
        for each in (0, 1)
    ]
    assert verdicts == [Refused("undo.of_another"), ALLOWED]


def test_c04_2_4_1_presence_cannot_be_undone_while_the_check_in_is_closed():
    assert answers("entry.checked_in", check_in=CheckIn(1)) == ["check_in.closed"] * 4


def test_a_withdrawal_of_a_round_that_is_no_longer_played_is_not_undone():
    verdict = may_undo(
        "entry.withdrawn", [RoundFacts(1, STATES[0])], 2, CheckIn(), own=True, decides=False
    )
    assert verdict == Refused("round.unknown", "C.04.1 1", {"round": 2, "total": 1})
    played = may_undo(
        "round.paired", [RoundFacts(1, STATES[1])], 1, CheckIn(), own=True, decides=False
    )
    assert played == ALLOWED


@pytest.mark.parametrize("action", ["entry.added", "entry.removed"])
def test_c04_2_3_2_an_entry_is_undone_only_before_round_1_is_paired(action):
    assert answers(action)[0] == "yes"
    assert "yes" not in answers(action)[1:]


def test_only_what_changes_who_plays_puts_a_draft_out_of_date():
    found = {action.value for action in Action if action.row.who_plays}
    assert found == {
        "entry.withdrawn", "entry.returned", "bye.requested", "bye.cancelled", "check_in.settled", "check_in.answered",
    }  # fmt: skip


def test_the_newest_action_is_undone_at_any_time_and_others_for_ten_minutes():
    assert timedelta(minutes=10) == OFFERED_FOR
    done = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
    moment = timedelta(seconds=1)
    assert is_in_time(done, done + OFFERED_FOR, is_newest=False)
    assert not is_in_time(done, done + OFFERED_FOR + moment, is_newest=False)
    assert is_in_time(done, done + 100 * OFFERED_FOR, is_newest=True)
