"""Find players who may be the same person: by the FIDE ID, the name without accents, and the date of birth."""

from __future__ import annotations

from collections import defaultdict

from pairing.rules.names import fold
from tournaments.entries.cells import ImportRow
from tournaments.models import Entry, Tournament


class Players:
    """The players of a list, found by name and by FIDE ID in a time that does not grow with the list."""

    def __init__(self) -> None:
        self._by_name: dict[str, list[ImportRow | Entry]] = defaultdict(list)
        self._by_id: dict[int, str] = {}

    @classmethod
    def of(cls, tournament: Tournament) -> Players:
        """Return the players of *tournament* in the order of their entry. One query."""
        players = cls()
        for entry in Entry.objects.filter(tournament=tournament).order_by("pk"):
            players.add(entry)
        return players

    def add(self, player: ImportRow | Entry) -> None:
        """Add *player* after the others."""
        self.add_namesake(player)
        if player.fide_id:
            self._by_id.setdefault(player.fide_id, real_name(player))

    def add_namesake(self, player: ImportRow | Entry) -> None:
        """Add *player*, to be found only by name."""
        self._by_name[fold(real_name(player))].append(player)

    def with_fide_id(self, fide_id: int | None) -> str:
        """Return the name of the player with *fide_id*; empty if there is none."""
        return self._by_id.get(fide_id, "") if fide_id else ""

    def who_may_be(self, newcomer: ImportRow) -> list[ImportRow | Entry]:
        """Return the players who may be *newcomer*: the same name without accents, and :func:`may_be_one`."""
        return [player for player in self._by_name.get(fold(newcomer.name), []) if may_be_one(newcomer, player)]


def real_name(player: ImportRow | Entry) -> str:
    """Return the whole name of *player*."""
    return player.real_name if isinstance(player, Entry) else player.name


def may_be_one(one: ImportRow, other: ImportRow | Entry) -> bool:
    """Return whether two players with one name may be one person: not with two FIDE IDs or two dates of birth."""
    if one.fide_id is not None and other.fide_id is not None and one.fide_id != other.fide_id:
        return False
    # 00 is an unknown part.
    parts = zip(one.birth_date.split("/"), other.birth_date.split("/"), strict=False)
    return not any(a != b and a.strip("0") and b.strip("0") for a, b in parts)
