"""The site as ``./run`` serves it, in its own processes and on its own database."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from http.client import HTTPConnection, HTTPException
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

from tests.plugins.postgres import die_with_parent
from tests.polling import wait_until

ROOT = Path(__file__).resolve().parents[2]
HOST = "127.0.0.1"
START_TIMEOUT = 120.0  # seconds
PATIENCE = 20.0  # Seconds; the time that a busy machine may need for one page.
NOT_PASSED_ON = re.compile(r"DATABASE_URL|DEBUG|SECRET_KEY|ALLOWED_HOSTS|CSRF_TRUSTED_ORIGINS|LANGUAGE_CODE|"
                           r"TIME_ZONE|SWISS_\w+|DJANGO_\w+")  # fmt: skip


class Site:
    """One installation: its files are in *folder*, its tables in the database at *database_url*."""

    def __init__(self, folder: Path, database_url: str) -> None:
        kept = {
            name: text for name, text in os.environ.items() if not NOT_PASSED_ON.fullmatch(name)
        }
        self.environment: Mapping[str, str] = {
            **kept,
            "SWISS_DATA_DIR": str(folder),
            "DATABASE_URL": database_url,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SWISS_BACKUP_MINUTES": "0",
            "SWISS_WORK_BY_SERVER": "no",  # Its processes are the workers alone.
        }
        self.database_url = database_url
        self.log = folder / "server.log"
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.program = ROOT
        """The checkout whose program runs."""
        self.command: list[str] | None = None
        """How another server is started, to compare it; ``{address}`` is its host and port."""

    def prepare(self) -> None:
        """Do the preparation of ``./run``: static files, tables."""
        self._collect_static()
        self.python("manage.py", "migrate", "--noinput", "--verbosity", "0")

    def _collect_static(self) -> None:
        """Collect the static files if they have changed since the last time, as ``./run`` does.

        All processes that run tests of this checkout share the folder ``staticfiles``: one
        collects, the others wait.
        """
        folder = ROOT / "staticfiles"
        folder.mkdir(exist_ok=True)
        lock = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            _run().collect_static(sys.executable, self.environment)
        finally:
            os.close(lock)

    def python(self, *arguments: str) -> str:
        """Return the output of Python with *arguments* in the environment of the site;
        raise an error if it fails.
        """
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.program,
            env=self.environment,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            message = f"{' '.join(arguments)} failed:\n{done.stdout}{done.stderr}"
            raise RuntimeError(message)
        return done.stdout

    def own_command(self) -> list[str]:
        """Return how the server is started where the site is ready."""
        return [sys.executable, "-m", "tournaments.site.server", "{address}"]

    def launch(self) -> None:
        """Begin to serve, without waiting for the first answer."""
        command = [
            part.format(address=f"{HOST}:{self.port}")
            for part in self.command or self.own_command()
        ]
        with self.log.open("ab") as log:
            # A separate process group, so that kill() reaches the workers too.
            self.process = subprocess.Popen(
                command,
                cwd=self.program,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=die_with_parent if sys.platform == "linux" else None,
            )

    def start(self) -> None:
        """Serve, and return when the health page answers."""
        self.launch()
        assert self.process is not None
        end = time.monotonic() + START_TIMEOUT
        while time.monotonic() < end and self.process.poll() is None:
            if is_healthy(self.port):
                return
            time.sleep(0.02)
        self.kill()
        message = f"The server did not start:\n{self.log.read_text()}"
        raise RuntimeError(message)

    def kill(self) -> None:
        """Simulate a power cut: SIGKILL for all its processes at once."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):  # They have all ended.
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def kill_a_worker(self) -> None:
        """Send SIGKILL to the oldest worker only, as the kernel does when memory is short."""
        os.kill(self.workers()[0], signal.SIGKILL)

    def workers(self) -> list[int]:
        """Return the processes that answer requests, the oldest first."""
        assert self.process is not None
        done = subprocess.run(
            ["pgrep", "--parent", str(self.process.pid)], capture_output=True, text=True
        )
        return [int(pid) for pid in done.stdout.split()]

    def processes(self) -> list[int]:
        """Return the first process and those that answer requests."""
        assert self.process is not None
        return [self.process.pid, *self.workers()]

    def wait_until(self, what: Callable[[], bool]) -> None:
        """Return when *what* returns True; fail with the log of the server if it never does."""
        wait_until(what, lambda: self.log.read_text()[-3000:])


def is_healthy(port: int) -> bool:
    """Return whether the health page answers at *port*."""
    connection = HTTPConnection(HOST, port, timeout=5)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def answers(site: Site, path: str, number: int) -> list[int]:
    """Return the statuses of *number* requests one after the other;
    0 for a request without an answer.
    """
    found = []
    for _ in range(number):
        connection = HTTPConnection(HOST, site.port, timeout=PATIENCE)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            found.append(answer.status)
        except (OSError, HTTPException):
            found.append(0)
            break  # The remaining requests would only take time.
        finally:
            connection.close()
    return found


def free_port() -> int:
    with socket.create_server((HOST, 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


def _run() -> Any:
    """Return ``./run`` as a module."""
    loader = SourceFileLoader("run", str(ROOT / "run"))
    spec = spec_from_loader("run", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module
