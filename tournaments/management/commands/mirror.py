"""``./run manage mirror TOURNAMENT``: bring the mirror of a tournament or an event up to date, at low priority."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from tournaments.core.errors import BadInput
from tournaments.core.messages import sentence
from tournaments.mirrors.kept import all_kept
from tournaments.mirrors.owners import OfEvent, OfTournament, Owner
from tournaments.mirrors.running import Tools, run, start
from tournaments.models import DeletedTournament, Event, Tournament


class Command(BaseCommand):
    help = "Send the public pages of a tournament or an event to its mirror, and try again until they are there."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("tournament", nargs="?", default="", help="the number of a tournament, or its address")
        parser.add_argument("--event", default="", help="the number of an event of several tournaments, or its address")
        parser.add_argument("--all", action="store_true", help="begin for all that have a mirror, and end")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["all"]:
            _start_all()
            return
        if hasattr(os, "nice"):
            os.nice(19)
        row, owner = _event(options["event"]) if options["event"] else _tournament(options["tournament"])
        if owner.is_away():
            raise CommandError(f"{row} was handed over: the computer with the live copy sends its mirror.")
        if not owner.kept.is_on:
            raise CommandError(f"{row} has no mirror.")
        state = run(owner, Tools(timezone.now))
        if state.fault is not None:
            raise CommandError(sentence(BadInput(state.fault.code, **state.fault.params)))
        self.stdout.write(f"{row}: the mirror shows version {state.version}, {state.files} files.")


def _start_all() -> None:
    for kept in all_kept():
        row = Tournament.objects.filter(identity=kept.folder.name).only("identity").first()
        if row is None and DeletedTournament.objects.filter(identity=kept.folder.name).exists():
            kept.remove()
        elif row is not None and kept.is_on and not (owner := OfTournament(row.pk, row.identity)).is_away():
            start(owner)
    for kept in all_kept(events=True):
        event = Event.objects.filter(identity=kept.folder.name).first()
        if event is not None and kept.is_on and not (of_event := OfEvent(event.pk, event.identity)).is_away():
            start(of_event)


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
