"""What pages of arbiters say about long work that failed, or that nobody does."""

from __future__ import annotations

from django import template
from django.utils import timezone

from tournaments.core.jobs import is_no_runner_working
from tournaments.models import Job, Tournament
from tournaments.web.pairing_mail.report import mail_report

register = template.Library()


@register.inclusion_tag("shared/_no_runner.html")
def no_runner() -> dict[str, object]:
    """Say so if long work waits and no program does it. One query."""
    return {"is_missing": is_no_runner_working(timezone.now())}


@register.inclusion_tag("shared/_pairing_mails.html")
def pairing_mails(tournament: Tournament, number: int) -> dict[str, object]:
    """Say what became of the e-mails with the boards of round *number*. At most two queries."""
    return {"mails": mail_report(tournament, number)}


@register.inclusion_tag("shared/_failed_job.html")
def failed_job(job: Job | None) -> dict[str, object]:
    """Say that the work has failed, and why: the last line of its log."""
    if job is None or job.state != "failed":
        return {}
    lines = [line.strip() for line in job.log.splitlines() if line.strip()]
    return {"job": job, "why": lines[-1] if lines else ""}
