"""Preview the effect of a correction, and list the corrections made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import TPN, Colour, Pairing, Player, RoundRecord
from pairing.engine.systems import pair
from pairing.rounds.computed_standings import ranked
from pairing.rounds.facts import timeline as read_timeline
from pairing.rounds.snapshot import records_after, snapshot
from pairing.rules.corrections import Classification, CorrectionEffect, CorrectionKind, Timeline
from pairing.rules.rounds import RoundState
from tournaments.core.chosen_rules import handling
from tournaments.core.scores import Score
from tournaments.models import Correction, Entry, Game, Round, Seat, Tournament


@dataclass(frozen=True, slots=True)
class Place:
    """One player's rank before and after; points in tenths."""

    name: str
    tpn: int
    points_before: int
    points_after: int
    rank_before: int
    rank_after: int


@dataclass(frozen=True, slots=True)
class DraftBoard:
    """One board of the draft that would change, now and after; None: it does not exist."""

    board: int
    before: tuple[str, str] | None
    after: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Outlook:
    """The effect of a correction. ``moved`` are the players whose points or ranks change.

    ``draft_round`` is the round that is a draft, if any. ``can_be_paired`` is False if no legal
    pairing would remain.
    """

    classification: Classification
    timeline: Timeline
    moved: tuple[Place, ...] = ()
    draft_round: int | None = None
    draft_boards: tuple[DraftBoard, ...] = ()
    can_be_paired: bool = True

    @property
    def scoregroups(self) -> tuple[Place, ...]:
        """The players who move to another scoregroup."""
        return tuple(place for place in self.moved if place.points_before != place.points_after)


def outlook_for_game(
    game: Game,
    kind: CorrectionKind,
    *,
    result: str,
    reported_at: datetime,
    before: Mapping[TPN, tuple[int, int]] | None = None,
) -> Outlook:
    """Preview a correction of *game*: its result becomes *result*, or its colours are swapped.

    Load *game* with its round and tournament. In a match it may be either game, and the colours of
    both are swapped. If there is a draft, its pairing is computed again: one second for 300
    players. *before* has the points and the rank of each player in the newest public standings;
    without it they are computed.
    """
    tournament = game.round.tournament
    timeline = read_timeline(tournament, game.round.number, kind)
    classification = handling(tournament).classify(timeline, reported_at)
    first = game.first or game
    seats = {
        seat.colour: seat.entry for seat in Seat.objects.filter(game=first).select_related("entry")
    }
    white, black = (TPN(seats[colour].tpn or 0) for colour in "wb")
    if kind is CorrectionKind.COLOURS:
        white, black, score = black, white, Score.at(first).turned()
    else:
        score = Score.at(first).replaced(game.number, result)
    records = {white: score.record(Colour.WHITE, black), black: score.record(Colour.BLACK, white)}
    if classification.effects == (CorrectionEffect.RATING_ONLY,):
        return Outlook(classification, timeline)
    return _outlook(tournament, game.round.number, records, classification, timeline, before)


def outlook_for_rating(tournament: Tournament, number: int, *, reported_at: datetime) -> Outlook:
    """Preview a correction of a rating.

    Players keep their places until pairing numbers are assigned again.
    """
    timeline = read_timeline(tournament, number, CorrectionKind.RATING)
    return Outlook(handling(tournament).classify(timeline, reported_at), timeline)


def corrections_of(tournament: Tournament) -> list[Correction]:
    """Return every correction in order of entry, with its game or player. One query."""
    rows = Correction.objects.filter(tournament=tournament).select_related("game", "entry")
    return list(rows.order_by("pk"))


def _outlook(
    tournament: Tournament,
    number: int,
    records: Mapping[TPN, RoundRecord],
    classification: Classification,
    timeline: Timeline,
    before: Mapping[TPN, tuple[int, int]] | None,
) -> Outlook:
    states = dict(Round.objects.filter(tournament=tournament).values_list("number", "state"))
    newest = max(
        (n for n, state in states.items() if state == RoundState.RESULTS_PUBLISHED), default=0
    )
    draft = next((n for n, state in states.items() if state == RoundState.DRAFT), None)
    moved = _moved(tournament, newest, number, records, before) if newest >= number else ()
    outlook = Outlook(classification, timeline, moved, draft)
    if draft is None:
        return outlook
    state, entries = snapshot(tournament, draft)
    try:
        pairing = pair(replace(state, players=_amended(state.players, number, records)))
    except NoLegalPairingError:
        return replace(outlook, can_be_paired=False)
    return replace(outlook, draft_boards=_changed_boards(tournament, draft, pairing, entries))


def _amended(
    players: Sequence[Player], number: int, records: Mapping[TPN, RoundRecord]
) -> tuple[Player, ...]:
    """Return *players* with new records of round *number*."""
    return tuple(
        replace(p, rounds=(*p.rounds[: number - 1], records[p.tpn], *p.rounds[number:]))
        if p.tpn in records
        else p
        for p in players
    )


def _moved(
    tournament: Tournament,
    newest: int,
    number: int,
    records: Mapping[TPN, RoundRecord],
    before: Mapping[TPN, tuple[int, int]] | None,
) -> tuple[Place, ...]:
    players = records_after(tournament, newest)
    if before is None:
        before = {line.tpn: (line.points, line.rank) for line in ranked(tournament, players).lines}
    after = ranked(tournament, _amended(players, number, records)).lines
    moved = [line for line in after if (line.points, line.rank) != before[line.tpn]]
    entries = {
        entry.tpn: entry
        for entry in tournament.entries.filter(tpn__in=[line.tpn for line in moved])
    }
    return tuple(
        Place(
            name=entries[line.tpn].real_name,
            tpn=line.tpn,
            points_before=before[line.tpn][0],
            points_after=line.points,
            rank_before=before[line.tpn][1],
            rank_after=line.rank,
        )
        for line in moved
    )


def _changed_boards(
    tournament: Tournament, number: int, pairing: Pairing, entries: Mapping[TPN, Entry]
) -> tuple[DraftBoard, ...]:
    rows = Seat.objects.filter(
        round__tournament=tournament, round__number=number, game__isnull=False
    )
    names: dict[int, dict[str, str]] = {}
    for board, colour, whole, name in rows.values_list(
        "game__board", "colour", "entry__full_name", "entry__name"
    ):
        names.setdefault(board, {})[colour] = whole or name
    before = {board: (seats["w"], seats["b"]) for board, seats in names.items()}
    after = {
        board: (entries[white].real_name, entries[black].real_name)
        for board, (white, black) in enumerate(pairing.pairs, start=1)
    }
    return tuple(
        DraftBoard(board, before.get(board), after.get(board))
        for board in sorted({*before, *after})
        if before.get(board) != after.get(board)
    )


def counts_for_the_next_pairing(tournament: Tournament, number: int, now: datetime) -> bool:
    """Return whether a wrong result of round *number*, reported *now*, changes the standings and
    the next pairing, and nothing has to be decided [C.04.2/2026 4.3.1]. Two queries."""
    timeline = read_timeline(tournament, number, CorrectionKind.RESULT)
    return handling(tournament).classify(timeline, now).effects == (CorrectionEffect.NEXT_ROUND,)
