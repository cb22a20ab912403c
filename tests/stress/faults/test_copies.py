"""Kill a backup and a restore at random moments, and let the disk be full.

``CRASH_SEEDS`` is the number of kills of each kind.
"""

from __future__ import annotations

import random
import resource
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tournaments.site.backups.copy_file import CopyError, read_manifest

from .commands import AUTOMATIC, KILLS, duration, killed, manage, python, run, state

pytestmark = pytest.mark.slow


def test_a_killed_backup_leaves_no_half_copy_and_the_site_as_it_was(copy_of_site: Path) -> None:
    before, moments = state(copy_of_site), random.Random(1)
    whole = duration(copy_of_site, "backup")
    hits = sum(killed(copy_of_site, moments.uniform(0.2, whole), "backup") for _ in range(KILLS))
    for path in (copy_of_site / "backups").glob("*.backup"):
        read_manifest(path)
    assert state(copy_of_site) == before
    python(copy_of_site, AUTOMATIC)
    print(f"backup: {hits} of {KILLS} kills while it ran")


def test_a_killed_restore_leaves_the_old_state_or_is_finished(
    demo_site: Path, tmp_path: Path
) -> None:
    moments, outcomes, early = random.Random(2), [], demo_site / "early.backup"
    after = tmp_path / "after"
    shutil.copytree(demo_site, after)
    before = state(demo_site)
    whole = duration(after, "restore", early)
    wanted = state(after)
    assert wanted != before
    for number in range(KILLS):
        folder = tmp_path / f"killed-{number}"
        shutil.copytree(demo_site, folder)
        # Most of the time goes into the check; what matters is at the end.
        was_running = killed(folder, moments.uniform(0.6 * whole, 1.05 * whole), "restore", early)
        begun = (folder / "restore.json").exists()
        manage(folder, "upgrade")
        found = state(folder)
        assert found in (before, wanted)
        assert not begun or found == wanted
        manage(folder, "verify_site")
        outcomes.append((was_running, found == wanted))
        shutil.rmtree(folder)
    print(f"restore (was running, is restored): {outcomes}")


def test_a_full_disk_is_a_sentence_and_leaves_nothing(copy_of_site: Path) -> None:
    """RLIMIT_FSIZE lets every file end at 60 kB, as a full disk would."""

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    before = state(copy_of_site)
    done = run(copy_of_site, "backup", preexec_fn=small)
    assert (done.returncode, "There is no new copy" in done.stderr) == (1, True), done.stderr
    assert (
        run(copy_of_site, "shell", "--no-imports", "-c", AUTOMATIC, preexec_fn=small).returncode
        == 1
    )
    done = run(copy_of_site, "restore", copy_of_site / "early.backup", preexec_fn=small)
    assert (done.returncode, "Traceback" in done.stderr) == (1, False), done.stderr
    assert list((copy_of_site / "backups").glob("*.backup")) == []
    assert list(copy_of_site.glob(".restore-*")) == []
    assert state(copy_of_site) == before


def test_a_full_disk_is_named(copy_of_site: Path, small_disk: Callable[[int], Path]) -> None:
    """The stick is full, or the disk on which the copy should be restored."""
    disk = small_disk(500_000)
    full = f"the disk of {disk} is full. Delete files there that nobody needs, or choose another folder."
    done = run(copy_of_site, "backup", disk)
    assert (done.returncode, f"There is no new copy: {full}" in done.stderr) == (1, True), (
        done.stderr
    )
    assert list(disk.iterdir()) == []
    manage(copy_of_site, "backup")
    (copy,) = (copy_of_site / "backups").glob("*.backup")
    done = run(disk, "restore", copy)
    sentence = f"The copy could not be unpacked and checked: {full} Nothing was changed."
    assert (done.returncode, sentence in done.stderr) == (1, True), done.stderr
    assert not {"swiss-arbiter.sqlite3", "signing-key"} & {path.name for path in disk.iterdir()}


def test_a_copy_that_was_cut_off_anywhere_is_refused_with_a_sentence(copy_of_site: Path) -> None:
    before, whole = state(copy_of_site), (copy_of_site / "early.backup").read_bytes()
    cut = copy_of_site / "cut.backup"
    for place in random.Random(4).sample(range(len(whole)), 100):
        cut.write_bytes(whole[:place])
        with pytest.raises(CopyError):
            read_manifest(cut)
    done = run(copy_of_site, "restore", cut)
    assert (done.returncode, "Take another copy" in done.stderr) == (1, True), done.stderr
    assert state(copy_of_site) == before
