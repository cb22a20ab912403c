"""The FIDE rating change of one player, game by game, as the player's page shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pairing.engine.model import TPN, Player, RoundRecord
from pairing.ratings.change import RatedGame, RatingChange, UnratedGame, rating_change
from pairing.ratings.initial import InitialRating, initial_rating
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
    if found is None or not found.games:
        return None
    rows = tuple(GameRow(game, entries[TPN(game.opponent.number)]) for game in found.games)
    left_out = tuple(game for game in found.not_rated if game.opponent is not None)
    return RatingOfPlayer(change, initial, rows, left_out)


def rating_changes(
    tournament: Tournament, players: Mapping[TPN, Player], entries: Mapping[TPN, Entry]
) -> dict[TPN, RatingChange]:
    """Return the rating changes of *players*, without those who have none.

    *entries* has all of them and their opponents. No query.
    """
    event = event_of(tournament)
    people = {tpn: person_of(each, tournament) for tpn, each in entries.items()}
    changes = {
        tpn: rating_change(people[tpn], event, games_of(player.rounds, people))
        for tpn, player in players.items()
    }
    return {tpn: change for tpn, change in changes.items() if change and change.games}
