"""Send one version to a mirror: visitors have the old one complete, or the new one.

A mirror has two folders, ``a`` and ``b``, and the manifest names the folder for visitors. A new
version is sent to the other folder. Then come the manifest, the pages at the root, and last the
small news file. Some time later the first folder is made equal, so that links people have passed on
show nothing that is out of date.

Before anything is sent, the manifest that is there is compared with the record of this site. What
it shows must be in the record: a site that was restored from an older copy, or a second computer
with the same tournament, would otherwise show what was withdrawn. Such a fork is refused until the
Chief Arbiter has decided.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

from tournaments.core import signing
from tournaments.core.errors import BadInput, Conflict
from tournaments.site.mirrors import manifest as manifests
from tournaments.site.mirrors.destinations import Destination
from tournaments.site.mirrors.manifest import FOLDERS, Export, Found, Manifest, digest
from tournaments.site.mirrors.sources import Source

Clock = Callable[[], datetime]

NEWS: Final = "news.json"
SAVE_EVERY: Final = 20
"""Files sent between two notes of what was sent, so that an attempt that is killed is continued."""


def found_at(destination: Destination) -> Found | None:
    """Return the manifest at *destination*; None if there is none."""
    body = destination.read(manifests.NAME)
    return manifests.read(body) if body else None


def require_ours(found: Found | None, source: Source, accepted: str = "") -> None:
    """``Conflict`` if what is *found* may not be replaced by *source*.

    *accepted* is the SHA-256 of a manifest that the Chief Arbiter has decided to replace.
    """
    if found is None:
        return
    shown = found.manifest
    values = {"name": shown.name, "version": shown.version, "at": shown.at}
    if shown.tournament != source.identity:
        raise Conflict("mirror.other_tournament", params=values)
    if found.digest == accepted:
        return
    if found.key != signing.public_key():
        raise Conflict("mirror.other_key", params={**values, "key": found.key[:16]})
    if not source.knows(shown.line):
        raise Conflict("mirror.fork", params=values)


class Transfer:
    """The way of a version to *destination*.

    *sent* has the SHA-256 of the files that are there already; *save* notes it.
    """

    def __init__(
        self,
        destination: Destination,
        sent: dict[str, str],
        save: Callable[[Mapping[str, str]], None] = lambda files: None,
    ) -> None:
        self._destination, self._sent, self._save = destination, sent, save

    def publish(self, export: Export, found: Found | None, counter: int, clock: Clock) -> Manifest:
        """Send *export*, and let visitors read it; return its manifest.

        *found* is the manifest that is there. The new one has *counter*, or a number above that of
        *found*. ``Conflict`` if another computer has written a manifest meanwhile.
        """
        counter = max(counter, found.manifest.counter + 1) if found else counter
        folder = other_folder(found.manifest.folder) if found else FOLDERS[0]
        self._send({**export.files, **export.in_folder(folder)})
        before = found_at(self._destination)
        if (before and before.digest) != (found and found.digest):
            raise Conflict("mirror.moved_meanwhile")
        new = export.manifest_in(folder, counter, int(clock().timestamp()))
        self._destination.write(manifests.NAME, manifests.signed(new))
        for name, body in export.entrances[folder].items():
            self._destination.write(name, body)
        news = json.dumps({**export.news, "n": counter}, separators=(",", ":"))
        self._destination.write(NEWS, news.encode())
        return new

    def complete(
        self, export: Export, shown: str, stop: Callable[[], bool] = lambda: False
    ) -> bool:
        """Make the other folder equal to *shown*, and remove pages that are gone from both.

        Return False if *stop* became True in between. Styles of an older build stay.
        """
        if not self._send(export.in_folder(other_folder(shown)), stop):
            return False
        for path in list(self._sent):
            folder, _, name = path.partition("/")
            if folder in FOLDERS and name not in export.pages:
                try:
                    self._destination.remove(path)
                except BadInput:
                    self._destination.write(path, b"")  # Some web spaces never delete.
                del self._sent[path]
        self._save(self._sent)
        return True

    def _send(self, files: Mapping[str, bytes], stop: Callable[[], bool] = lambda: False) -> bool:
        changed = {
            path: body for path, body in files.items() if self._sent.get(path) != digest(body)
        }
        # From here on the earlier files may be gone.
        for path in changed:
            self._sent.pop(path, None)
        try:
            for number, (path, body) in enumerate(changed.items()):
                if number % SAVE_EVERY == 0:
                    self._save(self._sent)
                if stop():
                    return False
                self._destination.write(path, body)
                self._sent[path] = digest(body)
        finally:
            self._save(self._sent)
        return True


def next_counter(source: Source, now: datetime) -> int:
    """Return the number of the next manifest, wherever it will be: the time, or more."""
    return max(source.store.state.counter + 1, int(now.timestamp()))


def other_folder(folder: str) -> str:
    """Return the folder that visitors do not read while they read *folder*."""
    return FOLDERS[0] if folder == FOLDERS[1] else FOLDERS[1]
