"""Find players who may be the same person: by the FIDE ID, the name without accents, and the date of birth."""

from __future__ import annotations

from pairing.rules.names import fold
from tournaments.entries.cells import ImportRow
from tournaments.models import Entry, Tournament


def entered_already(tournament: Tournament, newcomer: ImportRow) -> list[Entry]:
    """Return the entries of *tournament* who may be *newcomer*. One query."""
    return [
        entry for entry in Entry.objects.filter(tournament=tournament).order_by("pk") if same_player(newcomer, entry)
    ]


def may_be_one(one: ImportRow, other: ImportRow | Entry) -> bool:
    """Return whether two players with one name may be one person: not with two FIDE IDs or two dates of birth."""
    if one.fide_id is not None and other.fide_id is not None and one.fide_id != other.fide_id:
        return False
    # 00 is an unknown part.
    parts = zip(one.birth_date.split("/"), other.birth_date.split("/"), strict=False)
    return not any(a != b and a.strip("0") and b.strip("0") for a, b in parts)


def same_player(one: ImportRow, other: ImportRow | Entry) -> bool:
    """Return whether two players may be one person: the same name without accents, and :func:`may_be_one`."""
    return fold(one.name) == fold(other.name) and may_be_one(one, other)
