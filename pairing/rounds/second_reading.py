"""Enter the second reading of results, compare it with the first, and decide the differences."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import cast

from django.contrib.auth.models import User

from pairing.rounds.results import require_result, result_record
from pairing.rounds.seats import result_values
from pairing.rounds.steps import facts_of
from pairing.rules import second_reading as policy
from pairing.rules.second_reading import ReadingState, reading_state
from tournaments.core.actions import open_action, require, require_seen
from tournaments.core.errors import BadInput
from tournaments.core.permissions import Power
from tournaments.models import Action, Decision, Game, Round, SecondReading, Tournament
from tournaments.models.payload_round_data import ReadResult
from tournaments.models.payloads import ReadingDecided, ResultRead, ResultRecorded, ResultUndone


@dataclass(frozen=True, slots=True)
class Person:
    """Who entered or read a result: the account, if it still exists, and the name in the record."""

    pk: int | None
    name: str


@dataclass(frozen=True, slots=True)
class GameReading:
    """A game with its result and its second reading; ``number`` is its number in a match.

    ``entered_by`` is the person of the last entry, None without a result or for one from a file.
    """

    game_id: int
    board: int
    number: int
    result: str
    version: int
    entered_by: Person | None
    reading: str
    reading_version: int
    read_by: Person | None
    state: ReadingState

    def counts_for_another(self, person: int) -> bool:
        """Whether somebody other than *person* has read this game, and the reading counts."""
        entered = self.entered_by.pk if self.entered_by else None
        return (
            bool(self.reading)
            and self.read_by is not None
            and self.read_by.pk not in (person, entered)
        )


def game_readings(
    tournament: Tournament, number: int, *, board: int | None = None
) -> tuple[GameReading, ...]:
    """Return every game of round *number*, by board, or those of one *board*. Two queries."""
    games = Game.objects.filter(round__tournament=tournament, round__number=number)
    if board is not None:
        games = games.filter(board=board)
    people = entered_by(tournament, number, board=board)
    return tuple(
        _reading(game, people.get((game.board, game.number)) if game.result else None)
        for game in games.select_related("second_reading__reader").order_by("board", "pk")
    )


def entered_by(
    tournament: Tournament, number: int, *, board: int | None = None
) -> dict[tuple[int, int], Person]:
    """Return who entered the present result of each game of round *number*, or of one *board*,
    by board and game.

    After an undo it is the person of the entry before. One query.
    """
    actions = (Action.RESULT_RECORDED, Action.RESULT_UNDONE)
    rows = Decision.objects.filter(tournament=tournament, round_number=number, action__in=actions)
    if board is not None:
        rows = rows.filter(after__board=board)
    entries: dict[tuple[int, int], list[Person]] = {}
    for line in rows.order_by("sequence"):
        payload = line.payload
        assert isinstance(payload, ResultRecorded | ResultUndone)
        people = entries.setdefault((payload.after["board"], payload.after.get("game", 1)), [])
        if isinstance(payload, ResultRecorded):
            people.append(Person(line.actor_id, line.actor_name))
        elif people:
            people.pop()
    return {key: people[-1] for key, people in entries.items() if people}


def _game(tournament: Tournament, game_id: int) -> tuple[Game, GameReading]:
    game = Game.objects.select_related("round").get(pk=game_id)
    readings = game_readings(tournament, game.round.number, board=game.board)
    return game, next(each for each in readings if each.game_id == game.pk)


def reading_record(
    *, game_id: int, result: str, actor: User, now: datetime, seen_version: int | None = None
) -> SecondReading | None:
    """Enter, change or clear (``''``) the second reading of a game; its result stays.

    Refused for the person who entered the result, and if another person's reading counts
    (:func:`~pairing.rules.second_reading.may_read`). *seen_version* is the version of the reading
    on the user's screen, 0 if there was none. The same reading again changes nothing. None: there
    was none to clear.
    """
    require_result(result)
    with open_action(
        actor=actor, now=now, rounds__games=game_id, powers=(Power.RESULTS,)
    ) as action:
        tournament = action.tournament
        game, known = _game(tournament, game_id)
        own = known.entered_by is not None and known.entered_by.pk == actor.pk
        another = known.counts_for_another(actor.pk)
        require(policy.may_read(facts_of(game.round), game.board, own=own, by_another=another))
        reading = SecondReading.objects.filter(game=game).first()
        mine = reading is not None and reading.reader_id == actor.pk
        before = reading.result if reading is not None and mine else ""
        if before == result:
            return reading if mine else None
        # A reading that does not count, because its reader has entered the result since, is
        # replaced.
        if mine or not known.reading_version:
            require_seen(seen_version, known.reading_version, "reading.stale", board=game.board)
        version = known.reading_version + 1
        reading, _ = SecondReading.objects.update_or_create(
            game=game,
            defaults={"reader": actor, "result": result, "decided": None, "version": version},
        )
        after = cast(ReadResult, result_values(tournament, game, result))
        if known.entered_by is not None:
            after["entered_by"] = known.entered_by.name
        action.record(
            ResultRead(before=result_values(tournament, game, before), after=after),
            round_number=game.round.number,
            is_public=False,
        )
    return reading


def reading_decide(
    *,
    game_id: int,
    result: str,
    actor: User,
    now: datetime,
    seen_version: int | None = None,
    seen_reading: int | None = None,
) -> Game:
    """Decide between the result of a game and its second reading: *result* is one of the two.

    Refused if they do not differ (:func:`~pairing.rules.second_reading.may_decide_reading`). The
    record names both persons. :class:`Conflict` if the result has another version than
    *seen_version*, or the reading than *seen_reading*.
    """
    with open_action(actor=actor, now=now, rounds__games=game_id) as action:
        tournament = action.tournament
        game, known = _game(tournament, game_id)
        if known.state is ReadingState.DECIDED and known.result == result:
            return game
        require_seen(seen_version, known.version, "reading.changed_meanwhile", board=game.board)
        require_seen(
            seen_reading, known.reading_version, "reading.changed_meanwhile", board=game.board
        )
        require(policy.may_decide_reading(facts_of(game.round), game.board, known.state))
        if result not in (known.result, known.reading):
            raise BadInput(
                "result.unknown",
                field="result",
                value=result,
                expected=[known.result, known.reading],
            )
        SecondReading.objects.filter(game=game).update(
            decided=result, version=known.reading_version + 1
        )
        action.record(
            ReadingDecided(
                before={
                    **result_values(tournament, game, known.result),
                    "entered_by": known.entered_by.name if known.entered_by else "",
                    "reading": known.reading,
                    "read_by": known.read_by.name if known.read_by else "",
                },
                after=result_values(tournament, game, result),
            ),
            round_number=game.round.number,
            is_public=False,
        )
        if result != known.result:
            return result_record(game_id=game.pk, result=result, actor=actor, now=now)
    return game


def open_readings(readings: tuple[GameReading, ...], state: ReadingState) -> tuple[int, ...]:
    """Return the boards of which a game has *state*, in order."""
    return tuple(dict.fromkeys(reading.board for reading in readings if reading.state is state))


def require_read(tournament: Tournament, round_: Round) -> None:
    """Raise :class:`RuleRefused` for an open difference, or a required reading that is missing.

    One query without any reading, else three.
    """
    is_read = SecondReading.objects.filter(game__round=round_).exists()
    if not (is_read or tournament.second_reading):
        return
    readings = game_readings(tournament, round_.number)
    different = open_readings(readings, ReadingState.DIFFERENT)
    unread = open_readings(readings, ReadingState.UNREAD) if tournament.second_reading else ()
    require(policy.may_publish_read(round_.number, unread=unread, different=different))


def swap_colours_of_readings(games: list[Game]) -> None:
    """Turn the readings of *games* whose colours an open transaction swaps. One query."""
    for reading in SecondReading.objects.filter(game__in=games):
        reading.result = reading.result[::-1]
        reading.decided = None if reading.decided is None else reading.decided[::-1]
        reading.version += 1
        reading.save(update_fields=["result", "decided", "version"])


def _reading(game: Game, person: Person | None) -> GameReading:
    reading: SecondReading | None = getattr(game, "second_reading", None)
    reader = reading.reader if reading is not None else None
    read_by = (
        Person(reader.pk, reader.get_full_name() or reader.get_username())
        if reader is not None
        else None
    )
    result, version = (reading.result, reading.version) if reading is not None else ("", 0)
    return GameReading(
        game_id=game.pk,
        board=game.board,
        number=game.number,
        result=game.result,
        version=game.version,
        entered_by=person,
        reading=result,
        reading_version=version,
        read_by=read_by,
        state=reading_state(
            game.result,
            person.pk if person is not None else None,
            result,
            read_by.pk if read_by is not None else None,
            reading.decided if reading is not None else None,
        ),
    )
