"""Decide what a correction affects when a mistake is reported after
the results are published [C.04.2/2026 4.3].

    results of round N ──── deadline ──── pairings of N+1 ──── results of N+1
        in time         │    silent    │   after the pairing │  after the next round
        next round      │    the chief │   next pairing to   │  rating report only
                        │    arbiter   │   be done           │

The time of the *report* counts until the next round has ended. A correction that is entered only
after that counts for the rating report, whatever time it is dated back to: until then every report
is entered, and nobody can check a time that only one person remembers. If the next pairings are
published before the deadline, that publication ends the reporting time, because a published pairing
shall not be changed [C.04.2/2026 4.4]. A round ends when its results are published; no other end of
a round is recorded [C.04.2/2026 4.2].
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, StrEnum
from typing import Final, assert_never

from .rounds import RoundFacts, RoundState
from .verdict import ALLOWED, Refused, Verdict


class CorrectionKind(StrEnum):
    """The kind of mistake."""

    RESULT = "result"
    """A result was written down incorrectly [C.04.2/2026 4.3.1]."""
    COLOURS = "colours"
    """A game was played with the wrong colours [C.04.2/2026 4.3.2]."""
    RATING = "rating"
    """A player's rating has to be corrected [C.04.2/2026 4.3.3]."""


class CorrectionEffect(StrEnum):
    """The standings and pairings that a correction affects."""

    NEXT_ROUND = "next_round"
    """The standings and the pairing of the next round; after the last round the standings."""
    NEXT_PAIRING = "next_pairing"
    """The standings and the first pairing after the one that is
    published or about to be published.
    """
    RATING_ONLY = "rating_only"
    """Only the rating report."""


