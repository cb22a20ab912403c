"""The public pages of a large event: parts with an index, none of them too large for a phone."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.tournaments.factories import NOW, entry_of
from tests.tournaments.large import make_large
from tests.tournaments.web.test_every_public_page import OPEN_PAGES, OTHER_PAGES
from tournaments.models import Game, GameResult, Tournament

pytestmark = pytest.mark.django_db

PLAYERS = 410
MOST = 3_000, 60_000
"""The most elements of a page, and bytes with gzip."""
WHOLE = {"published-list"}
"""Public pages of which nothing is in parts: a list as it was published."""


@pytest.fixture
def large(chief_arbiter: User) -> Tournament:
    return make_large(chief_arbiter, players=PLAYERS, rounds=7, played=6)


def addresses(tournament: Tournament) -> dict[str, str]:
    """Return the public lists of *tournament*, by name;
    each with a question mark and perhaps a parameter.
    """
    slug = tournament.slug
    return {
        "players": reverse("players", args=[slug]) + "?",
        "players by name": reverse("players", args=[slug]) + "?order=name",
        "by board": reverse("pairings-public", args=[slug, 7]) + "?",
        "by name": reverse("pairings-public", args=[slug, 7]) + "?order=name",
        "standings": reverse("standings", args=[slug]) + "?",
        "crosstable": reverse("crosstable", args=[slug]) + "?",
        "by number": reverse("crosstable", args=[slug]) + "?order=tpn",
    }


def pages(client: Client, address: str) -> Iterator[str]:
    """Yield every page of a list, as its links name them."""
    number = 1
    while True:
        text = client.get(f"{address}&page={number}").content.decode()
        yield text
        number += 1
        if f"page={number}" not in text:
            return


def size_of(text: str) -> tuple[int, int]:
    """Return the number of elements, and the bytes with gzip."""
    return len(re.findall(r"<[a-z]", text)), len(gzip.compress(text.encode(), 6))


def names(text: str) -> list[int]:
    """Return the numbers in the names of the players of a list, in its order."""
    return [int(number) for number in re.findall(r"Given (\d+)\s*<", text[text.index("<tbody") :])]


@pytest.mark.costly
def test_every_player_is_in_one_part_and_no_part_is_too_large(
    large: Tournament, client: Client
) -> None:
    """No page has 3,000 elements or 60 kB."""
    too_large = {}
    for name, address in addresses(large).items():
        seen: list[int] = []
        for number, text in enumerate(pages(client, address), start=1):
            seen += names(text)
            size = size_of(text)
            if size[0] >= MOST[0] or size[1] >= MOST[1]:
                too_large[name, number] = size
        assert number > 1, name
        assert set(seen) == set(range(1, PLAYERS + 1)), name
        if name != "by name":  # There each player is also an opponent.
            assert len(seen) == PLAYERS, name
    assert too_large == {}


@pytest.mark.costly
def test_no_public_page_is_too_large(chief_arbiter: User, client: Client) -> None:
    """First pages, and the parts for open pages: with many players, and with many rounds."""
    too_large = {}
    for players, rounds in ((5_000, 3), (400, 30)):
        tournament = make_large(chief_arbiter, players=players, rounds=rounds, played=rounds - 1)
        Tournament.objects.filter(pk=tournament.pk).update(explanations_public=True)
        games = Game.objects.filter(round__tournament=tournament)
        games.filter(round__number=1).update(starts_at=NOW, result=GameResult.ADJOURNED)
        games.filter(round__number=rounds, board__lte=5).update(starts_at=NOW)
        numbers: dict[object, object] = {1: rounds - 1, 2: rounds, "standings": "standings"}
        numbers["player 1"] = entry_of(tournament, 1).pk
        for name, values in (OPEN_PAGES | OTHER_PAGES).items():
            if name in WHOLE:
                continue
            address = reverse(name, args=[tournament.slug, *(numbers[value] for value in values)])
            for headers in ({}, {"HX-Request": "true"}):
                answer = client.get(address, headers=headers)
                if not answer.headers["Content-Type"].startswith("text/html"):  # a file
                    continue
                size = size_of(answer.content.decode())
                if size[0] >= MOST[0] or size[1] >= MOST[1]:
                    too_large[name, players, bool(headers)] = size
    assert too_large == {}


@pytest.mark.costly
def test_the_progress_of_many_rounds_has_parts_of_whole_rounds(
    chief_arbiter: User, client: Client
) -> None:
    long = make_large(chief_arbiter, players=400, rounds=30, played=29)
    slug, address = long.slug, reverse("progress", args=[long.slug])
    titles = {}
    for number, text in enumerate(pages(client, f"{address}?"), start=1):
        assert size_of(text)[0] < MOST[0], number
        flows = [int(found) for found in re.findall(r"<title>\s*Round (\d+): ", text)]
        rounds = sorted(set(flows))
        assert re.search(rf'aria-current="page">\s*Rounds {rounds[0]}–{rounds[-1]}\s*</a>', text)
        heads = re.findall(r"after (\d+)|start", text[text.index("<thead") :])
        assert heads == [str(rounds[0] - 1) if number > 1 else "", *map(str, rounds)]
        assert (
            f'href="{reverse("progress-picture", args=[slug])}{f"?page={number}" if number > 1 else ""}"'
            in text
        )
        titles[number] = flows
    assert len(titles) > 1
    whole = client.get(address, {"page": "all"}).content.decode()
    together = [flow for flows in titles.values() for flow in flows]
    assert together == [int(found) for found in re.findall(r"<title>\s*Round (\d+): ", whole)]
    assert sorted(set(together)) == list(range(1, 30))
    for query, name in {
        "": "-progress-1",
        "?page=2": "-progress-2",
        "?page=all": "-progress",
    }.items():
        picture = client.get(reverse("progress-picture", args=[slug]) + query)
        assert picture.headers["Content-Disposition"] == f'attachment; filename="{slug}{name}.svg"'
    assert client.get(address, {"page": "99"}).status_code == 404


@pytest.mark.costly
def test_the_whole_list_can_be_printed(large: Tournament, client: Client) -> None:
    for address in (
        reverse("standings", args=[large.slug]),
        reverse("pairings-public", args=[large.slug, 7]),
    ):
        assert len(names(client.get(address, {"page": "all"}).content.decode())) == PLAYERS


@pytest.mark.costly
def test_the_index_leads_to_a_row(large: Tournament, client: Client) -> None:
    for name in ("players", "players by name", "by name", "by board", "standings"):
        first = client.get(addresses(large)[name]).content.decode()
        index = first[first.index('aria-label="Index"') :]
        links = re.findall(
            r'<a href="(/[^"#]*)#([^"]+)">([^<]+)</a>', index[: index.index("</nav>")]
        )
        assert len(links) > 5, name
        shown: dict[str, str] = {}
        for address, anchor, label in links:
            if address not in shown:
                shown[address] = client.get(address.replace("&amp;", "&")).content.decode()
            assert f'id="{anchor}"' in shown[address], (name, label)


@pytest.mark.costly
def test_a_search_has_parts_too_and_keeps_its_words(large: Tournament, client: Client) -> None:
    address = reverse("standings", args=[large.slug]) + "?q=given"
    first = client.get(address).content.decode()
    assert "?q=given&amp;page=2" in first
    assert len(list(pages(client, address))) == 3


def test_a_part_that_does_not_exist_is_not_found(large: Tournament, client: Client) -> None:
    address, expected = (
        reverse("players", args=[large.slug]),
        "The list may have fewer parts than the address asks for.",
    )
    for page in ("4", "99"):
        answer = client.get(address, {"page": page})
        assert answer.status_code == 404
        assert expected in answer.content.decode()
    assert expected not in client.get(f"{address}none/").content.decode()


@pytest.mark.costly
def test_an_event_of_200_has_no_parts(client: Client, chief_arbiter: User) -> None:
    small = make_large(chief_arbiter, players=200, rounds=7, played=6)
    for name, address in addresses(small).items():
        page = client.get(address).content.decode()
        # With the figures of FIDE a list of more than 140 lines would have 3,000 elements.
        has_parts = name == "standings"
        assert ("Parts of the list" in page) == has_parts, name
        assert not has_parts or size_of(page)[0] < MOST[0]


@pytest.mark.costly
def test_the_field_is_read_and_ranked_once_for_all_pages_of_a_version(
    large: Tournament, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.get(reverse("standings", args=[large.slug]))
    for address in (
        reverse("standings", args=[large.slug]) + "?page=2",
        reverse("api:standings", args=[large.slug]),
    ):
        with CaptureQueriesContext(connection) as queries:
            client.get(address)
        assert not [query for query in queries if 'FROM "tournaments_seat"' in query["sql"]]
    entry = large.entries.get(tpn=7)
    other = large.entries.get(tpn=8)  # Its page computes once what the last round can bring.
    client.get(reverse("player-page", args=[large.slug, other.pk]))
    with (
        monkeypatch.context() as patch
    ):  # the rank is in the store, and nobody else's rounds are read
        patch.setattr("tournaments.standings.ranked_field.players_after", None)
        assert client.get(reverse("player-page", args=[large.slug, entry.pk])).status_code == 200
