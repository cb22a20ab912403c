"""The tournaments in the admin site, to look at. What happens inside one is for the people appointed to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters

from tournaments.people.people import WITH_LINK, password_set

from .models import DeletedTournament, Tournament

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Any]
    _UserAdmin = UserAdmin[User]
else:
    _ModelAdmin = admin.ModelAdmin
    _UserAdmin = UserAdmin

admin.site.unregister(User)


@admin.register(User)
class AccountAdmin(_UserAdmin):
    """The accounts with a password. People who sign in with a link belong to the Chief Arbiter of their tournament."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return super().get_queryset(request).exclude(username__startswith=WITH_LINK)

    @method_decorator(sensitive_post_parameters())
    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002
        """Set a password; the record of each tournament in which the person holds a role says so, or nothing is set."""
        with transaction.atomic():
            rows = User.objects.filter(pk=id) if id.isdecimal() else User.objects.none()
            before = rows.first()
            response = super().user_change_password(request, id, form_url)
            after = rows.first()
            if before and after and before.password != after.password and isinstance(request.user, User):
                password_set(person=after, actor=request.user, now=timezone.now())
        return response


@admin.register(DeletedTournament)
class DeletedTournamentAdmin(_ModelAdmin):
    """Show the log of deleted tournaments; the database refuses to change it."""

    list_display = ("name", "slug", "lines", "by_name", "at")
    search_fields = ("name", "slug", "identity")

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Tournament)
class TournamentAdmin(_ModelAdmin):
    """Allow no adding, changing or removing: a change here would have no line in the record.

    Players, drafts, results and the record are not here, because a site administrator has no role in the tournament.
    """

    list_display = ("name", "city", "start_date", "total_rounds", "system", "created_by")
    list_filter = ("system",)
    list_select_related = ("created_by",)
    search_fields = ("name", "city", "slug")

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False
