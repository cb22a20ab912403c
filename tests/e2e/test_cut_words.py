"""No word of an arbiter's pages is cut or broken: the choice that a list shows, and long names."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.tournaments import factories
from tournaments.models import Appointment, Role, Tournament
from tournaments.web.setup.settings import PARTS

from .arbiter import Arbiter
from .test_phone import too_small, too_wide

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = [
    "Kristjánsdóttir, Sigríður",
    "Nepomniachtchi, Alexander",
    "Papadimitriou, Konstantina",
    "García Márquez, María del Carmen",
]
PAGES = [
    "",
    "entries/",
    "rounds/1/",
    "rounds/1/floor/",
    "rounds/2/",
    "rounds/1/correct/",
    "standings/",
    "crosstable/",
    "record/",
    "print/",
    "prizes/define/",
    "screens/add/",
    *(f"settings/{part}/" for part in PARTS if part != "event"),
]
WIDTHS = (360, 768, 1366)
ARROW = 16
"""The width of the arrow of a list, in pixels."""

BROKEN = """() => {
  const found = [];
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let text; (text = texts.nextNode()); ) {
    const parent = text.parentElement;
    if (!parent.closest("td, th, summary, a, button, label") || parent.offsetWidth < 2) continue;
    for (const word of text.data.matchAll(/[\\p{L}’]{3,},?/gu)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const boxes = [...range.getClientRects()].filter((box) => box.width > 1);
      const tops = boxes.map((box) => box.top);
      if (tops.length > 1 && Math.max(...tops) - Math.min(...tops) > 4) found.push(word[0]);
    }
  }
  return [...new Set(found)];
}"""
CUT = """arrow => {
  const pen = document.createElement("canvas").getContext("2d");
  return [...document.querySelectorAll("main select")].flatMap((list) => {
    const style = getComputedStyle(list);
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const text = list.selectedOptions[0]?.text.trim() ?? "";
    const room = list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return list.offsetWidth > 1 && pen.measureText(text).width > room - arrow + 1 ? [text] : [];
  });
}"""


def named(chief: Arbiter) -> Tournament:
    """Round 1 is over, round 2 is published; four of the players have long names."""
    tournament = factories.make_ready(chief.user, players=12)
    for tpn, name in enumerate(NAMES, start=1):
        tournament.entries.filter(tpn=tpn).update(name=name)
    factories.play_rounds(tournament, [1], chief.user)
    factories.pair_and_publish(tournament, 2, chief.user)
    return tournament


@pytest.mark.costly
@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_choice_is_cut_and_no_word_is_broken(
    page: Page, live_server: LiveServer, language: str
) -> None:
    """On a phone a long choice ends with an ellipsis: no list is as wide as it."""
    chief = Arbiter(page, live_server.url)
    chief.slug = named(chief).slug
    chief.log_in()
    page.goto(f"{live_server.url}/language/{language}/?next=/")
    cut, broken = {}, {}
    for path in PAGES:
        chief.open(path)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 768})
            if width > 360 and (found := page.evaluate(CUT, ARROW)):
                cut[path, width] = found
            if words := page.evaluate(BROKEN):
                broken[path, width] = words
    assert (cut, broken) == ({}, {})


@pytest.mark.costly
def test_the_result_desk_has_the_first_board_near_the_top_of_a_phone(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = named(chief)
    helper = Arbiter(phone, live_server.url, name="helper")
    Appointment.objects.create(
        tournament=tournament, person=helper.user, role=Role.RESULT_DESK, since=timezone.now()
    )
    helper.slug = tournament.slug
    helper.log_in()
    tops = {}
    for language in ("en", "fr"):
        phone.goto(f"{live_server.url}/language/{language}/?next=/")
        for path in ("rounds/2/results/", "rounds/2/floor/"):
            helper.open(path)
            board = phone.locator("#board-1")
            tops[path, language] = board.evaluate(
                "row => row.getBoundingClientRect().top + scrollY"
            )
            assert [*too_wide(phone), *too_small(phone), *phone.evaluate(BROKEN)] == []
    assert {where: top for where, top in tops.items() if top > 300} == {}
    assert max(top for (path, _), top in tops.items() if "results" in path) <= 260
