"""The files of the site for a mirror, of a tournament or an event: settings with a secret, last upload, and faults.

These are files in a folder of their own, readable only by the owner of the data folder, and not rows: so the secret is
in no record, no file of an event and no copy of the site, and a copy that is restored does not begin to publish.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal

from django.conf import settings

from tournaments.core.errors import Conflict

logger = logging.getLogger(__name__)
Kind = Literal["web", "folder"]

_SETTINGS: Final = "settings.json"
_STATE: Final = "state.json"
_SENT: Final = "sent.json"
_EVENTS: Final = "events"


@dataclass(frozen=True, slots=True)
class MirrorSettings:
    """Where the mirror is. ``revision`` counts the changes.

    ``kind`` is ``web`` (a web space that takes files by PUT) or ``folder`` (below ``SWISS_MIRROR_DIR``). ``address`` is
    the folder in the web space, with a slash at its end; without ``user`` the ``secret`` is a token. ``public`` is
    where visitors find the mirror, if it is known. ``accepted`` is the SHA-256 of a foreign manifest that the Chief
    Arbiter has decided to replace.
    """

    kind: Kind = "web"
    address: str = ""
    user: str = ""
    secret: str = field(default="", repr=False)
    public: str = ""
    is_on: bool = False
    accepted: str = ""
    by_event: bool = False
    revision: int = 0

    @property
    def place(self) -> str:
        """What the list of sent files belongs to."""
        return f"{self.kind} {self.address}"


@dataclass(frozen=True, slots=True)
class Fault:
    """Why the mirror was not brought up to date: a code with its values; ``since`` when (ISO form)."""

    code: str
    params: Mapping[str, Any]
    since: str


@dataclass(frozen=True, slots=True)
class MirrorState:
    """How far it came. Times are UTC in ISO form; empty: never.

    ``counter`` is that of the newest manifest sent, ``shown`` the state and the build that it shows, ``version`` the
    public version, ``folder`` the one that visitors read, ``at`` when it was complete. ``refused`` is the SHA-256 of
    the manifest because of which nothing is sent. ``next_try`` is empty if nothing is tried again by itself.
    """

    counter: int = 0
    shown: str = ""
    version: int = 0
    folder: str = ""
    at: str = ""
    files: int = 0
    fault: Fault | None = None
    refused: str = ""
    next_try: str = ""
    tries: int = 0

    @property
    def last(self) -> datetime | None:
        return datetime.fromisoformat(self.at) if self.at else None

    @property
    def next(self) -> datetime | None:
        return datetime.fromisoformat(self.next_try) if self.next_try else None


class Kept:
    """The folder with what is kept for the tournament *identity*."""

    def __init__(self, identity: str) -> None:
        self.folder = _above() / identity

    @classmethod
    def of_event(cls, identity: str) -> Kept:
        """Return what is kept for the event *identity*."""
        return cls(f"{_EVENTS}/{identity}")

    @property
    def settings(self) -> MirrorSettings:
        """The settings; empty ones, turned off, before the first. A file that cannot be read raises an error."""
        values = self._read(_SETTINGS)
        return MirrorSettings(**values) if values else MirrorSettings()

    @property
    def state(self) -> MirrorState:
        values = self._read(_STATE)
        if not values:
            return MirrorState()
        fault = values.pop("fault")
        return MirrorState(**values, fault=Fault(**fault) if fault else None)

    def save_settings(self, new: MirrorSettings, seen_revision: int | None = None) -> MirrorSettings:
        """Save *new* with the next revision; ``Conflict`` if it is not *seen_revision* that was changed."""
        now = self.settings.revision
        if seen_revision is not None and seen_revision != now:
            raise Conflict("mirror.moved_meanwhile")
        saved = replace(new, revision=now + 1)
        self._write(_SETTINGS, asdict(saved))
        return saved

    def save_state(self, state: MirrorState) -> None:
        self._write(_STATE, asdict(state))

    def sent(self, place: str) -> dict[str, str]:
        """Return which files are at *place*, as far as this site knows: the SHA-256 by path."""
        found = self._read(_SENT)
        return dict(found["files"]) if found and found["place"] == place else {}

    def save_sent(self, place: str, files: Mapping[str, str]) -> None:
        self._write(_SENT, {"place": place, "files": dict(files)})

    def forget_sent(self) -> None:
        """Let the next attempt send everything again."""
        (self.folder / _SENT).unlink(missing_ok=True)
        self.save_state(replace(self.state, shown=""))

    @property
    def is_on(self) -> bool:
        """Whether there is a mirror. No query; cheap where there is none. Settings that cannot be read are off."""
        try:
            return (self.folder / _SETTINGS).exists() and self.settings.is_on
        except (OSError, ValueError, TypeError):
            logger.exception("The settings of the mirror in %s cannot be read", self.folder)
            return False

    def remove(self) -> None:
        """Forget everything, the secret too: the tournament is deleted."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _read(self, name: str) -> dict[str, Any]:
        try:
            text = (self.folder / name).read_text(encoding="utf-8")
        except FileNotFoundError:
            return {}
        values: dict[str, Any] = json.loads(text)
        return values

    def _write(self, name: str, values: Mapping[str, Any]) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = self.folder / f".{name}.{os.getpid()}"
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(values, file)
        draft.replace(self.folder / name)


def all_kept(*, events: bool = False) -> Iterator[Kept]:
    """Yield what is kept for each tournament that has a mirror, in order; with *events* for each event."""
    above = f"{_EVENTS}/" if events else ""
    for path in sorted(_above().glob(f"{above}*/{_SETTINGS}")):
        yield Kept(above + path.parent.name)


def events_have_mirrors() -> bool:
    """Return whether a mirror of an event was ever set up here. No query."""
    return any(all_kept(events=True))


def _above() -> Path:
    return Path(settings.DATA_DIR) / "mirrors"
