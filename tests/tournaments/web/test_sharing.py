"""What a shared link shows, and what search engines may list."""

from __future__ import annotations

import html
import re
import struct
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.conftest import forget_pages
from tests.tournaments import factories
from tournaments.events.sections import event_create
from tournaments.models import Entry, Round, Tournament
from tournaments.setup.visibility import tournament_list_set
from tournaments.web.offline import short_name

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(chief_arbiter: User) -> Tournament:
    tournament = factories.make_ready(
        chief_arbiter, players=4, city="Strasbourg", federation="FRA", name='Open "A"'
    )
    factories.play_rounds(tournament, [1], chief_arbiter)
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    return tournament


def metas(client: Client, address: str) -> dict[str, str]:
    """Return the descriptions of a page, as another program reads them."""
    text = client.get(address, headers={"Host": "chess.example"}).content.decode()
    found = re.findall(r'<meta (?:name|property)="([^"]+)"\s+content="([^"]*)"', text)
    return {name: " ".join(html.unescape(content).split()) for name, content in found}


@pytest.fixture
def _reachable(settings: object) -> None:
    settings.ALLOWED_HOSTS = ["chess.example"]  # type: ignore[attr-defined]


@pytest.mark.usefixtures("_reachable")
def test_a_link_shows_page_tournament_place_and_state(played: Tournament, client: Client) -> None:
    found = metas(client, reverse("standings", args=[played.slug]))
    assert found["og:title"] == 'Standings · Open "A"'
    assert found["og:description"] == found["description"]
    for words in ("Strasbourg (FRA)", "Pairings of round 2", "Standings after round 1"):
        assert words in found["description"]
    assert re.fullmatch(r"http://chess\.example/static/img/preview.*\.png", found["og:image"])


@pytest.mark.usefixtures("_reachable")
def test_a_link_to_a_player_shows_board_and_rank(played: Tournament, client: Client) -> None:
    player, opponent = (factories.entry_of(played, tpn) for tpn in (1, 2))
    found = metas(client, reverse("player-page", args=[played.slug, player.pk]))
    assert found["og:title"].startswith(player.name)
    assert found["og:description"] == found["description"]
    assert re.search(r"Round 2: board \d, (White|Black), against ", found["description"])
    assert re.search(r"Rank \d of 4 after round 1, points: 1$", found["description"])
    assert opponent.name not in found["og:title"]


@pytest.mark.costly
@pytest.mark.usefixtures("_reachable")
def test_search_engines_leave_out_what_is_not_in_the_public_list(
    played: Tournament, client: Client, chief_arbiter: User
) -> None:
    addresses = [
        reverse(name, args=[played.slug])
        for name in ("tournament", "players", "standings", "crosstable")
    ]
    for address in addresses:
        assert metas(client, address)["robots"] == "noindex", address
    tournament_list_set(
        tournament_id=played.pk, actor=chief_arbiter, now=factories.NOW, listed=True
    )
    for address in addresses:
        assert "robots" not in metas(client, address), address
    assert "robots" not in metas(client, "/")


def test_an_event_is_found_if_a_section_is_in_the_public_list(
    played: Tournament, client: Client, chief_arbiter: User
) -> None:
    event = event_create(
        tournament_id=played.pk, actor=chief_arbiter, now=factories.NOW, name="Festival", label="A"
    )
    address = reverse("event", args=[event.slug])
    assert 'content="noindex"' in client.get(address).content.decode()
    tournament_list_set(
        tournament_id=played.pk, actor=chief_arbiter, now=factories.NOW, listed=True
    )
    assert 'content="noindex"' not in client.get(address).content.decode()


@pytest.mark.costly
def test_search_engines_leave_out_files(played: Tournament, client: Client) -> None:
    for name in (
        "trf-export",
        "progress-picture",
        "rounds-calendar",
        "api:standings",
        "api:standings-csv",
    ):
        assert client.get(reverse(name, args=[played.slug])).headers["X-Robots-Tag"] == "noindex", (
            name
        )
    assert "X-Robots-Tag" not in client.get(reverse("tournament", args=[played.slug])).headers


@pytest.mark.costly
def test_the_calendar_of_the_rounds_has_their_starts(played: Tournament, client: Client) -> None:
    Round.objects.filter(tournament=played, number=3).update(
        starts_at=factories.NOW + timedelta(hours=5)
    )
    lines = (
        client.get(reverse("rounds-calendar", args=[played.slug])).content.decode().split("\r\n")
    )
    assert [line for line in lines if line.startswith("DTSTART")] == ["DTSTART:20261121T140000Z"]
    assert 'SUMMARY:Open "A"\\, round 3' in lines
    assert f"UID:{played.identity}-round-3@swiss-arbiter" in lines


def test_my_board_is_shared_as_the_page_of_the_player(played: Tournament, client: Client) -> None:
    """static/js/me.js sets the address, which browsers share instead of that of the page."""
    page = client.get(reverse("me", args=[played.slug])).content.decode()
    assert page.count('<link rel="canonical" id="me-shared"') == 1


@pytest.mark.parametrize(
    "name, short",
    [
        ("Autumn Open", "Autumn Open"),
        ("Autumn Open 2026", "Autumn Open"),
        ("Stadtmeisterschaft Kuppenheim", "Stadtmeisterschaft"),
        ("  Open   B ", "Open B"),
        ("A", "A"),
    ],
)
def test_the_name_below_an_icon_ends_with_a_word(name: str, short: str) -> None:
    assert short_name(name) == short


def test_icons_are_pictures_of_their_sizes(played: Tournament, client: Client) -> None:
    manifest = client.get(reverse("manifest", args=[played.slug])).json()
    pictures = {each["sizes"]: each["src"] for each in manifest["icons"]}
    assert pictures.keys() == {"any", "192x192", "512x512"}
    page = client.get(reverse("tournament", args=[played.slug])).content.decode()
    for size in (180, 192, 512):
        (path,) = Path(settings.BASE_DIR, "static", "img").glob(f"icon-{size}.png")
        content = path.read_bytes()
        assert content.startswith(b"\x89PNG")
        assert struct.unpack(">II", content[16:24]) == (size, size)
    assert 'rel="apple-touch-icon"' in page


@pytest.mark.costly
def test_names_are_not_translated_and_isolated_where_they_run_to_the_left(
    played: Tournament, client: Client
) -> None:
    player = factories.entry_of(played, 1)
    Entry.objects.filter(pk=player.pk).update(name="פרץ, דניאל")
    forget_pages()
    for name, arguments in (
        ("players", []),
        ("standings", []),
        ("pairings-public", [2]),
        ("player-page", [player.pk]),
        ("crosstable", []),
        ("tournament", []),
    ):
        page = client.get(reverse(name, args=[played.slug, *arguments])).content.decode()
        assert 'translate="no"' in page, name
        assert "<bdi>פרץ, דניאל</bdi>" in page, name
