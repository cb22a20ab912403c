"""Check that the record of a tournament is unchanged."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.core import record
from tournaments.models import Tournament
from tournaments.reports.record_against_tables import differences


class Command(BaseCommand):
    help = (
        "Say whether any row of a tournament's record was altered, removed or moved, and whether the tables hold what "
        "it says: every fault with its row, every difference with its place. "
        "Exit code 1 if there is one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("tournament", help="the tournament's name in its address, like autumn-open")
        parser.add_argument(
            "--fingerprint",
            metavar="HASH",
            help="a fingerprint printed on a published list; without it nobody can see that the last rows are missing",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        tournament = Tournament.objects.filter(slug=options["tournament"]).first()
        if tournament is None:
            known = ", ".join(Tournament.objects.order_by("slug").values_list("slug", flat=True)) or "none"
            raise CommandError(f"There is no tournament “{options['tournament']}”. There are: {known}.")
        faults = record.verify(tournament)
        copy = (options["fingerprint"] or "").strip().lower()
        if options["fingerprint"] is not None:
            found = tournament.decisions.filter(hash=copy).first() if copy else None
            if found is None:
                faults.append(
                    f"No row has the fingerprint “{copy}”: the list it was printed on was made from other rows."
                )
            else:
                self.stdout.write(f"The fingerprint is that of row #{found.sequence}, {found.at:%Y-%m-%d %H:%M} UTC.")
        for fault in faults:
            self.stdout.write(fault)
        if faults:
            raise CommandError(f"The record of “{tournament.name}” is not as it was written.", returncode=1)
        for difference in differences(tournament):
            self.stdout.write(difference)
            faults.append(difference)
        if faults:
            raise CommandError(f"The tables of “{tournament.name}” are not what its record says.", returncode=1)
        last = tournament.decisions.order_by("-sequence").first()
        summary = f"{last.sequence} rows, the last #{last.sequence} {last.hash}" if last else "no rows"
        self.stdout.write(f"The record of “{tournament.name}” is whole: {summary}. The tables are what it says.")
