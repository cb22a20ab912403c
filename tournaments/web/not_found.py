"""What a public list says under a search for several names, when some of them are found."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from pairing.rules.name_search import names_not_found


class Listed(Protocol):
    """A player as a list shows it."""

    @property
    def name(self) -> str: ...
    @property
    def club(self) -> str: ...
    @property
    def federation(self) -> str: ...
    @property
    def tpn(self) -> int | None: ...


def not_found(players: Iterable[Listed], typed: str) -> str:
    """Return the names in *typed* that fit none of the *players* found for it, with commas."""
    missing = names_not_found(
        players,
        typed,
        text_of=lambda player: f"{player.name} {player.club} {player.federation}",
        numbers_of=lambda player: (player.tpn,),
    )
    return ", ".join(missing)
