"""The pages of an event for the keyboard: by a letter after ``g``, or by name."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import gettext as _, pgettext

from tournaments.core.permissions import POWERS, Power, read_roles, role_of
from tournaments.models import Event, Role, Section


@dataclass(frozen=True, slots=True)
class EventDestination:
    """A page with title and address; a section has its place up to 9 as its ``letter``."""

    label: str
    url: str
    letter: str = ""


@dataclass(frozen=True, slots=True)
class EventKeys:
    """What the finder and keys need on pages of *event*, for *user* with a role in *sections*."""

    event: Event
    sections: Sequence[Section]
    user: User

    @property
    def find_url(self) -> str:
        return reverse("event-find", args=[self.event.slug])

    @property
    def keys_url(self) -> str:
        return reverse("event-keys", args=[self.event.slug])

    @property
    def roles(self) -> list[Role | None]:
        """The role in each section. No query where the roles are known."""
        return [role_of(self.user, section.tournament) for section in self.sections]

    @property
    def powers(self) -> frozenset[Power]:
        """The powers in at least one section."""
        return frozenset(chain.from_iterable(POWERS[role] for role in self.roles if role))

    @property
    def letters(self) -> str:
        """The address and the title of the page of each letter, as JSON."""
        return json.dumps(
            {each.letter: [each.url, each.label] for each in self.destinations if each.letter}
        )

    @property
    def destinations(self) -> list[EventDestination]:
        """The pages that this person may open, those with letters first."""
        powers, roles, slug = self.powers, self.roles, self.event.slug
        runs_all = all(role and Power.RUN in POWERS[role] for role in roles)
        pages = [
            ("event-desk", pgettext("tab", "Now"), "d", not {*roles} <= {Role.CHECK_IN_DESK, None}),
            ("event-entries", _("Players"), "e", not powers.isdisjoint({Power.READ, Power.RUN})),
            (
                "event-check-in",
                _("Check-in"),
                "c",
                not powers.isdisjoint({Power.READ, Power.CHECK_IN}),
            ),
            ("event-prizes", _("Prizes"), "", True),
            ("event", _("Public page"), "o", True),
            ("event-sections", _("Sections"), "", Power.DECIDE in powers),
            ("event-import", _("Import entries"), "", runs_all),
        ]
        found = [
            EventDestination(label, reverse(name, args=[slug]), letter)
            for name, label, letter, is_open in pages
            if is_open
        ]
        for number, (section, role) in enumerate(zip(self.sections, roles, strict=True), start=1):
            address = reverse("desk" if role else "tournament", args=[section.tournament.slug])
            found.append(
                EventDestination(
                    section.tournament.name, address, str(number) if number <= 9 else ""
                )
            )
        return found


def keys_of(user: User, event: Event, sections: Sequence[Section]) -> EventKeys | None:
    """Return the keys for *user* on the public page of *event*; None without a role in it.

    One query.
    """
    read_roles(user, [section.tournament for section in sections])
    keys = EventKeys(event, sections, user)
    return keys if any(keys.roles) else None
