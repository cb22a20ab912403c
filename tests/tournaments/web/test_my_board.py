"""My board: one page for everybody, an index of names, and links from every name to its page."""

from __future__ import annotations

import gzip
import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils.timezone import localtime

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from tests.tournaments import factories
from tests.tournaments.markup import tidy
from tournaments.entries.entries import entry_add, entry_withdraw
from tournaments.events.sections import event_create
from tournaments.models import Tournament
from tournaments.setup.schedule import round_schedule
from tournaments.setup.tournaments import tournament_update
from tournaments.web.templatetags.numbers import moment


def test_the_index_has_every_numbered_player_in_the_order_of_names(
    ready: Tournament, client: Client
) -> None:
    ready.entries.filter(tpn=2).update(name="Ångström, Åsa")
    rows = client.get(reverse("names", args=[ready.slug])).json()
    assert {(pk, tpn, name) for pk, tpn, name in rows} == set(
        ready.entries.values_list("pk", "tpn", "name")
    )
    assert [name for _, _, name in rows][:2] == ["Abara, Player 1", "Ångström, Åsa"]


def test_players_with_equal_names_are_told_apart(ready: Tournament, client: Client) -> None:
    two = ready.entries.filter(tpn__in=(2, 3))
    two.update(name="Müller, Jürgen", federation="GER", club="Altona")
    ready.entries.filter(tpn=3).update(name="MULLER, Jurgen", rating=0, club="")
    index = client.get(reverse("names", args=[ready.slug])).json()
    rating = ready.entries.get(tpn=2).rating
    assert {number: rest for _, number, _, *rest in index if rest} == {
        2: [[rating, "GER", "Altona"]],
        3: [[0, "GER", ""]],
    }
    page = tidy(client.get(reverse("me", args=[ready.slug]), {"q": "muller"}).content.decode())
    assert f'rating {rating} ·<img class="flag"' in page
    assert ">GER · Altona" in page


def test_the_index_is_empty_before_the_numbers(
    tournament: Tournament, client: Client, chief_arbiter: User
) -> None:
    entry_add(
        tournament_id=tournament.pk, actor=chief_arbiter, now=factories.NOW, name="Early, Bird"
    )
    assert client.get(reverse("names", args=[tournament.slug])).json() == []
    assert client.get(reverse("me", args=[tournament.slug]), {"q": "early"}).context["lines"] == []


@pytest.mark.costly
def test_the_index_of_300_players_is_small(chief_arbiter: User, client: Client) -> None:
    tournament = factories.make_ready(chief_arbiter, players=300)
    packed = client.get(
        reverse("names", args=[tournament.slug]), headers={"Accept-Encoding": "gzip"}
    )
    assert len(gzip.decompress(packed.content)) < 12_000
    assert len(packed.content) < 4_000


def test_without_scripts_a_search_lists_the_pages_of_players(
    ready: Tournament, client: Client
) -> None:
    page = client.get(reverse("me", args=[ready.slug]), {"q": "ABARA"}).content.decode()
    assert f'href="{factories.player_address(ready, 1)}"' in page
    assert (
        "No player matches your search."
        in client.get(reverse("me", args=[ready.slug]), {"q": "zz"}).content.decode()
    )


@pytest.mark.costly
def test_every_search_finds_names_with_hyphens_and_apostrophes(
    ready: Tournament, chief_arbiter: User
) -> None:
    ready.entries.filter(tpn=2).update(name="O’Brien-D'Angelo, Mary-Ann")
    factories.play_rounds(ready, [1], chief_arbiter)
    lists = [reverse(name, args=[ready.slug]) for name in ("me", "players", "standings")]
    lists += [reverse("pairings-public", args=[ready.slug, 1])]
    link = f'href="{factories.player_address(ready, 2)}"'
    found = {
        (words, address): link in Client().get(address, {"q": words}).content.decode()
        for words in (
            "mary-ann",
            "O'Brien-D’Angelo",
            "obrien",
            "dangelo ma",
            "brien",
            "'",
            "-",
            "ary",
            "obrien-x",
        )
        for address in lists
    }
    wrong = ("'", "-", "ary", "obrien-x")
    assert found == {(words, address): words not in wrong for words, address in found}


@pytest.mark.costly
def test_every_search_finds_both_spellings_of_an_umlaut(
    ready: Tournament, chief_arbiter: User
) -> None:
    ready.entries.filter(tpn=2).update(name="Müller\N{HEBREW PUNCTUATION MAQAF}Weiß, Jörg")
    factories.play_rounds(ready, [1], chief_arbiter)
    event = event_create(
        tournament_id=ready.pk, name="City Open", label="A", actor=chief_arbiter, now=factories.NOW
    )
    lists = [reverse(name, args=[ready.slug]) for name in ("me", "players", "standings")]
    lists += [reverse("pairings-public", args=[ready.slug, 1]), reverse("event", args=[event.slug])]
    link = f'href="{factories.player_address(ready, 2)}"'
    found = {
        (words, address): link in Client().get(address, {"q": words}).content.decode()
        for words in ("mueller", "muller", "müller-weiss", "joerg", "maler")
        for address in lists
    }
    assert found == {(words, address): words != "maler" for words, address in found}


