"""Find every table whose rows belong to a tournament:
the paths of foreign keys between each model and Tournament.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from django.apps import apps
from django.contrib.auth.models import User
from django.db.models import Model
from django.db.models.fields.related import ForeignKey

from tournaments.models import Event, Tournament

SHARED: Final = {Event: ("sections", "tournament")}
"""Rows that several tournaments have in common, with their way to one of them."""


def foreign_keys(model: type[Model]) -> list[ForeignKey[object, object]]:
    """Return the foreign keys of *model* to another model of the program;
    those that may be empty last.
    """
    found = [field for field in model._meta.concrete_fields if isinstance(field, ForeignKey)]
    ours = [field for field in found if field.related_model._meta.app_label == "tournaments"]
    return sorted(
        (field for field in ours if field.related_model is not model), key=lambda field: field.null
    )


@cache
def path_to_tournament(model: type[Model]) -> tuple[str, ...]:
    """Return the shortest way from *model* to its tournament as names of fields;
    ``("pk",)`` would be no way at all.

    Empty for :class:`Tournament`. Raise ``LookupError`` if no row of *model* belongs to a
    tournament.
    """
    if model is Tournament:
        return ()
    if model in SHARED:
        return SHARED[model]
    ways = []
    for field in foreign_keys(model):
        try:
            ways.append((field.name, *path_to_tournament(field.related_model)))
        except LookupError:
            continue
    if not ways:
        raise LookupError(model.__name__)
    return min(ways, key=len)


@cache
def models_of_tournaments() -> tuple[type[Model], ...]:
    """Return the models with a path to a tournament, those first to which others refer."""
    # A tournament refers to a player, its last of group A; the tests make no such reference next
    # door.
    found: list[type[Model]] = [Tournament]

    def add(model: type[Model]) -> None:
        if model in found:
            return
        for field in foreign_keys(model):
            add(field.related_model)
        found.append(model)

    for model in apps.get_app_config("tournaments").get_models():
        try:
            path_to_tournament(model)
        except LookupError:
            continue
        add(model)
    return tuple(found)


@cache
def conditions() -> dict[str, str]:
    """Return, by table, the condition for the rows of the tournament ``%s``;
    tables that others refer to come first.
    """
    held = {
        User._meta.db_table: "id = (SELECT created_by_id FROM tournaments_tournament WHERE id = %s)"
    }
    return held | {model._meta.db_table: _condition(model) for model in models_of_tournaments()}


def _condition(model: type[Model]) -> str:
    if model is Tournament:
        return "id = %s"
    first, *rest = path_to_tournament(model)
    if model is Event:
        return "id IN (SELECT event_id FROM tournaments_section WHERE tournament_id = %s)"
    field = model._meta.get_field(first)
    assert isinstance(field, ForeignKey)
    if not rest:
        return f"{field.column} = %s"
    other = field.related_model
    return f"{field.column} IN (SELECT id FROM {other._meta.db_table} WHERE {_condition(other)})"  # noqa: S608
