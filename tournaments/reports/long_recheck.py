"""Re-check a large event as a job, with progress, so that no request waits for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from pairing.engine.model import TPN
from pairing.recheck import Board, NumberDifference, Recheck, RoundDifference
from pairing.rules.rounds import PUBLIC_STATES
from tournaments.core import jobs
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.jobs import Work
from tournaments.core.permissions import require_may_run
from tournaments.models import Entry, Job, JobState, RecheckRun, Round, Tournament
from tournaments.reports.recheck import MAX_SEATS, EventRecheck, recheck_of, with_names

JOB: Final = "recheck"


@dataclass(frozen=True, slots=True)
class RunPage:
    """The re-checks of a large event: the newest job, and the newest answer.

    ``is_outdated``: it has changed since.
    """

    job: Job | None
    run: RecheckRun | None
    answer: EventRecheck | None
    is_outdated: bool

    @property
    def is_running(self) -> bool:
        """Whether a re-check waits or runs."""
        return self.job is not None and self.job.is_active


def is_long(tournament: Tournament) -> bool:
    """Return whether the re-check of *tournament* takes too long for a request. Two queries."""
    rounds = Round.objects.filter(tournament=tournament, state__in=PUBLIC_STATES).count()
    return (
        rounds * Entry.objects.filter(tournament=tournament, tpn__isnull=False).count() > MAX_SEATS
    )


def run_page(tournament: Tournament) -> RunPage:
    """Return the newest re-check of *tournament* as its page shows it. Two queries."""
    job = jobs.newest(JOB, str(tournament.pk))
    run = RecheckRun.objects.filter(tournament=tournament).first()
    is_over = run is not None and not (
        job is not None and (job.is_active or job.state == JobState.FAILED)
    )
    return RunPage(
        job=job,
        run=run,
        answer=_answer(run.content) if run is not None and is_over else None,
        is_outdated=run is not None and run.version != tournament.version,
    )


def recheck_begin(*, tournament: Tournament, actor: User, language: str = "") -> None:
    """Ask for a re-check, whose answer takes the place of the one before,
    with its sentences in *language*.

    ``PermissionDenied`` unless *actor* is an arbiter; ``Conflict`` while another re-check waits or
    runs.
    """
    require_may_run(actor, tournament)
    if jobs.is_active(JOB, str(tournament.pk)):
        raise Conflict("recheck.running")
    jobs.enqueue(JOB, str(tournament.pk), owner=actor, language=language)


def recheck_cancel(*, job_id: int, tournament: Tournament, actor: User) -> None:
    """Cancel the re-check; it ends within a round.

    ``Conflict`` if it is over; ``PermissionDenied``.
    """
    require_may_run(actor, tournament)
    job = jobs.newest(JOB, str(tournament.pk))
    if job is None or job.pk != job_id or not jobs.cancel(JOB, str(tournament.pk)):
        raise Conflict("recheck.not_running")


def recheck_job(work: Work) -> None:
    """Do the re-check of a tournament, as a job, and save its answer;
    nothing is saved if it is cancelled meanwhile.

    No lock is held. A problem with the report is written in the active language.
    """
    tournament = Tournament.objects.filter(pk=int(work.key)).first()
    if tournament is None:
        return
    try:
        content = _content(
            *recheck_of(tournament, lambda done, rounds: work.progress(done=done, rounds=rounds))
        )
    except BadInput as error:
        content = {"problem": str(error)}
    values = {"content": content, "version": tournament.version, "made_at": timezone.now()}
    with transaction.atomic():
        work.done()
        if Tournament.objects.filter(pk=tournament.pk).exists():
            RecheckRun.objects.update_or_create(tournament=tournament, defaults=values)


def _content(found: Recheck, names: Mapping[TPN, str]) -> dict[str, Any]:
    """Return *found* for JSON with names: numbers may belong to others later."""
    boards = [
        board
        for round_ in found.pairing_differences
        for board in (*round_.in_file, *round_.paired_again)
    ]
    numbers = {tpn for board in boards for tpn in (board.white, board.black) if tpn}
    numbers |= {line.tpn for line in (*found.points_differences, *found.rank_differences)}
    return {"found": astuple(found), "names": [[tpn, names[tpn]] for tpn in sorted(numbers)]}


def _answer(content: Mapping[str, Any]) -> EventRecheck:
    """Return the answer of which :func:`_content` has made *content*."""
    if "problem" in content:
        return EventRecheck(problem=content["problem"])
    rounds, players, ranks, pairings, points, places = content["found"]
    found = Recheck(
        rounds,
        players,
        ranks,
        tuple(
            RoundDifference(
                number,
                tuple(Board(*board) for board in in_file),
                tuple(Board(*board) for board in paired_again),
                article,
                tuple(remarks),
            )
            for number, in_file, paired_again, article, remarks in pairings
        ),
        tuple(NumberDifference(*line) for line in points),
        tuple(NumberDifference(*line) for line in places),
    )
    return with_names(found, {TPN(tpn): name for tpn, name in content["names"]})
