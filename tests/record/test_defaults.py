"""What an old line does not name is its default:
settings, players, desk, prizes, sections and corrections.
"""

from __future__ import annotations

from typing import Any

import pytest

from pairing.record import defaults
from pairing.record.replay import replay
from pairing.record.state import RoundTable, State
from tests.record.records import EVENT, UnsignedLine, lines_of


def state_after(*lines: UnsignedLine) -> State:
    state, fault = replay(lines_of(lines, hidden=False))
    assert fault is None, fault
    return state


def without(side: Any, name: str) -> dict[str, Any]:
    return {key: value for key, value in side.items() if key != name}


def test_a_setting_that_the_first_line_does_not_name_is_its_default() -> None:
    state = state_after(EVENT[0])
    assert state.settings == {
        **defaults.SETTINGS,
        **defaults.LATER_SETTINGS,
        **EVENT[0].after,
    }
    assert (state.settings["rate_of_play"], state.settings["max_byes"]) == ("standard", None)
    changed = UnsignedLine("tournament.updated", {"max_byes": None}, {"max_byes": 2})
    assert state_after(EVENT[0], changed).settings["max_byes"] == 2


@pytest.mark.parametrize(
    "name", sorted({**defaults.PLAYER}.keys() - {"tpn", "first_round", "name"})
)
def test_a_value_that_the_line_of_a_player_does_not_name_is_its_default(name: str) -> None:
    old = EVENT[1]._replace(after=without(EVENT[1].after, name))
    state = state_after(EVENT[0], old)
    assert state.players[10][name] == defaults.PLAYER[name]
    changed = UnsignedLine(
        "entry.updated", {"entry": 10, name: defaults.PLAYER[name]}, {"entry": 10, name: "new"}
    )
    assert state_after(EVENT[0], old, changed).players[10][name] == "new"
    assert state_after(EVENT[0], old, UnsignedLine("entry.removed", old.after)).players == {}
    forged = UnsignedLine(
        "entry.updated", {"entry": 10, name: "another"}, {"entry": 10, name: "new"}
    )
    found = replay(lines_of((EVENT[0], old, forged), hidden=False))[1]
    assert found is not None
    assert found.message.startswith(f"before it, {name} was ")


def test_no_first_line_begins_with_a_value_that_has_an_action_of_its_own() -> None:
    forged = [
        EVENT[0]._replace(
            after={**EVENT[0].after, "final_at": "2026-11-21", "expelled": [10], "listed": True}
        )
    ]
    forged += [EVENT[1]._replace(after={**EVENT[1].after, "withdrawn_from": 2, "answer": "skip"})]
    state = state_after(*forged)
    assert (state.settings["final_at"], state.settings["expelled"], state.settings["listed"]) == (
        None,
        [],
        False,
    )
    assert (state.players[10]["withdrawn_from"], state.players[10]["answer"]) == (None, "")


def test_desk_data_prizes_and_sections_have_defaults() -> None:
    desk = UnsignedLine("desk_data.changed", {"entry": 10, "name": "Abara", "phone": "", "fee_paid": 0},
                {"entry": 10, "name": "Abara", "phone": "1", "fee_paid": 5})  # fmt: skip
    prizes = {"categories": [{"name": "U12", "amounts": [100]}]}
    section = {"event": "Open", "label": "A"}
    state = state_after(
        *EVENT[:2],
        desk,
        UnsignedLine("prizes.set", {"categories": []}, prizes),
        UnsignedLine("prizes.set", prizes, {**prizes, "currency": "EUR"}),
        UnsignedLine("section.set", {}, section),
        UnsignedLine("section.set", section, {**section, "position": 20}),
    )
    assert state.desk[10] == {"phone": "1", "note": "", "fee_due": None, "fee_paid": 5}
    assert state.prizes == {
        **defaults.PRIZES, "currency": "EUR",
        "categories": [{**defaults.PRIZE_CATEGORY, "name": "U12", "amounts": [100], "things": []}],
    }  # fmt: skip
    assert state.section == {**defaults.SECTION, **section, "position": 20}


def test_only_values_that_are_not_the_default_are_kept_of_rounds_games_and_corrections() -> None:
    later = {"stream": "", "clock": 1}
    assert defaults.named_values(later, {}) == {}
    assert defaults.named_values(later, {"stream": "", "clock": 2, "board": 1}) == {"clock": 2}
    assert RoundTable().values == {}
