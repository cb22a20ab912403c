"""The facts of the reports of arbiters' norms FA1 and IA1, of one section or of a whole event
[B.06.1].

An event is one norm for an arbiter, whatever number of its sections the arbiter worked in: the
sheet counts those sections together, and everybody who plays in several of them once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from pairing.ratings.editions import TITLED
from pairing.ratings.model import WITHOUT_FEDERATION, Person
from pairing.rules.arbiters import Arbiter, arbiters_of
from pairing.rules.names import fold
from tournaments.core.frame import Frame
from tournaments.models import Tournament
from tournaments.reports.fide_sheets import EventSheet, event_sheet
from tournaments.standings.same_person import same_person


@dataclass(frozen=True, slots=True)
class SectionFacts:
    """A section with its name in the event, and what its sheets say after round ``after``."""

    label: str
    tournament: Tournament
    sheet: EventSheet
    after: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """An arbiter, the function in each section, and the counts over these sections.

    ``twice`` are the people who play in several of them.
    """

    arbiter: Arbiter
    functions: tuple[tuple[SectionFacts, str], ...]
    players: int
    rated: int
    federations: int
    titled: int
    twice: int

    @property
    def function(self) -> str:
        """The function, if it is the same in all sections."""
        names = {name for _section, name in self.functions}
        return names.pop() if len(names) == 1 else ""


def section_facts(frame: Frame, after: int) -> SectionFacts:
    """Return the facts of a section after round *after*. Four queries."""
    section = getattr(frame.tournament, "section", None)
    label = section.label if section else frame.tournament.name
    return SectionFacts(label, frame.tournament, event_sheet(frame, after), after)


def arbiters_by_role(tournament: Tournament) -> list[tuple[str, Arbiter]]:
    """Return the named arbiters with their functions, the Chief Arbiter first."""
    chief = arbiters_of(tournament.chief_arbiter, "")
    deputies = arbiters_of("", tournament.deputy_arbiters)
    return [
        *((_("Chief arbiter"), arbiter) for arbiter in chief),
        *((arbiter.role or _("Deputy arbiter"), arbiter) for arbiter in deputies),
    ]


def candidates(sections: Sequence[SectionFacts], titles: Collection[str]) -> list[Candidate]:
    """Return the arbiters of *sections* who have one of the *titles*, in the order of the sections.

    An arbiter is known by the FIDE ID, else by the name.
    """
    found: dict[object, tuple[Arbiter, list[tuple[SectionFacts, str]]]] = {}
    for section in sections:
        for role, arbiter in arbiters_by_role(section.tournament):
            if arbiter.title in titles:
                key = arbiter.fide_id or fold(arbiter.name)
                found.setdefault(key, (arbiter, []))[1].append((section, role))
    return [_candidate(arbiter, functions) for arbiter, functions in found.values()]


def _candidate(arbiter: Arbiter, functions: Sequence[tuple[SectionFacts, str]]) -> Candidate:
    people: dict[object, Person] = {}
    times: Counter[object] = Counter()
    for section in {section.tournament.pk: section for section, _role in functions}.values():
        facts = section.sheet.facts
        for tpn, entry in facts.entries.items():
            key = same_person(entry)
            people.setdefault(key, facts.people[tpn])
            times[key] += 1
    return Candidate(
        arbiter,
        tuple(functions),
        players=len(people),
        rated=sum(bool(person.rating) for person in people.values()),
        federations=len({person.flag for person in people.values()} - WITHOUT_FEDERATION),
        titled=sum(bool(person.titles & TITLED) for person in people.values()),
        twice=sum(number > 1 for number in times.values()),
    )
