"""The date of a game not played with its round: postponed, adjourned, or in advance."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib.auth.models import User

from pairing.rounds.steps import facts_of
from pairing.rules.game_dates import may_set_date
from tournaments.core.actions import OpenAction, open_action, require
from tournaments.core.chosen_rules import is_of_matches
from tournaments.core.errors import BadInput, Conflict
from tournaments.models import Action, Decision, Game, Seat
from tournaments.models.game import MOST_OF_A_PLACE
from tournaments.models.payload_game_data import GameDate
from tournaments.models.payloads import GameScheduled


def game_schedule(
    *,
    game_id: int,
    starts_at: datetime | None,
    place: str = "",
    actor: User,
    now: datetime,
    seen_version: int | None = None,
) -> Game:
    """Set, change or remove (None) the date and place of an open game. Visitors see it at once.

    The same date again changes nothing and writes no line. Refused before the pairings are
    published, when the game has a result, and while the standings are final. *seen_version* is the
    version of the tournament on the user's screen: :class:`Conflict` ``game_date.moved_meanwhile``
    if somebody else has set the date of this game since. A place without a date is
    :class:`BadInput`.
    """
    place = place.strip()
    if starts_at is None and place:
        raise BadInput("game_date.no_date", field="starts_at")
    if len(place) > MOST_OF_A_PLACE or not place.isprintable():
        raise BadInput("game_date.place", field="place", most=MOST_OF_A_PLACE)
    with open_action(actor=actor, now=now, rounds__games=game_id) as action:
        game = Game.objects.select_related("round").get(pk=game_id)
        require(may_set_date(facts_of(game.round), game.result))
        _require_as_seen(action, game, seen_version)
        if (game.starts_at, game.place) == (starts_at, place):
            return game
        before = _game_date(action, game)
        game.starts_at, game.place = starts_at, place
        game.save(update_fields=["starts_at", "place"])
        action.record(
            GameScheduled(before=before, after=_game_date(action, game)),
            round_number=game.round.number,
        )
    return game


def _game_date(action: OpenAction, game: Game) -> GameDate:
    """Return the date of *game* for the record."""
    seats = dict(
        Seat.objects.filter(game=game.first_id or game.pk).values_list("colour", "entry_id")
    )
    white, black = (seats["w"], seats["b"]) if game.first_id is None else (seats["b"], seats["w"])
    at = game.starts_at.astimezone(UTC).isoformat() if game.starts_at else None
    values: GameDate = {
        "board": game.board,
        "white": white,
        "black": black,
        "starts_at": at,
        "place": game.place,
    }
    return {**values, "game": game.number} if is_of_matches(action.tournament) else values


def _require_as_seen(action: OpenAction, game: Game, seen_version: int | None) -> None:
    if seen_version is None:
        return
    if seen_version < 0:
        raise Conflict("form.no_version")
    newer = Decision.objects.filter(
        tournament=action.tournament,
        sequence__gt=seen_version,
        action=Action.GAME_SCHEDULED,
        round_number=game.round.number,
    )
    about = (game.board, game.number)
    lines = tuple(
        line
        for line in newer.order_by("-sequence")
        if isinstance(payload := line.payload, GameScheduled) and _about(payload.after) == about
    )
    if lines:
        raise Conflict("game_date.moved_meanwhile", lines=lines)


def _about(date: GameDate) -> tuple[int, int]:
    """Return the board and the number of the game."""
    return date["board"], date.get("game", 1)
