"""A published round, the situations for changes, and the difference of arrangements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Final

from pairing.engine.due_colours import DueColours
from pairing.engine.model import TPN, Colour

from .rounds import RoundState

FORFEITS: Final = frozenset({"+-", "-+", "--"})
"""Results of boards with a missing player: White's TRF letter, then Black's."""


class Situation(Enum):
    """The situations, of all editions, for changes of pairings; values are our own names.

    The situations of 2026 have their article number as name.
    """

    ALREADY_MET = "4.4.1"
    REGULATIONS = "4.4.2"
    WITHOUT_OPPONENT = "4.4.3"
    LATE_ENTRY = "4.4.4"
    TOP_BOARDS = "4.4.5"
    ABSOLUTE_CRITERION = "absolute"
    """A published board, or the bye, breaks B1 or B2 [C.04.3/pre2017 F6]."""
    CORRECTION = "correction"
    """The arbiter applies a correction to a pairing that is published
    and not yet played [C.04.3/pre2017 F7].
    """


SITUATIONS_2026: Final[Mapping[Situation, str]] = MappingProxyType(
    {
        Situation.ALREADY_MET: "C.04.2 4.4.1",
        Situation.REGULATIONS: "C.04.2 4.4.2",
        Situation.WITHOUT_OPPONENT: "C.04.2 4.4.3",
        Situation.LATE_ENTRY: "C.04.2 4.4.4",
        Situation.TOP_BOARDS: "C.04.2 4.4.5",
    }
)
"""The situations of [C.04.2/2026 4.4] and their articles."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The places of all players: (White, Black) by board number, and the byes by TRF letter."""

    boards: Mapping[int, tuple[TPN, TPN]]
    byes: Mapping[TPN, str] = field(default_factory=dict)

    @property
    def everybody(self) -> list[TPN]:
        """Return all players with a place, in no order; a player with two places appears twice."""
        return [*(player for pair in self.boards.values() for player in pair), *self.byes]

    def opponents(self) -> dict[TPN, TPN]:
        """Return the opponent of each player."""
        there = dict(self.boards.values())
        return there | {black: white for white, black in there.items()}


def lower_number_has_white(_new: frozenset[TPN]) -> DueColours:
    """Return colours for players without a history: the lower number has White."""
    return DueColours({}, defaultdict(int), lambda _higher, _lower: Colour.WHITE)


@dataclass(frozen=True, slots=True)
class Published:
    """A published round, and the facts against which the situations are checked.

    ``results`` are those entered so far, by board. ``late`` are the late entries due to be paired
    from a later round on. ``met`` are the pairs who have played each other, ``prohibited`` the
    prohibited pairs. ``points`` are in tenths, before the round; two players are close if they are
    at most ``close`` tenths apart. ``clause`` is the regulation that allows changes, ``top_boards``
    the number of boards of the last round that the chief arbiter declared to be top boards.
    ``situations`` are those of the edition with their articles, ``forbids`` the article that
    forbids all other changes. ``broken`` are the boards, and None for the bye, that break an
    absolute criterion. ``corrected``: a correction was made after the publication. ``follows`` is
    the engine's pairing from the corrected data, if it differs from the earlier one. ``no_bye`` are
    the players who shall not get the allocated bye, ``barred`` the colours that a player shall not
    get; ``due`` gives the colours of any two players by the rules, if these late entries are paired
    too. ``begun``: the round was published in time and its announced start has passed. ``started``:
    the announced start has passed, whenever the round was published. ``away`` are the players who
    have withdrawn by this round or are expelled, ``unseen`` those who are not checked in or leave
    after it: nobody proposes to pair them. ``not_arrived`` are the late entries who were never
    paired and are not marked as arrived: they cannot be paired [C.04.2/2026 2.4].
    """

    number: int
    state: RoundState
    is_last: bool
    now: Arrangement
    results: Mapping[int, str]
    met: frozenset[frozenset[TPN]]
    points: Mapping[TPN, int]
    late: frozenset[TPN] = frozenset()
    prohibited: frozenset[frozenset[TPN]] = frozenset()
    close: int = 10
    clause: str = ""
    top_boards: int = 0
    situations: Mapping[Situation, str] = field(default_factory=lambda: SITUATIONS_2026)
    forbids: str = "C.04.2 4.4"
    broken: frozenset[int | None] = frozenset()
    corrected: bool = False
    follows: Arrangement | None = None
    no_bye: frozenset[TPN] = frozenset()
    barred: Mapping[TPN, str] = field(default_factory=dict)
    due: Callable[[frozenset[TPN]], DueColours] = field(default=lower_number_has_white)
    begun: bool = False
    started: bool = False
    away: frozenset[TPN] = frozenset()
    unseen: frozenset[TPN] = frozenset()
    not_arrived: frozenset[TPN] = frozenset()

    @property
    def forfeited(self) -> frozenset[int]:
        """Return the boards decided by forfeit: nobody plays there, so no game can be broken up."""
        return frozenset(n for n in self.now.boards if self.results.get(n) in FORFEITS)

    @property
    def missing_players(self) -> frozenset[TPN]:
        """Return the players who lost by forfeit because they were not there."""
        return frozenset(
            player
            for n, pair in self.now.boards.items()
            if (letters := self.results.get(n, "")) in FORFEITS
            for player, letter in zip(pair, letters, strict=True)
            if letter == "-"
        )


