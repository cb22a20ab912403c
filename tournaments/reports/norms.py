"""Title norms of the players of a tournament, for its arbiters [B.01/2024]."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils import timezone

from pairing.engine.model import TPN
from pairing.ratings.attendance import (
    Attendant,
    ByRound,
    ExemptionCounts,
    LargeCounts,
    attendance_of,
    large_swiss,
    swiss_exemption,
)
from pairing.ratings.change import RatingChange, rating_change
from pairing.ratings.conditions import Condition
from pairing.ratings.editions import COUNTED_TITLES, NormEdition, Title, norm_edition
from pairing.ratings.event_conditions import event_conditions
from pairing.ratings.forecast import Forecast, forecast
from pairing.ratings.initial import InitialRating, initial_rating
from pairing.ratings.model import WITHOUT_FEDERATION, Event, Game, Kind, Person
from pairing.ratings.norms import Norm, norm
from pairing.ratings.rated_games import is_always_too_short, too_many_a_day
from pairing.ratings.results import games_of
from pairing.rules.arbiters import arbiters_of
from tournaments.core.frame import Frame
from tournaments.models import Action, Decision, Entry, RequestedBye, Round, Tournament
from tournaments.standings.ranked_field import players_for
from tournaments.standings.rating_facts import event_of, person_of

DAYS: Final = "132"
"""The record of an opened report with the days of its rounds."""
_BY_HAND: Final = (Action.ROUND_PAIRED_BY_HAND, Action.ROUND_ARRANGED, Action.ROUND_CHANGED)
FORECAST_ROUNDS: Final = 2
"""A forecast is shown when no more rounds than this are missing."""
HELD: Final[Mapping[str, frozenset[Title]]] = {
    "GM": frozenset(Title),
    "IM": frozenset({Title.IM, Title.WGM, Title.WIM}),
    "WGM": frozenset({Title.WGM, Title.WIM}),
    "WIM": frozenset({Title.WIM}),
}
"""The titles that a holder of a title does not need any more."""


@dataclass(frozen=True, slots=True)
class NormRow:
    """A norm of a player with its conditions."""

    entry: Entry
    norm: Norm


@dataclass(frozen=True, slots=True)
class ForecastRow:
    """What a player still needs for a title."""

    entry: Entry
    forecast: Forecast


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """The FIDE rating change of a player, or the initial rating of another."""

    entry: Entry
    change: RatingChange | None
    initial: InitialRating | None


@dataclass(frozen=True, slots=True)
class NormsPage:
    """The norms of a tournament after ``after_round`` rounds, and the conditions of the event.

    ``met`` has the norms of which no condition failed; ``not_searched`` those that were not found
    among the sets of games that were tried, though not all were; ``forecasts`` are there before the
    last rounds.
    """

    event: Event
    edition: NormEdition
    conditions: tuple[Condition, ...]
    exemption: ByRound[ExemptionCounts]
    large: ByRound[LargeCounts]
    after_round: int
    met: tuple[NormRow, ...]
    not_searched: tuple[NormRow, ...]
    forecasts: tuple[ForecastRow, ...]
    changes: tuple[ChangeRow, ...]
    too_short_for: tuple[Entry, ...]
    """The players whose games are too short to be rated, whoever the opponent is."""
    too_many_a_day: bool
    """Whether a day has more rounds, or more hours of play, than are rated."""
    players: int

    @property
    def fewest(self) -> tuple[ExemptionCounts, LargeCounts] | None:
        """Return the round with the fewest players for 1.4.3d and for 1.5.6a."""
        if not self.exemption.rounds:
            return None
        return min(self.exemption.rounds), min(self.large.rounds)


@dataclass(frozen=True, slots=True)
class Line:
    """A round on the certificate: every round, also those that do not count.

    ``rating`` is that of the list, ``counted`` the one of the average.
    """

    game: Game
    opponent: Entry | None
    rating: int | None
    counted: int | None
    is_dropped: bool
    is_counted: bool


@dataclass(frozen=True, slots=True)
class Certificate:
    """The facts of a certificate IT1: a norm with every round of the player."""

    row: NormRow
    event: Event
    exemption: ByRound[ExemptionCounts]
    large: ByRound[LargeCounts]
    change: RatingChange | None
    lines: tuple[Line, ...]
    foreign: int
    rated: int
    of_host: int
    titles: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """The players, their games and the event, read once."""

    event: Event
    entries: Mapping[TPN, Entry]
    people: Mapping[TPN, Person]
    games: Mapping[TPN, Sequence[Game]]
    exemption: ByRound[ExemptionCounts]
    large: ByRound[LargeCounts]
    after_round: int


def norms_page(frame: Frame) -> NormsPage:
    """Return the norms with the results entered so far. Four queries."""
    facts = facts_of(frame)
    norms = tuple(_norms(facts))
    return NormsPage(
        event=facts.event,
        edition=norm_edition(facts.event.start),
        conditions=event_conditions(facts.event),
        exemption=facts.exemption,
        large=facts.large,
        after_round=facts.after_round,
        met=tuple(row for row in norms if row.norm.is_met),
        not_searched=tuple(row for row in norms if not row.norm.is_searched),
        forecasts=tuple(_forecasts(facts, frame)),
        changes=tuple(_changes(facts)),
        too_short_for=tuple(_too_short_for(facts, frame)),
        too_many_a_day=bool(too_many_a_day(facts.event)),
        players=len(facts.entries) or frame.tournament.entries.count(),
    )


def certificate(frame: Frame, entry_id: int, title: Title) -> Certificate | None:
    """Return the certificate of the player with *entry_id*; None without such a player.

    The norm need not be met: its conditions are shown too. Four queries.
    """
    facts = facts_of(frame)
    entry = next((each for each in facts.entries.values() if each.pk == entry_id), None)
    if entry is None:
        return None
    tpn = TPN(entry.tpn or 0)
    found = norm(title, facts.people[tpn], facts.event, facts.games[tpn])
    return _certificate(facts, NormRow(entry, found))


def certificates(facts: Facts) -> tuple[Certificate, ...]:
    """Return the certificates of the norms of which no condition failed. No query."""
    return tuple(_certificate(facts, row) for row in _norms(facts) if row.norm.is_met)


def _certificate(facts: Facts, row: NormRow) -> Certificate:
    tpn, found = TPN(row.entry.tpn or 0), row.norm
    person, host = facts.people[tpn], facts.event.host.upper()
    opponents = [game.opponent for game in found.games if game.opponent is not None]
    titles = Counter(title for opponent in opponents for title in opponent.titles)
    not_foreign = WITHOUT_FEDERATION | {person.flag}
    return Certificate(
        row,
        facts.event,
        facts.exemption,
        facts.large,
        rating_change(person, facts.event, facts.games[tpn]),
        tuple(_lines(found, facts.games[tpn], facts.entries)),
        foreign=sum(each.flag not in not_foreign for each in opponents),
        rated=sum(bool(each.rating) for each in opponents),
        of_host=sum(each.flag == host != "" for each in opponents),
        titles=tuple((name, titles[name]) for name in COUNTED_TITLES),
    )


def facts_of(frame: Frame, after: int | None = None) -> Facts:
    """Return the facts after round *after*, or with the results entered so far. Four queries."""
    tournament = frame.tournament
    after = (frame.latest_published or 0) if after is None else after
    players, entries = players_for(frame, after)
    people = {tpn: person_of(entry, tournament) for tpn, entry in entries.items()}
    games = {tpn: games_of(player.rounds, people) for tpn, player in players.items()}
    event = replace(
        event_of(tournament),
        schedule=schedule_of(frame),
        arbiters_playing=_arbiters_playing(tournament, entries.values()),
        pairings_by_hand=_pairings_by_hand(tournament),
        players=len(entries),
    )
    attendants = [
        Attendant(people[tpn], tuple(attendance_of(game.kind) for game in lines))
        for tpn, lines in games.items()
        if not frame.is_of_matches
    ]
    exemption = swiss_exemption(attendants, event.host)
    event = replace(event, swiss_exemption=exemption.state)
    return Facts(event, entries, people, games, exemption, large_swiss(attendants), after)


def schedule_of(frame: Frame) -> tuple[int, ...]:
    """Return the rounds of each day, if every round has a day. One query.

    The days are those of the schedule here, else those of a report that was opened (record 132).
    """
    starts = Round.objects.filter(tournament=frame.tournament).values_list("starts_at", flat=True)
    days = [
        timezone.localtime(start).date().isoformat() for start in starts.order_by("number") if start
    ]
    if not days:
        days = next(
            (line.split()[1:] for line in frame.tournament.trf_extras if line.startswith(DAYS)), []
        )
    return tuple(Counter(days).values()) if len(days) == len(frame.rounds) else ()


def _arbiters_playing(tournament: Tournament, entries: Iterable[Entry]) -> int | None:
    """Return how many players are arbiters here; None if not every arbiter has a FIDE ID."""
    arbiters = arbiters_of(tournament.chief_arbiter, tournament.deputy_arbiters)
    numbers = {arbiter.fide_id for arbiter in arbiters}
    playing = sum(entry.fide_id in numbers for entry in entries if entry.fide_id)
    return playing if playing or (arbiters and None not in numbers) else None


def _pairings_by_hand(tournament: Tournament) -> int:
    """Return how many lines of the record have pairings by hand. One query."""
    return Decision.objects.filter(tournament=tournament, action__in=_BY_HAND).count()


def _sought(person: Person) -> Iterator[Title]:
    """Yield the titles that a norm could lead *person* to."""
    held = set().union(*(HELD.get(title, frozenset()) for title in person.titles))
    for title in Title:
        is_open = person.is_woman or title in (Title.GM, Title.IM)
        if is_open and title not in held:
            yield title


def _norms(facts: Facts) -> Iterator[NormRow]:
    """Yield the answer for each title that a player seeks, if no result is missing."""
    for tpn, entry in facts.entries.items():
        person, games = facts.people[tpn], facts.games[tpn]
        if any(game.kind is Kind.OPEN for game in games):
            continue
        for title in _sought(person):
            yield NormRow(entry, norm(title, person, facts.event, games))


def _forecasts(facts: Facts, frame: Frame) -> Iterator[ForecastRow]:
    """Yield what is needed for each norm that is possible and not complete.

    A player with a bye in a round to come plays one game less than the others. One query.
    """
    later = facts.event.rounds - facts.after_round
    if later > FORECAST_ROUNDS or frame.is_of_matches:
        return
    byes = RequestedBye.objects.filter(
        entry__tournament=frame.tournament, round_number__gt=facts.after_round
    )
    resting = set(byes.values_list("entry_id", flat=True)) if later else set()
    highest = max((person.rating or 0 for person in facts.people.values()), default=0)
    for tpn, entry in facts.entries.items():
        person, games = facts.people[tpn], facts.games[tpn]
        played = [game for game in games if game.kind is not Kind.OPEN]
        in_play = [game.opponent for game in games if game.kind is Kind.OPEN]
        missing = [*in_play, *[None] * later]
        if not missing or len(missing) > FORECAST_ROUNDS:
            continue
        if entry.withdrawn_from or entry.pk in resting:
            continue
        for title in _sought(person):
            found = forecast(title, person, facts.event, played, missing)
            chances = tuple(
                chance
                for chance in found.chances
                if chance.opponents is None or chance.opponents.rating <= highest
            )
            if chances or found.by_forfeit:
                yield ForecastRow(entry, replace(found, chances=chances))


def _changes(facts: Facts) -> Iterator[ChangeRow]:
    """Yield the rating change of each player with a rated game."""
    for tpn, entry in facts.entries.items():
        person, games = facts.people[tpn], facts.games[tpn]
        change = rating_change(person, facts.event, games)
        initial = None if change else initial_rating(person, facts.event, games)
        found = change or initial
        if found is not None and found.games:
            yield ChangeRow(entry, change, initial)


def _too_short_for(facts: Facts, frame: Frame) -> Iterator[Entry]:
    """Yield the players none of whose games would be rated for its time [B.02/2024 1.1].

    Before the players have numbers, all entries. One query then.
    """
    for entry in facts.entries.values() or frame.tournament.entries.order_by("pk"):
        if is_always_too_short(facts.event, person_of(entry, frame.tournament)):
            yield entry


def _lines(found: Norm, games: Sequence[Game], entries: Mapping[TPN, Entry]) -> Iterator[Line]:
    dropped = {number for number, _article in found.dropped}
    counted = {game.round for game in found.games}
    raised = found.figures.raised if found.figures else None
    for game in games:
        opponent = game.opponent
        rating = counts = None
        if opponent is not None:
            rating = opponent.rating
            counts = rating or found.edition.unrated
            if raised is not None and raised[0] == game.round:
                counts = raised[2]
        yield Line(
            game,
            entries[TPN(opponent.number)] if opponent is not None else None,
            rating,
            counts,
            is_dropped=game.round in dropped,
            is_counted=game.round in counted,
        )
