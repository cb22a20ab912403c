"""The open games of a tournament: adjourned, postponed, or with a date before their round."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from pairing.rules.rounds import RoundState
from tournaments.models import Entry, Game, GameResult, Seat, Tournament


@dataclass(frozen=True, slots=True)
class OpenGame:
    """A game that is not over, with its date and place; ``number`` is None if a round is one game.

    ``is_adjourned``: the results of its round are published, or will be, without it; it counts as a
    draw for the pairing of the next round, and gives no points yet [C.04.2/2026 3.1].
    """

    game_id: int
    round_number: int
    board: int
    number: int | None
    white: Entry
    black: Entry
    is_adjourned: bool
    starts_at: datetime | None
    place: str
    round_starts_at: datetime | None

    @property
    def is_in_advance(self) -> bool:
        """Whether the game is played before its round."""
        return bool(
            self.starts_at and self.round_starts_at and self.starts_at < self.round_starts_at
        )


def open_games(
    tournament: Tournament, *, public: bool, game_id: int | None = None, entry_id: int | None = None
) -> tuple[OpenGame, ...]:
    """Return the open games, by round and board. Two queries, one if there are none.

    With *game_id* only this one, if it is open; with *entry_id* only those of this player.

    For arbiters these are the games without a result in published rounds, and the adjourned games.
    *public*: visitors do not know results before they are published, so they see the games of the
    running round that have a date, with a result or without, and the adjourned games of earlier
    rounds.
    """
    running = Q(round__state=RoundState.PAIRINGS_PUBLISHED)
    over = Q(round__state=RoundState.RESULTS_PUBLISHED, result=GameResult.ADJOURNED)
    if public:
        wanted = over | running & Q(starts_at__isnull=False)
    else:
        wanted = over | running & Q(result__in=(GameResult.NOT_YET, GameResult.ADJOURNED))
    if game_id is not None:
        wanted &= Q(pk=game_id)
    if entry_id is not None:
        wanted &= Q(seats__entry=entry_id) | Q(first__seats__entry=entry_id)
    return _games(tournament, wanted, public=public)


def adjourned_named(
    tournament: Tournament, *, before_round: int | None = None
) -> tuple[OpenGame, ...]:
    """Return the :func:`~pairing.rounds.facts.adjourned_games` with players and dates.

    Two queries, one without open games.
    """
    earlier = Q() if before_round is None else Q(round__number__lt=before_round)
    return _games(tournament, earlier & Q(result=GameResult.ADJOURNED), public=False)


def older_adjourned_named(tournament: Tournament, number: int) -> tuple[OpenGame, ...]:
    """Return the games of :func:`~pairing.rounds.facts.older_adjourned` with players and dates."""
    return adjourned_named(tournament, before_round=number - 1) if number > 2 else ()


def _games(tournament: Tournament, wanted: Q, *, public: bool) -> tuple[OpenGame, ...]:
    rows = Game.objects.filter(wanted, round__tournament=tournament).select_related(
        "round", "second"
    )
    games = list(rows.order_by("round__number", "board", "first_id"))
    if not games:
        return ()
    at_board = {game.first_id or game.pk for game in games}
    players: dict[tuple[int | None, str], Entry] = {
        (seat.game_id, seat.colour): seat.entry
        for seat in Seat.objects.filter(game__in=at_board).select_related("entry")
    }
    found = [_open_game(game, players, public=public) for game in games]
    return tuple(sorted(found, key=lambda one: (one.round_number, one.board, one.number or 0)))


def _open_game(
    game: Game, players: dict[tuple[int | None, str], Entry], *, public: bool
) -> OpenGame:
    colours = "wb" if game.first_id is None else "bw"
    white, black = (players[game.first_id or game.pk, colour] for colour in colours)
    is_of_a_match = game.first_id is not None or getattr(game, "second", None) is not None
    is_over = game.round.state == RoundState.RESULTS_PUBLISHED
    return OpenGame(
        game_id=game.pk,
        round_number=game.round.number,
        board=game.board,
        number=game.number if is_of_a_match else None,
        white=white,
        black=black,
        is_adjourned=is_over if public else game.result == GameResult.ADJOURNED,
        starts_at=game.starts_at,
        place=game.place,
        round_starts_at=game.round.starts_at,
    )
