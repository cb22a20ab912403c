"""A draft with more than 200 boards is arranged in parts:
marks, changes and searches reach every part.
"""

from __future__ import annotations

import html
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rules.rounds import RoundState
from tests.tournaments import factories
from tests.tournaments.large import make_large
from tournaments.models import Entry, Round, Seat, Tournament

pytestmark = pytest.mark.django_db
PART = {"HX-Request": "true"}
WHY = "they travel together"


def make_draft(actor: User, *, players: int) -> Tournament:
    tournament = make_large(actor, players=players, rounds=3, played=0)
    Round.objects.filter(tournament=tournament, number=1).update(
        state=RoundState.DRAFT, published_at=None, paired_from_version=tournament.pairing_version
    )
    tournament.refresh_from_db()
    return tournament


@pytest.fixture(autouse=True)
def _logged_in(chief_arbiter: User, client: Client) -> None:
    client.force_login(chief_arbiter)


@pytest.fixture
@factories.cached
def large(chief_arbiter: User) -> Tournament:
    """405 boards: the third part has five."""
    return make_draft(chief_arbiter, players=810)


def url(name: str, tournament: Tournament) -> str:
    return reverse(name, args=[tournament.slug, 1])


def text_of(client: Client, address: str, **headers: str) -> str:
    return client.get(address, follow=True, headers=headers).content.decode()


def boards_on(page: str) -> list[int]:
    return [int(board) for board in re.findall(r'data-board="(\d+)"', page)]


def at(tournament: Tournament, board: int, colour: str = "w") -> Entry:
    return Seat.objects.get(
        game__round__tournament=tournament, game__board=board, colour=colour
    ).entry


def opponent(player: Entry) -> Entry:
    game = Seat.objects.get(entry=player).game
    return Seat.objects.exclude(entry=player).get(game=game).entry


def link(page: str, player: Entry) -> str:
    """Return the address behind the name of *player* on *page*."""
    found = re.search(rf'data-player="{player.pk}".*?href="([^"]*)"', page, re.DOTALL)
    assert found is not None
    return html.unescape(found[1])


def part_link(page: str, label: str) -> str:
    """Return the address of the part *label* of the draft."""
    found = re.search(rf'<a href="([^"]*)" data-to-part[^>]*>{label}</a>', page)
    assert found is not None
    return html.unescape(found[1])


def swapped(client: Client, tournament: Tournament) -> str:
    """Mark White of board 1, open the third part, and click White of board 404; return the page."""
    page = text_of(client, url("round", tournament))
    page = text_of(client, link(page, at(tournament, 1)))
    page = text_of(client, part_link(page, "401–405"))
    return text_of(client, link(page, at(tournament, 404)))


@pytest.mark.costly
@pytest.mark.parametrize("page", ["round", "round-swap"])
def test_every_board_of_a_draft_is_in_one_part(
    page: str, large: Tournament, client: Client
) -> None:
    address = url(page, large)
    parts = [boards_on(text_of(client, f"{address}?page={number}")) for number in (1, 2, 3)]
    assert parts == [list(range(1, 201)), list(range(201, 401)), list(range(401, 406))]
    assert boards_on(text_of(client, address)) == parts[0]
    assert ' aria-current="page">401–405</a>' in text_of(client, f"{address}?page=3")


@pytest.mark.costly
def test_a_draft_of_200_boards_is_on_one_page(chief_arbiter: User, client: Client) -> None:
    small = make_draft(chief_arbiter, players=400)
    for name in ("round", "round-swap"):
        page = text_of(client, url(name, small))
        assert len(boards_on(page)) == 200
        assert "data-to-part" not in page
        assert "page=" not in link(page, at(small, 1))


@pytest.mark.costly
def test_players_of_two_parts_change_places_without_javascript(
    large: Tournament, client: Client
) -> None:
    one, other = at(large, 1), at(large, 404)
    blacks = [at(large, 1, "b"), at(large, 404, "b")]
    page = swapped(client, large)
    assert boards_on(page) == [401, 402, 403, 404, 405]
    assert f'data-player="{one.pk}"' in page
    assert f'data-player="{other.pk}"' not in page
    # The board of the other part is named, with its check.
    (elsewhere,) = re.findall(r'<div class="swap-elsewhere">.*?</div>', page, re.DOTALL)
    assert f"1: {other.name} – {at(large, 1, 'b').name}" in elsewhere
    assert "float: " in elsewhere or "no rule is broken" in elsewhere
    (action,) = re.findall(r'<form method="post" action="([^"]*/swap/[^"]*)"', page)
    fields = dict(
        re.findall(r'<input type="hidden" name="(m|version|seen_line)" value="([^"]*)"', page)
    )
    saved = client.post(action, {**fields, "reason": WHY})
    assert saved.headers["Location"] == f"{url('round', large)}?page=3"
    # Saving sorts the boards again.
    assert [opponent(player) for player in (one, other)] == blacks[::-1]


