"""Published pairings shall not be changed, but for five situations [C.04.2/2026 4.4].

A change names the situation and is tested against it: the claim is believed only as far as the tables bear it out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Final, assert_never

from pairing.engine.model import TPN

from .rounds import Stage
from .verdict import ALLOWED, Refused, Verdict, first_refusal

FORFEITS: Final = frozenset({"+-", "-+", "--"})
"""Results of boards at which somebody was missing: White's TRF letter and Black's."""


class Ground(Enum):
    """The situations in which published pairings may be changed, of all editions; valued by a name of ours.

    Those of 2026 have the number of their article for a name.
    """

    ALREADY_MET = "4.4.1"
    REGULATIONS = "4.4.2"
    WITHOUT_OPPONENT = "4.4.3"
    LATE_ENTRY = "4.4.4"
    TOP_BOARDS = "4.4.5"
    ABSOLUTE_CRITERION = "absolute"
    """A published board, or the bye, breaks B1 or B2 [C.04.3/pre2017 F6]."""
    CORRECTION = "correction"
    """The arbiter lets a correction affect a pairing that is published and not yet played [C.04.3/pre2017 F7]."""


GROUNDS_2026: Final[Mapping[Ground, str]] = MappingProxyType(
    {
        Ground.ALREADY_MET: "C.04.2 4.4.1",
        Ground.REGULATIONS: "C.04.2 4.4.2",
        Ground.WITHOUT_OPPONENT: "C.04.2 4.4.3",
        Ground.LATE_ENTRY: "C.04.2 4.4.4",
        Ground.TOP_BOARDS: "C.04.2 4.4.5",
    }
)
"""The situations of [C.04.2/2026 4.4] and their articles."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Who sits where: (White, Black) by board number, and the byes by TRF letter."""

    boards: Mapping[int, tuple[TPN, TPN]]
    byes: Mapping[TPN, str] = field(default_factory=dict)

    @property
    def everybody(self) -> list[TPN]:
        """Everyone with a place, in no order; who has two is in it twice."""
        return [*(player for pair in self.boards.values() for player in pair), *self.byes]

    def opponents(self) -> dict[TPN, TPN]:
        """Who meets whom, both ways."""
        there = dict(self.boards.values())
        return there | {black: white for white, black in there.items()}


@dataclass(frozen=True, slots=True)
class Published:
    """A round as it is published, and what the situations are tested with.

    ``results`` are those entered so far, by board; ``late`` are late entries who were to be paired from a later round
    on; ``met`` are the pairs who have played each other, ``prohibited`` those who may not; ``points`` in tenths before
    the round, ``close`` how many tenths apart two players may be and still stand close; ``clause`` is the regulation
    that allows changes, ``top_boards`` how many boards of the last round the chief arbiter declared to be top boards.
    ``grounds`` are the situations of the edition with their articles, ``forbids`` the article that allows no other.
    ``broken`` are the boards, and None for the bye, that break an absolute criterion; ``corrected`` whether a
    correction was made after the publication.
    """

    number: int
    stage: Stage
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
    grounds: Mapping[Ground, str] = field(default_factory=lambda: GROUNDS_2026)
    forbids: str = "C.04.2 4.4"
    broken: frozenset[int | None] = frozenset()
    corrected: bool = False


def affected(before: Arrangement, after: Arrangement) -> tuple[TPN, ...]:
    """Those who get another opponent, another colour or another bye, and newcomers; a board number alone is nothing."""
    old, new = dict(_places(before)), dict(_places(after))
    return tuple(sorted(tpn for tpn in {*old, *new} if old.get(tpn) != new.get(tpn)))


def changed_boards(before: Arrangement, after: Arrangement) -> tuple[int, ...]:
    """The numbers of the boards at which somebody else sits, or with other colours."""
    numbers = {*before.boards, *after.boards}
    return tuple(sorted(n for n in numbers if before.boards.get(n) != after.boards.get(n)))


