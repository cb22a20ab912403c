"""Re-check a large event in a process of its own, with progress, so that no request waits for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from pairing.engine.model import TPN
from pairing.recheck import Board, NumberDifference, Recheck, RoundDifference
from pairing.rules.rounds import PUBLIC_STATES
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.permissions import require_may_run
from tournaments.models import Entry, RecheckRun, Round, Tournament
from tournaments.reports.recheck import MAX_SEATS, EventRecheck, recheck_of, with_names

SILENT: Final = timedelta(minutes=2)
"""A re-check that has said nothing for this long has been interrupted."""


class Cancelled(Exception):  # noqa: N818  somebody asked for it
    """Somebody cancelled the re-check, or began another one after this one had been silent."""


@dataclass(frozen=True, slots=True)
class RunPage:
    """The newest re-check of a large event: it runs, was interrupted, or has an answer.

    ``is_outdated``: the tournament has changed since.
    """

    run: RecheckRun
    is_running: bool
    answer: EventRecheck | None
    is_outdated: bool


def is_long(tournament: Tournament) -> bool:
    """Return whether the re-check of *tournament* takes too long for a request. Two queries."""
    rounds = Round.objects.filter(tournament=tournament, state__in=PUBLIC_STATES).count()
    return rounds * Entry.objects.filter(tournament=tournament, tpn__isnull=False).count() > MAX_SEATS


def run_page(tournament: Tournament, now: datetime) -> RunPage | None:
    """Return the newest re-check of *tournament* as its page shows it at *now*; None without one. One query."""
    run = RecheckRun.objects.filter(tournament=tournament).first()
    if run is None:
        return None
    return RunPage(
        run=run,
        is_running=run.content is None and run.progress_at >= now - SILENT,
        answer=None if run.content is None else _answer(run.content),
        is_outdated=run.content is not None and run.version != tournament.version,
    )


def recheck_begin(*, tournament: Tournament, actor: User, now: datetime) -> RecheckRun:
    """Save the row of a new re-check, in place of the one before; :func:`recheck_make` then does the work.

    ``PermissionDenied`` unless *actor* is an arbiter; ``Conflict`` while another re-check is running.
    """
    require_may_run(actor, tournament)
    before = RecheckRun.objects.filter(tournament=tournament)
    before.exclude(content__isnull=True, progress_at__gte=now - SILENT).delete()
    try:
        with transaction.atomic():
            return RecheckRun.objects.create(tournament=tournament, progress_at=now)
    except IntegrityError as error:
        raise Conflict("recheck.running") from error


def recheck_cancel(*, run_id: int, tournament: Tournament, actor: User) -> None:
    """Cancel the re-check; its process ends within a round. ``Conflict`` if it is over; ``PermissionDenied``."""
    require_may_run(actor, tournament)
    deleted, _ = RecheckRun.objects.filter(pk=run_id, tournament=tournament, content__isnull=True).delete()
    if not deleted:
        raise Conflict("recheck.not_running")


def recheck_make(run_id: int, clock: Callable[[], datetime]) -> None:
    """Do the re-check of the row *run_id*, and save its answer; nothing is saved if it is cancelled meanwhile.

    No lock is held. A problem with the report is told in the language that is active.
    """
    run = RecheckRun.objects.select_related("tournament").filter(pk=run_id).first()
    if run is None:
        return
    mine = RecheckRun.objects.filter(pk=run_id, content__isnull=True)

    def progress(done: int, rounds: int) -> None:
        if not mine.update(rounds_done=done, rounds=rounds, progress_at=clock()):
            raise Cancelled

    try:
        content = _content(*recheck_of(run.tournament, progress))
    except BadInput as error:
        content = {"problem": str(error)}
    except Cancelled:
        return
    mine.update(content=content, version=run.tournament.version, progress_at=clock())


def _content(found: Recheck, names: Mapping[TPN, str]) -> dict[str, Any]:
    """Return *found* for JSON, with the names of the players in it: the numbers may belong to others later."""
    boards = [board for round_ in found.pairing_differences for board in (*round_.in_file, *round_.paired_again)]
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
