"""A tournament with round 1 played, a folder for its mirror, and a clock that goes on while nobody waits."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from tests.tournaments import factories
from tournaments.core import jobs
from tournaments.core.errors import BadInput
from tournaments.events.sections import event_create, section_add
from tournaments.mirrors import manifest as manifests
from tournaments.mirrors.kept import MirrorSettings, MirrorState
from tournaments.mirrors.owners import OfEvent, OfTournament, Owner
from tournaments.mirrors.places import LocalFolder, Place
from tournaments.mirrors.running import JOB, Tools, attempt, sends, start
from tournaments.models import Event, Section, Tournament
from tournaments.setup.visibility import tournament_list_set

FOLDER = MirrorSettings(kind="folder", is_on=True)


class Clock:
    """A clock that only sleeping moves; ``before_sleep`` sees each sleep."""

    def __init__(self) -> None:
        self.now = factories.NOW
        self.before_sleep: Callable[[], None] = lambda: None

    def __call__(self) -> datetime:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.before_sleep()
        self.now += timedelta(seconds=seconds)


class WatchedFolder(LocalFolder):
    """A folder that lists what is written, and fails for the paths in ``broken``."""

    def __init__(self, above: Path, slug: str) -> None:
        super().__init__(above, slug)
        self.written: list[str] = []
        self.removed: list[str] = []
        self.broken: Callable[[str], bool] = lambda path: False

    def write(self, path: str, body: bytes) -> None:
        if self.broken(path):
            raise BadInput("mirror.not_reached", problem="cut off")
        self.written.append(path)
        super().write(path, body)

    def remove(self, path: str) -> None:
        self.removed.append(path)
        super().remove(path)


class Mirror:
    """The mirror of *owner* in a folder: ``run`` does its job again and again, as the runner of the site does."""

    def __init__(self, owner: Owner, above: Path) -> None:
        self.owner = owner
        self.root = above / owner.name()
        self.place = WatchedFolder(above, owner.name())
        self.clock = Clock()
        self.kept = owner.kept

    def run(self) -> MirrorState:
        self.place.written.clear()
        self.place.removed.clear()
        tools = Tools(self.clock, lambda: self.is_wanted, self.clock.sleep, self._place)
        while True:
            self.forget_wish()
            state = attempt(self.owner, tools)
            if self.is_wanted:
                continue
            if state.next is None or not sends(self.owner):
                return state
            while not self.is_wanted and (left := (state.next - self.clock()).total_seconds()) > 0:
                self.clock.sleep(min(1.0, left))

    @property
    def is_wanted(self) -> bool:
        """Whether a job waits."""
        return jobs.waiting(JOB, self.owner.key) is not None

    def want(self) -> None:
        start(self.owner)

    def forget_wish(self) -> None:
        jobs.cancel(JOB, self.owner.key)

    def _place(self, chosen: MirrorSettings, name: str) -> Place:
        return self.place

    def files(self) -> dict[str, bytes]:
        paths = [path for path in self.root.rglob("*") if path.is_file()]
        return {path.relative_to(self.root).as_posix(): path.read_bytes() for path in paths}


class MirrorOf(Mirror):
    """The mirror of a tournament."""

    def __init__(self, tournament: Tournament, above: Path) -> None:
        super().__init__(OfTournament(tournament.pk, tournament.identity), above)
        self.tournament = tournament


class EventMirror(Mirror):
    """The mirror of an event of three sections: A and B are in the public list and have mirrors, “Hidden” is not."""

    def __init__(self, event: Event, above: Path) -> None:
        super().__init__(OfEvent(event.pk, event.identity), above)
        self.event = event
        tournaments = [each.tournament for each in Section.objects.filter(event=event).select_related("tournament")]
        self.a, self.b, self.hidden = (MirrorOf(tournament, above) for tournament in tournaments)

    def run_all(self) -> None:
        """Bring the mirrors of both sections up to date, then this one, as the runner of the site does."""
        for section in (self.a, self.b):
            section.run()
        assert self.run().fault is None

    def text(self, name: str = "index.html", language: str = "en") -> str:
        folder = self.manifest.folder
        return self.files()[f"{folder}/{language}/{name}"].decode()

    @property
    def manifest(self) -> manifests.Manifest:
        return manifests.read(self.files()["manifest.json"]).manifest


def make_event_mirror(chief: User, above: Path) -> EventMirror:
    """Round 1 of section A is over; section B has players and no round. Nothing was sent yet."""
    first = factories.make_ready(chief, players=6, name="City Open")
    factories.play_rounds(first, [1], chief)
    event = event_create(tournament_id=first.pk, name="City Open", label="Masters", actor=chief, now=factories.NOW)
    for label in ("Juniors", "Hidden"):
        section = section_add(
            event_id=event.pk, like_id=first.pk, label=label, limits={}, actor=chief, now=factories.NOW
        )
        factories.make_entries(section, chief, 4)
    found = EventMirror(event, above)
    for each in (found.a, found.b):
        tournament_list_set(tournament_id=each.tournament.pk, actor=chief, now=factories.NOW, listed=True)
        each.tournament.refresh_from_db()
    for mirror in (found, found.a, found.b):
        mirror.kept.save_settings(FOLDER)
    return found


@pytest.fixture
@factories.kept
def played(chief_arbiter: User) -> Tournament:
    """Six players, round 1 is over; round 2 is not paired."""
    tournament = factories.make_ready(chief_arbiter, players=6)
    factories.play_rounds(tournament, [1], chief_arbiter)
    return tournament


@pytest.fixture
def mirror(played: Tournament, settings: Settings, tmp_path: Path) -> MirrorOf:
    """A mirror that is on, with nothing sent yet."""
    settings.DATA_DIR = tmp_path / "data"
    settings.MIRROR_DIR = str(tmp_path / "synced")
    (tmp_path / "synced").mkdir()
    found = MirrorOf(played, tmp_path / "synced")
    found.kept.save_settings(MirrorSettings(kind="folder", is_on=True))
    return found
