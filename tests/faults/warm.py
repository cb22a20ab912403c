"""A process that has loaded the program and runs the server and each command of ``manage.py`` in a child of its own.

The child begins with the work at once. So a kill at a random moment meets the work and not the loading of Python, and a
run costs a tenth. A line of JSON in is a command, and out comes the number of its process; or it is such a number, and
out comes its exit status when it has ended (negative: the signal).
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from tests.live.server import HOST, Site, is_healthy


class Warm:
    """The process, in *environment*, with the program in the folder *program*."""

    def __init__(self, environment: Mapping[str, str], program: Path, log: Path) -> None:
        self.log = log
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("warm_process.py")), str(log)],
            cwd=program,
            env={**environment, "PYTHONPATH": str(program), "DJANGO_SETTINGS_MODULE": "config.settings"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._said() == "loaded"

    def close(self) -> None:
        """End it, and with it what it has started."""
        self._process.communicate()

    def _said(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        assert line, f"the process with the program has ended:\n{self.log.read_text()[-3000:]}"
        return line

    def _ask(self, question: object) -> int:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        return int(self._said())

    def begin(self, *command: object) -> int:
        """Start *command* (``serve ADDRESS:PORT`` too); return the number of its process, which leads a group."""
        return self._ask([str(part) for part in command])

    def end(self, pid: int) -> int:
        """Wait for the end of the process *pid* and return its status."""
        return self._ask(pid)

    def run(self, *command: object) -> str:
        """Run *command* to its end and return what it said; raise :class:`RuntimeError` if it fails."""
        self.log.write_text("")
        status = self.end(self.begin(*command))
        said = self.log.read_text()
        if status:
            message = f"{command[0]} ended with {status}:\n{said}"
            raise RuntimeError(message)
        return said

    def killed(self, after: float, *command: object) -> bool:
        """Send SIGKILL to *command* and its children *after* seconds; return whether it was still running."""
        pid = self.begin(*command)
        time.sleep(after)
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
        return self.end(pid) == -signal.SIGKILL


class WarmSite(Site):
    """A site whose server starts from *warm*, with the program loaded, in a tenth of the time."""

    warm: Warm
    _pid: int | None = None

    def launch(self) -> None:
        self._pid = self.warm.begin("serve", f"{HOST}:{self.port}")

    def start(self) -> None:
        """Serve, and return when the health page answers."""
        self.launch()
        self.wait_until(lambda: is_healthy(self.port))

    @property
    def is_running(self) -> bool:
        return self._pid is not None

    def kill(self) -> None:
        if self._pid is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._pid, signal.SIGKILL)
            self.warm.end(self._pid)
            self._pid = None
            self.wait_until(lambda: is_free(self.port))  # The last thread of the last process has ended.

    def workers(self) -> list[int]:
        done = subprocess.run(["pgrep", "--parent", str(self._pid)], capture_output=True, text=True)
        return [int(pid) for pid in done.stdout.split()]


def is_free(port: int) -> bool:
    """Return whether a server could listen at *port*."""
    try:
        socket.create_server((HOST, port)).close()
    except OSError:
        return False
    return True
