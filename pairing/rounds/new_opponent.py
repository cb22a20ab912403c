"""Give a player without an opponent a new one in a published round [C.04.2/2026 4.4.3, 4.4.4]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from pairing.engine.model import TPN, TournamentState
from pairing.rounds.arrange import pairings_of, require_unmoved
from pairing.rounds.change_page import changeable
from pairing.rounds.changes import round_change
from pairing.rounds.results import result_record
from pairing.rules.opponents import NewOpponent, board_of, new_opponents, without_the_opponent
from pairing.rules.published import Published
from tournaments.core.errors import BadInput
from tournaments.core.permissions import require_may_decide
from tournaments.models import Entry, Game, Round, Tournament


@dataclass(frozen=True, slots=True)
class OpponentPage:
    """The changes that give ``player`` a game.

    ``facts`` are those of the round, as if ``missing``, the published opponent, had lost by forfeit
    on ``board``; both are None if somebody without a game looks for one.
    """

    player: Entry
    missing: Entry | None
    board: int | None
    facts: Published
    state: TournamentState
    entries: Mapping[TPN, Entry]
    options: tuple[NewOpponent, ...]


def opponent_page(
    tournament: Tournament, row: Round, player: Entry, *, is_absent: bool, at: datetime
) -> OpponentPage | None:
    """Return the changes that give *player* a game in the published round *row*.

    With *is_absent* the published opponent is not there. None if the player has no number, or has a
    game that the absence of the opponent does not end. The queries of
    :func:`~pairing.rounds.change_page.changeable`.
    """
    facts, state, entries = changeable(tournament, row, at=at)
    tpn = next((tpn for tpn, entry in entries.items() if entry.pk == player.pk), None)
    if tpn is None:
        return None
    board = board_of(facts, tpn)
    missing = None
    if is_absent:
        as_absent = without_the_opponent(facts, tpn)
        if as_absent is None or board is None:
            return None
        facts = as_absent
        missing = entries[next(other for other in facts.now.boards[board] if other != tpn)]
    options = new_opponents(facts, tpn)
    return OpponentPage(entries[tpn], missing, board, facts, state, entries, options)


def opponent_give(
    *,
    round_id: int,
    player_id: int,
    is_absent: bool,
    partner_id: int | None,
    agreed: bool,
    witness: str,
    reason: str,
    actor: User,
    now: datetime,
    seen_version: int | None,
    started: bool = False,
    exception: str = "",
) -> Round:
    """Give the player a game against *partner_id* (None: the allocated bye), in one transaction.

    With *is_absent* the published opponent did not come: the forfeit is recorded first, and stays
    in the record. Then the round changes as :func:`~pairing.rounds.changes.round_change` allows
    [C.04.2/2026 4.4.3, 4.4.4]; *agreed*: everybody who moves has agreed. ``BadInput`` if there is
    no such change any more, :class:`Conflict` if the tournament has changed since *seen_version*.
    Only the Chief Arbiter can do this.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update(of=("self",)).get(rounds=round_id)
        require_may_decide(actor, tournament)
        page = _as_seen(tournament, round_id, player_id, now, seen_version, is_absent=is_absent)
        option = next(
            (option for option in page.options if _partner(page, option) == partner_id), None
        )
        if option is None:
            raise BadInput("opponent.not_possible", field="partner")
        if page.missing is not None:
            _record_forfeit(round_id, page, actor, now)
        return round_change(
            round_id=round_id,
            pairings=pairings_of(option.after, page.entries),
            situation=option.situation,
            consents=[page.entries[tpn].pk for tpn in option.agreeing] if agreed else [],
            reason=reason,
            actor=actor,
            now=now,
            exception=exception,
            started=started,
            witness=witness,
        )


def opponent_forfeit(
    *, round_id: int, player_id: int, actor: User, now: datetime, seen_version: int | None
) -> None:
    """Record that the published opponent of the player did not come; no pairing changes.

    One transaction. ``BadInput`` if the game has a result of the two players,
    :class:`Conflict` if the tournament has changed since *seen_version*.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update(of=("self",)).get(rounds=round_id)
        page = _as_seen(tournament, round_id, player_id, now, seen_version, is_absent=True)
        _record_forfeit(round_id, page, actor, now)


def _as_seen(
    tournament: Tournament,
    round_id: int,
    player_id: int,
    now: datetime,
    seen_version: int | None,
    *,
    is_absent: bool,
) -> OpponentPage:
    """Return the page of the locked *tournament*; refused if it has changed since it was seen."""
    require_unmoved(tournament, seen_version)
    row = Round.objects.get(pk=round_id)
    player = Entry.objects.get(pk=player_id, tournament=tournament)
    page = opponent_page(tournament, row, player, is_absent=is_absent, at=now)
    if page is None:
        raise BadInput("opponent.not_possible", field="partner")
    return page


def _record_forfeit(round_id: int, page: OpponentPage, actor: User, now: datetime) -> None:
    """Record the forfeit of the missing opponent of *page*."""
    assert page.board is not None
    game = Game.objects.get(round=round_id, board=page.board, first=None)
    result_record(game_id=game.pk, result=page.facts.results[page.board], actor=actor, now=now)


def _partner(page: OpponentPage, option: NewOpponent) -> int | None:
    return page.entries[option.partner].pk if option.partner is not None else None
