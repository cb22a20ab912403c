"""What one public state shows, kept in files: the only store between an action and the network.

``pages/<build>/<owner>/<state>/<name>`` in the data folder, for all processes of a site and outside
the database: a request that only reads never waits for SQLite's one writer, no copy has these
files, and a state is dropped by removing its folder. Nothing here is needed: a missing page is
made again. A file says its length and checksum, so one that a power failure cut is never sent, and
nothing waits for the disk. On a full or read-only disk pages are made for each visitor, and the log
says so.
"""

from __future__ import annotations

import gzip
import json
import logging
import secrets
import shutil
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import brotli
from django.conf import settings
from django.db import transaction

from tournaments.core.build import build

logger = logging.getLogger(__name__)

MOST_ENDLESS: Final = 2_000
"""So many answers of one state to addresses with any number of values,
such as searches, are kept.
"""
EVENT: Final = "event-"
"""The owner of the page of an event begins with this."""
EMBEDDED: Final = "embedded-"
"""The owner of the lists that other web sites embed."""
RUNNING: Final = "running-"
"""The owner of the page of a tournament that changes with each entered result."""
ENDLESS: Final = "endless"
LANGUAGE_MARK: Final = "asked-"
LEFT_OVER: Final = 3_600.0
"""Seconds: what another machine or a killed process left is removed after this time."""
_WARN_EVERY: Final = 60.0
_warned_at = float("-inf")


class State(NamedTuple):
    """A public state: the *owner* is the number of a tournament or the name of another page,
    the *key* its version.

    Two states never have one key: it contains a fingerprint.
    """

    owner: str
    key: str


class Stored(NamedTuple):
    """An answer as sent: its headers, and its bytes in *encoding* (``br``, ``gzip`` or empty)."""

    headers: Mapping[str, str]
    body: bytes
    encoding: str = ""


def get(state: State, name: str, accepted: Sequence[str] = ()) -> Stored | None:
    """Return the answer *name* of *state* in the first of the *accepted* encodings.

    None if it is not kept.
    """
    if "br" in accepted and (found := read(state, f"{name}.br")) is not None:
        return found._replace(encoding="br")
    found = read(state, f"{name}.gz")
    if found is None:
        return None
    return _encoded(state, name, found._replace(encoding="gzip"), accepted)


def put(
    state: State,
    name: str,
    headers: Mapping[str, str],
    body: bytes,
    accepted: Sequence[str] = (),
    *,
    endless: bool = False,
    still: Callable[[], bool] = lambda: True,
) -> Stored | None:
    """Keep the answer *name* of *state*, and return it in the first of the *accepted* encodings.

    None, and nothing is kept, if *still* says that the state has ended while the answer was made:
    it may mix two. It is called after the bytes are written and before anybody can find them. With
    *endless* the number is limited.
    """
    whole = Stored(headers, gzip.compress(body, compresslevel=6, mtime=0), "gzip")
    if not write(state, f"{name}.gz", headers, whole.body, endless=endless, still=still):
        return None
    return _encoded(state, name, whole, accepted)


def packed(headers: Mapping[str, str], body: bytes, accepted: Sequence[str]) -> Stored:
    """Return an answer that is not kept, in the first of the *accepted* encodings."""
    if "br" in accepted:  # a fifth less than with gzip
        return Stored(headers, brotli.compress(body, mode=brotli.MODE_TEXT, quality=5), "br")
    return (
        Stored(headers, gzip.compress(body, compresslevel=6, mtime=0), "gzip")
        if accepted
        else Stored(headers, body)
    )


def compression(accepted: str) -> tuple[str, ...]:
    """Return which of our compressions *accepted* (Accept-Encoding) allows, the smallest first."""
    allowed = set()
    for part in accepted.lower().replace(" ", "").split(","):
        name, _, weight = part.partition(";q=")
        if not weight or weight.strip("0."):
            allowed.add(name)
    return tuple(name for name in ("br", "gzip") if name in allowed)


def _encoded(state: State, name: str, whole: Stored, accepted: Sequence[str]) -> Stored:
    """Return *whole*, which has gzip, as it is accepted.

    Browsers accept Brotli with https only: it is made then.
    """
    if tuple(accepted) == ("gzip",):
        return whole
    found = packed(whole.headers, gzip.decompress(whole.body), accepted)
    if found.encoding == "br":
        _save(_folder(state), f"{name}.br", found.headers, found.body, lambda: True)
    return found


def read(state: State, name: str) -> Stored | None:
    """Return the file *name* of *state* with its headers; None if it is not there or damaged."""
    try:
        content = (_folder(state) / name).read_bytes()
    except OSError:
        return None
    check, _, rest = content.partition(b"\n")
    if check != _check(rest):
        return None
    headers, _, body = rest.partition(b"\n")
    return Stored(json.loads(headers), body)


