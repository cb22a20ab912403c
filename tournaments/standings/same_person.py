"""Recognise a person in several sections of an event."""

from __future__ import annotations

from pairing.rules.names import fold
from tournaments.models import Entry


def same_person(entry: Entry) -> object:
    """Return what is the same for the entries of one person in several sections: the FIDE ID, else
    name and birth date. Without either, each entry is a person of its own.
    """
    if entry.fide_id:
        return entry.fide_id
    return (fold(entry.real_name), entry.birth_date) if entry.birth_date else -entry.pk
