"""The seeded round of :mod:`tests.e2e.test_round_together`: its results and its mistakes."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import NamedTuple

SEED = 150
TURNED = {"10": "01", "01": "10"}


class Seated(NamedTuple):
    """Two players at a board of round 1, with their ratings."""

    board: int
    white: str
    white_rating: int
    black: str
    black_rating: int


@dataclass(frozen=True)
class Plan:
    """The seeded round: ``slips`` has the result on each slip,
    the other fields name the boards of an event.

    The first arbiter enters the lower half of the boards, the second one the upper half. The last
    two boards of each half are for the phone and the kiosk.
    """

    slips: dict[int, str]
    keep: int
    """Both enter it, and the first arbiter keeps what the second one saved."""
    replace: int
    """Both enter it, and the first arbiter saves the own result after the question."""
    shift: range
    """The first arbiter enters the results of the next board here."""
    upset: int
    """The second arbiter enters that the much lower rated player won."""
    draws: tuple[int, int]
    """A draw is entered instead of a win: by the first arbiter, and by the second."""
    adjourned: int
    corrected: int
    """The slip itself is wrong: the players say so when the results are published."""
    killed_at: int

    @property
    def half(self) -> int:
        return len(self.slips) // 2

    @property
    def phone(self) -> tuple[int, int]:
        return self.half - 1, self.half

    @property
    def kiosk(self) -> tuple[int, int]:
        return 2 * self.half - 1, 2 * self.half

    @property
    def typed(self) -> dict[int, str]:
        """Return the results that the two arbiters type, with their mistakes."""
        typed = {
            board: slip
            for board, slip in self.slips.items()
            if board not in self.phone + self.kiosk
        }
        typed |= {board: self.slips[board + 1] for board in self.shift}
        typed |= {self.upset: TURNED[self.slips[self.upset]], **dict.fromkeys(self.draws, "==")}
        return typed | {self.keep: "=="}


def make_plan(games: list[Seated]) -> Plan:
    """Return the plan of the seed: favourites win, or one game in six is drawn."""
    chance = random.Random(SEED)
    won = {game.board: "10" if game.white_rating > game.black_rating else "01" for game in games}
    half = len(games) // 2
    keep, replace, shift, adjourned = 2, 4, range(5, 11), half - 2
    mine, corrected = half - 3, 1
    yours = [game for game in games if half + 2 <= game.board <= 2 * half - 3]
    upset = chance.choice(
        [game.board for game in yours if abs(game.white_rating - game.black_rating) >= 400]
    )
    theirs = chance.choice([game.board for game in yours if game.board != upset])
    decisive = {keep, replace, *shift, shift.stop, mine, theirs, upset, corrected}
    slips = {
        board: "==" if board not in decisive and chance.random() < 1 / 6 else result
        for board, result in won.items()
    }
    slips[adjourned] = "??"
    return Plan(
        slips,
        keep,
        replace,
        shift,
        upset,
        (mine, theirs),
        adjourned,
        corrected,
        chance.randrange(5, half - 5),
    )
