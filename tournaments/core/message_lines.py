"""Messages that know the action they confirm, for the undo under a message."""

from __future__ import annotations

from typing import Any, Final

from django.contrib.messages import SUCCESS
from django.contrib.messages.storage.base import Message
from django.contrib.messages.storage.fallback import FallbackStorage
from django.http import HttpRequest

from pairing.rules.undo import can_be_undone
from tournaments.core.actions import collect_lines, lines_of_request
from tournaments.models import Action

_MARK: Final = "line-"
_DIGITS: Final = 16
"""So many digits of a fingerprint tell the lines of a site apart."""


class LineStorage(FallbackStorage):
    """Stores with each confirmation the fingerprint of the line that its request has written.

    It stores none if the request wrote nothing, such as one that saved an entry without a change,
    or several lines: the undo of one of them would undo only a part. After answers about missing
    players it is the pairing.
    """

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(request, *args, **kwargs)
        collect_lines()

    def add(self, level: int, message: str, extra_tags: str | None = "") -> None:
        lines = lines_of_request()
        is_one = len(lines) == 1 or (lines and lines[-1].action == Action.ROUND_PAIRED)
        if level == SUCCESS and is_one and can_be_undone(lines[-1].action) and not extra_tags:
            extra_tags = f"{_MARK}{lines[-1].hash[:_DIGITS]}"
        super().add(level, message, extra_tags)


def fingerprint_of(message: Message) -> str:
    """Return the beginning of the fingerprint of the action that *message* confirms; else empty."""
    tags = message.extra_tags or ""
    return tags.removeprefix(_MARK) if tags.startswith(_MARK) else ""
