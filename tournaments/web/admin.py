"""The tournaments in the admin site, to look at.

What happens inside one is for the people appointed to it.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_post_parameters
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from pairing.rules.powers import NEW_ADDRESS
from tournaments.models import DeletedTournament, Tournament
from tournaments.people.accounts.second_step import switch_off
from tournaments.people.log_in_changes import log_in_changed
from tournaments.people.new_accounts import WITH_LINK
from tournaments.web.people.accounts.new_password import link_for
from tournaments.web.templatetags.paper import public_address

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Any]
    _UserAdmin = UserAdmin[User]
else:
    _ModelAdmin = admin.ModelAdmin
    _UserAdmin = UserAdmin

logger = logging.getLogger(__name__)
# Their pages would show the secrets of others. The action of AccountAdmin below is enough.
admin.site.unregister([User, TOTPDevice, StaticDevice])


@admin.register(User)
class AccountAdmin(_UserAdmin):
    """The accounts with a password.

    People who sign in with a link belong to the Chief Arbiter of their tournament.
    """

    actions = ("link_for_a_new_password", "second_step_off")

    @admin.action(
        description=_("Switch off the second step (the phone is lost)"), permissions=["change"]
    )
    def second_step_off(self, request: HttpRequest, accounts: QuerySet[User]) -> None:
        """Let each of *accounts* log in with the password alone; the log names both."""
        for account in accounts:
            if switch_off(account, by=cast(User, request.user)):
                self.message_user(
                    request, _("The second step of %(name)s is off.") % {"name": account.username}
                )

    @admin.action(description=_("Make a link for a new password"), permissions=["change"])
    def link_for_a_new_password(self, request: HttpRequest, accounts: QuerySet[User]) -> None:
        """Show a link for each of *accounts*, once.

        With it one could log in as that person, so the records say so.
        """
        with transaction.atomic():
            for account in accounts:
                if not (account.is_active and account.has_usable_password()):
                    self.message_user(
                        request,
                        _("The account %(name)s is not active.") % {"name": account},
                        messages.ERROR,
                    )
                    continue
                log_in_changed(person=account, actor=cast(User, request.user), now=timezone.now())
                logger.warning(
                    "Link for a new password of %r made by %r",
                    account.username,
                    request.user.get_username(),
                )
                link = public_address(request, link_for(account)) or request.build_absolute_uri(
                    link_for(account)
                )
                text = _(
                    "Give this link to %(name)s alone. It works once, until tomorrow: %(link)s"
                )
                self.message_user(request, text % {"name": account.username, "link": link})

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return super().get_queryset(request).exclude(username__startswith=WITH_LINK)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save the account; the records say so if the address for links is another."""
        before = User.objects.filter(pk=obj.pk).values_list("email", flat=True).first()
        if not change:
            obj.save(force_insert=True)
            return
        super().save_model(request, obj, form, change)
        if before != obj.email and isinstance(request.user, User):
            log_in_changed(person=obj, actor=request.user, now=timezone.now(), reason=NEW_ADDRESS)

    @method_decorator(sensitive_post_parameters())
    def user_change_password(
        self,
        request: HttpRequest,
        id: str,  # noqa: A002
        form_url: str = "",
    ) -> HttpResponse:
        """Set a password; the record of each tournament in which the person holds a role says so,
        or nothing is set.
        """
        with transaction.atomic():
            # Found as the page finds it: it reads " 12", "+12" and "1_2" as the number 12 too.
            before = self.get_object(request, unquote(id))
            response = super().user_change_password(request, id, form_url)
            after = User.objects.filter(pk=before.pk).first() if before else None
            if (
                before
                and after
                and before.password != after.password
                and isinstance(request.user, User)
            ):
                log_in_changed(person=after, actor=request.user, now=timezone.now())
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

    Players, drafts, results and the record are not here, because a site administrator has no role
    in the tournament.
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
