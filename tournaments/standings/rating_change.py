"""The FIDE rating change and performance: of one player game by game, and of all for lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pairing.engine.model import TPN, Player, RoundRecord
from pairing.ratings.change import (
    RatedGame,
    RatingChange,
    UnratedGame,
    rated_and_not,
    rating_change,
)
from pairing.ratings.editions import rating_edition
from pairing.ratings.initial import InitialRating, initial_rating
from pairing.ratings.performance import Performance, performance
from pairing.ratings.results import games_of
from tournaments.models import Entry, Tournament
from tournaments.standings.rating_facts import event_of, person_of


@dataclass(frozen=True, slots=True)
class GameRow:
    """A rated game and its opponent."""

    game: RatedGame
    opponent: Entry


@dataclass(frozen=True, slots=True)
class RatingOfPlayer:
    """The rating change of a rated player, or the initial rating of another.

    Exactly one of ``change`` and ``initial`` is there. ``left_out`` are the games that are not
    rated; byes are not among them.
    """

    change: RatingChange | None
    initial: InitialRating | None
    performance: Performance
    games: tuple[GameRow, ...]
    left_out: tuple[UnratedGame, ...]


def rating_of_player(
    tournament: Tournament,
    entry: Entry,
    rounds: Sequence[RoundRecord],
    entries: Mapping[TPN, Entry],
) -> RatingOfPlayer | None:
    """Return the FIDE rating change of *entry* from *rounds*; None without a game that is rated.

    *entries* has the opponents. No query.
    """
    event = event_of(tournament)
    people = {tpn: person_of(each, tournament) for tpn, each in entries.items()}
    player, games = person_of(entry, tournament), games_of(rounds, people)
    change = rating_change(player, event, games)
    initial = None if change else initial_rating(player, event, games)
    found = change or initial
    made = performance(found.games) if found else None
    if found is None or made is None:
        return None
    rows = tuple(GameRow(game, entries[TPN(game.opponent.number)]) for game in found.games)
    left_out = tuple(game for game in found.not_rated if game.opponent is not None)
    return RatingOfPlayer(change, initial, made, rows, left_out)


@dataclass(frozen=True, slots=True)
class FideFigures:
    """The FIDE rating change of a rated player, and the performance by the tables of FIDE."""

    change: RatingChange | None
    performance: Performance


def fide_figures(
    tournament: Tournament, players: Mapping[TPN, Player], entries: Mapping[TPN, Entry]
) -> dict[TPN, FideFigures]:
    """Return the figures of *players* with a rated game.

    *entries* has all of them and their opponents. No query; about 12 ms for 300 players.
    """
    event = event_of(tournament)
    people = {tpn: person_of(each, tournament) for tpn, each in entries.items()}
    edition = rating_edition(event.rate, event.start)
    found = {}
    for tpn, player in players.items():
        games = games_of(player.rounds, people)
        change = rating_change(people[tpn], event, games)
        rated = change.games if change else rated_and_not(people[tpn], event, games, edition)[0]
        if (made := performance(rated)) is not None:
            found[tpn] = FideFigures(change, made)
    return found
