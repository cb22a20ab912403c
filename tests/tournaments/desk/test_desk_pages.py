"""An open desk shows what other arbiters do."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.results import result_record
from tests.tournaments import factories
from tournaments.core.frame import state_key
from tournaments.entries.entries import entry_withdraw
from tournaments.models import Game, Round, Tournament

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def next_hall(published_round: Round, chief_arbiter: User) -> Round:
    """The first round of another tournament with the same numbers, at the same point."""
    other = factories.make_ready(chief_arbiter, name="The Hall Next Door")
    return factories.pair_and_publish(other, 1, chief_arbiter)


def enter_white_win(round_: Round, actor: User) -> None:
    """Enter a win for White on board 1."""
    game = Game.objects.get(round=round_, board=1)
    result_record(game_id=game.pk, result="10", actor=actor, now=factories.NOW)


def test_an_open_desk_polls_and_gets_only_its_live_part(
    client: Client, published_round: Round, next_hall: Round, chief_arbiter: User
) -> None:
    tournament = published_round.tournament
    tournament.refresh_from_db()
    url = reverse("desk", args=[tournament.slug])
    client.force_login(chief_arbiter)
    page = client.get(url).content.decode()
    version = state_key(tournament, runs=True)
    assert f'hx-get="{url}?v={version}"' in page
    assert "<strong>0</strong> of 4 results entered" in page
    assert client.get(url, {"v": version}, headers=HTMX).status_code == 204
    result_record(
        game_id=Game.objects.get(round=next_hall, board=1).pk,
        result="10",
        actor=chief_arbiter,
        now=factories.NOW,
    )
    assert client.get(url, {"v": version}, headers=HTMX).status_code == 204
    enter_white_win(published_round, chief_arbiter)
    news = client.get(url, {"v": version}, headers=HTMX)
    text = news.content.decode()
    assert news.status_code == 200
    assert text.lstrip().startswith('<div class="stack now-page" id="live"')
    assert "<strong>1</strong> of 4 results entered" in text
    tournament.refresh_from_db()
    assert state_key(tournament, runs=True) != version
    assert f"?v={state_key(tournament, runs=True)}" in text
    assert "csrfmiddlewaretoken" in text


def test_strangers_cannot_poll_the_desk(
    client: Client, published_round: Round, stranger: User, chief_arbiter: User
) -> None:
    url = reverse("desk", args=[published_round.tournament.slug])
    to_login = client.get(url, {"v": 1}, headers=HTMX)
    assert to_login.headers["HX-Redirect"].startswith(reverse("login"))
    client.force_login(stranger)
    assert client.get(url, {"v": 1}, headers=HTMX).status_code == 403


def test_the_desk_that_refuses_an_undo_polls_its_own_address(
    client: Client, published_round: Round, chief_arbiter: User
) -> None:
    slug = published_round.tournament.slug
    client.force_login(chief_arbiter)
    refused = client.post(reverse("undo", args=[slug]), {"sequence": "1"})
    assert refused.status_code == 409
    assert f'hx-get="{reverse("desk", args=[slug])}?v=' in refused.content.decode()


@pytest.mark.costly
def test_c04_1_2_the_desk_warns_of_more_rounds_than_opponents(
    client: Client, chief_arbiter: User
) -> None:
    """Before round 1 only; with an odd number each player can have a bye as well."""
    client.force_login(chief_arbiter)
    for players, rounds, warns in ((4, 3, False), (4, 4, True), (5, 5, False), (5, 6, True)):
        tournament = factories.make_ready(chief_arbiter, players=players, rounds=rounds)
        for page, warning in (
            (reverse("desk", args=[tournament.slug]), f"Too many rounds for {players} players"),
            (reverse("round", args=[tournament.slug, 1]), "without a second game between"),
        ):
            text = client.get(page).content.decode()
            assert (warning in text) is warns
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    assert (
        "Too many rounds"
        not in client.get(reverse("desk", args=[tournament.slug])).content.decode()
    )


@pytest.mark.costly
def test_a_draft_that_is_out_of_date_is_paired_again(
    client: Client, draft_round: Round, chief_arbiter: User
) -> None:
    """The desk does not send the arbiter to a publication that is refused (UI6)."""
    tournament = draft_round.tournament
    client.force_login(chief_arbiter)
    desk = reverse("desk", args=[tournament.slug])
    assert "Review and publish pairings" in client.get(desk).content.decode()
    entry_withdraw(
        entry_id=factories.entry_of(tournament, 1).pk, actor=chief_arbiter, now=factories.NOW
    )
    page = client.get(desk)
    text = page.content.decode()
    assert ("Review and publish pairings" in text, "This draft is out of date." in text) == (
        False,
        True,
    )
    assert f"Pair round {draft_round.number} again" in text
    assert [step["state"] for step in page.context["steps"]][:2] == ["now", "later"]
    again = reverse("round-pair", args=[tournament.slug, draft_round.number])
    assert f'action="{again}"' in text
    tournament.refresh_from_db()
    assert client.post(again, {"seen_version": tournament.version}).status_code == 302
    assert "Review and publish pairings" in client.get(desk).content.decode()


def test_showing_the_tournament_in_the_list_stays_on_the_desk(
    client: Client, ready: Tournament, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    desk, manage = (reverse(name, args=[ready.slug]) for name in ("desk", "tournament-manage"))
    text = client.get(desk).content.decode()
    form = text[text.index(f'action="{manage}"') :].partition("</form>")[0]
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    answer = client.post(manage, sent)
    assert (answer.status_code, answer.headers["Location"]) == (302, desk)
    ready.refresh_from_db()
    assert ready.listed
    sent = {"do": "unlist", "seen_version": str(ready.version)}
    assert client.post(manage, sent).headers["Location"] == manage
