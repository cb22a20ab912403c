"""Read-only views of the API: one class per address. The selectors
decide which data a visitor may see.

Every answer about a tournament has an ETag of the state that the reader sees, so that a program may
poll often: ``If-None-Match`` with the last tag gets 304 for one query.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language, gettext as _
from drf_spectacular.utils import (
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
    extend_schema_view,
)
from rest_framework.generics import GenericAPIView
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.pagination import BasePagination, PageNumberPagination
from rest_framework.permissions import AllowAny
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from pairing.rounds.draft_views import draft_viewed
from pairing.rounds.round_page import round_page
from pairing.rules.rounds import RoundState
from tournaments.api import queries
from tournaments.core import page_store
from tournaments.core.frame import Frame, is_still, state_now, state_of, tournament_frame
from tournaments.core.page_store import State, compression
from tournaments.core.permissions import may_read
from tournaments.core.request_values import whole_number
from tournaments.models import Round, Tournament
from tournaments.reports.publications import standings_record
from tournaments.reports.record_page import decision_rows
from tournaments.reports.trf_export import trf_export
from tournaments.standings.standings import standings

from .errors import (
    ApiProblem,
    not_published,
    results_not_published,
    unknown_parameter,
    unknown_round,
    unknown_tournament,
)
from .serializers import (
    DecisionSerializer,
    EntryForArbitersSerializer,
    EntrySerializer,
    ErrorSerializer,
    PairingsSerializer,
    RoundSerializer,
    StandingsSerializer,
    TournamentLineSerializer,
    TournamentSerializer,
)
from .writes import UNSAFE, etag, guarded, public_etag
from .writes_schema import WriteSchema

UNCHANGED = OpenApiResponse(
    description="Nothing is new since the answer whose ETag was sent in If-None-Match."
)
REFUSED = OpenApiResponse(
    ErrorSerializer,
    description="The query has a parameter that is not known here, or a value it cannot have.",
)
MISSING = OpenApiResponse(
    ErrorSerializer, description="There is no such thing, or not for this reader."
)
SLUG = OpenApiParameter("slug", str, OpenApiParameter.PATH, description="The tournament's address.")
MOST_ROUNDS = 99
AFTER = OpenApiParameter(
    "after_round",
    {"type": "integer", "minimum": 0, "maximum": MOST_ROUNDS},
    description="0: before the first round. Without it: the newest round with published results.",
)
NUMBER = OpenApiParameter(
    "number", int, OpenApiParameter.PATH, description="The number of the round, from 1."
)


class OneFormat(DefaultContentNegotiation):
    """Give each address one format, whatever ``Accept`` says: no request gets a 406."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, str(renderer.media_type)


class Pages(PageNumberPagination):
    """Accept ``page`` from 1 and ``page_size`` up to 500;
    refuse all other values instead of replacing them.
    """

    NAMES = ("page", "page_size")
    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 500

    def get_page_number(self, request: Request, paginator: Any) -> int:
        return number_parameter(request, "page", default=1, most=10**9)

    def get_page_size(self, request: Request) -> int:
        return number_parameter(
            request, "page_size", default=self.page_size, most=self.max_page_size
        )

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        return [
            _number_parameter("page", "The page of the list.", default=1, maximum=10**9),
            _number_parameter(
                "page_size",
                "How many on a page.",
                default=self.page_size,
                maximum=self.max_page_size,
            ),
        ]


def number_parameter(
    request: Request, name: str, *, default: int, most: int, least: int = 1
) -> int:
    """Return the whole number of the query parameter *name*, or *default*."""
    given = request.query_params.getlist(name)
    if not given:
        return default
    number = whole_number(given[0], least=least, most=most) if len(given) == 1 else None
    if number is not None:
        return number
    expected = _("%(name)s must be a whole number from %(least)s to %(most)s, given once.")
    message = expected % {"name": name, "least": least, "most": most}
    raise ApiProblem(400, "query.invalid", message, name=name, least=least, most=most)


def published_round(request: Request, frame: Frame) -> int:
    """Return ``after_round``, by default the newest; refused before its results are published."""
    latest = frame.latest_results
    after = number_parameter(request, "after_round", default=latest, least=0, most=MOST_ROUNDS)
    if after > latest:
        raise results_not_published(after)
    return after


def _number_parameter(name: str, description: str, **schema: int) -> dict[str, Any]:
    return {
        "name": name,
        "in": "query",
        "required": False,
        "description": description,
        "schema": {"type": "integer", "minimum": 1, **schema},
    }


