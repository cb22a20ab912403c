"""Remind the arbiter of an old rating list, before round 1."""

from __future__ import annotations

from django.utils import timezone

from pairing.rules.rounds import RoundState
from tournaments.core.frame import Frame
from tournaments.lists.rating_lists.comparing import outdated_list
from tournaments.models import RatingList


def reminder(frame: Frame) -> RatingList | None:
    """Return the list older than the month of the first day; None once round 1 is paired."""
    if frame.rounds[0].state != RoundState.PLANNED:
        return None
    return outdated_list(frame.tournament, timezone.localdate())
