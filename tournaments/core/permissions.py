"""Permissions: one predicate per action, used by the services and by the pages with the buttons."""

from __future__ import annotations

from typing import TypeAlias

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from tournaments.models import Tournament

Visitor: TypeAlias = User | AnonymousUser


def may_create(user: Visitor) -> bool:
    """Return whether *user* may set up or import a tournament: every account may."""
    return user.is_authenticated and user.is_active


def may_run(user: Visitor, tournament: Tournament) -> bool:
    """Return whether *user* is an arbiter of *tournament*: its creator, or staff.

    An arbiter sees drafts, pairs, publishes and enters results.
    """
    if not user.is_authenticated or not user.is_active:
        return False
    return user.is_staff or tournament.created_by_id == user.pk


def may_decide(user: Visitor, tournament: Tournament) -> bool:
    """Return whether *user* may take the decisions that the rules leave to the Chief Arbiter [C.04.2/2026 4.3, 4.4].

    The creator of the tournament is its Chief Arbiter; of the other arbiters only the superuser may decide.
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
    """Raise ``PermissionDenied`` unless :func:`may_decide`. A deputy learns that the Chief Arbiter decides."""
    if not may_decide(user, tournament):
        told = _(
            "Only the Chief Arbiter of this tournament can decide this. Nothing was changed: ask the Chief Arbiter."
        )
        raise PermissionDenied(*([told] if may_run(user, tournament) else []))
