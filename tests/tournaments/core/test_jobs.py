"""The table of long work: asking for it, taking it up, writing to it, clearing up."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, transaction
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.core.test_concurrency import at_once
from tournaments.core import jobs
from tournaments.core.jobs import KINDS, Kind, Work, enqueue, perform, take
from tournaments.models import Job, JobState, Tournament


@pytest.fixture(autouse=True)
def kinds(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Two kinds of work for these tests: one says that it was done, one fails.

    The list has what was done.
    """
    done: list[Any] = []

    def work(work: Work) -> dict[str, Any]:
        done.append((work.key, work.arguments))
        return {"done": len(done)}

    def fail(work: Work) -> None:
        raise ValueError("the disk is made of cheese")

    monkeypatch.setitem(KINDS, "work", Kind(work))
    monkeypatch.setitem(KINDS, "fail", Kind(fail))
    return done


@pytest.fixture
def _late_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "_BEGUN", float("-inf"))


def begun(kind: str = "work", key: str = "") -> tuple[Job, str]:
    """Return a job that was taken, with its token."""
    enqueue(kind, key)
    job = jobs.waiting(kind, key)
    assert job is not None
    token = take(job.pk, timezone.now())
    assert token is not None
    job.refresh_from_db()
    return job, token


@pytest.mark.django_db(transaction=True)
def test_work_is_asked_for_with_the_transaction_or_not_at_all() -> None:
    with transaction.atomic():
        enqueue("work", "1")
        transaction.set_rollback(True)
    assert jobs.waiting("work", "1") is None


@pytest.mark.django_db
def test_newer_arguments_replace_those_that_wait_and_the_earlier_time_stays() -> None:
    now = timezone.now()
    enqueue("work", "1", {"version": 1}, due=now)
    enqueue("work", "1", {"version": 2}, due=now + timedelta(minutes=5))
    job = Job.objects.get()
    assert (job.arguments, job.due) == ({"version": 2}, now)
    enqueue("work", "1", {"version": 3}, due=now - timedelta(minutes=5))
    assert Job.objects.get().due == now - timedelta(minutes=5)
    enqueue("work", "2")
    assert Job.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_twelve_people_who_ask_at_once_leave_one_job_with_the_arguments_of_one() -> None:
    answers = at_once(
        *[lambda number=number: enqueue("work", "1", {"number": number}) for number in range(12)]
    )
    assert answers == [None] * 12
    assert Job.objects.get().arguments["number"] in range(12)


@pytest.mark.django_db(transaction=True)
def test_two_runners_at_once_take_a_job_once() -> None:
    enqueue("work")
    pk = Job.objects.get().pk
    answers = at_once(*[lambda: take(pk, timezone.now())] * 4)
    assert sorted(answer is None for answer in answers) == [False, True, True, True]


@pytest.mark.django_db
def test_what_runs_is_asked_for_once_more_and_waits_for_its_end(kinds: list[Any]) -> None:
    job, token = begun()
    enqueue("work", arguments={"again": True})
    second = jobs.waiting("work")
    assert second is not None
    assert take(second.pk, timezone.now()) is None
    assert perform(job.pk, token) == JobState.DONE
    assert take(second.pk, timezone.now()) is not None
    assert kinds == [("", {})]


@pytest.mark.django_db
def test_the_row_keeps_the_result_and_why_it_failed(caplog: pytest.LogCaptureFixture) -> None:
    job, token = begun()
    assert perform(job.pk, token) == JobState.DONE
    job.refresh_from_db()
    assert (job.state, job.result, job.token, job.is_active) == ("done", {"done": 1}, "", False)
    job, token = begun("fail")
    assert perform(job.pk, token) == JobState.FAILED
    job.refresh_from_db()
    assert job.log.splitlines()[-1] == "ValueError: the disk is made of cheese"
    assert "the disk is made of cheese" in caplog.text


