"""``./run manage mirror TOURNAMENT``: bring the mirror of a tournament or an event up to date."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from tournaments.core import jobs
from tournaments.core.errors import BadInput
from tournaments.core.messages import sentence
from tournaments.mirrors.owners import OfEvent, OfTournament, Owner
from tournaments.mirrors.running import JOB, start
from tournaments.models import Event, Tournament


class Command(BaseCommand):
    help = "Send the public pages of a tournament or an event to its mirror."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("tournament", nargs="?", default="", help="the number of a tournament, or its address")
        parser.add_argument("--event", default="", help="the number of an event of several tournaments, or its address")

    def handle(self, *args: Any, **options: Any) -> None:
        row, owner = _event(options["event"]) if options["event"] else _tournament(options["tournament"])
        if owner.is_away():
            raise CommandError(f"{row} was handed over: the computer with the live copy sends its mirror.")
        if not owner.kept.is_on:
            raise CommandError(f"{row} has no mirror.")
        with transaction.atomic():
            start(owner)
            job = jobs.take_here(JOB, owner.key)
        if job is None:
            self.stdout.write(f"{row}: the mirror is being brought up to date already, and then once more.")
            return
        jobs.do_here(*job)
        state = owner.kept.state
        if state.fault is not None:
            again = " The server tries again." if state.next is not None else ""
            raise CommandError(f"{sentence(BadInput(state.fault.code, **state.fault.params))}{again}")
        self.stdout.write(f"{row}: the mirror shows version {state.version}, {state.files} files.")


def _tournament(named: str) -> tuple[Tournament, Owner]:
    found = Tournament.objects.filter(pk=int(named)) if named.isdecimal() else Tournament.objects.filter(slug=named)
    if (row := found.first()) is None:
        raise CommandError(f"There is no tournament {named}.")
    return row, OfTournament(row.pk, row.identity)


def _event(named: str) -> tuple[Event, Owner]:
    found = Event.objects.filter(pk=int(named)) if named.isdecimal() else Event.objects.filter(slug=named)
    if (row := found.first()) is None:
        raise CommandError(f"There is no event {named}.")
    return row, OfEvent(row.pk, row.identity)
