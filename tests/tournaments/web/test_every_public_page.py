"""Request every public page as browsers and phones do:
whole, in part, after news, with a search, from a link.
"""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.publish import results_publish
from tests.conftest import forget_pages
from tests.tournaments import factories
from tests.tournaments.markup import tidy
from tests.tournaments.web.test_access_pages import EVERYBODY, WITHOUT_A_TOURNAMENT
from tournaments.core.frame import state_key
from tournaments.models import PublishedList, Tournament

HTMX = {"HX-Request": "true"}
OPEN_PAGES: dict[str, list[int | str]] = {
    "tournament": [],
    "players": [],
    "pairings-public": [2],
    "standings": [],
    "standings-after": [1],
    "player-standing": [1, "player 1"],
    "player-page": ["player 1"],
    "live-results": [],
}
"""The pages that update themselves, with the values in their addresses:
numbers, and the id of player 1.
"""
OTHER_PAGES: dict[str, list[int | str]] = {
    "me": [],
    "follow": [],
    "feed": [],
    "embedded": ["standings"],
    "names": [],
    "offline": [],
    "manifest": [],
    "record": [],
    "against-engine": [],
    "crosstable": [],
    "crosstable-picture": [],
    "progress": [],
    "forecast": [],
    "progress-picture": [],
    "performance-picture": ["player 1"],
    "prizes": [],
    "trf-export": [],
    "fingerprints": [],
    "record-file": [],
    "published-lists": [],
    "why-public": [2],
    "round-codes": [2],
    "published-list": ["list"],
    "open-games": [],
    "games-calendar": [],
    "rounds-calendar": [],
    "player-calendar": ["player 1"],
    "certificate": ["player 1"],
    "player-groups": [],
}
NAMING = OPEN_PAGES.keys() - {"tournament"}
"""The parts that name a player."""
QUERIES: list[dict[str, str]] = [
    {},
    {"v": "0"},
    {"v": "12.5"},
    {"q": "abara"},
    {"q": "nobody at all"},
    {"fbclid": "1"},
    {"v": "0", "q": "abara", "order": "name", "page": "1", "fbclid": "1", "utm_source": "poster"},
    {"order": "1", "page": "no", "q": "\x00"},
]


@pytest.fixture
@factories.cached
def on_site(chief_arbiter: User) -> Tournament:
    """Round 1 played, round 2 published; beside it an event with the same numbers that is over."""
    neighbour = factories.make_ready(chief_arbiter, players=4, rounds=2, name="Beside")
    factories.play_rounds(neighbour, [1, 2], chief_arbiter, factories.white_wins)
    tournament = factories.make_ready(
        chief_arbiter, players=5, correction_minutes=30, entered_results="all"
    )
    factories.play_rounds(tournament, [1], chief_arbiter)
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    tournament.refresh_from_db()
    return tournament


def address(tournament: Tournament, name: str, numbers: list[int | str]) -> str:
    keys = {"player 1": factories.entry_of(tournament, 1).pk, "list": _first_list(tournament)}
    return reverse(
        name, args=[tournament.slug, *(keys.get(str(number), number) for number in numbers)]
    )


def _first_list(tournament: Tournament) -> int:
    return PublishedList.objects.filter(tournament=tournament).earliest("pk").pk


def test_no_public_page_is_forgotten() -> None:
    # The form of a registration is made for each visitor: tests/tournaments/events/registration.
    here = OPEN_PAGES.keys() | OTHER_PAGES.keys() | WITHOUT_A_TOURNAMENT | {"register"}
    assert here == EVERYBODY, (
        "Add the page to OPEN_PAGES in this file if it updates itself, and take it out of NAMING "
        "if it names no player; add it to OTHER_PAGES if it does not update itself."
    )


@pytest.mark.costly
@pytest.mark.parametrize(
    "who",
    [
        pytest.param("visitor", marks=pytest.mark.on_postgres("a NUL in a search")),
        "stranger",
        "chief_arbiter",
    ],
)
def test_every_public_page_answers_however_it_is_requested(
    who: str, on_site: Tournament, request: pytest.FixtureRequest
) -> None:
    client = Client(raise_request_exception=False)
    if who != "visitor":
        client.force_login(request.getfixturevalue(who))
    for name, numbers in (OPEN_PAGES | OTHER_PAGES).items():
        url = address(on_site, name, numbers)
        # What differs between readers does not depend on the query. Pages that are always whole
        # read no ``v``; those that search or have more than one page do so with the last two
        # queries.
        queries = QUERIES if name in OPEN_PAGES else [QUERIES[0], *QUERIES[-2:]]
        for query in queries if who == "visitor" else queries[:2]:
            where = (name, query)
            whole = client.get(url, query)
            part = client.get(url, query, headers=HTMX)
            boosted = client.get(url, query, headers=HTMX | {"HX-Boosted": "true"})
            assert (whole.status_code, part.status_code, boosted.status_code) == (200, 200, 200), (
                where
            )
            if name not in OPEN_PAGES:
                assert part.content, where
                continue
            for page in (whole, boosted):
                assert page.content.lstrip().startswith(b"<!DOCTYPE html>"), where
                assert page.content.count(b'id="live"') == 1, where
                assert b"hx-swap-oob" not in page.content, where
            text = part.content.decode()
            assert text.lstrip().startswith('<div id="live"'), where
            assert f'hx-get="{url}?v=' in text, where
            if name in NAMING and query.get("q", "abara") == "abara":
                assert "Abara, Player 1" in text, where


