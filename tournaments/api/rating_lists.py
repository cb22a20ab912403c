"""Rating lists over REST, as their pages have them:
the lists in use, a search, and the refresh of ratings.
"""

from __future__ import annotations

from typing import Any, Final

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import (
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
    extend_schema_field,
)
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.permissions import Power, may_load_lists
from tournaments.core.request_values import MOST
from tournaments.lists.rating_lists.comparing import Comparison, compare, refresh
from tournaments.lists.rating_lists.loading import replaced_by
from tournaments.lists.rating_lists.replacing import list_use, waiting_lists
from tournaments.lists.rating_lists.search import MAX_QUERY, Listed, lists_in_use, search_lists
from tournaments.models import RateOfPlay, RatingList, Title

from .errors import ApiProblem
from .for_people import INVALID, NOT_JSON, ForPeople, checked_body, tournament_for
from .serializers import STAYS, CodeField, ErrorSerializer
from .views import MISSING, REFUSED, SLUG

LEAST_LETTERS: Final = 2
MOST_KEYS: Final = 40_000
NOT_ALLOWED: Final = OpenApiResponse(ErrorSerializer, description="Not for this account.")
QUERY: Final = OpenApiParameter(
    "q",
    {"type": "string", "minLength": LEAST_LETTERS, "maxLength": MAX_QUERY},
    required=True,
    description="The beginnings of words of a name in any order, or the beginning of a FIDE ID.",
)


class RatingListSerializer(serializers.Serializer[Any]):
    """A list."""

    id = serializers.IntegerField(source="pk", help_text="Send it to `use/`.")
    federation = serializers.CharField(help_text="Empty: the list of FIDE.")
    rate_of_play = CodeField(RateOfPlay.values, nullable=True, source="rate")
    month = serializers.DateField(
        allow_null=True, help_text="The first day of the month for which it is valid."
    )
    players = serializers.IntegerField()
    left_out = serializers.IntegerField(help_text="Lines that could not be read.")
    loaded_at = serializers.DateTimeField(source="begun_at")
    loaded_by = serializers.SerializerMethodField(help_text="Null: on the server.")

    def get_loaded_by(self, row: RatingList) -> str | None:
        return (
            (row.loaded_by.get_full_name() or row.loaded_by.get_username())
            if row.loaded_by
            else None
        )


class RatingListInUseSerializer(RatingListSerializer):
    """A list in use, with those that can be used instead."""

    replaced = serializers.SerializerMethodField(
        help_text="The list before, if it can be used again."
    )
    waiting = serializers.SerializerMethodField(
        help_text="A much smaller list, which waits for a decision."
    )

    @extend_schema_field(RatingListSerializer(allow_null=True))
    def get_replaced(self, row: RatingList) -> Any:
        before = replaced_by(row)
        return before and RatingListSerializer(before).data

    @extend_schema_field(RatingListSerializer(allow_null=True))
    def get_waiting(self, row: RatingList) -> Any:
        waiting = next((each for each, current in waiting_lists() if current == row), None)
        return waiting and RatingListSerializer(waiting).data


class UseListSerializer(serializers.Serializer[Any]):
    """The list to use, instead of the list shown."""

    list = serializers.IntegerField(min_value=1, max_value=MOST)
    seen_current = serializers.IntegerField(
        min_value=0,
        max_value=MOST,
        required=False,
        help_text="Refused if another list is in use by now.",
    )


class ListedSerializer(serializers.Serializer[Any]):
    """A player in the lists, with the ratings for the rate of play of the tournament."""

    fide_id = serializers.IntegerField(source="row.fide_id", help_text="0: the player has none.")
    name = serializers.CharField(source="row.name")
    title = CodeField(Title.values, nullable=True, source="row.title")
    federation = serializers.CharField(source="row.federation")
    birth_year = serializers.SerializerMethodField()
    fide_rating = serializers.IntegerField(allow_null=True)
    national_rating = serializers.IntegerField(allow_null=True)
    second_rating = serializers.IntegerField(allow_null=True)
    inactive = serializers.SerializerMethodField()

    def get_birth_year(self, listed: Listed) -> int | None:
        return int(listed.row.birth[:4]) if listed.row.birth else None

    def get_inactive(self, listed: Listed) -> bool:
        return bool(listed.row.inactive)


class DifferenceSerializer(serializers.Serializer[Any]):
    """A field with another value in the list."""

    key = serializers.CharField(help_text="Send it back in `take` to take over the new value.")
    field = serializers.CharField()
    old = serializers.CharField(allow_null=True)
    new = serializers.CharField(allow_null=True)


class DifferentEntrySerializer(serializers.Serializer[Any]):
    """A participant with other values in the list."""

    id = serializers.IntegerField(source="entry.pk", help_text=STAYS)
    tpn = serializers.IntegerField(source="entry.tpn", allow_null=True)
    fide_id = serializers.IntegerField(source="entry.fide_id", allow_null=True)
    name = serializers.CharField(source="entry.name")
    by_name = serializers.BooleanField(
        help_text="Found by name and year of birth, because there is no FIDE ID."
    )
    differences = DifferenceSerializer(many=True)


