"""The titles that the chief arbiter claims for players by place or result, for the sheet IT4
[B.01/2024 1.2, 1.10].

FIDE's Table for Direct Titles decides which title a place gains; the program does not have it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction

from pairing.ratings.editions import NormEdition
from tournaments.core.actions import lock_if_live
from tournaments.core.permissions import may_run
from tournaments.models import Entry, Sex, Tournament

TITLES: Final = ("GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM")
NORM: Final = " norm"
"""What follows the title of a norm: ``GM norm`` counts as nine games."""
CLAIMS: Final = (*TITLES, *(f"{title}{NORM}" for title in ("GM", "IM", "WGM", "WIM")))
LONGEST: Final = 60


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


def claims_of(tournament: Tournament) -> dict[int, TitleClaim]:
    """Return the claims by the number of the entry; one that cannot be read, in an event from a
    file made by hand, is left out.
    """
    found = {}
    for number, values in tournament.title_claims.items():
        texts = {name: values.get(name, "") for name in ("title", "group", "result", "remarks")}
        if number.isdigit() and texts["title"] in CLAIMS:
            found[int(number)] = TitleClaim(**{name: str(text) for name, text in texts.items()})
    return found


def is_possible(claimed: TitleClaim, entry: Entry) -> bool:
    """Return whether *entry* can get the title: not a title that the player holds, and titles for
    women for women only.
    """
    held = {entry.title, entry.women_title}
    is_for_women = claimed.of_title.startswith("W")
    return claimed.of_title not in held and not (is_for_women and entry.sex == Sex.MAN)


def rating_needed(claimed: TitleClaim, entry: Entry, edition: NormEdition) -> int | None:
    """Return the rating without which the title is conditional, if that of *entry* is lower
    [B.01/2024 0.6.2]; None for a norm.

    An earlier rating counts too, which the program does not know.
    """
    needed = edition.direct_ratings[claimed.of_title]
    return None if claimed.is_norm or (entry.fide_rating or 0) >= needed else needed


@transaction.atomic
def claims_save(
    *, tournament_id: int, actor: User, claims: Mapping[int, TitleClaim | None]
) -> None:
    """Save *claims* by entry; None removes one, other players keep theirs. Nothing is saved in a
    copy that was handed over.

    No action of the record: nothing in the tournament depends on them, and they are needed after
    its end. ``PermissionDenied`` unless *actor* is an arbiter of the tournament. Two queries.
    """
    tournament = lock_if_live(pk=tournament_id)
    if tournament is None:
        return
    if not may_run(actor, tournament):
        raise PermissionDenied
    saved = dict(tournament.title_claims)
    for number, claimed in claims.items():
        if claimed is None:
            saved.pop(str(number), None)
        else:
            saved[str(number)] = asdict(claimed)
    tournament.title_claims = saved
    tournament.save(update_fields=["title_claims"])