@pytest.mark.costly
def test_a_part_equals_the_same_part_of_the_page(on_site: Tournament, client: Client) -> None:
    """A part must not depend on the rest of the page."""
    for name, numbers in OPEN_PAGES.items():
        url = address(on_site, name, numbers)
        whole = tidy(client.get(url).content.decode())
        part = tidy(client.get(url, {"v": "0"}, headers=HTMX).content.decode())
        around = re.findall(r'<(?:nav|div) id="([a-z-]+)"[^>]* hx-swap-oob="true"', part)
        assert "event-tabs" in around, name
        live, *rest = re.split(
            r'\s*<(?=(?:nav|div) id="[a-z-]+"[^>]* hx-swap-oob="true")', part.strip()
        )
        assert live in whole, name
        for place, text in zip(around, rest, strict=True):
            assert whole.count(f'id="{place}"') == 1, (name, place)
            assert text.replace(' hx-swap-oob="true"', " ").strip() in whole, (name, place)


@pytest.mark.costly
def test_the_order_in_which_pages_are_opened_changes_no_page(
    on_site: Tournament, client: Client
) -> None:
    """The first page of a state renders what all its pages have in common."""
    pages = [
        (address(on_site, name, numbers), {"Accept-Language": language} | htmx)
        for name, numbers in (OPEN_PAGES | OTHER_PAGES).items()
        for language in ("en", "fr")
        for htmx in ({}, HTMX)
    ]

    def opened(pages: list[tuple[str, dict[str, str]]]) -> dict[str, bytes]:
        forget_pages()
        return {f"{url} {how}": client.get(url, headers=how).content for url, how in pages}

    assert opened(pages) == opened(pages[::-1])


@pytest.mark.costly
def test_a_phone_with_an_old_version_gets_the_newest_part_and_one_with_the_newest_nothing(
    on_site: Tournament, client: Client, chief_arbiter: User
) -> None:
    old = state_key(on_site, runs=False)
    factories.enter_results(on_site, 2, chief_arbiter)
    results_publish(
        round_id=factories.round_of(on_site, 2).pk, actor=chief_arbiter, now=factories.NOW
    )
    on_site.refresh_from_db()
    new = state_key(on_site, runs=False)
    for name, numbers in (OPEN_PAGES | OTHER_PAGES).items():
        url = address(on_site, name, numbers)
        part = client.get(url, {"v": old}, headers=HTMX)
        again = client.get(url, {"v": old, "b": "0"})  # a link from a page of the old version
        assert (part.status_code, again.status_code) == (200, 200), name
        for answer in (part, again):
            assert "31536000" not in answer.get("Cache-Control", ""), name
            assert old not in answer.content.decode("latin-1"), name
        if name not in OPEN_PAGES:
            continue
        assert f'data-key="{new}"' in part.content.decode(), name
        if name == "live-results":  # its version has the entered results too
            newest = client.get(
                re.findall(r'hx-get="([^"]+)"', part.content.decode())[0], headers=HTMX
            )
        else:
            newest = client.get(url, {"v": new}, headers=HTMX)
        assert (newest.status_code, newest.content) == (204, b""), name
        assert "no-store" in newest["Cache-Control"], name


@pytest.mark.costly
def test_an_invalid_number_is_not_found(on_site: Tournament) -> None:
    client = Client(raise_request_exception=False)
    addresses = [
        "pairings/{}/",
        "standings/{}/",
        "player/{}/",
        "player/{}/performance.svg",
        "standings/1/player/{}/",
    ]
    addresses.append("standings/{}/player/1/")
    for number in ("99", "9" * 20, "9" * 5000):
        for path in addresses:
            for headers in ({}, HTMX):
                response = client.get(f"/t/{on_site.slug}/{path.format(number)}", headers=headers)
                assert response.status_code == 404, (path, number[:30])
