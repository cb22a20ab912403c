"""Make a new tournament from the settings of another one: last year's event again."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from pairing.record.player_fields import TYPED
from pairing.rules.settings import SETTINGS
from tournaments.core.actions import open_action
from tournaments.core.permissions import Power, may_decide, require_may_create, require_power
from tournaments.core.short_address import new_screen_code
from tournaments.entries.entries import Newcomer, admit, described
from tournaments.models import Action, Appointment, Decision, Entry, Role, Round, Screen, Tournament
from tournaments.models.payloads import EntriesImported, TournamentDuplicated
from tournaments.models.regulations import pairs_of
from tournaments.people.invitations import account_invite
from tournaments.setup.logo import logo_copy
from tournaments.setup.prohibited_pairs import prohibited_pairs_set
from tournaments.setup.schedule import round_schedule
from tournaments.setup.tournaments import TWICE, tournament_create

COPIED: Final = frozenset(name for name, each in SETTINGS.items() if each.is_copied)
"""The settings that the copy of a tournament has too."""


def tournament_duplicate(
    *,
    source_id: int,
    actor: User,
    now: datetime,
    name: str,
    first_day: date | None,
    people: bool = False,
    players: bool = False,
    leave_fide_mode: bool = False,
) -> Tournament:
    """Make a tournament with the settings, logo and hall screens of another one, whose schedule
    is moved so that it begins on *first_day*.

    *actor*, who must be an arbiter of the other one, becomes its Chief Arbiter. *people*: persons
    with an account of their own are invited to their roles, a Chief Arbiter as deputy; people with
    a link need a new one. *players*: the entries with their ratings and the prohibited pairs
    between them; numbers, byes and results are never copied. The same copy made twice within five
    minutes is one tournament. *leave_fide_mode* as in :func:`tournament_create`.
    """
    require_may_create(actor)
    with transaction.atomic():
        source = Tournament.objects.get(pk=source_id)
        require_power(actor, source, Power.RUN)
        User.objects.select_for_update().get(pk=actor.pk)
        if (there := _just_made(source, actor, now, name)) is not None:
            return there
        fields = {field: getattr(source, field) for field in COPIED}
        if not may_decide(actor, source):
            del fields["chief_arbiter"]  # the copy has another one
        began = source.start_date or _first_day(source)
        shift = first_day - began if first_day and began else None
        end = source.end_date + shift if shift is not None and source.end_date else None
        made = tournament_create(
            actor=actor,
            now=now,
            name=name,
            start_date=first_day,
            end_date=end,
            leave_fide_mode=leave_fide_mode,
            **fields,
        )
        with open_action(actor=actor, now=now, pk=made.pk) as action:
            action.record(
                TournamentDuplicated(
                    before={}, after={"copy_of": source.name, "identity": source.identity}
                )
            )
        if shift is not None:
            schedule_copy(source, made, actor=actor, now=now, shift=shift)
        _copy_screens(source, made)
        logo_copy(source, made)
        if players:
            _copy_players(source, made, actor, now)
        if people:
            _copy_people(source, made, actor, now)
    return Tournament.objects.get(pk=made.pk)


def _just_made(source: Tournament, actor: User, now: datetime, name: str) -> Tournament | None:
    """Return the copy with this *name* that *actor* has just made, for a form sent twice."""
    lines = Decision.objects.filter(
        action=Action.TOURNAMENT_DUPLICATED,
        actor=actor,
        at__gte=now - TWICE,
        tournament__name=name.strip(),
    ).select_related("tournament")
    return next(
        (line.tournament for line in lines if line.after.get("identity") == source.identity), None
    )


def _local(moment: datetime) -> datetime:
    """Return *moment* on the clock of the hall, without zone: 9:00 stays 9:00 in winter."""
    return timezone.localtime(moment).replace(tzinfo=None)


def _first_day(tournament: Tournament) -> date | None:
    """Return the day of the first announced round; None without one. One query."""
    rows = Round.objects.filter(tournament=tournament, starts_at__isnull=False).order_by("number")
    starts = rows.values_list("starts_at", flat=True).first()
    return _local(starts).date() if starts else None


def schedule_copy(
    source: Tournament,
    made: Tournament,
    *,
    actor: User,
    now: datetime,
    shift: timedelta = timedelta(0),
) -> None:
    """Announce the times of *source* for *made*, moved by *shift* on the clock of the hall."""
    new = dict(Round.objects.filter(tournament=made).values_list("number", "pk"))
    for row in Round.objects.filter(tournament=source).order_by("number"):
        moved = [
            at and timezone.make_aware(_local(at) + shift)
            for at in (row.starts_at, row.results_due_at)
        ]
        if any(moved) and row.number in new:
            round_schedule(
                round_id=new[row.number],
                actor=actor,
                now=now,
                starts_at=moved[0],
                results_due_at=moved[1],
            )


SCREEN_SETTINGS: Final = (
    "name",
    "contents",
    "has_finder",
    "size",
    "is_dark",
    "seconds",
    "language",
)
"""What a copied screen has too: no words of last year, and no other sections."""


def _copy_screens(source: Tournament, made: Tournament) -> None:
    """Make the screens of *source* for *made*, each with an address of its own."""
    Screen.objects.bulk_create(
        Screen(
            tournament=made,
            code=new_screen_code(),
            **{name: getattr(screen, name) for name in SCREEN_SETTINGS},
        )
        for screen in Screen.objects.filter(tournament=source)
    )


def _copy_players(source: Tournament, made: Tournament, actor: User, now: datetime) -> None:
    """Enter the players of *source* in *made*, with the prohibited pairs between them.

    Withdrawn players too.
    """
    old = list(Entry.objects.filter(tournament=source).order_by("pk"))
    if not old:
        return
    copied = (*sorted(TYPED), "rating", "rating_source")
    newcomers = [
        Newcomer.from_fields({field: getattr(entry, field) for field in copied}, now=now)
        for entry in old
    ]
    with open_action(actor=actor, now=now, pk=made.pk) as action:
        entries = admit(action.tournament, newcomers)
        action.record(
            EntriesImported(
                before={},
                after={"source": "copy", "entries": [described(entry) for entry in entries]},
            ),
            changes_pairing=True,
        )
    new = {before.pk: entry.pk for before, entry in zip(old, entries, strict=True)}
    pairs = [[new[one], new[other], *last] for one, other, *last in pairs_of(source)]
    if pairs:
        prohibited_pairs_set(tournament_id=made.pk, actor=actor, now=now, pairs=pairs)


def _copy_people(source: Tournament, made: Tournament, actor: User, now: datetime) -> None:
    """Invite the people of *source* who have a password to the same roles in *made*."""
    rows = (
        Appointment.objects.filter(tournament=source, until=None, accepted=True)
        .exclude(person=actor)
        .select_related("person")
    )
    for row in rows.order_by("pk"):
        if row.person.is_active and row.person.has_usable_password():
            role = Role.DEPUTY if row.role == Role.CHIEF else Role(row.role)
            account_invite(
                tournament_id=made.pk,
                username=row.person.get_username(),
                role=role,
                actor=actor,
                now=now,
            )
