"""A mistake is reported after the results are published: what the correction still touches [C.04.2/2026 4.3].

    results of round N ──── deadline ──── pairings of N+1 ──── results of N+1
        in time         │    silent    │   after the pairing │  after the next round
        next round      │    the chief │   next pairing to   │  rating report only
                        │    arbiter   │   be done           │

What counts is when it was *reported*. Where the pairing was published before the deadline had passed, the pairing
ends the time: a published pairing shall not be changed [C.04.2/2026 4.4]. A round ends when its results are published,
the one moment of its end that is recorded [C.04.2/2026 4.2].
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Final, assert_never

from .rounds import RoundFacts, Stage
from .verdict import ALLOWED, Refused, Verdict


class Wrong(Enum):
    """What was wrong."""

    RESULT = "result"
    """A result was written down incorrectly [C.04.2/2026 4.3.1]."""
    COLOURS = "colours"
    """A game was played with the wrong colours [C.04.2/2026 4.3.2]."""
    RATING = "rating"
    """A player's rating has to be corrected [C.04.2/2026 4.3.3]."""


class Effect(Enum):
    """What a correction touches."""

    NEXT_ROUND = "next_round"
    """The standings and the pairing of the next round; after the last round the standings."""
    NEXT_PAIRING = "next_pairing"
    """The standings and the pairing after the one that is published, or about to be."""
    RATING_ONLY = "rating_only"
    """Only what is handed in for rating."""


class Moment(Enum):
    """When the mistake was reported."""

    BEFORE_PUBLICATION = "before_publication"
    IN_TIME = "in_time"
    OVERTAKEN = "overtaken"
    """Reported in time, but the pairing was published before it was entered here."""
    SILENT = "silent"
    """After the deadline, before the next pairing: the text says nothing, the chief arbiter decides."""
    AFTER_PAIRING = "after_pairing"
    AFTER_NEXT_ROUND = "after_next_round"