@pytest.mark.django_db
def test_a_process_whose_token_is_old_saves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its job was given to another one; what it saves then is rolled back."""

    def work(work: Work) -> None:
        work.progress(done=1)
        Job.objects.filter(pk=job.pk).update(token="of another process")
        with transaction.atomic():
            enqueue("work", "made by the old process")
            work.done()

    monkeypatch.setitem(KINDS, "work", Kind(work))
    job, token = begun()
    assert perform(job.pk, token) == JobState.CANCELLED
    job.refresh_from_db()
    assert (job.state, job.token, job.progress) == ("running", "of another process", {"done": 1})
    assert jobs.waiting("work", "made by the old process") is None


@pytest.mark.django_db
def test_cancelling_ends_what_waits_at_once_and_what_runs_at_its_next_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    enqueue("work")
    assert jobs.cancel("work")
    assert not jobs.cancel("work")
    assert Job.objects.get().state == "cancelled"

    def work(work: Work) -> None:
        assert jobs.cancel("work")
        assert not jobs.is_active("work")
        work.progress(done=1)

    monkeypatch.setitem(KINDS, "work", Kind(work))
    job, token = begun()
    assert perform(job.pk, token) == JobState.CANCELLED
    job.refresh_from_db()
    assert (job.state, job.progress) == ("cancelled", {})


@pytest.mark.django_db
def test_work_that_is_given_back_waits_unless_somebody_asked_for_it_meanwhile() -> None:
    job, token = begun()
    jobs.give_back(jobs.held(job.pk, token), log="its process ended")
    job.refresh_from_db()
    assert (job.state, job.token, job.log) == ("waiting", "", "its process ended")
    again = take(job.pk, timezone.now())
    assert again is not None
    enqueue("work", arguments={"newer": True})
    jobs.give_back(jobs.held(job.pk, again))
    job.refresh_from_db()
    assert job.state == "cancelled"
    assert Job.objects.get(state="waiting").arguments == {"newer": True}


@pytest.mark.django_db(transaction=True)
def test_the_end_is_written_again_while_the_database_is_locked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    job, token = begun()
    pauses: list[float] = []
    update = QuerySet.update

    def locked(rows: Any, **values: Any) -> int:
        if "ended_at" in values and len(pauses) < 3:
            raise OperationalError("database is locked")
        return update(rows, **values)

    monkeypatch.setattr(QuerySet, "update", locked)
    monkeypatch.setattr(jobs.time, "sleep", pauses.append)
    assert perform(job.pk, token) == JobState.DONE
    job.refresh_from_db()
    assert (job.state, len(pauses)) == ("done", 3)


@pytest.mark.django_db
def test_a_person_does_a_job_at_the_terminal_and_ctrl_c_cancels_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with transaction.atomic():
        enqueue("work")
        held = jobs.take_here("work")
    assert held is not None
    enqueue("work")
    assert jobs.take_here("work") is None, "it is being done already"
    assert jobs.do_here(*held) == JobState.DONE

    def interrupt(work: Work) -> None:
        raise KeyboardInterrupt

    held = jobs.take_here("work")
    assert held is not None
    with pytest.raises(KeyboardInterrupt):
        jobs.do_here(*held, work=interrupt)
    assert Job.objects.get(pk=held[0]).state == "cancelled"


@pytest.mark.costly
@pytest.mark.django_db
@pytest.mark.usefixtures("_late_start")
def test_the_desk_says_that_no_runner_works(
    client: Client, chief_arbiter: Any, tournament: Tournament
) -> None:
    client.force_login(chief_arbiter)
    says, pages = (
        ("Long work is waiting, and no program is doing it"),
        [reverse("desk", args=[tournament.slug]), reverse("home")],
    )

    def notices() -> list[bool]:
        return [says in client.get(page).content.decode() for page in pages]

    now = timezone.now()
    enqueue("work", due=now - timedelta(seconds=20))
    assert notices() == [False, False]
    Job.objects.update(due=now - timedelta(seconds=40))
    assert notices() == [True, True]
    french = client.get(pages[0], headers={"Accept-Language": "fr"}).content.decode()
    assert "aucun programme ne l’exécute" in french
    running, _token = begun("work", "2")
    assert notices() == [False, False], "it waits for the end of another one"
    Job.objects.filter(pk=running.pk).update(beat=now - timedelta(seconds=40))
    assert notices() == [True, True]


@pytest.mark.django_db
def test_no_alarm_while_the_server_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    enqueue("work", due=timezone.now() - timedelta(days=1))
    monkeypatch.setattr(jobs, "_BEGUN", jobs.time.monotonic())
    assert not jobs.is_no_runner_working(timezone.now())


def test_every_kind_of_long_work_is_known() -> None:
    names = {
        "copy",
        "forecast",
        "mirror",
        "mirror_file",
        "pairing_mail",
        "push",
        "rating_list",
        "rating_list_monthly",
        "ratings",
        "recheck",
        "trf",
    }
    assert {name for name in KINDS if name not in ("work", "fail")} == names
