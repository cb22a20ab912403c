"""What all measurements share: lines of a table, the machine, and processor time."""

from __future__ import annotations

import os
import platform
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table: its name, the value with its unit, the aim if there is one."""

    what: str
    value: str
    aim: str = ""


def table(rows: Sequence[Row], database: str) -> str:
    """Return *rows* as a table in Markdown."""
    head = f"| what | {database} | aim |\n|---|---|---|"
    return "\n".join([head, *(f"| {row.what} | {row.value} | {row.aim or '–'} |" for row in rows)])


def ms(seconds: float) -> str:
    """Return *seconds* as text in milliseconds."""
    return f"{seconds * 1000:.1f} ms"


def machine() -> str:
    """Return the kind of the machine, its cores and its load now."""
    load = os.getloadavg()[0]
    version = platform.python_version()
    return f"{platform.machine()}, {os.cpu_count()} cores, load {load:.1f}, Python {version}"


def processor_seconds(pids: Iterable[int]) -> float:
    """Return the processor seconds of processes, and of their children that have ended (Linux)."""
    found = 0.0
    for pid in pids:
        with suppress(OSError):  # It has just ended, and counts with its parent.
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ended = (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
            # The number of a process's clock, as clock_getcpuclockid() of the C library makes it.
            found += ended + time.clock_gettime((~pid << 3) | 2)
    return found


def together(works: Iterable[Callable[[], None]]) -> None:
    """Do all *works* at once, each in a thread, and return when all have ended."""
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
