"""Kills during a backup, a restore, an upgrade and the first start, of the program or of PostgreSQL under it."""

from __future__ import annotations

import random
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg

from tests.faults.stage import Run, file_of
from tests.faults.warm import Warm
from tests.live.databases import PostgresDatabase, SqliteDatabase
from tests.live.server import ROOT, Site
from tournaments.backups.copy_file import CopyError, read_manifest

LOCKS = frozenset({".maker", ".running", ".waiting"})
"""Files that automatic copies lock, so that only one is made at a time; they stay."""
NEWEST = max(path.stem for path in (ROOT / "tournaments" / "migrations").glob("0*.py"))
"""The migration after which the newer program has one more."""
NEWER = """
import time
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "NEWEST")]
    operations = [
        migrations.AddField("entry", "extra", models.CharField(max_length=3, default="")),
        migrations.RunPython(lambda apps, editor: time.sleep(0.2)),
        migrations.AddField("entry", "another", models.CharField(max_length=3, default="")),
    ]
""".replace("NEWEST", NEWEST)
AUTOMATIC = """
from django.utils import timezone
from tournaments.backups.automatic import copy_automatically
raise SystemExit(not copy_automatically(clock=timezone.now))
"""
FIELD = '    {} = models.CharField(max_length=3, default="")\n'
STATE = {
    "tournaments": "SELECT name, version, fingerprint FROM tournaments_tournament ORDER BY id",
    "accounts": "SELECT username FROM auth_user ORDER BY id",
    "results": "SELECT id, result, version FROM tournaments_game ORDER BY id",
    "record": "SELECT sequence, hash, signature FROM tournaments_decision ORDER BY tournament_id, sequence",
}
TABLES = {
    "sqlite": "SELECT COUNT(*) FROM sqlite_master WHERE name = 'tournaments_tournament'",
    "postgres": "SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'tournaments_tournament'",
}


def newer_checkout(folder: Path) -> Path:
    """Copy the program to *folder* and give it one migration more, which takes a moment."""
    folder.mkdir()
    for part in ("config", "pairing", "tournaments", "templates", "static", "locale"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "manage.py", folder)
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "tournaments" / "migrations" / "9999_newer.py").write_text(NEWER)
    model = folder / "tournaments" / "models" / "entry.py"
    before, mark, after = model.read_text().partition("    created_at = models.DateTimeField(")
    model.write_text(before + FIELD.format("extra") + FIELD.format("another") + mark + after)
    add_defaults(folder, "extra", "another")
    return folder


def add_defaults(folder: Path, *columns: str) -> None:
    """Let the record of the program in *folder* know the new *columns* of players."""
    defaults = folder / "pairing" / "record" / "defaults.py"
    before, mark, after = defaults.read_text().partition('    "club": "",\n')
    defaults.write_text(before + mark + "".join(f'    "{name}": "",\n' for name in columns) + after)


