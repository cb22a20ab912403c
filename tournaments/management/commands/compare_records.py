"""``./run manage compare_records FILE FILE``: say whether one file of an
event continues the other, or both went on.
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.site.backups.copy_file import CopyError, read_manifest
from tournaments.site.backups.forks import fork_of, records_in


class Command(BaseCommand):
    help = (
        "Compare the records in two files of one event; a fork is shown with the first two "
        "lines that differ."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("one")
        parser.add_argument("other")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found = []
            for name in ("one", "other"):
                read_manifest(Path(options[name]), "event")
                found.append(records_in(Path(options[name])))
        except (CopyError, OSError) as error:
            raise CommandError(str(error)) from error
        one, other = found
        both = [identity for identity in one if identity in other]
        if not both:
            raise CommandError("The two files have no tournament in common.")
        forks = []
        for identity in both:
            (tournament, first), (_, second) = one[identity], other[identity]
            name = tournament.name
            if (fork := fork_of(name, first, second)) is not None:
                forks.append(fork.sentence(options["one"], options["other"]))
            elif len(first) == len(second):
                self.stdout.write(f"“{name}”: both records are the same, {len(first)} lines.")
            else:
                newer = options["one"] if len(first) > len(second) else options["other"]
                shared = min(len(first), len(second))
                self.stdout.write(f"“{name}”: {newer} continues the other after #{shared}.")
        if forks:
            raise CommandError("\n".join(forks))
