"""The arbiter's report for programs and spreadsheets, with the data of the page,
for arbiters of the tournament.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, HttpResponseBase
from drf_spectacular.utils import (
    OpenApiResponse,
    extend_schema,
    extend_schema_field,
    extend_schema_view,
)
from rest_framework import serializers
from rest_framework.response import Response

from pairing.rules.corrections import CorrectionEffect, CorrectionKind
from tournaments.core.frame import Frame
from tournaments.models import AccelerationMethod
from tournaments.reports.event_report import ArticleLine, EventReport, event_report

from .csv import CSV, names_of
from .list_files import AS, HEADS, KNOWN, list_file
from .serializers import GAME_RESULTS, STAYS, CodeField, ErrorSerializer
from .views import MISSING, REFUSED, SLUG, UNCHANGED, TournamentReading

NOT_YOURS: Final = OpenApiResponse(
    ErrorSerializer, description="Only those who run the tournament get the report."
)


class ScheduleLineSerializer(serializers.Serializer[Any]):
    """The announced and the actual times of one round [C.04.2 4.2]; null:
    not announced, or not yet.
    """

    round = serializers.IntegerField(source="number")
    starts_at = serializers.DateTimeField(allow_null=True)
    pairings_published_at = serializers.DateTimeField(source="published_at", allow_null=True)
    results_due_at = serializers.DateTimeField(allow_null=True)
    results_published_at = serializers.DateTimeField(allow_null=True)
    pairings_minutes_late = serializers.IntegerField(source="pairings_late")
    results_minutes_late = serializers.IntegerField(source="results_late")
    results_minutes_early = serializers.IntegerField(source="results_early")
    kept = serializers.BooleanField(
        source="is_kept",
        help_text="Whether nothing was late or early; true where nothing was announced.",
    )


class ReasonSerializer(serializers.Serializer[Any]):
    """An action with its reason."""

    sequence = serializers.IntegerField()
    action = serializers.CharField()
    round = serializers.IntegerField(source="round_number", allow_null=True)
    at = serializers.DateTimeField()
    by = serializers.CharField(source="actor_name")
    reason = serializers.CharField()


class ActsSerializer(serializers.Serializer[Any]):
    """An action and the number of times it was done."""

    action = serializers.CharField()
    times = serializers.IntegerField()


class ArticleSerializer(serializers.Serializer[Any]):
    """The actions under one article."""

    article = serializers.CharField()
    actions = serializers.SerializerMethodField()
    reasons = ReasonSerializer(source="with_reason", many=True)

    @extend_schema_field(ActsSerializer(many=True))
    def get_actions(self, line: ArticleLine) -> list[dict[str, object]]:
        return [{"action": action, "times": times} for action, times in line.actions]


class WithdrawalSerializer(serializers.Serializer[Any]):
    """A withdrawn player, the first round of the withdrawal, and its article."""

    id = serializers.IntegerField(source="entry_id", help_text=STAYS)
    tpn = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    fide_id = serializers.IntegerField(allow_null=True)
    from_round = serializers.IntegerField(source="withdrawn_from")
    article = serializers.CharField()


class ReturnSerializer(serializers.Serializer[Any]):
    """A cancelled withdrawal: the player, the first round of the withdrawal,
    and the time of the cancellation.
    """

    id = serializers.IntegerField(source="entry_id", help_text=STAYS)
    tpn = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    fide_id = serializers.IntegerField(allow_null=True)
    from_round = serializers.IntegerField(source="withdrawn_from")
    at = serializers.DateTimeField(source="decision.at")


class LateEntrySerializer(serializers.Serializer[Any]):
    """A player entered after the first round was paired [C.04.2 2.4],
    with the player's first round.
    """

    id = serializers.IntegerField(source="pk", help_text=STAYS)
    tpn = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    fide_id = serializers.IntegerField(allow_null=True)
    from_round = serializers.IntegerField(source="first_round")


class ForfeitSerializer(serializers.Serializer[Any]):
    """A game that was not played."""

    round = serializers.IntegerField(source="round_number")
    board = serializers.IntegerField()
    game = serializers.IntegerField(
        allow_null=True, help_text="Which game of a match; null where a round is a game."
    )
    white = serializers.CharField(source="white.name")
    white_id = serializers.IntegerField(source="white.entry_id", help_text=STAYS)
    white_fide_id = serializers.IntegerField(source="white.fide_id", allow_null=True)
    black = serializers.CharField(source="black.name")
    black_id = serializers.IntegerField(source="black.entry_id", help_text=STAYS)
    black_fide_id = serializers.IntegerField(source="black.fide_id", allow_null=True)
    result = CodeField(GAME_RESULTS)


class CorrectionSerializer(serializers.Serializer[Any]):
    """A correction [C.04.2 4.3]: the wrong value and the right one."""

    round = serializers.IntegerField(source="round_number")
    what = CodeField(list(CorrectionKind), source="kind")
    board = serializers.IntegerField(source="game.board", allow_null=True, default=None)
    id = serializers.IntegerField(
        source="entry_id", allow_null=True, help_text="Whose rating; null: a game was wrong."
    )
    tpn = serializers.IntegerField(source="entry.tpn", allow_null=True, default=None)
    name = serializers.CharField(source="entry.name", allow_null=True, default=None)
    fide_id = serializers.IntegerField(source="entry.fide_id", allow_null=True, default=None)
    before = serializers.JSONField()
    after = serializers.JSONField()
    effect = CodeField(list(CorrectionEffect))
    reported_at = serializers.DateTimeField()
    entered_at = serializers.DateTimeField()
    reason = serializers.CharField()


class ProtestSerializer(serializers.Serializer[Any]):
    """A protest, the ruling on it, and the appeal; empty or null: not yet."""

    number = serializers.IntegerField()
    by = serializers.CharField()
    at = serializers.DateTimeField()
    round = serializers.IntegerField(source="lodged.round_number", allow_null=True)
    subject = serializers.CharField()
    ruling = serializers.CharField(source="ruling.payload.after.ruling", default="")
    ruling_article = serializers.CharField(source="ruling.article", default="")
    appeal_by = serializers.CharField(source="appeal.payload.after.by", default="")
    appeal_at = serializers.DateTimeField(allow_null=True)
    decision = serializers.CharField(source="decision.payload.after.ruling", default="")
    decision_by = serializers.CharField(source="decision.payload.after.by", default="")
    decision_article = serializers.CharField(source="decision.article", default="")


class EventReportSerializer(serializers.Serializer[Any]):
    """The course of the event and its decisions; norms are not computed."""

    name = serializers.CharField(source="tournament.name")
    system = serializers.CharField(source="tournament.system")
    system_articles = serializers.CharField(source="articles")
    acceleration = CodeField(
        AccelerationMethod.values, source="tournament.acceleration", nullable=True
    )
    group_a_last = serializers.IntegerField(
        source="group_a_last.tpn", allow_null=True, default=None
    )
    group_a_last_id = serializers.IntegerField(
        source="group_a_last.pk", allow_null=True, default=None
    )
    handling_edition = serializers.CharField(source="tournament.handling_edition")
    tie_break_edition = serializers.CharField(source="tournament.tie_break_edition")
    tie_breaks = serializers.CharField(
        source="tournament.tie_breaks", help_text="As in record 202 of a report."
    )
    lots_seed = serializers.CharField(
        source="tournament.lots_seed", help_text="Empty: no lots were drawn [C.07 4.2]."
    )
    rounds = serializers.IntegerField(source="tournament.total_rounds")
    players = serializers.IntegerField()
    rated = serializers.IntegerField(help_text="Players with a FIDE rating.")
    chief_arbiter = serializers.CharField(source="tournament.chief_arbiter")
    deputy_arbiters = serializers.CharField(
        source="tournament.deputy_arbiters", help_text="One per line."
    )
    time_control = serializers.CharField(source="tournament.time_control")
    schedule_kept = serializers.BooleanField(
        allow_null=True, help_text="Null: no times were announced."
    )
    schedule = ScheduleLineSerializer(many=True)
    decisions = ArticleSerializer(many=True)
    withdrawals = WithdrawalSerializer(many=True)
    returns = ReturnSerializer(many=True)
    late_entries = LateEntrySerializer(many=True)
    forfeits = ForfeitSerializer(many=True)
    corrections = CorrectionSerializer(many=True, help_text="Those that the standings have.")
    rating_only = CorrectionSerializer(many=True, help_text="Those that came too late for them.")
    protests = ProtestSerializer(many=True)


class EventReportReading(TournamentReading):
    """Base of the formats of the report."""

    def report(self, frame: Frame) -> dict[str, Any]:
        """Return the report of *frame*; raise ``PermissionDenied`` for
        a reader who is not an arbiter of it.
        """
        if not frame.runs:
            raise PermissionDenied
        report = event_report(frame)
        values = {name: getattr(report, name) for name in EventReport.__slots__}
        kept = not report.not_kept if report.is_announced else None
        return dict(
            EventReportSerializer(
                {**values, "tournament": frame.tournament, "schedule_kept": kept}
            ).data
        )


@extend_schema_view(
    get=extend_schema(
        operation_id="event_report",
        parameters=[SLUG],
        responses={
            200: EventReportSerializer,
            304: UNCHANGED,
            400: REFUSED,
            403: NOT_YOURS,
            404: MISSING,
        },
    )
)
class EventReportDetail(EventReportReading):
    """The arbiter's report, for arbiters of the tournament."""

    def read(self, frame: Frame, **where: Any) -> HttpResponseBase:
        return Response(self.report(frame))


