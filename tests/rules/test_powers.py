"""What each role may do, and which decisions are the Chief Arbiter's:
docs/rules/roles.md in the words of the rules.
"""

from __future__ import annotations

from typing import Final

from pairing.rules.actions import Action, power_of
from pairing.rules.powers import (
    BY_A_SITE_ADMINISTRATOR,
    BY_THE_CONSOLE,
    CHIEF,
    DEPUTY,
    POWERS,
    Power,
    may_end,
)

RESULT_DESK: Final = {"result.recorded", "result.undone", "result.read", "result.confirmed"}
CHECK_IN_DESK: Final = {
    "entry.checked_in", "entry.checked_out", "entries.checked_in", "desk_data.changed",
}  # fmt: skip
CHIEF_ARBITER: Final = {
    # The engine finds no pairing [C.04.3/2026 1.9.3], or published ones change [C.04.2/2026 4.4].
    "round.paired_by_hand", "round.arranged", "round.changed", "announcement.withdrawn",
    # The time to report mistakes [C.04.2/2026 4.3], and what closes and opens the standings.
    "deadline.cut_short", "standings.made_final", "standings.reopened",
    # An estimated rating [C.04.2/2026 2.1], and who takes part.
    "entry.rating_changed", "entry.expelled", "entry.returned",
    # What the regulations declared in advance [C.04.1/2026 1, C.07/2026 4.1.1].
    "rounds.changed", "tie_breaks.changed",
    # Places of players who are equal in everything [C.07/2026 4.2].
    "equals.ranked", "lots.drawn",
    # Sanctions, protests and appeals.
    "points.adjusted", "points.withdrawn", "protest.decided", "appeal.decided",
    # What is sent to FIDE, and what is kept about players.
    "report.withdrawn", "data.deleted",
    # The event as a whole.
    "section.set", "tournament.archived", "tournament.restored",
    "tournament.handed_over", "tournament.taken_over", "tournament.brought_back",
    # Who works in it.
    "person.appointed", "person.removed", "access.renewed", "chief.handed_over", "password.set",
}  # fmt: skip


def test_what_each_role_may_do() -> None:
    """The Chief Arbiter may do everything; a deputy everything
    but the decisions of the Chief Arbiter.
    """
    assert {role: {power.value for power in powers} for role, powers in POWERS.items()} == {
        "chief": {"read", "results", "check_in", "run", "decide"},
        "deputy": {"read", "results", "check_in", "run"},
        "result_desk": {"results"},
        "check_in_desk": {"check_in"},
        "reader": {"read"},
    }
    assert (CHIEF, DEPUTY) == ("chief", "deputy")


def test_c04_2_4_3_4_4_only_the_chief_arbiter_decides() -> None:
    assert {action for action in Action if power_of(action) is Power.DECIDE} == CHIEF_ARBITER


def test_c04_2_4_3_4_4_a_tournament_always_has_a_chief_arbiter() -> None:
    assert {role for role in POWERS if not may_end(role)} == {CHIEF}


def test_each_desk_does_its_own_work_and_the_arbiters_do_the_rest() -> None:
    assert {action for action in Action if power_of(action) is Power.RESULTS} == RESULT_DESK
    assert {action for action in Action if power_of(action) is Power.CHECK_IN} == CHECK_IN_DESK
    rest = {*Action} - RESULT_DESK - CHECK_IN_DESK - CHIEF_ARBITER
    assert {"round.paired", "pairings.published", "result.corrected", "entry.added"} < rest
    assert {power_of(action) for action in rest} == {Power.RUN}


def test_the_server_and_its_administrators_have_no_role() -> None:
    """A site administrator sets a password and takes over an event from a file;
    older records name the console.
    """
    assert {"password.set", "tournament.taken_over"} == BY_A_SITE_ADMINISTRATOR
    assert BY_THE_CONSOLE == "by the console of the server"
