"""Players, byes, absences and check-ins in a record without a database."""

from __future__ import annotations

from typing import Any, Final

import pytest

from pairing.record.replay import replay
from pairing.record.state import State
from tests.record.records import AT, EVENT, ROUND, SETTINGS, UnsignedLine, entry, lines_of

NUMBERED: Final = EVENT[:6]
DRAFTED: Final = EVENT[:7]
ERIKSEN: Final = {**entry(1), "entry": 50, "name": "Eriksen", "tpn": 2}
WITH_ERIKSEN: Final = UnsignedLine("entry.added", {}, ERIKSEN)
PAIRS: Final = UnsignedLine(
    "prohibited_pairs.set", {"pairs": []}, {"pairs": [[10, 50], [10, 20, 2]]}
)
NO_DATA: Final = {"phone": "", "note": "", "fee_due": None, "fee_paid": 0}
PHONE: Final = {"entry": 50, "name": "Eriksen", **NO_DATA, "phone": "0612"}
DESK: Final = UnsignedLine("desk_data.changed", {"entry": 50, **NO_DATA}, PHONE)


def state_after(*lines: UnsignedLine, hidden: bool = True) -> State:
    state, fault = replay(lines_of(lines, hidden=hidden))
    assert fault is None, fault
    return state


def fault(*lines: UnsignedLine, hidden: bool = True) -> str:
    found = replay(lines_of(lines, hidden=hidden))[1]
    return found.message if found else ""


def bye(number: int, value: str | None, before: str | None = None, who: int = 10) -> UnsignedLine:
    action = "bye.requested" if value else "bye.cancelled"
    return UnsignedLine(action, {"value": before}, {"entry": who, "value": value}, number)


def gone(
    action: str, before: int | None, value: int | None, number: int | None = None, **more: Any
) -> UnsignedLine:
    return UnsignedLine(
        action,
        {"value": before, **more},
        {"entry": 10, "tpn": 1, "name": "Abara", "value": value},
        number,
    )


# Entries


def test_a_player_between_others_moves_their_numbers_and_takes_everything_along() -> None:
    before = (*NUMBERED, WITH_ERIKSEN, PAIRS, DESK, bye(2, "H", who=50))
    state = state_after(*before)
    assert [values["tpn"] for values in state.players.values()] == [1, 3, 4, 5, 2]
    assert (set(state.desk), state.byes) == ({50}, {(50, 2): "H"})
    removed = UnsignedLine("entry.removed", {"entry": 50, "name": "Eriksen", "tpn": 2}, {})
    state = state_after(*before, removed)
    assert [values["tpn"] for values in state.players.values()] == [1, 2, 3, 4]
    assert (state.desk, state.byes, state.prohibited) == ({}, {}, [[10, 20, 2]])
    other = removed._replace(before={**removed.before, "tpn": 3})
    assert fault(*before, other).startswith("before it, entry 50 was")


def test_the_players_of_a_file_enter_by_their_numbers() -> None:
    players = [{**ERIKSEN, "entry": 60, "name": "Fischer", "tpn": 3}, ERIKSEN]
    imported = UnsignedLine("entries.imported", {}, {"entries": players})
    state = state_after(*NUMBERED, imported)
    assert [(entry, values["tpn"]) for entry, values in state.players.items()] == [
        (10, 1), (20, 4), (30, 5), (40, 6), (50, 2), (60, 3),
    ]  # fmt: skip
    assert fault(*NUMBERED, imported, imported) == "entry 50 exists already."


def test_c04_2_2_4_a_late_entry_gets_the_bye_of_the_missed_rounds() -> None:
    created = UnsignedLine("tournament.created", {}, {**SETTINGS, "late_entry_bye": "H"})
    late = UnsignedLine("entry.added", {}, {**ERIKSEN, "tpn": 5, "first_round": 2})
    assert state_after(created, *EVENT[1:], late).rounds[1].byes == {50: "H"}
    assert state_after(*EVENT, late).rounds[1].byes == {}
    drafted = state_after(
        *EVENT[:6], late, ROUND._replace(after={**ROUND.after, "not_paired": [5]})
    )
    assert drafted.rounds[1].byes == {50: "Z"}


def test_c04_2_3_6_a_fixed_table_counts_in_a_draft() -> None:
    fixed = UnsignedLine(
        "entry.updated", {"entry": 10, "fixed_table": None}, {"entry": 10, "fixed_table": 7}
    )
    assert state_after(*DRAFTED, fixed).rounds[1].tables == {1: 7, 2: 1}
    assert state_after(*EVENT[:8], fixed).rounds[1].tables == {}


def test_a_player_who_is_marked_as_present_needs_no_answer_any_more() -> None:
    there = UnsignedLine(
        "entry.updated", {"entry": 10, "checked_in": False}, {"entry": 10, "checked_in": True}
    )
    assert state_after(*NUMBERED, answer("skip"), there, hidden=False).players[10]["answer"] == ""


