"""The roles of a record: the power to write each line."""

from __future__ import annotations

from typing import Final

import pytest

from pairing.record.chain import Line
from pairing.record.people import UNREADABLE, Held, people_of
from pairing.rules.powers import BY_THE_CONSOLE
from tests.record.records import AT, EVENT, UnsignedLine, lines_of

CHIEF, DEPUTY, READER, NOBODY = 1, 2, 3, 9
FEE: Final = UnsignedLine("fee.set", {"fee": 0}, {"fee": 1})


def appointed(person: int, role: str) -> UnsignedLine:
    return UnsignedLine(
        "person.appointed", {}, {"person": person, "role": role, "name": "somebody"}
    )


def removed(person: int, role: str) -> UnsignedLine:
    return UnsignedLine("person.removed", {"person": person, "role": role, "name": "somebody"}, {})


def handed(before: int, after: int, **more: object) -> UnsignedLine:
    lines = UnsignedLine("chief.handed_over", {"person": before}, {"person": after})
    return lines._replace(**more)


HELPERS: Final = (EVENT[0], appointed(DEPUTY, "deputy"), appointed(READER, "reader"))
BY_CONSOLE: Final = handed(CHIEF, NOBODY, reason=BY_THE_CONSOLE, by=NOBODY)
PRINTED: Final = UnsignedLine(
    "tournament.updated", {"chief_arbiter": ""}, {"chief_arbiter": "Nora"}, by=NOBODY
)


def refused(*lines: UnsignedLine) -> str:
    """Return what is wrong with the lines *lines* after the
    appointment of a deputy and a reader.
    """
    _, fault = people_of(lines_of([*HELPERS, *lines]))
    return fault.message if fault else ""


def roles(*lines: UnsignedLine) -> list[tuple[object, str, bool]]:
    """Return account, role, and whether it is still held, after the lines *lines*,
    which are right.
    """
    held, fault = people_of(lines_of([*HELPERS, *lines], hidden=False))
    assert fault is None
    return [(each.person, each.role, each.until is None) for each in held]


def test_roles_begin_with_the_lines_about_them() -> None:
    held, fault = people_of(lines_of(HELPERS, hidden=False))
    assert (held, fault) == (
        [Held(CHIEF, "chief", AT), Held(DEPUTY, "deputy", AT), Held(READER, "reader", AT)],
        None,
    )
    assert roles(removed(READER, "reader"))[2] == (READER, "reader", False)


@pytest.mark.parametrize("final", [(), (UnsignedLine("standings.made_final"),)])
def test_a_person_ends_the_own_role_and_no_other(final: tuple[UnsignedLine, ...]) -> None:
    """Nobody else's, none that the person does not hold, and never that of the Chief Arbiter."""
    assert refused(*final, removed(READER, "reader")._replace(by=READER)) == ""
    assert "does not allow it" in refused(*final, removed(DEPUTY, "deputy")._replace(by=READER))
    other_role = removed(DEPUTY, "reader")._replace(by=DEPUTY)
    for message in (other_role, removed(NOBODY, "reader")._replace(by=NOBODY)):
        assert refused(*final, message) == "the person does not have this role."
    assert "does not allow it" in refused(removed(DEPUTY, "chief")._replace(by=DEPUTY))


UNAPPOINTED: Final = UnsignedLine(
    "action.undone",
    {"person": READER, "role": "reader", "name": "somebody"},
    {"undone": 3, "action": "person.appointed"},
)


def test_an_undone_appointment_ends_the_role() -> None:
    assert roles(UNAPPOINTED)[2] == (READER, "reader", False)
    assert refused(UNAPPOINTED, removed(READER, "reader")) == "the person does not have this role."


def test_the_chief_arbiter_and_the_other_person_exchange_their_roles() -> None:
    assert roles(handed(CHIEF, DEPUTY))[:2] == [(CHIEF, "deputy", True), (DEPUTY, "chief", True)]
    assert (
        refused(handed(CHIEF, DEPUTY), removed(READER, "reader"))
        == "the role of Clara Chief (deputy) does not allow it."
    )
    assert refused(handed(CHIEF, DEPUTY), removed(READER, "reader")._replace(by=DEPUTY)) == ""


