"""The answer to a search is made of parts, and is byte for byte the page rendered for it."""

from __future__ import annotations

from itertools import product
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from pytest_django import DjangoAssertNumQueries

from tests.tournaments import factories
from tests.tournaments.double_swiss.matches import DOUBLE_SWISS, play
from tests.tournaments.web.test_every_public_page import HTMX
from tournaments.core.frame import tournament_frame
from tournaments.entries.entries import entry_update, entry_withdraw
from tournaments.models import Tournament
from tournaments.web.public_page import rendered

HOSTILE = ["o'b", 'q="x', "<b>&amp;", "50%", "a+b", "a/b", "é ü", "%3D", "q=1", "\0boards\0", "a, b", "#1?v=2"]


def played(chief: User, **settings: object) -> Tournament:
    """Round 1 with results, round 2 in play; an odd number of players, one of them gone, two with one name."""
    tournament = factories.make_ready(chief, players=9, explanations_public=True, **settings)
    tournament.entries.filter(tpn__in=(5, 9)).update(name="Ng, Xu")
    if tournament.system == DOUBLE_SWISS:
        play(tournament, 1, chief)
    else:
        factories.play_rounds(tournament, [1], chief)
    by = {"actor": chief, "now": factories.NOW}
    marks = 'O\'Brien-Łuk & <Søn>, "Åsa"'
    entry_update(entry_id=factories.entry_of(tournament, 3).pk, name=marks, reason="a typing error", **by)
    entry_update(entry_id=factories.entry_of(tournament, 4).pk, initials=True, **by)
    entry_withdraw(entry_id=factories.entry_of(tournament, 8).pk, **by)
    factories.pair_and_publish(tournament, 2, chief)
    tournament.refresh_from_db()
    return tournament


def addresses(tournament: Tournament) -> list[str]:
    slug = tournament.slug
    found = [reverse("pairings-public", args=[slug, number]) for number in (1, 2)]
    found += [reverse(name, args=[slug]) for name in ("standings", "players", "me")]
    return [*found, f"{found[0]}?order=name", f"{found[1]}?order=name", f"{reverse('players', args=[slug])}?order=name"]


def as_rendered(tournament: Tournament, address: str, language: str) -> list[bytes]:
    """Return the page at *address*, and its part, as the template makes them."""
    frame = tournament_frame(tournament, runs=False, now=timezone.now())
    with translation.override(language):
        return [answer.content for answer in rendered(frame, address)[1]]


@pytest.mark.parametrize("settings", [{}, {"system": DOUBLE_SWISS}, {"acceleration": "baku"}])
def test_an_answer_is_the_page_rendered_for_it(
    settings: dict[str, object], client: Client, chief_arbiter: User
) -> None:
    tournament = played(chief_arbiter, **settings)
    names = [entry.name.split(",")[0].lower() for entry in tournament.entries.all()]
    searches = [*names[1:4], "player", "7", "asa", "ng", "nobody at all"]
    for turn, (address, language) in enumerate(product(addresses(tournament)[: 2 if settings else None], ("en", "fr"))):
        path, _, order = address.partition("?")
        # Backwards, other lists of the page that is kept are filled first.
        for search in [*searches, HOSTILE[turn % len(HOSTILE)]] if language == "en" else reversed(searches[1:4]):
            asked = f"{path}?{urlencode({'q': search})}{'&' + order if order else ''}"
            expected = as_rendered(tournament, asked, language)
            headers = {"Accept-Language": language}
            assert client.get(asked, headers=headers).content == expected[0], asked
            if len(expected) > 1:
                assert client.get(asked, headers=headers | HTMX).content == expected[1], asked


def test_a_new_name_is_found_without_rendering(
    client: Client, chief_arbiter: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament = played(chief_arbiter)
    for address in addresses(tournament):
        path, _, order = address.partition("?")
        more = {"order": "name"} if order else {}
        assert client.get(path, more | {"q": "player 1"}).status_code == 200
        with django_assert_num_queries(2):  # the state, asked by the front and by the page
            answer = client.get(path, more | {"q": "player 2"})
        assert "Player 2" in answer.content.decode()
        assert {template.name for template in answer.templates} <= LINES, address


LINES = {
    "rounds/_game_date.html",
}  # fmt: skip
"""What is rendered once for each line."""


def test_nothing_of_one_search_is_in_the_next_answer(client: Client, chief_arbiter: User) -> None:
    url = reverse("pairings-public", args=[played(chief_arbiter).slug, 2])
    client.get(url, {"q": "player planted"})
    assert "planted" not in client.get(url, {"q": "player other"}).content.decode()


def test_a_new_state_is_found_at_once(client: Client, chief_arbiter: User) -> None:
    tournament = played(chief_arbiter)
    url = reverse("players", args=[tournament.slug])
    assert "withdrawn" not in client.get(url, {"q": "player 2"}).content.decode()
    entry_withdraw(entry_id=factories.entry_of(tournament, 2).pk, actor=chief_arbiter, now=factories.NOW)
    assert "withdrawn" in client.get(url, {"q": "player 2"}).content.decode()


def test_a_list_in_parts_is_rendered(client: Client, chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=202)
    url = reverse("players", args=[tournament.slug])
    for query in ({"q": "player"}, {"q": "player", "page": "2"}, {"q": "player", "page": "2", "order": "name"}):
        for _ in range(2):
            assert client.get(url, query).content == as_rendered(tournament, f"{url}?{urlencode(query)}", "en")[0]
    assert client.get(url, {"q": "player 1", "page": "2"}).status_code == 404
