"""Read the state of a tournament from its rows, in the form that the engine pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Protocol

from django.db.models import Q

from pairing.engine.acceleration import Acceleration, accelerate, baku, last_of_group_a
from pairing.engine.changes import PointChanges
from pairing.engine.errors import InvariantError
from pairing.engine.model import ABSENT, TPN, Colour, Player, Points, RoundRecord, TournamentState
from pairing.rounds.computed_standings import changes
from pairing.rounds.paired_before import PAIRED
from pairing.rules.rounds import PUBLIC_STATES
from tournaments.core.chosen_rules import point_system
from tournaments.core.namesakes import mark_namesakes
from tournaments.core.scores import AT_BOARD, made, result_of
from tournaments.models import (
    ByeKind,
    Decision,
    Entry,
    MissingAnswer,
    ProhibitedPair,
    RequestedBye,
    Round,
    Seat,
    Tournament,
)
from tournaments.models.payloads import RoundPaired, RoundPairedByHand


class Present(Protocol):
    """A player, as far as a round is concerned: an :class:`Entry` or some of its columns."""

    @property
    def pk(self) -> int: ...
    @property
    def first_round(self) -> int: ...
    @property
    def withdrawn_from(self) -> int | None: ...


def snapshot(tournament: Tournament, round_number: int) -> tuple[TournamentState, dict[TPN, Entry]]:
    """Return the state that *round_number* is paired from, and each TPN's entry. Three queries.

    It contains every participant with a TPN. Not paired are players withdrawn by then
    [C.04.2/2026 3.2], players with a requested bye in that round [C.04.2/2026 3.3] and late entries
    of a later round [C.04.2/2026 2.4]. A game of an earlier round without a final result counts as
    adjourned [C.04.2/2026 3.1]. With an acceleration, players have the virtual points of every
    round so far [C.04.7/2026]. The pairing score includes point adjustments.
    """
    entries = _numbered(tournament)
    excused = requested_byes(tournament, round_number)
    state = TournamentState(
        round_number=round_number,
        total_rounds=tournament.total_rounds,
        players=_players(tournament, _numbers(entries), rounds=round_number - 1),
        initial_colour=Colour(tournament.initial_colour or Colour.WHITE.value),
        points=point_system(tournament),
        absent=frozenset(
            tpn
            for tpn, entry in entries.items()
            if entry.pk in excused or not takes_part(entry, round_number)
        ),
        prohibited=_prohibited(tournament, entries, round_number),
        system=tournament.system,
    )
    accelerated = accelerate(state, accelerations(tournament, entries))
    return _with_changes(accelerated, changes(tournament, state.players)), entries


def _with_changes(state: TournamentState, changed: Mapping[TPN, PointChanges]) -> TournamentState:
    """Return *state* with the earlier point adjustments, which count like virtual points."""
    if not changed:
        return state
    players = []
    for player in state.players:
        change = changed.get(player.tpn)
        if change is not None and any(change.by_round):
            given = accumulate(change.by_round, initial=0)
            virtual = player.virtual_points or (Points(0),) * state.round_number
            player = replace(
                player,
                virtual_points=tuple(Points(a + b) for a, b in zip(virtual, given, strict=True)),
                decided=Points(sum(change.by_round)),
            )
        players.append(player)
    return replace(state, players=tuple(players))


def accelerations(
    tournament: Tournament, entries: Mapping[TPN, Present]
) -> tuple[Acceleration, ...]:
    """Return the virtual points of *tournament* [C.04.7/2026], whose *entries* have these numbers;
    empty without any.

    One query until round 1 is published, otherwise none.
    """
    last = group_a_end(tournament, entries)
    if last is None:
        return ()
    win = point_system(tournament).of_whole_rounds().win
    return baku(last, total_rounds=tournament.total_rounds, win=win)


def group_a_end(tournament: Tournament, entries: Mapping[TPN, Present]) -> TPN | None:
    """Return the TPN of the last player of group A [C.04.7/2026];
    None without an acceleration or without players.

    Until round 1 is published it follows from the players to be paired in round 1, because a player
    with a bye counts only for later rounds [C.04.2/2026 2.4]. From then on it is always the same
    player. One query until then, otherwise none.
    """
    if not tournament.acceleration:
        return None
    closed = next(
        (tpn for tpn, entry in entries.items() if entry.pk == tournament.group_a_last_id), None
    )
    if closed is not None:
        return closed
    excused = requested_byes(tournament, 1)
    return last_of_group_a(
        [
            tpn
            for tpn, entry in sorted(entries.items())
            if entry.pk not in excused and takes_part(entry, 1)
        ]
    )


def close_group_a(tournament: Tournament) -> int | None:
    """Fix the last of group A for all later rounds of the event [C.04.7/2026]. Three queries.

    Returns the entry; None if group A is empty.
    """
    entries = _numbered(tournament)
    last = group_a_end(tournament, entries)
    tournament.group_a_last = None if last is None else entries[last]
    tournament.save(update_fields=["group_a_last"])
    return tournament.group_a_last_id


def requested_byes(
    tournament: Tournament, round_number: int, left_out: frozenset[int] | None = None
) -> dict[int, str]:
    """Return the letters of the byes of round *round_number*, by entry id. Three queries.

    These are the requested byes, and zero points for the :func:`skipped` players (*left_out*, if
    they are known: one query).
    """
    zero = skipped(tournament, round_number) if left_out is None else left_out
    wishes = RequestedBye.objects.filter(entry__tournament=tournament, round_number=round_number)
    return dict.fromkeys(zero, ByeKind.ZERO_POINT.value) | dict(
        wishes.values_list("entry_id", "kind")
    )


def skipped(tournament: Tournament, round_number: int) -> frozenset[int]:
    """Return the missing players left out of round *round_number*, by entry id. Two queries.

    Until the pairings are published these are the players not checked in with that answer;
    afterwards, those whom the pairing left out.
    """
    if Round.objects.filter(
        tournament=tournament, number=round_number, state__in=PUBLIC_STATES
    ).exists():
        lines = Decision.objects.filter(
            tournament=tournament, action__in=PAIRED, round_number=round_number
        )
        line = lines.order_by("-sequence").first()
        match line.payload if line else None:
            case RoundPaired(after=paired) | RoundPairedByHand(after=paired):
                return frozenset(paired.get("skipped", ()))
            case _:
                return frozenset()
    entries = Entry.objects.filter(
        tournament=tournament, answer=MissingAnswer.SKIP, checked_in=False
    ).exclude(requested_byes__round_number=round_number)
    return frozenset(entry.pk for entry in entries if takes_part(entry, round_number))


def takes_part(entry: Present, round_number: int) -> bool:
    """Return whether *entry* has arrived by round *round_number* and has not withdrawn."""
    return entry.first_round <= round_number and (
        entry.withdrawn_from is None or round_number < entry.withdrawn_from
    )


def not_in_round(entries: Mapping[TPN, Entry], round_number: int) -> frozenset[TPN]:
    """Return those of *entries* who have not arrived by round *round_number*, or have withdrawn."""
    return frozenset(tpn for tpn, entry in entries.items() if not takes_part(entry, round_number))


def players_after(
    tournament: Tournament, after_round: int
) -> tuple[tuple[Player, ...], dict[TPN, Entry]]:
    """Return all numbered participants with rounds 1 to *after_round*. Two queries.

    A game without a result is unknown.
    """
    entries = _numbered(tournament)
    return _players(tournament, _numbers(entries), rounds=after_round), entries


def records_after(tournament: Tournament, after_round: int) -> tuple[Player, ...]:
    """Return the players of :func:`players_after` without their entries. Two queries."""
    numbers = (
        Entry.objects.filter(tournament=tournament, tpn__isnull=False)
        .order_by("tpn")
        .values_list("pk", "tpn")
    )
    return _players(
        tournament, {pk: TPN(tpn) for pk, tpn in numbers if tpn is not None}, rounds=after_round
    )


def _numbers(entries: Mapping[TPN, Entry]) -> dict[int, TPN]:
    return {entry.pk: tpn for tpn, entry in entries.items()}


def _numbered(tournament: Tournament) -> dict[TPN, Entry]:
    entries = {
        TPN(entry.tpn): entry
        for entry in Entry.objects.filter(tournament=tournament, tpn__isnull=False).order_by("tpn")
        if entry.tpn is not None
    }
    mark_namesakes(entries.values())
    return entries


def _players(
    tournament: Tournament, numbers: Mapping[int, TPN], *, rounds: int
) -> tuple[Player, ...]:
    """Return the players with these *numbers* and their records of rounds 1 to *rounds*;
    one without a seat is missed.

    One query, none before round 1.
    """
    histories: dict[int, list[RoundRecord]] = {pk: [ABSENT] * rounds for pk in numbers}
    seats = Seat.objects.filter(round__tournament=tournament, round__number__lte=rounds)
    columns = ("entry_id", "round__number", "game_id", "colour", "bye", *AT_BOARD)
    rows: Sequence[tuple[int, int, int | None, str, str, str, str | None]] = (
        list(seats.values_list(*columns)) if rounds else ()
    )
    white, black = (
        {game: entry for entry, _, game, colour, *_ in rows if colour == letter} for letter in "wb"
    )
    for entry, number, game, colour, bye, first, second in rows:
        if game is None:
            histories[entry][number - 1] = RoundRecord(
                opponent=None, colour=None, result=result_of(bye)
            )
            continue
        own, others = (Colour.WHITE, black) if colour == "w" else (Colour.BLACK, white)
        opponent = others.get(game)
        if opponent is None:
            raise InvariantError(f"Game {game} of round {number} has one player.")
        histories[entry][number - 1] = RoundRecord(
            numbers[opponent], own, *made(colour, first, second)
        )
    return tuple(Player(tpn=tpn, rounds=tuple(histories[pk])) for pk, tpn in numbers.items())


def _prohibited(
    tournament: Tournament, entries: Mapping[TPN, Entry], round_number: int
) -> frozenset[frozenset[TPN]]:
    tpn_of = {entry.pk: tpn for tpn, entry in entries.items()}
    return frozenset(
        frozenset((tpn_of[one], tpn_of[other]))
        for one, other in ProhibitedPair.objects.filter(
            Q(last_round=None) | Q(last_round__gte=round_number), tournament=tournament
        ).values_list("one_id", "other_id")
        if one in tpn_of and other in tpn_of
    )
