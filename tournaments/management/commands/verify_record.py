"""Check that the record of a tournament is unchanged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser

from pairing.record.signatures import is_key
from tournaments.core import record, signing
from tournaments.models import Tournament
from tournaments.reports.published_list_faults import list_faults
from tournaments.reports.record_against_tables import differences, people_differences

UNKNOWN_KEY: Final = 4
"""The exit code if nothing is wrong but that lines are signed with a key that nobody has named."""


class Command(BaseCommand):
    help = (
        "Say whether any row of a tournament's record was altered, removed, moved or computed "
        "again, whether its end "
        "is missing, whether the tables hold what it says, and whether the stored lists are those "
        "published: every "
        "fault with its row, every difference with its place. Exit code 1 if there is one, 4 if "
        "only the key of "
        "another installation is not known."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "tournament", help="the tournament's name in its address, like autumn-open"
        )
        parser.add_argument(
            "--fingerprint", metavar="HASH", help="a fingerprint printed on a published list"
        )
        parser.add_argument(
            "--key",
            metavar="KEY",
            action="append",
            default=[],
            help="the public key of an installation that ran the tournament before this one",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        tournament = tournament_at(options["tournament"])
        own = {signing.public_key(), *given_keys(options["key"])}
        unknown = {
            key: count
            for key, count in record.lines_by_key(tournament).items()
            if is_key(key) and key not in own
        }
        # The owner of these keys is checked at the end; before, every line must be signed with the
        # key that it names.
        keys = own | unknown.keys()
        faults = record.verify(tournament) or record.signature_faults(tournament, keys)
        faults = faults or record.key_change_faults(tournament, unknown)
        faults += record.ending_faults(tournament)
        if options["fingerprint"] is not None:
            faults += self.without_line(tournament, options["fingerprint"].strip().lower())
        self.refuse(faults, f"The record of “{tournament.name}” is not as it was written.")
        self.refuse(
            differences(tournament) + people_differences(tournament),
            f"The tables of “{tournament.name}” are not what its record says.",
        )
        self.refuse(
            list_faults(tournament, keys),
            f"The lists of “{tournament.name}” are not those published.",
        )
        for key, count in unknown.items():
            self.stdout.write(
                f"{count} lines are signed with the key of another installation (fingerprint "
                f"{key[:12]}): "
                f"check them with --key {key}"
            )
        if unknown:
            raise CommandError(
                f"Nothing else was found in the record of “{tournament.name}”. Compare the key "
                f"with that installation "
                "first, on its page “All fingerprints”: somebody who computed these lines again "
                "would have signed them "
                "with a key of their own.",
                returncode=UNKNOWN_KEY,
            )
        last = tournament.decisions.order_by("-sequence").first()
        summary = (
            f"{last.sequence} rows, the last #{last.sequence} {last.hash}" if last else "no rows"
        )
        self.stdout.write(
            f"The record of “{tournament.name}” is whole: {summary}. The tables are what it says."
        )

    def refuse(self, found: Sequence[str], conclusion: str) -> None:
        """Print what was *found*, and end the command with the *conclusion* if that is anything."""
        for line in found:
            self.stdout.write(line)
        if found:
            raise CommandError(conclusion, returncode=1)

    def without_line(self, tournament: Tournament, copy: str) -> list[str]:
        """Print the row with the fingerprint *copy*, or return that there is none."""
        row = tournament.decisions.filter(hash=copy).first() if copy else None
        if row is None:
            return [
                f"No row has the fingerprint “{copy}”: the list it was printed on was made from other rows."
            ]
        self.stdout.write(
            f"The fingerprint is that of row #{row.sequence}, {row.at:%Y-%m-%d %H:%M} UTC."
        )
        return []


def tournament_at(slug: str) -> Tournament:
    """Return the tournament with *slug* in its address, or end the command with those there are."""
    tournament = Tournament.objects.filter(slug=slug).first()
    if tournament is None:
        known = (
            ", ".join(Tournament.objects.order_by("slug").values_list("slug", flat=True)) or "none"
        )
        raise CommandError(f"There is no tournament “{slug}”. There are: {known}.")
    return tournament


def given_keys(typed: Sequence[str]) -> list[str]:
    """Return the public keys of the command line, as *typed*; end the command if one is none."""
    given = [key.strip().lower() for key in typed]
    for key in given:
        if not is_key(key):
            raise CommandError(
                f"“{key}” is no public key: a key has 64 digits, from 0 to 9 and a to f.",
                returncode=3,
            )
    return given
