"""``./run manage appoint SLUG USERNAME``: make an account the Chief Arbiter of a tournament,
from the server's console.

For a Chief Arbiter who cannot hand over any more. The record names the account, and the server as
who did it.
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from tournaments.core.errors import ServiceError
from tournaments.models import Tournament
from tournaments.people.people import chief_replace


class Command(BaseCommand):
    help = "Make an account the Chief Arbiter of a tournament."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the last part of the tournament's address")
        parser.add_argument("username", help="the account")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            person = User.objects.get(username=options["username"], is_active=True)
        except User.DoesNotExist as error:
            raise CommandError(f"There is no account called “{options['username']}”.") from error
        if not (person.is_staff or person.has_usable_password()):
            raise CommandError(
                f"“{options['username']}” signs in with a link and cannot become the Chief "
                f"Arbiter here."
            )
        with transaction.atomic():
            try:
                tournament = Tournament.objects.select_for_update(of=("self",)).get(
                    slug=options["slug"]
                )
            except Tournament.DoesNotExist as error:
                raise CommandError(f"There is no tournament at /t/{options['slug']}/.") from error
            try:
                chief_replace(tournament, person, now=timezone.now())
            except ServiceError as error:
                raise CommandError(str(error)) from error
        self.stdout.write(
            f"{person.get_username()} is now the Chief Arbiter of “{tournament.name}”."
        )
