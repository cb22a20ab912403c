"""Title norms: whether a player has met the conditions, and in which games [B.01/2024 1.4]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import Final

from .conditions import Condition, State, verdict
from .editions import NormEdition, Title, TitleRules, norm_edition
from .event_conditions import event_conditions
from .figures import (
    Figures,
    doubts,
    figures_of,
    games_condition,
    mix_conditions,
    performance_conditions,
    score_needed,
)
from .model import NOT_OF_FIDE, Event, EventKind, Game, Kind, Person, System
from .rounding import half_up, up
from .tables import rating_difference

MOST_SETS: Final = 200_000
"""No more sets of games are tried. Up to 18 rounds there are never more; 13 rounds have 1,092
at most.
"""
NOT_SEARCHED: Final = "sets"
"""The code of the row of an answer that is not certain, because not all sets were tried."""
_WAIVED: Final = frozenset({"1.4.3", "1.4.4 own", "1.4.4 one"})
_NATIONAL: Final = {EventKind.NATIONAL_FINAL: "1.4.3a", EventKind.NATIONAL_TEAM: "1.4.3b"}


@dataclass(frozen=True, slots=True)
class Norm:
    """The answer for one title.

    ``dropped`` are the ignored rounds, each with its article [B.01/2024 1.4.1e, 1.4.1f]. ``last``:
    the last round, won by forfeit, counts as a loss [B.01/2024 1.4.2c]. ``exemption`` is the
    article that replaces the normal mix of federations. ``needed`` is the score in half points that
    is enough with this average. Without ``figures`` the title is not open to the player.
    """

    title: TitleRules
    edition: NormEdition
    state: State
    conditions: tuple[Condition, ...]
    games: tuple[Game, ...] = ()
    figures: Figures | None = None
    dropped: tuple[tuple[int, str], ...] = ()
    is_141c: bool = False
    is_142c: bool = False
    exemption: str = ""
    needed: int | None = None

    @property
    def is_met(self) -> bool:
        """Return whether no condition failed; some may be to be confirmed."""
        return self.state is not State.FAILED

    @property
    def is_searched(self) -> bool:
        """Return whether every set of games that may be ignored was tried, or none had to be."""
        return all(row.code != NOT_SEARCHED for row in self.conditions)

    @property
    def failing(self) -> tuple[str, ...]:
        """Return the articles of the failed conditions, each once."""
        failed = (row.article for row in self.conditions if row.state is State.FAILED)
        return tuple(dict.fromkeys(failed))

    @property
    def exceeding(self) -> int:
        """Return the half points above the score that this average needs; 0 if below."""
        if self.figures is None or self.needed is None:
            return 0
        return max(0, self.figures.halves - self.needed)


def norm(title: Title, player: Person, event: Event, games: Iterable[Game]) -> Norm:
    """Return the answer for *title*: by all games, by the forfeited last round as a loss, without
    ignored games, or by both, in this order.

    If nothing is enough, the figures are those of all counted games. Cost: a check of each set of
    games that may be ignored, the smallest first and at most :data:`MOST_SETS`; if these are not
    all, :attr:`Norm.is_searched` is false.
    """
    edition = norm_edition(event.start)
    rules = edition.titles[title]
    if rules.is_for_women and not player.is_woman:
        row = Condition("women", "women only", "", "", State.FAILED)
        return Norm(rules, edition, State.FAILED, (row,))
    failed = tuple(row for row in event_conditions(event) if row.state is State.FAILED)
    judge = _Judge(rules, edition, player, event, tuple(games), failed)
    whole = judge.norm(judge.counted)
    if whole.is_met or failed:
        return whole
    found = next((other for other in judge.others() if other.is_met), None)
    if found is not None:
        return found
    if judge.is_searched:
        return whole
    row = Condition(NOT_SEARCHED, "1.4.1f", "", "", State.CONFIRM)
    return replace(whole, conditions=(*whole.conditions, row))


@dataclass(frozen=True, slots=True)
class _Judge:
    """The games of one player, judged for one title."""

    rules: TitleRules
    edition: NormEdition
    player: Person
    event: Event
    games: tuple[Game, ...]
    event_failures: tuple[Condition, ...]

    @property
    def counted(self) -> tuple[Game, ...]:
        """Return the games that count [B.01/2024 1.4.2]."""
        return tuple(game for game in self.games if game.kind.is_at_board and self._may_count(game))

    def _may_count(self, game: Game) -> bool:
        """Return whether the opponent is one whose games count [B.01/2024 1.4.2a, 1.4.2b]."""
        opponent = game.opponent
        if opponent is None or opponent.flag == NOT_OF_FIDE:
            return False
        is_ignored = not opponent.rating and opponent.no_points
        return not (is_ignored and self.event.system.is_predetermined)

    def others(self) -> Iterator[Norm]:
        """Yield the answers for the other sets of games, in the order in which they are tried."""
        counted = self.counted
        with_last = self._with_last_round(counted)
        if with_last:
            yield self.norm(with_last, is_142c=True)
        yield from self._without_ignored(counted)
        if with_last:
            yield from self._without_ignored(with_last, is_142c=True)

    def _without_ignored(
        self, counted: tuple[Game, ...], *, is_142c: bool = False
    ) -> Iterator[Norm]:
        """Yield the answers for *counted* without games that may be ignored; the last round that
        counts as a loss is always there, because without it the set is one of the others.
        """
        if not self._may_ignore(counted):
            return
        for ignored in self._ignorable(counted):
            left = tuple(game for place, game in enumerate(counted) if place not in ignored)
            if is_142c and left[-1:] != counted[-1:]:
                continue
            if self._may_be_enough(left):
                dropped = [counted[place] for place in sorted(ignored)]
                yield self.norm(left, dropped, is_142c=is_142c)

    @property
    def is_searched(self) -> bool:
        """Return whether :meth:`others` has all sets of games that may be ignored."""
        counted = self.counted
        return all(
            not self._may_ignore(games) or self._largest(games) == self._spare(games)
            for games in (counted, self._with_last_round(counted))
        )

    def _may_ignore(self, counted: Sequence[Game]) -> bool:
        """Return whether games may be ignored with a chance of a norm."""
        if self._is_hopeless(counted):
            return False
        return not self.event.system.is_predetermined or self._is_mix_met(counted)

    def _is_hopeless(self, counted: Sequence[Game]) -> bool:
        """Return whether no part of *counted* can be enough.

        A part has no more titled opponents than the whole and no more points; its average is at
        most that of the highest rated opponents, with the lowest of them raised to the floor.
        """
        fewest, rules = self._fewest_games(), self.rules
        figures = figures_of(counted, self.player, rules, self.edition)
        if figures.games <= fewest or figures.required < max(3, up(fewest, 3)):
            return True
        if figures.titled < up(fewest, 2):
            return True
        ratings = sorted(
            (max(rules.floor, game.opponent.rating or 0) for game in counted if game.opponent),
            reverse=True,
        )
        average = half_up(sum(ratings[:fewest]), fewest)
        percent = min(100, half_up(50 * figures.halves, fewest))
        return average < rules.average or average + rating_difference(percent) < rules.performance

    def _may_be_enough(self, games: Sequence[Game]) -> bool:
        """Return whether titles and performance of *games* are enough: a quick look."""
        figures = figures_of(games, self.player, self.rules, self.edition)
        return (
            figures.titled >= up(figures.games, 2)
            and figures.required >= max(3, up(figures.games, 3))
            and (figures.average or 0) >= self.rules.average
            and (figures.performance or 0) >= self.rules.performance
        )

    def _with_last_round(self, counted: tuple[Game, ...]) -> tuple[Game, ...]:
        """Return *counted* with the last round as a loss, if the opponent forfeited it; else
        nothing [B.01/2024 1.4.2c].
        """
        for game in self.games:
            is_last = game.round == self.event.rounds and game.kind is Kind.FORFEIT_WIN
            if is_last and self._may_count(game):
                return (*counted, replace(game, halves=0))
        return ()

    def _is_mix_met(self, games: Sequence[Game]) -> bool:
        """Return whether the mix makes a norm possible over the complete event, which a round
        robin needs before a win may be ignored [B.01/2024 1.4.1f].
        """
        figures = figures_of(games, self.player, self.rules, self.edition)
        return verdict(self._mix(figures)[0]) is not State.FAILED

    def _ignorable(self, counted: Sequence[Game]) -> Iterator[frozenset[int]]:
        """Yield the sets of games, by their places, that may be ignored together: the smallest
        first, then those with the lowest rated opponents.

        Any games against defeated opponents, and in a Swiss a whole tail of rounds: after the norm
        was complete [B.01/2024 1.4.1e, 1.4.1f].
        """
        keys = [
            ((game.opponent and game.opponent.rating) or self.edition.unrated, game.round)
            for game in counted
        ]
        tails = self._tails(counted)
        for size in range(1, self._largest(counted) + 1):
            sets = [
                frozenset((*tail, *chosen))
                for tail, wins in tails[: size + 1]
                for chosen in combinations(wins, size - len(tail))
            ]
            yield from sorted(sets, key=lambda places: sorted(keys[place] for place in places))

    def _tails(self, counted: Sequence[Game]) -> Sequence[tuple[Sequence[int], Sequence[int]]]:
        """Return the places of each tail that may be ignored, the empty one too, with those of the
        wins that may be ignored before it.

        In a Swiss the last game before a tail is not ignored, because with it the tail would be
        another one: so no set comes twice.
        """
        in_order = sorted(range(len(counted)), key=lambda place: counted[place].round)
        wins = [place for place in in_order if counted[place].halves == 2]
        if self.event.system.is_predetermined:
            return [((), wins)]
        return [
            (in_order[end:], [place for place in wins if place in in_order[: end - 1]])
            for end in range(len(counted), self._fewest_games() - 1, -1)
        ]

    def _largest(self, counted: Sequence[Game]) -> int:
        """Return the size up to which all sets are tried: no more than :data:`MOST_SETS`."""
        spare, tails, sets = self._spare(counted), self._tails(counted), 0
        for size in range(1, spare + 1):
            sets += sum(comb(len(wins), size - len(tail)) for tail, wins in tails[: size + 1])
            if sets > MOST_SETS:
                return size - 1
        return spare

    def _spare(self, counted: Sequence[Game]) -> int:
        """Return how many games more there are than a norm needs."""
        return len(counted) - self._fewest_games()

    def _fewest_games(self) -> int:
        """Return how many games a norm needs [B.01/2024 1.4.1, 1.4.1b]."""
        if self.event.kind is EventKind.TEAM_CHAMPIONSHIP and 7 <= self.event.rounds <= 9:
            return self.edition.games_in_team_championships
        if self.event.kind is EventKind.WORLD_CUP:
            return self.edition.games_in_world_cup
        return self.edition.games

    def _is_141c(self, games: Sequence[Game]) -> bool:
        """Return whether 8 games of 9 rounds are enough, because the missing
        one is a win by forfeit or the pairing-allocated bye [B.01/2024 1.4.1c].
        """
        least = self._fewest_games()
        missing = [game for game in self.games if game not in games]
        return (
            self.event.rounds == least == self.edition.games
            and len(games) == least - 1
            and [game.kind for game in missing]
            in ([Kind.FORFEIT_WIN], [Kind.PAIRING_ALLOCATED_BYE])
        )

    def _mix(self, figures: Figures) -> tuple[tuple[Condition, ...], str]:
        """Return the rows of the mix and the exemption that was needed."""
        rows = tuple(mix_conditions(figures, self.player, self.event, self.rules))
        if all(row.state is not State.FAILED for row in rows if row.article in _WAIVED):
            return rows, ""
        exemption, state = self._exemption()
        if not exemption:
            return rows, ""
        waived = tuple(
            replace(row, state=State.WAIVED)
            if row.article in _WAIVED and row.state is State.FAILED
            else row
            for row in rows
        )
        return (*waived, Condition("exemption", exemption, "", "", state)), exemption

    def _exemption(self) -> tuple[str, State]:
        """Return the article that exempts this player, if any [B.01/2024 1.4.3a-d].

        For the final of a national championship the arbiter confirms that the federation has no
        zonal tournament of its own in that year.
        """
        event = self.event
        if event.kind in _NATIONAL and event.host and self.player.flag == event.host.upper():
            is_final = event.kind is EventKind.NATIONAL_FINAL
            return _NATIONAL[event.kind], State.CONFIRM if is_final else State.MET
        if event.kind is EventKind.ZONAL:
            return "1.4.3c", State.MET
        if event.system is System.SWISS and event.swiss_exemption in (State.MET, State.CONFIRM):
            return "1.4.3d", event.swiss_exemption
        return "", State.FAILED

    def norm(
        self, games: tuple[Game, ...], ignored: Sequence[Game] = (), *, is_142c: bool = False
    ) -> Norm:
        """Return the answer for *games*."""
        figures = figures_of(games, self.player, self.rules, self.edition)
        is_141c = not is_142c and not ignored and self._is_141c(games)
        mix, exemption = self._mix(figures)
        rows = [
            *self.event_failures,
            games_condition(figures, self._fewest_games(), is_141c=is_141c),
            *mix,
            *performance_conditions(figures, self.rules, self.edition),
            *doubts(games, figures),
        ]
        if is_142c:
            rows.append(Condition("last_round", "1.4.2c", "", "", State.CONFIRM))
        return Norm(
            self.rules,
            self.edition,
            verdict(rows),
            tuple(rows),
            games,
            figures,
            dropped=self._dropped(ignored),
            is_141c=is_141c,
            is_142c=is_142c,
            exemption=exemption,
            needed=score_needed(figures, self.rules, self.edition),
        )

    def _dropped(self, ignored: Sequence[Game]) -> tuple[tuple[int, str], ...]:
        """Return the ignored rounds with the article: a win was ignored as a win."""
        return tuple(
            (game.round, "1.4.1f" if game.halves == 2 else "1.4.1e")
            for game in sorted(ignored, key=lambda game: game.round)
        )
