"""What surrounds every page of a tournament: its name, its rounds, and who is looking."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.models import Round, RoundState, Tournament


@dataclass(frozen=True, slots=True)
class RoundTab:
    """One round as the reader may know it: to a visitor a draft is *planned*."""

    number: int
    state: RoundState

    @property
    def is_public(self) -> bool:
        return self.state in (RoundState.PUBLISHED, RoundState.RESULTS_PUBLISHED)


@dataclass(frozen=True, slots=True)
class Frame:
    """A tournament with its rounds in order, for a reader who ``runs`` it or does not."""

    tournament: Tournament
    runs: bool
    rounds: tuple[RoundTab, ...]

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

    def state_of(self, number: int) -> RoundState:
        """The state of round *number*; KeyError where there is no such round."""
        for tab in self.rounds:
            if tab.number == number:
                return tab.state
        raise KeyError(number)


def tournament_frame(tournament: Tournament, *, runs: bool) -> Frame:
    """The frame of *tournament*. One query."""
    rows = Round.objects.filter(tournament=tournament).order_by("number").values_list("number", "state")
    return Frame(
        tournament=tournament,
        runs=runs,
        rounds=tuple(RoundTab(number, _seen(RoundState(state), runs=runs)) for number, state in rows),
    )


def _seen(state: RoundState, *, runs: bool) -> RoundState:
    return RoundState.PLANNED if state == RoundState.DRAFT and not runs else state
