"""The list of tournaments."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Exists, IntegerField, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from pairing.rules.names import begins, folded_parts, search_words
from pairing.rules.rounds import PUBLIC_STATES, RoundState
from tournaments.core.frame import key_of
from tournaments.core.permissions import POWERS, Power, Visitor
from tournaments.models import Appointment, Entry, Round, Tournament


def tournament_list(
    reader: Visitor, *, archived: bool = False, words: str = ""
) -> QuerySet[Tournament]:
    """Return the listed tournaments and those of *reader*, the newest first;
    with *words*, those they begin in.

    Each has ``players``, ``playing`` (the newest published round), ``finished_rounds`` (those with
    results) and ``runs`` (whether *reader* has a role in it). Without the archived ones of
    *reader*, or with *archived* only these. No query; with *words*, which are searched in name and
    place, one.
    """
    mine = Q(pk__in=_own(reader))
    listed = (
        mine & Q(archived=True)
        if archived
        else (Q(listed=True) & ~mine) | (mine & Q(archived=False))
    )
    found = Tournament.objects.filter(listed)
    if typed := search_words(words):
        texts = found.values_list("pk", "name", "city")
        found = found.filter(
            pk__in=[pk for pk, *text in texts if begins(folded_parts(" ".join(text)), typed)]
        )
    rounds = Round.objects.filter(tournament=OuterRef("pk")).order_by().values("tournament")
    playing = rounds.filter(state__in=PUBLIC_STATES).annotate(n=Max("number")).values("n")
    players = _count_per_tournament(Entry.objects.all())
    finished = _count_per_tournament(Round.objects.filter(state=RoundState.RESULTS_PUBLISHED))
    return found.annotate(
        players=Coalesce(Subquery(players, output_field=IntegerField()), 0),
        playing=Coalesce(Subquery(playing, output_field=IntegerField()), 0),
        finished_rounds=Coalesce(Subquery(finished, output_field=IntegerField()), 0),
        runs=Q(mine),
    ).order_by("-start_date", "-created_at", "-pk")


@dataclass(frozen=True, slots=True)
class Listed:
    """A tournament of the public list: what changes with everything that visitors read of it in
    :func:`tournament_list`, its event, and whether it is running.
    """

    slug: str
    event: str
    """The address of the event; empty without sections."""
    state: str
    is_running: bool


def listed_tournaments() -> list[Listed]:
    """Return the tournaments of the public list. One query."""
    published = Round.objects.filter(tournament=OuterRef("pk"), state__in=PUBLIC_STATES)
    open_rounds = Round.objects.filter(tournament=OuterRef("pk")).exclude(
        state=RoundState.RESULTS_PUBLISHED
    )
    rows = Tournament.objects.filter(listed=True).order_by("pk")
    values = rows.values_list(
        *("pk", "slug", "section__event__slug", "public_version", "public_fingerprint"),
        Exists(published),
        Exists(open_rounds),
    )
    return [
        Listed(slug, event or "", f"{pk}.{key_of(version, fingerprint)}", begun and not_over)
        for pk, slug, event, version, fingerprint, begun, not_over in values
    ]


def only_running(listed: Iterable[Listed]) -> Listed | None:
    """Return the tournament of *listed* that is running; None if there is none, or if
    tournaments of several events are running.
    """
    running = [each for each in listed if each.is_running]
    return running[0] if len({each.event or f"/{each.slug}" for each in running}) == 1 else None


def next_tournament(tournament: Tournament) -> Tournament | None:
    """Return a tournament of the public list that is not over and does not begin before
    *tournament*, of another event; rather one of the same organiser, then the earliest. One query.

    None if there is none.
    """
    open_rounds = Round.objects.filter(tournament=OuterRef("pk")).exclude(
        state=RoundState.RESULTS_PUBLISHED
    )
    found = Tournament.objects.filter(Exists(open_rounds), listed=True, final_at=None)
    if tournament.start_date is not None:
        found = found.filter(start_date__gte=tournament.start_date)
    section = getattr(tournament, "section", None)
    if section is not None:
        found = found.exclude(section__event=section.event)
    return (
        found.exclude(pk=tournament.pk)
        .select_related("section__event")
        .annotate(is_other=~Q(created_by=tournament.created_by_id))
        .order_by("is_other", "start_date", "pk")
        .first()
    )


def events_with_results(reader: Visitor) -> list[Tournament]:
    """Return the tournaments with published results that *reader* may read as an arbiter,
    the newest first. One query.

    At most 50.
    """
    if not reader.is_authenticated:
        return []
    roles = [role for role, powers in POWERS.items() if Power.READ in powers]
    mine = Appointment.objects.filter(
        person=reader.pk, until=None, accepted=True, role__in=roles
    ).values("tournament")
    played = Round.objects.filter(state=RoundState.RESULTS_PUBLISHED).values("tournament")
    return list(
        Tournament.objects.filter(pk__in=mine)
        .filter(pk__in=played)
        .order_by("-start_date", "-pk")[:50]
    )


def has_archived(reader: Visitor) -> bool:
    """Return whether *reader* has archived tournaments. One query."""
    return Tournament.objects.filter(pk__in=_own(reader), archived=True).exists()


def _own(reader: Visitor) -> QuerySet[Appointment, int]:
    """Return the ids of the tournaments in which *reader* has a role."""
    rows = Appointment.objects.values_list("tournament_id", flat=True)
    # Visitors have none; an appointment without an account, as an imported event has, is not
    # theirs.
    return (
        rows.filter(person=reader.pk, until=None, accepted=True)
        if reader.is_authenticated
        else rows.none()
    )


def _count_per_tournament(
    rows: QuerySet[Entry] | QuerySet[Round],
) -> QuerySet[Entry, int] | QuerySet[Round, int]:
    return (
        rows.filter(tournament=OuterRef("pk"))
        .order_by()
        .values("tournament")
        .annotate(n=Count("pk"))
        .values_list("n", flat=True)
    )
