"""What the automatic copies have to say: a small file beside them, which every page can read."""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import asdict, dataclass, field
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from django.conf import settings

NAME: Final = "state.json"
_SIZE: Final = 64 * 1024
"""The file keeps its size, so that a full disk has room for the news that it is full."""


@dataclass(slots=True)
class Problem:
    """Why something failed.

    ``code``: ``full``, ``read_only``, ``missing``, ``faults`` or ``other``.
    """

    code: str
    detail: str
    since: str


@dataclass(slots=True)
class State:
    """The automatic copies. Times are UTC in ISO form; empty: never.

    ``mark`` is the state of the database that the newest copy has
    (:func:`~.change.mark_of_change`), ``checked`` the records that a check found whole, by identity
    and last fingerprint, ``full_at`` when all were checked, ``faults`` what the newest check found.
    """

    at: str = ""
    file: str = ""
    mark: str = ""
    checked: list[list[str]] = field(default_factory=list)
    full_at: str = ""
    faults: list[str] = field(default_factory=list)
    problem: Problem | None = None
    second_at: str = ""
    second_problem: Problem | None = None

    @property
    def last(self) -> datetime | None:
        return datetime.fromisoformat(self.at) if self.at else None


def folder() -> Path:
    """Return the folder of the copies, whether it is there or not."""
    return Path(settings.DATA_DIR) / "backups"


def read() -> State:
    """Return the state; an empty one if there is none yet or it cannot be read."""
    path = folder() / NAME
    try:
        stat = path.stat()
        return _read(path, stat.st_mtime_ns)
    except (OSError, ValueError, TypeError):
        return State()


@lru_cache(maxsize=2)
def _read(path: Path, changed: int) -> State:
    values: dict[str, Any] = json.loads(path.read_text())
    for name in ("problem", "second_problem"):
        if values.get(name):
            values[name] = Problem(**values[name])
    # Earlier versions wrote more.
    return State(**{name: values[name] for name in values if name in State.__dataclass_fields__})


def save(state: State) -> None:
    """Write *state*.

    On a full disk the file is written over in place; if that fails too, only the log has it.
    """
    path, text = folder() / NAME, json.dumps(asdict(state)).ljust(_SIZE) + "\n"
    draft = path.with_suffix(".part")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        with contextlib.suppress(OSError), path.open("r+") as file:
            file.write(text)
