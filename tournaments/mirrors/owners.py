"""What a mirror is of: a tournament, or an event with its sections. Each has a mirror of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Protocol

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied

from tournaments.core.actions import require_live
from tournaments.core.build import build
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import Power, require_power
from tournaments.core.public_address import printed_address
from tournaments.mirrors.kept import Kept, events_have_mirrors
from tournaments.mirrors.pushing import EVENT_MAKERS, MAKERS, Snapshot
from tournaments.mirrors.ways import name_of_event, way_to_event
from tournaments.models import Decision, DeletedTournament, Event, Tournament


@dataclass(frozen=True, slots=True)
class Version:
    """What visitors are to read now.

    Two versions with the same ``shown`` have the same files; ``make`` makes them. ``knows`` tells whether the record
    here has what the field ``line`` of a manifest names.
    """

    shown: str
    make: Callable[[], Snapshot]
    knows: Callable[[str], bool]


class Owner(Protocol):
    """A tournament or an event that can have a mirror."""

    @property
    def identity(self) -> str:
        """The random identity in the manifest."""

    @property
    def kept(self) -> Kept:
        """The files of this site for the mirror."""

    @property
    def key(self) -> str:
        """The key of its jobs."""

    def name(self) -> str:
        """Return the folder below ``SWISS_MIRROR_DIR``. One query; ``DoesNotExist`` if it is deleted."""

    def version(self, now: datetime) -> Version:
        """Return what visitors are to read now; ``DoesNotExist`` if it is deleted."""

    def is_away(self) -> bool:
        """Return whether it was handed over: then the mirror is for the live copy. One query."""

    def lock(self, actor: User, *, while_away: bool = False) -> None:
        """Lock it, so two people do not write the files at once; ``PermissionDenied`` unless *actor* may decide.

        ``RuleRefused`` in a copy that was handed over, unless *while_away*.
        """

    def followers(self) -> Iterator[Owner]:
        """Yield whose mirror shows what this mirror has now."""


@dataclass(frozen=True, slots=True)
class OfTournament:
    """A tournament with its random identity."""

    pk: int
    identity: str

    @property
    def kept(self) -> Kept:
        return Kept(self.identity)

    @property
    def key(self) -> str:
        return f"tournament {self.pk}"

    def name(self) -> str:
        return Tournament.objects.only("slug").get(pk=self.pk).slug

    def version(self, now: datetime) -> Version:
        tournament = Tournament.objects.select_related("section__event").get(pk=self.pk)
        frame = tournament_frame(tournament, runs=False, now=now)
        shown = f"{frame.state.key} {build()} {printed_address('/')} {way_to_event(tournament) or ''}".rstrip()
        return Version(shown, partial(MAKERS[0], frame), self._knows)

    def _knows(self, line: str) -> bool:
        return Decision.objects.filter(tournament=self.pk, hash=line).exists()

    def is_away(self) -> bool:
        return Tournament.objects.filter(pk=self.pk, handed_over_at__isnull=False).exists()

    def lock(self, actor: User, *, while_away: bool = False) -> None:
        tournament = Tournament.objects.select_for_update().get(pk=self.pk)
        require_power(actor, tournament, Power.DECIDE)
        if not while_away:
            require_live(tournament)

    def followers(self) -> Iterator[Owner]:
        if (event := event_of(self.pk)) is not None:
            yield event


@dataclass(frozen=True, slots=True)
class OfEvent:
    """An event with its random identity. Its mirror has the pages of the event, not those of its sections."""

    pk: int
    identity: str

    @property
    def kept(self) -> Kept:
        return Kept.of_event(self.identity)

    @property
    def key(self) -> str:
        return f"event {self.pk}"

    def name(self) -> str:
        return name_of_event(Event.objects.get(pk=self.pk))

    def version(self, now: datetime) -> Version:
        snapshot = EVENT_MAKERS[0](Event.objects.get(pk=self.pk))
        return Version(f"{snapshot.state} {build()}", lambda: snapshot, is_known)

    def is_away(self) -> bool:
        return Tournament.objects.filter(section__event=self.pk, handed_over_at__isnull=False).exists()

    def lock(self, actor: User, *, while_away: bool = False) -> None:
        """Only the Chief Arbiter of all sections may decide."""
        rows = Tournament.objects.select_for_update(of=("self",)).filter(section__event=self.pk).order_by("pk")
        if not (tournaments := list(rows)):
            raise PermissionDenied
        for tournament in tournaments:
            require_power(actor, tournament, Power.DECIDE)
            if not while_away:
                require_live(tournament)

    def followers(self) -> Iterator[Owner]:
        yield from ()


def event_of(tournament_id: int) -> OfEvent | None:
    """Return the event of a section if it has a mirror. One query; none if no event on this site has a mirror."""
    if not events_have_mirrors():
        return None
    found = Event.objects.filter(sections__tournament=tournament_id).values_list("pk", "identity").first()
    owner = OfEvent(*found) if found else None
    return owner if owner and owner.kept.is_on else None


def is_known(line: str) -> bool:
    """Return whether the records here have all lines that the manifest of an event names.

    *line* has the identity of each section that was ever in the public list, with the fingerprint of its newest public
    line: so a section that was removed from the list does not come back with an older copy of the site.
    """
    for identity, _, fingerprint in (each.partition(":") for each in line.split()):
        if Decision.objects.filter(tournament__identity=identity, hash=fingerprint).exists():
            continue
        if not DeletedTournament.objects.filter(identity=identity).exists():
            return False
    return True
