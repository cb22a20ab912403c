"""Notifications: from an action of the arbiter to the text on a phone, with a service of our own."""

from __future__ import annotations

import logging
import time
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from pairing.rounds.corrections import Report, result_correct
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from tests.tournaments import factories, long_work
from tests.tournaments.factories import NOW, entry_of, round_of
from tests.tournaments.push_service import Service
from tournaments.core import jobs
from tournaments.models import Game, Job, PushSubscription, Tournament
from tournaments.setup.schedule import round_schedule
from tournaments.standings.final import standings_make_final
from tournaments.web.push import sending, subscriptions
from tournaments.web.push.subscriptions import JOB
from tournaments.web.templatetags.numbers import moment

from .phones import bodies, deliver, post, publish, subscribed

HALF_HOUR = timedelta(minutes=30)


def enter(tournament: Tournament, actor: User, tpn: int, result: str) -> Game:
    game = Game.objects.get(round__tournament=tournament, seats__entry__tpn=tpn, round__number=1)
    result_record(game_id=game.pk, result=result, actor=actor, now=NOW)
    return game


def test_a_publication_is_sent_with_the_own_board(
    paired: Tournament, service: Service, chief_arbiter: User
) -> None:
    phone = subscribed(paired, service.browser("one"), own=1)
    other = subscribed(paired, service.browser("two"), players=(2, 3))
    assert bodies(service, phone) == ["Notifications are on."]
    publish(paired, 1, chief_arbiter)
    deliver(paired)
    (_welcome, message) = service.messages(phone)
    name, rival = entry_of(paired, 1).name, entry_of(paired, 4).name
    assert message["body"] == f"Round 1: {name}, board 1, White against {rival}"
    assert message["title"] == paired.name
    assert message["path"] == reverse("me", args=[paired.slug])
    (_first, theirs) = bodies(service, other)
    assert len(theirs.splitlines()) == 2
    # The same job once more, and an action without news, send nothing.
    jobs.enqueue(JOB, str(paired.pk))
    deliver(paired)
    assert len(service.arrived) == 4


def test_c04_2_4_4_a_draft_is_in_no_message(
    paired: Tournament, service: Service, chief_arbiter: User
) -> None:
    phone = subscribed(paired, service.browser("one"), own=1, players=(2,))
    jobs.enqueue(JOB, str(paired.pk))
    deliver(paired)
    assert bodies(service, phone) == ["Notifications are on."]
    assert not long_work.queued(JOB)


@pytest.mark.costly
@pytest.mark.parametrize("setting, is_sent", [("own", True), ("all", True), ("none", False)])
def test_c04_2_4_2_an_entered_result_is_for_its_player_only(
    paired: Tournament, service: Service, chief_arbiter: User, setting: str, *, is_sent: bool
) -> None:
    Tournament.objects.filter(pk=paired.pk).update(entered_results=setting)
    publish(paired, 1, chief_arbiter)
    mine = subscribed(paired, service.browser("mine"), own=1, players=(2, 3))
    theirs = subscribed(paired, service.browser("theirs"), own=2, players=(1, 3, 4))
    enter(paired, chief_arbiter, 1, "10")
    deliver(paired)
    names = f"{entry_of(paired, 1).name} – {entry_of(paired, 4).name}"
    at = timezone.localtime(NOW).strftime("%H:%M")
    text = f"{names}: 1 – 0 entered at {at}. If it is wrong, tell an arbiter."
    assert bodies(service, mine)[1:] == ([text] if is_sent else [])
    assert bodies(service, theirs)[1:] == []


@pytest.mark.costly
def test_a_result_that_was_undone_at_once_is_not_sent(
    paired: Tournament, service: Service, chief_arbiter: User
) -> None:
    phone = subscribed(paired, service.browser("one"), own=1)
    publish(paired, 1, chief_arbiter)
    deliver(paired)
    enter(paired, chief_arbiter, 1, "10")
    enter(paired, chief_arbiter, 1, "")
    job = Job.objects.get(kind=JOB, state="waiting")
    assert job.due == NOW + sending.SOON
    deliver(paired)
    assert len(bodies(service, phone)) == 2


