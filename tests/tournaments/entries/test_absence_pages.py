"""Byes, withdrawals and returns on the pages of one player."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tests.tournaments.neighbour import own
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_withdraw
from tournaments.models import (
    RequestedBye,
    Round,
    Tournament,
)


@pytest.mark.costly
def test_c04_2_3_3_a_bye_is_granted_and_cancelled(ready: Tournament, desk: Client) -> None:
    entry = factories.entry_of(ready, 3)
    noted = desk.post(
        reverse("bye-request", args=[ready.slug, entry.pk]),
        {"round_number": "2", "kind": "H", **factories.seen_now(ready)},
        follow=True,
    )
    assert "half-point bye in round 2." in noted.content.decode()
    assert list(own(RequestedBye).values_list("round_number", "kind")) == [(2, "H")]
    desk.post(reverse("bye-cancel", args=[ready.slug, entry.pk, 2]), factories.seen_now(ready))
    assert own(RequestedBye).count() == 0


@pytest.mark.costly
def test_c04_2_3_3_a_bye_beyond_the_limit_is_refused_without_a_question(
    desk: Client, chief_arbiter: User
) -> None:
    tournament = factories.make_ready(chief_arbiter, max_byes=1)
    entry = factories.entry_of(tournament, 2)
    bye_request(entry_id=entry.pk, actor=chief_arbiter, now=factories.NOW, round_number=2, kind="H")
    url = reverse("bye-request", args=[tournament.slug, entry.pk])
    refused = desk.post(url, {"round_number": "3", "kind": "F", **factories.seen_now(tournament)})
    text = refused.content.decode()
    assert (refused.status_code, "at most 1 bye with points" in text) == (409, True)
    assert "Grant the bye anyway" not in text


def test_c04_2_3_3_no_bye_for_a_published_round(published_round: Round, desk: Client) -> None:
    tournament = published_round.tournament
    entry = factories.entry_of(tournament, 3)
    response = desk.post(
        reverse("bye-request", args=[tournament.slug, entry.pk]),
        {"round_number": "1", "kind": "H"},
    )
    assert response.status_code == 422
    assert "Choose a round whose pairings are not published yet." in response.content.decode()
    assert own(RequestedBye).count() == 0


@pytest.mark.costly
def test_c04_2_3_2_a_player_is_withdrawn_and_brought_back(
    played_round: Round, desk: Client
) -> None:
    tournament = played_round.tournament
    entry = factories.entry_of(tournament, 6)
    page = reverse("entry-edit", args=[tournament.slug, entry.pk])
    assert "Strike off" not in desk.get(page).content.decode()
    gone = desk.post(
        reverse("entry-withdraw", args=[tournament.slug, entry.pk]),
        {"from_round": "2", **factories.seen_now(tournament)},
        follow=True,
    )
    assert "is withdrawn from round 2." in gone.content.decode()
    url = reverse("entry-return", args=[tournament.slug, entry.pk])
    assert desk.post(url, {"reason": "", **factories.seen_now(tournament)}).status_code == 400
    assert (
        desk.post(url, factories.seen_now(tournament), headers={"HX-Request": "true"}).status_code
        == 400
    )
    back = desk.post(
        url, {"reason": "he is well again", **factories.seen_now(tournament)}, follow=True
    )
    assert "is back and is paired from the next round." in back.content.decode()
    entry.refresh_from_db()
    assert entry.withdrawn_from is None


def test_c04_2_3_2_a_deputy_reads_that_a_return_is_for_the_chief_arbiter(
    played_round: Round, client: Client, deputy: User
) -> None:
    tournament = played_round.tournament
    entry = factories.entry_of(tournament, 6)
    client.force_login(deputy)
    client.post(
        reverse("entry-withdraw", args=[tournament.slug, entry.pk]),
        {"from_round": "2", **factories.seen_now(tournament)},
    )
    page = client.get(reverse("entry-edit", args=[tournament.slug, entry.pk])).content.decode()
    assert "Only the Chief Arbiter can bring a withdrawn player back." in page
    url = reverse("entry-return", args=[tournament.slug, entry.pk])
    assert url not in page
    assert (
        client.post(
            url,
            {"reason": "so", **factories.seen_now(tournament)},
            headers={"HX-Request": "true"},
        ).status_code
        == 403
    )
    entry.refresh_from_db()
    assert entry.withdrawn_from == 2


@pytest.mark.costly
def test_c04_2_3_2_a_return_in_the_last_round_promises_no_next_round(
    chief_arbiter: User, desk: Client
) -> None:
    tournament = factories.make_ready(chief_arbiter, rounds=1)
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    entry = factories.entry_of(tournament, 6)
    entry_withdraw(entry_id=entry.pk, actor=chief_arbiter, now=factories.NOW)
    tournament.refresh_from_db()
    url = reverse("entry-return", args=[tournament.slug, entry.pk])
    back = desk.post(
        url, {"reason": "he is well again", **factories.seen_now(tournament)}, follow=True
    )
    assert "is back. No round is left to be paired." in back.content.decode()
    entry.refresh_from_db()
    assert entry.withdrawn_from is None
