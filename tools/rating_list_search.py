"""``python -m tools.rating_list_search FILE``: load a rating list into a file beside it,
and measure searches in it.
"""

from __future__ import annotations

import os
import random
import string
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import product
from pathlib import Path

EVERY = 15_000
"""One of so many players is searched for."""


def main(arguments: list[str]) -> int:
    """Print seconds, memory and the times of the searches."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from tournaments.lists.rating_lists.list_file import ListFile, write_list
    from tournaments.lists.rating_lists.opening import open_list
    from tournaments.lists.rating_lists.rows import Faults

    source, target = Path(arguments[0]), Path(arguments[0]).with_suffix(".sqlite3")
    begun, used = time.perf_counter(), time.process_time()
    with open_list(source, source.name) as opened:
        players = write_list(target, opened.rows(Faults()), tick=lambda number: None)
    seconds, used = time.perf_counter() - begun, time.process_time() - used
    print(
        f"{players} players: {seconds:.0f} s, {used:.0f} s of the processor, {_peak()} MB of memory"
    )
    with closing(ListFile(target)) as file:
        rows = [row for number in range(1, players, EVERY) if (row := file.player(number))]
    typed = [query for row in rows for query in beginnings(row.name, row.fide_id)]
    random.Random(1).shuffle(typed)  # noqa: S311 - not a secret
    short = [f"{one} {other}" for one, other in product(string.ascii_lowercase, repeat=2)]
    for name, queries in (("typed", typed), ("two letters", short)):
        times = []
        for query in queries:
            begun = time.perf_counter()
            with closing(ListFile(target)) as file:
                file.search(query)
            times.append(1000 * (time.perf_counter() - begun))
        times.sort()
        p50, p95, p99 = (times[len(times) * part // 100] for part in (50, 95, 99))
        print(
            f"{name}: {len(times)} searches, p50 {p50:.1f}, p95 {p95:.1f}, p99 {p99:.1f}, longest "
            f"{times[-1]:.1f} ms"
        )
    return 0


def beginnings(name: str, fide_id: int) -> Iterator[str]:
    """Yield what a person types on the way to a player:
    the surname, with the first name, initials, the FIDE ID.
    """
    last, _, first = name.partition(", ")
    yield from (last[:end] for end in range(1, len(last) + 1))
    yield from (f"{last[:3]} {first[:end]}" for end in range(1, len(first) + 1))
    yield from (f"{first[:2]} {last[:2]}", f"{first[:1]} {last[:1]}")
    yield from (str(fide_id)[:end] for end in range(1, len(str(fide_id)) + 1))


def _peak() -> str:
    try:
        import resource
    except ImportError:  # Windows
        return "?"
    return str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
