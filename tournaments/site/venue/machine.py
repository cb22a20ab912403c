"""What the computer tells about itself: power and clock. None or empty where it does not tell."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

POWER: Final = Path("/sys/class/power_supply")
_TIME_ERROR: Final = 5
"""The answer of ``adjtimex`` while the clock is not set by the network."""


@dataclass(frozen=True, slots=True)
class Power:
    """Where the power comes from; ``battery`` is its charge in per cent, None without one."""

    is_plugged_in: bool
    battery: int | None


def power(folder: Path = POWER) -> Power | None:
    """Return where the power comes from; None if the system does not tell."""
    if not folder.is_dir():
        return None
    charges: list[int] = []
    is_discharging, has_mains = False, False
    for supply in sorted(folder.iterdir()):
        kind = _text(supply / "type")
        if kind == "Battery" and _text(supply / "scope") != "Device":  # not that of a mouse
            with contextlib.suppress(ValueError):
                charges.append(int(_text(supply / "capacity")))
            is_discharging |= _text(supply / "status") == "Discharging"
        elif kind in ("Mains", "USB"):
            has_mains |= _text(supply / "online") == "1"
    if not charges:
        return Power(is_plugged_in=True, battery=None)
    return Power(is_plugged_in=has_mains or not is_discharging, battery=min(charges))


def same_disk(one: Path, other: Path) -> bool | None:
    """Return whether both folders are on one disk; None if the system does not tell.

    A partition counts as a disk.
    """
    try:
        devices = {one.stat().st_dev, other.stat().st_dev}
    except OSError:
        return None
    return None if os.name == "nt" or 0 in devices else len(devices) == 1


def clock_is_set_by_network() -> bool | None:
    """Return whether the network sets the clock; None if unknown (only Linux tells)."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        # Without a mode it only reads; 256 bytes are more than its structure has anywhere.
        answer = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(256))
    except (OSError, AttributeError):
        return None
    return None if answer < 0 else answer != _TIME_ERROR


def _text(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
