"""Switching notifications on and off: what a phone sends, and the refusals."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.tournaments import long_work
from tests.tournaments.factories import entry_of
from tests.tournaments.push_service import Service
from tournaments.core import request_limits
from tournaments.models import Entry, PushSubscription, Tournament
from tournaments.web.push import subscriptions
from tournaments.web.push.subscriptions import JOB

from .phones import bodies, post, publish, subscribed


@pytest.mark.costly
def test_subscribing_twice_is_one_phone_and_off_ends_it(
    paired: Tournament, service: Service, chief_arbiter: User
) -> None:
    phone = subscribed(paired, service.browser("one"), own=1)
    subscribed(paired, phone, own=2, players=(3,))
    (row,) = PushSubscription.objects.filter(tournament=paired)
    assert (row.own, row.players) == (entry_of(paired, 2), [entry_of(paired, 3).pk])
    assert bodies(service, phone) == ["Notifications are on."]
    for _ in range(2):
        answer = post(Client(), paired, {"off": True, "endpoint": phone.endpoint})
        assert (answer.status_code, answer.json()) == (200, {"players": 0})
    publish(paired, 1, chief_arbiter)
    assert not long_work.queued(JOB)
    assert len(service.arrived) == 1


@pytest.mark.parametrize(
    "values",
    [
        [],
        7,
        {},
        {"endpoint": 7},
        {"endpoint": "https://fcm.googleapis.com/x", "p256dh": "", "auth": "", "players": "1"},
        {"endpoint": "https://fcm.googleapis.com/x", "p256dh": "", "auth": "", "own": True},
        {"endpoint": "https://fcm.googleapis.com/x", "p256dh": "x", "auth": "\0"},
        {"endpoint": "x" * 2_000, "p256dh": "", "auth": ""},
        {"endpoint": "https://fcm.googleapis.com/x", "p256dh": "", "auth": "", "own": 2**80},
        {"off": True},
        {"x": "y" * 9_000},
    ],
)
def test_anything_else_is_refused(values: object, paired: Tournament, client: Client) -> None:
    answer = post(client, paired, json.dumps(values))
    assert answer.status_code == 422
    assert not PushSubscription.objects.filter(tournament=paired).exists()
    for broken in ('{"endpoint":', "[" * 7_900):
        assert post(client, paired, broken).status_code == 422


@pytest.mark.costly
def test_wrong_services_keys_and_players_are_refused_with_a_sentence(
    paired: Tournament, service: Service, client: Client, neighbour: Tournament
) -> None:
    browser, own = service.browser("one"), entry_of(paired, 1).pk
    good = {**browser.subscription, "own": own}
    stranger = Entry.objects.filter(tournament=neighbour).first()
    assert stranger is not None
    for change, code in (
        ({"endpoint": "https://example.org/x"}, "push.service"),
        ({"endpoint": "http://127.0.0.1:1/x"}, "push.service"),
        ({"auth": "AAAA"}, "push.keys"),
        ({"p256dh": "BA" + "A" * 85}, "push.keys"),
        ({"own": None}, "push.nobody"),
        ({"own": stranger.pk}, "push.nobody"),
    ):
        answer = post(client, paired, {**good, **change})
        assert answer.status_code == 400
        assert answer.json()["code"] == code
        assert answer.json()["problem"].endswith(".")
    assert not PushSubscription.objects.filter(tournament=paired).exists()


def test_keys_are_stored_in_one_form(paired: Tournament, service: Service, client: Client) -> None:
    """Padding without end would not fit into the column."""
    values = service.browser("one").subscription
    long = {name: values[name] + "=" * 400 for name in ("p256dh", "auth")}
    answer = post(client, paired, {**values, **long, "own": entry_of(paired, 1).pk})
    assert answer.status_code == 200
    (row,) = PushSubscription.objects.filter(tournament=paired)
    assert (row.public, row.secret) == (values["p256dh"], values["auth"])


@pytest.mark.costly
def test_phones_are_limited_by_event_and_by_address(
    paired: Tournament, service: Service, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscriptions, "MOST_PHONES", 1)
    subscribed(paired, service.browser("one"), own=1)
    values = {**service.browser("two").subscription, "own": entry_of(paired, 1).pk}
    answer = post(client, paired, values)
    assert (answer.status_code, answer.json()["code"]) == (409, "push.full")
    subscribed(paired, service.browser("one"), own=2)  # the people at the venue may change
    monkeypatch.setitem(request_limits.LIMITS, request_limits.PUSH, (1, timedelta(hours=1)))
    assert post(client, paired, values).json()["code"] == "registration.busy"


def test_the_form_token_is_needed(paired: Tournament, service: Service) -> None:
    client = Client(enforce_csrf_checks=True)
    address = reverse("push", args=[paired.slug])
    values = {**service.browser("one").subscription, "own": entry_of(paired, 1).pk}
    assert client.post(address, values, content_type="application/json").status_code == 403
    token = client.get(address).json()["token"]
    answer = client.post(
        address, values, content_type="application/json", headers={"X-CSRFToken": token}
    )
    assert answer.status_code == 200


@pytest.mark.costly
def test_where_notifications_are_off_there_is_no_address_and_no_query(
    paired: Tournament, chief_arbiter: User, client: Client, settings: Settings, service: Service
) -> None:
    subscribed(paired, service.browser("one"), own=1)
    settings.PUSH = False
    assert client.get(reverse("push", args=[paired.slug])).status_code == 404
    publish(paired, 1, chief_arbiter)
    assert not long_work.queued(JOB)