@pytest.fixture
def with_results(paired: Tournament, chief_arbiter: User) -> Tournament:
    publish(paired, 1, chief_arbiter)
    for tpn in (1, 2, 3):
        enter(paired, chief_arbiter, tpn, "10")
    return paired


@pytest.mark.costly
def test_published_results_and_corrections_are_sent_to_those_they_concern(
    with_results: Tournament, service: Service, chief_arbiter: User
) -> None:
    paired = with_results
    phone = subscribed(paired, service.browser("one"), players=(1,))
    other = subscribed(paired, service.browser("two"), own=3)
    results_publish(round_id=round_of(paired, 1).pk, actor=chief_arbiter, now=NOW)
    deliver(paired)
    name = entry_of(paired, 1).name
    text = f"The results of round 1 are published.\n{name}: rank 1, points: 1"
    assert bodies(service, phone)[1:] == [text]
    game = Game.objects.get(round__tournament=paired, seats__entry__tpn=1, round__number=1)
    report = Report(NOW + HALF_HOUR / 3, "the players")
    result_correct(
        game_id=game.pk, result="==", report=report, actor=chief_arbiter, now=NOW + HALF_HOUR / 2
    )
    deliver(paired)
    assert bodies(service, phone)[2:] == [f"Correction in round 1: {name}"]
    assert len(bodies(service, other)) == 2


@pytest.mark.costly
def test_the_texts_are_in_the_language_of_the_phone(
    paired: Tournament, service: Service, chief_arbiter: User
) -> None:
    client = Client(headers={"Accept-Language": "fr"})
    phone = service.browser("one")
    values: dict[str, Any] = {**phone.subscription, "own": entry_of(paired, 1).pk, "players": []}
    assert post(client, paired, values).status_code == 200
    publish(paired, 1, chief_arbiter)
    deliver(paired)
    # Both at once: the first message has the board that was published meanwhile.
    (first,) = bodies(service, phone)
    assert first.splitlines()[0] == "Les notifications sont activées."
    assert first.splitlines()[1].startswith("Ronde 1\u202f: ")


@pytest.mark.costly
def test_a_phone_that_the_service_does_not_know_is_forgotten(
    paired: Tournament, service: Service, chief_arbiter: User
) -> None:
    for status in (404, 410):
        browser = service.browser(str(status))
        subscribed(paired, browser, own=1)
        service.answers[f"/send/{status}"] = (status, {})
    kept = subscribed(paired, service.browser("kept"), own=2)
    publish(paired, 1, chief_arbiter)
    deliver(paired)
    assert [each.endpoint for each in PushSubscription.objects.filter(tournament=paired)] == [
        kept.endpoint
    ]
    assert len(bodies(service, kept)) == 2


@pytest.mark.costly
def test_a_service_that_refuses_the_signature_loses_no_phone(
    paired: Tournament,
    service: Service,
    chief_arbiter: User,
    caplog: pytest.LogCaptureFixture,
) -> None:
    for status in (401, 403):
        subscribed(paired, service.browser(str(status)), own=1)
        service.answers[f"/send/{status}"] = (status, {})
    publish(paired, 1, chief_arbiter)
    deliver(paired)
    phones = PushSubscription.objects.filter(tournament=paired)
    assert [(each.tries, each.due) for each in phones] == [(0, None)] * 2
    assert "refused the signature of 2 notifications: is the clock" in caplog.text


@pytest.mark.costly
def test_a_busy_service_is_asked_again_when_it_says_and_then_given_up(
    paired: Tournament, service: Service, chief_arbiter: User
) -> None:
    subscribed(paired, service.browser("one"), own=1)
    service.answers["/send/one"] = (503, {"Retry-After": "600"})
    publish(paired, 1, chief_arbiter)
    before = timezone.now()
    deliver(paired)
    (row,) = PushSubscription.objects.filter(tournament=paired)
    job = Job.objects.get(kind=JOB, state="waiting")
    assert row.tries == 1
    assert row.due is not None
    assert row.due == job.due >= before + timedelta(seconds=600)
    # Too early: it is left alone, and the job asks for nothing more.
    deliver(paired)
    row.refresh_from_db()
    assert row.tries == 1
    for _ in range(sending.TRIES - 1):
        PushSubscription.objects.filter(pk=row.pk).update(due=before)
        jobs.enqueue(JOB, str(paired.pk))
        deliver(paired)
    row.refresh_from_db()
    assert (row.tries, row.due) == (0, None)
    newest = paired.decisions.order_by("-sequence").first()
    assert newest is not None
    assert row.sequence == newest.sequence