@extend_schema_view(
    get=extend_schema(
        operation_id="event_report_csv",
        parameters=[SLUG, AS, HEADS],
        responses=CSV | {(403, "application/json"): NOT_YOURS},
    )
)
class EventReportCsv(EventReportReading):
    """The arbiter's report as CSV, with a line for each fact, by section;
    an empty section has no line.
    """

    known = KNOWN

    def read(self, frame: Frame, **where: Any) -> HttpResponse:
        return list_file(self.request, frame.tournament, "report", list(_facts(self.report(frame))))


@extend_schema_view(
    get=extend_schema(
        operation_id="corrections_csv",
        parameters=[SLUG, AS, HEADS],
        responses=CSV | {(403, "application/json"): NOT_YOURS},
    )
)
class CorrectionsCsv(EventReportReading):
    """All corrections as CSV: those of the standings and those for the rating report only."""

    known = KNOWN

    def read(self, frame: Frame, **where: Any) -> HttpResponse:
        report = self.report(frame)
        rows = [_flat(line) for line in (*report["corrections"], *report["rating_only"])]
        columns = names_of(CorrectionSerializer)
        return list_file(self.request, frame.tournament, "corrections", rows, columns)


LINE: Final = dict.fromkeys(
    (
        "section",
        "item",
        "article",
        "round",
        "board",
        "number",
        "id",
        "name",
        "fide_id",
        "at",
        "by",
        "text",
    )
)
"""The columns of the CSV."""
ABSENCES: Final = ("withdrawals", "returns", "late_entries")
"""The sections with the players who left, returned or came late."""


