"""Lists by name are in alphabetical order, with or without accents, on every database."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tests.tournaments.markup import tidy
from tournaments.core.frame import tournament_frame
from tournaments.desk.desk import desk
from tournaments.entries.entries import entry_withdraw
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.on_postgres("sorting and searching")

IN_ORDER = [
    "de la Cruz, A",
    "Étienne, B",
    "Horváth, C",
    "Łukasiewicz, D",
    "Œuvrard, E",
    "Šimić, F",
    "Þórsson, G",
    "Zoe",
]


@pytest.fixture
@factories.cached
def named(chief_arbiter: User) -> Tournament:
    """Round 1 paired; the alphabetical order of the players is not the order of their numbers."""
    neighbour = factories.make_ready(chief_arbiter, name="Beside")
    tournament = factories.make_ready(chief_arbiter)
    for event, names in (
        (neighbour, [f"Beside {n}" for n in range(8)]),
        (tournament, IN_ORDER[::-1]),
    ):
        for tpn, name in enumerate(names, start=1):
            Entry.objects.filter(tournament=event, tpn=tpn).update(name=name)
        factories.pair_and_publish(event, 1, chief_arbiter)
    return tournament


def test_the_players_to_choose_for_an_explanation_are_in_alphabetical_order(
    named: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    response = client.get(reverse("round-why", args=[named.slug, 1]))
    assert [entry.name for entry in response.context["people"]] == IN_ORDER
    select = response.content.decode().partition('id="player"')[2].partition("</select>")[0]
    assert re.findall(r"<option[^>]*>([^<(]+) \(", tidy(select)) == IN_ORDER


@pytest.mark.costly
def test_players_without_a_game_are_in_alphabetical_order_on_the_desk(
    named: Tournament, chief_arbiter: User
) -> None:
    for entry in Entry.objects.filter(tournament=named, tpn__in=(1, 3, 4, 8)):
        entry_withdraw(entry_id=entry.pk, actor=chief_arbiter, now=factories.NOW, from_round=2)
    seen = desk(tournament_frame(named, runs=True))
    assert [absence.name for absence in seen.absences] == [
        IN_ORDER[place] for place in (0, 4, 5, 7)
    ]
