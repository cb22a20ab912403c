"""The fields of an entry as a form or a file gives them, and as the record keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from pairing.rules.names import initials_of
from tournaments.core.birth_dates import birth_date_of
from tournaments.models import Entry, MissingAnswer
from tournaments.models.payload_data import EntryChange, EntryData


def unlike(one: EntryData, other: EntryData) -> EntryChange:
    """Return the data of *one* that differ in *other*, the same participant, and its name.

    The whole name of a player who is shown with initials is always there: with it the FIDE ID is
    private.
    """
    others: Mapping[str, object] = other
    changed = {name: value for name, value in one.items() if others[name] != value}
    whole = {"full_name": one["full_name"]} if one["full_name"] else {}
    return cast(EntryChange, changed | whole | {"entry": one["entry"], "name": one["name"]})


def tidied(fields: Mapping[str, object]) -> dict[str, object]:
    """Return *fields* stripped, federation in capitals, birth date as ``YYYY/MM/DD``.

    ``BadInput`` for a birth date that cannot be read.
    """
    tidy = {
        name: value.strip() if isinstance(value, str) else value for name, value in fields.items()
    }
    federation = tidy.get("federation")
    if isinstance(federation, str):
        tidy["federation"] = federation.upper()
    birth_date = tidy.get("birth_date")
    if isinstance(birth_date, str) and birth_date:
        tidy["birth_date"] = birth_date_of(birth_date, "birth_date")
    return tidy


def with_initials(entry: Entry, fields: Mapping[str, object]) -> dict[str, object]:
    """Return *fields* with the name for everybody, and the whole name if it is initials.

    ``name`` in *fields* is the whole name, and ``initials`` whether the player wants to be shown
    with initials. Without them *entry* stays as it is; the initials of *entry* in the place of a
    name change nothing, because a program may send back what it has read. With ``full_name`` the
    fields are as the record has them, and stay.
    """
    given = dict(fields)
    if "full_name" in given:
        return given
    wanted = bool(given.pop("initials", bool(entry.full_name)))
    name = str(given.pop("name", entry.real_name))
    if entry.full_name and name == entry.name:
        name = entry.full_name
    return given | (
        {"name": initials_of(name), "full_name": name}
        if wanted
        else {"name": name, "full_name": ""}
    )


def ends_answer(entry: Entry) -> bool:
    """End the answer about *entry* if checked in; return whether it kept the player out."""
    if not entry.checked_in:
        return False
    answer, entry.answer = entry.answer, ""
    return answer == MissingAnswer.SKIP