def affected(before: Arrangement, after: Arrangement) -> tuple[TPN, ...]:
    """Return all newcomers and all players with a new opponent, colour or bye.

    A new board number alone does not count.
    """
    old, new = dict(_places(before)), dict(_places(after))
    return tuple(sorted(tpn for tpn in {*old, *new} if old.get(tpn) != new.get(tpn)))


def changed_boards(before: Arrangement, after: Arrangement) -> tuple[int, ...]:
    """Return the numbers of the boards with different players or colours."""
    numbers = {*before.boards, *after.boards}
    return tuple(sorted(n for n in numbers if before.boards.get(n) != after.boards.get(n)))


def new_pairs(before: Arrangement, after: Arrangement) -> tuple[int, ...]:
    """Return the boards of *after* whose pair, with these colours, is at no board of *before*."""
    old = {*before.boards.values()}
    return tuple(sorted(n for n, pair in after.boards.items() if pair not in old))


def with_bye(arrangement: Arrangement) -> frozenset[TPN]:
    """Return the player with the allocated bye, if any."""
    return frozenset(tpn for tpn, letter in arrangement.byes.items() if letter == "U")


def _places(arrangement: Arrangement) -> Iterator[tuple[TPN, tuple[str, object]]]:
    for white, black in arrangement.boards.values():
        yield white, ("w", black)
        yield black, ("b", white)
    for tpn, letter in arrangement.byes.items():
        yield tpn, ("bye", letter)


def boards_met_again(published: Published) -> tuple[int, ...]:
    """Return the published boards whose players have met before [C.04.2/2026 4.4.1]."""
    return tuple(
        sorted(n for n, pair in published.now.boards.items() if frozenset(pair) in published.met)
    )


def without_opponent(published: Published) -> tuple[TPN, ...]:
    """Return the players of the tournament without an opponent in the round,
    in ascending order [C.04.2/2026 4.4.3].

    These are all players with a bye of any kind (allocated, requested, absent at the check-in,
    withdrawn and back again), the late entries without a place, and the players whose opponent is
    missing. Players who have withdrawn [C.04.2/2026 3.2] or are expelled are not paired, nor late
    entries who have not arrived [C.04.2/2026 2.4].
    """
    alone = {*published.now.byes, *(published.late - published.now.opponents().keys())}
    for number, (white, black) in published.now.boards.items():
        match published.results.get(number, ""):
            case "+-":
                alone.add(white)
            case "-+":
                alone.add(black)
            case _:
                pass
    return tuple(sorted(alone - published.away - published.not_arrived))


def perhaps_away(published: Published) -> frozenset[TPN]:
    """Return the players who are probably not in the hall: unseen, or with a bye that is not the
    allocated one (they asked for it, or did not come to an earlier board of this round).
    """
    with_bye = {tpn for tpn, letter in published.now.byes.items() if letter != "U"}
    return published.unseen | with_bye


def boards_corrected(published: Published) -> tuple[int, ...]:
    """Return the published boards that corrected data no longer give [C.04.3/pre2017 F7]."""
    if published.follows is None:
        return ()
    right = {*published.follows.boards.values()}
    return tuple(sorted(n for n, pair in published.now.boards.items() if pair not in right))
