"""Published pairings shall not be changed except in five situations [C.04.2/2026 4.4].

A pairing change names its situation, and the data must confirm it. It may only change what the
situation requires: every player with a game or the allocated bye keeps one or the other, and boards
whose players stay together keep their numbers. More than the smallest sufficient change
(:mod:`pairing.rules.smallest`) needs a reason of its own.
"""

from __future__ import annotations

from typing import assert_never

from pairing.engine.model import TPN

from .published import (
    FORFEITS,
    Arrangement,
    Published,
    Situation,
    affected,
    changed_boards,
    with_bye,
)
from .rounds import RoundState
from .situations import NOTHING, Given, as_concerned, holds, newcomers
from .smallest import breaches, changed_games, proposal
from .verdict import ALLOWED, Refused, Verdict, first_refusal


def may_change(
    published: Published,
    after: Arrangement,
    situation: Situation,
    *,
    consents: frozenset[TPN],
    given: Given = NOTHING,
) -> Verdict:
    """Check whether the published pairing may become *after* because of *situation*;
    *consents* are those who agreed.

    Source: [C.04.2/2026 4.4]. All players keep a place, nobody meets an opponent again
    [C.04.1/2026 2], and played games remain. Nobody gets a second allocated bye [C.04.1/2026 4].
    More games than the smallest sufficient change breaks up need a further reason; where the text
    itself says how far a change goes (4.4.3, 4.4.4, F7), none helps.
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
        holds(published, after, situation, given),
        _keeps_players(published, after),
        as_concerned(published, after, situation, given),
        _agreed(published, after, situation, consents),
    )


def may_deviate(
    published: Published, after: Arrangement, situation: Situation, *, given: Given
) -> Verdict:
    """Check the colours of *after* and whether its games have begun,
    for a change that :func:`may_change` allows.

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
    """Return whether *after* breaks up more games than the smallest sufficient change."""
    given = Given(concerned=concerned)
    verdict = first_refusal(
        holds(published, after, situation, given), as_concerned(published, after, situation, given)
    )
    return isinstance(verdict, Refused) and verdict.code == "change.not_minimal"


def games_started(published: Published, after: Arrangement) -> tuple[int, ...]:
    """Return the published boards with a game that change after their announced start."""
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
    """Check that all keep exactly one place, at most one has the bye, and something changes."""
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
    """Check that no played game goes, and nobody meets an opponent or gets the bye again."""
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
    """Check that no player who is there loses their place, and that boards
    with the same players keep their numbers.

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


def _admits(published: Published, after: Arrangement, situation: Situation) -> Verdict:
    """Check that only late entries join a round, and only by articles that admit them.

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
    """Check that nobody withdrawn or expelled gets a game or the bye [C.04.2/2026 3.2]."""
    placed = sorted(_seated_anew(published, after) & published.away)
    return Refused("manual.absent", "C.04.2 3.2", {"players": placed}) if placed else ALLOWED


def _have_arrived(published: Published, after: Arrangement) -> Verdict:
    """Check that nobody who has not arrived gets a game or the PAB [C.04.2/2026 2.4]."""
    placed = sorted(_seated_anew(published, after) & published.not_arrived)
    return Refused("change.not_arrived", "C.04.2 2.4", {"players": placed}) if placed else ALLOWED


def _seated_anew(published: Published, after: Arrangement) -> frozenset[TPN]:
    """Return the players with a game or the PAB in *after*, but not in the published round."""
    before = frozenset(published.now.opponents()) | with_bye(published.now)
    return (frozenset(after.opponents()) | with_bye(after)) - before


def needs_consent(situation: Situation) -> bool:
    """Return whether all affected players must agree.

    The text requires this in two of the five situations.
    """
    return situation in (Situation.WITHOUT_OPPONENT, Situation.LATE_ENTRY)


def must_agree(published: Published, after: Arrangement) -> tuple[TPN, ...]:
    """Return the players who must agree to *after* where :func:`needs_consent`: the affected ones.

    A missing player cannot be needed, and only loses a game that is already forfeited.
    """
    missing = published.missing_players
    return tuple(tpn for tpn in affected(published.now, after) if tpn not in missing)


def _agreed(
    published: Published, after: Arrangement, situation: Situation, consents: frozenset[TPN]
) -> Verdict:
    if not needs_consent(situation):
        return ALLOWED
    silent = [tpn for tpn in must_agree(published, after) if tpn not in consents]
    if silent:
        return Refused(
            "change.consent_missing", published.situations[situation], {"players": silent}
        )
    return ALLOWED