def may_change(published: Published, after: Arrangement, ground: Ground, *, consents: frozenset[TPN]) -> Verdict:
    """Whether the published pairing may become *after* because of *ground*, to which *consents* agreed.

    Source: [C.04.2/2026 4.4]; whoever has a place keeps one, nobody meets an opponent again [C.04.1/2026 2], and a
    game that was played stays.
    """
    if ground not in published.grounds:
        return Refused("change.no_such_ground", published.forbids)
    return first_refusal(
        _is_open(published),
        sound(published.now, after),
        _keeps_games(published, after),
        _admits(published, after, ground),
        _holds(published, after, ground),
        _agreed(published, after, ground, consents),
    )


def _places(arrangement: Arrangement) -> Iterator[tuple[TPN, tuple[str, object]]]:
    for white, black in arrangement.boards.values():
        yield white, ("w", black)
        yield black, ("b", white)
    for tpn, letter in arrangement.byes.items():
        yield tpn, ("bye", letter)


def _is_open(published: Published) -> Verdict:
    params: dict[str, object] = {"round": published.number}
    match published.stage:
        case Stage.PLANNED | Stage.DRAFT:
            return Refused("change.not_published", "", params)
        case Stage.RESULTS:
            return Refused("change.round_over", published.forbids, params)
        case Stage.PUBLISHED:
            return ALLOWED
        case _:
            assert_never(published.stage)


def sound(before: Arrangement, after: Arrangement) -> Verdict:
    """Whether everybody who had a place has one, nobody two, one allocated bye at most, and something changed."""
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
    """No game that was played taken away, nobody meeting again."""
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
    return ALLOWED


def newcomers(published: Published, after: Arrangement) -> frozenset[TPN]:
    """The late entries who are paired in *after* and were not."""
    paired = {*after.opponents(), *(tpn for tpn, letter in after.byes.items() if letter == "U")}
    return published.late & paired - published.now.opponents().keys()


def _admits(published: Published, after: Arrangement, ground: Ground) -> Verdict:
    """Nobody comes into a published round but a late entry, under its own article."""
    new = frozenset(after.everybody) - frozenset(published.now.everybody) | newcomers(published, after)
    if new and (ground is not Ground.LATE_ENTRY or not new <= published.late):
        article = published.grounds.get(Ground.LATE_ENTRY, published.forbids)
        return Refused("change.newcomer", article, {"players": sorted(new)})
    return ALLOWED


def _holds(published: Published, after: Arrangement, ground: Ground) -> Verdict:
    """Whether the situation claimed is the one the tables show."""
    match ground:
        case Ground.ALREADY_MET:
            return _have_met(published, after)
        case Ground.REGULATIONS:
            return ALLOWED if published.clause.strip() else Refused("change.no_clause", published.grounds[ground])
        case Ground.WITHOUT_OPPONENT:
            return _two_without_opponent(published, after)
        case Ground.LATE_ENTRY:
            return _late_entry(published, after)
        case Ground.TOP_BOARDS:
            return _top_boards(published, after)
        case Ground.ABSOLUTE_CRITERION:
            return _absolute_criterion(published, after)
        case Ground.CORRECTION:
            return _after_correction(published)
        case _:
            assert_never(ground)


def boards_met_again(published: Published) -> tuple[int, ...]:
    """The published boards at which two sit who have played each other [C.04.2/2026 4.4.1]."""
    return tuple(sorted(n for n, pair in published.now.boards.items() if frozenset(pair) in published.met))


def _have_met(published: Published, after: Arrangement) -> Verdict:
    article = published.grounds[Ground.ALREADY_MET]
    again = boards_met_again(published)
    if not again:
        return Refused("change.nobody_met", article)
    staying = [n for n in again if after.boards.get(n) == published.now.boards[n]]
    if staying:
        return Refused("change.still_meet", article, {"boards": staying})
    return ALLOWED