@dataclass(frozen=True, slots=True)
class Timeline:
    """What happened when around round ``number``, in which something was wrong; None is not yet.

    ``deadline`` None: none was fixed but the next pairing itself. ``next_published`` and ``next_ended`` are when the
    pairings and the results of the next round were published; always None after the last round (``is_last``).
    ``pairings_published``: nothing can have been wrong before; for a rating, that of round 1.
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
    """When it was reported, and what follows: one effect, or those the chief arbiter chooses from."""

    moment: Moment
    effects: tuple[Effect, ...]

    @property
    def asks_chief_arbiter(self) -> bool:
        return len(self.effects) > 1


AT_ONCE: Final = timedelta(minutes=10)
"""How far back a report may be dated by whoever enters it: the time of a walk from the board to the desk."""


def is_backdated(timeline: Timeline, reported: datetime, now: datetime) -> bool:
    """Whether a mistake entered *now* is dated so that it matters when it was *reported*.

    More than :data:`AT_ONCE` back, or before a deadline or a publication that is over by now: what the correction
    touches then hangs on the word of whoever enters it [C.04.2/2026 4.3].
    """
    over = (timeline.results_published, timeline.next_published, timeline.next_ended)
    return (
        now - reported > AT_ONCE
        or any(at is not None and reported < at <= now for at in over)
        or (timeline.deadline is not None and reported <= timeline.deadline < now)
    )


def may_report(timeline: Timeline, reported: datetime, now: datetime, *, decides: bool, article: str) -> Verdict:
    """Whether a mistake may be entered *now* as *reported* then; *decides*: by the chief arbiter.

    Not in the future, nor before the pairings of its round were published. One that is backdated is reserved for the
    chief arbiter.
    """
    if reported > now:
        return Refused("correction.from_the_future", article)
    if timeline.pairings_published is not None and reported < timeline.pairings_published:
        return Refused("correction.before_pairings", article)
    if is_backdated(timeline, reported, now) and not decides:
        return Refused("correction.backdated", article, {"minutes": minutes_back(reported, now)})
    return ALLOWED


def minutes_back(reported: datetime, now: datetime) -> int:
    """How many whole minutes *reported* is before *now*."""
    return (now - reported) // timedelta(minutes=1)


def deadline_after(published: datetime | None, minutes: int | None) -> datetime | None:
    """Until when a mistake in results *published* then can be reported in time; None where no deadline was fixed."""
    return published + timedelta(minutes=minutes) if published is not None and minutes is not None else None


def may_still_report(until: datetime | None, now: datetime) -> bool:
    """Whether a mistake reported *now* is in time: at the deadline itself it is."""
    return until is not None and now <= until


def may_cut_short(until: datetime | None, now: datetime, *, decides: bool, decided: bool) -> Verdict:
    """Whether the next pairings may be published *now* while mistakes can be reported *until* later [C.04.2/2026 4.3].

    The publication ends that time, for a published pairing is not changed [C.04.2/2026 4.4]. So it takes a decision
    of the chief arbiter: *decides* is whether it is them who act, *decided* whether they said so and why.
    """
    if until is None or until <= now:
        return ALLOWED
    params = {"minutes": -((now - until) // timedelta(minutes=1))}
    if not decides:
        return Refused("deadline.chief_arbiter_decides", "C.04.2 4.3", params)
    if not decided:
        return Refused("deadline.running", "C.04.2 4.3", params)
    return ALLOWED


def classify(timeline: Timeline, reported: datetime) -> Classification:
    """What a mistake *reported* then still touches. Source: [C.04.2/2026 4.3]; the drawing at the top of the module.

    After the last round there is no next pairing: past the deadline the text is silent for good.
    """
    moment = _moment(timeline, reported)
    match moment:
        case Moment.BEFORE_PUBLICATION | Moment.IN_TIME:
            return Classification(moment, (Effect.NEXT_ROUND,))
        case Moment.OVERTAKEN | Moment.AFTER_PAIRING:
            return Classification(moment, (Effect.NEXT_PAIRING,))
        case Moment.SILENT if timeline.is_last:
            return Classification(moment, (Effect.NEXT_ROUND, Effect.RATING_ONLY))
        case Moment.SILENT if timeline.next_published is not None:
            # Reported before the pairing: it cannot count for less than a report made after it.
            return Classification(moment, (Effect.NEXT_PAIRING,))
        case Moment.SILENT:
            return Classification(moment, (Effect.NEXT_ROUND, Effect.NEXT_PAIRING))
        case Moment.AFTER_NEXT_ROUND:
            return Classification(moment, (Effect.RATING_ONLY,))
        case _:
            assert_never(moment)


def classify_remaining(timeline: Timeline, reported: datetime) -> Classification:
    """What a mistake touches by the rules before July 2017: the pairings that remain to be done [C.04.3/pre2017 F7].

    There is no deadline, and nothing is for the rating report only. Whether a pairing that is published and not yet
    played is changed the arbiter decides: an act of its own (:attr:`~.publication.Ground.CORRECTION`).
    """
    if timeline.next_published is not None:
        return Classification(Moment.AFTER_PAIRING, (Effect.NEXT_PAIRING,))
    early = timeline.results_published is None or reported < timeline.results_published
    return Classification(Moment.BEFORE_PUBLICATION if early else Moment.IN_TIME, (Effect.NEXT_ROUND,))


def _moment(timeline: Timeline, reported: datetime) -> Moment:
    if timeline.next_ended is not None and reported >= timeline.next_ended:
        return Moment.AFTER_NEXT_ROUND
    if timeline.next_published is not None and reported >= timeline.next_published:
        return Moment.AFTER_PAIRING
    early = timeline.results_published is None or reported < timeline.results_published
    # Where no deadline was fixed, the next pairing is it; after the last round there is none.
    if not (early or (not timeline.is_last if timeline.deadline is None else reported <= timeline.deadline)):
        return Moment.SILENT
    if timeline.next_published is not None:
        return Moment.OVERTAKEN
    return Moment.BEFORE_PUBLICATION if early else Moment.IN_TIME


def may_choose(classification: Classification, chosen: Effect | None, *, article: str) -> Verdict:
    """Whether the correction may have the effect *chosen* (None: nobody was asked).

    Only where the text is silent there is a choice, and there somebody has to make it.
    """
    if chosen is None:
        if classification.asks_chief_arbiter:
            return Refused("correction.choice_needed", article)
        return ALLOWED
    if chosen not in classification.effects:
        return Refused("correction.not_open", article)
    return ALLOWED


def may_correct_game(facts: RoundFacts, wrong: Wrong, *, played: bool, adjourned: bool, article: str) -> Verdict:
    """Whether a board of a round can be corrected at all.

    A result that is not published yet, and the end of an adjourned game, is entered in the ordinary way
    [C.04.2/2026 3.1, 4.2]; a game that was not *played* has no colours [C.04.2/2026 3.4].
    """
    params: dict[str, object] = {"round": facts.number}
    match facts.stage:
        case Stage.PLANNED | Stage.DRAFT:
            return Refused("result.round_not_published", "", params)
        case Stage.PUBLISHED if wrong is Wrong.RESULT:
            return Refused("correction.enter_the_result", "C.04.2 4.2", params)
        case Stage.RESULTS if wrong is Wrong.RESULT and adjourned:
            return Refused("correction.enter_the_result", "C.04.2 3.1", params)
        case Stage.PUBLISHED | Stage.RESULTS if wrong is Wrong.COLOURS and not played:
            return Refused("correction.not_played", "C.04.2 3.4", params)
        case Stage.PUBLISHED | Stage.RESULTS:
            return ALLOWED
        case _:
            assert_never(facts.stage)


def may_mend_rating(rounds: tuple[RoundFacts, ...] | list[RoundFacts], *, article: str) -> Verdict:
    """Whether a rating may be mended like any other datum: until the first results are published.

    From then on it is a correction, with the time it was reported and what it touches [C.04.2/2026 4.3.3].
    """
    if any(facts.stage is Stage.RESULTS for facts in rounds):
        return Refused("rating.results_published", article)
    return ALLOWED
