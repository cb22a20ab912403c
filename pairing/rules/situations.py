"""The situations in which published pairings change: whether the data confirm one, and how far the
change goes [C.04.2/2026 4.4].
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import assert_never

from pairing.engine.model import TPN

from .published import (
    FORFEITS,
    Arrangement,
    Published,
    Situation,
    affected,
    boards_corrected,
    boards_met_again,
    changed_boards,
    new_pairs,
    with_bye,
    without_opponent,
)
from .smallest import Bye, changed_games, games_broken, repaired
from .verdict import ALLOWED, Refused, Verdict


@dataclass(frozen=True, slots=True)
class Given:
    """What the Chief Arbiter states with a change, beside the reason.

    ``concerned`` are the boards that the regulations or the unforeseen event concern; empty: the
    first that changes. ``further``: there is a reason for changing more than necessary.
    ``exception``: there is a reason for breaking a colour rule. ``started``: the change of games
    whose announced start has passed is confirmed.
    """

    concerned: frozenset[int] = frozenset()
    further: bool = False
    exception: bool = False
    started: bool = False


NOTHING = Given()


def newcomers(published: Published, after: Arrangement) -> frozenset[TPN]:
    """Return the late entries who are paired in *after* but not in the published round."""
    paired = {*after.opponents(), *(tpn for tpn, letter in after.byes.items() if letter == "U")}
    return published.late & paired - published.now.opponents().keys()


def holds(published: Published, after: Arrangement, situation: Situation, given: Given) -> Verdict:
    """Check that the data confirm *situation*."""
    match situation:
        case Situation.ALREADY_MET:
            return _have_met(published, after, given)
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
            return _absolute_criterion(published, after, given)
        case Situation.CORRECTION:
            return _after_correction(published, after)
        case _:
            assert_never(situation)


def _have_met(published: Published, after: Arrangement, given: Given) -> Verdict:
    article = published.situations[Situation.ALREADY_MET]
    again = boards_met_again(published)
    if not again:
        return Refused("change.nobody_met", article)
    staying = [n for n in again if after.boards.get(n) == published.now.boards[n]]
    if staying:
        return Refused("change.still_meet", article, {"boards": staying})
    return _no_more_than(published, after, frozenset(again), article, given)


def _not_begun(published: Published, after: Arrangement, situation: Situation) -> Verdict:
    """Check that no game that has begun is broken up. A board with a missing player has no game."""
    now = published.now.boards
    forfeited = (n for n, letters in published.results.items() if letters in FORFEITS)
    begun = sorted({*changed_boards(published.now, after)} & now.keys() - {*forfeited})
    if published.begun and begun:
        return Refused("change.begun", published.situations[situation], {"boards": begun})
    return ALLOWED


def as_concerned(
    published: Published, after: Arrangement, situation: Situation, given: Given
) -> Verdict:
    """Check that the boards named by the Chief Arbiter change, and no more than needed.

    Without such boards it is the first board that changes. In the other situations the data say
    which boards it is.
    """
    if situation not in (Situation.REGULATIONS, Situation.TOP_BOARDS):
        return ALLOWED
    article = published.situations[situation]
    changed = changed_games(published.now, after)
    concerned = frozenset(given.concerned or changed[:1]) & frozenset(changed)
    if changed and not concerned:
        return Refused("change.others_concerned", article, {"boards": sorted(given.concerned)})
    return _extent(published, after, concerned, article, given)


def _no_more_than(
    published: Published,
    after: Arrangement,
    triggers: frozenset[int | None],
    article: str,
    given: Given,
    *,
    may_swap_colours: bool = False,
) -> Verdict:
    """Check that only *triggers* (None: the bye) change, and as few others as needed."""
    now = published.now
    verdict = _extent(published, after, triggers, article, given, may_swap_colours=may_swap_colours)
    if isinstance(verdict, Refused):
        return verdict
    seated = {tpn for n in changed_games(now, after) for tpn in now.boards[n]}
    outsiders = [tpn for tpn in affected(now, after) if tpn not in seated | with_bye(now)]
    if outsiders:
        return Refused("change.more_than_needed", article, {"players": outsiders})
    return ALLOWED


def _extent(
    published: Published,
    after: Arrangement,
    triggers: Set[int | None],
    article: str,
    given: Given,
    *,
    may_swap_colours: bool = False,
) -> Verdict:
    """Check that *after* breaks up no more games than the smallest change of *triggers*,
    or that there is a reason.

    The bye may stay, or another player may get it: each is compared with the smallest change of its
    kind. A game that has begun is not broken up by a further change.
    """
    now = published.now
    others = {n for n in changed_games(now, after) if n not in triggers}
    bye = Bye.STAYS if with_bye(now) == with_bye(after) else Bye.MOVES
    least = (
        repaired(published, triggers, may_swap_colours=may_swap_colours, bye=bye)
        if others
        else None
    )
    needed = len(others) if least is None else sum(n not in triggers for n in least.games)
    if len(others) <= needed:
        return ALLOWED
    begun = sorted(n for n in others if published.results.get(n) not in FORFEITS)
    if given.further and published.begun and begun:
        return Refused("change.begun", article, {"boards": begun})
    if given.further:
        return ALLOWED
    concerned = sum(n is not None for n in triggers)
    return Refused(
        "change.not_minimal",
        article,
        {"broken": concerned + len(others), "least": concerned + needed},
    )


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
    others = [
        tpn
        for tpn in affected(published.now, after)
        if tpn not in {one, other} | published.missing_players
    ]
    if others:
        return Refused("change.others_touched", article)
    if abs(published.points[one] - published.points[other]) > published.close:
        return Refused("change.not_close", article, {"one": one, "other": other})
    return ALLOWED


def smallest_change(published: Published, new: frozenset[TPN]) -> int:
    """Return how many published games must be broken up to give the late
    entries *new* a place [C.04.2/2026 4.4.4].

    None if they can play each other, and the remaining one plays the holder of the allocated bye or
    a player whose opponent is missing, or gets the bye. One game if the remaining one may not play
    any of them.
    """
    found = repaired(published, (), new=new)
    return len(published.now.boards) if found is None else len(games_broken(published, found.after))


def _late_entry(published: Published, after: Arrangement) -> Verdict:
    article = published.situations[Situation.LATE_ENTRY]
    new = newcomers(published, after)
    if not new:
        return Refused("change.no_late_entry", article)
    opponents = after.opponents()
    broken = [
        n
        for n, (w, b) in published.now.boards.items()
        if opponents.get(w) != b and n not in published.forfeited
    ]
    least = smallest_change(published, new)
    if len(broken) > least:
        return Refused("change.not_minimal", article, {"broken": len(broken), "least": least})
    needless = _needless(published, after, new, len(broken))
    if needless:
        return Refused("change.more_than_needed", article, {"players": needless})
    # Nobody else gets different colours or a different bye.
    needed = new | {tpn for tpn, letter in published.now.byes.items() if letter == "U"}
    for white, black in published.now.boards.values():
        if opponents.get(white) != black:
            needed |= {white, black}
    others = [tpn for tpn in affected(published.now, after) if tpn not in needed]
    if others:
        return Refused("change.more_than_needed", article, {"players": others})
    return ALLOWED


def _needless(
    published: Published, after: Arrangement, new: frozenset[TPN], broken: int
) -> list[TPN]:
    """Return the players who move although no late entry of *new* needs it.

    A board decided by forfeit is left for a new opponent only. Each new board has a late entry, or
    a player of one of the *broken* games.
    """
    pairs = [after.boards[n] for n in new_pairs(published.now, after)]
    without = [pair for pair in pairs if not new & {*pair}]
    if len(without) > broken:
        return sorted(tpn for pair in without for tpn in pair)
    seated = {tpn for pair in pairs for tpn in pair}
    left = {n for n in changed_games(published.now, after) if n in published.forfeited}
    return sorted(
        tpn for n in left if not seated & {*(pair := published.now.boards[n])} for tpn in pair
    )


def _top_boards(published: Published, after: Arrangement) -> Verdict:
    article = published.situations[Situation.TOP_BOARDS]
    if not published.is_last:
        return Refused("change.not_last_round", article, {"round": published.number})
    below = [n for n in changed_boards(published.now, after) if n > published.top_boards]
    if below:
        return Refused(
            "change.below_top_boards", article, {"boards": below, "top": published.top_boards}
        )
    return _not_begun(published, after, Situation.TOP_BOARDS)


def _absolute_criterion(published: Published, after: Arrangement, given: Given) -> Verdict:
    article = published.situations[Situation.ABSOLUTE_CRITERION]
    if not published.broken:
        return Refused("change.nothing_broken", article)
    staying = sorted(
        n
        for n in published.broken
        if n is not None and after.boards.get(n) == published.now.boards[n]
    )
    if staying:
        return Refused("change.still_broken", article, {"boards": staying})
    if None in published.broken and with_bye(published.now) & with_bye(after):
        return Refused("change.bye_still_broken", article)
    return _no_more_than(published, after, published.broken, article, given, may_swap_colours=True)


def _after_correction(published: Published, after: Arrangement) -> Verdict:
    """Check that the round becomes the engine's pairing from the corrected data.

    It cannot be followed in part.
    """
    article = published.situations[Situation.CORRECTION]
    if not published.corrected:
        return Refused("change.nothing_corrected", article)
    played = sorted(n for n, result in published.results.items() if result)
    if played:
        return Refused("change.being_played", article, {"boards": played})
    if published.follows is None or not boards_corrected(published):
        return Refused("change.nothing_follows", article)
    strange = new_pairs(published.follows, after)
    if strange or with_bye(after) != with_bye(published.follows):
        return Refused(
            "change.does_not_follow", article, {"boards": strange or boards_corrected(published)}
        )
    return _not_begun(published, after, Situation.CORRECTION)
