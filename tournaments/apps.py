from django.apps import AppConfig
from django.conf import settings
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = _("Tournaments")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.contrib.auth.models import User
        from django.db.models.signals import pre_save

        from tournaments.core.actions import AT_THE_END
        from tournaments.core.jobs import KINDS, Kind
        from tournaments.core.numbers import number_new_account
        from tournaments.lists.imports import large_trf
        from tournaments.lists.rating_lists import loading, renewing, watching
        from tournaments.reports import long_recheck, published_lists
        from tournaments.site.backups import automatic
        from tournaments.site.mirrors import exporting, sources, updating
        from tournaments.standings import forecasts
        from tournaments.web import admin as _admin_pages, storing  # noqa: F401 - registers the tables
        from tournaments.web.mirror import event_export, tournament_export
        from tournaments.web.pairing_mail import sending as mails
        from tournaments.web.push import sending, subscriptions

        pre_save.connect(number_new_account, sender=User)
        # The pages show what the others have stored.
        AT_THE_END.extend(
            (published_lists.store, forecasts.follow, automatic.follow, storing.store)
        )
        # After the pages are stored, the mirror takes them.
        AT_THE_END.append(updating.follow)
        AT_THE_END.extend((sending.follow, mails.follow))
        sources.MAKERS.update({False: tournament_export.version_of, True: event_export.version_of})
        KINDS.update(
            {
                automatic.JOB: Kind(
                    automatic.copy_job,
                    nice=10,
                    pause=automatic.PAUSE,
                    every=lambda: settings.BACKUP_MINUTES * 60.0,
                ),
                forecasts.JOB: Kind(forecasts.forecast_job, nice=19, slots=2),
                # The arbiter waits for a file, and while its tournament is saved so does everybody
                # else who writes.
                large_trf.JOB: Kind(large_trf.opening_job, nice=0, slots=2),
                loading.JOB: Kind(loading.list_job, nice=10),
                renewing.JOB: Kind(renewing.renew_job, nice=19, every=lambda: renewing.EVERY),
                watching.JOB: Kind(watching.watch_job, nice=19, every=lambda: watching.EVERY),
                subscriptions.JOB: Kind(
                    sending.push_job, nice=5, slots=4, every=lambda: sending.EVERY
                ),
                mails.JOB: Kind(mails.mail_job, nice=5, slots=2),
                long_recheck.JOB: Kind(long_recheck.recheck_job, nice=10, slots=2),
                exporting.JOB: Kind(exporting.file_job, nice=19),
                updating.JOB: Kind(
                    updating.mirror_job, nice=19, slots=8, at_start=updating.start_all
                ),
            }
        )
