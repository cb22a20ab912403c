"""A tournament with round 1 played, and a folder for its mirror;
the same for an event of three sections.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from unittest.mock import patch

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from tests.tournaments import factories
from tournaments.core import jobs
from tournaments.core.errors import BadInput
from tournaments.events.sections import event_create, section_add
from tournaments.models import Event, Section, Tournament
from tournaments.setup.visibility import tournament_list_set
from tournaments.site.mirrors import manifest as manifests, updating
from tournaments.site.mirrors.destinations import LocalFolder
from tournaments.site.mirrors.sources import source_of
from tournaments.site.mirrors.store import MirrorSettings, MirrorState

FOLDER = MirrorSettings(kind="folder", is_on=True)


class WatchedFolder(LocalFolder):
    """A folder that lists what is written, and fails for the paths that ``breaks`` names."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.written: list[str] = []
        self.removed: list[str] = []
        self.breaks: Callable[[str], bool] = lambda path: False

    def write(self, path: str, body: bytes) -> None:
        if self.breaks(path):
            raise BadInput("mirror.not_reached", problem="cut off")
        self.written.append(path)
        super().write(path, body)

    def remove(self, path: str) -> None:
        self.removed.append(path)
        super().remove(path)


class Mirror:
    """The mirror of *row* in a folder."""

    def __init__(self, row: Tournament | Event, synced: Path) -> None:
        self.source = source_of(row)
        self.store = self.source.store
        self.root = synced / self.source.folder()
        self.destination = WatchedFolder(self.root)
        self.now = factories.NOW

    def attempt(self) -> datetime | None:
        """Do the job once; return when it is due again."""
        self.cancel_job()
        with patch.object(updating, "destination_of", lambda chosen, folder: self.destination):
            return updating.bring_up_to_date(self.source, lambda: self.now, lambda: self.is_wanted)

    def run(self) -> MirrorState:
        """Do the job again and again, as the runner does, until nothing is due; time is skipped."""
        self.destination.written.clear()
        self.destination.removed.clear()
        due: datetime | None = self.now
        while due is not None and self.source.sends:
            self.now = max(self.now, due)
            due = self.attempt()
            due = self.now if self.is_wanted else due
        return self.store.state

    def cancel_job(self) -> None:
        jobs.cancel(updating.JOB, self.source.key)

    @property
    def is_wanted(self) -> bool:
        """Whether a job waits."""
        return jobs.waiting(updating.JOB, self.source.key) is not None

    @property
    def fault(self) -> str:
        """The code of the fault; empty without one."""
        fault = self.store.state.fault
        return fault.code if fault else ""

    @property
    def files(self) -> dict[str, bytes]:
        paths = [path for path in self.root.rglob("*") if path.is_file()]
        return {path.relative_to(self.root).as_posix(): path.read_bytes() for path in paths}

    @property
    def manifest(self) -> manifests.Manifest:
        return manifests.read(self.files["manifest.json"]).manifest

    def text(self, name: str = "index.html", language: str = "en") -> str:
        return self.files[f"{self.manifest.folder}/{language}/{name}"].decode()


class MirrorOf(Mirror):
    """The mirror of a tournament."""

    def __init__(self, tournament: Tournament, synced: Path) -> None:
        super().__init__(tournament, synced)
        self.tournament = tournament

    def publish(self, number: int, chief: User) -> None:
        factories.pair_and_publish(self.tournament, number, chief)
        self.tournament.refresh_from_db()


class EventMirror(Mirror):
    """The mirror of an event of three sections: A and B are in the public
    list and have mirrors, “Hidden” is not.
    """

    def __init__(self, event: Event, synced: Path) -> None:
        super().__init__(event, synced)
        self.event = event
        sections = Section.objects.filter(event=event).select_related("tournament")
        self.a, self.b, self.hidden = (MirrorOf(each.tournament, synced) for each in sections)

    def run_all(self) -> None:
        """Bring the mirrors of both sections up to date, then this one,
        as the runner of the site does.
        """
        for mirror in (self.a, self.b, self):
            mirror.run()
        assert self.fault == ""


def folder_for_mirrors(settings: Settings, tmp_path: Path) -> Path:
    """Make the folder of the site and the synced one, and return the latter."""
    settings.DATA_DIR = tmp_path / "data"
    settings.MIRROR_DIR = str(tmp_path / "synced")
    (tmp_path / "synced").mkdir()
    return tmp_path / "synced"


def make_mirror(tournament: Tournament, settings: Settings, tmp_path: Path) -> MirrorOf:
    """Return a mirror that is on, with nothing sent yet."""
    found = MirrorOf(tournament, folder_for_mirrors(settings, tmp_path))
    found.store.save_settings(FOLDER)
    return found


def make_event_mirror(chief: User, settings: Settings, tmp_path: Path) -> EventMirror:
    """Round 1 of section A is over; section B has players and no round. Nothing was sent yet."""
    first = factories.make_ready(chief, players=6, name="City Open")
    factories.play_rounds(first, [1], chief)
    event = event_create(
        tournament_id=first.pk, name="City Open", label="Masters", actor=chief, now=factories.NOW
    )
    for label in ("Juniors", "Hidden"):
        section = section_add(
            event_id=event.pk,
            like_id=first.pk,
            label=label,
            limits={},
            actor=chief,
            now=factories.NOW,
        )
        factories.make_entries(section, chief, 4)
    found = EventMirror(event, folder_for_mirrors(settings, tmp_path))
    for each in (found.a, found.b):
        tournament_list_set(
            tournament_id=each.tournament.pk, actor=chief, now=factories.NOW, listed=True
        )
        each.tournament.refresh_from_db()
    for mirror in (found, found.a, found.b):
        mirror.store.save_settings(FOLDER)
    return found


@pytest.fixture
@factories.cached
def played(chief_arbiter: User) -> Tournament:
    """Six players, round 1 is over; round 2 is not paired."""
    tournament = factories.make_ready(chief_arbiter, players=6)
    factories.play_rounds(tournament, [1], chief_arbiter)
    return tournament


@pytest.fixture
def mirror(played: Tournament, settings: Settings, tmp_path: Path) -> MirrorOf:
    return make_mirror(played, settings, tmp_path)


@pytest.fixture
def event_mirror(chief_arbiter: User, settings: Settings, tmp_path: Path) -> EventMirror:
    return make_event_mirror(chief_arbiter, settings, tmp_path)
