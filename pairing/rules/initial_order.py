"""Rank the players before round 1 and assign pairing numbers [C.04.2/2026 2.2, 2.3]."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from .names import fold
from .rounds import RoundFacts, RoundState, is_over, last_paired
from .verdict import ALLOWED, Refused, Verdict

TITLES: Final = ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM", "")
"""FIDE titles from the highest to the lowest;
the empty string means no title [C.04.2/2026 2.2.2].
"""

LAST_ROUND_BEFORE_FREEZE: Final = 4
"""Once this round is paired, corrected data no longer change any number [C.04.2/2026 2.3]."""


@dataclass(frozen=True, slots=True)
class Participant:
    """The data used for the ranking. ``key`` names the player, in order of entry.

    ``third`` is compared after the title and before the name, the smaller first. It is used where
    the regulations replace the alphabet by another criterion [C.04.2/2026 2.2.3]; otherwise it is
    the same for all players.
    """

    key: int
    rating: int
    title: str
    name: str
    third: int = 0


def initial_order(participants: Iterable[Participant]) -> tuple[Participant, ...]:
    """Return the participants by rating, title, third criterion and name; the first is TPN 1.

    Participants equal in all of these stay in order of entry. Raise ``ValueError`` for a title that
    is not in :data:`TITLES`. Source: [C.04.2/2026 2.2, 2.3].
    """
    return tuple(sorted(participants, key=_rank))


def are_numbers_fixed(rounds: Sequence[RoundFacts], *, ever_paired: int = 0) -> bool:
    """Return whether corrected data change no number: round 4 was paired [C.04.2/2026 2.3].

    *ever_paired* is the last round that ever had a pairing. A draft that was discarded counts too;
    otherwise an arbiter could choose the numbers by the pairings they give.
    """
    return max(ever_paired, last_paired(rounds)) >= LAST_ROUND_BEFORE_FREEZE


def list_closes_itself(
    published: int, total_rounds: int, *, last_late_round: int | None = None
) -> bool:
    """Return whether the list closes with the pairings of *published* [C.04.2/2026 2.5].

    That is the moment at which nobody can enter any more [C.04.2/2026 2.4] and corrected data
    change no number [C.04.2/2026 2.3]: the last round, or an earlier one if *last_late_round* is
    the last one for which the edition accepts a late entry [C.04.2/2017 C.2].
    """
    last_entry = min(last_late_round or total_rounds, total_rounds)
    return published >= max(last_entry, min(LAST_ROUND_BEFORE_FREEZE, total_rounds))


def with_late_entries(
    newcomers: Iterable[Participant], numbered: Iterable[Participant]
) -> list[Participant]:
    """Return the participants by TPN, after *newcomers* have joined the *numbered* ones.

    "An appropriate TPN" [C.04.2/2026 2.4] is the number that the player would have had from the
    start. Newcomers are inserted one after the other, each below all players ranked higher, and the
    players below move down by one. The others keep their present order, even if it is no longer the
    ranking. That holds after round 4 too: the last sentence of [C.04.2/2026 2.3] is about corrected
    data.
    """
    order = list(numbered)
    ranks = sorted(map(_rank, order))
    for newcomer in newcomers:
        rank = _rank(newcomer)
        place = bisect_left(ranks, rank)
        ranks.insert(place, rank)
        order.insert(place, newcomer)
    return order


def may_assign_numbers(
    rounds: Sequence[RoundFacts], *, participants: int, ever_paired: int = 0
) -> Verdict:
    """Check whether the numbers may be assigned, or assigned again, from the present data.

    Data may be corrected at any time, but this changes no number once the fourth round has been
    paired [C.04.2/2026 2.3] (:func:`are_numbers_fixed`, also for *ever_paired*). After the last
    round the standings are final.
    """
    if participants == 0:
        return Refused("numbers.nobody", "C.04.2 2.2")
    if are_numbers_fixed(rounds, ever_paired=ever_paired):
        return Refused("numbers.frozen", "C.04.2 2.3", {"round": LAST_ROUND_BEFORE_FREEZE})
    if is_over(rounds):
        return Refused("numbers.final", "C.04.2 2.3")
    return ALLOWED


def may_change_rating(
    rounds: Sequence[RoundFacts], *, over_rating: bool, decides: bool, article: str
) -> Verdict:
    """Check whether the rating or title of a player may be edited without
    a correction once round 1 has been paired.

    They can change pairings, and places if a tie-break uses ratings. The Chief Arbiter estimates
    the rating [C.04.2/2026 2.1] (*decides*: the Chief Arbiter is acting). *over_rating*: an
    estimate replaces a known rating, which takes a correction under *article* once results are
    published [C.04.2/2026 4.3.3]. Only corrections change the final standings.
    """
    if is_over(rounds):
        return Refused("rating.final", article)
    if over_rating and any(facts.state is RoundState.RESULTS_PUBLISHED for facts in rounds):
        return Refused("rating.results_published", article)
    return ALLOWED if decides else Refused("rating.chief_arbiter_decides", "C.04.2 2.1")


def may_rename(*, decides: bool) -> Verdict:
    """Check whether a player may get a name that moves the player in the
    initial order once round 1 has been paired.

    Players of equal rating and title are ordered by name [C.04.2/2026 2.2.3]. Another name could
    choose the pairings of a draft that was read, so it is for the Chief Arbiter (*decides*). A name
    that leaves the order unchanged is ordinary data.
    """
    return ALLOWED if decides else Refused("name.chief_arbiter_decides", "C.04.2 2.2.3")


def list_for_all(ratings: Iterable[tuple[int | None, int | None]]) -> str:
    """Return the rating list that has all players: ``"fide"``, else ``"national"``, else ``""``.

    *ratings* are pairs (FIDE, national). "If one rating list is available for all participating
    players, then this rating list should be used" [C.04.2/2026 2.1].
    """
    rows = list(ratings)
    for name, place in (("fide", 0), ("national", 1)):
        if rows and all(row[place] for row in rows):
            return name
    return ""


def tournament_rating(
    method: str, fide: int | None, national: int | None, second: int | None = None
) -> tuple[str, int]:
    """Return the source and the rating that ranks a player [C.04.2/2026 2.1].

    The source is ``"fide"``, ``"national"``, ``"second"`` or ``""``.

    *method* is a word of record 172 of a report: one of both ratings (``FIDE``, ``NRO``), one else
    the other (``FIDON``, ``NIDOF``), the higher (``HBFN``) or the lower one (``LBFN``), or
    ``OTHER``: neither, the arbiter enters the rating. *second* is the rating by the second method,
    for a player without a rating by the first.
    """
    match method:
        case "FIDE":
            national = None
        case "NRO":
            fide = None
        case "NIDOF" if national:
            fide = None
        case "HBFN" if (national or 0) > (fide or 0):
            fide = None
        case "LBFN" if fide and national and national < fide:
            fide = None
        case "OTHER":
            fide = national = None
    return (
        ("fide", fide)
        if fide
        else ("national", national)
        if national
        else ("second", second)
        if second
        else ("", 0)
    )


def _rank(participant: Participant) -> tuple[int, int, int, str, str, int]:
    name, title = participant.name, TITLES.index(participant.title)
    return -participant.rating, title, participant.third, fold(name), name, participant.key
