"""Private values: hashes in an exported record, and the hashes
that are left once the values are deleted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import pytest

from pairing.record.chain import Line
from pairing.record.private import (
    Deleted,
    delete,
    has_personal_data,
    has_values,
    hide,
    is_hidden,
    salted,
    same,
    with_hashes,
)
from tests.record.records import UnsignedLine, entry, lines_of

SALT: Final = "a salt"
HASH: Final = {"hash": "ab" * 32}
WITH_INITIALS: Final = {**entry(1), "full_name": "Abara, Ada", "fide_id": 123456}
ALL_KINDS: Final = UnsignedLine(
    "entries.imported",
    {"entries": []},
    {"entries": [WITH_INITIALS, {**entry(2), "full_name": "", "fide_id": 7}], "source": "list.csv"},
    None,
    "from the federation",
)


def stored(lines: UnsignedLine) -> Line:
    return lines_of([lines], hidden=False)[0]


def emptied(line: Line, gone: Deleted) -> Line:
    return replace(line, before=gone.before, after=gone.after, reason=gone.reason)


def test_the_fide_id_is_private_where_it_leads_to_a_whole_name() -> None:
    one, other = hide(stored(ALL_KINDS), SALT, SALT).after["entries"]
    assert is_hidden(one["fide_id"])
    assert other["fide_id"] == 7
    assert one["birth_date"] == salted(SALT, ("after", "entries", "0", "birth_date"), "1987/06/05")


def test_an_undo_hides_what_the_undone_action_hides() -> None:
    after = {"undone": 4, "action": "person.appointed", "name": "Nora"}
    assert is_hidden(
        hide(stored(UnsignedLine("action.undone", {}, after)), SALT, SALT).after["name"]
    )
    assert (
        hide(
            stored(UnsignedLine("action.undone", {}, {**after, "action": "fee.set"})), SALT, SALT
        ).after["name"]
        == "Nora"
    )


def test_deleted_values_leave_their_hashes_and_the_fingerprint_stays_the_same() -> None:
    line = stored(ALL_KINDS)
    gone = delete(line, SALT)
    one, other = gone.after["entries"]
    assert (one["full_name"], one["fide_id"], one["birth_date"], one["checked_in"]) == (
        "",
        0,
        "",
        False,
    )
    assert (other["fide_id"], one["name"], gone.after["source"], gone.reason) == (
        7,
        "Abara",
        "list.csv",
        "",
    )
    assert ("reason",) in gone.hashes
    again = with_hashes(emptied(line, gone), gone.hashes)
    account = hide(line, SALT, SALT).account
    assert replace(again, account=account) == hide(line, SALT, SALT)
    assert hide(again, "another salt", SALT) == hide(line, SALT, SALT)  # a hash is not hashed again


def test_a_missing_value_stays_missing_and_a_public_reason_stays() -> None:
    lines = UnsignedLine("chief.handed_over", {"phone": None}, {"person": 2}, None, "I am ill")
    gone = delete(stored(lines), SALT)
    assert (gone.before, gone.reason, list(gone.hashes)) == (
        {"phone": None},
        "I am ill",
        [("before", "phone")],
    )
    assert with_hashes(stored(lines), {}).reason == "I am ill"


@pytest.mark.parametrize(
    "after, found",
    [
        ({"entries": [{"phone": ""}]}, False),
        ({"entries": [{"phone": "0612"}]}, True),
        ({"entries": [{}]}, True),
        ({"entries": []}, True),
        ({"entries": "0612"}, True),
    ],
)
def test_a_value_that_came_back_after_its_deletion_is_found(
    after: dict[str, Any], found: bool
) -> None:
    hashes = {("after", "entries", "0", "phone"): "ab" * 32}
    assert has_values(stored(UnsignedLine("entries.imported", {}, after)), hashes) is found


@pytest.mark.parametrize(
    "lines, found",
    [
        (ALL_KINDS._replace(reason=""), True),
        (
            ALL_KINDS._replace(
                after={"entries": [{**entry(1), "birth_date": HASH, "checked_in": False}]},
                reason="",
            ),
            False,
        ),
        (UnsignedLine("fee.set", {"fee": 0}, {"fee": 0}, None, "the sponsor pays"), True),
        (UnsignedLine("fee.set", {"fee": 0}, {"fee": 0}), False),
        (UnsignedLine("points.adjusted", {}, {}, None, "a decision"), False),
        (UnsignedLine("registration.refused", {}, {"name": "Ada"}), True),
        (UnsignedLine("person.appointed", {}, {"name": "Ada"}), False),
    ],
)
def test_a_line_has_personal_data_or_none(lines: UnsignedLine, found: bool) -> None:
    assert has_personal_data(stored(lines)) is found


@pytest.mark.parametrize(
    "one, other, equal",
    [
        (HASH, "anything", True),
        ({"a": 1, "b": HASH}, {"a": 1, "b": 5}, True),
        ({"a": 1}, {"a": 1, "b": 5}, False),
        ({"a": 1}, {"a": 2}, False),
        ([1, HASH], (1, 2), True),
        ([1], [1, 2], False),
        ([1, 2], [2, 1], False),
        (1, 2, False),
    ],
)
def test_values_are_compared_as_far_as_they_are_known(
    one: object, other: object, equal: bool
) -> None:
    assert same(one, other) is equal
    assert same(other, one) is equal
