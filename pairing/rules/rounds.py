"""Check when a round may be paired, published, closed, and get results [C.04.2/2026 3, 4].

Only the arbiters see a draft. It may be discarded, and is out of date as soon as any data it was
made from change.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from .verdict import ALLOWED, Refused, Verdict


class RoundState(StrEnum):
    """The state of a round: planned → draft → pairings published → results published;
    a draft may go back to planned.

    The values are stored in the database.
    """

    PLANNED = "planned"
    DRAFT = "draft"
    PAIRINGS_PUBLISHED = "pairings_published"
    RESULTS_PUBLISHED = "results_published"

    @property
    def is_public(self) -> bool:
        """Return whether the pairings are published."""
        return self in PUBLIC_STATES


PUBLIC_STATES: Final = (RoundState.PAIRINGS_PUBLISHED, RoundState.RESULTS_PUBLISHED)


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """One round: its number, its state, and the boards without any result yet."""

    number: int
    state: RoundState
    missing: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FieldFacts:
    """The players present for a pairing.

    ``present`` is the number of players who would be paired in the round, ``entered`` that of all
    participants, ``unnumbered`` the names of participants without a TPN. ``byes_only``: it is
    confirmed that nobody plays. ``decides``: the Chief Arbiter is acting. ``unconfirmed`` are the
    players missing at a check-in for the round that is not settled. ``not_arrived`` are the late
    entries who were never paired and are not marked as arrived. ``initial_colour_article`` is the
    article of the system on drawing the initial colour. ``older_adjourned`` are open games from
    before the last round, as round/board, that the arbiter has not acknowledged.
    """

    present: int
    unnumbered: tuple[str, ...] = ()
    unconfirmed: tuple[str, ...] = ()
    not_arrived: tuple[str, ...] = ()
    initial_colour_known: bool = True
    initial_colour_article: str = "C.04.3 5.1"
    older_adjourned: tuple[str, ...] = ()
    entered: int = 1
    byes_only: bool = False
    decides: bool = False


def minutes_after(announced: datetime, done: datetime) -> int:
    """Return the minutes from *announced* to *done*, rounded up; below zero: before it."""
    return -((announced - done) // timedelta(minutes=1))


def minutes_late(announced: datetime, done: datetime) -> int:
    """Return by how many whole minutes *done* is after the *announced* time; below zero:
    before it [C.04.2/2026 4.2].

    A time is announced in minutes, so what happens in the minute after it is on time.
    """
    return int((done - announced) / timedelta(minutes=1))


def next_unpublished(rounds: Sequence[RoundFacts]) -> int | None:
    """Return the number of the first round without published pairings; None if there is none."""
    return next((facts.number for facts in rounds if not facts.state.is_public), None)


def last_paired(rounds: Sequence[RoundFacts]) -> int:
    """Return the number of the last round with a pairing, or a draft; 0 before the first."""
    return max(
        (facts.number for facts in rounds if facts.state is not RoundState.PLANNED), default=0
    )


def is_over(rounds: Sequence[RoundFacts]) -> bool:
    """Return whether the results of the last round are published [C.04.2/2026 4.2]."""
    return rounds[-1].state is RoundState.RESULTS_PUBLISHED


def may_pair(
    rounds: Sequence[RoundFacts], number: int, field: FieldFacts, *, draft_is_stale: bool = False
) -> Verdict:
    """Check whether round *number* may be paired now; *rounds* are all declared rounds in order.

    The results of the previous round are published [C.04.2/2026 4.2], so that its correction
    deadline [C.04.2/2026 4.3] has begun. All players have a TPN [C.04.2/2026 2.3], and the initial
    colour is drawn [C.04.3/2026 5.1]. The check-in is settled for its missing players
    [C.04.2/2026 4.1], and late entries have arrived [C.04.2/2026 2.4]. A draft that is out of date
    may be paired again. A game adjourned before the last round should have ended by now: if it
    counts as a draw once more, the arbiter acknowledges it [C.04.2/2026 3.1]. One player alone gets
    the allocated bye [C.04.1/2026 3]. If no player remains to be paired [C.04.2/2026 3.2, 3.3], the
    Chief Arbiter confirms a round with byes only.
    """
    facts = rounds[number - 1]
    match facts.state:
        case RoundState.PAIRINGS_PUBLISHED | RoundState.RESULTS_PUBLISHED:
            return Refused("round.already_published", "C.04.2 4.4", {"round": number})
        case RoundState.DRAFT if not draft_is_stale:
            return Refused("round.already_paired", "", {"round": number})
        case RoundState.DRAFT | RoundState.PLANNED:
            pass
    if number > 1:
        refusal = _previous_is_over(rounds[number - 2])
        if isinstance(refusal, Refused):
            return refusal
    if not field.entered:
        return Refused("players.too_few")
    if field.unnumbered:
        return Refused("numbers.missing", "C.04.2 2.3", {"names": field.unnumbered})
    refusal = _all_are_there(number, field)
    if isinstance(refusal, Refused):
        return refusal
    if not field.initial_colour_known:
        return Refused("colour.not_drawn", field.initial_colour_article)
    if field.older_adjourned:
        return Refused("round.older_adjourned", "C.04.2 3.1", {"games": field.older_adjourned})
    return _somebody_plays(number, field)


def _somebody_plays(number: int, field: FieldFacts) -> Verdict:
    if field.present or (field.byes_only and field.decides):
        return ALLOWED
    if field.decides:
        return Refused("round.byes_only", "C.04.2 3.3", {"round": number})
    return Refused("round.byes_only_decided", "C.04.2 3.3", {"round": number})


def _previous_is_over(previous: RoundFacts) -> Verdict:
    params: dict[str, object] = {"round": previous.number}
    match previous.state:
        case RoundState.PLANNED:
            return Refused("previous.not_paired", "", params)
        case RoundState.DRAFT:
            return Refused("previous.not_published", "", params)
        case RoundState.PAIRINGS_PUBLISHED if previous.missing:
            return Refused("results.missing", "C.04.2 4.2", {**params, "boards": previous.missing})
        case RoundState.PAIRINGS_PUBLISHED:
            return Refused("previous.results_not_published", "C.04.2 4.2", params)
        case RoundState.RESULTS_PUBLISHED:
            return ALLOWED


def _all_are_there(number: int, field: FieldFacts) -> Verdict:
    if field.unconfirmed:
        return Refused(
            "check_in.unsettled", "C.04.2 4.1", {"round": number, "names": field.unconfirmed}
        )
    if field.not_arrived:
        return Refused("entry.not_arrived", "C.04.2 2.4", {"names": field.not_arrived})
    return ALLOWED


def may_discard(facts: RoundFacts) -> Verdict:
    """Check whether a pairing may be discarded: only a draft [C.04.2/2026 4.4]."""
    match facts.state:
        case RoundState.PLANNED:
            return Refused("round.not_paired", "", {"round": facts.number})
        case RoundState.DRAFT:
            return ALLOWED
        case RoundState.PAIRINGS_PUBLISHED | RoundState.RESULTS_PUBLISHED:
            return Refused("round.already_published", "C.04.2 4.4", {"round": facts.number})


def may_publish(
    facts: RoundFacts, *, draft_is_stale: bool, unconfirmed: tuple[str, ...] = ()
) -> Verdict:
    """Check whether a draft may be published: it must still match the data.

    It may not be published while the players missing at its check-in (*unconfirmed*) are not
    settled [C.04.2/2026 4.1]. After publication it could no longer be changed [C.04.2/2026 4.4].
    """
    match facts.state:
        case RoundState.PLANNED:
            return Refused("round.not_paired", "", {"round": facts.number})
        case RoundState.DRAFT if draft_is_stale:
            return Refused("draft.stale", "C.04.2 4.4", {"round": facts.number})
        case RoundState.DRAFT if unconfirmed:
            return Refused(
                "check_in.unsettled", "C.04.2 4.1", {"round": facts.number, "names": unconfirmed}
            )
        case RoundState.DRAFT:
            return ALLOWED
        case RoundState.PAIRINGS_PUBLISHED | RoundState.RESULTS_PUBLISHED:
            return Refused("round.already_published", "C.04.2 4.4", {"round": facts.number})


def may_record_result(
    facts: RoundFacts, *, adjourned: bool, clears: bool, needs_confirmation: bool = False
) -> Verdict:
    """Check whether the result of a board may be entered or changed in the ordinary way.

    *adjourned*: the present result of the board is "adjourned". *clears*: the action removes the
    result. Once the results are published, only a correction under [C.04.2/2026 4.3] changes one.
    The end of an adjourned game is a new result, not a correction [C.04.2/2026 3.1]. It
    *needs_confirmation* unless it is a draw, as the pairings counted it.
    """
    params: dict[str, object] = {"round": facts.number}
    match facts.state:
        case RoundState.PLANNED | RoundState.DRAFT:
            return Refused("result.round_not_published", "", params)
        case RoundState.PAIRINGS_PUBLISHED:
            return ALLOWED
        case RoundState.RESULTS_PUBLISHED if adjourned and not clears:
            return (
                Refused("result.not_the_draw", "C.04.2 3.1", params)
                if needs_confirmation
                else ALLOWED
            )
        case RoundState.RESULTS_PUBLISHED:
            return Refused("result.closed", "C.04.2 4.3", params)


def may_publish_early(announced: datetime | None, now: datetime, *, confirmed: bool) -> Verdict:
    """Check whether results may precede the *announced* time, which must be *confirmed*.

    They are published at the announced time [C.04.2/2026 4.2], when players look for them. The time
    to report mistakes runs from then in any case [C.04.2/2026 4.3].
    """
    if announced is None or announced <= now or confirmed:
        return ALLOWED
    return Refused(
        "results.before_the_time", "C.04.2 4.2", {"minutes": minutes_after(now, announced)}
    )


def may_publish_results(
    facts: RoundFacts,
    *,
    adjourning: Collection[int] = (),
    is_last: bool = False,
    adjourned: Sequence[str] = (),
) -> Verdict:
    """Check whether results may be published: each board of the round has one,
    possibly "adjourned" [C.04.2/2026 4.2].

    *adjourning* are the boards without a result that the arbiter declares adjourned; they count as
    draws for pairing [C.04.2/2026 3.1]. After the last round there is nothing left to pair. Its
    results are the final standings, so they have to wait for all adjourned games of the event
    (*adjourned*, as text).
    """
    params: dict[str, object] = {"round": facts.number}
    match facts.state:
        case RoundState.PLANNED | RoundState.DRAFT:
            return Refused("result.round_not_published", "", params)
        case RoundState.RESULTS_PUBLISHED:
            return Refused("results.already_published", "C.04.2 4.2", params)
        case RoundState.PAIRINGS_PUBLISHED:
            pass
    missing = tuple(board for board in facts.missing if board not in adjourning)
    if missing:
        return Refused("results.missing", "C.04.2 4.2", {**params, "boards": missing})
    still_open = (*adjourned, *(f"{facts.number}/{board}" for board in facts.missing))
    if is_last and still_open:
        return Refused("results.adjourned", "C.04.2 3.1", {"games": still_open})
    return ALLOWED