def test_the_console_makes_somebody_without_a_role_the_chief_arbiter() -> None:
    """The line after it, by the same person, may let lists print the new name; nothing else may."""
    assert roles(BY_CONSOLE, PRINTED) == [
        (CHIEF, "deputy", True), (DEPUTY, "deputy", True), (READER, "reader", True), (NOBODY, "chief", True),
    ]  # fmt: skip
    by_console = handed(CHIEF, DEPUTY, reason=BY_THE_CONSOLE, by=NOBODY)
    assert refused(by_console, PRINTED) == ""
    not_in_the_tournament = "Clara Chief held no role in the tournament."
    assert refused(PRINTED) == not_in_the_tournament
    assert refused(by_console, PRINTED, PRINTED) == not_in_the_tournament
    assert refused(by_console, PRINTED._replace(by=8)) == not_in_the_tournament
    assert (
        refused(by_console, PRINTED._replace(after={"chief_arbiter": "Nora", "name": "x"}))
        == not_in_the_tournament
    )
    assert refused(handed(CHIEF, DEPUTY, reason="I am ill", by=NOBODY)) == not_in_the_tournament


def test_the_server_deletes_personal_data_of_all_by_a_setting_and_of_nobody_else() -> None:
    lines = UnsignedLine("data.deleted", {}, {"entry": None, "days": 30, "fide_ids": []}, by=NOBODY)
    assert refused(lines) == ""
    for other in ({"entry": None, "days": None}, {"entry": 10, "days": 30}):
        assert (
            refused(lines._replace(after={**lines.after, **other}))
            == "Clara Chief held no role in the tournament."
        )


def test_site_administrators_need_no_role_for_their_own_actions() -> None:
    assert refused(UnsignedLine("password.set", {}, {"person": DEPUTY}, by=NOBODY)) == ""


FINAL: Final = UnsignedLine("standings.made_final")
UNDONE: Final = UnsignedLine(
    "action.undone", {"fee": 1}, {"fee": 0, "undone": 4, "action": "fee.set"}
)


@pytest.mark.parametrize(
    "lines, wanted",
    [
        ((FEE._replace(by=NOBODY),), "Clara Chief held no role in the tournament."),
        ((FEE._replace(by=READER),), "the role of Clara Chief (reader) does not allow it."),
        ((FEE._replace(by=DEPUTY),), ""),
        ((FINAL, FEE._replace(by=DEPUTY)), "the role of Clara Chief (deputy) does not allow it."),
        ((FINAL, UnsignedLine("standings.reopened"), FEE._replace(by=DEPUTY)), ""),
        ((FEE, UNDONE._replace(by=DEPUTY)), "Clara Chief undoes what another person did."),
        ((FEE._replace(by=DEPUTY), UNDONE._replace(by=DEPUTY)), ""),
        ((FEE._replace(by=DEPUTY), UNDONE), ""),
        ((appointed(DEPUTY, "reader"),), "the person has a role already."),
        ((appointed(4, "king"),), "it gives the role “king”."),
        ((appointed(4, "chief"),), "it gives the role “chief”."),
        ((removed(4, "deputy"),), "the person does not have this role."),
        ((removed(DEPUTY, "reader"),), "the person does not have this role."),
        (
            (removed(DEPUTY, "deputy"), FEE._replace(by=DEPUTY)),
            "Clara Chief held no role in the tournament.",
        ),
        ((handed(DEPUTY, READER),), "the person before was not the Chief Arbiter."),
        ((handed(CHIEF, CHIEF),), "the new Chief Arbiter had no other role."),
        ((handed(CHIEF, 4),), "the new Chief Arbiter had no other role."),
        ((UnsignedLine("person.appointed"),), UNREADABLE),
    ],
)
def test_a_line_without_the_power_for_it_is_named(
    lines: tuple[UnsignedLine, ...], wanted: str
) -> None:
    assert refused(*lines) == wanted


def test_a_withheld_line_says_nothing_about_people() -> None:
    held, fault = people_of([Line.withheld(sequence=1, key="", previous="", hash="", signature="")])
    assert (held, fault) == ([], None)