@pytest.mark.costly
def test_the_page_of_a_player_has_the_time_and_the_explanation(
    ready: Tournament, chief_arbiter: User
) -> None:
    at = factories.NOW + timedelta(hours=1)
    first = factories.round_of(ready, 1)
    round_schedule(
        round_id=first.pk, actor=chief_arbiter, now=factories.NOW, starts_at=at, results_due_at=None
    )
    factories.pair_and_publish(ready, 1, chief_arbiter)
    url = factories.player_address(ready, 1)
    why = f'{reverse("why-public", args=[ready.slug, 1])}?player=1"'
    before = tidy(Client().get(url).content.decode())
    assert "play begins" in before
    shown = "explanations_public"
    for wanted in (True, False):
        tournament_update(
            tournament_id=ready.pk, actor=chief_arbiter, now=factories.NOW, **{shown: wanted}
        )
        assert (why in Client().get(url).content.decode()) is wanted


@pytest.mark.costly
def test_my_board_says_when_the_next_round_begins(ready: Tournament, chief_arbiter: User) -> None:
    by: dict[str, Any] = {"actor": chief_arbiter, "now": factories.NOW}
    for number in (1, 2):
        at = factories.NOW + timedelta(days=number)
        row = factories.round_of(ready, number)
        round_schedule(round_id=row.pk, starts_at=at, results_due_at=None, **by)
    mine, other = factories.player_address(ready, 1), factories.player_address(ready, 2)

    def shown(address: str) -> str:
        page = Client().get(address).content.decode()
        return tidy(
            " ".join(re.findall(r'<section class="panel my-board.*?</section>', page, re.DOTALL))
        )

    before = shown(mine)
    assert "Round 1" in before
    assert f"play begins {moment(localtime(factories.NOW + timedelta(days=1)))}" in before
    row = round_pair(round_id=factories.round_of(ready, 1).pk, **by)
    assert shown(mine) == before  # a draft
    round_publish(round_id=row.pk, **by)
    assert "against" in shown(mine)
    factories.enter_results(ready, 1, chief_arbiter)
    results_publish(round_id=row.pk, **by)
    entry_withdraw(entry_id=factories.entry_of(ready, 2).pk, **by)
    assert f"play begins {moment(localtime(factories.NOW + timedelta(days=2)))}" in shown(mine)
    assert "Round 2" in shown(mine)
    assert shown(other) == ""


def test_the_page_names_an_index_that_a_phone_may_keep(ready: Tournament, client: Client) -> None:
    page = client.get(reverse("me", args=[ready.slug])).content.decode()
    found = re.search(r'data-names="([^"]*)"', page)
    assert found
    assert (
        client.get(html.unescape(found[1])).headers["Cache-Control"]
        == "public, max-age=31536000, immutable"
    )


@pytest.mark.costly
def test_names_lead_to_the_pages_of_players(
    ready: Tournament, chief_arbiter: User, client: Client
) -> None:
    factories.play_rounds(ready, [1], chief_arbiter)
    factories.pair_and_publish(ready, 2, chief_arbiter)
    pages = ["players", "standings", "crosstable"]
    addresses = [reverse(name, args=[ready.slug]) for name in pages]
    pairings = reverse("pairings-public", args=[ready.slug, 2])
    players = ready.entries.count()
    for address in (*addresses, pairings, f"{pairings}?order=name"):
        text = client.get(address).content.decode()
        for tpn in range(1, players + 1):
            assert f'href="{factories.player_address(ready, tpn)}"' in text, (address, tpn)


def test_without_scripts_a_search_before_the_numbers_says_so(
    tournament: Tournament, client: Client, chief_arbiter: User
) -> None:
    entry_add(
        tournament_id=tournament.pk, actor=chief_arbiter, now=factories.NOW, name="Early, Bird"
    )
    assert "Early, Bird" in client.get(reverse("players", args=[tournament.slug])).content.decode()
    for words in ("early", "zz"):
        page = client.get(reverse("me", args=[tournament.slug]), {"q": words}).content.decode()
        assert "Pairing numbers are not assigned yet." in status_of(page)
        assert "No player matches" not in page.split('id="me-status"')[1]


def test_a_player_entered_after_the_numbers_is_not_denied(
    ready: Tournament, chief_arbiter: User
) -> None:
    me = reverse("me", args=[ready.slug])
    assert (
        status_of(Client().get(me, {"q": "lara"}).content.decode())
        == "No player matches your search."
    )
    entry_add(tournament_id=ready.pk, actor=chief_arbiter, now=factories.NOW, name="Late, Lara")
    message = status_of(Client().get(me, {"q": "lara"}).content.decode())
    assert message == "No player with a pairing number matches your search."


def status_of(page: str) -> str:
    found = re.search(r'<p id="me-status"[^>]*>(.*?)</p>', tidy(page))
    assert found is not None
    return found[1].strip()


@pytest.mark.costly
def test_without_scripts_a_search_says_how_many_players_it_finds(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=30)
    me = reverse("me", args=[tournament.slug])
    words = ("player", "player 11", "player 1", "zz", "player")
    lines = [status_of(Client().get(me, {"q": each}).content.decode()) for each in words]
    assert lines == [
        "20 of 30 players: type more letters",
        "1 player",
        "11 players",
        "No player matches your search.",
        lines[0],
    ]
