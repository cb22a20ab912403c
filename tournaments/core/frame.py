"""What surrounds every page of a tournament: its name, its rounds, and who is looking."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Count, Q, Value

from pairing.rules.corrections import may_still_report
from tournaments.core.chosen_rules import is_of_matches
from tournaments.models import GameResult, Round, RoundState, Tournament

DIGITS: Final = 12
"""So many digits of a fingerprint tell two states apart."""


@dataclass(frozen=True, slots=True)
class RoundTab:
    """One round as the reader may know it: to a visitor a draft is *planned*.

    ``missing`` counts, for those who run the tournament, the boards of a published round without a result.
    """

    number: int
    state: RoundState
    missing: int = 0

    @property
    def is_public(self) -> bool:
        return self.state in (RoundState.PUBLISHED, RoundState.RESULTS_PUBLISHED)


@dataclass(frozen=True, slots=True)
class Frame:
    """A tournament with its rounds in order, for a reader who ``runs`` it or does not.

    ``reports_open``: mistakes in the newest results can still be reported in time [C.04.2/2026 4.3].
    """

    tournament: Tournament
    runs: bool
    rounds: tuple[RoundTab, ...]
    reports_open: bool = False

    @property
    def is_of_matches(self) -> bool:
        """Whether a round is a match of two games [C.04.5/2026 0]."""
        return is_of_matches(self.tournament)

    @property
    def news_key(self) -> str:
        """What an open page asks with whether anything is new."""
        return news_key(self.tournament, runs=self.runs, reports_open=self.reports_open)

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
        return max((tab.number for tab in self.rounds if tab.state == RoundState.RESULTS_PUBLISHED), default=0)

    @property
    def is_over(self) -> bool:
        """Whether the results of the last round are published."""
        return bool(self.rounds) and self.latest_results == len(self.rounds)

    @property
    def latest_started(self) -> int | None:
        """The newest round that is paired at all (for an arbiter a draft counts)."""
        return max((tab.number for tab in self.rounds if tab.state != RoundState.PLANNED), default=None)

    @property
    def working_round(self) -> int:
        """The round the arbiter is at work on: the newest one begun, or the next once its results are out."""
        started = self.latest_started
        if started is None:
            return 1
        if self.state_of(started) == RoundState.RESULTS_PUBLISHED and started < len(self.rounds):
            return started + 1
        return started

    @property
    def working_tab(self) -> RoundTab:
        """Where that round stands."""
        return self.rounds[self.working_round - 1]

    def state_of(self, number: int) -> RoundState:
        """The state of round *number*; KeyError where there is no such round."""
        for tab in self.rounds:
            if tab.number == number:
                return tab.state
        raise KeyError(number)


def state_key(tournament: Tournament, *, runs: bool) -> str:
    """Which state of *tournament* a reader who *runs* it or does not can see: no two states have the same key.

    The fingerprint tells two states of one version apart: a backup was restored, and then something else was done.
    """
    if runs:
        return f"{tournament.version}.{tournament.fingerprint[:DIGITS]}"
    return f"{tournament.public_version}.{tournament.public_fingerprint[:DIGITS]}"


def news_key(tournament: Tournament, *, runs: bool, reports_open: bool) -> str:
    """Return a key that changes with every action the reader can see, and once more when the time for reports ends.

    In between the minutes are counted down on the phone: the page is the same for everybody.
    """
    key = state_key(tournament, runs=runs)
    return f"{key}.open" if reports_open else key


def tournament_frame(tournament: Tournament, *, runs: bool, now: datetime | None = None) -> Frame:
    """The frame of *tournament*, with the time for reports as of *now* where the page shows it. One query."""
    is_open = Q(state=RoundState.PUBLISHED, games__result=GameResult.NOT_YET)
    missing = Count("games__board", filter=is_open, distinct=True) if runs else Value(0)
    rounds = Round.objects.filter(tournament=tournament).order_by("number")
    rows = rounds.annotate(missing=missing).values_list("number", "state", "missing")
    return Frame(
        tournament=tournament,
        runs=runs,
        rounds=tuple(RoundTab(number, _seen(RoundState(state), runs=runs), open_) for number, state, open_ in rows),
        reports_open=now is not None and may_still_report(tournament.corrections_until, now),
    )


def _seen(state: RoundState, *, runs: bool) -> RoundState:
    return RoundState.PLANNED if state == RoundState.DRAFT and not runs else state
