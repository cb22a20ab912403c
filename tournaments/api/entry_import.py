"""``POST /api/v1/tournaments/{slug}/entries/import/``:
import a list of players, as the page for arbiters does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any, Final

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.parsers import BaseParser
from rest_framework.request import Request, is_form_media_type
from rest_framework.response import Response

from tournaments.core.birth_dates import ORDERS
from tournaments.core.permissions import Power
from tournaments.entries.cells import FIELDS
from tournaments.lists.imports.comparing import Comparison, compare
from tournaments.lists.imports.entry_lists import Choice, list_import
from tournaments.lists.imports.reading import Reading, read_list
from tournaments.lists.imports.sheets import MAX_COLUMNS

from .errors import ApiProblem
from .for_people import ForPeople, tournament_for
from .serializers import ErrorSerializer
from .views import MISSING, SLUG

MOST_BYTES: Final = 1_500_000


class FileParser(BaseParser):
    """Take the body as a file of at most ``most_bytes``, whatever its type;
    415 for a form, which is not a file.
    """

    media_type = "*/*"
    most_bytes = MOST_BYTES

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Any:
        if is_form_media_type(media_type or ""):
            raise UnsupportedMediaType(media_type or "")
        data = stream.read(self.most_bytes + 1)
        if len(data) > self.most_bytes:
            message = _("The request is larger than %(limit)s bytes.") % {"limit": self.most_bytes}
            raise ApiProblem(413, "request.too_large", message, limit=self.most_bytes)
        return data


class DoubtfulRowSerializer(serializers.Serializer[Any]):
    """A row that was not entered."""

    line = serializers.IntegerField(help_text="The line in the file, from 1.")
    name = serializers.CharField()
    reasons = serializers.ListField(
        child=serializers.CharField(), help_text="Sentences with sheet, row and column."
    )


class UnusedColumnSerializer(serializers.Serializer[Any]):
    """A column of the file from which nothing is read."""

    column = serializers.IntegerField(help_text="The number of the column, from 1.")
    heading = serializers.CharField(
        help_text="Empty for a column without a heading.", allow_blank=True
    )
    reason = serializers.CharField(
        help_text="A sentence: the heading is not known, or another column counts."
    )


class ListImportSerializer(serializers.Serializer[Any]):
    """What an import has saved, or would save."""

    saved = serializers.BooleanField(help_text="False with preview=yes.")
    new = serializers.IntegerField(help_text="Players entered.")
    changed = serializers.IntegerField(help_text="Players with changed data.")
    unchanged = serializers.IntegerField(help_text="Players entered already with the same data.")
    missing = serializers.IntegerField(
        help_text="Players entered who are not in the file; they stay."
    )
    later = serializers.IntegerField(
        help_text="Changed players beyond 500: send the file once more."
    )
    doubtful = DoubtfulRowSerializer(many=True)
    unused_columns = UnusedColumnSerializer(many=True)
    remarks = serializers.ListField(
        child=serializers.CharField(),
        help_text="Sentences about the file: players who may be missing, fields that are not imported.",
    )


class EntriesImport(ForPeople):
    """Import a list: .xlsx, .ods, CSV or TRF, as the body of the
    request. For arbiters of the tournament.

    New players are entered, and all fields that the rules allow to change are changed, in one
    transaction. Doubtful rows wait on the page of the arbiters. Nobody is removed. A column that
    could have FIDE ratings or national ones is refused, unless it is a preview, until `columns`
    says which.
    """

    parser_classes = [FileParser]
    known = ("preview", "dates", "columns")

    @extend_schema(
        operation_id="entries_import",
        parameters=[
            SLUG,
            OpenApiParameter("preview", str, enum=["yes"], description="Save nothing."),
            OpenApiParameter(
                "dates",
                str,
                enum=list(ORDERS),
                description="What is first in dates such as 05/12/2010, if no date of the column shows it.",
            ),
            OpenApiParameter(
                "columns",
                str,
                description="The fields of all columns of a table, separated by commas, such as "
                f"`name,,national_rating`; empty: not used. {', '.join(FIELDS)}.",
            ),
        ],
        request={"application/octet-stream": {"type": "string", "format": "binary"}},
        responses={
            200: ListImportSerializer,
            400: OpenApiResponse(
                ErrorSerializer, description="The file cannot be read: params have line and column."
            ),
            403: OpenApiResponse(ErrorSerializer, description="Not an arbiter of the tournament."),
            404: MISSING,
            409: OpenApiResponse(ErrorSerializer, description="A rule does not allow it now."),
            413: OpenApiResponse(ErrorSerializer, description="More than 1.5 MB."),
            415: OpenApiResponse(
                ErrorSerializer, description="A form: send the file itself as the body."
            ),
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament, user = tournament_for(request, slug, Power.RUN)
        preview, dates, columns = (request.query_params.get(name) for name in self.known)
        fields = (columns or "").split(",")[:MAX_COLUMNS]
        for name, is_valid in (
            ("preview", preview in (None, "yes")),
            ("dates", dates in (None, *ORDERS)),
            ("columns", set(fields) <= {"", *FIELDS}),
        ):
            if not is_valid:
                message = _("“%(name)s” cannot have this value.") % {"name": name}
                raise ApiProblem(400, "query.invalid", message, name=name)
        data: Any = request.data  # a body without a length is not parsed
        chosen = (
            None
            if columns is None
            else {number: name for number, name in enumerate(fields) if name}
        )
        reading = read_list(
            data if isinstance(data, bytes) else b"", chosen=chosen, dates=dates or ""
        )
        if not preview:
            reading.require_ratings_known()
        found = compare(reading, tournament)
        if not preview:
            list_import(
                tournament_id=tournament.pk,
                actor=user,
                now=timezone.now(),
                reading=reading,
                choice=Choice(),
                seen=found.digest,
            )
        return Response(ListImportSerializer(_answer(found, reading, saved=not preview)).data)


def _answer(found: Comparison, reading: Reading, *, saved: bool) -> dict[str, object]:
    return {
        "saved": saved,
        "new": len(found.new),
        "changed": sum(
            any(not change.refused for change in player.changes) for player in found.changed
        ),
        "unchanged": len(found.unchanged),
        "missing": len(found.missing),
        "later": found.later,
        "doubtful": [
            {
                "line": row.line,
                "name": row.name,
                "reasons": [str(problem) for problem in row.problems],
            }
            for row in found.doubtful
        ],
        "unused_columns": [
            {"column": number, "heading": heading, "reason": str(reason)}
            for number, heading, reason in reading.unused
        ],
        "remarks": [str(remark) for remark in reading.file_remarks],
    }
