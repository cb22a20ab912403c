"""Titles by place or result: which one a player can get, and when it is conditional
[B.01/2024 0.6.2, 1.2].

FIDE's Table for Direct Titles decides which title a place gains; the program does not have it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from .editions import NormEdition, Title

OPEN_TITLES: Final = ("GM", "IM", "FM", "CM")
WOMENS_TITLES: Final = ("WGM", "WIM", "WFM", "WCM")
"""The titles from the highest to the lowest."""
TITLES: Final = (*OPEN_TITLES, *WOMENS_TITLES)
NORM: Final = " norm"
"""What follows the title of a norm: ``GM norm`` counts as nine games."""
CLAIMS: Final = (*TITLES, *(f"{title.value}{NORM}" for title in Title))


@dataclass(frozen=True, slots=True)
class TitleClaim:
    """A claimed title or norm, one of :data:`CLAIMS`: the group of the championship, the medal or
    result in words, and remarks may be empty.
    """

    title: str
    group: str = ""
    result: str = ""
    remarks: str = ""

    @property
    def is_norm(self) -> bool:
        return self.title.endswith(NORM)

    @property
    def of_title(self) -> str:
        """The title, also of a norm."""
        return self.title.removesuffix(NORM)


def is_possible(claimed: TitleClaim, held: Collection[str], *, is_man: bool) -> bool:
    """Return whether a player with the titles *held* can get the title: a higher one than those of
    its kind, nothing above GM, and titles for women for women only [B.01/2024 1.2].

    A woman who is IM can get WGM: the lists of FIDE have a column for each kind.
    """
    is_for_women = claimed.of_title in WOMENS_TITLES
    kind = WOMENS_TITLES if is_for_women else OPEN_TITLES
    not_below = {"GM", *kind[: kind.index(claimed.of_title) + 1]}
    return not_below.isdisjoint(held) and not (is_for_women and is_man)


def rating_needed(claimed: TitleClaim, rating: int | None, edition: NormEdition) -> int | None:
    """Return the rating without which the title is conditional, if the standard *rating* is lower
    [B.01/2024 0.6.2]; None for a norm.

    An earlier rating counts too, which the program does not know.
    """
    needed = edition.direct_ratings[claimed.of_title]
    return None if claimed.is_norm or (rating or 0) >= needed else needed
