"""Hand an event over to another computer and take it over there, as the pages do."""

from __future__ import annotations

from typing import Any, Final

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.names_of_people import name_of
from tournaments.core.permissions import Power, require_may_take_over
from tournaments.models import Role, Tournament
from tournaments.site.backups.hand_over import (
    LONGEST,
    event_bring_back,
    event_file,
    event_hand_over,
    require_handed_over_here,
)
from tournaments.site.backups.log_ins import roles_here
from tournaments.site.backups.taking_over import MOST_BYTES, event_take_over

from .entry_import import FileParser
from .for_people import INVALID, NOT_JSON, ForPeople, checked_body, tournament_for
from .serializers import ErrorSerializer
from .views import MISSING, SLUG

NOT_CHIEF: Final = OpenApiResponse(
    ErrorSerializer, description="Not the Chief Arbiter of the tournament."
)
BYTES: Final = {"application/octet-stream": {"type": "string", "format": "binary"}}


class EventFileParser(FileParser):
    """Take the body as the file of an event."""

    most_bytes = MOST_BYTES


class SeenSerializer(serializers.Serializer[Any]):
    """The version of the tournament for which a decision is meant."""

    seen_version = serializers.IntegerField(
        min_value=0,
        max_value=10**9,
        required=False,
        help_text="Refused if the tournament has another version.",
    )


class HandOverInputSerializer(SeenSerializer):
    """Where the event goes on."""

    to = serializers.CharField(max_length=LONGEST, help_text="Which computer, or who.")
    address = serializers.CharField(
        max_length=2 * LONGEST,
        required=False,
        allow_blank=True,
        default="",
        help_text="The new address for visitors, with http:// or https://; empty: none is shown.",
    )


class BringBackInputSerializer(SeenSerializer):
    """The event goes on here."""

    confirmed = serializers.BooleanField(
        help_text="Nobody goes on with the event on the other computer."
    )


class CopySerializer(serializers.Serializer[Tournament]):
    """A tournament of the event, in this copy."""

    tournament = serializers.CharField(source="slug", help_text="Its address here.")
    name = serializers.CharField()
    version = serializers.IntegerField(help_text="The number of lines of its record.")
    handed_over_at = serializers.DateTimeField(
        allow_null=True, help_text="Null: this is the live copy."
    )
    handed_over_to = serializers.CharField(allow_blank=True)
    handed_over_address = serializers.CharField(allow_blank=True)


def _decided(refusal: str) -> dict[int, Any]:
    """Return the answers to a decision; *refusal* describes when it is refused."""
    return {
        200: CopySerializer(many=True),
        400: INVALID,
        403: NOT_CHIEF,
        404: MISSING,
        409: OpenApiResponse(ErrorSerializer, description=refusal),
        415: NOT_JSON,
    }


def _copies(sections: list[Tournament]) -> list[Any]:
    return [CopySerializer(each).data for each in sections]


class RenamedSerializer(serializers.Serializer[Any]):
    """An account whose name is taken here, and its name here."""

    name = serializers.CharField()
    here = serializers.CharField()


class RoleHereSerializer(serializers.Serializer[Any]):
    """A role in the event, by its file, of an account that was on this site before."""

    tournament = serializers.CharField(source="tournament.slug")
    name = serializers.CharField(source="person.username", help_text="The name of the account.")
    role = serializers.ChoiceField(choices=[role.value for role in Role])
    accepted = serializers.BooleanField(
        help_text="False: the role has no effect until the account accepts it on the list of "
        "tournaments, or a site "
        "administrator confirms it on the page Take over an event."
    )


class NewLinkSerializer(serializers.Serializer[Any]):
    """How a Chief Arbiter who came with the file logs in here. Given once; only hashes are kept."""

    tournament = serializers.CharField()
    person = serializers.CharField()
    link = serializers.CharField(help_text="The path of the link.")
    pin = serializers.CharField()


class TakenOverSerializer(serializers.Serializer[Any]):
    """The tournaments that were taken over."""

    tournaments = CopySerializer(many=True)
    renamed = RenamedSerializer(many=True)
    accounts = RoleHereSerializer(many=True)
    links = NewLinkSerializer(many=True)


