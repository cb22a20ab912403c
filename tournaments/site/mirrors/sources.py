"""Find the sources of mirrors: a tournament, or an event with its sections, each with its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet

from tournaments.core.actions import require_live
from tournaments.core.permissions import Power, require_power
from tournaments.models import Decision, DeletedTournament, Event, Tournament
from tournaments.site.mirrors.manifest import Export
from tournaments.site.mirrors.store import MirrorSettings, Store, all_stores


@dataclass(frozen=True, slots=True)
class Version:
    """What visitors are to read now. Two versions with the same ``shown`` have the same files."""

    shown: str
    make: Callable[[], Export]


Maker = Callable[[int, datetime], Version]
MAKERS: Final[dict[bool, Maker]] = {}
"""How the versions of a tournament (False) and of an event (True) are made, by the number of its
row; ``apps.py`` adds them, because a feature does not import pages."""


@dataclass(frozen=True, slots=True)
class Source:
    """A tournament or an event, with its random identity, which is in the manifest."""

    pk: int
    identity: str
    is_event: bool = False

    @property
    def key(self) -> str:
        """The key of its jobs."""
        return f"{'event' if self.is_event else 'tournament'} {self.pk}"

    @property
    def store(self) -> Store:
        return Store(self.identity, is_event=self.is_event)

    @property
    def tournaments(self) -> QuerySet[Tournament]:
        """The tournament, or the sections of the event."""
        found = {"section__event": self.pk} if self.is_event else {"pk": self.pk}
        return Tournament.objects.filter(**found).order_by("pk")

    @property
    def sections(self) -> list[Source]:
        """The sections of an event; none for a tournament. One query."""
        return [source_of(each) for each in self.tournaments] if self.is_event else []

    @property
    def is_away(self) -> bool:
        """Whether it was handed over: then the mirror is for the live copy. One query."""
        return self.tournaments.filter(handed_over_at__isnull=False).exists()

    @property
    def sends(self) -> bool:
        """Whether the mirror is on and this is the live copy. One query."""
        return self.store.is_on and not self.is_away

    def folder(self) -> str:
        """Return the folder below ``SWISS_MIRROR_DIR``.

        One query; ``DoesNotExist`` if it is deleted.
        """
        if self.is_event:
            return folder_of_event(Event.objects.get(pk=self.pk))
        return Tournament.objects.only("slug").get(pk=self.pk).slug

    def version(self, now: datetime) -> Version:
        """Return what visitors are to read now; ``DoesNotExist`` if it is deleted."""
        return MAKERS[self.is_event](self.pk, now)

    def knows(self, lines: str) -> bool:
        """Return whether the records here have the *lines* that a manifest names.

        That of an event names a fingerprint for each section that was ever in the public list, as
        ``IDENTITY:FINGERPRINT``: so a section that was removed from the list does not come back
        with an older copy of the site.
        """
        for line in lines.split():
            identity, _, fingerprint = line.rpartition(":")
            found = Decision.objects.filter(tournament__identity=identity or self.identity)
            if found.filter(hash=fingerprint).exists():
                continue
            if not DeletedTournament.objects.filter(identity=identity).exists():
                return False
        return True

    def lock(self, actor: User, *, while_away: bool = False) -> None:
        """Lock it, so two people do not write the files at once.

        ``PermissionDenied`` unless *actor* is the Chief Arbiter of all its tournaments;
        ``RuleRefused`` in a copy that was handed over, unless *while_away*.
        """
        if not (tournaments := list(self.tournaments.select_for_update(of=("self",)))):
            raise PermissionDenied
        for tournament in tournaments:
            require_power(actor, tournament, Power.DECIDE)
            if not while_away:
                require_live(tournament)


def source_of(row: Tournament | Event) -> Source:
    """Return *row* as what has a mirror."""
    return Source(row.pk, row.identity, isinstance(row, Event))


def source_named(key: str) -> Source | None:
    """Return the source that the key of a job names; None if it is deleted."""
    kind, _, number = key.partition(" ")
    row = (Event if kind == "event" else Tournament).objects.filter(pk=int(number)).first()
    return source_of(row) if row else None


def event_with_mirror(tournament_id: int) -> Source | None:
    """Return the event of a section if it has a mirror.

    One query; none if no event here has one.
    """
    if not any(all_stores(is_event=True)):
        return None
    event = Event.objects.filter(sections__tournament=tournament_id).first()
    return source_of(event) if event and source_of(event).store.is_on else None


def folder_of_event(event: Event) -> str:
    """Return the folder of *event* below ``SWISS_MIRROR_DIR``: no tournament can have this name."""
    return f"{event.slug}.event"


def link_between(start: MirrorSettings, to: MirrorSettings, folder: str) -> str | None:
    """Return the address of the mirror *to* from the root of *start*; None if unknown.

    *folder* is that of *to* below ``SWISS_MIRROR_DIR``. A mirror inside the folder of the other one
    is found wherever both are copied to.
    """
    if not to.is_on:
        return None
    if start.kind == to.kind == "web":
        if to.address.startswith(start.address):
            return to.address.removeprefix(start.address)
        if start.address.startswith(to.address):
            return "../" * start.address.removeprefix(to.address).count("/")
    if to.public:
        return to.public.rstrip("/") + "/"
    return f"../{folder}/" if start.kind == to.kind == "folder" else None
