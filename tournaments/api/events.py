"""Events with their sections, for programs."""

from __future__ import annotations

from django.db.models import Prefetch
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.events.event_page import events_for
from tournaments.models import Event, Section

from .errors import unknown_event
from .views import MISSING, REFUSED, Pages, Reading

EVENT = OpenApiParameter("slug", str, OpenApiParameter.PATH, description="The event's address.")
WITH_SECTIONS = Prefetch("sections", Section.objects.select_related("tournament"))


class SectionSerializer(serializers.Serializer[Section]):
    """A section: a tournament, and the players for whom it is meant; ``null`` means no limit."""

    section = serializers.CharField(source="label")
    tournament = serializers.CharField(
        source="tournament.slug", help_text="The address of the tournament."
    )
    name = serializers.CharField(source="tournament.name")
    rating_from = serializers.IntegerField(allow_null=True)
    rating_to = serializers.IntegerField(allow_null=True)
    born_from = serializers.IntegerField(allow_null=True)
    born_to = serializers.IntegerField(allow_null=True)


class EventSerializer(serializers.Serializer[Event]):
    """An event of several tournaments; the sections are in the order that the arbiter chose."""

    slug = serializers.CharField()
    name = serializers.CharField()
    sections = SectionSerializer(many=True)


@extend_schema_view(
    get=extend_schema(
        operation_id="events",
        responses={200: EventSerializer(many=True), 400: REFUSED, 404: MISSING},
    )
)
class Events(Reading):
    """List the events with several sections, the newest first."""

    pagination_class = Pages

    def get(self, request: Request) -> Response:
        return self.page_of(
            events_for(request.user).prefetch_related(WITH_SECTIONS), EventSerializer
        )


@extend_schema_view(
    get=extend_schema(
        operation_id="event",
        parameters=[EVENT],
        responses={200: EventSerializer, 400: REFUSED, 404: MISSING},
    )
)
class EventDetail(Reading):
    """Return one event with its sections."""

    def get(self, request: Request, slug: str) -> Response:
        event = Event.objects.prefetch_related(WITH_SECTIONS).filter(slug=slug).first()
        if event is None:
            raise unknown_event(slug)
        return Response(EventSerializer(event).data)
