"""Arrange the boards of a draft by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth.models import User

from pairing.engine.basics.board_order import publication_order
from pairing.engine.model import TPN, Points, TournamentState
from pairing.engine.systems import system_by_code
from pairing.rounds.published_round import published
from pairing.rounds.seats import open_boards, set_tables
from pairing.rounds.snapshot import not_in_round
from pairing.rules import manual
from pairing.rules.manual import Caution
from pairing.rules.published import Arrangement, affected, changed_boards, new_pairs
from pairing.rules.reasons import is_reason
from pairing.rules.rounds import RoundFacts, RoundState
from pairing.rules.verdict import Refused, Verdict
from tournaments.core.actions import cited, open_action, require, require_seen
from tournaments.core.errors import BadInput
from tournaments.core.permissions import require_may_decide
from tournaments.models import ByeKind, Entry, Game, Round, Seat, Tournament
from tournaments.models.payload_round_data import BrokenRule, Places
from tournaments.models.payloads import RoundArranged


@dataclass(frozen=True, slots=True)
class Pairings:
    """A complete round by entry id: (White, Black) by board, and the letters of the byes."""

    boards: Mapping[int, tuple[int, int]]
    byes: Mapping[int, str] = field(default_factory=dict)


def round_arrange(
    *,
    round_id: int,
    pairings: Pairings,
    reason: str,
    actor: User,
    now: datetime,
    seen_version: int | None = None,
) -> Round:
    """Arrange a draft by hand [C.04.3/2026 1.9.3]; sort its boards as in [C.04.2/2026 3.6].

    Only the Chief Arbiter can do this. Any arrangement is accepted if each player has exactly one
    place. The page warns in advance about broken rules (:func:`~pairing.rules.manual.cautions`);
    the record keeps them with the reason.
    """
    with open_action(actor=actor, now=now, rounds=round_id) as action:
        tournament = action.tournament
        require_may_decide(actor, tournament)
        round_ = Round.objects.get(pk=round_id)
        facts, state, entries = published(tournament, round_)
        after = ordered(arrangement(pairings, entries), state)
        stale = (
            round_.state == RoundState.DRAFT
            and round_.paired_from_version != tournament.pairing_version
        )
        before = RoundFacts(number=round_.number, state=RoundState(round_.state))
        gone = not_in_round(entries, round_.number)
        require_named(
            manual.may_arrange(before, facts.now, after, draft_is_stale=stale, gone=gone), entries
        )
        require_reason(reason)
        require_unmoved(tournament, seen_version)
        reseat(tournament, round_, facts.now, after, entries)
        action.record(
            RoundArranged(
                before=changed_places(facts.now, after, entries),
                after={
                    **changed_places(after, facts.now, entries),
                    # The boards are sorted again. A board that only has a new number is not a
                    # change.
                    "changed": list(new_pairs(facts.now, after)),
                    "cautions": recorded_cautions(tournament, state, after, entries),
                },
            ),
            article=system_by_code(tournament.system).no_legal_pairing,
            round_number=round_.number,
            reason=reason.strip(),
            is_public=False,
        )
    return round_


def recorded_cautions(
    tournament: Tournament, state: TournamentState, after: Arrangement, entries: Mapping[TPN, Entry]
) -> list[BrokenRule]:
    """Return the basic rules that *after* breaks, in the form that the record keeps."""
    return as_recorded(tournament, manual.cautions(state, after), entries)


def as_recorded(
    tournament: Tournament, cautions: Iterable[Caution], entries: Mapping[TPN, Entry]
) -> list[BrokenRule]:
    return [
        {
            "code": caution.code,
            "article": cited(tournament, caution.article),
            "players": list(caution.players),
            "names": [entries[tpn].name for tpn in caution.players],
        }
        for caution in cautions
    ]


def ordered(arrangement: Arrangement, state: TournamentState) -> Arrangement:
    """Return *arrangement* with its boards numbered from 1 in the order of [C.04.2/2026 3.6].

    The order uses the scores by which the round is paired; with an acceleration they include
    virtual points [C.04.7/2026].
    """
    scores = {
        player.tpn: Points(
            sum(map(state.points.worth, player.rounds))
            + player.virtual_points_in(state.round_number)
        )
        for player in state.players
    }
    pairs = publication_order(arrangement.boards.values(), scores)
    return Arrangement(dict(enumerate(pairs, start=1)), arrangement.byes)


def pairings_of(arrangement: Arrangement, entries: Mapping[TPN, Entry]) -> Pairings:
    """Return *arrangement* by entry id, the form used by pages and programs."""
    pk = {tpn: entry.pk for tpn, entry in entries.items()}
    return Pairings(
        {n: (pk[white], pk[black]) for n, (white, black) in arrangement.boards.items()},
        {pk[tpn]: letter for tpn, letter in arrangement.byes.items()},
    )


def arrangement(pairings: Pairings, entries: Mapping[TPN, Entry]) -> Arrangement:
    """Return *pairings* by pairing number.

    ``BadInput`` for a player who is not on the list, or an unknown bye.
    """
    tpn_of = {entry.pk: tpn for tpn, entry in entries.items()}
    unknown = {*pairings.byes, *(pk for pair in pairings.boards.values() for pk in pair)} - {
        *tpn_of
    }
    letters = {*pairings.byes.values()} - {*ByeKind.values}
    if unknown or letters:
        raise BadInput("change.unknown", field="boards")
    boards = {
        board: (tpn_of[white], tpn_of[black]) for board, (white, black) in pairings.boards.items()
    }
    return Arrangement(boards, {tpn_of[pk]: letter for pk, letter in pairings.byes.items()})


def require_named(verdict: Verdict, entries: Mapping[TPN, Entry]) -> None:
    """Raise the refusal of *verdict*, with the names of players instead of their numbers."""
    if isinstance(verdict, Refused):
        verdict = named(verdict, lambda tpn: entries[TPN(tpn)].real_name)
    require(verdict)


def named(refused: Refused, name: Callable[[int], str]) -> Refused:
    """Return *refused* with names instead of pairing numbers."""
    params = dict(refused.params)
    for key in ("players", "one", "other"):
        value = params.get(key)
        if isinstance(value, int):
            params[key] = name(value)
        elif isinstance(value, (list, tuple)):
            params[key] = [name(tpn) for tpn in value]
    return Refused(refused.code, refused.article, params)


def require_reason(reason: str) -> None:
    if not is_reason(reason):
        raise BadInput("change.reason_missing", field="reason")


def require_unmoved(tournament: Tournament, seen_version: int | None) -> None:
    require_seen(seen_version, tournament.version, "change.moved_on")


def reseat(
    tournament: Tournament,
    round_: Round,
    before: Arrangement,
    after: Arrangement,
    entries: Mapping[TPN, Entry],
) -> None:
    """Save the places of *after*. Boards with the same players are not touched."""
    touched = changed_boards(before, after)
    moving = affected(before, after)
    again = {
        tpn
        for number in touched
        for tpn in (*before.boards.get(number, ()), *after.boards.get(number, ()))
    }
    Seat.objects.filter(
        round=round_, entry__in=[entries[tpn].pk for tpn in {*moving, *again}]
    ).delete()
    Game.objects.filter(round=round_, board__in=touched).delete()
    games = open_boards(
        tournament, round_, (number for number in touched if number in after.boards)
    )
    seats = [
        Seat(round=round_, entry=entries[tpn], game=game, colour=colour)
        for number, game in games.items()
        for tpn, colour in zip(after.boards[number], "wb", strict=True)
    ]
    seats += [
        Seat(round=round_, entry=entries[tpn], bye=letter)
        for tpn, letter in after.byes.items()
        if before.byes.get(tpn) != letter
    ]
    Seat.objects.bulk_create(seats)
    is_public = RoundState(round_.state).is_public
    set_tables(round_, keep={*after.boards} - {*touched} if is_public else ())


def changed_places(one: Arrangement, other: Arrangement, entries: Mapping[TPN, Entry]) -> Places:
    """Return the places of *one* that differ from *other*, for the record.

    They are by participant, because names may repeat.
    """
    numbers = changed_boards(one, other)
    moved = {
        entries[tpn]: letter
        for tpn, letter in sorted(one.byes.items())
        if other.byes.get(tpn) != letter
    }
    return {
        "boards": {
            str(n): [entries[tpn].pk for tpn in one.boards[n]] for n in numbers if n in one.boards
        },
        "names": {
            str(n): [entries[tpn].name for tpn in one.boards[n]] for n in numbers if n in one.boards
        },
        "byes": {str(entry.pk): letter for entry, letter in moved.items()},
        "names_of_byes": {str(entry.pk): entry.name for entry in moved},
    }
