"""What a test of notifications does with a phone and with the job that sends to it."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.publish import round_publish
from tests.tournaments import long_work
from tests.tournaments.factories import NOW, entry_of, round_of
from tests.tournaments.push_service import Browser, Service
from tournaments.models import Tournament
from tournaments.web.push.subscriptions import JOB


def post(client: Client, tournament: Tournament, values: object) -> Any:
    return client.post(
        reverse("push", args=[tournament.slug]), values, content_type="application/json"
    )


def subscribed(
    tournament: Tournament,
    browser: Browser,
    *,
    own: int | None = None,
    players: tuple[int, ...] = (),
) -> Browser:
    """Let *browser* be notified about players by their pairing numbers; the welcome is sent."""
    values: dict[str, Any] = {**browser.subscription, "players": []}
    values["players"] = [entry_of(tournament, each).pk for each in players]
    if own is not None:
        values["own"] = entry_of(tournament, own).pk
    answer = post(Client(), tournament, values)
    assert answer.status_code == 200, answer.content
    deliver(tournament)
    return browser


def deliver(tournament: Tournament) -> None:
    long_work.do(JOB, tournament.pk)


def publish(tournament: Tournament, number: int, actor: User) -> None:
    round_publish(round_id=round_of(tournament, number).pk, actor=actor, now=NOW)


def bodies(service: Service, browser: Browser) -> list[str]:
    return [each["body"] for each in service.messages(browser)]
