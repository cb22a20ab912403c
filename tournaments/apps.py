from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = _("Tournaments")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.contrib.auth.models import User
        from django.db.models.signals import pre_save

        from tournaments.backups import automatic
        from tournaments.core.actions import AT_THE_END
        from tournaments.core.numbers import number_new_account
        from tournaments.mirrors import pushing, running
        from tournaments.reports import published_lists
        from tournaments.standings import forecast_process
        from tournaments.web import storing
        from tournaments.web.mirror import event_snapshot, snapshot

        pre_save.connect(number_new_account, sender=User)
        # The pages show what the others have stored.
        AT_THE_END.extend((published_lists.store, forecast_process.follow, automatic.follow, storing.store))
        # After the pages are stored, the mirror takes them.
        AT_THE_END.append(running.follow)
        pushing.MAKERS.append(snapshot.snapshot_of)
        pushing.EVENT_MAKERS.append(event_snapshot.snapshot_of)