def _facts(report: dict[str, Any]) -> Iterator[dict[str, object]]:
    """Yield a line for each fact of *report*."""
    lists = (
        "schedule",
        "decisions",
        *ABSENCES,
        "forfeits",
        "corrections",
        "rating_only",
        "protests",
    )
    for name, value in report.items():
        if name not in lists:
            yield LINE | {"section": "event", "item": name, "text": value}
    yield from _schedule_facts(report)
    yield from _decision_facts(report)
    yield from _absence_facts(report)
    yield from _forfeit_facts(report)
    yield from _correction_facts(report)
    yield from _protest_facts(report)


def _schedule_facts(report: dict[str, Any]) -> Iterator[dict[str, object]]:
    """Yield the times of the rounds, each early or late publication named."""
    for line in report["schedule"]:
        for item in (
            "starts_at",
            "pairings_published_at",
            "results_due_at",
            "results_published_at",
        ):
            if line[item]:
                yield LINE | {
                    "section": "schedule",
                    "item": item,
                    "round": line["round"],
                    "at": line[item],
                }
        for item in ("pairings_minutes_late", "results_minutes_late", "results_minutes_early"):
            if line[item]:
                yield LINE | {
                    "section": "schedule",
                    "item": item,
                    "round": line["round"],
                    "text": line[item],
                }


