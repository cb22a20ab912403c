"""The output of the API, field by field. Serializers here are read-only and contain no rules.

Conventions: points are JSON numbers in points, as in the engine's own JSON (``3.5``, never tenths).
An unknown value is ``null``, an empty text is ``""``. Results and byes are the letters of the TRF.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from pairing.engine.systems import SYSTEMS, games_a_round
from pairing.record.player_fields import PRIVATE, TEXTS
from pairing.rules.rounds import RoundState
from tournaments.core.chosen_rules import left_fide_mode
from tournaments.models import (
    AccelerationMethod,
    ByeKind,
    Decision,
    GameResult,
    InitialColourMethod,
    ListState,
    RatingSource,
    TieBreakEdition,
    Title,
    Tournament,
    WomenTitle,
)
from tournaments.standings.standings import StandingLine


def points_number(tenths: int) -> int | float:
    """Return *tenths* as points: 35 is 3.5, 30 is 3. The decimal text in the JSON is exact."""
    return tenths // 10 if tenths % 10 == 0 else tenths / 10


class PointsField(serializers.Field[Any, Any, Any, Any]):
    """Whole tenths, shown as points."""

    _spectacular_annotation: Final = {"field": {"type": "number", "example": 3.5}}

    def to_representation(self, value: int) -> int | float:
        return points_number(value)


GAME_RESULTS: Final = [str(code) for code in GameResult.values if code]


class CodeField(serializers.Field[Any, Any, Any, Any]):
    """A value of a closed set; with *nullable* the empty value of the tables is ``null``."""

    def __init__(self, codes: Iterable[str], *, nullable: bool = False, **kwargs: Any) -> None:
        super().__init__(read_only=True, **kwargs)
        known: list[str | None] = [str(code) for code in codes if code]
        schema: dict[str, Any] = {"type": "string", "enum": known}
        if nullable:
            schema |= {"enum": [*known, None], "nullable": True}
        self._spectacular_annotation = {"field": schema}

    def to_representation(self, value: str) -> str | None:
        return str(value) or None


class TournamentLineSerializer(serializers.Serializer[Tournament]):
    """A tournament in the list."""

    slug = serializers.CharField()
    name = serializers.CharField()
    city = serializers.CharField()
    federation = serializers.CharField()
    start_date = serializers.DateField(allow_null=True)
    end_date = serializers.DateField(allow_null=True)
    system = CodeField(SYSTEMS)
    games_a_round = serializers.SerializerMethodField(
        help_text="2 where a round is a match of two games [C.04.5]."
    )
    total_rounds = serializers.IntegerField()
    players = serializers.IntegerField()
    pairings_published = serializers.IntegerField(
        help_text="The newest round with public pairings; 0: none."
    )
    results_published = serializers.IntegerField(
        help_text="The newest round with public results; 0: none."
    )

    def get_games_a_round(self, tournament: Tournament) -> int:
        return games_a_round(tournament.system)


class PointSystemSerializer(serializers.Serializer[Tournament]):
    """The points for each result."""

    win = PointsField(source="points_win")
    draw = PointsField(source="points_draw")
    loss = PointsField(source="points_loss")
    absence = PointsField(source="points_absence")
    pab = PointsField(source="points_pab")


class TournamentSerializer(TournamentLineSerializer):
    """A tournament and the settings that its regulations fix."""

    chief_arbiter = serializers.CharField()
    deputy_arbiters = serializers.SerializerMethodField()
    time_control = serializers.CharField()
    acceleration = CodeField(AccelerationMethod.values, nullable=True)
    tie_break_edition = CodeField(TieBreakEdition.values)
    tie_breaks = serializers.SerializerMethodField(help_text="The list of tie-breaks, in order.")
    initial_colour = CodeField(("w", "b"), nullable=True)
    initial_colour_method = CodeField(InitialColourMethod.values, nullable=True)
    points = PointSystemSerializer(source="*")
    list_state = CodeField(ListState.values)
    left_fide_mode = serializers.SerializerMethodField(
        help_text="The round in which it left FIDE mode; 0: older rules from the start; null: it "
        "is in FIDE mode."
    )
    final_at = serializers.DateTimeField(
        allow_null=True, help_text="When the standings became final."
    )
    goes_on_at = serializers.CharField(
        source="handed_over_address",
        help_text="The address where the event goes on, after a hand-over to another computer; "
        "empty: here.",
    )

    def get_left_fide_mode(self, tournament: Tournament) -> int | None:
        return left_fide_mode(tournament)

    def get_tie_breaks(self, tournament: Tournament) -> list[str]:
        return tournament.tie_breaks.split(",") if tournament.tie_breaks else []

    def get_deputy_arbiters(self, tournament: Tournament) -> list[str]:
        return [name.strip() for name in tournament.deputy_arbiters.splitlines() if name.strip()]


STAYS: Final = "Of the entry: stays the same when the numbers move."


class EntrySerializer(serializers.Serializer[Any]):
    """A participant, with the data of a public list of participants."""

    id = serializers.IntegerField(help_text=STAYS, source="pk")
    tpn = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    title = CodeField(Title.values, nullable=True)
    women_title = CodeField(WomenTitle.values, nullable=True)
    federation = serializers.CharField()
    fide_id = serializers.IntegerField(
        source="public_fide_id",
        allow_null=True,
        help_text="Null too for a player who is shown with initials.",
    )
    fide_rating = serializers.IntegerField(allow_null=True)
    national_rating = serializers.IntegerField(allow_null=True)
    second_rating = serializers.IntegerField(
        allow_null=True,
        help_text="By the second rating method, for players without a rating by the first.",
    )
    k_factor = serializers.IntegerField(
        allow_null=True, help_text="K at the rate of play [B.02 8.3.3]; null: not known."
    )
    list_games = serializers.IntegerField(
        allow_null=True, help_text="The games that were rated for the list."
    )
    rating = serializers.IntegerField()
    rating_source = CodeField(RatingSource.values, nullable=True)
    first_round = serializers.IntegerField()
    withdrawn_from = serializers.IntegerField(
        allow_null=True, help_text="The first round not played any more."
    )

    def get_fields(self) -> dict[str, Any]:
        """Return the fields, with the public texts of a player after the federation."""
        fields = {}
        for name, field in super().get_fields().items():
            fields[name] = field
            if name == "federation":
                fields |= {each: serializers.CharField() for each in TEXTS if each not in PRIVATE}
        return fields


class EntryForArbitersSerializer(EntrySerializer):
    """A participant, with what only the people of the tournament read."""

    national_id = serializers.CharField(
        required=False,
        allow_blank=True,
        help_text="The number in the national federation; only for people with a role.",
    )

    def get_fields(self) -> dict[str, Any]:
        """Return the fields, with the private texts of a player at the end."""
        return super().get_fields() | {
            each: serializers.CharField() for each in TEXTS if each in PRIVATE
        }


class RoundSerializer(serializers.Serializer[Any]):
    """A declared round and its state."""

    number = serializers.IntegerField(source="tab.number")
    state = CodeField(list(RoundState), source="tab.state")
    starts_at = serializers.DateTimeField(allow_null=True)
    results_due_at = serializers.DateTimeField(allow_null=True)
    published_at = serializers.DateTimeField(
        allow_null=True, help_text="Null: not yet, or unknown (an imported file)."
    )
    results_published_at = serializers.DateTimeField(
        allow_null=True, help_text="Null: not yet, or unknown (an imported file)."
    )


class PlayerSerializer(serializers.Serializer[Any]):
    """A player in a pairing."""

    id = serializers.IntegerField(source="entry_id", help_text=STAYS)
    tpn = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    title = CodeField(Title.values, nullable=True)
    federation = serializers.CharField()
    fide_id = serializers.IntegerField(allow_null=True)
    rating = serializers.IntegerField()
    points = PointsField(help_text="Before this round.")
    virtual_points = PointsField(
        source="virtual",
        help_text="What an acceleration adds in this round, for pairing only [C.04.7].",
    )


class BoardSerializer(serializers.Serializer[Any]):
    """One board."""

    board = serializers.IntegerField(help_text="The number by C.04.2 3.6.")
    table = serializers.IntegerField(
        help_text="Where it is played; another where somebody cannot move."
    )
    white = PlayerSerializer()
    black = PlayerSerializer()
    result = CodeField(GAME_RESULTS, nullable=True, help_text="White's TRF letter, then Black's.")
    second_result = CodeField(
        GAME_RESULTS,
        nullable=True,
        help_text="Of the second game of a match [C.04.5], in which “black” has White: White's "
        "letter, then Black's.",
    )


class ByeSerializer(serializers.Serializer[Any]):
    """A player without a game in the round."""

    player = PlayerSerializer()
    kind = CodeField(ByeKind.values)


class PairingsSerializer(serializers.Serializer[Any]):
    """The boards of a round in publication order, and the players without a game."""

    round = serializers.IntegerField(source="number")
    state = CodeField(
        (RoundState.DRAFT, RoundState.PAIRINGS_PUBLISHED, RoundState.RESULTS_PUBLISHED)
    )
    boards = BoardSerializer(many=True)
    byes = ByeSerializer(many=True)


class TieBreakSerializer(serializers.Serializer[Any]):
    """One tie-break by its code in C.07."""

    code = serializers.CharField(help_text="As in record 202 of a report: BH/C1.")
    value = serializers.FloatField(
        allow_null=True,
        help_text="Of DE the place among the tied. Null: nothing, such as DE of somebody who is not tied.",
    )


class StandingSerializer(serializers.Serializer[StandingLine]):
    """One line of the standings."""

    rank = serializers.IntegerField(help_text="Shared by who is equal in everything: 1, 2, 2, 4.")
    id = serializers.IntegerField(source="entry_id", help_text=STAYS)
    tpn = serializers.IntegerField()
    name = serializers.CharField()
    title = CodeField(Title.values, nullable=True)
    federation = serializers.CharField()
    fide_id = serializers.IntegerField(allow_null=True)
    rating = serializers.IntegerField()
    points = PointsField(
        help_text="With what decisions gave or took; below zero where they took more than was made."
    )
    by_decision = PointsField(
        help_text="What decisions gave, below zero what they took; part of the points."
    )
    tie_breaks = serializers.SerializerMethodField(help_text="In the order in which they decide.")
    withdrawn = serializers.BooleanField(source="is_withdrawn")
    lot = serializers.SerializerMethodField(
        help_text="Among the equal: SHA-256 of “seed:tpn”, the smallest first [C.07 4.2]. Null "
        "where none was drawn."
    )

    def get_lot(self, line: StandingLine) -> str | None:
        return line.lot or None

    @extend_schema_field(TieBreakSerializer(many=True))
    def get_tie_breaks(self, line: StandingLine) -> list[dict[str, object]]:
        return [{"code": value.code, "value": value.number} for value in line.values]


class DecisionSerializer(serializers.Serializer[Any]):
    """A line of the record, with the data that is public."""

    sequence = serializers.IntegerField()
    action = serializers.CharField()
    article = serializers.SerializerMethodField()
    at = serializers.DateTimeField()
    round = serializers.IntegerField(source="round_number", allow_null=True)
    by = serializers.CharField(source="actor_name")
    fingerprint = serializers.CharField(source="hash")

    def get_article(self, decision: Decision) -> str | None:
        return decision.article or None


class StandingsSerializer(serializers.Serializer[Any]):
    """The standings after a round."""

    after_round = serializers.IntegerField()
    left_out = serializers.ListField(
        child=serializers.CharField(),
        help_text="Tie-breaks of the list that do not count, because somebody has no rating [C.07 10].",
    )
    lots_seed = serializers.CharField(
        allow_null=True, help_text="The seed of the lots; null: they decided nothing."
    )
    publication = DecisionSerializer(
        allow_null=True,
        help_text="The row of the record that made the results public; null: an imported file.",
    )
    corrections = DecisionSerializer(
        many=True,
        help_text="What has changed these standings since, oldest first; the fingerprint of the "
        "last is theirs.",
    )
    standings = StandingSerializer(many=True)


class ProblemSerializer(serializers.Serializer[Any]):
    """The error."""

    code = serializers.CharField(help_text="For programs; stays the same.")
    article = serializers.CharField(
        allow_null=True, help_text="The rule that decided, as in “C.04.2 4.4”."
    )
    message = serializers.CharField(help_text="For people, in the language asked for.")
    params = serializers.DictField(help_text="What the message was made from.")


class ErrorSerializer(serializers.Serializer[Any]):
    """The shape of every error."""

    error = ProblemSerializer()


class PairingAnswerSerializer(serializers.Serializer[Any]):
    """A paired round."""

    pairs = serializers.ListField(
        child=serializers.ListField(
            child=serializers.IntegerField(min_value=1), min_length=2, max_length=2
        ),
        help_text="[White, Black] by TPN, in publication order.",
    )
    bye = serializers.IntegerField(
        allow_null=True, help_text="The TPN of the pairing-allocated bye."
    )
