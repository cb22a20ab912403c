"""The tables of an event, field by field: the crosstable and the prize list."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpResponseBase
from drf_spectacular.utils import extend_schema, extend_schema_field, extend_schema_view
from rest_framework import serializers
from rest_framework.response import Response

from pairing.engine.model import Result
from tournaments.core.frame import Frame
from tournaments.models import Title
from tournaments.reports.publications import StandingsRecord, standings_record
from tournaments.standings.crosstable import Cell, crosstable
from tournaments.standings.prizes import CategoryList, prize_list

from .serializers import STAYS, CodeField, DecisionSerializer, PointsField
from .views import AFTER, MISSING, REFUSED, SLUG, UNCHANGED, TournamentReading, published_round

OUTCOMES: Final = [result.value for result in Result]
"""``ENUM_NAME_OVERRIDES`` of the settings names them in the schema."""


class OutcomeField(CodeField):
    """The TRF letter for the result of a round, from one player's view."""

    def __init__(self, *, nullable: bool = False, **kwargs: Any) -> None:
        super().__init__(OUTCOMES, nullable=nullable, **kwargs)

    def to_representation(self, value: Any) -> str | None:
        return str(value.value)


class CellSerializer(serializers.Serializer[Any]):
    """One player's round; a bye has no opponent."""

    round = serializers.IntegerField(source="round_number")
    opponent = serializers.IntegerField(
        allow_null=True, help_text="The opponent's TPN; null for a bye."
    )
    opponent_id = serializers.IntegerField(
        allow_null=True, help_text="The opponent's entry id; null for a bye."
    )
    colour = serializers.SerializerMethodField(help_text="“w” or “b”; null for a bye.")
    result = OutcomeField(help_text="The TRF letter; “?” is a game without a final result.")
    second_result = OutcomeField(
        source="second",
        nullable=True,
        help_text="Of the second game of a match [C.04.5], with the colours reversed.",
    )
    points = PointsField()

    def get_colour(self, cell: Cell) -> str | None:
        return cell.colour or None


class CrosstableLineSerializer(serializers.Serializer[Any]):
    """One player's rounds, oldest first."""

    rank = serializers.IntegerField(
        allow_null=True,
        help_text="Shared by who is equal in everything: 1, 2, 2, 4; null: the player is expelled.",
    )
    id = serializers.IntegerField(source="entry_id", help_text=STAYS)
    tpn = serializers.IntegerField()
    name = serializers.CharField()
    title = CodeField(Title.values, nullable=True)
    federation = serializers.CharField()
    fide_id = serializers.IntegerField(allow_null=True)
    rating = serializers.IntegerField()
    points = PointsField()
    rounds = CellSerializer(many=True, source="cells")


class CrosstableSerializer(serializers.Serializer[Any]):
    """The rounds of all players, by rank."""

    after_round = serializers.IntegerField()
    players = CrosstableLineSerializer(many=True, source="lines")


class CrosstableTable(TournamentReading):
    """Base of the crosstable's two formats."""

    known: tuple[str, ...] = ("after_round",)

    def table(self, frame: Frame) -> dict[str, Any]:
        """Return the crosstable after the requested round, whose results must be published."""
        after = published_round(self.request, frame)
        return CrosstableSerializer(crosstable(frame, after_round=after)).data


@extend_schema_view(
    get=extend_schema(
        operation_id="crosstable",
        parameters=[SLUG, AFTER],
        responses={200: CrosstableSerializer, 304: UNCHANGED, 400: REFUSED, 404: MISSING},
    )
)
class Crosstable(CrosstableTable):
    """The crosstable after a round whose results are published;
    without a number, after the newest one.
    """

    def read(self, frame: Frame, **where: Any) -> HttpResponseBase:
        return Response(self.table(frame))


class WinnerSerializer(serializers.Serializer[Any]):
    """One prize."""

    place = serializers.IntegerField(
        help_text="Counted among those who can win the category; may be shared."
    )
    id = serializers.IntegerField(source="entry_id", help_text=STAYS)
    tpn = serializers.IntegerField()
    name = serializers.CharField()
    fide_id = serializers.IntegerField(allow_null=True)
    points = PointsField()
    cents = serializers.IntegerField(source="amount")
    thing = serializers.CharField(help_text="The prize in kind; empty: none.")


