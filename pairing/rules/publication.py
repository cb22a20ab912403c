"""Published pairings shall not be changed except in five situations [C.04.2/2026 4.4].

A pairing change names its situation, and the data must confirm it. It may only change what the
situation requires: every player with a game or the allocated bye keeps one or the other, and boards
whose players stay together keep their numbers. More than the smallest sufficient change
(:mod:`pairing.rules.smallest`) needs a reason of its own.
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
from .rounds import RoundState
from .smallest import Bye, breaches, changed_games, games_broken, proposal, repaired
from .verdict import ALLOWED, Refused, Verdict, first_refusal


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


def may_change(
    published: Published,
    after: Arrangement,
    situation: Situation,
    *,
    consents: frozenset[TPN],
    given: Given = NOTHING,
) -> Verdict:
    """Check whether the published pairing may become *after* because of *situation*; *consents* are
    those who agreed.

    Source: [C.04.2/2026 4.4]. All players keep a place, nobody meets an opponent again [C.04.1/2026
    2], and played games remain. Nobody gets a second allocated bye [C.04.1/2026 4]. More games than
    the smallest sufficient change breaks up need a further reason; where the text itself says how
    far a change goes (4.4.3, 4.4.4, F7), none helps.
    """
    if situation not in published.situations:
        return Refused("change.no_such_situation", published.forbids)
    return first_refusal(
        _is_open(published),
        sound(published.now, after),
        _keeps_games(published, after),
        _admits(published, after, situation),
        _not_away(published, after),
        _have_arrived(published, after),
        _holds(published, after, situation, given),
        _keeps_players(published, after),
        _as_concerned(published, after, situation, given),
        _agreed(published, after, situation, consents),
    )


def may_deviate(
    published: Published, after: Arrangement, situation: Situation, *, given: Given
) -> Verdict:
    """Check the colours of *after* and whether its games have begun, for a change that
    :func:`may_change` allows.

    A third colour in a row or a colour difference beyond ±2 [C.04.1/2026 6, 7] is refused if other
    colours, or the smallest sufficient change, avoid it; otherwise it needs its own reason. The
    engine's pairing after a correction has the colours of the rules. Games whose announced start
    has passed need a second confirmation.
    """
    return first_refusal(
        _keeps_colours(published, after, situation, given),
        _start_confirmed(published, after, situation, given),
    )


def _keeps_colours(
    published: Published, after: Arrangement, situation: Situation, given: Given
) -> Verdict:
    if situation is Situation.CORRECTION:
        return ALLOWED
    pairs = {n: after.boards[n] for n in changed_boards(published.now, after) if n in after.boards}
    counted = {n: breaches(published, *pair) for n, pair in pairs.items()}
    turned = [
        n for n, (white, black) in pairs.items() if breaches(published, black, white) < counted[n]
    ]
    if turned:
        return Refused("change.colours_avoidable", "C.04.1 7", {"boards": turned})
    broken = [n for n, count in counted.items() if count]
    if not broken:
        return ALLOWED
    if situation in _NAMED_BY_THE_DATA:
        smallest = proposal(published, situation, new=newcomers(published, after))
        if smallest is not None and smallest.breaches < sum(counted.values()):
            return Refused("change.colours_need_not_break", "C.04.1 7", {"boards": broken})
    return (
        ALLOWED
        if given.exception
        else Refused("change.exception_missing", "C.04.1 7", {"boards": broken})
    )


_NAMED_BY_THE_DATA = (Situation.ALREADY_MET, Situation.ABSOLUTE_CRITERION, Situation.LATE_ENTRY)


def is_larger(
    published: Published,
    after: Arrangement,
    situation: Situation,
    *,
    concerned: frozenset[int] = frozenset(),
) -> bool:
    """Return whether *after* breaks up more games than the smallest sufficient change in
    *situation*.
    """
    given = Given(concerned=concerned)
    verdict = first_refusal(
        _holds(published, after, situation, given),
        _as_concerned(published, after, situation, given),
    )
    return isinstance(verdict, Refused) and verdict.code == "change.not_minimal"


def games_started(published: Published, after: Arrangement) -> tuple[int, ...]:
    """Return the published boards that change although their announced start has passed; not those
    without a game.
    """
    if not published.started:
        return ()
    return tuple(
        n for n in changed_games(published.now, after) if published.results.get(n) not in FORFEITS
    )


def _start_confirmed(
    published: Published, after: Arrangement, situation: Situation, given: Given
) -> Verdict:
    boards = games_started(published, after)
    if boards and not given.started:
        return Refused("change.confirm_start", published.situations[situation], {"boards": boards})
    return ALLOWED


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
    """Check that all players keep exactly one place, there is at most one allocated bye, and
    something changes.
    """
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
    """Check that no played game is removed and that nobody meets an opponent or gets an allocated
    bye again.
    """
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
    second = sorted(
        tpn for tpn in with_bye(after) - with_bye(published.now) if tpn in published.no_bye
    )
    if second:
        return Refused("change.second_bye", "C.04.1 4", {"players": second})
    return ALLOWED


def _keeps_players(published: Published, after: Arrangement) -> Verdict:
    """Check that no player who is there loses their place, and that boards with the same players
    keep their numbers.

    A missing player who loses a place gets no points for it.
    """
    now = published.now
    paid = sorted(tpn for tpn in published.missing_players if after.byes.get(tpn, "Z") != "Z")
    if paid:
        return Refused("change.missing_paid", published.forbids, {"players": paid})
    playing = frozenset(after.opponents()) | with_bye(after)
    sent_home = sorted(
        (frozenset(now.opponents()) | with_bye(now)) - playing - published.missing_players
    )
    if sent_home:
        return Refused("change.sent_home", published.forbids, {"players": sent_home})
    together = {frozenset(pair): n for n, pair in after.boards.items()}
    moved = sorted(n for n, pair in now.boards.items() if together.get(frozenset(pair), n) != n)
    if moved:
        return Refused("change.board_moved", published.forbids, {"boards": moved})
    return ALLOWED


def newcomers(published: Published, after: Arrangement) -> frozenset[TPN]:
    """Return the late entries who are paired in *after* but not in the published round."""
    paired = {*after.opponents(), *(tpn for tpn, letter in after.byes.items() if letter == "U")}
    return published.late & paired - published.now.opponents().keys()


def _admits(published: Published, after: Arrangement, situation: Situation) -> Verdict:
    """Check that only late entries join a published round, and only under the articles that admit
    them.

    Under 4.4.3 a late entry is one of the two players without an opponent.
    """
    new = frozenset(after.everybody) - frozenset(published.now.everybody) | newcomers(
        published, after
    )
    may_join = (
        situation in (Situation.LATE_ENTRY, Situation.WITHOUT_OPPONENT) and new <= published.late
    )
    if new and not may_join:
        article = published.situations.get(Situation.LATE_ENTRY, published.forbids)
        return Refused("change.newcomer", article, {"players": sorted(new)})
    return ALLOWED


def _not_away(published: Published, after: Arrangement) -> Verdict:
    """Check that nobody who has withdrawn or is expelled gets a game or the allocated bye
    [C.04.2/2026 3.2].
    """
    placed = sorted(_seated_anew(published, after) & published.away)
    return Refused("manual.absent", "C.04.2 3.2", {"players": placed}) if placed else ALLOWED


def _have_arrived(published: Published, after: Arrangement) -> Verdict:
    """Check that no late entry who has not arrived gets a game or the allocated bye [C.04.2/2026
    2.4].
    """
    placed = sorted(_seated_anew(published, after) & published.not_arrived)
    return Refused("change.not_arrived", "C.04.2 2.4", {"players": placed}) if placed else ALLOWED


def _seated_anew(published: Published, after: Arrangement) -> frozenset[TPN]:
    """Return the players who have a game or the allocated bye in *after*, but not in the published
    round.
    """
    before = frozenset(published.now.opponents()) | with_bye(published.now)
    return (frozenset(after.opponents()) | with_bye(after)) - before


def _holds(published: Published, after: Arrangement, situation: Situation, given: Given) -> Verdict:
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


def _as_concerned(
    published: Published, after: Arrangement, situation: Situation, given: Given
) -> Verdict:
    """Check that the boards named by the Chief Arbiter change, and no more others than are needed
    for that.

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
    may_turn: bool = False,
) -> Verdict:
    """Check that only the boards *triggers* (None: the bye) change, and as few others as are needed
    to repair them.
    """
    now = published.now
    verdict = _extent(published, after, triggers, article, given, may_turn=may_turn)
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
    may_turn: bool = False,
) -> Verdict:
    """Check that *after* breaks up no more games than the smallest change of *triggers*, or that
    there is a reason.

    The bye may stay, or another player may get it: each is compared with the smallest change of its
    kind. A game that has begun is not broken up by a further change.
    """
    now = published.now
    others = {n for n in changed_games(now, after) if n not in triggers}
    bye = Bye.STAYS if with_bye(now) == with_bye(after) else Bye.MOVES
    least = repaired(published, triggers, may_turn=may_turn, bye=bye) if others else None
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
    """Return how many published games must be broken up to give the late entries *new* a place
    [C.04.2/2026 4.4.4].

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
    return _no_more_than(published, after, published.broken, article, given, may_turn=True)


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


def needs_consent(situation: Situation) -> bool:
    """Return whether all affected players must agree.

    The text requires this in two of the five situations.
    """
    return situation in (Situation.WITHOUT_OPPONENT, Situation.LATE_ENTRY)


def _agreed(
    published: Published, after: Arrangement, situation: Situation, consents: frozenset[TPN]
) -> Verdict:
    if not needs_consent(situation):
        return ALLOWED
    # A missing player cannot be needed, and only loses a game that is already forfeited.
    needed = [tpn for tpn in affected(published.now, after) if tpn not in published.missing_players]
    silent = [tpn for tpn in needed if tpn not in consents]
    if silent:
        return Refused(
            "change.consent_missing", published.situations[situation], {"players": silent}
        )
    return ALLOWED