@pytest.mark.costly
def test_a_phone_that_waits_is_not_forgotten_by_a_job_that_comes_first(
    paired: Tournament, service: Service, chief_arbiter: User
) -> None:
    phone = subscribed(paired, service.browser("one"), own=1)
    service.answers["/send/one"] = (503, {"Retry-After": "600"})
    publish(paired, 1, chief_arbiter)
    deliver(paired)
    del service.answers["/send/one"]
    (row,) = PushSubscription.objects.filter(tournament=paired)
    # A result is entered meanwhile: its job replaces the waiting one, and is early.
    enter(paired, chief_arbiter, 2, "10")
    deliver(paired)
    assert Job.objects.get(kind=JOB, state="waiting").due == row.due
    PushSubscription.objects.filter(pk=row.pk).update(due=timezone.now())
    deliver(paired)
    assert "Round 1: " in bodies(service, phone)[-1]
    assert not long_work.queued(JOB)


@pytest.mark.costly
def test_an_entered_result_is_sent_once_although_another_phone_is_behind(
    paired: Tournament, service: Service, chief_arbiter: User
) -> None:
    publish(paired, 1, chief_arbiter)
    one = subscribed(paired, service.browser("one"), own=1)
    slow = subscribed(paired, service.browser("slow"), own=1)
    service.answers["/send/slow"] = (503, {})
    enter(paired, chief_arbiter, 1, "10")
    deliver(paired)
    assert "1 – 0" in bodies(service, one)[-1]
    sent = len(bodies(service, one))
    del service.answers["/send/slow"]
    PushSubscription.objects.filter(due__isnull=False).update(due=timezone.now())
    enter(paired, chief_arbiter, 2, "10")
    deliver(paired)
    assert "1 – 0" in bodies(service, slow)[-1]
    assert len(bodies(service, one)) == sent


@pytest.mark.costly
def test_a_late_attempt_sends_what_is_true_then(
    with_results: Tournament, service: Service, chief_arbiter: User
) -> None:
    """The pairings of a round that is over are not news any more."""
    paired = with_results
    phone = subscribed(paired, service.browser("one"), own=1)
    PushSubscription.objects.filter(tournament=paired).update(sequence=0)
    results_publish(round_id=round_of(paired, 1).pk, actor=chief_arbiter, now=NOW)
    round_pair(round_id=round_of(paired, 2).pk, actor=chief_arbiter, now=NOW + HALF_HOUR * 2)
    round_publish(round_id=round_of(paired, 2).pk, actor=chief_arbiter, now=NOW + HALF_HOUR * 2)
    deliver(paired)
    (_welcome, text) = bodies(service, phone)
    assert "Round 2: " in text
    assert "Round 1: " not in text
    assert "entered at" not in text


@pytest.mark.costly
def test_with_the_final_standings_the_last_message_is_sent_and_the_phones_are_forgotten(
    chief_arbiter: User, service: Service
) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4, rounds=1)
    phone = subscribed(tournament, service.browser("one"), own=1)
    factories.play_rounds(tournament, [1], chief_arbiter)
    standings_make_final(
        tournament_id=tournament.pk,
        actor=chief_arbiter,
        now=NOW + timedelta(hours=3),
        ties_stay=True,
    )
    deliver(tournament)
    last = bodies(service, phone)[-1]
    assert "The standings are final." in last
    assert f"{entry_of(tournament, 1).name}: rank 1" in last
    assert not PushSubscription.objects.filter(tournament=tournament).exists()
    answer = post(Client(), tournament, {**phone.subscription, "own": entry_of(tournament, 1).pk})
    assert answer.status_code == 409
    assert "over" in answer.json()["problem"]