@pytest.mark.costly
def test_a_refused_save_shows_the_same_part(large: Tournament, client: Client) -> None:
    page = swapped(client, large)
    fields = dict(
        re.findall(r'<input type="hidden" name="(m|version|seen_line)" value="([^"]*)"', page)
    )
    refused = client.post(f"{url('round-swap', large)}?page=3", {**fields, "reason": ""})
    assert refused.status_code == 400
    assert boards_on(refused.content.decode()) == [401, 402, 403, 404, 405]


@pytest.mark.costly
def test_the_links_between_the_parts_keep_mark_and_changes(
    large: Tournament, client: Client
) -> None:
    page = text_of(client, link(swapped(client, large), at(large, 405)))
    requested = parse_qs(urlsplit(part_link(page, "1–200")).query)
    assert requested["mark"] == [str(at(large, 405).pk)]
    assert requested["m"] == [f"{at(large, 1).pk}x{at(large, 404).pk}"]
    first = text_of(client, part_link(page, "1–200"))
    assert boards_on(first)[0] == 1
    assert f'data-mark="{at(large, 405).pk}"' in first
    assert f'<strong class="who">{at(large, 405).name}</strong>' in first


def test_a_mark_alone_leads_to_the_part_of_its_player(large: Tournament, client: Client) -> None:
    assert (
        boards_on(text_of(client, f"{url('round-swap', large)}?mark={at(large, 404).pk}"))[0] == 401
    )


@pytest.mark.costly
def test_a_search_keeps_the_changes_and_finds_players_where_they_sit_now(
    large: Tournament, client: Client
) -> None:
    page = swapped(client, large)
    (form,) = re.findall(r'<form class="find-board.*?</form>', page, re.DOTALL)
    sent = dict(re.findall(r'name="([^"]*)" value="([^"]*)"', form))
    moved = at(large, 404)  # at board 1 with the unsaved change
    words = moved.name.split(", ")[1]
    found = client.get(url("round-swap", large), {**sent, "find": words, "page": "3"})
    assert found.status_code == 302
    place = urlsplit(found.headers["Location"])
    assert (place.fragment, parse_qs(place.query)["m"]) == ("board-1", [sent["m"]])
    part = client.get(
        url("round-swap", large), {**sent, "find": "203"}, headers=PART
    ).content.decode()
    assert boards_on(part) == list(range(201, 401))
    assert 'data-found="203"' in part
    several = text_of(client, f"{url('round-swap', large)}?m={sent['m']}&find=given+1")
    (boards,) = re.findall(r'<ul class="plain" id="found-boards">.*?</ul>', several, re.DOTALL)
    assert boards.count("<a ") == 16
    assert all(f"m={sent['m']}" in address for address in re.findall(r'href="([^"]*)"', boards))
    assert "No board of this round fits." in text_of(client, f"{url('round-swap', large)}?find=406")


@pytest.mark.costly
def test_the_page_of_the_round_searches_its_draft(large: Tournament, client: Client) -> None:
    found = client.get(url("round", large), {"find": "404"})
    assert found.headers["Location"] == f"{url('round', large)}?page=3#board-404"
    several = text_of(client, f"{url('round', large)}?find=given+1")
    assert several.count("data-to-part") == 3 + 16
    assert 'id="board-1"' in several


@pytest.mark.costly
def test_a_part_that_has_become_empty_is_shown(chief_arbiter: User, client: Client) -> None:
    """The only board of the last part is taken out, and its players are left over."""
    tournament = make_draft(chief_arbiter, players=402)
    player = at(tournament, 201)
    page = text_of(client, f"{url('round-swap', tournament)}?page=2&mark={player.pk}&do=out")
    assert boards_on(page) == []
    assert page.count(">left over<") == 2
    fields = dict(
        re.findall(r'<input type="hidden" name="(m|version|seen_line)" value="([^"]*)"', page)
    )
    saved = client.post(f"{url('round-swap', tournament)}?page=2", {**fields, "reason": WHY})
    assert saved.headers["Location"] == url("round", tournament)
