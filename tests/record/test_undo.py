"""Undone actions in a record without a database: the state before comes back."""

from __future__ import annotations

from typing import Any, Final

import pytest

from pairing.record.replay import replay
from pairing.record.state import State
from tests.record.records import AT, EVENT, ROUND, UnsignedLine, lines_of

NUMBERED: Final = EVENT[:6]
DRAFTED: Final = EVENT[:7]
ABARA: Final = {"entry": 10, "tpn": 1, "name": "Abara"}


def state_after(*lines: UnsignedLine, hidden: bool = True) -> State:
    state, fault = replay(lines_of(lines, hidden=hidden))
    assert fault is None, fault
    return state


def fault(*lines: UnsignedLine) -> str:
    found = replay(lines_of(lines))[1]
    return found.message if found else ""


def with_undo(*lines: UnsignedLine, **more: Any) -> tuple[UnsignedLine, ...]:
    """Return the actions *lines* and the undo of the last one;
    *more* is what only the undo says.
    """
    last, number = lines[-1], len(lines)
    after = {**last.before, "undone": number, "action": last.action, **more}
    return (*lines, UnsignedLine("action.undone", last.after, after, last.round_number))


def withdrawal(before: int | None, after: int | None, *, expelled: bool = False) -> UnsignedLine:
    action = "entry.withdrawn" if after else "entry.returned"
    lines = UnsignedLine(action, {"value": before}, {**ABARA, "value": after})
    return lines._replace(before={**lines.before, "expelled": True}) if expelled else lines


EXPELLED: Final = UnsignedLine("entry.expelled", {"value": None}, {**ABARA, "value": 2})


def test_a_withdrawal_and_a_return_are_undone() -> None:
    assert (
        state_after(*with_undo(*EVENT, withdrawal(None, 2))).players[10]["withdrawn_from"] is None
    )
    state = state_after(*with_undo(*EVENT, withdrawal(None, 2), withdrawal(2, None)))
    assert (state.players[10]["withdrawn_from"], state.settings["expelled"]) == (2, [])
    state = state_after(*with_undo(*EVENT, EXPELLED, withdrawal(2, None, expelled=True)))
    assert (state.players[10]["withdrawn_from"], state.settings["expelled"]) == (2, [10])


def bye(number: int, before: str | None, after: str | None) -> UnsignedLine:
    action = "bye.requested" if after else "bye.cancelled"
    return UnsignedLine(action, {"value": before}, {"entry": 10, "value": after}, number)


def test_a_bye_and_its_cancellation_are_undone() -> None:
    assert state_after(*with_undo(*EVENT, bye(2, None, "H"))).byes == {}
    assert state_after(*with_undo(*EVENT, bye(2, None, "H"), bye(2, "H", None))).byes == {
        (10, 2): "H"
    }


def test_c04_2_4_4_a_bye_in_a_published_round_stays() -> None:
    requested = bye(1, None, "H")
    paired = ROUND._replace(
        after={**ROUND.after, "pairs": [[3, 4]], "boards": [[30, 40]], "not_paired": [1, 2]}
    )
    undone = UnsignedLine(
        "action.undone",
        requested.after,
        {**requested.before, "undone": 7, "action": requested.action},
        1,
    )
    assert fault(*NUMBERED, requested, paired, EVENT[7], undone) == "its round is published."


@pytest.mark.parametrize("there", [True, False])
def test_a_mark_of_the_check_in_is_undone_with_the_answer_before(there: bool) -> None:
    answered = UnsignedLine(
        "check_in.answered",
        {"players": [{**ABARA, "answer": ""}]},
        {"for_round": 1, "players": [{**ABARA, "answer": "coming"}]},
    )
    arrived = UnsignedLine(
        "entry.checked_in", {"value": False, "answer": "coming"}, {"entry": 10, "value": True}
    )
    left = UnsignedLine("entry.checked_out", {"value": True}, {"entry": 10, "value": False})
    found = (
        with_undo(*NUMBERED, answered, arrived)
        if there
        else with_undo(*NUMBERED, answered, arrived, left)
    )
    player = state_after(*found).players[10]
    assert (player["checked_in"], player["answer"]) == ((False, "coming") if there else (True, ""))
    assert state_after(*with_undo(*NUMBERED, answered)).players[10]["answer"] == ""


def test_a_check_in_of_several_players_is_undone() -> None:
    arrived = UnsignedLine("entries.checked_in", {}, {"for_round": 1, "players": [ABARA]})
    assert state_after(*NUMBERED, arrived).players[10]["checked_in"] is True
    assert state_after(*with_undo(*NUMBERED, arrived)).players[10]["checked_in"] is False


@pytest.mark.parametrize("consequence", ["paired", "excluded", "H"])
def test_a_decision_about_missing_players_is_undone(consequence: str) -> None:
    missing = [{"entry": 10, "name": "Abara"}]
    settled = UnsignedLine(
        "check_in.settled",
        {"withdrawn_from": {"10": 2}},
        {"for_round": 1, "consequence": consequence, "missing": missing},
    )
    state = state_after(*with_undo(*NUMBERED, withdrawal(None, 2), settled), hidden=False)
    player = state.players[10]
    assert (player["checked_in"], player["withdrawn_from"], state.byes) == (False, 2, {})


VIEWS: Final = [{"person": 2, "at": "2026-11-21T09:05:00+00:00"}]


def test_a_draft_is_undone_and_the_people_who_opened_it_are_kept() -> None:
    state = state_after(*with_undo(*DRAFTED, views=VIEWS), hidden=False)
    assert (state.rounds[1].state, state.rounds[1].boards) == ("planned", {})
    assert state.views == {(1, AT): {2: "2026-11-21T09:05:00.000000+00:00"}}


def test_an_action_with_an_opposite_one_is_undone_by_it_with_its_checks() -> None:
    changed = UnsignedLine(
        "entry.updated", {"entry": 10, "club": ""}, {"entry": 10, "club": "Lyon"}
    )
    assert state_after(*with_undo(*NUMBERED, changed)).players[10]["club"] == ""
    other = UnsignedLine(
        "entry.updated", {"entry": 10, "club": "Lyon"}, {"entry": 10, "club": "Nice"}
    )
    undone = UnsignedLine(
        "action.undone", changed.after, {**changed.before, "undone": 7, "action": "entry.updated"}
    )
    assert fault(*NUMBERED, changed, other, undone) == (
        "line #7 can no longer be undone: line #8 is about the same thing."
    )
