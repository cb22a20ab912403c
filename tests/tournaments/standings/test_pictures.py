"""The pictures of the crosstable and of a performance:
their content, and the button to save them.
"""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tests.tournaments.large import make_large
from tests.tournaments.web.test_queries_pages import make_big
from tests.work import calls_of
from tournaments.core.frame import tournament_frame
from tournaments.models import Entry, Tournament
from tournaments.standings import crosstable as selector
from tournaments.web.templatetags.pictures import drawn_lines

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
@factories.cached
def five(chief_arbiter: User) -> Tournament:
    """Two rounds of five players, one allocated bye in each; every second game is drawn."""
    tournament = factories.make_ready(chief_arbiter, players=5)
    factories.play_rounds(
        tournament, [1, 2], chief_arbiter, lambda board, *_: "==" if board == 2 else "10"
    )
    return tournament


def drawn(client: Client, address: str, filename: str) -> ElementTree.Element:
    response = client.get(address)
    assert response.headers["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert response.headers["Content-Disposition"] == f'attachment; filename="{filename}"'
    return ElementTree.fromstring(response.content)  # noqa: S314 - our own picture


def test_the_crosstable_is_drawn_with_colours_and_results(five: Tournament, client: Client) -> None:
    picture = drawn(
        client, reverse("crosstable-picture", args=[five.slug]), f"{five.slug}-crosstable.svg"
    )
    table = client.get(f"/api/v1/tournaments/{five.slug}/crosstable/").json()["players"]
    cells = [cell for line in table for cell in line["rounds"]]
    boxes = picture.findall(f"./{SVG}g/{SVG}g")
    assert len(boxes) == len(cells) == 10
    pieces = {"w": "#ffffff", "b": "#222222"}
    situations = {1.0: "#cfe8dc", 0.5: "#ecebe4", 0.0: "#f3d6d2"}
    for box, cell in zip(boxes, cells, strict=True):
        situation, *piece = box.findall(f"{SVG}rect")
        assert situation.get("fill") == (
            situations[cell["points"]] if cell["opponent"] else "#ffffff"
        )
        assert [square.get("fill") for square in piece] == (
            [pieces[cell["colour"]]] if cell["colour"] else []
        )
    names = [text.text for text in picture.iterfind(f".//{SVG}text[@text-anchor='start']")]
    assert names == [line["name"] for line in table]
    assert f"{five.name}: Crosstable after round 2" in (picture.findtext(f"{SVG}title") or "")


def test_in_the_picture_every_cell_is_below_its_round_and_beside_its_name(
    five: Tournament, client: Client
) -> None:
    context = client.get(reverse("crosstable", args=[five.slug])).context
    made = context["picture"]
    assert made.rounds == ((1, 224), (2, 280))
    assert [line.y for line in made.lines] == [30, 52, 74, 96, 118]
    assert {
        (drawn.cell.round_number, drawn.x) for line in made.lines for drawn in line.cells
    } == set(made.rounds)
    assert (made.width, made.height) == (392, 148)


@pytest.mark.costly
def test_the_page_has_the_picture_up_to_a_hundred_players(
    five: Tournament, client: Client, chief_arbiter: User
) -> None:
    for tournament, drawn_there in ((five, 1), (make_big(chief_arbiter, 51), 0)):
        page = client.get(reverse("crosstable", args=[tournament.slug])).content.decode()
        assert (
            page.count('<svg xmlns="http://www.w3.org/2000/svg" class="progress-picture"')
            == drawn_there
        )
        assert reverse("crosstable-picture", args=[tournament.slug]) in page


def test_names_and_words_of_the_picture_are_text(five: Tournament, client: Client) -> None:
    Entry.objects.filter(tournament=five, tpn=1).update(
        name="<Abara> & Sons, whose name is too long"
    )
    picture = drawn(
        client, reverse("crosstable-picture", args=[five.slug]), f"{five.slug}-crosstable.svg"
    )
    names = [text.text for text in picture.iterfind(f".//{SVG}text[@text-anchor='start']")]
    assert "<Abara> & Sons, whose nam…" in names
    titles = [title.text for title in picture.iterfind(f".//{SVG}g/{SVG}title")]
    assert any(
        "Round 1, <Abara> & Sons, whose name is too long: " in (title or "") for title in titles
    )


@pytest.mark.costly
def test_a_long_crosstable_is_drawn_in_the_parts_of_its_page(
    client: Client, chief_arbiter: User
) -> None:
    large = make_large(chief_arbiter, players=210, rounds=9, played=2)
    slug, address = large.slug, reverse("crosstable-picture", args=[large.slug])
    page = client.get(f"{reverse('crosstable', args=[slug])}?page=2").content.decode()
    assert f'href="{address}?page=2" download>' in page
    assert "Picture of this part (SVG)" in page
    files = {
        "": f"{slug}-crosstable-1.svg",
        "?page=2": f"{slug}-crosstable-2.svg",
        "?page=all": f"{slug}-crosstable.svg",
    }
    numbers = {}
    for query, filename in files.items():
        picture = drawn(client, address + query, filename)
        numbers[query] = [
            text.text for text in picture.iterfind(f"./{SVG}g/{SVG}text[@text-anchor='end']")
        ]
    assert numbers == {
        "": [str(number) for number in range(1, 61)],
        "?page=2": [str(number) for number in range(61, 121)],
        "?page=all": [str(number) for number in range(1, 211)],
    }
    by_tpn = client.get(f"{reverse('crosstable', args=[slug])}?order=tpn&page=2").content.decode()
    assert f'href="{address}?order=tpn&amp;page=2"' in by_tpn
    assert client.get(f"{address}?page=9").status_code == 404


def test_a_cell_of_the_picture_costs_little(client: Client, chief_arbiter: User) -> None:
    """A picture may have 45,000 cells."""
    tournament = make_large(chief_arbiter, players=60, rounds=9, played=8)
    frame = tournament_frame(tournament, runs=True)
    made = selector.picture(selector.crosstable(frame), win=10)
    cells = sum(len(line.cells) for line in made.lines)
    assert calls_of(lambda: drawn_lines(made)) < 50 * cells


def test_a_performance_picture_can_be_saved(five: Tournament, client: Client) -> None:
    address = reverse("performance-picture", args=[five.slug, factories.entry_of(five, 1).pk])
    assert address in client.get(factories.player_address(five, 1)).content.decode()
    picture = drawn(client, address, f"{five.slug}-1-performance.svg")
    assert len(picture.findall(f"{SVG}polyline")) == 2
    assert "Abara, Player 1" in (picture.findtext(f"{SVG}title") or "")
    assert client.get(reverse("performance-picture", args=[five.slug, 10**9])).status_code == 404
