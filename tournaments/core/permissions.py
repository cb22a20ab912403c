"""Who may do what: one predicate per action, asked by the services and by the pages that show the buttons."""

from __future__ import annotations

from typing import TypeAlias

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from tournaments.models import Tournament

Visitor: TypeAlias = User | AnonymousUser


def may_create(user: Visitor) -> bool:
    """Whether *user* may set up or import a tournament: whoever has an account."""
    return user.is_authenticated and user.is_active


def may_run(user: Visitor, tournament: Tournament) -> bool:
    """Whether *user* runs *tournament*: sees drafts, pairs, publishes, enters results. Its creator, or staff."""
    if not user.is_authenticated or not user.is_active:
        return False
    return user.is_staff or tournament.created_by_id == user.pk


def may_decide(user: Visitor, tournament: Tournament) -> bool:
    """Whether *user* decides what the rules leave to the chief arbiter [C.04.2/2026 4.3, 4.4].

    Whoever set the tournament up is its chief arbiter here; of the others who may run it only the superuser.
    """
    if not user.is_authenticated or not user.is_active:
        return False
    return user.is_superuser or tournament.created_by_id == user.pk


def require_may_create(user: Visitor) -> None:
    """Raise ``PermissionDenied`` unless :func:`may_create`."""
    if not may_create(user):
        raise PermissionDenied


def require_may_run(user: Visitor, tournament: Tournament) -> None:
    """Raise ``PermissionDenied`` unless :func:`may_run`."""
    if not may_run(user, tournament):
        raise PermissionDenied


def require_may_decide(user: Visitor, tournament: Tournament) -> None:
    """Raise ``PermissionDenied`` unless :func:`may_decide`; to who runs the tournament it says whose decision it is."""
    if not may_decide(user, tournament):
        told = _("Only the Chief Arbiter of this tournament decides this. Nothing was changed: ask the Chief Arbiter.")
        raise PermissionDenied(*([told] if may_run(user, tournament) else []))
