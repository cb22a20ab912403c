"""Find who may be the same person: by FIDE ID, name without accents, and birth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Generic, TypeVar

from pairing.rules.names import in_any_order, written
from tournaments.core.namesakes import facts_of
from tournaments.entries.cells import ImportRow
from tournaments.models import Entry, Tournament

Named = TypeVar("Named")


class Names(Generic[Named]):
    """Things found by the name of a player, in a time that does not grow with their number.

    A name is found without accents and as FIDE writes it: Mueller finds Müller. "Bo Birch" finds
    "Birch, Bo" only as another order of the words: one of two such names must be without a comma,
    because Li, Wei is not Wei, Li.
    """

    def __init__(self) -> None:
        self._written: dict[str, list[Named]] = defaultdict(list)
        self._any_order: dict[str, list[tuple[str, Named]]] = defaultdict(list)

    def add(self, name: str, named: Named) -> None:
        """Add *named* after the others."""
        for key in written(name):
            self._written[key].append(named)
        for key in set(in_any_order(name)):
            self._any_order[key].append((name, named))

    def same(self, name: str) -> list[Named]:
        """Return what has *name*, in the order of adding."""
        return _once(each for key in written(name) for each in self._written.get(key, ()))

    def turned(self, name: str) -> list[Named]:
        """Return what has the words of *name* in another order, where that can be the same name."""
        same = {id(each) for each in self.same(name)}
        return [
            each
            for each in _once(
                named
                for key in in_any_order(name)
                for other, named in self._any_order.get(key, ())
                if "," not in name or "," not in other
            )
            if id(each) not in same
        ]


def _once(several: Iterable[Named]) -> list[Named]:
    return list({id(each): each for each in several}.values())


class Players:
    """The players of a list, found by name and FIDE ID in a time independent of its length."""

    def __init__(self) -> None:
        self._by_name: Names[ImportRow | Entry] = Names()
        self._by_id: dict[int, str] = {}

    @classmethod
    def from_tournament(cls, tournament: Tournament) -> Players:
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
        self._by_name.add(real_name(player), player)

    def with_fide_id(self, fide_id: int | None) -> str:
        """Return the name of the player with *fide_id*; empty if there is none."""
        return self._by_id.get(fide_id, "") if fide_id else ""

    def who_may_be(self, newcomer: ImportRow) -> list[ImportRow | Entry]:
        """Return who may be *newcomer*: the same name, in any order, and :func:`may_be_one`."""
        named = self._by_name.same(newcomer.name) + self._by_name.turned(newcomer.name)
        return [player for player in named if may_be_one(newcomer, player)]


def real_name(player: ImportRow | Entry) -> str:
    """Return the whole name of *player*."""
    return player.real_name if isinstance(player, Entry) else player.name


def named_with_facts(player: ImportRow | Entry) -> str:
    """Return the whole name of *player* with the facts to compare with a newcomer."""
    facts = facts_of(player) if isinstance(player, Entry) else ""
    return f"{real_name(player)} ({facts})" if facts else real_name(player)


def may_be_one(one: ImportRow, other: ImportRow | Entry) -> bool:
    """Return whether two of one name may be one person: not with two IDs or birth dates."""
    if one.fide_id is not None and other.fide_id is not None and one.fide_id != other.fide_id:
        return False
    # 00 is an unknown part.
    parts = zip(one.birth_date.split("/"), other.birth_date.split("/"), strict=False)
    return not any(a != b and a.strip("0") and b.strip("0") for a, b in parts)