@pytest.mark.costly
def test_unused_phones_are_forgotten(paired: Tournament, service: Service) -> None:
    subscribed(paired, service.browser("old"), own=1)
    kept = subscribed(paired, service.browser("new"), own=1)
    old = PushSubscription.objects.get(endpoint__endswith="old")
    PushSubscription.objects.filter(pk=old.pk).update(
        renewed_at=timezone.now() - subscriptions.FORGOTTEN - HALF_HOUR
    )
    jobs.enqueue(JOB)
    long_work.do(JOB)
    assert [each.endpoint for each in PushSubscription.objects.filter(tournament=paired)] == [
        kept.endpoint
    ]


@pytest.mark.costly
def test_no_address_of_a_phone_is_in_the_log(
    paired: Tournament, service: Service, chief_arbiter: User, caplog: pytest.LogCaptureFixture
) -> None:
    subscribed(paired, service.browser("secret-address"), own=1)
    service.answers["/send/secret-address"] = (500, {})
    with caplog.at_level(logging.DEBUG):
        publish(paired, 1, chief_arbiter)
        deliver(paired)
    assert "Notifications of" in caplog.text
    assert "secret-address" not in caplog.text


@pytest.mark.costly
@pytest.mark.parametrize("phones", [1, 40])
def test_a_publication_costs_the_same_whatever_the_number_of_phones(
    phones: int,
    paired: Tournament,
    service: Service,
    chief_arbiter: User,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    several(paired, service, phones)
    publish(paired, 1, chief_arbiter)
    with django_assert_num_queries(21):
        deliver(paired)
    assert len(service.arrived) == phones


def several(tournament: Tournament, service: Service, count: int) -> None:
    last = tournament.decisions.order_by("-sequence").values_list("sequence", flat=True)[0]
    entries = list(tournament.entries.order_by("tpn"))
    rows = []
    for n in range(count):
        browser = service.browser(str(n)).subscription
        own, other = entries[n % len(entries)], entries[(n + 1) % len(entries)]
        rows.append(
            PushSubscription(
                tournament=tournament,
                endpoint=browser["endpoint"],
                public=browser["p256dh"],
                secret=browser["auth"],
                language=("en", "fr")[n % 2],
                own=own,
                players=[other.pk],
                sequence=last,
                renewed_at=NOW,
            )
        )
    PushSubscription.objects.bulk_create(rows)


@pytest.mark.costly
def test_500_phones_are_notified_of_one_publication(
    paired: Tournament, service: Service, chief_arbiter: User, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each once; with ``-s`` the figures of docs/developer/push.md."""
    several(paired, service, 500)
    begun = time.time()
    publish(paired, 1, chief_arbiter)
    used = time.process_time()
    deliver(paired)
    used = time.process_time() - used
    assert len({path for path, *_rest in service.arrived}) == len(service.arrived) == 500
    arrived = sorted(at - begun for *_rest, at in service.arrived)
    figures = f"{used:.2f} s of processor time with the service; first {arrived[0]:.2f} s, "
    with capsys.disabled():
        print(f"\n500 phones: {figures}last {arrived[-1]:.2f} s")


@pytest.mark.costly
def test_c04_2_4_2_another_start_of_the_next_rounds_is_sent(
    paired: Tournament, service: Service, chief_arbiter: User
) -> None:
    phone = subscribed(paired, service.browser("one"), players=(1,))

    def begins(number: int, at: datetime | None) -> list[str]:
        round_schedule(
            round_id=round_of(paired, number).pk,
            actor=chief_arbiter, now=NOW, starts_at=at, results_due_at=None,
        )  # fmt: skip
        deliver(paired)
        return bodies(service, phone)

    later = NOW + timedelta(days=1)
    for number in (1, 2, 3):
        assert len(begins(number, later)) == 1, "announced for the first time: nobody waits for it"
    at = moment(timezone.localtime(later + HALF_HOUR))
    assert begins(1, later + HALF_HOUR)[1:] == [f"Changed: Round 1 · Play begins {at}"]
    assert len(begins(2, later + HALF_HOUR)) == 3
    assert len(begins(3, later + HALF_HOUR)) == 3, "far away"
    assert len(begins(2, None)) == 3
