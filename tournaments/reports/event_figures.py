"""The figures of an event for the arbiter's report: its players, its games and its upsets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pairing.engine.model import TPN, Colour, Player, Result
from pairing.ratings.editions import rating_edition
from pairing.ratings.model import WITHOUT_FEDERATION, Game as RatedFor
from pairing.ratings.rated_games import NotRated, why_not_rated
from pairing.ratings.results import KINDS
from pairing.ratings.rounding import half_up
from pairing.rounds.computed_standings import changes
from pairing.rules.initial_order import TITLES
from pairing.standings.points import score
from tournaments.core.chosen_rules import point_system
from tournaments.core.frame import Frame
from tournaments.models import Entry, Sex, Tournament
from tournaments.standings.player import MADE
from tournaments.standings.ranked_field import players_for
from tournaments.standings.rating_facts import event_of, person_of

TOP: Final = 10
"""How many of the highest ratings have an average of their own."""
YEARS: Final = 10
"""The years of a class of ages."""
GAP: Final = 100
"""The rating points of a class of differences; the last class has no end."""
GAPS: Final = 5
"""The classes of differences."""
MOST_UPSETS: Final = 5

Counts = tuple[tuple[str, int], ...]
"""Labels with their numbers, in the order of a list or a chart."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game, listed once.

    ``made`` is the score of White in hundredths; None if the game was not played, is open, or the
    two scores are not one point together, as in 0–0.
    """

    number: int
    white: TPN
    black: TPN
    result: Result
    made: int | None


@dataclass(frozen=True, slots=True)
class GameCounts:
    """Numbers of games and byes.

    Every game is ``played``, ``forfeited`` or ``still_open``. ``not_rated`` are the played ones
    that FIDE does not rate, by the reason.
    """

    played: int
    forfeited: int
    still_open: int
    byes: int
    not_rated: tuple[tuple[NotRated, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Colours:
    """The games over the board of a round, by the winner."""

    number: int
    white: int
    drawn: int
    black: int


@dataclass(frozen=True, slots=True)
class Gap:
    """The games of players whose ratings differ by ``least`` to ``most`` points; None: no end."""

    least: int
    most: int | None
    higher: int
    drawn: int
    lower: int


@dataclass(frozen=True, slots=True)
class Upset:
    """A game that the player with the lower rating won, by ``gap`` points."""

    number: int
    winner: Entry
    loser: Entry
    gap: int


@dataclass(frozen=True, slots=True)
class EventFigures:
    """The figures after ``after_round`` rounds with published results.

    Averages are of the players who have such a rating, None without one. ``ages`` are classes by
    the age that a player reaches in the year of the event: their youngest age and their players;
    ``without_age`` players have no year of birth. ``scores`` are in tenths of a point.
    """

    after_round: int
    players: int
    women: int
    titled: int
    average: int | None
    average_fide: int | None
    average_of_top: int | None
    federations: Counts
    titles: Counts
    ages: tuple[tuple[int, int], ...]
    without_age: int
    scores: tuple[tuple[int, int], ...]
    games: GameCounts
    colours: tuple[Colours, ...]
    gaps: tuple[Gap, ...]
    upsets: tuple[Upset, ...]

    @property
    def different_federations(self) -> int:
        """Return the number of federations; the flag of FIDE is none of them."""
        return sum(code not in WITHOUT_FEDERATION for code, _players in self.federations)


def event_figures(frame: Frame) -> EventFigures:
    """Return the figures of the tournament of *frame*, from published results only.

    Three queries, fewer if the players of the round were read before.
    """
    tournament, after = frame.tournament, frame.latest_results
    players, entries = players_for(frame, after)
    listed = list(entries.values())
    games = list(_games(players))
    ages, without_age = _ages(listed, tournament)
    ratings = sorted((entry.rating for entry in listed if entry.rating), reverse=True)
    return EventFigures(
        after_round=after,
        players=len(listed),
        women=sum(entry.sex == Sex.WOMAN for entry in listed),
        titled=sum(bool(entry.title) for entry in listed),
        average=_average(ratings),
        average_fide=_average([entry.fide_rating for entry in listed if entry.fide_rating]),
        average_of_top=_average(ratings[:TOP]),
        federations=_by_number(Counter(entry.federation for entry in listed)),
        titles=_titles(listed),
        ages=ages,
        without_age=without_age,
        scores=_scores(tournament, players),
        games=_game_counts(games, players, entries, tournament),
        colours=_colours(games, after),
        gaps=_gaps(games, entries),
        upsets=_upsets(games, entries),
    )


def _games(players: Mapping[TPN, Player]) -> Iterator[Game]:
    """Yield every game once; a match of two games is two."""
    for tpn, player in players.items():
        for number, record in enumerate(player.rounds, start=1):
            other = record.opponent
            if other is None or not _is_named_first(tpn, other, record.colour):
                continue
            theirs = players[other].rounds[number - 1]
            yield _game(number, (tpn, record.result), (other, theirs.result))
            if record.second is not None and theirs.second is not None:
                # The second game is played with the colours reversed.
                yield _game(number, (other, theirs.second), (tpn, record.second))


def _game(number: int, white: tuple[TPN, Result], black: tuple[TPN, Result]) -> Game:
    made, other = MADE.get(white[1]), MADE.get(black[1])
    is_usual = made is not None and other is not None and made + other == 100
    return Game(number, white[0], black[0], white[1], made if is_usual else None)


def _is_named_first(tpn: TPN, other: TPN, colour: Colour | None) -> bool:
    return colour is Colour.WHITE or (colour is None and tpn < other)


def _average(ratings: list[int]) -> int | None:
    """Return the average, a half rounded up."""
    return half_up(sum(ratings), len(ratings)) if ratings else None


def _by_number(counted: Counter[str]) -> Counts:
    return tuple(sorted(counted.items(), key=lambda item: (-item[1], item[0])))


def _titles(entries: Iterable[Entry]) -> Counts:
    """Return the titles from the highest to the lowest; the last is empty: no title."""
    counted = Counter(entry.title for entry in entries)
    return tuple((title, counted[title]) for title in TITLES if counted[title])


def _ages(
    entries: Iterable[Entry], tournament: Tournament
) -> tuple[tuple[tuple[int, int], ...], int]:
    """Return the classes of ages from the youngest to the oldest, and the players without one."""
    day = tournament.start_date or tournament.created_at.date()
    years = [int(entry.birth_date[:4] or 0) for entry in entries]
    counted = Counter((day.year - year) // YEARS * YEARS for year in years if 0 < year <= day.year)
    if not counted:
        return (), len(years)
    classes = range(min(counted), max(counted) + 1, YEARS)
    return tuple((least, counted[least]) for least in classes), len(years) - counted.total()


def _scores(tournament: Tournament, players: Mapping[TPN, Player]) -> tuple[tuple[int, int], ...]:
    changed = changes(tournament, tuple(players.values()))
    system = point_system(tournament)
    counted = Counter(
        int(score(player, system, changed.get(tpn))) for tpn, player in players.items()
    )
    return tuple(sorted(counted.items(), reverse=True))


def _game_counts(
    games: Sequence[Game],
    players: Mapping[TPN, Player],
    entries: Mapping[TPN, Entry],
    tournament: Tournament,
) -> GameCounts:
    played = [game for game in games if game.result.is_played]
    finished = [game for game in played if game.result is not Result.UNKNOWN]
    byes = sum(
        record.result.is_bye and record.result is not Result.ZERO_POINT_BYE
        for player in players.values()
        for record in player.rounds
    )
    return GameCounts(
        played=len(finished),
        forfeited=len(games) - len(played),
        still_open=len(played) - len(finished),
        byes=byes,
        not_rated=_not_rated(finished, entries, tournament),
    )


def _not_rated(
    games: Iterable[Game], entries: Mapping[TPN, Entry], tournament: Tournament
) -> tuple[tuple[NotRated, int], ...]:
    """Return why FIDE does not rate some of *games*, the most frequent reason first.

    A game counts once, also if it is rated for one of its players only: it is not a game of two
    players with a FIDE rating.
    """
    event = event_of(tournament)
    edition = rating_edition(event.rate, event.start)
    people = {tpn: person_of(entry, tournament) for tpn, entry in entries.items()}
    counted: Counter[NotRated] = Counter()
    for game in games:
        kind = KINDS[game.result]
        for own, other in ((game.white, game.black), (game.black, game.white)):
            round_of_player = RatedFor(game.number, kind, opponent=people[other])
            reason = why_not_rated(people[own], event, round_of_player, edition)
            if reason is not None:
                counted[reason] += 1
                break
    return tuple(counted.most_common())


def _colours(games: Iterable[Game], after: int) -> tuple[Colours, ...]:
    counted = Counter((game.number, game.made) for game in games if game.made is not None)
    return tuple(
        Colours(number, counted[number, 100], counted[number, 50], counted[number, 0])
        for number in range(1, after + 1)
    )


def _gaps(games: Iterable[Game], entries: Mapping[TPN, Entry]) -> tuple[Gap, ...]:
    counted: Counter[tuple[int, int]] = Counter()
    for gap, made, _game in _uneven(games, entries):
        counted[min(gap // GAP, GAPS - 1), made] += 1
    return tuple(
        Gap(
            max(1, place * GAP),
            None if place == GAPS - 1 else (place + 1) * GAP - 1,
            counted[place, 100],
            counted[place, 50],
            counted[place, 0],
        )
        for place in range(GAPS)
    )


def _upsets(games: Iterable[Game], entries: Mapping[TPN, Entry]) -> tuple[Upset, ...]:
    lost = [(gap, game) for gap, made, game in _uneven(games, entries) if made == 0]
    lost.sort(key=lambda item: (-item[0], item[1].number, item[1].white))
    found = []
    for gap, game in lost[:MOST_UPSETS]:
        winner, loser = (game.white, game.black) if game.made == 100 else (game.black, game.white)
        found.append(Upset(game.number, entries[winner], entries[loser], gap))
    return tuple(found)


def _uneven(games: Iterable[Game], entries: Mapping[TPN, Entry]) -> Iterator[tuple[int, int, Game]]:
    """Yield the games over the board between players of different ratings: the difference of the
    ratings, and the hundredths that the player with the higher one made.
    """
    for game in games:
        white, black = entries[game.white].rating, entries[game.black].rating
        if game.made is None or not white or not black or white == black:
            continue
        yield abs(white - black), game.made if white > black else 100 - game.made, game
