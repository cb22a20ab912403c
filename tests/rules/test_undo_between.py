"""What an action has changed, and which later lines keep it from being undone."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import partial
from typing import Any

import pytest

from pairing.rules.undo_between import (
    Done,
    LaterLines,
    changed_by,
    in_between,
    needed_by,
    original,
    undone_already,
)
from tests.work import calls_of

Data = Mapping[str, Any]


def done(
    action: str,
    after: Data | None = None,
    before: Data | None = None,
    *,
    at: int = 1,
    number: int = 2,
) -> Done:
    return Done(at, action, number, before or {}, after or {})


TWO: Data = {"players": [{"entry": 7}, {"entry": 8}]}
WHOLE_TOURNAMENT = {
    "prohibited_pairs.set": "pairs", "prizes.set": "prizes", "fee.set": "fee", "registration.set": "registration",
    "tournament.listed": "listed", "tournament.unlisted": "listed", "tournament.archived": "archived",
    "tournament.restored": "archived", "check_in.opened": "check_in", "numbers.assigned": "numbers",
    "lots.drawn": "lots", "section.set": "section", "tournament.handed_over": "handed over",
    "tournament.taken_over": "handed over", "tournament.brought_back": "handed over",
}  # fmt: skip


@pytest.mark.parametrize(
    "line, things",
    [
        # The places of a round are one thing, whatever boards and players the line names.
        *((done(action, {"boards": [1, 2], "board": 3}), {("round", 2)}) for action in (
            "round.paired", "round.paired_by_hand", "round.discarded", "round.arranged", "round.changed",
            "results.published",
        )),
        (done("pairings.published", {"boards": [1]}), {("round", 2), ("published",)}),
        (done("boards.announced", {"boards": [1]}), set()),
        (done("announcement.withdrawn", {"board": 1}), set()),
        # Results and dates of games, on both sides.
        (done("result.recorded", {"board": 5, "result": "10"}), {("board", 2, 5)}),
        (done("games.adjourned", {"boards": [5]}, {"boards": [6]}), {("board", 2, 5), ("board", 2, 6)}),
        # Players.
        (done("entry.updated", {"entry": 7, "rating": 2000}), {("entry", 7)}),
        (done("entry.updated", {"entry": 7}, {"entry": 7, "checked_in": True}), {("entry", 7), ("present", 7)}),
        (done("bye.requested", {"entry": 7}), {("entry", 7)}),
        (done("check_in.settled", {"missing": [{"entry": 7}]}), {("entry", 7), ("present", 7)}),
        (done("check_in.answered", TWO), {("present", 7), ("present", 8)}),
        (done("entries.checked_in", TWO), {("present", 7), ("present", 8)}),
        (done("entry.checked_in", {"entry": 7}), {("present", 7)}),
        (done("entry.checked_out", {"entry": 7}), {("present", 7)}),
        (done("points.adjusted", {"entry": 7}), {("points", 7, 2)}),
        (done("points.withdrawn", {"entry": 7}), {("points", 7, 2)}),
        (done("desk_data.changed", TWO), {("desk", 7), ("desk", 8)}),
        # New and removed players: their numbers, if they have some; a removal takes prohibited
        # pairs with it.
        (done("entry.added", {"entry": 7, "tpn": None}), {("entry", 7)}),
        (done("entry.added", {"entry": 7, "tpn": 9}), {("entry", 7), ("numbers",)}),
        (done("entry.updated", {"entry": 7, "tpn": 9}), {("entry", 7)}),
        (done("entry.removed", before={"entry": 7, "tpn": 9}), {("entry", 7), ("numbers",), ("pairs",)}),
        (done("entries.imported", {"entries": [{"entry": 7, "tpn": None}]}), {("entry", 7)}),
        (
            done("entries.imported", {"entries": [{"entry": 7, "tpn": None}, {"entry": 8, "tpn": 1}, "more"]}),
            {("entry", 7), ("entry", 8), ("numbers",)},
        ),
        (done("numbers.assigned", {"tpn": {"7": 1, "8": 2}}, {"tpn": {}}), {("numbers",), ("entry", 7), ("entry", 8)}),
        (
            done("prohibited_pairs.set", {"pairs": [[7, 8, "family"]]}, {"pairs": [[7, 9, ""]]}),
            {("pairs",), ("entry", 7), ("entry", 8), ("entry", 9)},
        ),
        # People, settings and times.
        (done("person.appointed", {"person": 3}), {("person", "3")}),
        (done("person.removed", before={"person": "3"}), {("person", "3")}),
        (
            done("tournament.updated", {"name": "Open", "byes": 1, "schedule": []}, {"name": "X", "city": "Y"}),
            {("setting", "name")},
        ),
        (done("tie_breaks.changed", {"tie_breaks": []}), {("setting", "tie_breaks")}),
        (done("rounds.changed", {"total_rounds": 7}), {("setting", "total_rounds")}),
        (done("tournament.updated", {"rating_method": "fide"}), {("setting", "rating_method"), ("ratings",)}),
        (
            done("tournament.updated", {"second_rating_method": "national"}),
            {("setting", "second_rating_method"), ("ratings",)},
        ),
        (done("round.scheduled", {"rating_method": "no setting"}), {("schedule", 2)}),
        (done("entry.withdrawn", {"entry": 7, "missing": "x", "players": [7]}), {("entry", 7)}),
        *(
            (done(action, before={"pairs": [], "tpn": {}}, after={"pairs": [], "tpn": {}}), {(thing,)})
            for action, thing in WHOLE_TOURNAMENT.items()
        ),
    ],
)  # fmt: skip
def test_what_a_line_has_changed(line: Done, things: set[tuple[object, ...]]) -> None:
    assert changed_by(line) == things


@pytest.mark.parametrize(
    "line, also_needed",
    [
        (done("result.recorded", {"board": 5}), {("round", 2)}),
        *((done(action, {"missing": []}), {("check_in",)}) for action in (
            "entry.checked_in", "entry.checked_out", "entries.checked_in", "check_in.answered",
        )),
        (done("check_in.settled", {"missing": []}), {("check_in",), ("setting", "total_rounds")}),
        (done("entry.added", {"entry": 7, "tpn": None}), {("numbers",), ("desk", 7), ("present", 7)}),
        (done("entry.removed", before={"entry": 7}), {("numbers",), ("desk", 7), ("present", 7)}),
        (done("entry.returned", {"entry": 7}), {("published",)}),
        *((done(action, {"entry": 7}), {("setting", "total_rounds")}) for action in (
            "bye.requested", "bye.cancelled", "round.scheduled", "entry.withdrawn",
        )),
        *((done("entry.updated", {"entry": 7, name: 1}), {("ratings",)}) for name in (
            "rating", "rating_source", "fide_rating", "national_rating", "second_rating",
        )),
        (done("entry.updated", {"entry": 7, "club": "x"}, {"rating": 1}), set()),
    ],
)  # fmt: skip
def test_what_must_not_have_changed_beside_it(
    line: Done, also_needed: set[tuple[object, ...]]
) -> None:
    assert needed_by(line) - changed_by(line) == also_needed


RECORDED = done("result.recorded", {"board": 5}, at=10)


def undo_of(line: Done, at: int, action: str = "action.undone") -> Done:
    return Done(
        at,
        action,
        line.round_number,
        line.after,
        {**line.before, "undone": line.sequence, "action": line.action},
    )


@pytest.mark.parametrize("action", ["action.undone", "result.undone"])
def test_an_undo_has_changed_what_the_undone_action_had(action: str) -> None:
    undo = undo_of(RECORDED, 11, action)
    assert original(undo).action == "result.recorded"
    assert original(RECORDED) is RECORDED
    assert changed_by(undo) == {("board", 2, 5)}
    assert undone_already(RECORDED, [(undo, "line 11")]) == "line 11"


def test_only_later_lines_about_the_same_thing_keep_an_action_from_being_undone() -> None:
    again = done("result.recorded", {"board": 5}, at=12)
    other = done("result.recorded", {"board": 6}, at=13)
    published = done("results.published", at=14)
    later = [(each, each.sequence) for each in (again, other, published)]
    assert in_between(RECORDED, later) == [12, 14]
    assert undone_already(RECORDED, later) is None
    # What was undone in turn leaves nothing behind; the undo of something earlier does.
    undone = [*later, (undo_of(again, 15), 15)]
    assert in_between(RECORDED, undone) == [14]
    assert undone_already(again, undone) == 15
    assert undone_already(RECORDED, undone) is None
    assert in_between(
        RECORDED, [(undo_of(done("result.recorded", {"board": 5}, at=9), 15), 15)]
    ) == [15]


@pytest.mark.parametrize("seed", range(50))
def test_a_walk_to_older_lines_finds_what_a_look_at_all_later_lines_finds(seed: int) -> None:
    chance = random.Random(seed)
    lines: list[Done] = []
    for at in range(1, 40):
        undone = {line.after.get("undone") for line in lines}
        free = [line for line in lines if line.sequence not in undone]
        if free and chance.random() < 0.3:  # An undo of an undo too: it is in no honest record.
            lines.append(undo_of(chance.choice(free), at))
            continue
        action, after = chance.choice(
            [
                ("result.recorded", {"board": chance.randrange(1, 6)}),
                ("entry.withdrawn", {"entry": chance.randrange(1, 6)}),
                ("entry.checked_in", {"entry": chance.randrange(1, 6)}),
                ("round.paired", {}),
                ("tie_breaks.changed", {"tie_breaks": at}),
            ]
        )
        lines.append(done(action, after, at=at, number=chance.randrange(1, 3)))
    newest_first, seen, found = lines[::-1], LaterLines(), []
    for line in newest_first:
        found.append(seen.prevent_undo(line))
        seen.add(line)
    exact = []
    for place, line in enumerate(newest_first):
        later = [(each, each.sequence) for each in newest_first[:place]]
        exact.append(undone_already(line, later) is not None or bool(in_between(line, later)))
    assert found == exact
    assert 0 < sum(found) < len(found)


def test_a_walk_costs_the_same_for_each_of_many_lines() -> None:
    def walk(number: int) -> None:
        later = LaterLines()
        for at in range(number, 0, -1):
            line = done("result.recorded", {"board": at}, at=at)
            assert not later.prevent_undo(line)
            later.add(line)

    few, many = (calls_of(partial(walk, number)) for number in (100, 400))
    assert many < 4.2 * few