class Copies:
    """A data folder and a database that every run can have anew, and the program in a process that has loaded it."""

    def __init__(self, database: SqliteDatabase | PostgresDatabase, prepared: Path, folder: Path, kind: str) -> None:
        self.database, self.prepared, self.folder, self.kind = database, prepared, folder, kind
        folder.mkdir()
        self.data = folder / "data"
        self.name = f"copies_{folder.name}".replace("-", "_")
        self.url = database.url(self.name)
        self.program = newer_checkout(folder / "checkout") if "upgrade" in kind else ROOT
        self.environment = Site(self.data, self.url).environment
        self.fresh()
        self.warm = Warm(self.environment, self.program, folder / "log")
        self.early = folder / "early.backup"
        if kind == "restore":
            self._make_early()
        self.before = self.state()
        self.whole = self._duration()

    def close(self) -> None:
        self.warm.close()

    def fresh(self) -> None:
        """Put the data folder and the database back to the beginning."""
        shutil.rmtree(self.data, ignore_errors=True)
        self.data.mkdir()
        first = self.kind == "first-start"
        if not first:
            shutil.copy(self.prepared / "signing-key", self.data)
        self.database.drop(self.name)
        if not first:
            self.database.copy(self.name, "prepared")
        elif isinstance(self.database, PostgresDatabase):
            self.database.create(self.name)

    def _make_early(self) -> None:
        """Copy the site as it is, then change it; the restore goes back to it."""
        self.warm.run("backup")
        (copy,) = (self.data / "backups").glob("*.backup")
        shutil.move(copy, self.early)
        self.later_state()

    def later_state(self) -> None:
        """Add an account, so that the site differs from the copy."""
        self._ask("UPDATE auth_user SET username = 'arbiter-later' WHERE username = 'arbiter-2'", change=True)

    def _ask(self, query: str, *, change: bool = False) -> list[Any]:
        if isinstance(self.database, SqliteDatabase):
            with closing(sqlite3.connect(file_of(self.url), timeout=20)) as connection:
                rows = connection.execute(query).fetchall()
                connection.commit()
                return rows
        with psycopg.connect(self.url) as connection:
            done = connection.execute(query.encode())
            return [] if change else done.fetchall()

    def state(self) -> dict[str, Any]:
        """Return what the database says, and the key."""
        kind = "sqlite" if isinstance(self.database, SqliteDatabase) else "postgres"
        found: dict[str, Any] = {}
        if kind == "sqlite" and not file_of(self.url).exists():
            return found
        if self._ask(TABLES[kind])[0][0]:
            found = {name: self._ask(query) for name, query in STATE.items()}
        if kind == "sqlite":
            found["sound"] = self._ask("PRAGMA integrity_check")
        key = self.data / "signing-key"
        found["key"] = key.read_text() if key.exists() else ""
        return found

    def command(self) -> tuple[object, ...]:
        verb = self.kind.removeprefix("postgres-")
        return {"backup": ("backup",), "restore": ("restore", self.early)}.get(verb, ("upgrade",))

    def _duration(self) -> float:
        """Do it once to its end: how long that takes, and what it leads to."""
        begin = time.monotonic()
        self.warm.run(*self.command())
        seconds = time.monotonic() - begin
        self.after = self.state()
        return seconds

    def run(self, chance: random.Random) -> Run:
        """Kill once at a random moment, look, repeat the action, and look again."""
        run = Run(answers=1)
        if "backup" not in self.kind:
            self.fresh()
            if self.kind == "restore":
                self.later_state()
        moment = chance.uniform(0, 1.05) * self.whole
        begin = time.monotonic()
        if self.kind.startswith("postgres-"):
            run.met = self._postgres_killed(moment)
        else:
            run.met = self.warm.killed(moment, *self.command())
        if self.kind != "first-start":
            begun = (self.data / "restore.json").exists()
            found = self.state()
            if not begun and found not in (self.before, self.after):
                run.faults.append(f"{self.kind} killed after {moment:.2f} s: neither the old state nor the new one")
        run.faults += self._again(moment)
        run.longest = time.monotonic() - begin
        run.lost = int(run.met)
        return run

    def _postgres_killed(self, moment: float) -> bool:
        assert isinstance(self.database, PostgresDatabase)
        pid = self.warm.begin(*self.command())
        time.sleep(moment)
        self.database.server.kill()
        failed = self.warm.end(pid) != 0
        self.database.server.start()
        return failed

    def _again(self, moment: float) -> list[str]:
        """Repeat what was killed, and check everything; return what is wrong."""
        faults = []
        for path in (self.data / "backups").glob("*.backup"):
            try:
                read_manifest(path)
            except CopyError as error:
                faults.append(f"a half copy after {moment:.2f} s: {path.name}: {error}")
        try:
            self.warm.run("upgrade")
            if self.kind.endswith(("backup", "restore", "upgrade")):
                self.warm.run("shell", "--no-imports", "-c", AUTOMATIC)  # It removes what a killed one has left.
            self.warm.run("verify_site")
        except RuntimeError as error:
            return [*faults, f"after a kill at {moment:.2f} s: {error}"]
        found = self.state()
        allowed = [self.before, self.after] if self.kind == "restore" else [self.after]
        if self.kind == "first-start":
            faults += self._first_start_faults(moment)
        elif found not in allowed:
            faults.append(f"{self.kind} killed after {moment:.2f} s and repeated: another state")
        found_now = [path.name for path in self.data.rglob("*") if path.name.startswith(".") or path.suffix == ".part"]
        if isinstance(self.database, SqliteDatabase):
            found_now += [path.name for path in file_of(self.url).parent.glob(".restore-*")]
        left = [name for name in found_now if name not in LOCKS]
        if left:
            faults.append(f"left after {moment:.2f} s and one more command: {left}")
        for path in (self.data / "backups").glob("*.backup"):
            path.unlink()
        return faults

    def _first_start_faults(self, moment: float) -> list[str]:
        """The tables are there, and the numbers of this site were drawn."""
        self.warm.run("shell", "--no-imports", "-c", "from django.contrib.auth.models import User as U; "
                      "print('first', U.objects.create_user('first').pk)")  # fmt: skip
        number = int(self.warm.log.read_text().rpartition("first ")[2].split()[0])
        return [] if number > 1 else [f"killed after {moment:.2f} s: no numbers were drawn for this site"]


KINDS = ["backup", "restore", "upgrade", "first-start"]
ON_POSTGRES = ["postgres-backup", "postgres-upgrade"]
