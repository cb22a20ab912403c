"""The facts of the sheets for FIDE: tournament report IT3, list of titles IT4, and the reports of
arbiters' norms FA1 and IA1 [B.01/2024 1.10, B.06.1].
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from pairing.engine.systems import games_a_round
from pairing.ratings.direct_titles import TitleClaim, rating_needed
from pairing.ratings.editions import COUNTED_TITLES, TITLED, NormEdition, norm_edition
from pairing.ratings.model import WITHOUT_FEDERATION, Person
from pairing.rules.arbiters import Arbiter, arbiters_of
from pairing.standings.ranking import Standing
from tournaments.core.frame import Frame
from tournaments.models import Entry, Tournament
from tournaments.reports.norms import Facts, facts_of
from tournaments.reports.title_claims import claims_of
from tournaments.standings.ranked_field import field_for

MEDALS: Final = 3
"""The ranks that win a medal."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many players are of one kind: ``kind`` is ``all``, ``rated``, ``unrated`` or a title.

    ``federations`` is the number of different ones among them; players under the flag of FIDE or of
    none have no federation.
    """

    kind: str
    total: int
    federations: int
    host: int | None
    """None if the federation of the event is not known."""

    @property
    def foreign(self) -> int | None:
        return None if self.host is None else self.total - self.host


@dataclass(frozen=True, slots=True)
class EventSheet:
    """What all sheets say of the event, after the last published results.

    ``titled`` are the players with a title, CM and WCM not included. ``edition`` is that of B.01.
    """

    facts: Facts
    edition: NormEdition
    chief: Arbiter | None
    deputies: tuple[Arbiter, ...]
    counts: tuple[Count, ...]
    titled: int

    @property
    def by_kind(self) -> dict[str, Count]:
        return {count.kind: count for count in self.counts}


@dataclass(frozen=True, slots=True)
class TitleLine:
    """A row of the list of titles, with the title that is claimed, if any.

    ``percent`` is rounded down. ``rating_needed``: without it the title is conditional.
    """

    line: Standing
    entry: Entry
    percent: int
    claimed: TitleClaim | None = None
    rating_needed: int | None = None

    @property
    def is_candidate(self) -> bool:
        """Whether the player has a medal or at least half of the points."""
        return self.line.rank <= MEDALS or self.percent >= 50

    @property
    def medal(self) -> int:
        """The rank of a medal; 0 without."""
        return self.line.rank if self.line.rank <= MEDALS else 0


def event_sheet(frame: Frame, after: int) -> EventSheet:
    """Return the facts after round *after*. Four queries, none again for the same frame."""
    found: EventSheet | None = frame.computed.get(("event sheet", after))
    if found is None:
        facts, tournament = facts_of(frame, after), frame.tournament
        chief = next(iter(arbiters_of(tournament.chief_arbiter, "")), None)
        people = tuple(facts.people.values())
        found = EventSheet(
            facts=facts,
            edition=norm_edition(facts.event.start),
            chief=chief,
            deputies=arbiters_of("", tournament.deputy_arbiters),
            counts=tuple(_counts(people, facts.event.host.upper())),
            titled=sum(bool(person.titles & TITLED) for person in people),
        )
        frame.computed["event sheet", after] = found
    return found


def _counts(people: Sequence[Person], host: str) -> Iterable[Count]:
    yield _count("all", people, host)
    yield _count("rated", [person for person in people if person.rating], host)
    yield _count("unrated", [person for person in people if not person.rating], host)
    for title in COUNTED_TITLES:
        yield _count(title, [person for person in people if title in person.titles], host)


def _count(kind: str, people: Sequence[Person], host: str) -> Count:
    flags = [person.flag for person in people]
    of_host = sum(flag == host for flag in flags) if host else None
    return Count(kind, len(people), len(set(flags) - WITHOUT_FEDERATION), of_host)


def title_lines(frame: Frame, after: int) -> tuple[TitleLine, ...]:
    """Return the players for whom a title is claimed, the best first; before that, the
    candidates.

    FIDE's table of direct titles decides which of them get one; the program does not have it.
    """
    lines = title_candidates(frame, after)
    return tuple(line for line in lines if line.claimed) or lines


def title_candidates(frame: Frame, after: int) -> tuple[TitleLine, ...]:
    """Return the players with a claimed title, and those who may get a title by place or result."""
    if not after:
        return ()
    field, claims = field_for(frame, after), claims_of(frame.tournament)
    most = _most_points(frame.tournament) * after
    edition = norm_edition(frame.tournament.start_date)
    found = []
    for line in field.table.lines:
        entry, claimed = field.entries[line.tpn], claims.get(field.entries[line.tpn].pk)
        percent = 100 * line.points // most if most else 0
        needed = rating_needed(claimed, entry.fide_rating, edition) if claimed else None
        row = TitleLine(line, entry, percent, claimed, needed)
        if claimed or row.is_candidate:
            found.append(row)
    return tuple(found)


def _most_points(tournament: Tournament) -> int:
    """Return the points of a won round, in tenths."""
    return tournament.points_win * games_a_round(tournament.system)