class EventHandOver(ForPeople):
    """Hand over the event of a tournament, all its sections: this copy is read only then."""

    @extend_schema(
        operation_id="event_hand_over",
        parameters=[SLUG],
        request=HandOverInputSerializer,
        responses=_decided("`hand_over.is_away`: handed over already; or another version by now."),
    )
    def post(self, request: Request, slug: str) -> Response:
        """Seal the copy here. Then download its file."""
        tournament, user = tournament_for(request, slug, Power.DECIDE)
        given = checked_body(HandOverInputSerializer, request)
        sections = event_hand_over(
            tournament_id=tournament.pk, actor=user, now=timezone.now(), **given
        )
        return Response(_copies(sections))


class EventFile(ForPeople):
    """The file for the other computer."""

    @extend_schema(
        operation_id="event_file",
        parameters=[SLUG],
        responses={
            (200, "application/octet-stream"): {"type": "string", "format": "binary"},
            400: INVALID,
            403: NOT_CHIEF,
            404: MISSING,
            409: OpenApiResponse(
                ErrorSerializer, description="`hand_over.is_here`: the event is not handed over."
            ),
        },
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return the event as it was handed over, as often as needed.

        It has dates of birth, phone numbers, e-mail addresses and the secrets of table codes.
        """
        tournament, _ = tournament_for(request, slug, Power.DECIDE)
        require_handed_over_here(tournament)
        response = HttpResponse(
            event_file(tournament, now=timezone.now()), content_type="application/octet-stream"
        )
        response.headers["Content-Disposition"] = f'attachment; filename="{tournament.slug}.event"'
        return response


class EventBringBack(ForPeople):
    """Make this copy live again, for a lost file or a broken computer."""

    @extend_schema(
        operation_id="event_bring_back",
        parameters=[SLUG],
        request=BringBackInputSerializer,
        responses=_decided("`hand_over.is_here`: not handed over; or another version by now."),
    )
    def post(self, request: Request, slug: str) -> Response:
        """Go on here, and only here: two live copies cannot be put together."""
        tournament, user = tournament_for(request, slug, Power.DECIDE)
        given = checked_body(BringBackInputSerializer, request)
        sections = event_bring_back(
            tournament_id=tournament.pk, actor=user, now=timezone.now(), **given
        )
        return Response(_copies(sections))


class EventTakeOver(ForPeople):
    """Take over an event: the body of the request is the file of the other computer."""

    parser_classes = [EventFileParser]

    @extend_schema(
        operation_id="event_take_over",
        request=BYTES,
        responses={
            201: TakenOverSerializer,
            400: OpenApiResponse(
                ErrorSerializer,
                description="`take_over.no_file`, `take_over.damaged`, `take_over.unreadable`, "
                "`take_over.whole_site`, "
                "`take_over.faults`: the file cannot be used.",
            ),
            403: OpenApiResponse(ErrorSerializer, description="Not a site administrator."),
            409: OpenApiResponse(
                ErrorSerializer,
                description="`take_over.is_here`; `take_over.is_away`: handed over from here; "
                "`take_over.fork`, whose "
                "params have the number of the first different line, and action, actor, time and "
                "fingerprint of it "
                "`here` and in the `file`; `take_over.not_handed_over`; `take_over.is_live`; "
                "`take_over.other_version`; `take_over.player` and `take_over.account`: a number of the "
                "file is taken here.",
            ),
            413: OpenApiResponse(ErrorSerializer, description="More than 64 MB."),
            415: OpenApiResponse(
                ErrorSerializer, description="A form: send the file itself as the body."
            ),
        },
    )
    def post(self, request: Request) -> Response:
        """Save the event and go on with it here, or change nothing. For site administrators."""
        require_may_take_over(request.user)
        user = request.user
        assert isinstance(user, User)
        data: Any = request.data  # a body without a length is not parsed
        done = event_take_over(
            [data if isinstance(data, bytes) else b""], actor=user, now=timezone.now()
        )
        renamed = [{"name": old, "here": new} for old, new in done.renamed]
        links = [
            {
                "tournament": row.tournament.slug,
                "person": name_of(row.person),
                "link": reverse("sign-in-link", args=[access.secret]),
                "pin": access.pin,
            }
            for row, access in done.links
        ]
        values = {"tournaments": done.tournaments, "renamed": renamed, "accounts": roles_here(done)}
        response = Response(TakenOverSerializer({**values, "links": links}).data, status=201)
        # A link and its PIN are kept as hashes only, also for a repetition of the request.
        response.data_to_store = TakenOverSerializer({**values, "links": []}).data  # type: ignore[attr-defined]
        return response