def test_everybody_has_one_number() -> None:
    numbered = EVENT[5]
    without = {"tpn": {"10": 1, "20": 2, "30": 3}, "names": numbered.after["names"]}
    assert (
        fault(*EVENT[:5], numbered._replace(after=without))
        == "it does not number every player once."
    )


# Withdrawals and absences


def test_c04_2_3_2_an_expulsion_and_a_return() -> None:
    expelled = gone("entry.expelled", None, 2)
    back = gone("entry.returned", 2, None, expelled=True)
    assert state_after(*EVENT, expelled).settings["expelled"] == [10]
    state = state_after(*EVENT, expelled, back)
    assert (state.settings["expelled"], state.players[10]["withdrawn_from"]) == ([], None)
    assert (
        fault(*EVENT, expelled, gone("entry.expelled", 2, 2)) == "the player was expelled before."
    )
    message = "it says wrongly whether the player was expelled."
    assert fault(*EVENT, expelled, gone("entry.returned", 2, None)) == message
    assert fault(*EVENT, gone("entry.withdrawn", None, 2), back) == message


BY_RULE: Final = gone("absence.withdrawn", None, 2, 1)
EXPLAINED: Final = UnsignedLine(
    "absence.explained", {}, {"entry": 10, "name": "Abara", "explanation": "the train"}, 1
)


def test_c04_2_3_3_an_explanation_ends_a_withdrawal_by_the_rules_and_no_other() -> None:
    assert state_after(*EVENT, BY_RULE).players[10]["withdrawn_from"] == 2
    assert state_after(*EVENT, BY_RULE, EXPLAINED).players[10]["withdrawn_from"] is None
    returned, again = gone("entry.returned", 2, None), gone("entry.withdrawn", None, 1)
    assert (
        state_after(*EVENT, BY_RULE, returned, again, EXPLAINED).players[10]["withdrawn_from"] == 1
    )
    assert (
        state_after(*EVENT, gone("entry.withdrawn", None, 2), EXPLAINED).players[10][
            "withdrawn_from"
        ]
        == 2
    )
    lifted = gone("absence.lifted", 2, None, 1)
    state = state_after(*EVENT, BY_RULE, lifted, gone("entry.withdrawn", None, 2), EXPLAINED)
    assert (state.by_rule, state.players[10]["withdrawn_from"]) == ({}, 2)


# Personal data


def deleted(who: int | None, *fide_ids: int) -> UnsignedLine:
    return UnsignedLine("data.deleted", {}, {"entry": who, "days": None, "fide_ids": [*fide_ids]})


CORRECTED: Final = UnsignedLine(
    "result.corrected",
    {"board": 1, "result": "10"},
    {
        "board": 1,
        "result": "==",
        "effect": "rating_only",
        "waiting": False,
        "reported": AT,
        "entered": AT,
    },
    1,
    "both say so",
)


def test_deleted_data_are_gone_of_one_player_or_of_all() -> None:
    before = (
        *EVENT,
        CORRECTED,
        WITH_ERIKSEN._replace(after={**ERIKSEN, "tpn": 5, "fide_id": 7, "first_round": 2}),
        DESK,
    )
    state = state_after(*before, deleted(50, 50), hidden=False)
    assert (state.players[50]["birth_date"], state.players[50]["fide_id"], state.desk) == (
        "",
        None,
        {},
    )
    assert state.players[10]["birth_date"] == "1987/06/05"
    assert state.corrections[0].reason == "both say so"
    state = state_after(*before, deleted(None), hidden=False)
    assert {values["birth_date"] for values in state.players.values()} == {""}
    assert (state.players[50]["fide_id"], state.desk, state.corrections[0].reason) == (7, {}, "")
    assert (
        state_after(*before, deleted(50)).corrections[0].reason == ""
    )  # as deleted: only its hash is known
    removed = UnsignedLine("entry.removed", {"entry": 50, "name": "Eriksen"}, {})
    assert fault(*before, removed, deleted(50)) == ""
    assert fault(*before, removed, deleted(50, 50)) == "there is no entry 50."


# Byes


def test_c04_2_3_3_a_bye_is_cancelled_and_changed_from_what_it_was() -> None:
    assert state_after(*EVENT, bye(2, "H"), bye(2, None, "H")).byes == {}
    assert state_after(*EVENT, bye(2, "H"), bye(2, "Z", "H")).byes == {(10, 2): "Z"}
    assert fault(*EVENT, bye(2, None, "H")).startswith("before it, the requested bye was nothing")


# The check-in


def ticked(there: bool, who: int = 10, **more: Any) -> UnsignedLine:
    action = "entry.checked_in" if there else "entry.checked_out"
    return UnsignedLine(action, {"value": not there, **more}, {"entry": who, "value": there})


