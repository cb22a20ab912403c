"""``./run manage import_event FILE``: take over an event that another site exported."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils import timezone

from config.data_folder import data_option
from tournaments.core.record import lines_by_key
from tournaments.core.signing import public_key
from tournaments.models import Appointment, Role
from tournaments.people.sign_in import signs_in_with_a_link
from tournaments.site.backups.copy_file import CopyError
from tournaments.site.backups.log_ins import roles_here
from tournaments.site.backups.taking_over import take_over


def _effect(role: Appointment) -> str:
    """Return the end of the sentence about *role*: from when on it counts."""
    if role.accepted:
        return "."
    if not signs_in_with_a_link(role.person):
        return ", which has no effect until it accepts."
    if role.role == Role.CHIEF:
        return (
            ", which has no effect until a site administrator confirms it on the page Take "
            "over an event."
        )
    return ", which has no effect: the Chief Arbiter ends it and appoints the person again."


class Command(BaseCommand):
    help = "Take over an event from a file of export_event, with its record as it is, and check it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file")
        parser.add_argument(
            "--despite-faults", action="store_true", help="even if its record or tables have faults"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = take_over(
                Path(options["file"]), now=timezone.now(), despite_faults=options["despite_faults"]
            )
        except (CopyError, OSError, DatabaseError) as error:
            raise CommandError(str(error)) from error
        for remark in done.remarks:
            self.stdout.write(remark)
        for role in roles_here(done):
            self.stdout.write(
                f"The account {role.person.username!r} of this site is {role.role} of "
                f"“{role.tournament}” in the file" + _effect(role)
            )
        for tournament in done.tournaments:
            self.stdout.write(
                f"{tournament}: /t/{tournament.slug}/, {tournament.version} lines of its record, "
                f"the last {tournament.fingerprint}"
            )
            keys = "".join(
                f" --key {key}" for key in lines_by_key(tournament) if key != public_key()
            )
            if keys:
                self.stdout.write(
                    "  Lines of it are signed by another installation. To check them: "
                    f"./run manage verify_record {tournament.slug}{keys}{data_option()}"
                )
        if done.came:
            self.stdout.write(
                "People who came with the file have no password here. For the Chief Arbiter: "
                f"./run manage changepassword NAME{data_option()}, or ./run manage appoint SLUG "
                f"NAME{data_option()}. The others get links on the page People."
            )
