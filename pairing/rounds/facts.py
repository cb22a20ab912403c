"""Facts about rounds and entries, in the form that the rule policies read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import assert_never

from pairing.rules.corrections import Timeline, Wrong, deadline_after
from pairing.rules.entries import ByeRules
from pairing.rules.initial_order import Participant
from pairing.rules.rounds import RoundFacts, Stage
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
    """The declared rounds in order, as the policies look at them. Two queries."""
    missing: dict[int, list[int]] = defaultdict(list)
    open_games = Game.objects.filter(round__tournament=tournament, result=GameResult.NOT_YET)
    for number, board in open_games.order_by("board").values_list("round__number", "board").distinct():
        missing[number].append(board)
    rounds = Round.objects.filter(tournament=tournament).order_by("number").values_list("number", "state")
    return [
        RoundFacts(number=number, stage=Stage(state), missing=tuple(missing.get(number, ())))
        for number, state in rounds
    ]


def timeline(tournament: Tournament, number: int, wrong: Wrong) -> Timeline:
    """What happened when around round *number*, for a mistake in it [C.04.2/2026 4.3]. One query.

    To the second, as reports are typed in.
    """
    rounds = Round.objects.filter(tournament=tournament, number__in=(1, number, number + 1))
    times = {
        at: tuple(moment and moment.replace(microsecond=0) for moment in moments)
        for at, *moments in rounds.values_list("number", "published_at", "results_published_at")
    }
    results_published = times[number][1]
    next_published, next_ended = times.get(number + 1, (None, None))
    return Timeline(
        number=number,
        is_last=number == tournament.total_rounds,
        results_published=results_published,
        deadline=deadline_after(results_published, tournament.correction_minutes),
        next_published=next_published,
        next_ended=next_ended,
        pairings_published=times[1 if wrong is Wrong.RATING else number][0],
    )


def bye_rules(tournament: Tournament) -> ByeRules:
    """What the regulations of *tournament* say about byes with points [C.04.2/2026 3.3]."""
    return ByeRules(tournament.max_byes, tournament.last_bye_round, tournament.byes_in_advance)


def participant(tournament: Tournament, entry: Entry) -> Participant:
    """*entry* as the ranking of *tournament* looks at it [C.04.2/2026 2.2]."""
    match ThirdCriterion(tournament.third_criterion):
        case ThirdCriterion.NAME:
            third = 0
        case ThirdCriterion.NATIONAL:
            third = -(entry.national_rating or 0)
        case ThirdCriterion.ENTERED:
            third = entry.pk
        case other:
            assert_never(other)
    return Participant(key=entry.pk, strength=entry.strength, title=entry.title, name=entry.name, third=third)


def missed_rounds(tournament: Tournament, entries: Sequence[Entry]) -> list[Seat]:
    """Give late *entries* what the regulations give for each round that was paired without them [C.04.2/2026 2.4].

    Nothing is what is left unsaid. Two queries where it is something.
    """
    if tournament.late_entry_bye == ByeKind.ZERO_POINT:
        return []
    paired = Round.objects.filter(tournament=tournament).exclude(state=Stage.PLANNED.value)
    return Seat.objects.bulk_create(
        Seat(round=row, entry=entry, bye=tournament.late_entry_bye)
        for row in paired
        for entry in entries
        if row.number < entry.first_round
    )
