"""How explanations call people: by number alone, or by number and name, as arbiters speak."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

Names = Mapping[int, str]
"""The names of the players by TPN; a player without a name is called by number."""

NUMBERS_ONLY: Final[Names] = MappingProxyType({})

LONGEST_NAMED_LIST: Final = 8
"""Of more players a list gives the numbers: a scoregroup of thirty is found by number,
not read by name.
"""


def called(tpn: int | None, names: Names) -> str:
    """``12 Petrosian, Tigran``; ``12`` where no name is known; nothing for nobody."""
    if tpn is None:
        return ""
    return f"{tpn} {names.get(tpn, '')}".rstrip()


def called_all(tpns: Sequence[int], names: Names, details: Sequence[str] = ()) -> str:
    """List the players, each with its item of *details* (`` (BSN 1)``); empty without any.

    Names contain a comma, so a semicolon separates two of them.
    """
    texts = details or [""] * len(tpns)
    spoken = names if len(tpns) <= LONGEST_NAMED_LIST else NUMBERS_ONLY
    between = "; " if any(tpn in spoken for tpn in tpns) else ", "
    return between.join(
        called(tpn, spoken) + detail for tpn, detail in zip(tpns, texts, strict=True)
    )
