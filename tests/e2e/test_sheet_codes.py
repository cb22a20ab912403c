"""Every QR code of the sheets, as they are printed, is read by a decoder as a phone reads it."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterator
from typing import Final

import pytest
import zxingcpp
from django.urls import reverse
from playwright.sync_api import Page
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from pairing.rounds.table_codes import code_of, codes_of
from tournaments.core.public_address import printed_address
from tournaments.core.short_address import short_code
from tournaments.models import Tournament

from .arbiter import Arbiter
from .test_sheets import large

pytestmark = pytest.mark.django_db(transaction=True)

DOTS: Final = 3
"""Dots for a CSS pixel: 288 dots an inch, as a printer has."""
CODES: Final = "svg[aria-label*='QR code']"
GREY: Final = """async (png) => {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const pixels = canvas.getImageData(0, 0, image.width, image.height).data;
  let grey = "";
  for (let at = 0; at < pixels.length; at += 4) grey += String.fromCharCode(pixels[at]);
  return [image.width, image.height, btoa(grey)];
}"""


@pytest.fixture
def printer(page: Page, live_server: LiveServer, settings: Settings) -> Iterator[Arbiter]:
    """An arbiter whose pages are drawn as on paper, as finely as a printer does."""
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "192.168.1.20"]
    arbiter = Arbiter(page, live_server.url)
    arbiter.log_in()
    browser = page.context.browser
    assert browser is not None
    context = browser.new_context(
        device_scale_factor=DOTS, storage_state=page.context.storage_state()
    )
    arbiter.page = context.new_page()
    arbiter.page.emulate_media(media="print")
    yield arbiter
    context.close()


def codes_on(chief: Arbiter, query: str) -> Counter[str]:
    """Return the texts of all QR codes that *query* prints."""
    chief.open(f"print/sheets/?{query}")
    found: Counter[str] = Counter()
    codes = chief.page.locator(CODES).all()
    for element in codes:
        shot = base64.b64encode(element.screenshot()).decode()
        width, height, grey = chief.page.evaluate(GREY, shot)
        picture = memoryview(base64.b64decode(grey)).cast("B", shape=[height, width])
        found.update(code.text for code in zxingcpp.read_barcodes(picture))
    assert found.total() == len(codes), query
    return found


def short_address(tournament: Tournament) -> str | None:
    return printed_address(reverse("short-address", args=[short_code(tournament)]))


@pytest.mark.parametrize(
    "players",
    [
        pytest.param(23, marks=pytest.mark.costly),
        pytest.param(120, marks=pytest.mark.costly),
        pytest.param(260, marks=pytest.mark.costly),
        pytest.param(1000, marks=pytest.mark.slow),
    ],
)
def test_every_code_is_read(printer: Arbiter, players: int) -> None:
    tournament = large(printer, players)
    table_codes = codes_of(tournament)
    tables = range(1, players // 2 + 1)
    slips = Counter(
        printed_address(
            reverse("table-report", args=[tournament.slug, table, code_of(table_codes, table)])
        )
        for table in tables
    )
    my_board = short_address(tournament)
    assert my_board is not None
    for paper in ("", "&paper=letter"):
        assert codes_on(printer, f"list=slips{paper}") == slips
        for name in ("names", "standings", "crosstable", "start-list", "schedule"):
            assert codes_on(printer, f"list={name}{paper}") == Counter([my_board]), name
        posters = codes_on(printer, f"list=posters{paper}")
        assert posters.pop(my_board) == 1
        boards = codes_on(printer, f"list=boards{paper}")
        assert boards.pop(my_board) == 1
        # More than two codes do not fit below the boards.
        assert boards == (posters if len(posters) <= 2 else Counter())
        offline = printed_address(reverse("offline", args=[tournament.slug]))
        assert all(text.startswith(f"{offline}#") for text in posters)
        assert all(text.partition("#")[2].isdecimal() for text in posters)