class KnownQuery(APIView):
    """Base of every address: refuses unknown parameters, because a misspelt
    filter would otherwise filter nothing.

    Open to all, so that another method gets 405 and not 403; each write asks who may.
    """

    content_negotiation_class = OneFormat
    permission_classes = [AllowAny]
    known: tuple[str, ...] = ()
    """The query parameters, without those for the pages of a list."""
    saves_nothing: bool = False
    """An unsafe method only computes."""
    schema = WriteSchema()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Give every write ``If-Match`` and ``Idempotency-Key``."""
        super().__init_subclass__(**kwargs)
        for name in UNSAFE:
            if name in vars(cls):
                setattr(cls, name, guarded(vars(cls)[name]))

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        known = (*self.known, *(Pages.NAMES if getattr(self, "pagination_class", None) else ()))
        unknown = next((name for name in request.query_params if name not in known), None)
        if unknown is not None:
            raise unknown_parameter(unknown, known)


class Reading(KnownQuery, GenericAPIView[Any]):
    """Base of the read-only views."""

    pagination_class: type[BasePagination] | None = None

    def page_of(self, rows: Any, shape: type[BaseSerializer[Any]]) -> Response:
        """Return the requested page of *rows*.

        Two queries for a query set, whatever the number of rows.
        """
        page = self.paginate_queryset(rows)
        return self.get_paginated_response(shape(page, many=True).data)


class TournamentReading(Reading, ABC):
    """Base of the views of one tournament: 404 if it does not exist, 304 if nothing has changed."""

    def get(self, request: Request, slug: str, **where: Any) -> HttpResponseBase:
        # Read the version first: if the data changes during the rest, this tag is already out of
        # date.
        tournament = (
            Tournament.objects.filter(slug=slug).first() if isinstance(request.user, User) else None
        )
        state = state_of(tournament) if tournament is not None else state_now(slug)
        if state is None:
            raise unknown_tournament(slug)
        assert isinstance(request.user, User | AnonymousUser)
        runs = tournament is not None and may_read(request.user, tournament)
        tag = public_etag(state)
        if tournament is not None and runs:
            tag = etag(tournament, runs=True, unrecorded=self.unrecorded(tournament))
        unchanged = get_conditional_response(request._request, etag=tag)
        if unchanged is not None and unchanged.status_code == 412:
            raise ApiProblem(
                412, "precondition_failed", _("The tournament has changed in the meantime.")
            )
        response: HttpResponseBase
        if unchanged is not None:
            response = unchanged
        elif tournament is not None and runs:
            response = self.read(tournament_frame(tournament, runs=True), **where)
        else:
            response = self._public(request, state, **where)
        response.headers["ETag"] = tag
        response.headers["Cache-Control"] = "private, no-cache" if runs else "no-cache"
        patch_vary_headers(response, ["Cookie", "Accept-Encoding"])
        return response

    def _public(self, request: Request, state: State, **where: Any) -> HttpResponseBase:
        """Return the answer for visitors from the store, where the first one puts it."""
        name = f"api-{hashlib.sha256(f'{get_language()} {request.get_full_path()}'.encode()).hexdigest()[:32]}"
        accepted = compression(request.headers.get("Accept-Encoding", ""))
        stored = page_store.get(state, name, accepted)
        if stored is None:
            frame = tournament_frame(Tournament.objects.get(pk=state.owner), runs=False)
            response = self.read(frame, **where)
            if self.pagination_class is not None:
                return response  # it has links with the host name of the reader
            if isinstance(response, Response):
                response = self.finalize_response(request, response).render()
            assert isinstance(response, HttpResponse)
            headers = {
                key: value for key, value in response.headers.items() if key.startswith("Content-")
            }
            stored = page_store.put(
                state, name, headers, response.content, accepted, endless=bool(request.query_params),
                still=lambda: frame.state == state and is_still(frame.tournament),
            )  # fmt: skip
            if stored is None:  # published meanwhile: the next answer has another tag
                return response
        encoded = {"Content-Encoding": stored.encoding} if stored.encoding else {}
        return HttpResponse(stored.body, headers={**stored.headers, **encoded})

    def unrecorded(self, tournament: Tournament) -> str:
        """Return what the answer for arbiters depends on and the record does not have."""
        return ""

    @abstractmethod
    def read(self, frame: Frame, **where: Any) -> HttpResponseBase:
        """Return the data for the reader of *frame*."""


def known_round(frame: Frame, number: int) -> int:
    """Return *number* if there is such a round; raise an error otherwise."""
    if not 1 <= number <= len(frame.rounds):
        raise unknown_round(number, len(frame.rounds))
    return number


@extend_schema_view(
    get=extend_schema(
        operation_id="tournaments",
        responses={200: TournamentLineSerializer(many=True), 400: REFUSED, 404: MISSING},
    )
)
class Tournaments(Reading):
    """List the public tournaments, and those in which the reader has a role, the newest first."""

    pagination_class = Pages

    def get(self, request: Request) -> Response:
        assert isinstance(request.user, User | AnonymousUser)
        return self.page_of(queries.listed_rows(request.user), TournamentLineSerializer)


@extend_schema_view(
    get=extend_schema(
        operation_id="tournament",
        parameters=[SLUG],
        responses={200: TournamentSerializer, 304: UNCHANGED, 400: REFUSED, 404: MISSING},
    )
)
class TournamentDetail(TournamentReading):
    """Return one tournament and the settings that its regulations fix."""

    def read(self, frame: Frame, **where: Any) -> Response:
        return Response(
            TournamentSerializer(queries.tournament_rows().get(pk=frame.tournament.pk)).data
        )


@extend_schema_view(
    get=extend_schema(
        operation_id="entries",
        parameters=[SLUG],
        responses={
            200: EntryForArbitersSerializer(many=True),
            304: UNCHANGED,
            400: REFUSED,
            404: MISSING,
        },
    )
)
class Entries(TournamentReading):
    """List the participants by TPN; those without one last."""

    pagination_class = Pages

    def read(self, frame: Frame, **where: Any) -> Response:
        shape = EntryForArbitersSerializer if frame.runs else EntrySerializer
        return self.page_of(queries.entry_rows(frame.tournament), shape)


@extend_schema_view(
    get=extend_schema(
        operation_id="rounds",
        parameters=[SLUG],
        responses={200: RoundSerializer(many=True), 304: UNCHANGED, 400: REFUSED, 404: MISSING},
    )
)
class Rounds(TournamentReading):
    """List the declared rounds in order. To a visitor a draft is a planned round."""

    pagination_class = Pages

    def read(self, frame: Frame, **where: Any) -> Response:
        return self.page_of(queries.round_lines(frame), RoundSerializer)


@extend_schema_view(
    get=extend_schema(
        operation_id="round",
        parameters=[SLUG, NUMBER],
        responses={200: RoundSerializer, 304: UNCHANGED, 400: REFUSED, 404: MISSING},
    )
)
class RoundDetail(TournamentReading):
    """Return one round."""

    def read(self, frame: Frame, **where: Any) -> Response:
        number = known_round(frame, where["number"])
        return Response(RoundSerializer(queries.round_lines(frame)[number - 1]).data)


@extend_schema_view(
    get=extend_schema(
        operation_id="pairings",
        parameters=[SLUG, NUMBER],
        responses={200: PairingsSerializer, 304: UNCHANGED, 400: REFUSED, 404: MISSING},
    )
)
class Pairings(TournamentReading):
    """Return the boards of a round in publication order, with the results once these are published.

    Before the pairings are published the answer is 404, with or without a draft. Arbiters of the
    tournament get the draft, and results as they are entered; the record keeps who has read a
    draft, as on the page.
    """

    def read(self, frame: Frame, **where: Any) -> HttpResponse:
        number = known_round(frame, where["number"])
        if frame.state_of(number) == RoundState.PLANNED:
            raise not_published(number)
        row = Round.objects.get(tournament=frame.tournament, number=number)
        if isinstance(self.request.user, User):
            draft_viewed(row, self.request.user, timezone.now())
        return Response(PairingsSerializer(round_page(frame, row)).data)


@extend_schema_view(
    get=extend_schema(
        operation_id="standings",
        parameters=[SLUG, AFTER],
        responses={200: StandingsSerializer, 304: UNCHANGED, 400: REFUSED, 404: MISSING},
    )
)
class Standings(TournamentReading):
    """Return the standings after a round whose results are published;
    without a number, after the newest one.
    """

    known: tuple[str, ...] = ("after_round",)

    def read(self, frame: Frame, **where: Any) -> HttpResponse:
        after = published_round(self.request, frame)
        page = standings(frame, after_round=after)
        publications = standings_record(frame.tournament, after)
        answer = {
            "after_round": after,
            "left_out": page.left_out,
            "lots_seed": page.lots.seed if page.lots else None,
            "publication": publications.publication,
            "corrections": publications.corrections,
            "standings": page.lines,
        }
        return Response(StandingsSerializer(answer).data)


@extend_schema_view(
    get=extend_schema(
        operation_id="trf",
        parameters=[SLUG],
        responses={
            (200, "text/plain"): str,
            304: UNCHANGED,
            (400, "application/json"): REFUSED,
            (404, "application/json"): MISSING,
        },
    )
)
class Report(TournamentReading):
    """Return the tournament report file (TRF) in UTF-8:
    published rounds, with results if these are published.
    """

    def read(self, frame: Frame, **where: Any) -> HttpResponse:
        text = trf_export(frame.tournament, public=not frame.runs)
        return HttpResponse(text.encode(), content_type="text/plain; charset=utf-8")


@extend_schema_view(
    get=extend_schema(
        operation_id="record",
        parameters=[SLUG],
        responses={200: DecisionSerializer(many=True), 304: UNCHANGED, 400: REFUSED, 404: MISSING},
    )
)
class Record(TournamentReading):
    """Return the record, oldest line first.

    Actions on a round appear when that round is published.
    """

    pagination_class = Pages

    def read(self, frame: Frame, **where: Any) -> Response:
        return self.page_of(decision_rows(frame), DecisionSerializer)


class Nothing(APIView):
    """Answer every other address under the API with a 404 in the shape of the other errors."""

    content_negotiation_class = OneFormat
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise ApiProblem(404, "not_found", _("There is no page at this address."))
