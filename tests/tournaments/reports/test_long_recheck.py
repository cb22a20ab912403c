"""The re-check of a large event as a job: progress, cancelling,
and its result when it ends early.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import F
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tests.tournaments.core.test_concurrency import at_once
from tests.tournaments.factories import NOW
from tests.tournaments.long_work import do, go_on, lose, queued
from tests.tournaments.neighbour import own
from tournaments.core.errors import Conflict
from tournaments.models import Appointment, Decision, Job, RecheckRun, Role, Round, Seat, Tournament
from tournaments.reports import long_recheck
from tournaments.reports.long_recheck import recheck_begin, recheck_cancel, run_page
from tournaments.reports.recheck import ReadBoard, ReadRound, event_recheck
from tournaments.standings.final import standings_make_final


@pytest.fixture(autouse=True)
def all_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every event with a published round counts as large."""
    monkeypatch.setattr(long_recheck, "MAX_SEATS", 0)


@pytest.fixture
def event(ready: Tournament, chief_arbiter: User) -> Tournament:
    """Eight players, three rounds over."""
    factories.play_rounds(ready, [1, 2, 3], chief_arbiter)
    ready.refresh_from_db()
    return ready


def begin(tournament: Tournament, actor: User, language: str = "") -> Job:
    recheck_begin(tournament=tournament, actor=actor, language=language)
    return Job.objects.get(kind="recheck", key=tournament.pk, state="waiting")


def make(tournament: Tournament, at: Callable[[int], None] | None = None) -> int:
    """Do the re-check that waits, as :func:`do`."""
    return do("recheck", tournament.pk, at)


def page(client: Client, tournament: Tournament, **headers: str) -> str:
    return client.get(reverse("recheck", args=[tournament.slug]), headers=headers).content.decode()


