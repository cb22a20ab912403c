"""Read an event with all its sections: for its public page, for its desk, and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from pairing.rules.name_search import find_lines
from pairing.rules.names import fold
from pairing.rules.rounds import RoundState
from tournaments.core.frame import Frame, state_key, tournament_frame
from tournaments.core.namesakes import disambiguate, mark_namesakes
from tournaments.core.permissions import POWERS, Power, Visitor, role_of
from tournaments.desk.desk import Desk, desk
from tournaments.models import Appointment, Entry, Event, Role, Section

MOST_HITS: Final = 50
"""So many players are listed for a search."""


@dataclass(frozen=True, slots=True)
class PlayerOfEvent:
    """A player with the section."""

    entry: Entry
    section: Section


@dataclass(frozen=True, slots=True)
class SectionDesk:
    """A section with its next action; ``role`` is the reader's.

    ``desk`` is None if the role does not show drafts.
    """

    section: Section
    frame: Frame
    role: Role | None
    desk: Desk | None

    @property
    def runs(self) -> bool:
        """Whether the reader is an arbiter of the section."""
        return self.role is not None and Power.RUN in POWERS[self.role]


def events_for(reader: Visitor) -> QuerySet[Event]:
    """Return the events with a public section or a role of *reader*, the newest first.

    ``n`` is the number of their sections.
    """
    shown = Q(tournament__listed=True)
    if reader.is_authenticated:
        own = Appointment.objects.filter(person=reader.pk, until=None, accepted=True)
        shown |= Q(tournament__in=own.values("tournament"))
    sections = Section.objects.filter(shown, event=OuterRef("pk"))
    return Event.objects.filter(Exists(sections)).annotate(n=Count("sections")).order_by("-pk")


def named_sections(events: QuerySet[Event]) -> list[tuple[int, int, str]]:
    """Return the numbers of *events* and of their sections, with the names of the events.

    One query.
    """
    rows = Section.objects.filter(event__in=events.values("pk")).order_by("event", "pk")
    return list(rows.values_list("event_id", "pk", "event__name"))


def sections_of(event: Event) -> list[Section]:
    """Return the sections of *event* with their tournaments, in the order that the arbiter chose.

    One query.
    """
    sections = list(Section.objects.filter(event=event).select_related("tournament"))
    for section in sections:
        # Both sides of the relation are known now.
        section.event = event
        section.tournament.section = section
    return sections


def event_key(sections: Sequence[Section], *, runs: bool) -> str:
    """Return a key that changes with every action in one of *sections* that the reader can see."""
    return "-".join(f"{each.pk}.{state_key(each.tournament, runs=runs)}" for each in sections)


def frames(sections: Sequence[Section]) -> list[Frame]:
    """Return each section as a visitor sees it. One query for each section."""
    return [tournament_frame(section.tournament, runs=False) for section in sections]


def section_desks(sections: Sequence[Section], reader: Visitor) -> list[SectionDesk]:
    """Return each section as *reader* sees it. At most seven queries for each section."""
    desks = []
    for section in sections:
        role = role_of(reader, section.tournament)
        runs = role is not None and Power.READ in POWERS[role]
        frame = tournament_frame(section.tournament, runs=runs)
        desks.append(SectionDesk(section, frame, role, desk(frame) if runs else None))
    return desks


def players_of(sections: Sequence[Section], search: str = "") -> list[PlayerOfEvent]:
    """Return the players of all *sections* by name;
    with *search* only those whose name, club, federation or TPN fits it. One query.
    """
    by_tournament = {section.tournament_id: section for section in sections}
    entries = list(Entry.objects.filter(tournament__in=by_tournament))
    mark_namesakes(entries)
    disambiguate(entries)
    found = find_lines(
        entries,
        search,
        text_of=lambda entry: f"{entry.name} {entry.club} {entry.federation}",
        numbers_of=lambda entry: (entry.tpn,),
    )
    found.sort(key=lambda entry: (fold(entry.name), entry.pk))
    return [PlayerOfEvent(entry, by_tournament[entry.tournament_id]) for entry in found]


def own_tournaments(sections: Sequence[Section], reader: Visitor) -> set[int]:
    """Return the ids of the tournaments of *sections* in which *reader* has a role.

    Only there the reader sees the whole names and FIDE IDs of players who are shown with initials.
    """
    return {
        section.tournament_id
        for section in sections
        if role_of(reader, section.tournament) is not None
    }


def public_state(frame: Frame) -> tuple[str, int]:
    """Return a section's state: ``playing``, ``after``, ``over``, ``planned``, and the round."""
    if frame.is_over:
        return "over", len(frame.rounds)
    if (
        frame.latest_published
        and frame.state_of(frame.latest_published) != RoundState.RESULTS_PUBLISHED
    ):
        return "playing", frame.latest_published
    return ("after", frame.latest_results) if frame.latest_results else ("planned", 0)
