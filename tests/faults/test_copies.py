"""Kill a backup, a restore and an upgrade at random moments, and let the disk be full.

``./run test --only sqlite --run-slow tests/faults -s``; ``CRASH_SEEDS`` is the number of kills of each kind.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path

import pytest
from django.conf import settings

from tests.faults.copying import AUTOMATIC, NEWEST, add_defaults
from tournaments.backups.copy_file import CopyError, read_manifest
from tournaments.backups.restoring import DATABASE, environment_of

pytestmark = pytest.mark.slow
KILLS = int(os.environ.get("CRASH_SEEDS") or 5)
MANAGE = [sys.executable, str(settings.BASE_DIR / "manage.py")]
FAILING = """
from django.db import migrations, models


def fail(apps, editor):
    apps.get_model("tournaments", "Tournament").objects.update(name="spoilt")
    raise ValueError("the new tables do not fit")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "NEWEST")]
    operations = [
        migrations.AddField("entry", "extra", models.CharField(max_length=3, default="")),
        migrations.RunPython(fail),
    ]
""".replace("NEWEST", NEWEST)


def run(folder: Path, *arguments: object, **more: object) -> subprocess.CompletedProcess[str]:
    command = [*MANAGE, *map(str, arguments)]
    return subprocess.run(command, env=environment_of(folder), capture_output=True, text=True, **more)  # type: ignore[call-overload, no-any-return]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a tournament after three rounds, and a copy of an earlier state: ``early.backup``."""
    folder = tmp_path_factory.mktemp("site")
    assert run(folder, "upgrade").returncode == 0
    make = "from django.contrib.auth.models import User as U; U.objects.create_superuser('arbiter', password='secret')"
    assert run(folder, "shell", "-c", make).returncode == 0
    assert run(folder, "backup").returncode == 0
    (early,) = (folder / "backups").glob("swiss-arbiter-*")
    early.rename(folder / "early.backup")
    done = run(folder, "demo")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def copy_of_site(site: Path, tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "site"
    shutil.copytree(site, folder)
    yield folder
    shutil.rmtree(folder)


def state(folder: Path) -> tuple[object, ...]:
    """What the database in *folder* says, and its key."""
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        sound = database.execute("PRAGMA integrity_check").fetchall()
        ends = database.execute("SELECT name, version, fingerprint FROM tournaments_tournament").fetchall()
        people = database.execute("SELECT username FROM auth_user").fetchall()
    key = folder / "signing-key"
    return sound, ends, people, key.read_text() if key.exists() else ""


def killed(folder: Path, after: float, *arguments: object, command: Sequence[str] = MANAGE) -> bool:
    """Start a command and send SIGKILL to it and its children *after* seconds; return whether it was still running."""
    process = subprocess.Popen(
        [*command, *map(str, arguments)],
        env=environment_of(folder),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    time.sleep(after)
    was_running = process.poll() is None
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return was_running


def duration(folder: Path, *arguments: object) -> float:
    begin = time.monotonic()
    done = run(folder, *arguments)
    assert done.returncode == 0, done.stderr
    return time.monotonic() - begin


def test_a_killed_backup_leaves_no_half_copy_and_the_site_as_it_was(copy_of_site: Path) -> None:
    before, moments = state(copy_of_site), random.Random(1)
    whole = duration(copy_of_site, "backup")
    hits = sum(killed(copy_of_site, moments.uniform(0.2, whole), "backup") for _ in range(KILLS))
    for path in (copy_of_site / "backups").glob("*.backup"):
        read_manifest(path)
    assert state(copy_of_site) == before
    assert run(copy_of_site, "shell", "-c", AUTOMATIC).returncode == 0
    print(f"backup: {hits} of {KILLS} kills while it ran")


def test_a_killed_restore_leaves_the_old_state_or_is_finished(site: Path, tmp_path: Path) -> None:
    moments, outcomes = random.Random(2), []
    after = tmp_path / "after"
    shutil.copytree(site, after)
    before = state(site)
    whole = duration(after, "restore", site / "early.backup")
    wanted = state(after)
    assert wanted != before
    for number in range(KILLS):
        folder = tmp_path / f"killed-{number}"
        shutil.copytree(site, folder)
        # Most of the time goes into the check; what matters is at the end.
        was_running = killed(folder, moments.uniform(0.6 * whole, 1.05 * whole), "restore", site / "early.backup")
        begun = (folder / "restore.json").exists()
        done = run(folder, "upgrade")
        assert done.returncode == 0, done.stderr
        found = state(folder)
        assert found in (before, wanted)
        assert not begun or found == wanted
        assert run(folder, "verify_site").returncode == 0
        outcomes.append((was_running, found == wanted))
        shutil.rmtree(folder)
    print(f"restore (was running, is restored): {outcomes}")


def test_a_full_disk_is_a_sentence_and_leaves_nothing(copy_of_site: Path) -> None:
    """RLIMIT_FSIZE lets every file end at 60 kB, as a full disk would."""
    import resource

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    before = state(copy_of_site)
    done = run(copy_of_site, "backup", preexec_fn=small)
    assert done.returncode == 1
    assert "There is no new copy" in done.stderr
    done = run(copy_of_site, "shell", "-c", AUTOMATIC, preexec_fn=small)
    assert done.returncode == 1
    done = run(copy_of_site, "restore", copy_of_site / "early.backup", preexec_fn=small)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert list((copy_of_site / "backups").glob("*.backup")) == []
    assert list(copy_of_site.glob(".restore-*")) == []
    assert state(copy_of_site) == before


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk that is too small for the database."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=500k", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("only root can mount a small disk")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_full_disk_is_named(copy_of_site: Path, small_disk: Path) -> None:
    """The stick is full, or the disk on which the copy should be restored."""
    full = f"the disk of {small_disk} is full. Delete files there that nobody needs, or choose another folder."
    done = run(copy_of_site, "backup", small_disk)
    assert (done.returncode, f"There is no new copy: {full}" in done.stderr) == (1, True), done.stderr
    assert list(small_disk.iterdir()) == []
    assert run(copy_of_site, "backup").returncode == 0
    (copy,) = (copy_of_site / "backups").glob("*.backup")
    done = run(small_disk, "restore", copy)
    said = f"The copy could not be unpacked and checked: {full} Nothing was changed."
    assert (done.returncode, said in done.stderr) == (1, True), done.stderr
    assert not {"swiss-arbiter.sqlite3", "signing-key"} & {path.name for path in small_disk.iterdir()}


def test_a_copy_that_was_cut_off_anywhere_is_refused_with_a_sentence(copy_of_site: Path) -> None:
    before, content = state(copy_of_site), (copy_of_site / "early.backup").read_bytes()
    places = random.Random(4).sample(range(len(content)), 100)
    for place in places:
        (copy_of_site / "cut.backup").write_bytes(content[:place])
        with pytest.raises(CopyError):
            read_manifest(copy_of_site / "cut.backup")
    done = run(copy_of_site, "restore", copy_of_site / "cut.backup")
    assert done.returncode == 1
    assert "Take another copy" in done.stderr
    assert state(copy_of_site) == before


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    """A newer checkout: the program with one migration more, which fails."""
    folder = tmp_path / "checkout"
    for part in ("config", "pairing", "tournaments", "templates", "static", "locale", "manage.py"):
        source = settings.BASE_DIR / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / part)
    (folder / "tournaments" / "migrations" / "9999_newer.py").write_text(FAILING)
    return folder


def test_an_upgrade_that_fails_leaves_the_site_and_says_so_in_plain_words(newer: Path, copy_of_site: Path) -> None:
    before = state(copy_of_site)
    upgrade = [sys.executable, str(newer / "manage.py"), "upgrade"]
    done = subprocess.run(upgrade, env=environment_of(copy_of_site), capture_output=True, text=True)
    assert done.returncode == 1
    assert "is as it was before: nothing is lost" in done.stderr
    assert "the new tables do not fit" in done.stderr
    assert state(copy_of_site) == before
    # The version from before goes on.
    assert run(copy_of_site, "upgrade").returncode == 0
    assert run(copy_of_site, "verify_site").returncode == 0
    print(done.stderr)


def test_an_upgrade_that_succeeds_copies_first_and_keeps_every_record(newer: Path, copy_of_site: Path) -> None:
    migration = newer / "tournaments" / "migrations" / "9999_newer.py"
    migration.write_text(FAILING.replace("migrations.RunPython(fail),", ""))
    model = newer / "tournaments" / "models" / "entry.py"
    model.write_text(
        model.read_text().replace(
            "    created_at = models.DateTimeField(",
            '    extra = models.CharField(max_length=3, default="")\n    created_at = models.DateTimeField(',
            1,
        )
    )
    add_defaults(newer, "extra")
    before = state(copy_of_site)
    upgrade = [sys.executable, str(newer / "manage.py"), "upgrade"]
    done = subprocess.run(upgrade, env=environment_of(copy_of_site), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "A copy of the site as it was is in" in done.stdout
    assert state(copy_of_site) == before
    # The older program says that it cannot read this, and restores its own copy.
    done = run(copy_of_site, "upgrade")
    assert (done.returncode, "A newer version of the program made these tables" in done.stderr) == (1, True)
    (copy,) = (copy_of_site / "backups").glob("before-upgrade-*")
    done = run(copy_of_site, "restore", copy)
    assert done.returncode == 0, done.stderr
    assert run(copy_of_site, "upgrade").returncode == 0
    assert state(copy_of_site) == before
