"""Turn Django's field validation into :class:`BadInput`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from django.core.exceptions import ValidationError
from django.db.models import Model

from tournaments.core.errors import BadInput


def set_fields(
    instance: Model, fields: Mapping[str, object], allowed: Collection[str]
) -> list[str]:
    """Set *fields* on *instance* and return the names that changed.

    ``BadInput`` for one that is not *allowed*.
    """
    changed = []
    for name, value in fields.items():
        if name not in allowed:
            raise BadInput("field.unknown", field=name, name=name)
        if getattr(instance, name) != value:
            setattr(instance, name, value)
            changed.append(name)
    return changed


def require_federation(code: str) -> None:
    """Refuse a *code* of a federation that is neither empty nor three capital letters,
    as FIDE writes them.
    """
    if code and not re.fullmatch("[A-Z]{3}", code):
        raise BadInput("csv.federation_unknown", field="federation", value=code)


def validate(instance: Model, names: Iterable[str]) -> None:
    """Check the fields *names* of *instance*; raise ``BadInput``
    (``field.invalid``) for the first that is wrong.
    """
    others = {field.name for field in instance._meta.fields} - set(names)
    try:
        instance.clean_fields(exclude=others)
    except ValidationError as error:
        name, messages = next(iter(error.message_dict.items()))
        raise BadInput("field.invalid", field=name, problem=" ".join(messages)) from error
