"""The data of a published round as if not corrected afterwards [C.04.3/pre2017 F7]."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace

from pairing.engine.model import TPN, Colour, Player, RoundRecord, TournamentState
from pairing.rounds.facts import participant
from pairing.rules.corrections import CorrectionEffect, CorrectionKind
from pairing.rules.initial_order import initial_order
from tournaments.core.rating import take_rating
from tournaments.core.scores import Score
from tournaments.models import (
    Action,
    Correction,
    Decision,
    Entry,
    Game,
    RatingSource,
    Round,
    Seat,
    Tournament,
)

Tables = dict[int, tuple[int, int, int, str]]
"""Games by id: the number of the round, White and Black by entry id, the result."""


def without_corrections(
    tournament: Tournament, row: Round, state: TournamentState, entries: Mapping[TPN, Entry]
) -> tuple[TournamentState, dict[TPN, Entry]]:
    """Return *state* and *entries* before the corrections made since *row* was published,
    the newest undone first.

    A rating only changes the pairing through the numbers. If they were assigned again since, they
    are those that the old ratings would give. Up to three queries.
    """
    made = Correction.objects.filter(
        tournament=tournament, waiting=False, entered_at__gte=row.published_at
    )
    corrections = list(made.exclude(effect=CorrectionEffect.RATING_ONLY.value).order_by("-pk"))
    state = _without_corrected_games(state, entries, corrections)
    numbered = Decision.objects.filter(tournament=tournament, action=Action.NUMBERS_ASSIGNED)
    ratings = [one for one in corrections if one.kind == CorrectionKind.RATING]
    if ratings and numbered.filter(at__gte=min(one.entered_at for one in ratings)).exists():
        return _renumbered(tournament, state, entries, ratings)
    return state, dict(entries)


def _without_corrected_games(
    state: TournamentState, entries: Mapping[TPN, Entry], corrections: list[Correction]
) -> TournamentState:
    tpn_of = {entry.pk: tpn for tpn, entry in entries.items()}
    tables = _games({one.game_id for one in corrections if one.game_id is not None})
    for one in corrections:
        if one.game_id is None:
            continue
        number, white, black, result = tables[one.game_id]
        if one.kind == CorrectionKind.COLOURS:
            tables[one.game_id] = number, black, white, result[::-1]
        else:
            tables[one.game_id] = number, white, black, one.before["result"]
    records: dict[tuple[TPN, int], RoundRecord] = {}
    for number, white, black, result in tables.values():
        score = Score(result)
        records[tpn_of[white], number] = score.record(Colour.WHITE, tpn_of[black])
        records[tpn_of[black], number] = score.record(Colour.BLACK, tpn_of[white])
    return replace(state, players=tuple(_with_records(player, records) for player in state.players))


def _with_records(player: Player, records: Mapping[tuple[TPN, int], RoundRecord]) -> Player:
    rounds = tuple(
        records.get((player.tpn, n), record) for n, record in enumerate(player.rounds, start=1)
    )
    return replace(player, rounds=rounds)


def _games(ids: set[int]) -> Tables:
    seats: dict[int, dict[str, int]] = {}
    for game, colour, entry in Seat.objects.filter(game__in=ids).values_list(
        "game_id", "colour", "entry_id"
    ):
        seats.setdefault(game or 0, {})[colour] = entry
    games = Game.objects.filter(pk__in=ids).values_list("pk", "round__number", "result")
    return {pk: (number, seats[pk]["w"], seats[pk]["b"], result) for pk, number, result in games}


def _renumbered(
    tournament: Tournament,
    state: TournamentState,
    entries: Mapping[TPN, Entry],
    ratings: list[Correction],
) -> tuple[TournamentState, dict[TPN, Entry]]:
    """Return the state and entries with their numbers before the corrections *ratings*."""
    old = {entry.pk: copy.copy(entry) for entry in entries.values()}
    for one in ratings:  # The newest first, so the oldest values are left.
        if one.entry_id not in old:
            continue
        for name, value in one.before.items():
            setattr(old[one.entry_id], name, value)
        if old[one.entry_id].rating_source != RatingSource.ESTIMATE:
            take_rating(old[one.entry_id], tournament)
    people = [participant(tournament, entry) for entry in old.values()]
    by_pk = {entry.pk: entry for entry in entries.values()}
    numbered = {TPN(n): by_pk[one.key] for n, one in enumerate(initial_order(people), start=1)}
    tpn_of = {entry.pk: tpn for tpn, entry in numbered.items()}
    new = {tpn: tpn_of[entry.pk] for tpn, entry in entries.items()}
    players = tuple(
        replace(
            player,
            tpn=new[player.tpn],
            rounds=tuple(
                record
                if record.opponent is None
                else replace(record, opponent=new[record.opponent])
                for record in player.rounds
            ),
        )
        for player in state.players
    )
    return replace(
        state,
        players=players,
        absent=frozenset(new[tpn] for tpn in state.absent),
        prohibited=frozenset(frozenset(new[tpn] for tpn in pair) for pair in state.prohibited),
    ), numbered
