"""Write the mirror of a tournament or an event once, to a folder or into a file to download."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from tournaments.core import jobs
from tournaments.core.jobs import Work
from tournaments.site.mirrors.destinations import Destination, LocalFolder
from tournaments.site.mirrors.manifest import Manifest
from tournaments.site.mirrors.sources import Source, source_named
from tournaments.site.mirrors.transfer import Transfer, found_at, next_counter, require_ours

JOB: Final = "mirror_file"


def export_to(destination: Destination, source: Source) -> Manifest:
    """Write the newest version to *destination*, and return its manifest.

    ``Conflict`` if there is a mirror that this record does not contain.
    """
    found = found_at(destination)
    require_ours(found, source)
    export = source.version(timezone.now()).make()
    transfer = Transfer(destination, {})
    new = transfer.publish(export, found, next_counter(source, timezone.now()), timezone.now)
    transfer.complete(export, new.folder)
    return new


def file_start(*, source: Source, actor: User) -> None:
    """Let a file with the pages be made by the runner: it takes some seconds of the processor."""
    with transaction.atomic():
        source.lock(actor)
        jobs.enqueue(JOB, source.key)


def file_job(work: Work) -> None:
    """Make the file, as a job."""
    if (source := source_named(work.key)) is None:
        return
    with TemporaryDirectory() as folder:
        pages = Path(folder, "pages")
        export_to(LocalFolder(pages), source)
        made = shutil.make_archive(str(Path(folder, "made")), "zip", pages)
        target = source.store.pages_file
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = shutil.move(made, target.with_suffix(".part"))
        Path(draft).replace(target)


def file_made(source: Source) -> datetime | None:
    """Return when the newest file was made; None without one."""
    try:
        return datetime.fromtimestamp(source.store.pages_file.stat().st_mtime, UTC)
    except FileNotFoundError:
        return None