def _decision_facts(report: dict[str, Any]) -> Iterator[dict[str, object]]:
    """Yield how often each action was done under each article, and the reasons."""
    for article in report["decisions"]:
        where = {"section": "decisions", "article": article["article"]}
        for action in article["actions"]:
            yield LINE | where | {"item": action["action"], "text": action["times"]}
        for reason in article["reasons"]:
            row = {"item": reason["action"], "round": reason["round"], "number": reason["sequence"]}
            yield (
                LINE
                | where
                | row
                | {"at": reason["at"], "by": reason["by"], "text": reason["reason"]}
            )


def _absence_facts(report: dict[str, Any]) -> Iterator[dict[str, object]]:
    """Yield the players who left, returned or came late."""
    for section in ABSENCES:
        for line in report[section]:
            whom = _whom(line) | {"at": line.get("at"), "article": line.get("article")}
            yield LINE | {"section": section, "round": line["from_round"]} | whom


def _forfeit_facts(report: dict[str, Any]) -> Iterator[dict[str, object]]:
    """Yield the games that were not played."""
    for line in report["forfeits"]:
        pair = f"{line['white']} - {line['black']}"
        where = {
            "section": "forfeits",
            "round": line["round"],
            "board": line["board"],
            "number": line["game"],
        }
        yield LINE | where | {"name": pair, "text": line["result"]}


def _correction_facts(report: dict[str, Any]) -> Iterator[dict[str, object]]:
    """Yield the corrections of the standings, then those for the rating report."""
    for section in ("corrections", "rating_only"):
        for line in map(_flat, report[section]):
            where = {
                "section": section,
                "item": line["what"],
                "round": line["round"],
                "board": line["board"],
            }
            row = {"at": line["reported_at"]}
            yield (
                LINE
                | where
                | row
                | _whom(line)
                | {"text": f"{line['before']} -> {line['after']}: {line['reason']}"}
            )


def _protest_facts(report: dict[str, Any]) -> Iterator[dict[str, object]]:
    """Yield the protests with their rulings, appeals and decisions."""
    for line in report["protests"]:
        where = {"section": "protests", "round": line["round"], "number": line["number"]}
        yield (
            LINE
            | where
            | {"item": "protest", "at": line["at"], "by": line["by"], "text": line["subject"]}
        )
        if line["ruling"]:
            yield (
                LINE
                | where
                | {"item": "ruling", "article": line["ruling_article"], "text": line["ruling"]}
            )
        if line["appeal_by"]:
            yield (
                LINE | where | {"item": "appeal", "at": line["appeal_at"], "by": line["appeal_by"]}
            )
        if line["decision"]:
            row = {
                "article": line["decision_article"],
                "by": line["decision_by"],
                "text": line["decision"],
            }
            yield LINE | where | {"item": "decision"} | row


def _whom(line: dict[str, Any]) -> dict[str, object]:
    """Return the columns that identify the player of a line."""
    return {
        "number": line["tpn"],
        "id": line["id"],
        "name": line["name"],
        "fide_id": line["fide_id"],
    }


def _flat(correction: dict[str, Any]) -> dict[str, object]:
    """Return a correction with the values before and after as words: ``result 10``."""

    def words(values: dict[str, object]) -> str:
        return ", ".join(
            f"{name} {'-' if value is None else value}" for name, value in values.items()
        )

    return {
        **correction,
        "before": words(correction["before"]),
        "after": words(correction["after"]),
    }