class PrizeTeamSerializer(serializers.Serializer[Any]):
    """A prize of a club and its best players."""

    place = serializers.IntegerField()
    club = serializers.CharField(source="team.name")
    points = PointsField(source="team.points")
    members = serializers.ListField(
        child=serializers.IntegerField(), source="team.members", help_text="Pairing numbers."
    )
    cents = serializers.IntegerField(source="amount")
    thing = serializers.CharField()


class PrizeConditionSerializer(serializers.Serializer[Any]):
    """A condition for a category."""

    open_to = serializers.CharField()
    value = serializers.CharField()


class PrizeCategorySerializer(serializers.Serializer[Any]):
    """A category, its prizes in cents (the first place first) and its winners."""

    name = serializers.CharField(source="heading")
    open_to = serializers.CharField(source="category.eligible.value")
    value = serializers.CharField(source="category.value")
    also = serializers.SerializerMethodField(help_text="Further conditions, all to be met.")
    team_size = serializers.IntegerField(
        source="category.team_size", help_text="Above 0: for the best players of a club."
    )
    things = serializers.ListField(child=serializers.CharField(), source="category.things")
    prizes = serializers.ListField(child=serializers.IntegerField(), source="category.amounts")
    winners = WinnerSerializer(many=True)
    teams = PrizeTeamSerializer(many=True)
    left_over = serializers.IntegerField(help_text="Cents nobody was there to win.")

    @extend_schema_field(PrizeConditionSerializer(many=True))
    def get_also(self, of: CategoryList) -> list[dict[str, str]]:
        return [{"open_to": eligible.value, "value": value} for eligible, value in of.category.also]


class PrizesSerializer(serializers.Serializer[Any]):
    """The prizes in the order in which they are awarded."""

    after_round = serializers.IntegerField()
    is_final = serializers.BooleanField()
    is_provisional = serializers.BooleanField(
        help_text="Whether there are winners before the standings are final."
    )
    final_at = serializers.DateTimeField(
        allow_null=True, help_text="When the standings became final."
    )
    publication = DecisionSerializer(
        allow_null=True,
        help_text="The row of the record that made the results public; null: no winners, or a file.",
    )
    corrections = DecisionSerializer(
        many=True,
        help_text="What has changed these standings since; the fingerprint of the last is theirs.",
    )
    currency = serializers.CharField(source="plan.currency")
    division = serializers.CharField(
        source="plan.division.value", help_text="“equal”, “hort” or “by_rank”."
    )
    choice = serializers.CharField(
        source="plan.choice.value", help_text="“most_valuable” or “in_order”."
    )
    most_each = serializers.IntegerField(
        source="plan.most_each", help_text="Prizes of money for one player; 0: no limit."
    )
    unit = serializers.IntegerField(source="plan.unit", help_text="Cents of the rounding.")
    cap = serializers.IntegerField(source="plan.cap", help_text="In cents; 0: none.")
    minimum = serializers.IntegerField(source="plan.minimum", help_text="In cents; 0: none.")
    categories = PrizeCategorySerializer(many=True)


@extend_schema_view(
    get=extend_schema(
        operation_id="prizes",
        parameters=[SLUG],
        responses={200: PrizesSerializer, 304: UNCHANGED, 400: REFUSED, 404: MISSING},
    )
)
class Prizes(TournamentReading):
    """The prizes; the winners once the results of the last round are published."""

    def read(self, frame: Frame, **where: Any) -> HttpResponseBase:
        return Response(prizes_shown(frame))


def prizes_shown(frame: Frame) -> dict[str, Any]:
    """Return the prizes with the lines of the record that led to them.

    One query more than :func:`prize_list`.
    """
    shown = prize_list(frame)
    awarded = (
        standings_record(frame.tournament, shown.after_round)
        if shown.is_handed_out
        else StandingsRecord()
    )
    answer = {
        **{
            name: getattr(shown, name)
            for name in ("after_round", "is_final", "is_provisional", "final_at")
        },
        "publication": awarded.publication,
        "corrections": awarded.corrections,
        "plan": shown.plan,
        "categories": shown.categories,
    }
    return PrizesSerializer(answer).data
