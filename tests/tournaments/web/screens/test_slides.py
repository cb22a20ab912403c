"""Lists are cut into pages, and no line is lost or shown twice."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User

from tests.tournaments.large import make_large
from tournaments.models import ScreenSize
from tournaments.web.screens.listings import source_of
from tournaments.web.screens.slides import ROWS, ROWS_IN_CSS, cut, slides_of
from tournaments.web.templatetags.screens import name_size

from .conftest import MakeScreen


def test_pages_are_equally_long() -> None:
    for lines in range(1, 130):
        pages = cut(range(lines), 40)
        lengths = [len(page) for page in pages]
        assert list(chain(*pages)) == list(range(lines))
        assert len(pages) == -(-lines // 40)
        assert max(lengths) <= 40
        assert max(lengths) - min(lengths) < len(pages)


def test_the_style_sheet_knows_every_number_of_lines() -> None:
    styles = (Path(settings.BASE_DIR) / "static/css/screen.css").read_text(encoding="utf-8")
    assert [
        rows for rows in ROWS_IN_CSS if f".rows-{rows} {{ --rows: {rows}; }}" not in styles
    ] == []
    assert max(ROWS.values()) == max(ROWS_IN_CSS)


@pytest.mark.parametrize("size", ScreenSize.values)
@pytest.mark.parametrize("players", [9, 117])
def test_every_line_is_on_one_page(
    chief_arbiter: User, make_screen: MakeScreen, size: str, players: int
) -> None:
    tournament = make_large(chief_arbiter, players=players)
    screen = make_screen(tournament, "boards", "names", "standings", size=size)
    counts = dict.fromkeys(("boards", "names", "standings"), 0)
    for slide in slides_of(screen, [source_of(tournament)]):
        lengths = [len(half.lines) for half in slide.halves]
        assert max(lengths) <= slide.rows <= ROWS[ScreenSize(size)]
        counts[slide.kind] += sum(lengths)
    assert counts == {"boards": (players + 1) // 2, "names": players, "standings": players}


@pytest.mark.costly
def test_forty_boards_are_on_one_page_and_more_than_thirty_ranks(
    chief_arbiter: User, make_screen: MakeScreen
) -> None:
    tournament = make_large(chief_arbiter, players=80)
    screen = make_screen(tournament, "boards", "standings")
    found = slides_of(screen, [source_of(tournament)])
    assert [(slide.kind, slide.number, slide.of) for slide in found] == [
        ("boards", 1, 1),
        ("standings", 1, 2),
        ("standings", 2, 2),
    ]


@pytest.mark.parametrize("size,halves", [("small", 2), ("normal", 2), ("large", 2), ("huge", 1)])
def test_very_large_names_have_the_whole_width(
    chief_arbiter: User, make_screen: MakeScreen, size: str, halves: int
) -> None:
    tournament = make_large(chief_arbiter, players=40)
    screen = make_screen(tournament, "names", size=size)
    first, *_ = slides_of(screen, [source_of(tournament)])
    assert len(first.halves) == halves


@pytest.mark.parametrize("boards,most", [(30, 15), (31, 40)])
def test_the_automatic_size_is_large_while_two_pages_do(
    chief_arbiter: User, make_screen: MakeScreen, boards: int, most: int
) -> None:
    tournament = make_large(chief_arbiter, players=2 * boards)
    pages = slides_of(make_screen(tournament, "boards"), [source_of(tournament)])
    lengths = [sum(len(half.lines) for half in slide.halves) for slide in pages]
    assert sum(lengths) == boards
    assert len(lengths) == -(-boards // most)


@pytest.mark.parametrize(
    "name,size",
    [
        ("Rossi, Anna", ""),
        ("Vijayaraghavan-Subramaniam, Karthikeyan", "longest"),
        ("Иванова, Анна", ""),
        ("Константинопольский, А.", "longer"),
        ("山田太郎", ""),
        ("A" * 51, "endless"),
    ],
)
def test_the_size_of_a_name_follows_its_width(name: str, size: str) -> None:
    assert name_size(name) == size
