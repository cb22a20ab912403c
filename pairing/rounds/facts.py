"""Facts about rounds and entries, in the form that the rule policies read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import assert_never

from pairing.rules.corrections import CorrectionKind, Timeline, deadline_after
from pairing.rules.entries import ByeRules
from pairing.rules.initial_order import Participant
from pairing.rules.rounds import RoundFacts, RoundState
from tournaments.models import (
    ByeKind,
    Entry,
    Game,
    GameResult,
    Round,
    Seat,
    ThirdCriterion,
    Tournament,
)


def round_facts(tournament: Tournament) -> list[RoundFacts]:
    """Return the declared rounds in order, in the form that the policies read. Two queries."""
    missing: dict[int, list[int]] = defaultdict(list)
    open_games = Game.objects.filter(round__tournament=tournament, result=GameResult.NOT_YET)
    for number, board in (
        open_games.order_by("board").values_list("round__number", "board").distinct()
    ):
        missing[number].append(board)
    rounds = (
        Round.objects.filter(tournament=tournament)
        .order_by("number")
        .values_list("number", "state")
    )
    return [
        RoundFacts(number=number, state=RoundState(state), missing=tuple(missing.get(number, ())))
        for number, state in rounds
    ]


def adjourned_games(tournament: Tournament, *, before_round: int | None = None) -> tuple[str, ...]:
    """Return the games (before round *before_round*) still adjourned, in order.

    Each is ``round/board``. One query.
    """
    games = Game.objects.filter(round__tournament=tournament, result=GameResult.ADJOURNED)
    if before_round is not None:
        games = games.filter(round__number__lt=before_round)
    places = (
        games.order_by("round__number", "board").values_list("round__number", "board").distinct()
    )
    return tuple(f"{number}/{board}" for number, board in places)


def older_adjourned(tournament: Tournament, number: int) -> tuple[str, ...]:
    """Return the :func:`adjourned_games` from before the round that precedes round *number*.

    One query, or none.
    """
    return adjourned_games(tournament, before_round=number - 1) if number > 2 else ()


def timeline(tournament: Tournament, number: int, kind: CorrectionKind) -> Timeline:
    """Return the times that decide about a mistake in *number* [C.04.2/2026 4.3]. One query.

    The times are cut to the second, because reports are entered to the second.
    """
    rounds = Round.objects.filter(tournament=tournament, number__in=(1, number, number + 1))
    times = {
        at: tuple(moment and moment.replace(microsecond=0) for moment in moments)
        for at, *moments in rounds.values_list(
            "number", "published_at", "results_published_at", "results_due_at"
        )
    }
    _, results_published, announced = times[number]
    next_published, next_ended, _ = times.get(number + 1, (None, None, None))
    deadline = deadline_after(results_published, tournament.correction_minutes, announced)
    if results_published and next_published is None and tournament.corrections_until:
        # The deadline that runs: it was fixed at the publication, and may have been ended since.
        deadline = tournament.corrections_until.replace(microsecond=0)
    return Timeline(
        number=number,
        is_last=number == tournament.total_rounds,
        results_published=results_published,
        deadline=deadline,
        next_published=next_published,
        next_ended=next_ended,
        pairings_published=times[1 if kind is CorrectionKind.RATING else number][0],
    )


def bye_rules(tournament: Tournament) -> ByeRules:
    """Return the regulations of *tournament* on byes with points [C.04.2/2026 3.3]."""
    return ByeRules(tournament.max_byes, tournament.last_bye_round, tournament.byes_in_advance)


def participant(tournament: Tournament, entry: Entry) -> Participant:
    """Return *entry* in the form that the ranking of *tournament* reads [C.04.2/2026 2.2]."""
    match ThirdCriterion(tournament.third_criterion):
        case ThirdCriterion.NAME:
            third = 0
        case ThirdCriterion.NATIONAL:
            third = -(entry.national_rating or 0)
        case ThirdCriterion.ENTERED:
            third = entry.pk
        case other:
            assert_never(other)
    return Participant(
        key=entry.pk, rating=entry.rating, title=entry.title, name=entry.real_name, third=third
    )


def missed_rounds(tournament: Tournament, entries: Sequence[Entry]) -> list[Seat]:
    """Give late *entries* the points for rounds paired without them [C.04.2/2026 2.4].

    A bye without points needs no row. Two queries for a bye with points, otherwise none.
    """
    if tournament.late_entry_bye == ByeKind.ZERO_POINT:
        return []
    paired = Round.objects.filter(tournament=tournament).exclude(state=RoundState.PLANNED.value)
    return Seat.objects.bulk_create(
        Seat(round=row, entry=entry, bye=tournament.late_entry_bye)
        for row in paired
        for entry in entries
        if row.number < entry.first_round
    )
