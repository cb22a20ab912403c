"""The name of a player on a page of several sections, for a person with a role in some of them."""

from __future__ import annotations

from collections.abc import Container

from django import template

from tournaments.models import Entry

register = template.Library()


@register.filter
def name_for(entry: Entry, own: Container[int]) -> str:
    """Return the name of *entry*: whole only in *own*, the ids of
    tournaments in which the reader has a role.

    There it has what tells the player apart from a namesake.
    """
    return entry.name_apart if entry.tournament_id in own else entry.name
