"""What a player still needs for a norm before the last rounds [B.01/2024 1.4]."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from .editions import Title
from .model import Event, Game, Kind, Person
from .norms import Norm, norm

LOWEST, HIGHEST = 1400, 2900
"""The ratings between which the least rating of an opponent is sought."""
MOST_ROUNDS: Final = 3
"""A forecast looks at no more missing rounds than this."""
_OTHER: Final = "???"
"""A federation that none of the opponents has."""
_LESSER: Final = frozenset({"FM"})


@dataclass(frozen=True, slots=True)
class Opponents:
    """The opponents that are enough: each with at least this rating, and a title or another
    federation where needed. ``titles`` is empty, “FM or higher”, or those of the title.
    """

    rating: int
    titles: frozenset[str]
    is_foreign: bool


@dataclass(frozen=True, slots=True)
class Chance:
    """A score (half points) in the missing rounds, and the opponents needed for it.

    ``opponents`` is None if the missing rounds are paired: then the score is enough.
    """

    halves: int
    opponents: Opponents | None = None


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a player needs for one title in the ``rounds`` that are missing.

    ``chances`` are from the lowest score, each with easier opponents than the one before; empty:
    not possible any more. ``already``: the norm is complete, even if every missing game is lost.
    ``by_forfeit``: it is enough if the opponent of the last round does not come
    [B.01/2024 1.4.2c].
    """

    title: Title
    rounds: int
    chances: tuple[Chance, ...]
    already: bool = False
    by_forfeit: bool = False

    @property
    def is_possible(self) -> bool:
        return bool(self.chances)


def forecast(
    title: Title,
    player: Person,
    event: Event,
    games: Sequence[Game],
    missing: Sequence[Person | None],
) -> Forecast:
    """Return what *player* needs in the *missing* rounds, the last ones of the event.

    Each has its published opponent, or None before its pairing. *games* has no record of them.
    A norm that is not searched completely counts as not enough. Cost: about fifty norms for a title
    that is possible, one or two for another.
    """
    if not missing or len(missing) > MOST_ROUNDS:
        return Forecast(title, len(missing), ())
    trial = _Trial(title, player, event, tuple(games), tuple(missing))
    if not trial.is_enough(2 * len(missing), trial.easiest()):
        return Forecast(title, len(missing), (), by_forfeit=trial.is_enough_by_forfeit())
    chances = tuple(trial.chances())
    hardest = trial.hardest()
    return Forecast(
        title,
        len(missing),
        chances,
        already=trial.is_enough(0, hardest),
        by_forfeit=trial.is_enough_by_forfeit(),
    )


@dataclass(frozen=True, slots=True)
class _Trial:
    title: Title
    player: Person
    event: Event
    games: tuple[Game, ...]
    missing: tuple[Person | None, ...]

    @property
    def is_paired(self) -> bool:
        return None not in self.missing

    def norm_with(self, halves: Sequence[int], unknown: Opponents) -> Norm:
        """Return the norm with these scores in the missing rounds."""
        first = self.event.rounds - len(self.missing) + 1
        games = [
            Game(first + place, Kind.PLAYED, made, opponent or self._person(unknown, place))
            for place, (opponent, made) in enumerate(zip(self.missing, halves, strict=True))
        ]
        return norm(self.title, self.player, self.event, (*self.games, *games))

    def _person(self, opponents: Opponents, place: int) -> Person:
        flag = f"{_OTHER}{place}" if opponents.is_foreign else self.player.flag
        return Person(rating=opponents.rating, titles=opponents.titles, federation=flag)

    def is_enough(self, halves: int, unknown: Opponents) -> bool:
        """Return whether a total of *halves* is enough, however the games share it."""
        rounds = len(self.missing)
        shares = (share for share in product((0, 1, 2), repeat=rounds) if sum(share) == halves)
        return all(self.norm_with(share, unknown).is_met for share in shares)

    def easiest(self) -> Opponents:
        return Opponents(HIGHEST, self._required(), is_foreign=True)

    def hardest(self) -> Opponents:
        return Opponents(LOWEST, frozenset(), is_foreign=False)

    def is_enough_by_forfeit(self) -> bool:
        """Return whether the last game may be a win by forfeit, if only it is missing."""
        if len(self.missing) != 1:
            return False
        opponent = self.missing[0] or self._person(self.easiest(), 0)
        game = Game(self.event.rounds, Kind.FORFEIT_WIN, 2, opponent)
        return norm(self.title, self.player, self.event, (*self.games, game)).is_met

    def chances(self) -> Iterator[Chance]:
        """Yield the scores that are enough, with the opponents they need."""
        before: Opponents | None = None
        for halves in range(2 * len(self.missing) + 1):
            if self.is_paired:
                if self.is_enough(halves, self.easiest()):
                    yield Chance(halves)
                    return
                continue
            found = self._opponents(halves)
            if found is not None and found != before:
                yield Chance(halves, found)
                before = found
            if found == self.hardest():
                return

    def _opponents(self, halves: int) -> Opponents | None:
        """Return the weakest demands on opponents with whom *halves* are enough."""
        for titles in (frozenset[str](), _LESSER, self._required()):
            for is_foreign in (False, True):
                best = Opponents(HIGHEST, titles, is_foreign)
                if self.is_enough(halves, best):
                    return replace(best, rating=self._least_rating(halves, best))
        return None

    def _least_rating(self, halves: int, best: Opponents) -> int:
        """Bisect: a higher rated opponent never makes a norm harder."""
        low, high = LOWEST, HIGHEST
        while low < high:
            middle = (low + high) // 2
            if self.is_enough(halves, replace(best, rating=middle)):
                high = middle
            else:
                low = middle + 1
        return high

    def _required(self) -> frozenset[str]:
        return frozenset({self.title.value})
