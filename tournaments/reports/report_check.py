"""The facts for the check of a report before it is sent (:mod:`pairing.rules.report_checks`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Final

from django.utils import timezone

from pairing.rounds.absences import EXPLAINED, WITHDRAWN
from pairing.rules.arbiters import arbiters_of
from pairing.rules.report_checks import Finding, Listed, Player, ReportFacts, Subject
from pairing.rules.report_profiles import Profile, findings, profile_of
from pairing.rules.rounds import RoundState
from tournaments.core.frame import Frame
from tournaments.models import Decision, Entry, GameResult, Round, Tournament
from tournaments.models.payloads import AbsenceExplained, AbsenceWithdrawn
from tournaments.reports.event_figures import event_figures
from tournaments.reports.event_report import ForfeitLine, Named, forfeits_of
from tournaments.reports.norms import DAYS
from tournaments.reports.protests import protests_of
from tournaments.reports.rating_report import corrected_document, open_games_of
from tournaments.standings.rating_facts import encoded_time_control, event_of

LOSERS: Final = {
    GameResult.WHITE_FORFEITS: (True, False),
    GameResult.BLACK_FORFEITS: (False, True),
    GameResult.BOTH_FORFEIT: (True, True),
}
"""Whether White and Black lost by forfeit, by result."""


def report_findings(frame: Frame, listed: Listed) -> tuple[Finding, ...]:
    """Return what the federation of the report would send back, with the results so far.

    *listed* is what the rating lists say. Thirty queries at most.
    """
    return findings(_facts(frame, listed), profile_for(frame.tournament))


def profile_for(tournament: Tournament) -> Profile:
    """Return the profile of the federation that gets the report of *tournament*."""
    return profile_of(tournament.report_profile, tournament.federation)


def _facts(frame: Frame, listed: Listed) -> ReportFacts:
    tournament = frame.tournament
    entries = list(Entry.objects.filter(tournament=tournament).order_by("tpn", "pk"))
    # Once there are numbers, a player without one has not come and is in no report.
    entries = [entry for entry in entries if entry.tpn] or entries
    chief = arbiters_of(tournament.chief_arbiter, "")
    return ReportFacts(
        event=event_of(tournament),
        city=tournament.city,
        event_code=tournament.event_code,
        organiser=tournament.organiser,
        has_time_control=bool(encoded_time_control(tournament)),
        chief=chief[0] if chief else None,
        deputies=arbiters_of("", tournament.deputy_arbiters),
        players=[_player(entry) for entry in entries],
        listed=listed,
        days=list(_days(tournament)),
        not_over=[tab.number for tab in frame.rounds if tab.state != RoundState.RESULTS_PUBLISHED],
        open_games=list(_open_games(tournament, entries)),
        forfeits=list(_forfeits(frame, entries)),
        unrated=[
            Subject(count, reason.value) for reason, count in event_figures(frame).games.not_rated
        ],
        protests=[
            Subject(each.number, f"{each.number}. {each.by}")
            for each in protests_of(tournament)
            if each.is_open
        ],
        is_final=tournament.final_at is not None,
    )


def _player(entry: Entry) -> Player:
    return Player(
        entry_id=entry.pk,
        name=entry.real_name,
        fide_id=entry.fide_id,
        national_id=entry.national_id,
        sex=entry.sex,
        birth_date=entry.birth_date,
        federation=entry.federation,
        titles=frozenset({entry.title, entry.women_title} - {""}),
    )


def _days(tournament: Tournament) -> Iterator[tuple[int, date | None]]:
    """Yield the day of each round; nothing if record 132 of an opened file has them. One query."""
    starts = Round.objects.filter(tournament=tournament).order_by("number")
    rows = list(starts.values_list("number", "starts_at"))
    is_in_the_file = any(line.startswith(DAYS) for line in tournament.trf_extras)
    if is_in_the_file and not any(start for _number, start in rows):
        return
    for number, start in rows:
        yield number, timezone.localtime(start).date() if start else None


def _open_games(tournament: Tournament, entries: list[Entry]) -> Iterator[Subject]:
    names = {entry.tpn: entry.real_name for entry in entries if entry.tpn}
    for number, white, black in open_games_of(corrected_document(tournament)):
        yield Subject(number, f"{number}: {names[white]} – {names[black]}")


def _forfeits(frame: Frame, entries: list[Entry]) -> Iterator[Subject]:
    """Yield the games whose loser has neither explained the absence nor been withdrawn since."""
    withdrawn = {entry.pk: entry.withdrawn_from for entry in entries}
    explained = _explained(frame.tournament)
    for game in forfeits_of(frame):
        if any(not _has_reason(game, loser, explained, withdrawn) for loser in _losers(game)):
            yield Subject(
                game.round_number, f"{game.round_number}: {game.white.name} – {game.black.name}"
            )


def _losers(game: ForfeitLine) -> list[Named]:
    return [
        player
        for player, lost in zip(
            (game.white, game.black), LOSERS[GameResult(game.result)], strict=True
        )
        if lost
    ]


def _has_reason(
    game: ForfeitLine,
    loser: Named,
    explained: frozenset[tuple[int, int | None]],
    withdrawn: Mapping[int, int | None],
) -> bool:
    first = withdrawn.get(loser.entry_id)
    is_gone = first is not None and first <= game.round_number + 1
    return is_gone or (loser.entry_id, game.round_number) in explained


def _explained(tournament: Tournament) -> frozenset[tuple[int, int | None]]:
    rows = Decision.objects.filter(tournament=tournament, action__in=(EXPLAINED, WITHDRAWN))
    return frozenset(
        (payload.after["entry"], row.round_number)
        for row in rows
        if isinstance(payload := row.payload, AbsenceExplained | AbsenceWithdrawn)
    )
