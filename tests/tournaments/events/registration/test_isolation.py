"""Registrations of another tournament are neither shown nor counted,
and its settings decide nothing here.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import NOW, make_tournament
from tests.tournaments.furniture import NAMES
from tests.tournaments.neighbour import SLUG
from tournaments.events.event_page import sections_of
from tournaments.events.registration import visitor
from tournaments.events.registration.opening import event_is_offered
from tournaments.events.registration.queue import queue
from tournaments.events.registration.visitor import registration_add
from tournaments.events.sections import event_create
from tournaments.models import Entry, Registration, Tournament

from .conftest import Register, wish


def test_the_page_of_the_arbiters_shows_nobody_of_another_tournament(
    autumn: Tournament, chief_arbiter: User, register: Register, client: Client
) -> None:
    register("Zapp, Zoe")
    client.force_login(chief_arbiter)
    page = client.get(reverse("registrations", args=[autumn.slug])).content.decode()
    assert "Zapp" in page
    assert Registration.objects.filter(tournament__slug=SLUG).count() == 5
    assert [name for name in NAMES if name.partition(",")[0] in page] == []


def test_the_limits_of_a_section_elsewhere_give_no_doubt(
    autumn: Tournament, register: Register
) -> None:
    register("Zapp, Zoe")
    (row,) = queue(autumn, now=NOW)
    assert [code for code in row.codes if "section" in code] == []


def test_registrations_elsewhere_take_no_place_in_the_queue(
    autumn: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitor, "MOST_UNDECIDED", 1)
    registration_add(tournament_id=autumn.pk, wish=wish("Zapp, Zoe"), secret="of Zoe", now=NOW)
    assert Registration.objects.filter(tournament=autumn).count() == 1


def test_a_player_of_another_tournament_is_not_entered_here(autumn: Tournament) -> None:
    there = Entry.objects.filter(tournament__slug=SLUG).earliest("pk")
    zoe = wish("Zapp, Zoe", values={"fide_id": str(there.fide_id)})
    registered = registration_add(tournament_id=autumn.pk, wish=zoe, secret="of Zoe", now=NOW)
    assert registered.fields["fide_id"] == str(there.fide_id)


def test_an_open_registration_elsewhere_offers_none_here(chief_arbiter: User) -> None:
    tournament = make_tournament(chief_arbiter)
    event = event_create(
        tournament_id=tournament.pk, name="Closed", label="A", actor=chief_arbiter, now=NOW
    )
    assert not event_is_offered(sections_of(event))
