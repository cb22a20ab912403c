"""Permissions: the role of a person in a tournament, and what each role may do.

Every action of the record has one power (:mod:`pairing.rules.actions`), and every role some powers
(:data:`POWERS`). The services check the power when an action is opened and again when its line is
written; pages and buttons call the same predicates. An account has no power in a tournament to
which it is not appointed, not even that of a site administrator.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, TypeAlias

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from pairing.rules import powers
from tournaments.models import Action, Appointment, Role, Tournament
from tournaments.models.payloads import ActionUndone, AnyPayload

Visitor: TypeAlias = User | AnonymousUser


Power = powers.Power
POWERS: Final[Mapping[Role, frozenset[Power]]] = {role: powers.POWERS[role.value] for role in Role}


def may_create(user: Visitor) -> bool:
    """Return whether *user* may set up or import a tournament:
    everybody but people who sign in with a link only.
    """
    return (
        user.is_authenticated and user.is_active and (user.is_staff or user.has_usable_password())
    )


def may_check_venue(user: Visitor) -> bool:
    """Return whether *user* may ask if the venue is ready: administrators and Chief Arbiters."""
    if not may_create(user):
        return False
    return user.is_staff or (
        Appointment.objects.filter(
            person=user.pk, role=Role.CHIEF, until=None, accepted=True
        ).exists()
    )


def may_load_lists(user: Visitor) -> bool:
    """Return whether *user* may replace the rating lists of the site, which serve every tournament.

    Site administrators; with ``SWISS_RATING_LISTS=arbiters`` every Chief Arbiter too.
    """
    if settings.RATING_LISTS_BY_ARBITERS:
        return may_check_venue(user)
    return may_create(user) and user.is_staff


def may_take_over(user: Visitor) -> bool:
    """Return whether *user* may take over an event: site administrators with all rights.

    The file brings accounts, though none of them can log in by itself.
    """
    return user.is_authenticated and user.is_active and user.is_superuser


def role_of(user: Visitor, tournament: Tournament) -> Role | None:
    """Return the role of *user* in *tournament*, or None.

    One query for each instance of the tournament and user.
    """
    if not user.is_authenticated or not user.is_active:
        return None
    known: dict[int, Role | None] = tournament.__dict__.setdefault("_roles", {})
    if user.pk not in known:
        rows = Appointment.objects.filter(
            tournament=tournament.pk, person=user.pk, until=None, accepted=True
        )
        role = rows.values_list("role", flat=True).first()
        known[user.pk] = Role(role) if role else None
    return known[user.pk]


def read_roles(user: User, tournaments: Collection[Tournament]) -> None:
    """Read the roles of *user* in *tournaments*, for :func:`role_of`. One query."""
    rows = Appointment.objects.filter(
        tournament__in=tournaments, person=user.pk, until=None, accepted=True
    )
    roles = dict(rows.values_list("tournament_id", "role")) if user.is_active else {}
    for tournament in tournaments:
        role = roles.get(tournament.pk)
        tournament.__dict__.setdefault("_roles", {})[user.pk] = Role(role) if role else None


def may(user: Visitor, tournament: Tournament, power: Power) -> bool:
    """Return whether *user* has *power* in *tournament*."""
    role = role_of(user, tournament)
    return role is not None and power in POWERS[role]


def may_read(user: Visitor, tournament: Tournament) -> bool:
    """Return whether *user* may see drafts and the arbiters' pages."""
    return may(user, tournament, Power.READ)


def may_run(user: Visitor, tournament: Tournament) -> bool:
    """Return whether *user* is an arbiter, who pairs, publishes and enters results."""
    return may(user, tournament, Power.RUN)


def may_decide(user: Visitor, tournament: Tournament) -> bool:
    """Return whether *user* is the Chief Arbiter of *tournament* [C.04.2/2026 4.3, 4.4]."""
    return may(user, tournament, Power.DECIDE)


def power_for(payload: AnyPayload) -> Power:
    """Return the power that the action of *payload* needs; an undo: that of the undone one."""
    if isinstance(payload, ActionUndone):
        return Action(payload.after["action"]).row.power
    return payload.action.row.power


def require_may_create(user: Visitor) -> None:
    """Raise ``PermissionDenied`` unless :func:`may_create`."""
    if not may_create(user):
        raise PermissionDenied


def require_may_take_over(user: Visitor) -> None:
    """Raise ``PermissionDenied``, with who can do it, unless :func:`may_take_over`."""
    if not may_take_over(user):
        raise PermissionDenied(
            _(
                "Only the site administrator can take over an event: log in with the account of "
                "the first start."
            )
        )


def require_power(user: Visitor, tournament: Tournament, *needed: Power) -> None:
    """Raise ``PermissionDenied`` unless *user* has one of *needed*.

    A person with a role learns who can do this.
    """
    role = role_of(user, tournament)
    if role is None:
        raise PermissionDenied
    if not POWERS[role].isdisjoint(needed):
        return
    if needed == (Power.DECIDE,):
        raise PermissionDenied(
            _(
                "Only the Chief Arbiter of this tournament can decide this. Nothing was changed: "
                "ask the Chief Arbiter."
            )
        )
    raise PermissionDenied(
        _("Your role in this tournament does not allow this. Nothing was changed: ask an arbiter.")
    )


def require_may_run(user: Visitor, tournament: Tournament) -> None:
    """Raise ``PermissionDenied`` unless :func:`may_run`."""
    require_power(user, tournament, Power.RUN)


def require_may_decide(user: Visitor, tournament: Tournament) -> None:
    """Raise ``PermissionDenied`` unless :func:`may_decide`."""
    require_power(user, tournament, Power.DECIDE)
