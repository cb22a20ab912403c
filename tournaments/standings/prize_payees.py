"""List everybody who gets a prize once, for receipts and signatures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tournaments.standings.prizes import PrizeList


@dataclass(slots=True)
class Payee:
    """A player or a club with all prizes: the sum in cents, the prizes in kind, the categories."""

    name: str
    amount: int = 0
    things: list[str] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)

    @property
    def thing(self) -> str:
        return ", ".join(self.things)


def payees(prizes: PrizeList, sections: Mapping[int, str] | None = None) -> list[Payee]:
    """Return the winners of *prizes* with their whole names, in the order of the prize list.

    *sections* are the names of the sections by tournament, for the prizes of an event.
    """
    entries = {entry.pk: entry for entry in (prizes.entries or {}).values()}
    found: dict[int | str, Payee] = {}
    for of in prizes.categories:
        for winner in of.winners:
            entry = entries[winner.entry_id]
            number = f"{(sections or {}).get(entry.tournament_id, '')} {entry.tpn}".strip()
            payee = found.setdefault(winner.entry_id, Payee(f"{entry.real_name} ({number})"))
            _add(payee, of.heading, winner.amount, winner.thing)
        for award in of.teams:
            payee = found.setdefault(award.team.name, Payee(award.team.name))
            _add(payee, of.heading, award.amount, award.thing)
    return list(found.values())


def _add(payee: Payee, heading: str, amount: int, thing: str) -> None:
    payee.amount += amount
    if thing:
        payee.things.append(thing)
    payee.categories.append(heading)
