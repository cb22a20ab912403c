"""``python -m tests.stress.faults [KIND …] [--runs 200] [--seed 1] [--db sqlite|postgres]``: repeat faults.

While arbiters enter results and publish over HTTP, the fault hits at a moment drawn from the seed.
After each run the tables, the record and the arbiters' diaries are compared with plain SQL, after
every tenth and the last by ``verify_record`` too.

The end is a table, and 1 if a confirmed result is lost, something was entered twice or is half
saved, a record does not verify, or an answer was neither right nor 503. What this machine cannot do
is “NOT RUN”, with the reason. ``--list`` prints the kinds. Kills during copies, upgrades, moves and
hand-overs are the slow tests of this folder: ``CRASH_SEEDS=50 ./run test --only sqlite --run-slow
tests/stress/faults -s``.
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

from tests.live.databases import PostgresDatabase, SqliteDatabase

from . import disk, serving
from .stage import Run, Stage, clock_library, prepared_site

VERIFY_EVERY = 10  # Runs; the record is compared with the tables after each.
HEADER = (
    f"{'fault':<17} {'database':<9} {'runs':>5} {'met':>5} {'answers':>8} {'lost':>6} "
    f"{'409':>5} {'longest':>8}  faults"
)


def kinds_of(db: str) -> list[str]:
    """Return the kinds that exist on a database."""
    return [*serving.ON_BOTH, *(serving.ON_POSTGRES if db == "postgres" else ())]


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
        sums = [
            sum(getattr(run, name) for run in runs)
            for name in ("met", "answers", "lost", "conflicts")
        ]
        longest = max((run.longest for run in runs), default=0.0)
        return (
            f"{self.kind:<17} {self.db:<9} {len(runs):>5} {sums[0]:>5} {sums[1]:>8} {sums[2]:>6} "
            f"{sums[3]:>5} "
            f"{longest:>6.1f} s  {self.faults or 'none'} ({time.monotonic() - self.begin:.0f} s)"
        )

    def repeat(self, stage: Stage, options: argparse.Namespace) -> None:
        """Let results be entered while the fault hits; stop after the first run with a fault."""
        hit = {**serving.ON_BOTH, **serving.ON_POSTGRES}[self.kind]
        end = self.begin + 60 * (options.minutes or 10**6)
        for number in range(1, options.runs + 1):
            chance = random.Random(f"{options.seed} {self.kind} {number}")
            between: list[str] = []
            run = stage.play(lambda: between.extend(hit(stage, chance)), chance)  # noqa: B023 - called before the next
            run.faults += between
            is_last = number == options.runs or time.monotonic() > end
            if number % VERIFY_EVERY == 0 or is_last:
                run.faults += stage.verified()
            self.runs.append(run)
            if run.faults or is_last:
                return


def tried_out(
    kind: str,
    db: str,
    database: SqliteDatabase | PostgresDatabase,
    folder: Path,
    options: argparse.Namespace,
) -> Tried:
    """Do all runs of one kind on a new stage in *folder*."""
    tried = Tried(kind, db)
    try:
        stage = Stage(database, folder / "prepared", folder / kind, kind)
        try:
            tried.repeat(stage, options)
        finally:
            stage.close()
    except Exception as error:
        tried.runs.append(Run(faults=[f"{type(error).__name__}: {error}"]))
    for number, run in enumerate(tried.runs, 1):
        for fault in run.faults:
            print(f"FAULT {kind} {db} run {number}: {fault}", flush=True)
    return tried


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.stress.faults",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("kind", nargs="*", help="the kinds of fault; all without")
    parser.add_argument("--runs", type=int, default=200, help="runs of each kind (200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--db", choices=["sqlite", "postgres"], action="append", help="both without"
    )
    parser.add_argument("--minutes", type=float, help="begin no run of a kind after this time")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args(arguments)
    if unknown := set(options.kind) - set(kinds_of("postgres")):
        parser.error(
            f"there is no kind {', '.join(sorted(unknown))}: {', '.join(kinds_of('postgres'))}"
        )
    if options.list:
        print(*kinds_of("postgres"), sep="\n")
        return 0
    rows, bad = [], 0
    for db in options.db or ["sqlite", "postgres"]:
        folder = Path(tempfile.mkdtemp(prefix="swiss-faults-"))
        database = PostgresDatabase() if db == "postgres" else SqliteDatabase(folder)
        try:
            prepared_site(database, folder / "prepared")
            for kind in [kind for kind in kinds_of(db) if kind in options.kind or not options.kind]:
                if reason := why_not(kind):
                    rows.append(f"{kind:<17} {db:<9} NOT RUN: {reason}")
                else:
                    tried = tried_out(kind, db, database, folder, options)
                    rows.append(tried.row())
                    bad += tried.faults
                print(rows[-1], flush=True)
        finally:
            database.close()
            if bad:
                print(f"The files stay in {folder}.")
            else:
                shutil.rmtree(folder)
    print(f"\nseed {options.seed}, {os.cpu_count()} cores\n{HEADER}", *rows, sep="\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
