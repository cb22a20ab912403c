"""How the pages of one mirror lead to another one: those of an event to those of its sections, and back."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.mirrors.kept import Kept, MirrorSettings
from tournaments.mirrors.pushing import FOLDERS
from tournaments.models import Event, Tournament


def name_of_event(event: Event) -> str:
    """Return the folder of the mirror of *event* below ``SWISS_MIRROR_DIR``: no tournament can have this name."""
    return f"{event.slug}.event"


def settings_of_section(chosen: MirrorSettings, tournament: Tournament) -> MirrorSettings:
    """Return the settings for the mirror of a section, when the mirror of its event has the settings *chosen*.

    In a web space it is a folder of the event's, named by the address of the section.
    """
    if chosen.kind == "folder":
        return MirrorSettings(kind="folder", by_event=True)
    below = f"{tournament.slug}/"
    return MirrorSettings(
        address=chosen.address + below,
        user=chosen.user,
        secret=chosen.secret,
        public=f"{chosen.public.rstrip('/')}/{below}" if chosen.public else "",
        by_event=True,
    )


def way(start: MirrorSettings, to: MirrorSettings, name: str) -> str | None:
    """Return the address of the mirror *to* as seen from the root of the mirror *start*; None if nobody knows it.

    *name* is the folder of *to* below ``SWISS_MIRROR_DIR``. A mirror inside the folder of the other one is found
    wherever both are copied to.
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
    return f"../{name}/" if start.kind == to.kind == "folder" else None


def way_to_event(tournament: Tournament) -> str | None:
    """Return where the mirror of the event of *tournament* is, from the root of its own one; None without it."""
    section = getattr(tournament, "section", None)
    if section is None:
        return None
    event = Kept.of_event(section.event.identity)
    return way(Kept(tournament.identity).settings, event.settings, name_of_event(section.event))


@dataclass(frozen=True, slots=True)
class WayToSection:
    """Where the pages of a section are, from the root of the mirror of its event."""

    root: str
    folder: str
    files: frozenset[str]

    def to(self, language: str, name: str) -> str | None:
        """Return the address of the page *name*; None if the mirror of the section does not have it yet."""
        path = f"{self.folder}/{language}/{name}"
        return f"{self.root}{path}" if path in self.files else None


def way_to_section(event: Event, tournament: Tournament) -> WayToSection | None:
    """Return where the section *tournament* is, by the files that were sent to its mirror; None without a mirror."""
    kept = Kept(tournament.identity)
    chosen, state = kept.settings, kept.state
    root = way(Kept.of_event(event.identity).settings, chosen, tournament.slug)
    if root is None or state.last is None or state.folder not in FOLDERS:
        return None
    return WayToSection(root, state.folder, frozenset(kept.sent(chosen.place)))
