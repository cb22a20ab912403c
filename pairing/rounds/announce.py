"""Announce boards of the next round that are certain, and stop a pairing that contradicts them.

An announcement is a line of the record. It names the two players and their colours, but no board
number.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User
from django.db.models import Q

from pairing.rounds.next_round import LOOK_AHEADS, LookAheads, next_round
from pairing.rules.reasons import is_reason
from pairing.rules.rounds import RoundState
from pairing.rules.verdict import Refused
from tournaments.core.actions import open_action
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.models import Action, Decision, Entry, Round, Seat, Tournament
from tournaments.models.payloads import AnnouncementWithdrawn, BoardsAnnounced, RoundsChanged

PATIENCE: Final = 10.0
"""Seconds for which an announcement waits for the outcomes to be paired in this process."""

Pair = tuple[int, int]
"""White and Black by entry id."""


def announced(tournament: Tournament, number: int) -> tuple[Pair, ...]:
    """Return the boards announced for round *number*, the first announced first. One query.

    An announcement ends with a change of the number of rounds after which there is no such round.
    """
    of_the_round = Q(
        round_number=number, action__in=(Action.BOARDS_ANNOUNCED, Action.ANNOUNCEMENT_WITHDRAWN)
    )
    lines = Decision.objects.filter(
        of_the_round | Q(action=Action.ROUNDS_CHANGED), tournament=tournament
    )
    found: dict[Pair, None] = {}
    for line in lines.order_by("sequence"):
        match line.payload:
            case BoardsAnnounced(after=made):
                found |= dict.fromkeys((white, black) for white, black in made["boards"])
            case AnnouncementWithdrawn():
                found.clear()
            case RoundsChanged(after=rounds) if rounds["total_rounds"] < number:
                found.clear()
    return tuple(found)


def announced_names(tournament: Tournament, number: int) -> tuple[tuple[Entry, Entry], ...]:
    """Return the boards announced for round *number*, which is not paired in public yet.

    At most two queries.
    """
    pairs = announced(tournament, number)
    entries = Entry.objects.in_bulk({pk for pair in pairs for pk in pair}) if pairs else {}
    return tuple((entries[white], entries[black]) for white, black in pairs)


def announced_with(
    tournament: Tournament, number: int, players: Collection[int]
) -> tuple[str, ...]:
    """Return the names of the boards announced for round *number* in which
    one of *players* (entry ids) is to play.

    At most two queries.
    """
    pairs = [pair for pair in announced(tournament, number) if not {*pair}.isdisjoint(players)]
    entries = Entry.objects.in_bulk({pk for pair in pairs for pk in pair}) if pairs else {}
    return tuple(f"{entries[white].name} – {entries[black].name}" for white, black in pairs)


def boards_announce(
    *,
    tournament_id: int,
    number: int,
    boards: Collection[Pair],
    actor: User,
    now: datetime,
    look_aheads: LookAheads = LOOK_AHEADS,
    patience: float = PATIENCE,
) -> None:
    """Announce that *boards* of round *number* are certain. Visitors see it.

    Refused with ``announcement.not_certain`` if a board does not follow from every outcome of the
    open games, or if some are not paired yet. *look_aheads* pair the outcomes before the lock, for
    at most *patience* seconds: the page that said "certain" may have come from another process of
    the site. Under the lock only one pairing is made. Boards that are announced already are left
    out; a form sent twice does nothing.
    """
    next_round(Tournament.objects.get(pk=tournament_id), number, look_aheads)
    look_aheads.wait(tournament_id, patience)
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        ahead = next_round(action.tournament, number, look_aheads)
        certain = {(line.white.pk, line.black.pk) for line in ahead.certain} if ahead else set()
        if not boards or not set(boards) <= certain:
            raise RuleRefused(Refused("announcement.not_certain", "", {"round": number}))
        before = set(announced(action.tournament, number))
        if added := [pair for pair in boards if pair not in before]:
            action.record(
                BoardsAnnounced(before={}, after={"boards": [list(pair) for pair in added]}),
                round_number=number,
            )


def announcement_withdraw(
    *,
    tournament_id: int,
    number: int,
    reason: str,
    actor: User,
    now: datetime,
    seen: Collection[Pair] | None = None,
) -> None:
    """Withdraw all boards announced for round *number*, with a reason that players see.

    Needed before a pairing that contradicts them can be published. Refused without a reason,
    without an announcement, and after the pairings are published. :class:`Conflict` if the
    announced boards are not those *seen*; None: a program shows none.
    """
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        if not is_reason(reason):
            raise BadInput("announcement.reason_missing", field="reason")
        boards = announced(action.tournament, number)
        open_ = Round.objects.filter(
            number=number, state__in=(RoundState.PLANNED, RoundState.DRAFT)
        )
        if not boards or not open_.filter(tournament=action.tournament).exists():
            raise RuleRefused(Refused("announcement.none", "", {"round": number}))
        if seen is not None and set(seen) != set(boards):
            raise Conflict("announcement.moved_meanwhile", params={"round": number})
        action.record(
            AnnouncementWithdrawn(before={"boards": [list(pair) for pair in boards]}, after={}),
            round_number=number,
            reason=reason.strip(),
        )


def contradicted(tournament: Tournament, round_: Round) -> tuple[str, ...]:
    """Return the names of the boards announced for the draft *round_* that are not in it.

    At most three queries.
    """
    pairs = announced(tournament, round_.number)
    if not pairs:
        return ()
    colours: dict[int, dict[str, int]] = {}
    seats = Seat.objects.filter(round=round_, game__isnull=False).values_list(
        "game", "colour", "entry"
    )
    for game, colour, entry in seats:
        colours.setdefault(game or 0, {})[colour] = entry
    drafted = {(players["w"], players["b"]) for players in colours.values()}
    missing = [pair for pair in pairs if pair not in drafted]
    names = Entry.objects.in_bulk({pk for pair in missing for pk in pair})
    return tuple(f"{names[white].name} – {names[black].name}" for white, black in missing)


def require_as_announced(tournament: Tournament, round_: Round) -> None:
    """Raise ``announcement.contradicted`` if the draft *round_* lacks an announced board."""
    boards = contradicted(tournament, round_)
    if boards:
        # The names contain commas.
        raise RuleRefused(
            Refused(
                "announcement.contradicted",
                "",
                {"round": round_.number, "boards": "; ".join(boards)},
            )
        )
