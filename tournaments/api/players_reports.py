"""The players' reports of the running round: read them, and accept one.

For people who enter results.
"""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from pairing.rounds.players_reports import OFFERED, Reported, ReportedBy, reports_of
from pairing.rounds.report_acceptance import report_accept
from tournaments.core.permissions import Power
from tournaments.models import Game

from .for_people import FORBIDDEN, REFUSALS, ForPeople, checked_body
from .second_reading import GameOfRound, game_in, round_for
from .views import MISSING, NUMBER, SLUG


class PlayersReportSerializer(serializers.Serializer[Any]):
    """A game without a result, with what its players report."""

    board = serializers.IntegerField()
    game = serializers.IntegerField()
    version = serializers.IntegerField()
    reported_by = serializers.ChoiceField(choices=[each.value for each in ReportedBy if each.value])
    result = serializers.CharField(allow_blank=True, help_text="Empty if the reports differ.")
    white = serializers.CharField(allow_blank=True, help_text="What White reports.")
    black = serializers.CharField(allow_blank=True)


class AcceptanceInputSerializer(GameOfRound):
    """The reported result that becomes the result of the game."""

    result = serializers.ChoiceField(choices=list(OFFERED))
    seen_version = serializers.IntegerField(
        min_value=0,
        max_value=10**9,
        required=False,
        help_text="Refused if the game has another version.",
    )


class AcceptedSerializer(serializers.Serializer[Any]):
    """The result as saved."""

    board = serializers.IntegerField()
    game = serializers.IntegerField()
    result = serializers.CharField()
    version = serializers.IntegerField()


class PlayersReports(ForPeople):
    """The players' reports of a round."""

    @extend_schema(
        operation_id="players_reports",
        parameters=[SLUG, NUMBER],
        responses={200: PlayersReportSerializer(many=True), 403: FORBIDDEN, 404: MISSING},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Return the games without a result that a player has reported, by board."""
        row = round_for(request, slug, number, Power.RESULTS)[0]
        reports = reports_of(row.tournament, number)
        games = Game.objects.filter(pk__in=reports).order_by("board", "pk")
        rows = [_row(game, reports[game.pk]) for game in games]
        return Response(PlayersReportSerializer(rows, many=True).data)

    @extend_schema(
        operation_id="players_report_accept",
        parameters=[SLUG, NUMBER],
        request=AcceptanceInputSerializer,
        responses={200: AcceptedSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Enter the result that the players report; 409 if they report something else by now."""
        row, user = round_for(request, slug, number, Power.RESULTS)
        given = checked_body(AcceptanceInputSerializer, request)
        game = report_accept(
            game_id=game_in(row, given).pk,
            result=given["result"],
            actor=user,
            now=timezone.now(),
            seen_version=given.get("seen_version"),
        )
        saved = {
            "board": game.board,
            "game": game.number,
            "result": game.result,
            "version": game.version,
        }
        return Response(AcceptedSerializer(saved).data)


def _row(game: Game, reported: Reported) -> dict[str, object]:
    return {
        "board": game.board,
        "game": game.number,
        "version": game.version,
        "reported_by": reported.by.value,
        "result": reported.result,
        "white": reported.white,
        "black": reported.black,
    }
