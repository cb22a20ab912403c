"""What the pairing numbers would be if they were assigned now."""

from __future__ import annotations

from dataclasses import dataclass

from pairing.rules.initial_order import Participant, initial_order, may_assign_numbers
from pairing.rules.verdict import Refused
from tournaments.bridge import round_facts
from tournaments.models import Entry, ListState, Tournament


@dataclass(frozen=True, slots=True)
class NumberLine:
    """One participant in the order of [C.04.2/2026 2.2]: the number he has, and the one he would get."""

    entry_id: int
    name: str
    title: str
    federation: str
    strength: int
    strength_source: str
    tpn: int | None
    proposed: int

    @property
    def changes(self) -> bool:
        return self.tpn != self.proposed


@dataclass(frozen=True, slots=True)
class NumberPreview:
    """``refused`` says why the numbers cannot be assigned now; None where they can."""

    lines: tuple[NumberLine, ...]
    refused: Refused | None
    definitive: bool

    @property
    def changed(self) -> int:
        return sum(line.changes for line in self.lines)

    @property
    def without_strength(self) -> int:
        """How many have no measure of strength: the Chief Arbiter should estimate it [C.04.2/2026 2.1]."""
        return sum(line.strength == 0 for line in self.lines)


def number_preview(tournament: Tournament) -> NumberPreview:
    """The order of strength, title and name, beside the numbers there are. Three queries."""
    entries = {entry.pk: entry for entry in Entry.objects.filter(tournament=tournament).order_by("pk")}
    ranked = initial_order(
        Participant(key=entry.pk, strength=entry.strength, title=entry.title, name=entry.name)
        for entry in entries.values()
    )
    verdict = may_assign_numbers(round_facts(tournament), participants=len(entries))
    return NumberPreview(
        lines=tuple(_line(entries[player.key], proposed) for proposed, player in enumerate(ranked, start=1)),
        refused=verdict if isinstance(verdict, Refused) else None,
        definitive=tournament.list_state == ListState.DEFINITIVE,
    )


def _line(entry: Entry, proposed: int) -> NumberLine:
    return NumberLine(
        entry_id=entry.pk,
        name=entry.name,
        title=entry.title,
        federation=entry.federation,
        strength=entry.strength,
        strength_source=entry.strength_source,
        tpn=entry.tpn,
        proposed=proposed,
    )
