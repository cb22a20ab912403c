"""The data around every page of a tournament: its name, its rounds and the reader."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.db import connection
from django.db.models import Count, Q

from pairing.rules.corrections import may_still_report
from pairing.rules.rounds import PUBLIC_STATES, RoundState
from tournaments.core.chosen_rules import is_of_matches, left_fide_mode
from tournaments.core.page_store import State
from tournaments.models import GameResult, Round, Tournament

DIGITS: Final = 12
"""So many digits of a fingerprint are enough to tell two states apart."""


@dataclass(frozen=True, slots=True)
class RoundTab:
    """One round as the reader may know it: to a visitor a draft is *planned*.

    For arbiters, ``missing`` counts the boards of a published round without a result.
    """

    number: int
    state: RoundState
    missing: int = 0

    @property
    def is_public(self) -> bool:
        return self.state in PUBLIC_STATES


@dataclass(frozen=True, slots=True)
class Frame:
    """A tournament with its rounds in order; ``runs`` is True if the reader is an arbiter of it.

    ``reports_open`` is True while mistakes in the newest results can still be reported in time
    [C.04.2/2026 4.3], ``reports_ended`` once that time is over.
    """

    tournament: Tournament
    runs: bool
    rounds: tuple[RoundTab, ...]
    reports_open: bool = False
    reports_ended: bool = False
    computed: dict[tuple[str, int | str], Any] = field(
        default_factory=dict, compare=False, repr=False
    )
    """What was computed for this frame, so for one request or one publication,
    and is needed again.
    """

    @property
    def is_of_matches(self) -> bool:
        """Whether a round is a match of two games [C.04.5/2026 0]."""
        return is_of_matches(self.tournament)

    @property
    def left_fide_mode(self) -> int | None:
        """The round in which the event left FIDE mode; 0: the start; None: it is in FIDE mode."""
        return left_fide_mode(self.tournament)

    @property
    def news_key(self) -> str:
        """The key with which an open page checks for changes."""
        return news_key(self.tournament, runs=self.runs, reports_open=self.reports_open)

    @property
    def state(self) -> State:
        """The public state, by which ``core.page_store`` keeps what visitors read."""
        return state_of(self.tournament)

    @property
    def published(self) -> tuple[RoundTab, ...]:
        """The rounds whose pairings are public, in order."""
        return tuple(tab for tab in self.rounds if tab.is_public)

    @property
    def latest_published(self) -> int | None:
        """The newest round with public pairings."""
        return self.published[-1].number if self.published else None

    @property
    def latest_results(self) -> int:
        """The newest round with published results; 0 before the first."""
        return max(
            (tab.number for tab in self.rounds if tab.state == RoundState.RESULTS_PUBLISHED),
            default=0,
        )

    @property
    def is_over(self) -> bool:
        """Whether the results of the last round are published."""
        return bool(self.rounds) and self.latest_results == len(self.rounds)

    @property
    def latest_started(self) -> int | None:
        """The newest round that is paired (for an arbiter a draft counts)."""
        return max(
            (tab.number for tab in self.rounds if tab.state != RoundState.PLANNED), default=None
        )

    @property
    def working_round(self) -> int:
        """The arbiter's current round: the newest paired one.

        The next one after its results are published.
        """
        started = self.latest_started
        if started is None:
            return 1
        if self.state_of(started) == RoundState.RESULTS_PUBLISHED and started < len(self.rounds):
            return started + 1
        return started

    @property
    def working_tab(self) -> RoundTab:
        """The tab of the arbiter's current round."""
        return self.rounds[self.working_round - 1]

    def state_of(self, number: int) -> RoundState:
        """Return the state of round *number*; raise KeyError if there is no such round."""
        for tab in self.rounds:
            if tab.number == number:
                return tab.state
        raise KeyError(number)


def state_key(tournament: Tournament, *, runs: bool) -> str:
    """Return a key for the state of *tournament* that the reader sees:
    as an arbiter if *runs*, else as a visitor.

    Different states have different keys. Two states can have the same version if a backup was
    restored and other actions followed; the fingerprint tells them apart.
    """
    if runs:
        return f"{tournament.version}.{tournament.fingerprint[:DIGITS]}"
    return key_of(tournament.public_version, tournament.public_fingerprint)


def state_of(tournament: Tournament) -> State:
    """Return the public state of *tournament* as it was read."""
    return State(str(tournament.pk), state_key(tournament, runs=False))


def state_now(slug: str) -> State | None:
    """Return the public state of the tournament *slug* in the database now; None without it.

    One query, without the model's: every request for a public page asks it.
    """
    with connection.cursor() as cursor:
        cursor.execute(_STATE, [slug])
        row = cursor.fetchone()
    return None if row is None else State(str(row[0]), key_of(row[1], row[2]))


_STATE: Final = (
    "SELECT id, public_version, public_fingerprint "  # noqa: S608 - the name of our own table
    f"FROM {Tournament._meta.db_table} WHERE slug = %s"
)


def is_still(tournament: Tournament) -> bool:
    """Return whether the public state of *tournament* is still what it was when it was read.

    One query.
    """
    return state_now(tournament.slug) == state_of(tournament)


def key_of(version: int, fingerprint: str) -> str:
    """Return the key of the state with this *version* and *fingerprint*."""
    return f"{version}.{fingerprint[:DIGITS]}"


def news_key(tournament: Tournament, *, runs: bool, reports_open: bool = False) -> str:
    """Return a key that changes with every action the reader can see;
    for arbiters also when the time for reports ends.

    Visitors' pages are stored for their version, so nothing in them depends on the time: the phone
    counts the minutes.
    """
    key = state_key(tournament, runs=runs)
    return f"{key}.open" if runs and reports_open else key


def tournament_frame(tournament: Tournament, *, runs: bool, now: datetime | None = None) -> Frame:
    """Return the frame of *tournament*; *now* decides whether mistakes can still be reported.

    One query.
    """
    rounds = Round.objects.filter(tournament=tournament).order_by("number")
    columns = ["number", "state"]
    if runs:
        is_open = Q(state=RoundState.PAIRINGS_PUBLISHED, games__result=GameResult.NOT_YET)
        rounds = rounds.annotate(missing=Count("games__board", filter=is_open, distinct=True))
        columns.append("missing")
    until = tournament.corrections_until
    return Frame(
        tournament=tournament,
        runs=runs,
        rounds=tuple(
            RoundTab(number, _seen(RoundState(state), runs=runs), *missing)
            for number, state, *missing in rounds.values_list(*columns)
        ),
        reports_open=now is not None and may_still_report(until, now),
        reports_ended=now is not None and until is not None and not may_still_report(until, now),
    )


def _seen(state: RoundState, *, runs: bool) -> RoundState:
    return RoundState.PLANNED if state == RoundState.DRAFT and not runs else state
