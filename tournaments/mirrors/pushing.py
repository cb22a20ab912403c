"""Send one version of a tournament or an event to its mirror: visitors have the old one complete, or the new one.

A mirror has two folders, ``a`` and ``b``, and the manifest names the folder for visitors. A new version is sent to
the other folder. Then come the manifest, the pages at the root, and last the small news file. Some time later the first
folder is made equal (:func:`align`), so that links people have passed on show nothing that is out of date.

Before anything is sent, the manifest that is there is compared with the record of this site. What it shows must be in
the record: a site that was restored from an older copy, or a second computer with the same tournament, would otherwise
show what was withdrawn. Such a fork is refused until the Chief Arbiter has decided.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from tournaments.core import signing
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.frame import Frame
from tournaments.mirrors import manifest as manifests
from tournaments.mirrors.manifest import Found, Manifest
from tournaments.mirrors.places import Place
from tournaments.models import Event

FOLDERS: Final = ("a", "b")
NEWS: Final = "news.json"
Tick = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The files of a version. ``pages`` are in the folder of the version, ``files`` (styles and scripts) beside it.

    ``entrances`` makes the pages at the root for the folder that visitors read, ``news`` the news file for a counter.
    The other fields are those of :class:`Manifest`.
    """

    tournament: str
    name: str
    version: int
    state: str
    line: str
    build: str
    pairings: int
    results: int
    pages: Mapping[str, bytes]
    files: Mapping[str, bytes]
    entrances: Callable[[str], Mapping[str, bytes]]
    news: Callable[[int], bytes]


MAKERS: Final[list[Callable[[Frame], Snapshot]]] = []
"""How the pages are made; ``apps.py`` adds it, because a feature does not import pages."""
EVENT_MAKERS: Final[list[Callable[[Event], Snapshot]]] = []
"""The same for the pages of an event. ``state`` tells whether they have changed."""


def found_at(place: Place) -> Found | None:
    """Return the manifest at *place*; None if there is none."""
    body = place.read(manifests.NAME)
    return manifests.read(body) if body else None


def require_ours(found: Found | None, identity: str, knows: Callable[[str], bool], accepted: str) -> None:
    """``Conflict`` if what is *found* may not be replaced by the tournament *identity*.

    *knows* tells whether the record has the line with a fingerprint; *accepted* is the SHA-256 of a manifest that the
    Chief Arbiter has decided to replace.
    """
    if found is None:
        return
    shown = found.manifest
    values = {"name": shown.name, "version": shown.version, "at": shown.at}
    if shown.tournament != identity:
        raise Conflict("mirror.other_tournament", params=values)
    if found.digest == accepted:
        return
    if found.key != signing.public_key():
        raise Conflict("mirror.other_key", params={**values, "key": found.key[:16]})
    if shown.line and not knows(shown.line):
        raise Conflict("mirror.fork", params=values)


def push(
    place: Place,
    snapshot: Snapshot,
    found: Found | None,
    *,
    counter: int,
    now: datetime,
    sent: MutableMapping[str, str],
    tick: Tick,
) -> Manifest:
    """Send *snapshot*, and let visitors read it; return its manifest.

    *found* is the manifest that is there, *counter* the number of the new one. *sent* has the SHA-256 of the files that
    are at *place* already, and gets those that are sent; *tick* is called after each. ``Conflict`` if another computer
    has written a manifest meanwhile.
    """
    folder = FOLDERS[0] if found is None or found.manifest.folder == FOLDERS[1] else FOLDERS[1]
    _send(place, snapshot.files, sent, tick)
    _send(place, {f"{folder}/{name}": body for name, body in snapshot.pages.items()}, sent, tick)
    before = found_at(place)
    if (before and before.digest) != (found and found.digest):
        raise Conflict("mirror.moved_meanwhile")
    new = Manifest(
        tournament=snapshot.tournament,
        name=snapshot.name,
        counter=counter,
        version=snapshot.version,
        state=snapshot.state,
        line=snapshot.line,
        build=snapshot.build,
        at=int(now.timestamp()),
        folder=folder,
        pairings=snapshot.pairings,
        results=snapshot.results,
        files={
            **{name: digest(body) for name, body in snapshot.pages.items() if manifests.list_of(name) is None},
            **{f"/{name}": digest(body) for name, body in snapshot.files.items()},
        },
    )
    place.write(manifests.NAME, manifests.signed(new))
    for name, body in snapshot.entrances(folder).items():
        place.write(name, body)
    place.write(NEWS, snapshot.news(counter))
    return new


def align(
    place: Place,
    snapshot: Snapshot,
    shown: str,
    sent: MutableMapping[str, str],
    tick: Tick,
    is_over: Callable[[], bool],
) -> bool:
    """Make the folder that visitors do not read equal to *shown*, and remove what is no longer in a folder.

    Return False if *is_over* became True in between: something newer is to be sent.
    """
    other = FOLDERS[1] if shown == FOLDERS[0] else FOLDERS[0]
    for path, body in ((f"{other}/{name}", body) for name, body in snapshot.pages.items()):
        if is_over():
            return False
        _send(place, {path: body}, sent, tick)
    for path in list(_left(snapshot, sent)):
        if is_over():
            return False
        try:
            place.remove(path)
        except BadInput:
            place.write(path, b"")  # Some web spaces never delete.
        del sent[path]
        tick()
    return True


def _left(snapshot: Snapshot, sent: Mapping[str, str]) -> Iterator[str]:
    """Yield the pages in both folders that the version does not have. Styles of an older build stay."""
    for path in sent:
        folder, _, name = path.partition("/")
        if folder in FOLDERS and name not in snapshot.pages:
            yield path


def _send(place: Place, files: Mapping[str, bytes], sent: MutableMapping[str, str], tick: Tick) -> None:
    for path, body in files.items():
        found = digest(body)
        if sent.get(path) == found:
            continue
        sent.pop(path, None)  # Whatever happens now, what was there may be gone.
        place.write(path, body)
        sent[path] = found
        tick()


def digest(body: bytes) -> str:
    """Return the SHA-256 of *body* in hexadecimal."""
    return hashlib.sha256(body).hexdigest()


def is_final(error: BadInput | Conflict) -> bool:
    """Return whether only a person can help: nothing is tried again by itself."""
    return isinstance(error, Conflict) or error.code in FINAL


FINAL: Final = frozenset(
    {
        "mirror.address",
        "mirror.private_address",
        "mirror.not_encrypted",
        "mirror.user",
        "mirror.no_folder",
        "mirror.not_allowed",
        "mirror.no_put",
        "mirror.redirect",
        "mirror.unreadable",
    }
)
"""Codes of errors that another attempt would meet again."""
