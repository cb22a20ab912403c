"""When a round may be paired, published, and closed; when a result may be entered [C.04.2/2026 3, 4].

A round goes planned → draft → published → results published. A draft is the arbiter's own: it may be
discarded, and is out of date as soon as something it was made from changes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from .verdict import ALLOWED, Refused, Verdict


class Stage(Enum):
    """How far a round has come, valued as it is stored."""

    PLANNED = "planned"
    DRAFT = "draft"
    PUBLISHED = "published"
    RESULTS = "results"

    @property
    def is_public(self) -> bool:
        """Whether the pairings are published."""
        return self in (Stage.PUBLISHED, Stage.RESULTS)


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """One round: its number, its stage, and the boards without any result yet."""

    number: int
    stage: Stage
    missing: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FieldFacts:
    """Who is there to be paired.

    ``present`` counts those who would be paired in the round, ``unnumbered`` names participants without a TPN.
    ``unconfirmed`` are those who are missing at a check-in that is held for the round and not settled, ``not_arrived``
    the late entries who were never paired and have not been marked as arrived. ``initial_colour_article`` is where the
    system has the initial colour drawn.
    """

    present: int
    unnumbered: tuple[str, ...] = ()
    unconfirmed: tuple[str, ...] = ()
    not_arrived: tuple[str, ...] = ()
    initial_colour_known: bool = True
    initial_colour_article: str = "C.04.3 5.1"


def minutes_after(announced: datetime, done: datetime) -> int:
    """By how many minutes *done* is after the time *announced*: what is late is rounded up, what is early down.

    Negative is early, 0 as announced [C.04.2/2026 4.2].
    """
    return -((announced - done) // timedelta(minutes=1))


def next_unpublished(rounds: Sequence[RoundFacts]) -> int | None:
    """The number of the first round whose pairings are not published; None when there is none left."""
    return next((facts.number for facts in rounds if not facts.stage.is_public), None)


def last_paired(rounds: Sequence[RoundFacts]) -> int:
    """The number of the last round that has a pairing, a draft included; 0 before the first."""
    return max((facts.number for facts in rounds if facts.stage is not Stage.PLANNED), default=0)


def are_final(rounds: Sequence[RoundFacts]) -> bool:
    """Whether the final standings are published: with the results of the last round [C.04.2/2026 4.2]."""
    return rounds[-1].stage is Stage.RESULTS


def may_pair(rounds: Sequence[RoundFacts], number: int, field: FieldFacts, *, draft_is_stale: bool = False) -> Verdict:
    """Whether round *number* may be paired now; *rounds* are all declared rounds in order.

    The results of the round before have been published [C.04.2/2026 4.2], so that its correction
    deadline [C.04.2/2026 4.3] has begun; everybody has a TPN [C.04.2/2026 2.3]; the initial colour is
    drawn [C.04.3/2026 5.1]; it is settled what happens to those missing at the check-in [C.04.2/2026 4.1]; late entries
    have arrived [C.04.2/2026 2.4]. A draft that is out of date may be paired again.
    """
    facts = rounds[number - 1]
    match facts.stage:
        case Stage.PUBLISHED | Stage.RESULTS:
            return Refused("round.already_published", "C.04.2 4.4", {"round": number})
        case Stage.DRAFT if not draft_is_stale:
            return Refused("round.already_paired", "", {"round": number})
        case Stage.DRAFT | Stage.PLANNED:
            pass
    if number > 1:
        refusal = _previous_is_over(rounds[number - 2])
        if isinstance(refusal, Refused):
            return refusal
    if field.present < 2:
        return Refused("players.too_few", "", {"present": field.present})
    if field.unnumbered:
        return Refused("numbers.missing", "C.04.2 2.3", {"names": field.unnumbered})
    refusal = _all_are_there(number, field)
    if isinstance(refusal, Refused):
        return refusal
    if not field.initial_colour_known:
        return Refused("colour.not_drawn", field.initial_colour_article)
    return ALLOWED


def _previous_is_over(previous: RoundFacts) -> Verdict:
    params: dict[str, object] = {"round": previous.number}
    match previous.stage:
        case Stage.PLANNED:
            return Refused("previous.not_paired", "", params)
        case Stage.DRAFT:
            return Refused("previous.not_published", "", params)
        case Stage.PUBLISHED if previous.missing:
            return Refused("results.missing", "C.04.2 4.2", {**params, "boards": previous.missing})
        case Stage.PUBLISHED:
            return Refused("previous.results_not_published", "C.04.2 4.2", params)
        case Stage.RESULTS:
            return ALLOWED


def _all_are_there(number: int, field: FieldFacts) -> Verdict:
    if field.unconfirmed:
        return Refused("check_in.unsettled", "C.04.2 4.1", {"round": number, "names": field.unconfirmed})
    if field.not_arrived:
        return Refused("entry.not_arrived", "C.04.2 2.4", {"names": field.not_arrived})
    return ALLOWED


def may_discard(facts: RoundFacts) -> Verdict:
    """Whether a pairing may be thrown away: a draft may, a published one shall not be changed [C.04.2/2026 4.4]."""
    match facts.stage:
        case Stage.PLANNED:
            return Refused("round.not_paired", "", {"round": facts.number})
        case Stage.DRAFT:
            return ALLOWED
        case Stage.PUBLISHED | Stage.RESULTS:
            return Refused("round.already_published", "C.04.2 4.4", {"round": facts.number})


def may_publish(facts: RoundFacts, *, draft_is_stale: bool, unconfirmed: tuple[str, ...] = ()) -> Verdict:
    """Whether a draft may be made public: only one that is still what the facts give.

    Not while it is open what happens to those who are missing at its check-in (*unconfirmed*) [C.04.2/2026 4.1]. After
    publication it could not be mended any more [C.04.2/2026 4.4].
    """
    match facts.stage:
        case Stage.PLANNED:
            return Refused("round.not_paired", "", {"round": facts.number})
        case Stage.DRAFT if draft_is_stale:
            return Refused("draft.stale", "C.04.2 4.4", {"round": facts.number})
        case Stage.DRAFT if unconfirmed:
            return Refused("check_in.unsettled", "C.04.2 4.1", {"round": facts.number, "names": unconfirmed})
        case Stage.DRAFT:
            return ALLOWED
        case Stage.PUBLISHED | Stage.RESULTS:
            return Refused("round.already_published", "C.04.2 4.4", {"round": facts.number})


def may_record_result(facts: RoundFacts, *, adjourned: bool, clears: bool) -> Verdict:
    """Whether the result of a board may be entered or changed in the ordinary way.

    *adjourned*: the board's present result is "adjourned"; *clears*: the act takes the result away.
    Once the results are published only a correction under [C.04.2/2026 4.3] changes one; the end of
    an adjourned game is no correction but news [C.04.2/2026 3.1].
    """
    params: dict[str, object] = {"round": facts.number}
    match facts.stage:
        case Stage.PLANNED | Stage.DRAFT:
            return Refused("result.round_not_published", "", params)
        case Stage.PUBLISHED:
            return ALLOWED
        case Stage.RESULTS if adjourned and not clears:
            return ALLOWED
        case Stage.RESULTS:
            return Refused("result.closed", "C.04.2 4.3", params)


def may_publish_results(
    facts: RoundFacts, *, adjourning: Collection[int] = (), is_last: bool = False, adjourned: Sequence[str] = ()
) -> Verdict:
    """Whether the results of a round may be published: every board has one, if only "adjourned" [C.04.2/2026 4.2].

    *adjourning* are the boards without a result that the arbiter says are adjourned: they count as draws for pairing
    [C.04.2/2026 3.1]. After the last round there is nothing left to pair: its results are the final standings, and
    wait for every adjourned game of the event (*adjourned*, in words).
    """
    params: dict[str, object] = {"round": facts.number}
    match facts.stage:
        case Stage.PLANNED | Stage.DRAFT:
            return Refused("result.round_not_published", "", params)
        case Stage.RESULTS:
            return Refused("results.already_published", "C.04.2 4.2", params)
        case Stage.PUBLISHED:
            pass
    unsaid = tuple(board for board in facts.missing if board not in adjourning)
    if unsaid:
        return Refused("results.missing", "C.04.2 4.2", {**params, "boards": unsaid})
    still_open = (*adjourned, *(f"{facts.number}/{board}" for board in facts.missing))
    if is_last and still_open:
        return Refused("results.adjourned", "C.04.2 3.1", {"games": still_open})
    return ALLOWED
