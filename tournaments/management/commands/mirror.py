"""``./run manage mirror TOURNAMENT``: bring the mirror of a tournament up to date, at low priority."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from tournaments.core.errors import BadInput
from tournaments.core.messages import sentence
from tournaments.mirrors.kept import Kept, all_kept
from tournaments.mirrors.running import Tools, run, start
from tournaments.models import DeletedTournament, Tournament


class Command(BaseCommand):
    help = "Send the public pages of a tournament to its mirror, and try again until they are there."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("tournament", nargs="?", default="", help="the number of a tournament, or its address")
        parser.add_argument("--all", action="store_true", help="begin for all tournaments with a mirror, and end")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["all"]:
            for kept in all_kept():
                row = Tournament.objects.filter(identity=kept.folder.name).only("identity", "handed_over_at").first()
                if row is None and DeletedTournament.objects.filter(identity=kept.folder.name).exists():
                    kept.remove()
                elif row is not None and row.handed_over_at is None and kept.is_on:
                    start(row.pk, row.identity)
            return
        if hasattr(os, "nice"):
            os.nice(19)
        named = options["tournament"]
        found = Tournament.objects.filter(pk=int(named)) if named.isdecimal() else Tournament.objects.filter(slug=named)
        tournament = found.first()
        if tournament is None:
            raise CommandError(f"There is no tournament {named}.")
        if tournament.handed_over_at is not None:
            raise CommandError(f"{tournament} was handed over: the computer with the live copy sends its mirror.")
        if not Kept(tournament.identity).is_on:
            raise CommandError(f"{tournament} has no mirror.")
        state = run(tournament.pk, Tools(timezone.now))
        if state.fault is not None:
            raise CommandError(sentence(BadInput(state.fault.code, **state.fault.params)))
        self.stdout.write(f"{tournament}: the mirror shows version {state.version}, {state.files} files.")