class ComparisonSerializer(serializers.Serializer[Any]):
    """The participants compared with the lists."""

    lists = RatingListSerializer(many=True)
    different = DifferentEntrySerializer(many=True)
    not_found = serializers.SerializerMethodField(
        help_text="The ids of participants who are in no list."
    )
    same = serializers.IntegerField(help_text="How many participants agree with the list.")

    def get_not_found(self, comparison: Comparison) -> list[int]:
        return [entry.pk for entry in comparison.not_found]


class TakeSerializer(serializers.Serializer[Any]):
    """The differences to take over."""

    take = serializers.ListField(child=serializers.CharField())
    reason = serializers.CharField(required=False, help_text="Needed once round 1 was paired.")


class TakenSerializer(serializers.Serializer[Any]):
    """The saved changes."""

    changed = serializers.IntegerField(
        help_text="Participants with changed data; each has its line of the record."
    )


class RatingLists(ForPeople):
    """List the rating lists in use, for accounts that may load lists."""

    @extend_schema(
        operation_id="rating_lists",
        responses={200: RatingListInUseSerializer(many=True), 400: REFUSED, 403: NOT_ALLOWED},
    )
    def get(self, request: Request) -> Response:
        if not may_load_lists(request.user):
            raise PermissionDenied
        return Response(RatingListInUseSerializer(lists_in_use(), many=True).data)


class RatingListUse(ForPeople):
    """Use a list that waits because it is much smaller, or go back to the list before;
    for the same accounts.
    """

    @extend_schema(
        operation_id="rating_list_use",
        request=UseListSerializer,
        responses={
            200: RatingListInUseSerializer,
            400: INVALID,
            403: NOT_ALLOWED,
            409: OpenApiResponse(
                ErrorSerializer, description="It cannot be used any more, or another is in use."
            ),
            415: NOT_JSON,
        },
    )
    def post(self, request: Request) -> Response:
        if not may_load_lists(request.user):
            raise PermissionDenied
        given = checked_body(UseListSerializer, request)
        user = request.user
        assert isinstance(user, User)
        row = list_use(
            list_id=given["list"],
            actor=user,
            now=timezone.now(),
            seen_current=given.get("seen_current"),
        )
        return Response(RatingListInUseSerializer(row).data)


class RatingSearch(ForPeople):
    """Search a player in the lists of a tournament, for people with a role in it; at most 20."""

    known = ("q",)

    @extend_schema(
        operation_id="rating_search",
        parameters=[SLUG, QUERY],
        responses={200: ListedSerializer(many=True), 400: REFUSED, 403: NOT_ALLOWED, 404: MISSING},
    )
    def get(self, request: Request, slug: str) -> Response:
        tournament, _user = tournament_for(request, slug, Power.READ)
        given = request.query_params.getlist("q")
        if len(given) != 1 or not LEAST_LETTERS <= len(given[0]) <= MAX_QUERY:
            message = _("%(name)s must be given once, with %(least)s to %(most)s characters.")
            limits: dict[str, Any] = {"name": "q", "least": LEAST_LETTERS, "most": MAX_QUERY}
            raise ApiProblem(400, "query.invalid", message % limits, **limits)
        return Response(ListedSerializer(search_lists(tournament, given[0]), many=True).data)


class RatingRefresh(ForPeople):
    """Compare the participants with the lists, and take over chosen differences.

    For arbiters of the tournament.
    """

    @extend_schema(
        operation_id="ratings_compared",
        parameters=[SLUG],
        responses={200: ComparisonSerializer, 400: REFUSED, 403: NOT_ALLOWED, 404: MISSING},
    )
    def get(self, request: Request, slug: str) -> Response:
        tournament, _user = tournament_for(request, slug, Power.READ)
        return Response(ComparisonSerializer(compare(tournament)).data)

    @extend_schema(
        operation_id="ratings_take_over",
        parameters=[SLUG],
        request=TakeSerializer,
        responses={
            200: TakenSerializer,
            400: OpenApiResponse(
                ErrorSerializer, description="Nothing to take over, or a rule refuses an entry."
            ),
            403: NOT_ALLOWED,
            404: MISSING,
            409: OpenApiResponse(
                ErrorSerializer, description="Another difference now: compare again."
            ),
            415: OpenApiResponse(ErrorSerializer, description="The body is not JSON."),
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament, user = tournament_for(request, slug, Power.RUN)
        keys, reason = _wanted(request.data)
        changed = refresh(
            tournament_id=tournament.pk, actor=user, now=timezone.now(), keys=keys, reason=reason
        )
        return Response({"changed": changed})


def _wanted(data: object) -> tuple[set[str], str]:
    """Return the keys and the reason in the body *data*; ``json.type`` for another shape."""
    take = data.get("take") if isinstance(data, dict) else None
    reason = data.get("reason", "") if isinstance(data, dict) else ""
    if (
        not isinstance(take, list)
        or len(take) > MOST_KEYS
        or not all(isinstance(key, str) for key in take)
    ):
        raise _wrong("take", _("“take” must be a list of keys."))
    if not isinstance(reason, str) or not _is_kept(reason):
        raise _wrong("reason", _("“reason” must be a text."))
    return set(take), reason[:1000]


def _is_kept(text: str) -> bool:
    """Say whether a database can keep *text*: no NUL, and no half of a surrogate pair."""
    return "\0" not in text and not any("\ud800" <= sign <= "\udfff" for sign in text)


def _wrong(path: str, message: str) -> ApiProblem:
    return ApiProblem(400, "json.type", message, path=path)
