"""The list of tournaments."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db.models import Count, IntegerField, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from pairing.rules.rounds import PUBLIC_STATES, RoundState
from tournaments.core.frame import key_of
from tournaments.core.permissions import POWERS, Power, Visitor
from tournaments.models import Appointment, Entry, Round, Tournament


@dataclass(frozen=True, slots=True)
class TournamentCard:
    """A tournament in the list; ``playing`` is the newest published round, ``finished_rounds`` those with results."""

    slug: str
    name: str
    city: str
    federation: str
    start_date: date | None
    end_date: date | None
    total_rounds: int
    players: int
    playing: int
    finished_rounds: int
    runs: bool
    """Whether the reader has a role in it."""

    listed: bool
    """Whether visitors see it in the list."""

    @property
    def is_over(self) -> bool:
        return self.finished_rounds == self.total_rounds


def tournament_list(reader: Visitor, *, archived: bool = False) -> tuple[TournamentCard, ...]:
    """Return the listed tournaments and those of *reader*, the newest first. One query, two for an account.

    Without the archived ones of *reader*, or with *archived* only these.
    """
    own = _own(reader)
    mine = Q(pk__in=own)
    wanted = mine & Q(archived=True) if archived else (Q(listed=True) & ~mine) | (mine & Q(archived=False))
    players = _count_per_tournament(Entry.objects.all())
    rounds = Round.objects.filter(tournament=OuterRef("pk")).order_by().values("tournament")
    playing = rounds.filter(state__in=PUBLIC_STATES).annotate(n=Max("number")).values("n")
    finished = _count_per_tournament(Round.objects.filter(state=RoundState.RESULTS_PUBLISHED))
    rows = (
        Tournament.objects.filter(wanted)
        .annotate(
            players=Coalesce(Subquery(players, output_field=IntegerField()), 0),
            playing=Coalesce(Subquery(playing, output_field=IntegerField()), 0),
            finished_rounds=Coalesce(Subquery(finished, output_field=IntegerField()), 0),
        )
        .order_by("-start_date", "-created_at")
    )
    return tuple(
        TournamentCard(
            slug=row.slug,
            name=row.name,
            city=row.city,
            federation=row.federation,
            start_date=row.start_date,
            end_date=row.end_date,
            total_rounds=row.total_rounds,
            players=row.players,
            playing=row.playing,
            finished_rounds=row.finished_rounds,
            runs=row.pk in own,
            listed=row.listed,
        )
        for row in rows
    )


def public_states() -> list[str]:
    """Return what changes with everything that visitors read in :func:`tournament_list`. One query."""
    rows = Tournament.objects.filter(listed=True).order_by("pk")
    states = rows.values_list("pk", "public_version", "public_fingerprint")
    return [f"{pk}.{key_of(version, fingerprint)}" for pk, version, fingerprint in states]


def events_with_results(reader: Visitor) -> list[Tournament]:
    """Return the tournaments with published results that *reader* may read as an arbiter, the newest first. One query.

    At most 50.
    """
    if not reader.is_authenticated:
        return []
    roles = [role for role, powers in POWERS.items() if Power.READ in powers]
    mine = Appointment.objects.filter(person=reader.pk, until=None, accepted=True, role__in=roles).values("tournament")
    played = Round.objects.filter(state=RoundState.RESULTS_PUBLISHED).values("tournament")
    return list(Tournament.objects.filter(pk__in=mine).filter(pk__in=played).order_by("-start_date", "-pk")[:50])


def has_archived(reader: Visitor) -> bool:
    """Return whether *reader* has archived tournaments. One query, two for an account."""
    return Tournament.objects.filter(pk__in=_own(reader), archived=True).exists()


def _own(reader: Visitor) -> frozenset[int]:
    """Return the ids of the tournaments in which *reader* has a role."""
    if not reader.is_authenticated:
        return frozenset()
    rows = Appointment.objects.filter(person=reader.pk, until=None, accepted=True)
    return frozenset(rows.values_list("tournament_id", flat=True))


def _count_per_tournament(rows: QuerySet[Entry] | QuerySet[Round]) -> QuerySet[Entry, int] | QuerySet[Round, int]:
    return (
        rows.filter(tournament=OuterRef("pk"))
        .order_by()
        .values("tournament")
        .annotate(n=Count("pk"))
        .values_list("n", flat=True)
    )
