"""The fields of an entry as a form or a file gives them, and as the record keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from tournaments.models import Entry, MissingAnswer
from tournaments.models.payload_data import EntryChange, EntryData


def unlike(one: EntryData, other: EntryData) -> EntryChange:
    """Return the data of *one* that differ in *other*, the same participant, and its name."""
    others: Mapping[str, object] = other
    changed = {name: value for name, value in one.items() if others[name] != value}
    return cast(EntryChange, changed | {"entry": one["entry"], "name": one["name"]})


def tidied(fields: Mapping[str, object]) -> dict[str, object]:
    """Return *fields* with texts stripped and the federation in capitals."""
    tidy = {name: value.strip() if isinstance(value, str) else value for name, value in fields.items()}
    federation = tidy.get("federation")
    if isinstance(federation, str):
        tidy["federation"] = federation.upper()
    return tidy


def ends_answer(entry: Entry) -> bool:
    """End the arbiter's answer about *entry* if the player is checked in; return whether it kept the player out."""
    if not entry.checked_in:
        return False
    answer, entry.answer = entry.answer, ""
    return answer == MissingAnswer.SKIP
