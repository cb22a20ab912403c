"""The clubs, federations and categories of prizes of the players, to filter public lists."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from pairing.engine.model import TPN
from pairing.rules.names import fold
from tournaments.core.frame import Frame
from tournaments.models import Entry
from tournaments.standings.prize_conditions import heading_of
from tournaments.standings.prize_plan import plan_of
from tournaments.standings.prizes import categories_of
from tournaments.standings.prospects import public_members

CATEGORY = "category "
CLUB = "club "
FEDERATION = "fed "
MOST_LETTERS = 100
"""As many as addresses have of a search."""


@dataclass(frozen=True, slots=True)
class Group:
    """Players who belong together: the ``key`` in addresses, the ``name``, and the entry ids."""

    key: str
    name: str
    entries: frozenset[int]


@dataclass(frozen=True, slots=True)
class Groups:
    """All groups of a tournament; federations and clubs by name, categories in their order."""

    federations: tuple[Group, ...]
    clubs: tuple[Group, ...]
    categories: tuple[Group, ...]

    def find(self, key: str) -> Group:
        """Return the group with *key*, however written; one without players if none."""
        kind, _, name = key.partition(" ")
        wanted = f"{kind} {fold(name)}"
        listed = (*self.federations, *self.clubs, *self.categories)
        found = (group for group in listed if group.key == wanted)
        return next(found, Group(key, name, frozenset()))


def player_groups(frame: Frame) -> Groups:
    """Return the groups of the players with a number. At most three queries.

    The members of a category are those whom everybody may know (:func:`public_members`).
    """
    tournament = frame.tournament
    entries = list(Entry.objects.filter(tournament=tournament, tpn__isnull=False))
    by_number = {TPN(entry.tpn or 0): entry for entry in entries}
    plan = plan_of(tournament)
    categories = categories_of(plan, by_number, tournament.start_date)
    return Groups(
        _named(FEDERATION, ((entry.federation, entry.pk) for entry in entries)),
        _named(CLUB, ((entry.club, entry.pk) for entry in entries)),
        tuple(
            Group(
                f"{CATEGORY}{place}",
                heading_of(line),
                frozenset(
                    by_number[tpn].pk
                    for tpn in public_members(line, category, by_number, tournament.start_date)
                ),
            )
            for place, (line, category) in enumerate(
                zip(plan.categories, categories, strict=True), start=1
            )
            if line.conditions
        ),
    )


def _named(kind: str, players: Iterable[tuple[str, int]]) -> tuple[Group, ...]:
    """Return a group for each name; two spellings with other capitals or accents are one."""
    members: defaultdict[str, set[int]] = defaultdict(set)
    names: dict[str, str] = {}
    for name, entry in players:
        if name:
            members[names_key := fold(name)].add(entry)
            names.setdefault(names_key, name)
    return tuple(
        Group(f"{kind}{key}"[:MOST_LETTERS].rstrip(), names[key], frozenset(members[key]))
        for key in sorted(members)
    )
