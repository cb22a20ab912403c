"""``./run manage delete_personal_data``: name the tournaments whose personal data are due;
--due deletes the data.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tournaments.lists.imports.large_trf import openings_forget
from tournaments.models import Tournament
from tournaments.setup.personal_data import (
    Found,
    data_delete_due,
    deletion_due_at,
    due_tournaments,
    found,
)


class Command(BaseCommand):
    help = (
        "Say of which tournaments the personal data are due to be deleted, by their setting or "
        "that of the site; "
        "--due deletes them. It cannot be undone. Only tournaments with final standings can be due."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("tournament", nargs="?", help="show this tournament alone, due or not")
        parser.add_argument(
            "--due", action="store_true", help="delete what is due; without it nothing changes"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        if options["tournament"]:
            if options["due"]:
                raise CommandError(
                    "With --due all tournaments are done that are due: leave the name out."
                )
            self._show(options["tournament"], now)
            return
        if options["due"] and (files := openings_forget(now)):
            self.stdout.write(
                f"Large TRF files that nobody went on with for a day: {files} deleted."
            )
        due = due_tournaments(now)
        for tournament in due:
            there = (
                data_delete_due(tournament_id=tournament.pk, now=now)
                if options["due"]
                else found(tournament)
            )
            if there is not None:
                done = "deleted" if options["due"] else "would be deleted"
                self.stdout.write(f"{tournament.slug}: {_counted(there)} {done}.")
        if not due:
            self.stdout.write("No personal data are due to be deleted.")
        elif not options["due"]:
            self.stdout.write(
                "Nothing was changed. To delete: ./run manage delete_personal_data --due"
            )

    def _show(self, slug: str, now: datetime) -> None:
        tournament = Tournament.objects.filter(slug=slug).first()
        if tournament is None:
            raise CommandError(f"There is no tournament at /t/{slug}/.")
        due = deletion_due_at(tournament)
        if due is None:
            when = "not due: the standings are not final, or no time is set"
        else:
            when = f"due {'since' if due <= now else 'on'} {due:%Y-%m-%d}"
        self.stdout.write(f"{slug}: {_counted(found(tournament))}; {when}. Nothing was changed.")


def _counted(there: Found) -> str:
    return (
        ", ".join(
            f"{count} {name.replace('_', ' ')}" for name, count in asdict(there).items() if count
        )
        or "nothing"
    )
