"""Look and search in the admin site. It changes nothing: every action goes through the services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest

from .models import Decision, Entry, Game, RequestedBye, Round, Seat, Tournament

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Any]
    _TabularInline = admin.TabularInline[Any, Any]
else:
    _ModelAdmin = admin.ModelAdmin
    _TabularInline = admin.TabularInline


class _LookOnly:
    """Allow no adding, changing or removing. A change here would have no line in the record."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class RequestedByeInline(_LookOnly, _TabularInline):
    model = RequestedBye


class SeatInline(_LookOnly, _TabularInline):
    model = Seat


@admin.register(Tournament)
class TournamentAdmin(_LookOnly, _ModelAdmin):
    list_display = ("name", "city", "start_date", "total_rounds", "system", "created_by")
    list_filter = ("system",)
    list_select_related = ("created_by",)
    search_fields = ("name", "city", "slug")


@admin.register(Entry)
class EntryAdmin(_LookOnly, _ModelAdmin):
    list_display = ("tpn", "name", "title", "rating", "federation", "fide_id", "tournament", "withdrawn_from")
    list_display_links = ("name",)
    list_filter = ("tournament",)
    list_select_related = ("tournament",)
    search_fields = ("name", "fide_id")
    inlines = (RequestedByeInline,)


@admin.register(Round)
class RoundAdmin(_LookOnly, _ModelAdmin):
    list_display = ("tournament", "number", "state", "paired_at", "published_at", "results_published_at")
    list_display_links = ("number",)
    list_filter = ("state", "tournament")
    list_select_related = ("tournament",)
    search_fields = ("tournament__name",)


@admin.register(Game)
class GameAdmin(_LookOnly, _ModelAdmin):
    list_display = ("round", "board", "result", "version")
    list_display_links = ("board",)
    list_filter = ("round__tournament",)
    list_select_related = ("round__tournament",)
    search_fields = ("round__tournament__name", "seats__entry__name")
    inlines = (SeatInline,)


@admin.register(Decision)
class DecisionAdmin(_LookOnly, _ModelAdmin):
    list_display = ("tournament", "sequence", "action", "article", "actor_name", "at", "round_number")
    list_display_links = ("sequence",)
    list_filter = ("action", "tournament")
    list_select_related = ("tournament",)
    search_fields = ("tournament__name", "action", "article", "actor_name", "reason")
