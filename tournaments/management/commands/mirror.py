"""``./run manage mirror TOURNAMENT``: bring the mirror of a tournament
or an event up to date, or export it.
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from tournaments.core import jobs
from tournaments.core.errors import BadInput, ServiceError
from tournaments.core.messages import sentence
from tournaments.models import Event, Tournament
from tournaments.site.mirrors.destinations import LocalFolder
from tournaments.site.mirrors.exporting import export_to
from tournaments.site.mirrors.sources import source_of
from tournaments.site.mirrors.updating import JOB, start


class Command(BaseCommand):
    help = "Send the public pages of a tournament or an event to its mirror, or write them to a folder."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "tournament", nargs="?", default="", help="the number of a tournament, or its address"
        )
        parser.add_argument(
            "--event",
            default="",
            help="the number of an event of several tournaments, or its address",
        )
        parser.add_argument(
            "--to", type=Path, help="write the pages to this folder, whatever the mirror is"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        row = (
            _row(Event, options["event"])
            if options["event"]
            else _row(Tournament, options["tournament"])
        )
        source = source_of(row)
        if source.is_away:
            raise CommandError(
                f"{row} was handed over: the computer with the live copy sends its mirror."
            )
        if options["to"]:
            try:
                shown = export_to(LocalFolder(options["to"].absolute()), source)
            except ServiceError as error:
                raise CommandError(str(error)) from error
            self.stdout.write(f"{row}: version {shown.version} is in {options['to']}.")
            return
        if not source.store.is_on:
            raise CommandError(f"{row} has no mirror.")
        with transaction.atomic():
            start(source)
            job = jobs.take_here(JOB, source.key)
        if job is None:
            self.stdout.write(
                f"{row}: the mirror is being brought up to date already, and then once more."
            )
            return
        jobs.do_here(*job)
        state = source.store.state
        if state.fault is not None:
            again = " The server tries again." if jobs.waiting(JOB, source.key) else ""
            raise CommandError(
                f"{sentence(BadInput(state.fault.code, **state.fault.params))}{again}"
            )
        self.stdout.write(f"{row}: the mirror shows version {state.version}, {state.files} files.")


def _row(model: type[Tournament] | type[Event], named: str) -> Tournament | Event:
    rows = (
        model.objects.filter(pk=int(named))
        if named.isdecimal()
        else model.objects.filter(slug=named)
    )
    if (row := rows.first()) is None:
        raise CommandError(f"There is no {model._meta.verbose_name} {named}.")
    return row