def without_opponent(published: Published) -> tuple[TPN, ...]:
    """Who has nobody to play: a bye, or an opponent who is missing [C.04.2/2026 4.4.3]."""
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
    article = published.grounds[Ground.WITHOUT_OPPONENT]
    before = published.now.opponents()
    new = {frozenset(pair) for pair in after.boards.values() if before.get(pair[0]) != pair[1]}
    alone = without_opponent(published)
    if len(new) != 1 or not min(new).issubset(alone):
        return Refused("change.not_alone", article, {"players": alone})
    one, other = sorted(min(new))
    # Nobody else's game is touched: a board that goes is one at which somebody was missing.
    gone = [n for n in changed_boards(published.now, after) if n in published.now.boards]
    if any(not {one, other} & {*published.now.boards[n]} for n in gone):
        return Refused("change.others_touched", article)
    if abs(published.points[one] - published.points[other]) > published.close:
        return Refused("change.not_close", article, {"one": one, "other": other})
    return ALLOWED


def smallest_change(published: Published, new: frozenset[TPN]) -> int:
    """How many published games have to go so that the late entries *new* have a place [C.04.2/2026 4.4.4].

    None: they play each other, the one left over plays whoever has the allocated bye, or gets it. One, where that
    player may not play any of them.
    """
    alone = [tpn for tpn, letter in published.now.byes.items() if letter == "U"]
    if not alone or len(new) % 2 == 0:
        return 0
    return 0 if any(frozenset((alone[0], tpn)) not in published.prohibited for tpn in new) else 1


def _late_entry(published: Published, after: Arrangement) -> Verdict:
    article = published.grounds[Ground.LATE_ENTRY]
    new = newcomers(published, after)
    if not new:
        return Refused("change.no_late_entry", article)
    opponents = after.opponents()
    broken = sum(opponents.get(white) != black for white, black in published.now.boards.values())
    least = smallest_change(published, new)
    if broken > least:
        return Refused("change.not_minimal", article, {"broken": broken, "least": least})
    # Nobody else gets other colours or another bye on the way.
    needed = new | {tpn for tpn, letter in published.now.byes.items() if letter == "U"}
    for white, black in published.now.boards.values():
        if opponents.get(white) != black:
            needed |= {white, black}
    others = [tpn for tpn in affected(published.now, after) if tpn not in needed]
    if others:
        return Refused("change.more_than_needed", article, {"players": others})
    return ALLOWED


def _top_boards(published: Published, after: Arrangement) -> Verdict:
    article = published.grounds[Ground.TOP_BOARDS]
    if not published.is_last:
        return Refused("change.not_last_round", article, {"round": published.number})
    below = [n for n in changed_boards(published.now, after) if n > published.top_boards]
    if below:
        return Refused("change.below_top_boards", article, {"boards": below, "top": published.top_boards})
    return ALLOWED


def _absolute_criterion(published: Published, after: Arrangement) -> Verdict:
    article = published.grounds[Ground.ABSOLUTE_CRITERION]
    if not published.broken:
        return Refused("change.nothing_broken", article)
    staying = sorted(n for n in published.broken if n is not None and after.boards.get(n) == published.now.boards[n])
    if staying:
        return Refused("change.still_broken", article, {"boards": staying})
    return ALLOWED


def _after_correction(published: Published) -> Verdict:
    article = published.grounds[Ground.CORRECTION]
    if not published.corrected:
        return Refused("change.nothing_corrected", article)
    played = sorted(n for n, result in published.results.items() if result)
    if played:
        return Refused("change.being_played", article, {"boards": played})
    return ALLOWED


def needs_consent(ground: Ground) -> bool:
    """Whether everybody affected has to agree: in two of the five situations the text says so."""
    return ground in (Ground.WITHOUT_OPPONENT, Ground.LATE_ENTRY)


def _agreed(published: Published, after: Arrangement, ground: Ground, consents: frozenset[TPN]) -> Verdict:
    if not needs_consent(ground):
        return ALLOWED
    # Who is missing cannot be asked, and loses nothing but a game already forfeited.
    missing_players = {
        pair[letters.index("-")]
        for n, pair in published.now.boards.items()
        if (letters := published.results.get(n, "")) in ("+-", "-+")
    }
    silent = [tpn for tpn in affected(published.now, after) if tpn not in consents and tpn not in missing_players]
    if silent:
        return Refused("change.consent_missing", published.grounds[ground], {"players": silent})
    return ALLOWED