def answer(
    now: str, before: str = "", who: int = 10, name: str = "Abara", number: int = 1
) -> UnsignedLine:
    about = {"entry": who, "name": name}
    return UnsignedLine(
        "check_in.answered",
        {"players": [{**about, "answer": before}]},
        {"for_round": number, "players": [{**about, "answer": now}]},
    )


def settled(
    consequence: str, number: int = 1, who: int = 10, before: dict[str, int] | None = None
) -> UnsignedLine:
    missing = [{"entry": who, "name": "Abara"}]
    after = {"for_round": number, "consequence": consequence, "missing": missing}
    return UnsignedLine("check_in.settled", {"withdrawn_from": before or {}}, after)


def opened(number: int) -> UnsignedLine:
    return UnsignedLine("check_in.opened", {}, {"for_round": number})


def closed(number: int) -> UnsignedLine:
    return UnsignedLine("check_in.closed", {}, {"for_round": number})


def test_c04_2_4_1_marks_are_set_and_removed_in_turn() -> None:
    state = state_after(*NUMBERED, answer("coming"), ticked(True, answer="coming"))
    assert (state.players[10]["checked_in"], state.players[10]["answer"]) == (True, "")
    assert state_after(*NUMBERED, ticked(True), ticked(False)).players[10]["checked_in"] is False
    assert fault(*NUMBERED, ticked(True), ticked(True)) == "the player was already marked so."
    assert fault(*NUMBERED, answer("coming"), ticked(True)).startswith(
        "before it, the answer about the player was"
    )


def test_c04_2_4_1_a_check_in_for_another_round_begins_without_marks() -> None:
    state = state_after(*NUMBERED, opened(1), ticked(True), closed(1), opened(1))
    assert (state.check_in, state.players[10]["checked_in"]) == ((1, True), True)
    state = state_after(*NUMBERED, opened(1), ticked(True), opened(2))
    assert (state.check_in, state.players[10]["checked_in"]) == ((2, True), False)
    assert state_after(*NUMBERED, opened(1), closed(1)).check_in == (1, False)
    assert fault(*NUMBERED, opened(1), closed(2)) == "before it, the check-in was “1” and not “2”."


def test_c04_2_4_1_missing_players_are_paired_withdrawn_or_get_a_bye() -> None:
    assert state_after(*NUMBERED, settled("paired")).players[10]["checked_in"] is True
    assert state_after(*NUMBERED, settled("excluded")).players[10]["withdrawn_from"] == 1
    assert state_after(*NUMBERED, settled("H")).byes == {(10, 1): "H"}
    withdrawn = gone("entry.withdrawn", None, 2)
    assert fault(*NUMBERED, withdrawn, settled("Z", before={"10": 2})) == ""


@pytest.mark.parametrize(
    "lines, wanted",
    [
        ((ticked(True), settled("Z")), "entry 10 was not missing."),
        ((bye(1, "H"), settled("Z")), "entry 10 was not missing."),
        ((settled("X"),), "“X” is no bye."),
        ((settled("Z", number=3),), "there is no round 3."),
        ((settled("Z", before={"10": 2}),), "before it, the list of withdrawals was"),
        (
            (answer("skip"), answer("coming")),
            "before it, the answer about the player was “skip” and not nothing.",
        ),
        (
            (answer("skip", name="Blomqvist"),),
            "before it, the name was “Abara” and not “Blomqvist”.",
        ),
        ((answer("perhaps"),), "it has an unknown answer."),
        ((ticked(True), answer("skip")), "entry 10 was not missing."),
        ((answer("skip", number=3),), "there is no round 3."),
    ],
)
def test_c04_2_4_1_a_forged_decision_about_missing_players_is_found(
    lines: tuple[UnsignedLine, ...], wanted: str
) -> None:
    assert fault(*NUMBERED, *lines).startswith(wanted)


def test_c04_2_4_1_nobody_is_missing_in_a_published_round() -> None:
    published = EVENT[:8]
    assert (
        fault(*published, settled("Z"))
        == fault(*published, answer("skip"))
        == "its round is published."
    )


# The check-in desk


def test_phone_numbers_and_money_change_from_what_they_were() -> None:
    there = (*NUMBERED, WITH_ERIKSEN, DESK)
    assert state_after(*there, hidden=False).desk == {50: {**NO_DATA, "phone": "0612"}}
    assert fault(*there, DESK, hidden=False) == "before it, phone was “0612” and not nothing."
    named = DESK._replace(after={**PHONE, "name": "Abara"})
    assert (
        fault(*NUMBERED, WITH_ERIKSEN, named)
        == "before it, the name was “Eriksen” and not “Abara”."
    )


def test_the_entry_fee_changes_from_what_it_was() -> None:
    fee = UnsignedLine("fee.set", {"fee": 0}, {"fee": 1500})
    assert state_after(*NUMBERED, fee, hidden=False).fee == 1500
    assert (
        fault(*NUMBERED, fee, fee, hidden=False)
        == "before it, the entry fee was “1500” and not “0”."
    )