class Moment(Enum):
    """The time at which the mistake was reported."""

    BEFORE_PUBLICATION = "before_publication"
    IN_TIME = "in_time"
    OVERTAKEN = "overtaken"
    """Reported in time, but the pairing was published before it was entered here."""
    SILENT = "silent"
    """After the deadline and before the next pairing.

    The text gives no rule for this time, so the chief arbiter decides.
    """
    AFTER_PAIRING = "after_pairing"
    AFTER_NEXT_ROUND = "after_next_round"
    ENTERED_LATE = "entered_late"
    """Reported before the end of the next round, but entered only after it."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """The times of the events around round ``number``, the round with the mistake. None:
    it has not happened yet.

    ``deadline`` is None if only the next pairing ends the reporting time. ``next_published`` and
    ``next_ended`` are the times when the pairings and the results of the next round were published;
    they are always None after the last round (``is_last``). ``pairings_published`` is the earliest
    possible time of a mistake; for a rating, it is that of round 1.
    """

    number: int
    is_last: bool
    results_published: datetime | None = None
    deadline: datetime | None = None
    next_published: datetime | None = None
    next_ended: datetime | None = None
    pairings_published: datetime | None = None


@dataclass(frozen=True, slots=True)
class Classification:
    """The moment of the report and its effect, or those of which the chief arbiter chooses."""

    moment: Moment
    effects: tuple[CorrectionEffect, ...]

    @property
    def asks_chief_arbiter(self) -> bool:
        return len(self.effects) > 1


AT_ONCE: Final = timedelta(minutes=10)
"""How far back anybody who enters a report may date it:
the time needed to walk from the board to the desk.
"""


def is_backdated(timeline: Timeline, reported: datetime, now: datetime) -> bool:
    """Return whether a report entered *now* is dated back so far that the effect changes.

    This is so if it is dated back by more than :data:`AT_ONCE`, or to before a deadline or
    publication that has passed. The effect then depends only on the word of the person who enters
    the report [C.04.2/2026 4.3].
    """
    over = (timeline.results_published, timeline.next_published, timeline.next_ended)
    return (
        now - reported > AT_ONCE
        or any(at is not None and reported < at <= now for at in over)
        or (timeline.deadline is not None and reported <= timeline.deadline < now)
    )


def may_report(
    timeline: Timeline, reported: datetime, now: datetime, *, decides: bool, article: str
) -> Verdict:
    """Check whether a mistake may be entered *now* with the time *reported*. *decides*:
    the chief arbiter enters it.

    The time may not be in the future, nor before the pairings of the round were published. Only the
    chief arbiter may enter a backdated report.
    """
    if reported > now:
        return Refused("correction.from_the_future", article)
    if timeline.pairings_published is not None and reported < timeline.pairings_published:
        return Refused("correction.before_pairings", article)
    if is_backdated(timeline, reported, now) and not decides:
        return _backdated(timeline, reported, now, article)
    return ALLOWED


def _backdated(timeline: Timeline, reported: datetime, now: datetime, article: str) -> Refused:
    """Return the refusal of a backdated report: its age, or what has passed since."""
    minutes = {"minutes": minutes_back(reported, now)}
    if now - reported > AT_ONCE:
        return Refused("correction.backdated", article, minutes)
    if timeline.deadline is not None and reported <= timeline.deadline < now:
        return Refused("correction.backdated_over_deadline", article, minutes)
    return Refused("correction.backdated_over_publication", article, minutes)


def minutes_back(reported: datetime, now: datetime) -> int:
    """Return how many whole minutes *reported* is before *now*."""
    return (now - reported) // timedelta(minutes=1)


def deadline_after(
    published: datetime | None, minutes: int | None, announced: datetime | None = None
) -> datetime | None:
    """Return the deadline for reporting mistakes in results *published* at that time;
    None if there is no deadline.

    It is fixed in advance "according to the timetable" [C.04.2/2026 4.3]: results published before
    the *announced* time do not end it earlier.
    """
    if published is None or minutes is None:
        return None
    return max(published, announced or published) + timedelta(minutes=minutes)


def may_still_report(until: datetime | None, now: datetime) -> bool:
    """Return whether a mistake reported *now* is in time.

    A report at the deadline itself is in time.
    """
    return until is not None and now <= until


@dataclass(frozen=True, slots=True)
class MistakeFacts:
    """The newest public round for a player who reports a mistake in its results.

    ``is_running`` or ``is_published``: its results are not published yet, or they are. ``is_hidden``:
    players do not read entered results. ``until`` is the end of the time for reports; None: the
    next pairings end it.
    """

    is_running: bool
    is_published: bool
    is_hidden: bool
    is_final: bool
    until: datetime | None


def may_report_mistake(facts: MistakeFacts, now: datetime) -> Verdict:
    """Check whether a player may report a mistake in the newest round by phone *now*.

    Afterwards only the Chief Arbiter hears of it [C.04.2/2026 4.3].
    """
    if facts.is_final:
        return Refused("mistake.final", "C.04.2 4.3")
    if facts.is_running and not facts.is_hidden:
        return ALLOWED
    if facts.is_running:
        return Refused("mistake.hidden")
    if not facts.is_published:
        return Refused("mistake.nothing")
    if facts.until is not None and now > facts.until:
        return Refused("mistake.too_late", "C.04.2 4.3", {"until": facts.until})
    return ALLOWED


def may_cut_short(
    until: datetime | None, now: datetime, *, decides: bool, decided: bool
) -> Verdict:
    """Check whether the next pairings may be published *now* although
    mistakes can be reported *until* a later time.

    Their publication ends the reporting time, because a published pairing is not changed
    [C.04.2/2026 4.3, 4.4]. This needs a decision of the chief arbiter. *decides*: the chief arbiter
    is acting; *decided*: they confirmed it and gave a reason.
    """
    if until is None or until <= now:
        return ALLOWED
    params = {"minutes": -((now - until) // timedelta(minutes=1))}
    if not decides:
        return Refused("deadline.chief_arbiter_decides", "C.04.2 4.3", params)
    if not decided:
        return Refused("deadline.running", "C.04.2 4.3", params)
    return ALLOWED


def may_end_reports(until: datetime | None, now: datetime, *, is_over: bool) -> Verdict:
    """Check whether the time for reports may be ended *now* by itself [C.04.2/2026 4.3].

    Only after the last round (*is_over*): before that the publication of the next pairings ends it,
    and :func:`may_cut_short` asks.
    """
    if not is_over:
        return Refused("deadline.next_pairings_end_it", "C.04.2 4.3")
    if until is None or until <= now:
        return Refused("deadline.not_running", "C.04.2 4.3")
    return ALLOWED


def classify(timeline: Timeline, reported: datetime) -> Classification:
    """Return what a mistake reported at *reported* affects;
    see the drawing at the top of the module [C.04.2/2026 4.3].

    *timeline* has the times known at the entry. If the next round has ended by then, it is the
    rating report only. After the last round there is no next pairing, so after the deadline the
    text gives no rule at any time.
    """
    moment = _moment(timeline, reported)
    match moment:
        case Moment.BEFORE_PUBLICATION | Moment.IN_TIME:
            return Classification(moment, (CorrectionEffect.NEXT_ROUND,))
        case Moment.OVERTAKEN | Moment.AFTER_PAIRING:
            return Classification(moment, (CorrectionEffect.NEXT_PAIRING,))
        case Moment.SILENT if timeline.is_last:
            return Classification(
                moment, (CorrectionEffect.NEXT_ROUND, CorrectionEffect.RATING_ONLY)
            )
        case Moment.SILENT if timeline.next_published is not None:
            # A report made before the pairing must not have less effect than one made after it.
            return Classification(moment, (CorrectionEffect.NEXT_PAIRING,))
        case Moment.SILENT:
            return Classification(
                moment, (CorrectionEffect.NEXT_ROUND, CorrectionEffect.NEXT_PAIRING)
            )
        case Moment.AFTER_NEXT_ROUND | Moment.ENTERED_LATE:
            return Classification(moment, (CorrectionEffect.RATING_ONLY,))
        case _:
            assert_never(moment)


def classify_remaining(timeline: Timeline, reported: datetime) -> Classification:
    """Return what a mistake affects by the rules before July 2017:
    the pairings still to be done [C.04.3/pre2017 F7].

    These rules have no deadline, and no mistake counts for the rating report only. The arbiter
    decides in a separate action whether a published pairing that is not yet played is changed
    (:attr:`~.publication.Situation.CORRECTION`).
    """
    if timeline.next_published is not None:
        return Classification(Moment.AFTER_PAIRING, (CorrectionEffect.NEXT_PAIRING,))
    early = timeline.results_published is None or reported < timeline.results_published
    return Classification(
        Moment.BEFORE_PUBLICATION if early else Moment.IN_TIME, (CorrectionEffect.NEXT_ROUND,)
    )


def _moment(timeline: Timeline, reported: datetime) -> Moment:
    if timeline.next_ended is not None:
        # The next round is over now, at the entry, so no earlier time of the report changes
        # standings or pairings.
        return Moment.AFTER_NEXT_ROUND if reported >= timeline.next_ended else Moment.ENTERED_LATE
    if timeline.next_published is not None and reported >= timeline.next_published:
        return Moment.AFTER_PAIRING
    early = timeline.results_published is None or reported < timeline.results_published
    # Without a deadline the next pairing ends the reporting time; after the last round nothing
    # does.
    if not (
        early
        or (not timeline.is_last if timeline.deadline is None else reported <= timeline.deadline)
    ):
        return Moment.SILENT
    if timeline.next_published is not None:
        return Moment.OVERTAKEN
    return Moment.BEFORE_PUBLICATION if early else Moment.IN_TIME


def may_choose(
    classification: Classification, chosen: CorrectionEffect | None, *, article: str
) -> Verdict:
    """Check whether the correction may have the effect *chosen* (None: no choice was requested).

    There is a choice only where the text gives no rule, and there it is required.
    """
    if chosen is None:
        if classification.asks_chief_arbiter:
            return Refused("correction.choice_needed", article)
        return ALLOWED
    if chosen not in classification.effects:
        return Refused("correction.not_open", article)
    return ALLOWED


def may_correct_game(
    facts: RoundFacts, kind: CorrectionKind, *, played: bool, adjourned: bool, article: str
) -> Verdict:
    """Check whether a board of a round can be corrected.

    An unpublished result and the end of an adjourned game are entered in the ordinary way
    [C.04.2/2026 3.1, 4.2]. A game that was not *played* has no colours to correct
    [C.04.2/2026 3.4].
    """
    params: dict[str, object] = {"round": facts.number}
    match facts.state:
        case RoundState.PLANNED | RoundState.DRAFT:
            return Refused("result.round_not_published", "", params)
        case RoundState.PAIRINGS_PUBLISHED if kind is CorrectionKind.RESULT:
            return Refused("correction.enter_the_result", "C.04.2 4.2", params)
        case RoundState.RESULTS_PUBLISHED if kind is CorrectionKind.RESULT and adjourned:
            return Refused("correction.enter_the_result", "C.04.2 3.1", params)
        case RoundState.PAIRINGS_PUBLISHED | RoundState.RESULTS_PUBLISHED if (
            kind is CorrectionKind.COLOURS and not played
        ):
            return Refused("correction.not_played", "C.04.2 3.4", params)
        case RoundState.PAIRINGS_PUBLISHED | RoundState.RESULTS_PUBLISHED:
            return ALLOWED
        case _:
            assert_never(facts.state)


def may_mend_rating(rounds: tuple[RoundFacts, ...] | list[RoundFacts], *, article: str) -> Verdict:
    """Check whether a rating may be edited like other data,
    which is possible until the first results are published.

    After that it takes a correction, which records when the mistake was reported and what it
    affects [C.04.2/2026 4.3.3].
    """
    if any(facts.state is RoundState.RESULTS_PUBLISHED for facts in rounds):
        return Refused("rating.results_published", article)
    return ALLOWED
