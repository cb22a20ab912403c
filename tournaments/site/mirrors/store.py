"""The files of this site for a mirror: its settings with a secret, and how far it came.

They are files that only the owner of the data folder can read, and not rows: so the secret is in
no record, no file of an event and no copy of the site, and a copy that is restored does not begin
to publish.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal

from django.conf import settings

from tournaments.core.errors import Conflict

logger = logging.getLogger(__name__)

_SETTINGS: Final = "settings.json"
_STATE: Final = "state.json"
_SENT: Final = "sent.json"
_EVENTS: Final = "events"


@dataclass(frozen=True, slots=True)
class MirrorSettings:
    """Where the mirror is. ``revision`` counts the changes.

    ``kind`` is ``web`` (a web space that takes files by PUT) or ``folder`` (below
    ``SWISS_MIRROR_DIR``). ``address`` is the folder in the web space, with a slash at its end;
    without ``user`` the ``secret`` is a token. ``public`` is where visitors find the mirror, if it
    is known. ``accepted`` is the SHA-256 of a foreign manifest that the Chief Arbiter has decided
    to replace. ``by_event``: set together with the mirror of the event.
    """

    kind: Literal["web", "folder"] = "web"
    address: str = ""
    user: str = ""
    secret: str = field(default="", repr=False)
    public: str = ""
    is_on: bool = False
    accepted: str = ""
    by_event: bool = False
    revision: int = 0

    @property
    def destination(self) -> str:
        """What the list of sent files belongs to."""
        return f"{self.kind} {self.address}"


@dataclass(frozen=True, slots=True)
class Fault:
    """Why the mirror is not up to date: a code with its values; ``since`` when (ISO form)."""

    code: str
    params: Mapping[str, Any]
    since: str


@dataclass(frozen=True, slots=True)
class MirrorState:
    """How far it came. Times are UTC in ISO form; empty: never.

    ``counter`` is that of the newest manifest sent, ``shown`` tells what it shows, ``version`` is
    the public version, ``folder`` the folder for visitors, ``at`` when it was complete.
    ``in_both``: the other folder is equal too. ``refused`` is the SHA-256 of the manifest because
    of which nothing is sent; ``tries`` counts the attempts since the last success.
    """

    counter: int = 0
    shown: str = ""
    version: int = 0
    folder: str = ""
    at: str = ""
    files: int = 0
    in_both: bool = False
    fault: Fault | None = None
    refused: str = ""
    tries: int = 0

    @property
    def last(self) -> datetime | None:
        return datetime.fromisoformat(self.at) if self.at else None

    def without_fault(self) -> MirrorState:
        return replace(self, fault=None, refused="", tries=0)


class Store:
    """The folder for the mirror of the tournament *identity*, or of ``events/IDENTITY``."""

    def __init__(self, identity: str, *, is_event: bool = False) -> None:
        self.identity = identity
        self.folder = _root() / _EVENTS / identity if is_event else _root() / identity

    @property
    def pages_file(self) -> Path:
        """The ZIP file with the pages, if an arbiter has asked for one."""
        return self.folder / "pages.zip"

    @property
    def settings(self) -> MirrorSettings:
        """The settings; empty ones, turned off, before the first.

        An unreadable file is an error.
        """
        return MirrorSettings(**self._read(_SETTINGS))

    @property
    def state(self) -> MirrorState:
        # A file of an earlier program may have more.
        known = {each.name for each in fields(MirrorState)}
        values = {name: value for name, value in self._read(_STATE).items() if name in known}
        fault = values.pop("fault", None)
        return MirrorState(**values, fault=Fault(**fault) if fault else None)

    @property
    def is_on(self) -> bool:
        """Whether there is a mirror. No query; settings that cannot be read are off."""
        try:
            return self.settings.is_on
        except (OSError, ValueError, TypeError):
            logger.exception("The settings of the mirror in %s cannot be read", self.folder)
            return False

    def save_settings(self, new: MirrorSettings, seen: int | None = None) -> MirrorSettings:
        """Save *new* with the next revision; ``Conflict`` unless the one changed is *seen*."""
        now = self.settings.revision
        if seen is not None and seen != now:
            raise Conflict("mirror.moved_meanwhile")
        saved = replace(new, revision=now + 1)
        self._write(_SETTINGS, asdict(saved))
        return saved

    def save_state(self, state: MirrorState) -> None:
        self._write(_STATE, asdict(state))

    def sent(self, destination: str) -> dict[str, str]:
        """Return which files this site knows to be at *destination*: the SHA-256 by path."""
        found = self._read(_SENT)
        return dict(found["files"]) if found and found["place"] == destination else {}

    def save_sent(self, destination: str, files: Mapping[str, str]) -> None:
        self._write(_SENT, {"place": destination, "files": dict(files)})

    def forget_sent(self) -> None:
        """Let the next attempt send everything again."""
        (self.folder / _SENT).unlink(missing_ok=True)
        self.save_state(replace(self.state, shown=""))

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
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        with os.fdopen(os.open(draft, flags, 0o600), "w", encoding="utf-8") as file:
            json.dump(values, file)
        draft.replace(self.folder / name)


def all_stores(*, is_event: bool) -> Iterator[Store]:
    """Yield the store of each tournament that has a mirror, in order; or of each event.

    No query.
    """
    folder = _root() / _EVENTS if is_event else _root()
    for path in sorted(folder.glob(f"*/{_SETTINGS}")):
        yield Store(path.parent.name, is_event=is_event)


def _root() -> Path:
    return Path(settings.DATA_DIR) / "mirrors"
