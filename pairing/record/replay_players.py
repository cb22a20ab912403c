"""Replay the actions on players: entries, numbers, absences, byes and check-ins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pairing.rules.check_in import Consequence
from pairing.rules.kept_records import IN_THE_OPEN, public_records
from pairing.rules.rounds import RoundState

from .chain import Line
from .defaults import DESK, LATER_PLAYER, PLAYER
from .player_fields import AFTER_DELETION
from .private import is_hidden, same
from .replay_rounds import set_tables
from .state import BYES, State, require, require_before

ANSWERS: Final = frozenset({"", "skip", "coming"})
"""What an arbiter can answer about a missing player; a withdrawal is a line of its own."""


def entered(state: State, line: Line) -> None:
    enter(state, line.after)


def all_entered(state: State, line: Line) -> None:
    """Enter the players of a file as if one by one, by their numbers."""
    for described in sorted(line.after["entries"], key=lambda each: each["tpn"] or 0):
        enter(state, described)


def enter(state: State, described: Mapping[str, Any]) -> None:
    """Add a player; numbers from his on move down.

    A late entry gets the byes of the missed rounds.
    """
    values = dict(described)
    entry, tpn = values.pop("entry"), values["tpn"]
    require(entry not in state.players, f"entry {entry} exists already.")
    if tpn is not None:
        _shift(state, tpn, 1)
    state.players[entry] = {**PLAYER, **values, **LATER_PLAYER}
    for number, table in state.rounds.items():
        if (
            number < values["first_round"]
            and table.state != "planned"
            and state.late_entry_bye != "Z"
        ):
            table.byes[entry] = state.late_entry_bye


def _shift(state: State, tpn: int, by: int) -> None:
    for values in state.players.values():
        if values["tpn"] is not None and values["tpn"] >= tpn:
            values["tpn"] += by


def changed(state: State, line: Line) -> None:
    values = state.player(line.after["entry"])
    require_before("the entry", line.before["entry"], line.after["entry"])
    for name, value in line.before.items():
        if name != "entry":
            require_before(name, value, values[name])
    values.update({name: value for name, value in line.after.items() if name != "entry"})
    if line.after.get("checked_in") is True:
        values["answer"] = ""
    if "fixed_table" in line.after:
        for table in state.rounds.values():
            if table.state == RoundState.DRAFT:
                set_tables(state, table)


def removed(state: State, line: Line) -> None:
    values = dict(line.before)
    entry = values.pop("entry")
    require_before(f"entry {entry}", values, {name: state.player(entry)[name] for name in values})
    gone = state.players.pop(entry)
    state.desk.pop(entry, None)
    state.byes = {key: letter for key, letter in state.byes.items() if key[0] != entry}
    state.prohibited = [pair for pair in state.prohibited if entry not in pair[:2]]
    if gone["tpn"] is not None:
        _shift(state, gone["tpn"], -1)


def numbered(state: State, line: Line) -> None:
    known = {str(entry): values["tpn"] for entry, values in state.players.items()}
    require_before("the list of numbers", line.before["tpn"], known)
    require(line.after["tpn"].keys() == known.keys(), "it does not number every player once.")
    for entry, tpn in line.after["tpn"].items():
        state.players[int(entry)]["tpn"] = tpn
        require_before("the name", line.after["names"][str(tpn)], state.players[int(entry)]["name"])


def withdrawn(state: State, line: Line) -> None:
    """Change the first round without the player; also for a return, and for what the rules do."""
    values = state.player(line.after["entry"])
    require_before("the name", line.after["name"], values["name"])
    require_before("the withdrawal", line.before["value"], values["withdrawn_from"])
    values["withdrawn_from"] = line.after["value"]


def expelled(state: State, line: Line) -> None:
    withdrawn(state, line)
    require(
        line.after["entry"] not in state.settings["expelled"], "the player was expelled before."
    )
    state.settings["expelled"] = [*state.settings["expelled"], line.after["entry"]]


def returned(state: State, line: Line) -> None:
    withdrawn(state, line)
    was_expelled = line.after["entry"] in state.settings["expelled"]
    require(
        line.before.get("expelled", False) is was_expelled,
        "it says wrongly whether the player was expelled.",
    )
    state.settings["expelled"] = [
        entry for entry in state.settings["expelled"] if entry != line.after["entry"]
    ]


def withdrawn_by_rule(state: State, line: Line) -> None:
    withdrawn(state, line)
    state.by_rule[line.after["entry"], line.round_number or 0] = (
        line.before["value"],
        line.after["value"],
    )


def lifted(state: State, line: Line) -> None:
    withdrawn(state, line)
    state.by_rule.pop((line.after["entry"], line.round_number or 0), None)


def explained(state: State, line: Line) -> None:
    """Cancel the withdrawal made by the rules, unless another action changed it since."""
    values = state.player(line.after["entry"])
    known = state.by_rule.get((line.after["entry"], line.round_number or 0))
    if known is not None and values["withdrawn_from"] == known[1]:
        values["withdrawn_from"] = known[0]


def data_deleted(state: State, line: Line) -> None:
    """Empty what was deleted, of one player or of all."""
    about = line.after["entry"]
    for entry in state.players if about is None else [about]:
        # A player who was removed has no data but in the record.
        if entry in state.players:
            state.players[entry] |= AFTER_DELETION
        state.desk.pop(entry, None)
    for entry in line.after["fide_ids"]:
        state.player(entry)["fide_id"] = None
    kept = state.settings.get(IN_THE_OPEN, [])
    if line.after.get("records") and not is_hidden(kept):
        state.settings[IN_THE_OPEN] = list(public_records(kept))
    for each in state.corrections:
        if about is None or is_hidden(each.reason):
            each.reason = ""


def bye(state: State, line: Line) -> None:
    entry, number = line.after["entry"], line.round_number
    state.player(entry)
    require(not state.round(line).is_public, "its round is published.")
    assert number is not None
    require_before("the requested bye", line.before["value"], state.byes.get((entry, number)))
    set_bye(state, entry, number, line.after["value"])


def set_bye(state: State, entry: int, number: int, letter: str | None) -> None:
    if letter is None:
        state.byes.pop((entry, number), None)
    else:
        require(letter in BYES, f"“{letter}” is no bye.")
        state.byes[entry, number] = letter


def ticked(state: State, line: Line) -> None:
    values, there = state.player(line.after["entry"]), line.action == "entry.checked_in"
    require(same(values["checked_in"], not there), "the player was already marked so.")
    values["checked_in"] = there
    if there:
        require_before(
            "the answer about the player", line.before.get("answer", ""), values["answer"]
        )
        values["answer"] = ""


def all_ticked(state: State, line: Line) -> None:
    """Keep that several missing players were checked in, about whom there was no answer."""
    for each in line.after["players"]:
        values = state.player(each["entry"])
        require_before("the name", each["name"], values["name"])
        require(same(values["checked_in"], False), f"entry {each['entry']} was not missing.")
        require_before("the answer about the player", "", values["answer"])
        values["checked_in"] = True


def check_in_opened(state: State, line: Line) -> None:
    number = line.after["for_round"]
    if state.check_in[0] not in (None, number):
        for values in state.players.values():
            values["checked_in"] = False
    state.check_in = (number, True)


def check_in_closed(state: State, line: Line) -> None:
    require_before("the check-in", line.after["for_round"], state.check_in[0])
    state.check_in = (line.after["for_round"], False)


def settled(state: State, line: Line) -> None:
    number, consequence = line.after["for_round"], line.after["consequence"]
    missing = [each["entry"] for each in line.after["missing"]]
    require(not state.round_number(number).is_public, "its round is published.")
    gone = {str(entry): state.player(entry)["withdrawn_from"] for entry in missing}
    known = {entry: value for entry, value in gone.items() if value is not None}
    require_before("the list of withdrawals", line.before["withdrawn_from"], known)
    for entry in missing:
        values = state.players[entry]
        was_missing = state.has_gaps or same(values["checked_in"], False)
        require(
            was_missing and (entry, number) not in state.byes, f"entry {entry} was not missing."
        )
        if consequence == Consequence.PAIRED.value:
            values["checked_in"] = True
        elif consequence == Consequence.EXCLUDED.value:
            values["withdrawn_from"] = number
        else:
            set_bye(state, entry, number, consequence)


def answered(state: State, line: Line) -> None:
    """Keep the answers about missing players, which hold until the players are checked in."""
    require(not state.round_number(line.after["for_round"]).is_public, "its round is published.")
    for before, after in zip(line.before["players"], line.after["players"], strict=True):
        values = state.player(after["entry"])
        require_before("the name", after["name"], values["name"])
        require_before("the answer about the player", before["answer"], values["answer"])
        require(same(values["checked_in"], False), f"entry {after['entry']} was not missing.")
        require(after["answer"] in ANSWERS, "it has an unknown answer.")
        values["answer"] = after["answer"]


def desk_data_changed(state: State, line: Line) -> None:
    """Keep phone number, note and money of a player."""
    entry = line.after["entry"]
    require_before("the name", line.after["name"], state.player(entry)["name"])
    known = state.desk.get(entry, DESK)
    for name, default in DESK.items():
        require_before(name, line.before.get(name, default), known[name])
    state.desk[entry] = {name: line.after.get(name, default) for name, default in DESK.items()}


def fee_set(state: State, line: Line) -> None:
    require_before("the entry fee", line.before["fee"], state.fee)
    state.fee = line.after["fee"]


READINGS: Final[Mapping[str, Callable[[State, Line], None]]] = {
    "entry.added": entered,
    "entries.imported": all_entered,
    "entry.updated": changed,
    "entry.rating_changed": changed,
    "entry.removed": removed,
    "numbers.assigned": numbered,
    "entry.withdrawn": withdrawn,
    "entry.expelled": expelled,
    "entry.returned": returned,
    "absence.withdrawn": withdrawn_by_rule,
    "absence.lifted": lifted,
    "absence.explained": explained,
    "bye.requested": bye,
    "bye.cancelled": bye,
    "entry.checked_in": ticked,
    "entry.checked_out": ticked,
    "entries.checked_in": all_ticked,
    "check_in.opened": check_in_opened,
    "check_in.closed": check_in_closed,
    "check_in.settled": settled,
    "check_in.answered": answered,
    "desk_data.changed": desk_data_changed,
    "fee.set": fee_set,
}
