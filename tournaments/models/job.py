"""A piece of long work: it waits, a runner does it, and then it is over."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone


class JobState(models.TextChoices):
    """How far the work is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Job(models.Model):
    """Work of a ``kind`` about a ``key``; :mod:`tournaments.core.jobs` has the rules.

    Of each kind and key at most one waits and one runs. ``token`` belongs to the process that does
    the work now: only with it can the row be changed. ``beat`` is when its runner last said that
    the process is alive. ``attempt`` counts how often the work was begun. ``log`` has the error, or
    why the process ended. No row is ever in a copy of the site, in a file of an event or in an
    export.
    """

    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=80, blank=True)
    arguments: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.WAITING)
    due = models.DateTimeField(default=timezone.now)
    attempt = models.PositiveSmallIntegerField(default=0)
    token = models.CharField(max_length=32, blank=True)
    beat = models.DateTimeField(null=True)
    progress: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict)
    cancel = models.BooleanField(default=False)
    log = models.TextField(blank=True)
    result: models.JSONField[Any, Any] = models.JSONField(null=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    language = models.CharField(max_length=10, blank=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("kind", "key"), condition=Q(state="waiting"), name="job_waits_once"
            ),
            models.UniqueConstraint(
                fields=("kind", "key"), condition=Q(state="running"), name="job_runs_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.key}".rstrip()

    @property
    def is_active(self) -> bool:
        """Whether it waits or runs, and nobody has cancelled it."""
        return self.state in (JobState.WAITING, JobState.RUNNING) and not self.cancel
