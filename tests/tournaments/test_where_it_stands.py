"""Every page of an arbiter says where the round stands, and leads there."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.services import results_publish, round_pair, round_publish
from tournaments.models import Game, Tournament

from . import factories

pytestmark = pytest.mark.django_db


def where(client: Client, tournament: Tournament, page: str = "entries") -> tuple[str, str] | None:
    """What *page* says of the round, and the address it leads to."""
    text = client.get(reverse(page, args=[tournament.slug])).content.decode()
    found = re.search(r'<a class="badge \w+ where-it-stands[^>]*href="/t/[\w-]+/(.*?)">\s*(.*?)\s*</a>', text)
    return (found[2], found[1]) if found else None


def test_the_round_at_hand_is_told_from_planned_to_played(client: Client, chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, rounds=1)
    round_ = factories.round_of(tournament, 1)
    given = {"round_id": round_.pk, "actor": chief_arbiter, "now": factories.NOW}
    client.force_login(chief_arbiter)
    assert where(client, tournament) == ("Round 1: not paired yet", "rounds/1/")
    round_pair(**given)
    assert where(client, tournament) == ("Round 1: draft, not published", "rounds/1/")
    round_publish(**given)
    assert where(client, tournament) == ("Round 1: 4 results missing", "rounds/1/results/")
    Game.objects.filter(round=round_, board__gt=1).update(result="10")
    assert where(client, tournament) == ("Round 1: 1 result missing", "rounds/1/results/")
    Game.objects.filter(round=round_).update(result="10")
    assert where(client, tournament) == ("Round 1: all results are in, not published", "rounds/1/results/")
    results_publish(**given)
    assert where(client, tournament) == ("All rounds are played", "standings/")


@pytest.mark.parametrize("page", ["entries", "standings", "record", "tournament", "tournament-edit", "check-in"])
def test_it_is_told_on_every_page(page: str, client: Client, chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter)
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    client.force_login(chief_arbiter)
    assert where(client, tournament, page) == ("Round 1: 4 results missing", "rounds/1/results/")


@pytest.mark.parametrize("page", ["tournament", "standings"])
def test_visitors_are_not_told_what_is_missing(page: str, client: Client, chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter)
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    assert where(client, tournament, page) is None
    client.force_login(chief_arbiter)
    assert where(client, tournament, page) is not None


def test_a_board_of_a_match_is_missing_once(client: Client, chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, system="double_swiss_2026")
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    client.force_login(chief_arbiter)
    assert Game.objects.filter(round__tournament=tournament).count() == 8
    assert where(client, tournament) == ("Round 1: 4 results missing", "rounds/1/results/")