def write(
    state: State,
    name: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    endless: bool = False,
    still: Callable[[], bool] = lambda: True,
) -> bool:
    """Keep *body* as *name* of *state*, as :func:`put`; return whether it is *still* valid."""
    folder = _folder(state)
    try:
        if not folder.is_dir():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _drop(_others(state), older_than=LEFT_OVER)
        if endless and _is_full(folder):
            return still()
    except OSError as error:
        _warn(error)
        return still()
    return _save(folder, name, headers, body, still)


def _save(
    folder: Path, name: str, headers: Mapping[str, str], body: bytes, still: Callable[[], bool]
) -> bool:
    """Write the file under another name, ask *still*, and rename it if the folder is there."""
    rest = json.dumps(dict(headers)).encode() + b"\n" + body
    before = folder / f".{name}.{secrets.token_hex(4)}"
    try:
        before.write_bytes(_check(rest) + b"\n" + rest)
    except FileNotFoundError:  # the state was dropped
        return still()
    except OSError as error:
        _warn(error)
        before.unlink(missing_ok=True)
        return still()
    if not still():
        before.unlink(missing_ok=True)
        return False
    try:
        before.replace(folder / name)
    except OSError as error:
        if not isinstance(error, FileNotFoundError):
            _warn(error)
    return True


def _check(rest: bytes) -> bytes:
    return b"%08x %d" % (zlib.crc32(rest), len(rest))


def _is_full(folder: Path) -> bool:
    """Count an answer to an endless address; return whether there are too many."""
    counter = folder / ENDLESS
    with counter.open("ab") as file:
        file.write(b".")
        return file.tell() > MOST_ENDLESS


def note_language(state: State, language: str) -> None:
    """Note that somebody reads *state* in *language*, for the lists of the next publication."""
    path = _folder(state) / f"{LANGUAGE_MARK}{language}"
    if not path.exists():
        try:
            path.touch()
        except OSError:
            return  # nothing of this state is kept


def noted_languages(owner: str) -> set[str]:
    """Return the languages in which the states of *owner* that are kept were read."""
    return {
        path.name.removeprefix(LANGUAGE_MARK) for path in _owner(owner).glob(f"*/{LANGUAGE_MARK}*")
    }


def drop_others(state: State) -> None:
    """Remove all other states of its owner: they are over."""
    _drop(_others(state))


def forget_tournament(pk: int) -> None:
    """Remove everything of a tournament: it has data that are no longer shown.

    Now, for a process that is killed after the commit, and after the commit, for what visitors read
    meanwhile. The page of its event finds players by name: it goes too, and so do those of all
    other events.
    """

    def forget() -> None:
        _drop(
            path
            for owner in (str(pk), f"{RUNNING}{pk}", f"{EMBEDDED}{pk}-*", f"{EVENT}*")
            for path in Path(settings.PAGES_DIR).glob(f"*/{owner}")
        )

    forget()
    transaction.on_commit(forget)


def forget_other_builds() -> None:
    """Remove what other builds of the program have kept."""
    folders = list(Path(settings.PAGES_DIR).glob("*"))
    if len(folders) > 1:  # the build is read from all files of the program
        _drop(path for path in folders if path.name != build())


def _others(state: State) -> Iterator[Path]:
    return (path for path in _owner(state.owner).glob("*") if path.name != state.key)


def _drop(folders: Iterable[Path], *, older_than: float = 0) -> None:
    """Remove *folders*, each at once: a page being written into it then finds no folder."""
    for folder in list(folders):
        try:
            if older_than and time.time() - folder.stat().st_mtime < older_than:
                continue
            gone = Path(settings.PAGES_DIR) / f"gone-{secrets.token_hex(8)}"
            try:
                folder.rename(gone)
            except PermissionError:  # Windows, while another process reads a file in it
                gone = folder
            shutil.rmtree(gone)
        except FileNotFoundError:
            continue  # another process was faster
        except OSError as error:
            _warn(error)


def _owner(owner: str) -> Path:
    return Path(settings.PAGES_DIR) / build() / owner


def _folder(state: State) -> Path:
    return _owner(state.owner) / state.key


def _warn(error: OSError) -> None:
    """Write one line a minute: hundreds of visitors may meet the same fault."""
    global _warned_at
    if time.monotonic() - _warned_at >= _WARN_EVERY:
        _warned_at = time.monotonic()
        logger.warning("Public pages cannot be kept, and are made for each visitor: %s", error)
