"""Find players who did not appear, and withdraw or excuse them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Exists, Q

from pairing.rounds.facts import round_facts
from pairing.rules import absence as policy
from pairing.rules.absence import round_of_no_shows
from pairing.rules.reasons import is_reason
from pairing.rules.rounds import RoundFacts
from tournaments.core.actions import OpenAction, open_action, require
from tournaments.core.chosen_rules import handling
from tournaments.core.errors import BadInput
from tournaments.core.frame import Frame
from tournaments.core.newer_lines import require_player_as_seen
from tournaments.models import Action, ByeKind, Decision, Entry, GameResult, Seat, Tournament
from tournaments.models.payload_data import Player
from tournaments.models.payloads import (
    AbsenceExplained,
    AbsenceLifted,
    AbsenceWithdrawn,
    RoundChanged,
)

EXPLAINED = Action.ABSENCE_EXPLAINED


WITHDRAWN = Action.ABSENCE_WITHDRAWN


@dataclass(frozen=True, slots=True)
class NoShow:
    """A player who forfeited at ``board`` of ``round_number`` without explaining the absence.

    ``withdrawn`` is True if the rules withdrew the player. An explanation cancels this withdrawal
    until the next pairings are published. ``withdrawn_from`` is the current withdrawal of the
    player; None without one.
    """

    entry_id: int
    tpn: int | None
    name: str
    board: int
    round_number: int
    withdrawn: bool
    withdrawn_from: int | None

    @property
    def from_round(self) -> int:
        """The first round of a withdrawal for this absence."""
        return self.round_number + 1


def absent_players(tournament: Tournament, round_number: int) -> dict[int, int]:
    """Return who did not come to the game in *round_number*, by board: entry id → board.

    They lost by forfeit (in a match, by forfeit of both games), or they lost their place because a
    pairing change gave their opponent another one [C.04.2/2026 4.4.3, 4.4.4]; then the board is the
    one they had. One query; two if there was such a change.
    """
    changes = Decision.objects.filter(
        tournament=tournament, action=Action.ROUND_CHANGED, round_number=round_number
    )
    without_place = Q(bye=ByeKind.ZERO_POINT) & Exists(changes)
    seats = Seat.objects.filter(
        _forfeited() | without_place, round__tournament=tournament, round__number=round_number
    ).order_by("game__board", "colour")
    rows: list[tuple[int, int | None]] = list(seats.values_list("entry_id", "game__board"))
    found = {entry: board for entry, board in rows if board is not None}
    if len(found) == len(rows):
        return found
    without = {entry for entry, _ in rows} - found.keys()
    for line in changes.order_by("sequence"):
        match line.payload:
            case RoundChanged(before=before, after=after):
                had = {
                    entry: int(board) for board, pair in before["boards"].items() for entry in pair
                }
                left = {
                    int(entry)
                    for entry, letter in after["byes"].items()
                    if letter == ByeKind.ZERO_POINT
                }
                found |= {entry: had[entry] for entry in had.keys() & left & without}
    return dict(sorted(found.items(), key=lambda one: one[1]))


def _forfeited() -> Q:
    """Return the condition on seats of players who lost by forfeit; in a match, both games."""
    by_white = (GameResult.WHITE_FORFEITS, GameResult.BOTH_FORFEIT)
    by_black = (GameResult.BLACK_FORFEITS, GameResult.BOTH_FORFEIT)
    one_game = Q(game__second__isnull=True)
    absent = Q(colour="w", game__result__in=by_white) & (
        one_game | Q(game__second__result__in=by_black)
    )
    return absent | Q(colour="b", game__result__in=by_black) & (
        one_game | Q(game__second__result__in=by_white)
    )


def no_shows(frame: Frame) -> tuple[NoShow, ...]:
    """Return the players who did not come to the newest published round, by board.

    Players who have withdrawn or explained their absence are left out. The queries of
    :func:`absent_players`; two more if there is a no-show.
    """
    number = round_of_no_shows([RoundFacts(tab.number, tab.state) for tab in frame.rounds])
    return () if number is None else no_shows_of(frame.tournament, number)


def no_shows_of(tournament: Tournament, number: int) -> tuple[NoShow, ...]:
    """Return those absent in *number* without explanation who play the next round, by board.

    Players whom the rules withdrew because of this absence are included, marked as withdrawn. The
    queries of :func:`absent_players`; two more if there is a no-show.
    """
    boards = absent_players(tournament, number)
    if not boards:
        return ()
    rows = Entry.objects.in_bulk(list(boards))
    actions = Decision.objects.filter(
        tournament=tournament, action__in=(EXPLAINED, WITHDRAWN), round_number=number
    )
    decided: dict[str, set[int]] = {EXPLAINED: set(), WITHDRAWN: set()}
    for row in actions:
        match row.payload:
            case AbsenceExplained(after=after) | AbsenceWithdrawn(after=after):
                decided[row.action].add(after["entry"])
    found = []
    for entry_id, board in boards.items():
        entry = rows[entry_id]
        gone = entry.withdrawn_from
        by_rule = gone == number + 1 and entry_id in decided[WITHDRAWN]
        stays = gone is None or gone > number + 1
        if entry_id not in decided[EXPLAINED] and (by_rule or stays):
            found.append(NoShow(entry_id, entry.tpn, entry.real_name, board, number, by_rule, gone))
    return tuple(found)


LIFTED = Action.ABSENCE_LIFTED


def absence_explain(
    *,
    entry_id: int,
    actor: User,
    now: datetime,
    round_number: int,
    explanation: str = "",
    seen_version: int | None = None,
) -> Entry:
    """Record that a player has explained the forfeit in round *round_number*;
    the withdrawal is no longer proposed.

    This is possible until the next pairing is published [C.04.2/2017 D.2]. If the rules had
    withdrawn the player, the withdrawal is cancelled. An edition that withdraws automatically needs
    an *explanation* (``BadInput`` without one). Only arbiters can read it: it is kept in the line
    of the record and appears on no public page. ``Conflict`` if the player has changed since
    *seen_version*.
    """
    with open_action(actor=actor, now=now, entries=entry_id) as action:
        tournament = action.tournament
        entry = Entry.objects.get(pk=entry_id)
        rules = handling(tournament)
        forfeited = entry.pk in absent_players(tournament, round_number)
        rounds = round_facts(tournament)
        require(
            policy.may_explain(rounds, round_number, forfeited=forfeited, article=rules.no_show)
        )
        require_player_as_seen(tournament, entry, seen_version)
        if rules.no_show_automatic and not is_reason(explanation):
            raise BadInput("absence.explanation_missing", field="explanation")
        back = _undo_withdrawal(tournament, entry, round_number)
        action.record(
            AbsenceExplained(
                before={}, after={**_about(entry), "explanation": explanation.strip()}
            ),
            article=rules.no_show,
            round_number=round_number,
            changes_pairing=back,
        )
    return entry


def absences_settle(action: OpenAction, round_number: int) -> None:
    """Withdraw the players absent without notice in round *round_number*,
    if the edition says so [C.04.2/2017 D.2].

    Call this inside the transaction of an action that settles the forfeits of that round: results
    published, or a result corrected. A withdrawal is cancelled if the player turns out to have been
    present. Each player gets one line in the record.
    """
    tournament = action.tournament
    rules = handling(tournament)
    first = policy.withdrawn_from(
        round_facts(tournament), round_number, withdraws=rules.no_show_automatic
    )
    if first is None:
        return
    there = Entry.objects.filter(tournament=tournament, withdrawn_from=first)
    forfeited = absent_players(tournament, round_number).keys()
    for entry in there.exclude(pk__in=forfeited).order_by("pk"):
        if _undo_withdrawal(tournament, entry, round_number):
            about = _about(entry)
            lifted = AbsenceLifted(
                before={**about, "value": first}, after={**about, "value": entry.withdrawn_from}
            )
            _record(action, lifted, round_number)
    actions = Decision.objects.filter(
        tournament=tournament, action__in=(WITHDRAWN, LIFTED), round_number=round_number
    )
    last: dict[int, str] = {}
    for row in actions.order_by("sequence"):
        match row.payload:
            case AbsenceWithdrawn(after=gone):
                last[gone["entry"]] = WITHDRAWN
            case AbsenceLifted(after=back):
                last[back["entry"]] = LIFTED
    for absent in no_shows_of(tournament, round_number):
        # Only once: if an arbiter has brought the player back, the player stays in.
        if last.get(absent.entry_id) != WITHDRAWN:
            entry = Entry.objects.get(pk=absent.entry_id)
            before, entry.withdrawn_from = entry.withdrawn_from, first
            entry.save(update_fields=["withdrawn_from"])
            about = _about(entry)
            withdrawn = AbsenceWithdrawn(
                before={**about, "value": before}, after={**about, "value": first}
            )
            _record(action, withdrawn, round_number)


def _undo_withdrawal(tournament: Tournament, entry: Entry, round_number: int) -> bool:
    """Cancel the automatic withdrawal of *entry* for *round_number*; False if there is none."""
    rows = Decision.objects.filter(
        tournament=tournament, action__in=(WITHDRAWN, LIFTED), round_number=round_number
    )
    last = rows.filter(after__entry=entry.pk).order_by("-sequence").first()
    payload = last.payload if last else None
    if not isinstance(payload, AbsenceWithdrawn) or entry.withdrawn_from != payload.after["value"]:
        return False
    entry.withdrawn_from = payload.before["value"]
    entry.save(update_fields=["withdrawn_from"])
    return True


def _about(entry: Entry) -> Player:
    return {"entry": entry.pk, "name": entry.name, "tpn": entry.tpn}


def _record(
    action: OpenAction, payload: AbsenceWithdrawn | AbsenceLifted, round_number: int
) -> None:
    article = handling(action.tournament).no_show
    action.record(payload, article=article, round_number=round_number, changes_pairing=True)
