"""Everybody who could play one without an opponent in a round [C.04.2/2026 4.4.3, 4.4.4].

The smallest change comes first, but the choice is the arbiter's: each answer is allowed by
:func:`~pairing.rules.publication.may_change`, once all players who move have agreed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pairing.engine.model import TPN

from .publication import games_started, may_change, may_deviate, must_agree
from .published import FORFEITS, Arrangement, Published, Situation, perhaps_away, without_opponent
from .situations import Given
from .smallest import games_broken, proposal
from .verdict import Allowed, first_refusal


@dataclass(frozen=True, slots=True)
class NewOpponent:
    """A change that gives a player the opponent ``partner``, or the allocated bye if None.

    ``games`` are the published games that it breaks up, ``started`` those of them whose announced
    start has passed. ``agreeing`` are the players who have to agree. ``breaches`` counts colours
    that the rules bar, for which the Chief Arbiter needs a reason [C.04.1/2026 6, 7].
    """

    situation: Situation
    partner: TPN | None
    after: Arrangement
    games: tuple[int, ...]
    started: tuple[int, ...]
    agreeing: tuple[TPN, ...]
    breaches: int


def board_of(published: Published, player: TPN) -> int | None:
    """Return the published board of *player*; None without one."""
    return next((n for n, pair in published.now.boards.items() if player in pair), None)


def without_the_opponent(published: Published, player: TPN) -> Published | None:
    """Return the round as if the opponent of *player* had lost by forfeit;
    None if the board has another result, or there is no board.
    """
    board = board_of(published, player)
    if board is None or published.results.get(board, "") not in {"", *FORFEITS}:
        return None
    result = "+-" if published.now.boards[board][0] == player else "-+"
    return replace(published, results={**published.results, board: result})


def new_opponents(published: Published, player: TPN) -> tuple[NewOpponent, ...]:
    """Return the changes that give *player* a game in the published round, the smallest first.

    Empty if the player has an opponent, or has withdrawn or not arrived. Of two changes that break
    up equally many games, the one without barred colours is first, then those with players who are
    not :func:`~pairing.rules.published.perhaps_away`, then the one with the smaller difference of points. Cost: two
    small matchings for each player without an opponent.
    """
    if player not in without_opponent(published):
        return ()
    found: list[NewOpponent] = []
    for situation, after, breaches in _changes(published, player):
        partner = after.opponents().get(player)
        agreeing = must_agree(published, after)
        started = games_started(published, after)
        given = Given(exception=True, started=True)
        verdict = first_refusal(
            may_change(published, after, situation, consents=frozenset(agreeing), given=given),
            may_deviate(published, after, situation, given=given),
        )
        games = games_broken(published, after)
        if player in agreeing and isinstance(verdict, Allowed):
            found.append(NewOpponent(situation, partner, after, games, started, agreeing, breaches))
    away = perhaps_away(published)
    found.sort(key=lambda option: _order(published, player, option, away))
    smallest: dict[TPN | None, NewOpponent] = {}
    for option in found:
        smallest.setdefault(option.partner, option)
    return tuple(smallest.values())


def _changes(published: Published, player: TPN) -> Iterator[tuple[Situation, Arrangement, int]]:
    """Yield the smallest change with each other player without an opponent,
    and for a late entry the smallest of all.
    """
    others = [tpn for tpn in without_opponent(published) if tpn != player]
    for other in others:
        late = {player, other} & published.late
        situation = Situation.LATE_ENTRY if late else Situation.WITHOUT_OPPONENT
        if situation not in published.situations:
            continue
        found = proposal(published, situation, new=late or None, chosen={player, other})
        if found is not None and found.after.opponents().get(player) == other:
            yield situation, found.after, found.breaches
    if player in published.late and Situation.LATE_ENTRY in published.situations:
        found = proposal(published, Situation.LATE_ENTRY, new={player})
        if found is not None:
            yield Situation.LATE_ENTRY, found.after, found.breaches


def _order(
    published: Published, player: TPN, option: NewOpponent, away: frozenset[TPN]
) -> tuple[int, int, bool, int, TPN]:
    other = option.partner
    if other is None:
        return len(option.games), option.breaches, True, 0, TPN(0)
    apart = abs(published.points[player] - published.points[other])
    return len(option.games), option.breaches, other in away, apart, other
