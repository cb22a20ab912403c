"""``./run manage load_ratings FILE_OR_URL``: load a rating list of FIDE,
or a national one (``--federation FRA``).
"""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import asdict
from datetime import date, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from tournaments.core import jobs
from tournaments.core.errors import Conflict, ServiceError
from tournaments.core.jobs import Work
from tournaments.lists.rating_lists.loading import (
    JOB,
    Loading,
    list_begin,
    list_load,
    problem_of,
    replaced_by,
)
from tournaments.lists.rating_lists.replacing import list_discard, list_use
from tournaments.models import RatingList, RatingListState


class Command(BaseCommand):
    help = "Load a rating list: FIDE's XML or text file, packed or not, or a federation's CSV file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "source", nargs="?", metavar="FILE_OR_URL", help="a file, or an address with http(s)"
        )
        parser.add_argument(
            "--federation", default="", help="whose list it is, such as FRA; not for FIDE's lists"
        )
        parser.add_argument("--month", type=_month, help="the month of the list, such as 2026-11")
        parser.add_argument(
            "--smaller",
            action="store_true",
            help="use the list even if it is much smaller than the one in use",
        )
        parser.add_argument(
            "--back",
            action="store_true",
            help="use the list before again: FIDE's, or that of --federation",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["back"]:
            self._back(options["federation"].upper())
            return
        if not options["source"]:
            raise CommandError("Name a file, or an address that starts with http:// or https://.")
        row = self._load(
            options["source"], options["federation"].upper(), options["month"], options["smaller"]
        )
        if row.state == RatingListState.WAITING:
            current = RatingList.objects.get(
                federation=row.federation, rate=row.rate, is_current=True
            )
            list_discard(list_id=row.pk, actor=None)
            raise CommandError(
                f"The list has {row.players} players, the one in use ({current}) has "
                f"{current.players}. Nothing was "
                "changed. If it is the right list, give the command again with --smaller."
            )
        if row.state != RatingListState.LOADED:
            raise CommandError(problem_of(row) or "The loading was cancelled.")
        self.stdout.write(f"{row}: {row.players} players are loaded and in use.")
        if row.left_out:
            self.stdout.write(
                f"{row.left_out} lines could not be read. The first: {problem_of(row)}"
            )
        elif row.problem:
            self.stdout.write(problem_of(row))

    def _back(self, federation: str) -> None:
        """Use the list before of each rate of play of *federation* again; empty: FIDE's."""
        current = RatingList.objects.filter(federation=federation, is_current=True).order_by("rate")
        before = [row for each in current if (row := replaced_by(each)) is not None]
        if not before:
            raise CommandError("There is no list before the one in use. Nothing was changed.")
        for row in before:
            list_use(list_id=row.pk, actor=None, now=timezone.now())
            self.stdout.write(f"{row}: {row.players} players are in use again.")

    def _load(self, source: str, federation: str, month: date | None, smaller: bool) -> RatingList:
        is_address = "://" in source
        if not is_address and not Path(source).is_file():
            raise CommandError(f"There is no file {source}.")
        try:
            with transaction.atomic():
                row = list_begin(
                    actor=None, now=timezone.now(), origin=source if is_address else Path(source).name,
                    federation=federation, month=month,
                )  # fmt: skip
                job = jobs.take_here(JOB)
        except ServiceError as error:
            raise CommandError(str(error)) from error
        if job is None:
            raise CommandError(str(Conflict("rating_list.loading")))
        given = source if is_address else Path(source)

        def load(work: Work) -> None:
            def report(loading: Loading) -> None:
                work.progress(**asdict(loading))
                self._say(loading)

            list_load(
                list_id=row.pk,
                source=given,
                clock=timezone.now,
                report=report,
                accepts_smaller=smaller,
            )

        try:
            jobs.do_here(*job, work=load)
        except KeyboardInterrupt:
            RatingList.objects.filter(pk=row.pk).update(state=RatingListState.CANCELLED)
            row.path.unlink(missing_ok=True)
            raise KeyboardInterrupt("Interrupted. The list before is still in use.") from None
        row.refresh_from_db()
        return row

    def _say(self, loading: Loading) -> None:
        done = (
            f" ({100 * loading.bytes_read // loading.bytes_total} %)" if loading.bytes_total else ""
        )
        self.stdout.write(
            f"{loading.players} players, {loading.bytes_read // 1_000_000} MB{done}", ending="\r"
        )


def _month(text: str) -> date:
    return datetime.strptime(text, "%Y-%m").date()  # noqa: DTZ007 - a month has no time zone
