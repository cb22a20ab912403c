"""``python -m tests.faults [KIND …] [--runs 200] [--seed 1] [--db sqlite|postgres]``: repeat each kind of fault.

One site is prepared for each database; a run restarts only what the fault has ended. While arbiters enter results over
HTTP, or a copy or an upgrade is made, the fault hits at a moment drawn from the seed. After each run the tables, the
record and the arbiters' diaries are compared with plain SQL, after every tenth and the last by ``verify_record`` too.

The end is a table, and 1 if a confirmed result is lost, something was entered twice or is half saved, a record does not
verify, or an answer was neither right nor 503. What this machine cannot do is “NOT RUN”, with the reason. ``--list``
prints the kinds.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from tests.faults import copying, disk, serving
from tests.faults.clocks import clock_library
from tests.faults.stage import VERIFY_EVERY, Run, Stage, prepared_site
from tests.live.databases import PostgresDatabase, SqliteDatabase

SPECIAL: dict[str, dict[str, bool]] = {"network-database": {"through_relay": True}, "clock": {"clock": True}}
"""Kinds that need a server of their own."""
HEADER = (
    f"{'fault':<17} {'database':<9} {'runs':>5} {'met':>5} {'answers':>8} {'lost':>6} {'409':>5} {'longest':>8}  faults"
)


def kinds_of(db: str) -> list[str]:
    """Return the kinds that exist on a database."""
    on_both = [*serving.ON_BOTH, *copying.KINDS]
    return on_both + ([*serving.ON_POSTGRES, *copying.ON_POSTGRES] if db == "postgres" else [])


def why_not(kind: str) -> str:
    """Return why this machine cannot do *kind*; empty if it can."""
    if kind == "clock" and clock_library() is None:
        return "libfaketime is not installed"
    return disk.why_not() if kind in disk.INJECTED else ""


class Tried:
    """All runs of one kind on one database."""

    def __init__(self, kind: str, db: str) -> None:
        self.kind, self.db, self.begin = kind, db, time.monotonic()
        self.runs: list[Run] = []

    @property
    def faults(self) -> int:
        """How many runs had a fault."""
        return sum(bool(run.faults) for run in self.runs)

    def row(self) -> str:
        runs = self.runs
        sums = [sum(getattr(run, name) for run in runs) for name in ("met", "answers", "lost", "conflicts")]
        longest = max((run.longest for run in runs), default=0.0)
        return (
            f"{self.kind:<17} {self.db:<9} {len(runs):>5} {sums[0]:>5} {sums[1]:>8} {sums[2]:>6} {sums[3]:>5} "
            f"{longest:>6.1f} s  {self.faults or 'none'} ({time.monotonic() - self.begin:.0f} s)"
        )


class Place:
    """A prepared site on one database, and the stages that were made on it."""

    def __init__(self, db: str) -> None:
        self.db = db
        self.folder = Path(tempfile.mkdtemp(prefix="swiss-faults-"))
        self.database = PostgresDatabase() if db == "postgres" else SqliteDatabase(self.folder)
        self.prepared = prepared_site(self.database, self.folder / "prepared")
        self.stages: dict[str, Stage] = {}

    def stage_for(self, kind: str) -> Stage:
        """Return a stage for *kind*, at its beginning."""
        special = kind if kind in SPECIAL else "plain"
        if special not in self.stages:
            folder = self.folder / f"{special}-{len(list(self.folder.iterdir()))}"
            self.stages[special] = Stage(self.database, self.prepared, folder, **SPECIAL.get(special, {}))
        stage = self.stages[special]
        stage.begin(through_visitor_relay=kind == "network-visitor")
        return stage

    def close(self, *, keep: bool) -> None:
        self.close_stages()
        self.database.close()
        if keep:
            print(f"The files are kept in {self.folder}.")
        else:
            shutil.rmtree(self.folder)

    def close_stages(self) -> None:
        for stage in self.stages.values():
            stage.close()
        self.stages.clear()


def serve(tried: Tried, place: Place, options: argparse.Namespace) -> None:
    """Let results be entered while the fault hits; stop after the first run with a fault."""
    hit = {**serving.ON_BOTH, **serving.ON_POSTGRES}[tried.kind]
    stage = place.stage_for(tried.kind)
    for number in range(1, options.runs + 1):
        chance = random.Random(f"{options.seed} {tried.kind} {number}")
        between: list[str] = []
        run = stage.play(lambda: between.extend(hit(stage, chance)), chance)  # noqa: B023 - called before the next
        run.faults += between
        is_last = number == options.runs or over(options)
        if number % VERIFY_EVERY == 0 or is_last:
            run.faults += stage.verified()
        tried.runs.append(run)
        if said(tried, number, run):
            place.close_stages()  # The next kind gets a new one; the files of this one stay.
            return
        if is_last:
            return


def copy(tried: Tried, place: Place, options: argparse.Namespace) -> None:
    """Kill a copy, an upgrade or a restore in every run."""
    copies = copying.Copies(place.database, place.prepared, place.folder / tried.kind, tried.kind)
    try:
        for number in range(1, options.runs + 1):
            run = copies.run(random.Random(f"{options.seed} {tried.kind} {number}"))
            tried.runs.append(run)
            if said(tried, number, run) or over(options):
                return
    finally:
        copies.close()


def said(tried: Tried, number: int, run: Run) -> bool:
    """Print the faults of a run; return whether there are any."""
    for fault in run.faults:
        print(f"FAULT {tried.kind} {tried.db} run {number}: {fault}", flush=True)
    return bool(run.faults)


def over(options: argparse.Namespace) -> bool:
    """Return whether the time of this kind is over."""
    return options.minutes is not None and time.monotonic() > options.end


def tried_out(tried: Tried, place: Place, options: argparse.Namespace) -> str:
    """Do all runs of one kind; return the row of the table."""
    options.end = time.monotonic() + 60 * (options.minutes or 0)
    try:
        (copy if tried.kind in (*copying.KINDS, *copying.ON_POSTGRES) else serve)(tried, place, options)
    except Exception as error:
        tried.runs.append(Run(faults=[f"{type(error).__name__}: {error}"]))
        said(tried, len(tried.runs), tried.runs[-1])
        place.close_stages()
    return tried.row()


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.faults", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kind", nargs="*", help="the kinds of fault; all without")
    parser.add_argument("--runs", type=int, default=200, help="runs of each kind (200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--db", choices=["sqlite", "postgres"], action="append", help="both without")
    parser.add_argument("--minutes", type=float, help="begin no run of a kind after this time")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args(arguments)
    if unknown := set(options.kind) - set(kinds_of("postgres")):
        parser.error(f"there is no kind {', '.join(sorted(unknown))}: {', '.join(kinds_of('postgres'))}")
    if options.list:
        print(*kinds_of("postgres"), sep="\n")
        return 0
    rows, bad = [], 0
    for db in options.db or ["sqlite", "postgres"]:
        place = Place(db)
        try:
            for kind in [kind for kind in kinds_of(db) if kind in options.kind or not options.kind]:
                tried = Tried(kind, db)
                row = (
                    f"{kind:<17} {db:<9} NOT RUN: {reason}"
                    if (reason := why_not(kind))
                    else tried_out(tried, place, options)
                )
                rows.append(row)
                print(row, flush=True)
                bad += tried.faults
        finally:
            place.close(keep=bool(bad))
    print(f"\nseed {options.seed}, {os.cpu_count()} cores\n{HEADER}", *rows, sep="\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
