"""Record that somebody else could now log in as a person with a role."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from pairing.rules.powers import WITH_A_LINK
from tournaments.core.actions import OpenAction
from tournaments.models import Appointment, Tournament
from tournaments.models.payloads import PasswordSet
from tournaments.people.role_names import described


def log_in_changed(*, person: User, actor: User, now: datetime, reason: str = "") -> None:
    """Record that *actor*, a site administrator, has changed log-in data of *person*,
    and could now log in as *person*.

    Every tournament in which the person holds a role gets a line; final standings too, because that
    name can reopen them. Nobody needs a line about their own data. *reason*: the changed value, if
    not the password. Six queries for each tournament.
    """
    if person != actor:
        _log_in_lines(person, actor, now, reason)


def password_set_with_link(*, person: User, now: datetime) -> None:
    """Record that somebody with a link has set the password of *person*.

    A site administrator may have made the link, or entered the e-mail address to which it was sent,
    also before the person had a role. As :func:`log_in_changed`.
    """
    _log_in_lines(person, person, now, WITH_A_LINK)


def lock_events_of(person: User) -> list[Tournament]:
    """Lock the tournaments in which *person* holds a role, in the order of their ids.

    Who changes a log-in locks them before the account, as everybody else does who locks both. One
    query, in a transaction.
    """
    # An event whose role nobody has accepted is perhaps none of the person's.
    there = Appointment.objects.filter(person=person, until=None, accepted=True)
    rows = Tournament.objects.select_for_update(of=("self",))
    return list(rows.filter(pk__in=there.values("tournament")).order_by("pk"))


def _log_in_lines(person: User, actor: User, now: datetime, reason: str) -> None:
    with transaction.atomic():
        for tournament in lock_events_of(person):
            if tournament.handed_over_at is not None:
                continue  # Its record goes on elsewhere, where this password opens nothing.
            role = Appointment.objects.get(tournament=tournament, person=person, until=None)
            action = OpenAction(tournament, actor, now, by_the_site=True)
            action.record(PasswordSet(before={}, after=described(role)), reason=reason)
