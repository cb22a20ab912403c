"""The check before sending names players who are not as in the rating lists."""

from __future__ import annotations

import html
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tournaments.models import Entry, Tournament

from .conftest import Load, text_list

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(chief_arbiter: User) -> Tournament:
    """Return four players: the second has another name and rating in the list, the third a FIDE ID
    that is not in it.
    """
    tournament = factories.make_ready(chief_arbiter, players=4)
    Entry.objects.filter(tournament=tournament, tpn=1).update(fide_id=2000016, fide_rating=2450)
    Entry.objects.filter(tournament=tournament, tpn=2).update(
        fide_id=2000024, name="Blomquist, Player 2", fide_rating=2390
    )
    Entry.objects.filter(tournament=tournament, tpn=3).update(fide_id=999)
    return tournament


def words(tournament: Tournament, client: Client) -> str:
    page = client.get(reverse("report-check", args=[tournament.slug])).content.decode()
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", page).split()))


def test_players_unlike_the_list_are_named(
    event: Tournament, load: Load, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    assert "the rating list" not in words(event, client)
    load(text_list())
    text = words(event, client)
    assert "Players whose FIDE ID is not in the rating list (1): Czerny, Player 3" in text
    assert "Names unlike the rating list : Blomquist, Player 2" in text
    assert "Ratings unlike the rating list : Blomquist, Player 2" in text
