"""Replay the people of a record: the role that each person held, and whether it allowed each line.

A person is known by the account, or by its hash, which is the same in all lines of one record.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from pairing.rules.actions import power_of
from pairing.rules.powers import (
    BY_A_SITE_ADMINISTRATOR,
    BY_THE_CONSOLE,
    CHIEF,
    DEPUTY,
    POWERS,
    Power,
    may_end,
)
from pairing.rules.undo_between import UNDOING

from .chain import Fault, Line

_FIRST: Final = frozenset({"tournament.created", "tournament.imported"})
UNREADABLE: Final = "what it says about people cannot be read."


@dataclass(frozen=True, slots=True)
class Held:
    """A role of a person, from the time of a line until that of another; None: still."""

    person: object
    role: str
    since: str
    until: str | None = None


@dataclass(slots=True)
class People:
    """The roles in the order of their appointment, and whether the standings are final.

    ``console`` is the line of the newest handover by the console of the server.
    """

    held: list[Held] = field(default_factory=list)
    accounts: dict[int, object] = field(default_factory=dict)
    """Who did each line, by its number."""
    is_final: bool = False
    console: Line | None = None

    def read(self, line: Line) -> Fault | None:
        """Read *line*, and return what is wrong: its person had no role that allows it,
        or a role has other data.

        Nobody needs a role for the first line, whose person becomes the Chief Arbiter; for the
        lines of site administrators (:data:`BY_A_SITE_ADMINISTRATOR`); for personal data that the
        server deleted by a setting; to end the own role, but not that of the Chief Arbiter; and for
        another Chief Arbiter by the console of the server, with the next line, which lets lists
        print the new name. A self check-in has the arbiter who switched it on.
        """
        if line.is_withheld:
            return None
        try:
            message = self._refusal(line) or self._change(line)
        except (KeyError, TypeError, AttributeError):
            message = UNREADABLE
        self.accounts[line.sequence] = line.account
        return Fault(line.sequence, message) if message else None

    def _refusal(self, line: Line) -> str:
        """Return why the person of *line* could not do it; empty if the role allows it."""
        if line.action in _FIRST or line.action in BY_A_SITE_ADMINISTRATOR:
            return ""
        if (
            is_by_the_console(line)
            or self._prints_the_name(line)
            or is_by_deadline(line)
            or declines(line)
        ):
            return ""
        done = str(line.after["action"]) if line.action == "action.undone" else line.action
        needed = Power.DECIDE if self.is_final else power_of(done)
        there = self._now(line.account)
        if there is None:
            return f"{line.actor} held no role in the tournament."
        if needed not in POWERS.get(there.role, frozenset()):
            return f"the role of {line.actor} ({there.role}) does not allow it."
        if line.action in UNDOING and there.role != CHIEF:
            by = self.accounts.get(line.after["undone"], line.account)
            return "" if by == line.account else f"{line.actor} undoes what another person did."
        return ""

    def _change(self, line: Line) -> str:
        """Follow what *line* does to the roles; return what is wrong with it."""
        match line.action:
            case "tournament.created" | "tournament.imported":
                self.held.append(Held(line.account, CHIEF, line.at))
            case "person.appointed":
                return self._appointed(line)
            case "person.removed":
                return self._removed(line)
            case "action.undone" if line.after["action"] == "person.appointed":
                return self._removed(line)
            case "chief.handed_over":
                return self._handed_over(line)
            case "standings.made_final":
                self.is_final = True
            case "standings.reopened":
                self.is_final = False
        return ""

    def _appointed(self, line: Line) -> str:
        person, role = line.after["person"], line.after["role"]
        if self._now(person) is not None:
            return "the person has a role already."
        if role not in POWERS or role == CHIEF:
            return f"it gives the role “{role}”."
        self.held.append(Held(person, role, line.at))
        return ""

    def _removed(self, line: Line) -> str:
        there = self._now(line.before["person"])
        if there is None or there.role != line.before["role"]:
            return "the person does not have this role."
        self._put(there, replace(there, until=line.at))
        return ""

    def _handed_over(self, line: Line) -> str:
        old, new = self._now(line.before["person"]), self._now(line.after["person"])
        if old is None or old.role != CHIEF:
            return "the person before was not the Chief Arbiter."
        if is_by_the_console(line):
            self.console = line
            if new is None:
                new = Held(line.after["person"], DEPUTY, line.at)
                self.held.append(new)
        if new is None or new.role == CHIEF:
            return "the new Chief Arbiter had no other role."
        self._put(old, replace(old, role=DEPUTY))
        self._put(new, replace(new, role=CHIEF))
        return ""

    def _prints_the_name(self, line: Line) -> bool:
        """Return whether *line* comes just after the line of the console
        and lets lists print the new Chief Arbiter.

        The reason does not show it, because a file has only its hash.
        """
        return (
            self.console is not None
            and line.sequence == self.console.sequence + 1
            and line.account == self.console.account
            and line.action == "tournament.updated"
            and set(line.after) == {"chief_arbiter"}
        )

    def _now(self, person: object) -> Held | None:
        """Return the role that *person* holds now."""
        return next(
            (each for each in self.held if each.until is None and each.person == person), None
        )

    def _put(self, old: Held, new: Held) -> None:
        self.held[self.held.index(old)] = new


def is_by_the_console(line: Line) -> bool:
    """Return whether the people who run the server made another Chief Arbiter.

    A handover has no other reason.
    """
    return line.action == "chief.handed_over" and line.reason == BY_THE_CONSOLE


def declines(line: Line) -> bool:
    """Return whether a person ended the own role: one that came with a file,
    and was declined. Never a Chief Arbiter's.

    Only the same person can: the role that ends is compared with the role that the person holds.
    """
    is_own = line.action == "person.removed" and line.before["person"] == line.account
    return is_own and may_end(line.before["role"])


def is_by_deadline(line: Line) -> bool:
    """Return whether the server deleted personal data by a setting, days after the final report."""
    return (
        line.action == "data.deleted"
        and line.after["entry"] is None
        and line.after["days"] is not None
    )


def people_of(lines: Iterable[Line]) -> tuple[list[Held], Fault | None]:
    """Return the roles after *lines*, and the first line that its person could not write,
    where the reading ends.
    """
    people = People()
    for line in lines:
        if (fault := people.read(line)) is not None:
            return people.held, fault
    return people.held, None
