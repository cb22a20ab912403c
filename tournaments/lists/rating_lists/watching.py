"""Compare the running tournaments with the rating lists by itself, after each loading and twice a
day, so that *Now* can say how many ratings differ.

The differences are the result of a job for each tournament. Those that were dealt with since are
not counted: an entry counts as long as it still has the value that differed.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from tournaments.core import jobs
from tournaments.core.jobs import Work
from tournaments.entries.entries import RATINGS
from tournaments.lists.rating_lists.comparing import compare
from tournaments.models import Entry, Job, JobState, RatingList, Tournament

JOB: Final = "ratings"
EVERY: Final = 12 * 3600.0
"""Seconds between two comparisons of all tournaments; a result is kept for a day."""
MOST: Final = 500
"""Differences that are kept."""
STILL_OF_INTEREST: Final = timedelta(days=7)
"""A tournament that ended longer ago is not compared."""


def compare_all(today: date) -> int:
    """Ask for the comparison of every tournament that is not over; return their number.

    One query, and one statement for each tournament. None without a list in use.
    """
    if not RatingList.objects.filter(is_current=True).exists():
        return 0
    entries = Entry.objects.filter(tournament=OuterRef("pk"))
    running = Tournament.objects.filter(
        Exists(entries),
        Q(end_date=None) | Q(end_date__gte=today - STILL_OF_INTEREST),
        final_at=None,
        handed_over_at=None,
    )
    keys = [str(pk) for pk in running.values_list("pk", flat=True)]
    for key in keys:
        jobs.enqueue(JOB, key)
    return len(keys)


def watch_job(work: Work) -> list[list[object]] | None:
    """Compare the tournament of the key, as a job, and return the ratings that differ: entry, field
    and its value. Without a key, ask for the comparison of all tournaments.
    """
    if not work.key:
        compare_all(timezone.localdate())
        return None
    tournament = Tournament.objects.filter(pk=int(work.key)).first()
    if tournament is None:
        return None
    found: list[list[object]] = [
        [each.entry_id, each.field, each.old]
        for one in compare(tournament).different
        for each in one.differences
        if each.field in RATINGS
    ]
    return found[:MOST]


def ratings_that_differ(tournament: Tournament) -> int:
    """Return how many players have a rating that differs from the list, by the newest comparison.

    Two queries; one if there are none.
    """
    newest = (
        Job.objects.filter(kind=JOB, key=str(tournament.pk), state=JobState.DONE)
        .order_by("-pk")
        .values_list("result", flat=True)
        .first()
    )
    if not newest:
        return 0
    entries = {
        row["pk"]: row
        for row in Entry.objects.filter(
            tournament=tournament, pk__in=[entry for entry, _, _ in newest]
        ).values("pk", *RATINGS)
    }
    return len(
        {
            entry
            for entry, field, old in newest
            if entry in entries and entries[entry].get(field) == old
        }
    )
