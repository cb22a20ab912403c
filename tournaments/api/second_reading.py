"""The second reading of results and the questions about unusual results, as on the pages;
for people with a role.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from pairing.rounds.plausible import Question, questions, result_confirm
from pairing.rounds.question_sentences import question_text
from pairing.rounds.second_reading import GameReading, game_readings, reading_decide, reading_record
from tournaments.core.errors import BadInput
from tournaments.core.permissions import Power
from tournaments.models import Game, GameResult, Round

from .errors import unknown_round
from .for_people import FORBIDDEN, REFUSALS, ForPeople, checked_body, tournament_for
from .views import MISSING, NUMBER, SLUG

RESULTS = [value for value in GameResult.values if value]


class GameOfRound(serializers.Serializer[Any]):
    """A game of the round in the address."""

    board = serializers.IntegerField(min_value=1, max_value=10_000)
    game = serializers.IntegerField(
        min_value=1, max_value=2, default=1, help_text="2: the second game of a match."
    )


class ReadingInputSerializer(GameOfRound):
    """A second reading; an empty result clears it."""

    result = serializers.ChoiceField(choices=RESULTS, allow_blank=True)
    seen_version = serializers.IntegerField(
        min_value=0,
        max_value=10**9,
        required=False,
        help_text="Refused if the reading has another version.",
    )


class DecisionInputSerializer(GameOfRound):
    """A decision for one of the two results."""

    result = serializers.ChoiceField(choices=RESULTS)
    seen_version = serializers.IntegerField(min_value=0, max_value=10**9, required=False)
    seen_reading = serializers.IntegerField(min_value=0, max_value=10**9, required=False)


class OwnReadingSerializer(serializers.Serializer[Any]):
    """The reading as saved."""

    board = serializers.IntegerField()
    game = serializers.IntegerField()
    result = serializers.CharField(allow_blank=True)
    version = serializers.IntegerField()


class GameReadingSerializer(serializers.Serializer[Any]):
    """A game with its result and its second reading."""

    board = serializers.IntegerField()
    game = serializers.IntegerField()
    state = serializers.ChoiceField(
        choices=["no_result", "unread", "agreed", "different", "decided"]
    )
    result = serializers.CharField(allow_blank=True)
    version = serializers.IntegerField()
    entered_by = serializers.CharField(allow_null=True)
    reading = serializers.CharField(allow_blank=True)
    reading_version = serializers.IntegerField()
    read_by = serializers.CharField(allow_null=True)


class QuestionSerializer(serializers.Serializer[Any]):
    """Something unusual that nobody has confirmed yet."""

    question = serializers.CharField(help_text="Names the question in an answer.")
    kind = serializers.ChoiceField(choices=["upset", "absence", "twice", "shift"])
    boards = serializers.ListField(child=serializers.IntegerField())
    text = serializers.CharField()


class AnswerInputSerializer(serializers.Serializer[Any]):
    """The results of a question are right."""

    question = serializers.CharField(max_length=100)


def round_for(request: Request, slug: str, number: int, *powers: Power) -> tuple[Round, User]:
    """Return the round in the address and the user;
    404, or ``PermissionDenied`` without one of *powers*.
    """
    tournament, user = tournament_for(request, slug, *powers)
    row = (
        Round.objects.filter(tournament=tournament, number=number)
        .select_related("tournament")
        .first()
    )
    if row is None:
        raise unknown_round(number, tournament.total_rounds)
    return row, user


def game_in(row: Round, given: dict[str, Any]) -> Game:
    """Return the game that a :class:`GameOfRound` names; ``BadInput`` without one."""
    game = Game.objects.filter(
        round=row, board=given["board"], first__isnull=given["game"] == 1
    ).first()
    if game is None:
        message = _("Round %(round)s has no board %(board)s.") % {
            "round": row.number,
            "board": given["board"],
        }
        raise BadInput("field.invalid", field="board", problem=message)
    return game


class SecondReadings(ForPeople):
    """The second reading of a round."""

    @extend_schema(
        operation_id="second_reading",
        parameters=[SLUG, NUMBER],
        responses={200: GameReadingSerializer(many=True), 403: FORBIDDEN, 404: MISSING},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Return every game with both results and both people.

        For the arbiters, because it shows the results.
        """
        row = round_for(request, slug, number, Power.RUN)[0]
        rows = [_row(each) for each in game_readings(row.tournament, number)]
        return Response(GameReadingSerializer(rows, many=True).data)

    @extend_schema(
        operation_id="second_reading_enter",
        parameters=[SLUG, NUMBER],
        request=ReadingInputSerializer,
        responses={200: OwnReadingSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Enter the second reading of one game. The answer says nothing about the first result."""
        row, user = round_for(request, slug, number, Power.RESULTS)
        given = checked_body(ReadingInputSerializer, request)
        game = game_in(row, given)
        reading = reading_record(
            game_id=game.pk,
            result=given["result"],
            actor=user,
            now=timezone.now(),
            seen_version=given.get("seen_version"),
        )
        saved = (
            {"result": reading.result, "version": reading.version}
            if reading
            else {"result": "", "version": 0}
        )
        return Response(
            OwnReadingSerializer({"board": game.board, "game": game.number, **saved}).data
        )


class ReadingDecisions(ForPeople):
    """Decide a difference."""

    @extend_schema(
        operation_id="second_reading_decide",
        parameters=[SLUG, NUMBER],
        request=DecisionInputSerializer,
        responses={200: GameReadingSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Decide between the result of a game and its second reading. For the arbiters."""
        row, user = round_for(request, slug, number, Power.RUN)
        given = checked_body(DecisionInputSerializer, request)
        game = game_in(row, given)
        reading_decide(
            game_id=game.pk,
            result=given["result"],
            actor=user,
            now=timezone.now(),
            seen_version=given.get("seen_version"),
            seen_reading=given.get("seen_reading"),
        )
        readings = game_readings(row.tournament, number, board=game.board)
        decided = next(each for each in readings if each.game_id == game.pk)
        return Response(GameReadingSerializer(_row(decided)).data)


class Questions(ForPeople):
    """The questions about unusual results of a round."""

    @extend_schema(
        operation_id="result_questions",
        parameters=[SLUG, NUMBER],
        responses={200: QuestionSerializer(many=True), 403: FORBIDDEN, 404: MISSING},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Return the questions that nobody has answered yet;
        none after the results are published.
        """
        row = round_for(request, slug, number, Power.RESULTS)[0]
        return _open_questions(row)

    @extend_schema(
        operation_id="result_confirm",
        parameters=[SLUG, NUMBER],
        request=AnswerInputSerializer,
        responses={200: QuestionSerializer(many=True), **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Confirm that the results of a question are right; returns the remaining questions."""
        row, user = round_for(request, slug, number, Power.RESULTS)
        given = checked_body(AnswerInputSerializer, request)
        result_confirm(round_id=row.pk, question=given["question"], actor=user, now=timezone.now())
        return _open_questions(row)


def _row(reading: GameReading) -> dict[str, object]:
    return {
        "board": reading.board,
        "game": reading.number,
        "state": reading.state.value,
        "result": reading.result,
        "version": reading.version,
        "entered_by": reading.entered_by.name if reading.entered_by else None,
        "reading": reading.reading,
        "reading_version": reading.reading_version,
        "read_by": reading.read_by.name if reading.read_by else None,
    }


def _open_questions(row: Round) -> Response:
    rows = [_question_row(each) for each in questions(row.tournament, row)]
    return Response(QuestionSerializer(rows, many=True).data)


def _question_row(question: Question) -> dict[str, object]:
    return {
        "question": question.key,
        "kind": question.kind,
        "boards": list(question.boards),
        "text": question_text(question),
    }
