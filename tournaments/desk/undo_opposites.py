"""The ordinary actions that restore the values before another action, for its undo."""

from __future__ import annotations

from tournaments.core.actions import OpenAction
from tournaments.models import Decision


def do_opposite(action: OpenAction, line: Decision) -> None:
    """Do the ordinary action that restores the values before *line*, as the user of the open *action*."""
    raise NotImplementedError(line.action)
