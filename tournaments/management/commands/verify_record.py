"""Check that the record of a tournament is unchanged."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from pairing.record.signatures import is_key
from tournaments.core import record, signing
from tournaments.models import Tournament
from tournaments.reports.published_list_faults import list_faults
from tournaments.reports.record_against_tables import differences, people_differences


class Command(BaseCommand):
    help = (
        "Say whether any row of a tournament's record was altered, removed, moved or computed again, whether its end "
        "is missing, whether the tables hold what it says, and whether the stored lists are those published: every "
        "fault with its row, every difference with its place. Exit code 1 if there is one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("tournament", help="the tournament's name in its address, like autumn-open")
        parser.add_argument("--fingerprint", metavar="HASH", help="a fingerprint printed on a published list")
        parser.add_argument(
            "--key",
            metavar="KEY",
            action="append",
            default=[],
            help="the public key of an installation that ran the tournament before this one",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        tournament = Tournament.objects.filter(slug=options["tournament"]).first()
        if tournament is None:
            known = ", ".join(Tournament.objects.order_by("slug").values_list("slug", flat=True)) or "none"
            raise CommandError(f"There is no tournament “{options['tournament']}”. There are: {known}.")
        given = [key.strip().lower() for key in options["key"]]
        for key in given:
            if not is_key(key):
                raise CommandError(
                    f"“{key}” is no public key: a key has 64 digits, from 0 to 9 and a to f.", returncode=3
                )
        keys = {signing.public_key(), *given}
        faults = record.verify(tournament) or record.signature_faults(tournament, keys)
        faults += record.ending_faults(tournament)
        if options["fingerprint"] is not None:
            faults += self.unknown(tournament, options["fingerprint"].strip().lower())
        for fault in faults:
            self.stdout.write(fault)
        if faults:
            raise CommandError(f"The record of “{tournament.name}” is not as it was written.", returncode=1)
        found = differences(tournament) + people_differences(tournament)
        for difference in found:
            self.stdout.write(difference)
        if found:
            raise CommandError(f"The tables of “{tournament.name}” are not what its record says.", returncode=1)
        altered = list_faults(tournament, keys)
        for fault in altered:
            self.stdout.write(fault)
        if altered:
            raise CommandError(f"The lists of “{tournament.name}” are not those published.", returncode=1)
        last = tournament.decisions.order_by("-sequence").first()
        summary = f"{last.sequence} rows, the last #{last.sequence} {last.hash}" if last else "no rows"
        self.stdout.write(f"The record of “{tournament.name}” is whole: {summary}. The tables are what it says.")

    def unknown(self, tournament: Tournament, copy: str) -> list[str]:
        """Print the row with the fingerprint *copy*, or return that there is none."""
        row = tournament.decisions.filter(hash=copy).first() if copy else None
        if row is None:
            return [f"No row has the fingerprint “{copy}”: the list it was printed on was made from other rows."]
        self.stdout.write(f"The fingerprint is that of row #{row.sequence}, {row.at:%Y-%m-%d %H:%M} UTC.")
        return []
