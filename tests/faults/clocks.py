"""The library that changes the clock of a process, if the package ``libfaketime`` is installed beside the others.

Debian's ``faketime`` 0.9.10 does not serve: with it a pause of Python ends in “Invalid argument”.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path


def clock_library() -> str | None:
    """Return its file, or None."""
    spec = importlib.util.find_spec("libfaketime")
    folders = [Path(place) for place in spec.submodule_search_locations or []] if spec else []
    found = [path for folder in folders for path in folder.rglob("libfaketime.so.1")]
    return str(found[0]) if found else None


def changed_clock(file: Path) -> dict[str, str]:
    """Return what lets a process follow the clock that *file* says, such as ``+26h``. Its monotonic clock goes on."""
    library = clock_library()
    assert library is not None
    file.write_text("+0")
    return {
        "LD_PRELOAD": library,
        "FAKETIME_TIMESTAMP_FILE": str(file),
        "FAKETIME_NO_CACHE": "1",
        "DONT_FAKE_MONOTONIC": "1",
    }
