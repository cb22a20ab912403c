"""Commands of ``manage.py`` in processes of their own, also of a newer program,
and what they leave.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from tests.live.server import ROOT
from tournaments.site.backups.restoring import DATABASE, environment_of

KILLS = int(os.environ.get("CRASH_SEEDS") or 5)
PROGRAM = ("config", "pairing", "tournaments", "templates", "static", "locale", "manage.py")
NEWEST = max(path.stem for path in (ROOT / "tournaments" / "migrations").glob("0*.py"))
MIGRATION = """
import time
from django.db import migrations, models


def fail(apps, editor):
    apps.get_model("tournaments", "Tournament").objects.update(name="spoilt")
    raise ValueError("the new tables do not fit")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "NEWEST")]
    operations = [
        migrations.AddField("entry", "extra", models.CharField(max_length=3, default="")),
        migrations.RunPython(STEP),
    ]
"""
FAILS, TAKES_A_MOMENT = "fail", "lambda apps, editor: time.sleep(0.5)"
BEFORE = "    created_at = models.DateTimeField("
DEFAULTS = "PLAYER: Final[Defaults] = {\n"
CONTENT = """
import json
from tournaments.models import *
print(json.dumps([
    [[t.slug, t.version, t.fingerprint] for t in Tournament.objects.order_by("slug")],
    [[d.sequence, d.hash, d.signature] for d in Decision.objects.order_by("tournament__slug", "sequence")],
    [[g.board, g.result] for g in Game.objects.order_by("round__tournament__slug", "round__number", "board")],
    [[p.number, p.sha256, p.signature] for p in PublishedList.objects.order_by("tournament__slug", "number")],
]))
"""
AUTOMATIC = """
from django.utils import timezone
from tournaments.site.backups.automatic import copy_automatically
raise SystemExit(not copy_automatically(clock=timezone.now))
"""
"""Make a copy as the server does by itself."""
Where = Path | Mapping[str, str]
"""The data folder of a site on SQLite, or the environment of any site."""


def newer_program(folder: Path, step: str) -> Path:
    """Copy the program to *folder* with one migration more, which does *step* at its end."""
    for part in PROGRAM:
        if (ROOT / part).is_dir():
            shutil.copytree(
                ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__")
            )
        else:
            shutil.copy(ROOT / part, folder / part)
    migration = folder / "tournaments" / "migrations" / "9999_newer.py"
    migration.write_text(MIGRATION.replace("NEWEST", NEWEST).replace("STEP", step))
    column = '    extra = models.CharField(max_length=3, default="")\n'
    _insert(folder / "tournaments" / "models" / "entry.py", BEFORE, column, after="")
    _insert(folder / "pairing" / "record" / "defaults.py", "", '    "extra": "",\n', after=DEFAULTS)
    return folder


def _insert(path: Path, before: str, line: str, *, after: str) -> None:
    """Insert *line* in a file, *after* a text or *before* one."""
    text = path.read_text()
    assert (after or before) in text, path
    path.write_text(text.replace(after + before, after + line + before, 1))


def begin(
    where: Where, *arguments: object, program: Path = ROOT, **more: Any
) -> subprocess.Popen[str]:
    """Start ``manage.py`` with *arguments* for the site *where*."""
    environment = environment_of(where) if isinstance(where, Path) else where
    command = [sys.executable, str(program / "manage.py"), *map(str, arguments)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True, **more)


def run(
    where: Where, *arguments: object, program: Path = ROOT, **more: Any
) -> subprocess.CompletedProcess[str]:
    """Run ``manage.py`` with *arguments* for the site *where*, to its end."""
    with begin(where, *arguments, program=program, **more) as process:
        out, error = process.communicate()
        return subprocess.CompletedProcess(process.args, process.returncode, out, error)


def manage(where: Where, *arguments: object, program: Path = ROOT) -> str:
    """Return the output of a command that must succeed."""
    done = run(where, *arguments, program=program)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def python(where: Where, script: str) -> str:
    """Return the output of *script* with Django set up; it must succeed."""
    return manage(where, "shell", "--no-imports", "-c", script)


def make_administrator(where: Where, name: str = "arbiter") -> None:
    """Make an account that may do everything."""
    make = (
        f"from django.contrib.auth.models import User as U; "
        f"U.objects.create_superuser('{name}', password='secret')"
    )
    python(where, make)


def killed(where: Where, after: float, *arguments: object, program: Path = ROOT) -> bool:
    """Send SIGKILL to a command and its children *after* seconds;
    return whether it was still running.
    """
    with begin(where, *arguments, program=program, start_new_session=True) as process:
        time.sleep(after)
        was_running = process.poll() is None
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return was_running


def duration(where: Where, *arguments: object, program: Path = ROOT) -> float:
    """Return the seconds of a command that must succeed."""
    start = time.monotonic()
    manage(where, *arguments, program=program)
    return time.monotonic() - start


def content(where: Where) -> object:
    """Return the tournaments, records, results and lists of a site."""
    return json.loads(python(where, CONTENT).splitlines()[-1])


def state(folder: Path) -> tuple[object, ...]:
    """Return what the SQLite database in *folder* has, and the key of the site."""
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        sound = database.execute("PRAGMA integrity_check").fetchall()
        ends = database.execute(
            "SELECT name, version, fingerprint FROM tournaments_tournament"
        ).fetchall()
        people = database.execute("SELECT username FROM auth_user").fetchall()
    key = folder / "signing-key"
    return sound, ends, people, key.read_text() if key.exists() else ""
