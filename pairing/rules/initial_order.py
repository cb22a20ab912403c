"""The ranking before the first round, from which the numbers come [C.04.2/2026 2.2, 2.3]."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from .names import fold
from .rounds import RoundFacts, Stage, are_final, last_paired
from .verdict import ALLOWED, Refused, Verdict

TITLES: Final = ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM", "")
"""FIDE titles, the highest first; the empty one is no title [C.04.2/2026 2.2.2]."""

LAST_ROUND_BEFORE_FREEZE: Final = 4
"""No number changes for corrected data after this round is paired [C.04.2/2026 2.3]."""


@dataclass(frozen=True, slots=True)
class Participant:
    """What the ranking looks at. ``key`` is the caller's own name for the player, in order of entry.

    ``third`` stands between title and name, the smaller first, where the regulations have replaced the alphabet by
    another criterion [C.04.2/2026 2.2.3]; else it is the same for all.
    """

    key: int
    strength: int
    title: str
    name: str
    third: int = 0


def initial_order(participants: Iterable[Participant]) -> tuple[Participant, ...]:
    """The participants ranked by strength, then title, then the third criterion, then name; the first gets TPN 1.

    Two people equal in all of these stay in order of entry. A title that is not in
    :data:`TITLES` raises ``ValueError``. Source: [C.04.2/2026 2.2, 2.3].
    """
    return tuple(sorted(participants, key=_rank))


def with_late_entries(newcomers: Iterable[Participant], numbered: Iterable[Participant]) -> list[Participant]:
    """The participants in the order of their TPNs, from 1, once *newcomers* have joined those who are *numbered*.

    "An appropriate TPN" [C.04.2/2026 2.4] is the one the player would have had from the start: newcomers enter one
    after the other, each below everybody ranked higher, and those below move down by one. The others stay in the order
    they have, even where it is not the ranking any more.
    """
    order = list(numbered)
    ranks = sorted(map(_rank, order))
    for newcomer in newcomers:
        rank = _rank(newcomer)
        place = bisect_left(ranks, rank)
        ranks.insert(place, rank)
        order.insert(place, newcomer)
    return order


def may_assign_numbers(rounds: Sequence[RoundFacts], *, participants: int, ever_paired: int = 0) -> Verdict:
    """Whether the numbers may be (re)assigned from the data as they are now.

    Data are corrected at any time, but no number changes for that after the fourth round has been paired
    [C.04.2/2026 2.3]. *ever_paired* is the last round that ever had a pairing: a draft that was read and discarded is
    one too, or numbers could be chosen by what they lead to. After the last round the standings are final.
    """
    if participants == 0:
        return Refused("numbers.nobody", "C.04.2 2.2")
    if max(ever_paired, last_paired(rounds)) >= LAST_ROUND_BEFORE_FREEZE:
        return Refused("numbers.frozen", "C.04.2 2.3", {"round": LAST_ROUND_BEFORE_FREEZE})
    if are_final(rounds):
        return Refused("numbers.final", "C.04.2 2.3")
    return ALLOWED


def may_change_strength(rounds: Sequence[RoundFacts], *, over_rating: bool, decides: bool, article: str) -> Verdict:
    """Whether the data that rank a player (strength, title) may change without a correction once round 1 was paired.

    They can change pairings, and places where a tie-break goes by ratings: the Chief Arbiter estimates
    [C.04.2/2026 2.1] (*decides*: it is the Chief Arbiter who acts). *over_rating*: an estimate takes the place of a
    known rating, which is a correction once results are published, under *article* [C.04.2/2026 4.3.3]. The final
    standings are changed by corrections only.
    """
    if are_final(rounds):
        return Refused("strength.final", article)
    if over_rating and any(facts.stage is Stage.RESULTS for facts in rounds):
        return Refused("rating.results_published", article)
    return ALLOWED if decides else Refused("strength.chief_arbiter_decides", "C.04.2 2.1")


def list_for_all(ratings: Iterable[tuple[int | None, int | None]]) -> str:
    """The rating list in which everybody stands, of (FIDE, national): ``"fide"``, else ``"national"``, else ``""``.

    "If one rating list is available for all participating players, then this rating list should be used"
    [C.04.2/2026 2.1].
    """
    rows = list(ratings)
    for name, place in (("fide", 0), ("national", 1)):
        if rows and all(row[place] for row in rows):
            return name
    return ""


def _rank(participant: Participant) -> tuple[int, int, int, str, str, int]:
    name, title = participant.name, TITLES.index(participant.title)
    return -participant.strength, title, participant.third, fold(name), name, participant.key