def words(text: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


def send(client: Client, tournament: Tournament, **values: object) -> str:
    """Send a form of the page and return the page that follows."""
    return client.post(
        reverse("recheck", args=[tournament.slug]), values, follow=True
    ).content.decode()


def test_the_button_asks_for_a_job_and_the_page_shows_progress_then_the_answer(
    event: Tournament,
    client: Client,
    chief_arbiter: User,
) -> None:
    client.force_login(chief_arbiter)
    lines = Decision.objects.filter(tournament=event).count()
    url = reverse("recheck", args=[event.slug])
    assert "Compared" not in client.get(url, {"run": "1"}).content.decode()
    running = send(client, event)
    assert queued("recheck") == [str(event.pk)]
    assert "The re-check is running. You can leave this page." in running
    assert "The report file is written and read" in running
    assert 'hx-trigger="every 2s"' in running
    shown = []

    def at(mark: int) -> None:
        part = page(client, event, HX_Request="true")
        assert "<html" not in part
        shown.extend(re.findall(r'value="\d" max="\d"', part))

    assert make(event, at) == 5
    assert shown == [
        'value="0" max="3"',
        'value="1" max="3"',
        'value="2" max="3"',
        'value="3" max="3"',
    ]
    over = page(client, event)
    assert "every 2s" not in over
    assert (
        "0 differences Compared: the pairings of 3 rounds, the points of 8 players, 8 ranks."
        in words(over)
    )
    assert Decision.objects.filter(tournament=event).count() == lines


def test_the_answer_is_the_one_of_a_small_event(event: Tournament, chief_arbiter: User) -> None:
    seats = Seat.objects.filter(round__tournament=event, round__number=1, game__board=2)
    white, black = seats.get(colour="w"), seats.get(colour="b")
    black.delete()
    Seat.objects.filter(pk=white.pk).update(colour="b")
    Seat.objects.create(round=black.round, entry=black.entry, game=white.game, colour="w")
    begin(event, chief_arbiter)
    make(event)
    found = run_page(event)
    assert found.answer is not None
    assert found.answer == event_recheck(event)
    assert found.answer.rounds[0].in_file[0].number == 2


@pytest.mark.costly
def test_an_event_below_the_limit_answers_at_once(
    event: Tournament, client: Client, chief_arbiter: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_recheck, "MAX_SEATS", 24)
    client.force_login(chief_arbiter)
    assert "0 differences" in send(client, event)
    assert (queued("recheck"), own(RecheckRun).count()) == ([], 0)


@pytest.mark.costly
def test_cancelling_ends_the_work_and_saves_nothing(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    job = begin(event, chief_arbiter)
    assert f'name="cancel" value="{job.pk}"' in page(client, event)

    def at(mark: int) -> None:
        if mark == 2:
            assert "The re-check was cancelled." in send(client, event, cancel=job.pk)
            assert "The re-check is running" not in page(client, event)

    assert make(event, at) == 2
    assert not own(RecheckRun).exists()
    job = begin(event, chief_arbiter)
    send(client, event, cancel=job.pk)
    assert make(event, lambda mark: None) == 0, "nothing is done that was cancelled before it began"
    assert "Compared" not in page(client, event)


@pytest.mark.costly
def test_a_page_that_is_out_of_date_cancels_nothing_else(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    first = begin(event, chief_arbiter)
    make(event)
    assert "This re-check is not running any more." in send(client, event, cancel=first.pk)
    second = begin(event, chief_arbiter)
    assert "This re-check is not running any more." in send(client, event, cancel=first.pk)
    with pytest.raises(Conflict):
        recheck_cancel(
            job_id=second.pk,
            tournament=factories.make_ready(chief_arbiter, name="B"),
            actor=chief_arbiter,
        )
    assert queued("recheck") == [str(event.pk)]


def test_a_second_one_waits_for_the_first(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    job = begin(event, chief_arbiter)
    client.force_login(chief_arbiter)
    assert "A re-check of this tournament is running." in send(client, event)
    assert [row.pk for row in Job.objects.filter(kind="recheck")] == [job.pk]


@pytest.mark.django_db(transaction=True)
def test_two_arbiters_at_once_begin_one(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter)
    at_once(*[lambda: begin(tournament, chief_arbiter)] * 2)
    assert Job.objects.filter(kind="recheck").count() == 1


@pytest.mark.costly
def test_a_process_that_was_killed_saves_nothing_and_the_next_one_begins(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    begin(event, chief_arbiter)

    def kill(mark: int) -> None:
        if mark == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make(event, kill)
    killed = Job.objects.get(kind="recheck", state="running")
    assert not own(RecheckRun).exists()
    assert "The re-check is running" in page(client, event)
    lose()
    interrupted = page(client, event)
    assert "The work has failed. Start it again." in interrupted
    assert "every 2s" not in interrupted
    send(client, event)
    go_on(killed, killed.token)
    assert not own(RecheckRun).exists(), "a process that was only slow leaves the next one alone"
    make(event)
    assert "0 differences" in words(page(client, event))


@pytest.mark.costly
def test_only_arbiters_begin_and_cancel(
    event: Tournament, client: Client, chief_arbiter: User, stranger: User
) -> None:
    job = begin(event, chief_arbiter)
    url = reverse("recheck", args=[event.slug])
    client.force_login(stranger)
    assert [client.post(url, values).status_code for values in ({}, {"cancel": job.pk})] == [
        403,
        403,
    ]
    Appointment.objects.create(tournament=event, person=stranger, role=Role.READER, since=NOW)
    assert [client.post(url, values).status_code for values in ({}, {"cancel": job.pk})] == [
        403,
        403,
    ]
    assert 'name="cancel"' not in page(client, event), "a reader sees the progress only"
    make(event)
    read = page(client, event)
    assert "0 differences" in words(read)
    assert 'class="primary large"' not in read
    with pytest.raises(PermissionDenied):
        begin(event, stranger)
    with pytest.raises(PermissionDenied):
        recheck_cancel(job_id=job.pk, tournament=event, actor=stranger)
    assert (own(RecheckRun).count(), queued("recheck")) == (1, [])


def test_a_change_of_the_tournament_is_told_with_the_answer(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    begin(event, chief_arbiter)
    make(event)
    assert "has changed since" not in page(client, event)
    Tournament.objects.filter(pk=event.pk).update(version=F("version") + 1)
    text = page(client, event)
    assert "The tournament has changed since this re-check." in text
    assert "0 differences" in words(text)


@pytest.mark.costly
def test_a_problem_is_told_in_the_language_of_the_reader(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    begin(event, chief_arbiter, "fr")
    Round.objects.filter(tournament=event).update(state="planned")
    event.entries.update(tpn=None)
    make(event)
    found = run_page(event)
    assert found.answer is not None
    assert "Ce fichier ne contient aucun joueur" in found.answer.problem


def test_it_speaks_french(event: Tournament, client: Client, chief_arbiter: User) -> None:
    client.force_login(chief_arbiter)
    begin(event, chief_arbiter)
    assert "La revérification est en cours" in page(client, event, Accept_Language="fr")


@pytest.mark.costly
def test_final_standings_leave_it_possible(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    factories.play_rounds(event, [4, 5], chief_arbiter)
    at = NOW + timedelta(hours=2)
    standings_make_final(tournament_id=event.pk, actor=chief_arbiter, now=at, ties_stay=True)
    client.force_login(chief_arbiter)
    send(client, event)
    make(event)
    assert "the pairings of 5 rounds" in words(page(client, event))


def test_of_many_boards_the_first_200_are_shown() -> None:
    boards = tuple(ReadBoard(number, f"{number} A", f"{number} B") for number in range(1, 252))
    rounds = (ReadRound(1, boards, boards[:200], "", ()),)
    text = words(render_to_string("rounds/_rounds_otherwise.html", {"rounds": rounds}))
    assert text.count("the engine") == 200
    assert "200 A 200 B the file and 51 more boards the engine 1 1 A" in text
