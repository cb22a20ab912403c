"""Published pairings shall not be changed except in five situations [C.04.2/2026 4.4].

A pairing change names its situation, and the data must confirm it. It may only change what the situation requires:
every player with a game or the allocated bye keeps one or the other, boards whose players stay together keep their
numbers, and after a repeated game or a broken absolute criterion no more other games are broken up than necessary.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import combinations
from types import MappingProxyType
from typing import Final, assert_never

from pairing.engine.matching.cardinality import is_perfect, maximum_matching
from pairing.engine.model import TPN

from .rounds import RoundState
from .verdict import ALLOWED, Refused, Verdict, first_refusal

FORFEITS: Final = frozenset({"+-", "-+", "--"})
"""Results of boards with a missing player: White's TRF letter, then Black's."""


MOST_OTHERS: Final = 2
"""The search for the smallest change breaks up at most this many other games."""


class Situation(Enum):
    """The situations of all editions in which published pairings may be changed; each value is our own name.

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
    """The arbiter applies a correction to a pairing that is published and not yet played [C.04.3/pre2017 F7]."""


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


@dataclass(frozen=True, slots=True)
class Published:
    """A published round, and the facts against which the situations are checked.

    ``results`` are those entered so far, by board. ``late`` are the late entries due to be paired from a later round
    on. ``met`` are the pairs who have played each other, ``prohibited`` the prohibited pairs. ``points`` are in tenths,
    before the round; two players are close if they are at most ``close`` tenths apart. ``clause`` is the regulation
    that allows changes, ``top_boards`` the number of boards of the last round that the chief arbiter declared to be top
    boards. ``situations`` are those of the edition with their articles, ``forbids`` the article that forbids all
    other changes. ``broken`` are the boards, and None for the bye, that break an absolute criterion. ``corrected``: a
    correction was made after the publication. ``follows`` is the engine's pairing from the corrected data, if it
    differs from the earlier one. ``no_bye`` are the players who shall not get the allocated bye, ``barred`` the colours
    that a player shall not get. ``begun``: the announced starting time has passed.
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
    begun: bool = False

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
    """Return the boards of *after* whose players did not sit together with these colours at any board of *before*."""
    old = {*before.boards.values()}
    return tuple(sorted(n for n, pair in after.boards.items() if pair not in old))


def may_change(published: Published, after: Arrangement, situation: Situation, *, consents: frozenset[TPN]) -> Verdict:
    """Check whether the published pairing may become *after* because of *situation*; *consents* are those who agreed.

    Source: [C.04.2/2026 4.4]. All players keep a place, nobody meets an opponent again [C.04.1/2026 2], and played
    games remain. Nobody gets a second allocated bye [C.04.1/2026 4].
    """
    if situation not in published.situations:
        return Refused("change.no_such_situation", published.forbids)
    return first_refusal(
        _is_open(published),
        sound(published.now, after),
        _keeps_games(published, after),
        _admits(published, after, situation),
        _holds(published, after, situation),
        _keeps_players(published, after),
        _agreed(published, after, situation, consents),
    )


def _places(arrangement: Arrangement) -> Iterator[tuple[TPN, tuple[str, object]]]:
    for white, black in arrangement.boards.values():
        yield white, ("w", black)
        yield black, ("b", white)
    for tpn, letter in arrangement.byes.items():
        yield tpn, ("bye", letter)


def _is_open(published: Published) -> Verdict:
    params: dict[str, object] = {"round": published.number}
    match published.state:
        case RoundState.PLANNED | RoundState.DRAFT:
            return Refused("change.not_published", "", params)
        case RoundState.RESULTS_PUBLISHED:
            return Refused("change.round_over", published.forbids, params)
        case RoundState.PAIRINGS_PUBLISHED:
            return ALLOWED
        case _:
            assert_never(published.state)


def sound(before: Arrangement, after: Arrangement) -> Verdict:
    """Check that all players keep exactly one place, there is at most one allocated bye, and something changes."""
    places = after.everybody
    twice = sorted({tpn for tpn in places if places.count(tpn) > 1})
    if twice:
        return Refused("change.two_places", "", {"players": twice})
    forgotten = sorted({*before.everybody} - {*places})
    if forgotten:
        return Refused("change.no_place", "", {"players": forgotten})
    if list(after.byes.values()).count("U") > 1:
        return Refused("change.two_allocated_byes", "C.04.1 3")
    if not affected(before, after):
        return Refused("change.nothing", "")
    return ALLOWED


def _keeps_games(published: Published, after: Arrangement) -> Verdict:
    """Check that no played game is removed and that nobody meets an opponent or gets an allocated bye again."""
    touched = changed_boards(published.now, after)
    played = [n for n in touched if published.results.get(n, "") not in {"", *FORFEITS}]
    if played:
        return Refused("change.played", published.forbids, {"boards": played})
    for number in touched:
        pair = frozenset(after.boards.get(number, ()))
        if pair in published.met:
            return Refused("change.would_meet_again", "C.04.1 2", {"board": number})
        if pair in published.prohibited:
            return Refused("change.prohibited", "C.04.2 1.5", {"board": number})
    second = sorted(tpn for tpn in _with_bye(after) - _with_bye(published.now) if tpn in published.no_bye)
    if second:
        return Refused("change.second_bye", "C.04.1 4", {"players": second})
    return ALLOWED


def _with_bye(arrangement: Arrangement) -> frozenset[TPN]:
    return frozenset(tpn for tpn, letter in arrangement.byes.items() if letter == "U")


def _keeps_players(published: Published, after: Arrangement) -> Verdict:
    """Check that no player who is there loses their place, and that boards with the same players keep their numbers."""
    now = published.now
    playing = frozenset(after.opponents()) | _with_bye(after)
    sent_home = sorted((frozenset(now.opponents()) | _with_bye(now)) - playing - published.missing_players)
    if sent_home:
        return Refused("change.sent_home", published.forbids, {"players": sent_home})
    together = {*after.boards.values()}
    moved = sorted(n for n, pair in now.boards.items() if pair in together and after.boards.get(n) != pair)
    if moved:
        return Refused("change.board_moved", published.forbids, {"boards": moved})
    return ALLOWED


def newcomers(published: Published, after: Arrangement) -> frozenset[TPN]:
    """Return the late entries who are paired in *after* but not in the published round."""
    paired = {*after.opponents(), *(tpn for tpn, letter in after.byes.items() if letter == "U")}
    return published.late & paired - published.now.opponents().keys()


def _admits(published: Published, after: Arrangement, situation: Situation) -> Verdict:
    """Check that only late entries join a published round, and only under their own article."""
    new = frozenset(after.everybody) - frozenset(published.now.everybody) | newcomers(published, after)
    if new and (situation is not Situation.LATE_ENTRY or not new <= published.late):
        article = published.situations.get(Situation.LATE_ENTRY, published.forbids)
        return Refused("change.newcomer", article, {"players": sorted(new)})
    return ALLOWED


def _holds(published: Published, after: Arrangement, situation: Situation) -> Verdict:
    """Check that the data confirm *situation*."""
    match situation:
        case Situation.ALREADY_MET:
            return _have_met(published, after)
        case Situation.REGULATIONS:
            if not published.clause.strip():
                return Refused("change.no_clause", published.situations[situation])
            return _not_begun(published, after, situation)
        case Situation.WITHOUT_OPPONENT:
            return _two_without_opponent(published, after)
        case Situation.LATE_ENTRY:
            return _late_entry(published, after)
        case Situation.TOP_BOARDS:
            return _top_boards(published, after)
        case Situation.ABSOLUTE_CRITERION:
            return _absolute_criterion(published, after)
        case Situation.CORRECTION:
            return _after_correction(published, after)
        case _:
            assert_never(situation)


def boards_met_again(published: Published) -> tuple[int, ...]:
    """Return the published boards whose players have played each other before [C.04.2/2026 4.4.1]."""
    return tuple(sorted(n for n, pair in published.now.boards.items() if frozenset(pair) in published.met))


def _have_met(published: Published, after: Arrangement) -> Verdict:
    article = published.situations[Situation.ALREADY_MET]
    again = boards_met_again(published)
    if not again:
        return Refused("change.nobody_met", article)
    staying = [n for n in again if after.boards.get(n) == published.now.boards[n]]
    if staying:
        return Refused("change.still_meet", article, {"boards": staying})
    return _no_more_than(published, after, frozenset(again), article)


def _not_begun(published: Published, after: Arrangement, situation: Situation) -> Verdict:
    """Check that no game that has begun is broken up. A board with a missing player has no game."""
    now = published.now.boards
    forfeited = (n for n, letters in published.results.items() if letters in FORFEITS)
    begun = sorted({*changed_boards(published.now, after)} & now.keys() - {*forfeited})
    if published.begun and begun:
        return Refused("change.begun", published.situations[situation], {"boards": begun})
    return ALLOWED


def _no_more_than(published: Published, after: Arrangement, triggers: frozenset[int | None], article: str) -> Verdict:
    """Check that only the boards *triggers* (None: the bye) change, and as few others as are needed to repair them."""
    now = published.now
    others = {n for n in changed_boards(now, after) if n in now.boards} - triggers
    least = _others_needed(published, triggers, moves_bye=_with_bye(now) != _with_bye(after), below=len(others))
    if len(others) > least:
        boards = sum(n is not None for n in triggers)
        return Refused("change.not_minimal", article, {"broken": boards + len(others), "least": boards + least})
    seated = {tpn for n in {*others, *triggers} if n is not None for tpn in now.boards[n]}
    outsiders = [tpn for tpn in affected(now, after) if tpn not in seated | _with_bye(now)]
    if outsiders:
        return Refused("change.more_than_needed", article, {"players": outsiders})
    return ALLOWED


def _others_needed(published: Published, triggers: frozenset[int | None], *, moves_bye: bool, below: int) -> int:
    """Return how many other games must be broken up to repair the boards *triggers*, or *below* if not fewer than that.

    If the change *moves_bye*, another player gets the allocated bye; otherwise it stays. The search stops at two games;
    if more are needed, the Chief Arbiter decides. Cost: one matching for each set of that many boards. In practice
    these are few, because almost any other board helps.
    """
    mended = [n for n in triggers if n is not None]
    open_boards = [n for n in published.now.boards if n not in triggers and not published.results.get(n)]
    return next(
        (
            size
            for size in range(min(below, MOST_OTHERS + 1))
            if any(_can_be_mended(published, (*mended, *more), moves_bye) for more in combinations(open_boards, size))
        ),
        below,
    )


def _can_be_mended(published: Published, boards: Sequence[int], moves_bye: bool) -> bool:
    """Return whether the players of *boards* can be paired among themselves, with or without the holder of the bye."""
    players = [tpn for n in boards for tpn in published.now.boards[n]]
    holders = sorted(_with_bye(published.now)) if moves_bye else []
    pool = [*players, *holders]
    rows = [sum(1 << j for j, other in enumerate(pool) if _may_meet(published, tpn, other)) for tpn in pool]
    if holders:  # The bye is one more partner for all players who may have it, except its holder.
        rows.append(sum(1 << j for j, tpn in enumerate(players) if tpn not in published.no_bye))
        rows = [row | (rows[-1] >> i & 1) << len(pool) for i, row in enumerate(rows[:-1])] + rows[-1:]
    everybody = (1 << len(rows)) - 1
    return is_perfect(maximum_matching(rows, everybody), everybody)


def _may_meet(published: Published, one: TPN, other: TPN) -> bool:
    """Return whether the absolute criteria allow the two to meet, with some distribution of colours."""
    pair = frozenset((one, other))
    if one == other or pair in published.met or pair in published.prohibited:
        return False
    barred = published.barred.get(one, ""), published.barred.get(other, "")
    return any(mine not in barred[0] and theirs not in barred[1] for mine, theirs in (("w", "b"), ("b", "w")))


def without_opponent(published: Published) -> tuple[TPN, ...]:
    """Return the players without an opponent: with a bye, or whose opponent is missing [C.04.2/2026 4.4.3]."""
    alone = [tpn for tpn, letter in published.now.byes.items() if letter == "U"]
    for number, (white, black) in published.now.boards.items():
        match published.results.get(number, ""):
            case "+-":
                alone.append(white)
            case "-+":
                alone.append(black)
            case _:
                pass
    return tuple(sorted(alone))


def _two_without_opponent(published: Published, after: Arrangement) -> Verdict:
    article = published.situations[Situation.WITHOUT_OPPONENT]
    before = published.now.opponents()
    new = {frozenset(pair) for pair in after.boards.values() if before.get(pair[0]) != pair[1]}
    alone = without_opponent(published)
    if len(new) != 1 or not min(new).issubset(alone):
        return Refused("change.not_alone", article, {"players": alone})
    one, other = sorted(min(new))
    # No other game may change: a board can only disappear if a player was missing there.
    gone = [n for n in changed_boards(published.now, after) if n in published.now.boards]
    if any(not {one, other} & {*published.now.boards[n]} for n in gone):
        return Refused("change.others_touched", article)
    if abs(published.points[one] - published.points[other]) > published.close:
        return Refused("change.not_close", article, {"one": one, "other": other})
    return ALLOWED


def smallest_change(published: Published, new: frozenset[TPN]) -> int:
    """Return how many published games must be broken up to give the late entries *new* a place [C.04.2/2026 4.4.4].

    None if they can play each other, and the remaining one plays the holder of the allocated bye or gets the bye. One
    game if the holder may not play any of them.
    """
    alone = [tpn for tpn, letter in published.now.byes.items() if letter == "U"]
    if not alone or len(new) % 2 == 0:
        return 0
    return 0 if any(frozenset((alone[0], tpn)) not in published.prohibited for tpn in new) else 1


def _late_entry(published: Published, after: Arrangement) -> Verdict:
    article = published.situations[Situation.LATE_ENTRY]
    new = newcomers(published, after)
    if not new:
        return Refused("change.no_late_entry", article)
    opponents = after.opponents()
    broken = sum(opponents.get(white) != black for white, black in published.now.boards.values())
    least = smallest_change(published, new)
    if broken > least:
        return Refused("change.not_minimal", article, {"broken": broken, "least": least})
    # Nobody else gets different colours or a different bye.
    needed = new | {tpn for tpn, letter in published.now.byes.items() if letter == "U"}
    for white, black in published.now.boards.values():
        if opponents.get(white) != black:
            needed |= {white, black}
    others = [tpn for tpn in affected(published.now, after) if tpn not in needed]
    if others:
        return Refused("change.more_than_needed", article, {"players": others})
    return ALLOWED


def _top_boards(published: Published, after: Arrangement) -> Verdict:
    article = published.situations[Situation.TOP_BOARDS]
    if not published.is_last:
        return Refused("change.not_last_round", article, {"round": published.number})
    below = [n for n in changed_boards(published.now, after) if n > published.top_boards]
    if below:
        return Refused("change.below_top_boards", article, {"boards": below, "top": published.top_boards})
    return _not_begun(published, after, Situation.TOP_BOARDS)


def _absolute_criterion(published: Published, after: Arrangement) -> Verdict:
    article = published.situations[Situation.ABSOLUTE_CRITERION]
    if not published.broken:
        return Refused("change.nothing_broken", article)
    staying = sorted(n for n in published.broken if n is not None and after.boards.get(n) == published.now.boards[n])
    if staying:
        return Refused("change.still_broken", article, {"boards": staying})
    if None in published.broken and _with_bye(published.now) & _with_bye(after):
        return Refused("change.bye_still_broken", article)
    return _no_more_than(published, after, published.broken, article)


def boards_corrected(published: Published) -> tuple[int, ...]:
    """Return the published boards that no longer follow from the corrected data [C.04.3/pre2017 F7]."""
    if published.follows is None:
        return ()
    right = {*published.follows.boards.values()}
    return tuple(sorted(n for n, pair in published.now.boards.items() if pair not in right))


def _after_correction(published: Published, after: Arrangement) -> Verdict:
    """Check that the round becomes the engine's pairing from the corrected data. It cannot be followed in part."""
    article = published.situations[Situation.CORRECTION]
    if not published.corrected:
        return Refused("change.nothing_corrected", article)
    played = sorted(n for n, result in published.results.items() if result)
    if played:
        return Refused("change.being_played", article, {"boards": played})
    if published.follows is None or not boards_corrected(published):
        return Refused("change.nothing_follows", article)
    strange = new_pairs(published.follows, after)
    if strange or _with_bye(after) != _with_bye(published.follows):
        return Refused("change.does_not_follow", article, {"boards": strange or boards_corrected(published)})
    return _not_begun(published, after, Situation.CORRECTION)


def needs_consent(situation: Situation) -> bool:
    """Return whether all affected players must agree. The text requires this in two of the five situations."""
    return situation in (Situation.WITHOUT_OPPONENT, Situation.LATE_ENTRY)


def _agreed(published: Published, after: Arrangement, situation: Situation, consents: frozenset[TPN]) -> Verdict:
    if not needs_consent(situation):
        return ALLOWED
    # A missing player cannot be needed, and only loses a game that is already forfeited.
    needed = [tpn for tpn in affected(published.now, after) if tpn not in published.missing_players]
    silent = [tpn for tpn in needed if tpn not in consents]
    if silent:
        return Refused("change.consent_missing", published.situations[situation], {"players": silent})
    return ALLOWED
