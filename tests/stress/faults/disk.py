"""A slow, full, read-only or broken disk, for processes that already run:
``strace`` changes their calls of the system.

Without ``strace``, or without the right to use it on another process, these kinds are not run.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

WRITES = "pwrite64,write,pwritev,pwritev2,fallocate,ftruncate"
INJECTED = {
    "disk-slow": ["fsync,fdatasync:delay_enter=150000"],
    "disk-full": ["pwrite64,pwritev,fallocate,ftruncate:error=ENOSPC"],
    "disk-read-only": ["pwrite64,pwritev,fallocate,ftruncate:error=EROFS"],
    "disk-broken": ["fsync,fdatasync:error=EIO"],
}
"""Kind → what happens to which calls; a delay is in microseconds."""
PATIENCE = 10.0  # seconds


def why_not() -> str:
    """Return why the calls of another process cannot be changed here; empty if they can."""
    if shutil.which("strace") is None:
        return "strace is not installed"
    with subprocess.Popen(["sleep", "10"]) as other:
        try:
            with injected([other.pid], "disk-slow"):
                return ""
        except RuntimeError as error:
            return str(error)
        finally:
            other.kill()


@contextmanager
def injected(pids: Sequence[int], kind: str, paths: Sequence[Path] = ()) -> Iterator[None]:
    """Let the processes *pids*, and those they start, have the fault
    *kind* on the files *paths*; on all without.
    """
    command = ["strace", "-f", "-qq", "-o", "/dev/null"]
    command += [part for pid in pids for part in ("-p", str(pid))]
    command += [part for path in paths for part in ("-P", str(path))]
    command += [
        part
        for rule in INJECTED[kind]
        for part in ("-e", f"trace={rule.partition(':')[0]}", "-e", f"inject={rule}")
    ]
    tracer = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + PATIENCE
    try:
        while not all(_tracer_of(pid) for pid in pids if Path(f"/proc/{pid}").exists()):
            if tracer.poll() is not None or time.monotonic() > end:
                tracer.kill()
                raise RuntimeError(
                    f"strace may not attach: {(tracer.communicate()[1] or '').strip()[:200]}"
                )
            time.sleep(0.005)
        yield
    finally:
        if tracer.poll() is None:
            tracer.send_signal(signal.SIGINT)
            try:
                tracer.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                tracer.kill()
                tracer.wait()


def _tracer_of(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return os.getpid()  # It has ended.
    return next((int(line.split()[1]) for line in lines if line.startswith("TracerPid:")), 0)
