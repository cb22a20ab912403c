"""``python -m tests.live.ratings FILE``: enter results while the real program loads the rating list FILE.

It makes an event, starts the server as ``./run`` does, enters ten results a second, lets ``load_ratings`` read FILE in
a process of its own, and then asks for the page with the hits as often as somebody types.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlencode

from tools.rating_list import invented
from tools.rating_list_search import beginnings

from .databases import PostgresDatabase, SqliteDatabase
from .desk import Operator, percentile
from .event import PASSWORD
from .load import entering, processor_seconds
from .server import ROOT, Site

EVERY = 0.1  # Seconds between two results.
BEFORE = 20.0  # Seconds of results before the list is loaded.


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="made by python -m tools.rating_list")
    parser.add_argument("--players", type=int, default=100)
    parser.add_argument("--searches", type=int, default=700)
    parser.add_argument("--db", choices=["sqlite", "postgres"], default="sqlite")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="swiss-ratings-") as folder:
        database = PostgresDatabase() if options.db == "postgres" else SqliteDatabase(Path(folder))
        site = Site(Path(folder), database.create("ratings"))
        try:
            site.prepare()
            slug = site.python("-m", "tests.live.event", "--players", str(options.players)).strip()
            site.start()
            print(json.dumps(measure(site, slug, options.file.resolve(), options.searches), indent=2))
        finally:
            site.kill()
            database.close()


def measure(site: Site, slug: str, file: Path, searches: int) -> dict[str, object]:
    """Enter results before and while *file* is loaded, then search; return the times."""
    assert site.process is not None
    desk = Operator(site.port, "arbiter-1", PASSWORD)
    with entering(desk, slug, 1, EVERY) as before:
        time.sleep(BEFORE)
    used, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with entering(desk, slug, 1, EVERY) as during:
        command = [sys.executable, "manage.py", "load_ratings", str(file)]
        subprocess.run(command, cwd=ROOT, env=site.environment, check=True, stdout=subprocess.DEVNULL)
    seconds, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    loading = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
    processor = processor_seconds(site.process.pid)
    typed = [_search(desk, slug, query) for query in queries(searches)]
    processor = processor_seconds(site.process.pid) - processor
    desk.close()
    return {
        "load_ratings": {"seconds": round(seconds, 1), "processor seconds": round(loading, 1)},
        "result entry before, ms": line(before),
        "result entry while it loads, ms": line(during),
        "page of hits, ms": line(typed),
        "page of hits, server's processor ms": round(1000 * processor / max(searches, 1), 1),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}",
    }


def queries(number: int) -> list[str]:
    """Return what people type on their way to players of an invented list, in a mixed order."""
    found = [query for row in invented(number, seed=1) for query in beginnings(row.name, row.fide_id)]
    return random.Random(1).sample([query for query in found if len(query) > 1], number)


def _search(desk: Operator, slug: str, name: str) -> float:
    begin = time.monotonic()
    answer = desk.request("GET", f"/t/{slug}/entries/hits/?{urlencode({'name': name})}", **{"HX-Request": "true"})
    assert answer.status == 200, answer
    return time.monotonic() - begin


def line(seconds: Sequence[float]) -> dict[str, float]:
    """Return the number of measurements, median, p95 and the longest, in milliseconds."""
    if not seconds:
        return {"number": 0}
    p50, p95 = percentile(seconds, 0.5), percentile(seconds, 0.95)
    return {"number": len(seconds)} | {
        name: round(1000 * value, 1) for name, value in (("p50", p50), ("p95", p95), ("longest", max(seconds)))
    }


if __name__ == "__main__":
    main()
