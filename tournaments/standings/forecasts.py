"""The forecast of a tournament: make it from public data, store it, and read it for the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from random import Random
from typing import Final

from django.db import transaction
from django.utils import timezone

from pairing.engine.model import TPN, Player, Result, RoundRecord
from pairing.forecast import SIMULATIONS, WHOLE, Forecast, Position, RoundToCome, shares
from pairing.rounds.computed_standings import changes, numbers_of, tie_break_ratings
from pairing.rounds.snapshot import snapshot, takes_part
from pairing.rules.rounds import PUBLIC_STATES, RoundState
from pairing.standings.ranking import Rules
from tournaments.core import jobs
from tournaments.core.actions import OpenAction, lock_if_live
from tournaments.core.frame import state_key
from tournaments.core.jobs import Work
from tournaments.core.namesakes import mark_namesakes
from tournaments.models import Entry, Forecast as Row, Round, Tournament
from tournaments.models.forecast import ForecastContent, ForecastOfPlayer
from tournaments.standings.prize_plan import plan_of
from tournaments.standings.prizes import categories_of

JOB: Final = "forecast"
LOWEST: Final = 1400
"""The rating with which players without one play, unless a player of the tournament has less."""
LIKELY: Final = 3
"""How many of the likely opponents are stored."""
LOOK_EVERY: Final = 5
"""Simulations between two looks whether something new was published."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """A likely opponent, None for the pairing-allocated bye; ``chance`` in ten-thousandths."""

    entry: Entry | None
    chance: int


@dataclass(frozen=True, slots=True)
class PlayerForecast:
    """The chances of a player; units as in
    :class:`~tournaments.models.forecast.ForecastOfPlayer`.
    """

    entry: Entry
    opponents: tuple[Opponent, ...]
    first: int
    best_three: int
    money: int
    places: tuple[int, int]
    points: int


@dataclass(frozen=True, slots=True)
class ForecastPage:
    """The newest forecast, the best chances first; ``is_current``: nothing was published since."""

    made_at: datetime
    after_round: int
    next_round: int | None
    simulations: int
    unpairable: int
    has_money: bool
    is_current: bool
    players: tuple[PlayerForecast, ...]


def forecast_page(tournament: Tournament) -> ForecastPage | None:
    """Return the newest forecast of *tournament* with its players; None without one.

    Two queries.
    """
    row = Row.objects.filter(tournament=tournament).first()
    if row is None:
        return None
    entries = {entry.pk: entry for entry in Entry.objects.filter(tournament=tournament)}
    mark_namesakes(entries.values())
    return ForecastPage(
        made_at=row.made_at,
        after_round=row.after_round,
        next_round=row.next_round,
        simulations=row.simulations,
        unpairable=row.unpairable,
        has_money=row.content["has_money"],
        is_current=row.state == state_key(tournament, runs=False),
        players=tuple(
            PlayerForecast(
                entry=entries[line["entry"]],
                opponents=tuple(
                    Opponent(None if entry is None else entries[entry], chance)
                    for entry, chance in line["opponents"]
                    if entry is None or entry in entries
                ),
                first=line["first"],
                best_three=line["best_three"],
                money=line["money"],
                places=(line["places"][0], line["places"][1]),
                points=line["points"],
            )
            for line in row.content["players"]
            if line["entry"] in entries
        ),
    )


def follow(action: OpenAction) -> None:
    """Ask for a forecast once *action* is committed, if the tournament
    shows forecasts and visitors see a change.

    A copy that was handed over keeps its last one. Every change that they see makes the forecast
    out of date. Two statements, if the tournament shows forecasts: there is nothing to forecast
    before the first pairings are published.
    """
    tournament = action.tournament
    if tournament.handed_over_at is not None or not tournament.forecast_public:
        return
    if not any(line.is_public for line in action.lines):
        return
    if Round.objects.filter(tournament=tournament, state__in=PUBLIC_STATES).exists():
        jobs.enqueue(JOB, str(tournament.pk))


def forecast_job(work: Work) -> int | None:
    """Make the forecast as a job; return the number of simulations, or None if deleted."""
    if not Tournament.objects.filter(pk=int(work.key)).exists():
        return None
    row = forecast_make(int(work.key), timezone.now)
    return row.simulations if row is not None else None


def forecast_make(
    tournament_id: int, clock: Callable[[], datetime], most: int = SIMULATIONS
) -> Row | None:
    """Simulate the rest up to *most* times and store the counts; None if nothing is left.

    There is nothing before the first published pairings, after the last results, in a copy that was
    handed over, or if something else is published meanwhile: that publication makes its own. The
    seed is the state of the tournament, so that anybody gets the same forecast from the same data.
    The lock is held only to save. Cost: up to 1,000 times the pairings of the rounds to come.
    """
    tournament = Tournament.objects.get(pk=tournament_id)
    state = state_key(tournament, runs=False)
    found = position(tournament) if tournament.handed_over_at is None else None
    if found is None:
        return None
    where, entries = found
    forecast = Forecast(where, Random(f"{tournament.identity} {state}"), most)  # noqa: S311
    while not forecast.is_done:
        if (forecast.played + forecast.unpairable) % LOOK_EVERY == 0 and _state_of(
            tournament_id
        ) != state:
            return None
        forecast.advance()
    rounds = list(Round.objects.filter(tournament=tournament).values_list("number", "state"))
    values = {
        "state": state,
        "after_round": max(
            (number for number, kind in rounds if kind == RoundState.RESULTS_PUBLISHED), default=0
        ),
        "next_round": where.state.round_number if _opponents_are_open(where) else None,
        "simulations": forecast.played,
        "unpairable": forecast.unpairable,
        "content": _content(forecast, entries),
        "made_at": clock(),
    }
    with transaction.atomic():
        newest = lock_if_live(pk=tournament_id)
        if newest is None or state_key(newest, runs=False) != state:
            return None
        return Row.objects.update_or_create(tournament=tournament, defaults=values)[0]


def position(tournament: Tournament) -> tuple[Position, Mapping[TPN, Entry]] | None:
    """Return what everybody knows of *tournament*, to play the rest;
    None before the first pairings and at the end.

    Nothing may show what is not public yet: results that are not published, requested byes of
    coming rounds, and withdrawals from later rounds are left out.
    """
    states = dict(Round.objects.filter(tournament=tournament).values_list("number", "state"))
    public = [number for number, state in states.items() if state in PUBLIC_STATES]
    last = max(public, default=0)
    is_running = last > 0 and states[last] != RoundState.RESULTS_PUBLISHED
    if not last or (last == tournament.total_rounds and not is_running):
        return None
    state, entries = snapshot(tournament, last + 1)
    coming = last + 1
    rounds = tuple(
        _round_to_come(tournament, entries, number, coming)
        for number in range(coming, len(states) + 1)
    )
    players = tuple(
        _without_last_result(player) if is_running else player for player in state.players
    )
    state = replace(state, players=players, absent=frozenset(rounds[0].byes if rounds else ()))
    plan = plan_of(tournament)
    known = numbers_of(tournament, tournament.expelled)
    played = tuple(replace(player, virtual_points=()) for player in state.players)
    return Position(
        state=state,
        rounds=rounds,
        playing_ratings=_playing_ratings(entries),
        rules=Rules.from_codes(tournament.tie_breaks, tournament.tie_break_edition),
        ratings=tie_break_ratings(tournament),
        changes=changes(tournament, played),
        expelled=frozenset(known.values()),
        prizes=tuple(
            category
            for category in categories_of(plan, entries, tournament.start_date)
            if category.amounts and category.teams is None
        ),
        prize_rules=plan.rules,
    ), entries


def _without_last_result(player: Player) -> Player:
    """Return *player* as known while the results of the last round are not published."""
    last = player.rounds[-1]
    if last.opponent is None:
        return player
    open_ = RoundRecord(last.opponent, last.colour, Result.UNKNOWN, last.second and Result.UNKNOWN)
    return replace(player, rounds=(*player.rounds[:-1], open_))


def _round_to_come(
    tournament: Tournament, entries: Mapping[TPN, Entry], number: int, coming: int
) -> RoundToCome:
    """Return what everybody knows of round *number*, while round *coming* is the next to be paired.

    A few queries.
    """
    as_paired, _ = snapshot(tournament, number)
    return RoundToCome(
        byes={
            tpn: Result.ZERO_POINT_BYE
            for tpn, entry in entries.items()
            if not takes_part(entry, number)
            and (entry.withdrawn_from is None or entry.withdrawn_from <= coming)
        },
        prohibited=as_paired.prohibited,
        virtual={
            player.tpn: player.virtual_points[number - 1]
            for player in as_paired.players
            if len(player.virtual_points) >= number
        },
    )


def _playing_ratings(entries: Mapping[TPN, Entry]) -> dict[TPN, int]:
    lowest = min((entry.rating for entry in entries.values() if entry.rating), default=LOWEST)
    return {tpn: entry.rating or min(LOWEST, lowest) for tpn, entry in entries.items()}


def _content(forecast: Forecast, entries: Mapping[TPN, Entry]) -> ForecastContent:
    shown = _opponents_are_open(forecast.position)
    lines = [
        _of_player(forecast, entries, tpn, shown) for tpn, ranks in forecast.ranks.items() if ranks
    ]
    lines.sort(
        key=lambda line: (
            -line["first"],
            -line["best_three"],
            line["places"],
            -line["points"],
            line["entry"],
        )
    )
    return {"has_money": bool(forecast.position.prizes), "players": lines}


def _opponents_are_open(where: Position) -> bool:
    """Return whether the next pairings depend on open games.

    If not, only their publication may show them.
    """
    return bool(where.rounds) and any(
        player.rounds and player.rounds[-1].result is Result.UNKNOWN
        for player in where.state.players
    )


def _of_player(
    forecast: Forecast, entries: Mapping[TPN, Entry], tpn: TPN, shown: bool
) -> ForecastOfPlayer:
    played = forecast.played
    first, best_three = shares(forecast.ranks[tpn], (1, 3), played)
    likely = sorted(forecast.opponents[tpn].items(), key=lambda item: (-item[1], item[0] or 0))[
        : shown * LIKELY
    ]
    return {
        "entry": entries[tpn].pk,
        "opponents": [
            (None if opponent is None else entries[opponent].pk, times * WHOLE // played)
            for opponent, times in likely
        ],
        "first": first,
        "best_three": best_three,
        "money": forecast.winners[tpn] * WHOLE // played,
        "places": (_at(forecast.ranks[tpn], 1, 10), _at(forecast.ranks[tpn], 9, 10)),
        "points": _at(forecast.points[tpn], 1, 2),
    }


def _at(counts: Counter[int], part: int, whole: int) -> int:
    """Return the smallest value that is not exceeded in at least *part* of *whole* simulations."""
    needed, seen = counts.total() * part, 0
    for value in sorted(counts):
        seen += counts[value] * whole
        if seen >= needed:
            return value
    return 0


def _state_of(tournament_id: int) -> str:
    row = Tournament.objects.only("public_version", "public_fingerprint").get(pk=tournament_id)
    return state_key(row, runs=False)
