"""``python -m tests.live.publishing``: the processor time of each publication of an event, all stored pages included.

``--program`` measures another checkout too, in turns with this one. The lowest of the repeats is shown.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from pathlib import Path

from .databases import PostgresDatabase, SqliteDatabase
from .during import machine
from .server import ROOT, Site

PLAY = Path(__file__).with_name("timed_event.py")


def costs(root: Path, kind: str, players: int, rounds: int) -> list[tuple[float, float]]:
    """Return what :func:`tests.live.timed_event.play` finds in the program of the checkout *root*."""
    with tempfile.TemporaryDirectory(prefix="swiss-publishing-") as folder:
        database = PostgresDatabase() if kind == "postgres" else SqliteDatabase(Path(folder))
        try:
            site = Site(Path(folder), database.create("publishing"))
            site.program = root
            site.environment = {**site.environment, "PYTHONPATH": str(root)}
            site.prepare()
            if not (root / "staticfiles").exists():
                site.python("manage.py", "collectstatic", "--noinput", "--verbosity", "0")
            last = site.python(str(PLAY), str(players), str(rounds)).splitlines()[-1]
        finally:
            database.close()
    return [(pairings, results) for pairings, results in json.loads(last)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--db", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--players", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--program", type=Path, help="another checkout, measured before this one in each turn")
    options = parser.parse_args()
    begin = os.getloadavg()[0]
    programs = {"before": options.program.resolve()} if options.program else {}
    programs["now"] = ROOT
    found: dict[str, list[list[tuple[float, float]]]] = {name: [] for name in programs}
    for _ in range(options.repeats):
        for name, root in programs.items():
            found[name].append(costs(root, options.db, options.players, options.rounds))
    print("| round | " + " | ".join(f"{name}: pairings | {name}: results" for name in found) + " |")
    print("|---" * (1 + 2 * len(found)) + "|")
    for place in range(options.rounds - 1):
        cells = [
            f"{min(turn[place][which] for turn in turns):.2f}" if which or place else "–"
            for turns in found.values()
            for which in (0, 1)
        ]
        print(f"| {place + 2} | " + " | ".join(cells) + " |")
    print(
        f"\nSeconds of processor time. {options.players} players, {options.db}, {machine()}; at the start {begin:.1f}"
    )


if __name__ == "__main__":
    main()
