"""Every public page with text twice as large on a narrow phone,
and the size of what a finger or a mouse must hit.
"""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Browser, CDPSession, Page
from pytest_django.live_server_helper import LiveServer

from tests.tournaments import factories
from tournaments.events.sections import event_create
from tournaments.models import Tournament

from .arbiter import Arbiter
from .test_phone import PHONE, PUBLIC, make_event, of_event, too_wide

pytestmark = pytest.mark.django_db(transaction=True)

MORE: Final = [
    "pairings/2/?order=name&q=oberlander",
    "published/",
    "open-games/",
    "pairings/2/why/",
    "groups/",
    "embed/standings/",
    "embed/pairings/",
    "/e/city-open/",
]
"""Public pages beside those that every test of a phone opens."""
EXCEPT: Final = (
    ".visually-hidden, .skip-link, p a, li p a, dd a, .notice a, .small a, caption a, sup a"
)
"""Links inside a sentence are as high as its line [WCAG 2.2 2.5.8, inline]."""


def in_pieces(page: Page) -> list[str]:
    """Return the words that are broken into three lines or more of less than four letters each."""
    found: list[str] = page.evaluate(
        """() => {
            const range = document.createRange();
            const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            const found = [];
            for (let text = texts.nextNode(); text; text = texts.nextNode()) {
                const inside = text.parentElement;
                if (!inside.checkVisibility() || inside.closest(".visually-hidden, .hash, svg")) continue;
                for (const word of text.data.matchAll(/\\S{3,}/g)) {
                    range.setStart(text, word.index);
                    range.setEnd(text, word.index + word[0].length);
                    const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
                    if (lines > 2 && word[0].length / lines < 4)
                        found.push(`${inside.tagName}.${inside.className} ${word[0]} in ${lines} lines`);
                }
            }
            return found;
        }"""
    )
    return found


def words_on_two_lines(page: Page, place: str) -> list[str]:
    """Return the words of the elements *place* that are broken inside; a hyphen ends a word."""
    found: list[str] = page.locator(place).evaluate_all(
        """(places) => places.flatMap((place) => {
            const range = document.createRange();
            const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
            const found = [];
            for (let text = texts.nextNode(); text; text = texts.nextNode())
                for (const word of text.data.matchAll(/[^\\s-]+/g)) {
                    range.setStart(text, word.index);
                    range.setEnd(text, word.index + word[0].length);
                    if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1)
                        found.push(word[0]);
                }
            return found;
        })"""
    )
    return found


def smaller_than(page: Page, pixels: int) -> list[str]:
    """Return the links, buttons and fields that are less than *pixels* high,
    and those less than 24 wide. The target of a box to tick is its label.
    """
    found: list[str] = page.locator("a, button, summary, input, select").evaluate_all(
        """(parts, [pixels, except]) => parts
            .filter((part) => part.checkVisibility() && part.type !== "hidden" && !part.closest(except))
            .map((part) => [part, (part.closest("label.choice") ?? part).getBoundingClientRect()])
            .filter(([part, box]) => box.height < pixels - 0.5 || box.width < 23.5)
            .map(([part, box]) => `${part.closest("[class]")?.className} ${part.tagName}.${part.className} `
                + `${part.textContent.trim().slice(0, 30)} ${Math.round(box.width)}×${Math.round(box.height)}`)""",
        [pixels, EXCEPT],
    )
    return found


def alone_smaller_than(page: Page, pixels: int) -> list[str]:
    """Return the links that are the only words of their line or heading,
    and less than *pixels* high or 24 wide.
    """
    found: list[str] = page.locator("main a").evaluate_all(
        """(links, pixels) => links
            .filter((link) => link.checkVisibility() && !link.closest(".visually-hidden"))
            .filter((link) => {
                const words = (part) => part.innerText.replace(/\\s+/g, " ").trim();
                const around = link.closest("p, dd, li, div, main");
                return link.closest("h2") || words(around) === words(link);
            })
            .map((link) => [link, link.getBoundingClientRect()])
            .filter(([, box]) => box.height < pixels - 0.5 || box.width < 23.5)
            .map(([link, box]) => `${link.textContent.trim().slice(0, 30)} `
                + `${Math.round(box.width)}×${Math.round(box.height)}`)""",
        pixels,
    )
    return found


def clipped(page: Page) -> list[str]:
    """Return the bars of tabs and the headings of which a part is out of sight."""
    found: list[str] = page.locator(".segmented, h1:not(.visually-hidden)").evaluate_all(
        """bars => bars
            .filter((bar) => bar.checkVisibility() && bar.scrollWidth > bar.clientWidth)
            .map((bar) => [bar.textContent.trim().slice(0, 30), bar.scrollWidth, bar.clientWidth])
            .map(([text, wide, room]) => `${text} ${wide} in ${room}`)"""
    )
    return found


def text_size(page: Page, devtools: CDPSession, pixels: int) -> None:
    """Set the size of text that the reader chose in the browser, which is 16 unless told."""
    devtools.send("Page.setFontSizes", {"fontSizes": {"standard": pixels, "fixed": pixels}})
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == f"{pixels}px"


@pytest.mark.costly
def test_text_twice_as_large_fits_and_targets_are_large_enough(
    browser: Browser, live_server: LiveServer
) -> None:
    """[WCAG 2.2 1.4.4, 1.4.10, 2.5.8]: at 320 and 360 pixels;
    44 pixels for a finger, 24 for a mouse.
    """
    context = browser.new_context(**PHONE, locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    chief = Arbiter(page, live_server.url)
    slug = make_event(chief.user)
    Tournament.objects.filter(slug=slug).update(explanations_public=True)
    number = Tournament.objects.get(slug=slug).pk
    event_create(
        tournament_id=number, name="City Open", label="A", actor=chief.user, now=factories.NOW
    )
    faults: dict[str, dict[str, list[str]]] = {}
    for path in [*PUBLIC, *MORE]:
        page.set_viewport_size({"width": 360, "height": 740})
        page.goto(
            live_server.url + (path if path[0:1] == "/" else f"/t/{slug}/{of_event(path, slug)}")
        )
        text_size(page, devtools, 16)
        found = {"finger": smaller_than(page, 44), "finger alone": alone_smaller_than(page, 44)}
        text_size(page, devtools, 32)
        for width in (320, 360):
            page.set_viewport_size({"width": width, "height": 640})
            found[f"wide at {width}"] = too_wide(page) + clipped(page)
            found[f"in pieces at {width}"] = in_pieces(page)
        text_size(page, devtools, 16)
        page.evaluate(
            "document.documentElement.style.fontSize = '200%'"
        )  # As a style sheet of the reader does.
        found["wide by style"] = too_wide(page)
        page.evaluate("document.documentElement.style.fontSize = ''")
        page.set_viewport_size({"width": 1280, "height": 800})
        found["mouse"] = smaller_than(page, 24)
        found["mouse alone"] = alone_smaller_than(page, 24)
        faults[path] = {kind: places for kind, places in found.items() if places}
    context.close()
    assert {path: found for path, found in faults.items() if found} == {}


@pytest.mark.costly
def test_the_longer_french_words_fit_with_text_twice_as_large(
    browser: Browser, live_server: LiveServer
) -> None:
    """[WCAG 2.2 1.4.4, 1.4.10]: at 320 pixels, the size set in the
    browser and by a style sheet of the reader.
    """
    context = browser.new_context(**PHONE, locale="fr-FR", reduced_motion="reduce")
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    slug = make_event(Arbiter(page, live_server.url).user)
    page.set_viewport_size({"width": 320, "height": 640})
    wide = {}
    for path in [
        "",
        "me/",
        "players/",
        "pairings/2/",
        "standings/",
        "crosstable/",
        "player/{player}/",
        "prizes/",
    ]:
        page.goto(f"{live_server.url}/t/{slug}/{of_event(path, slug)}")
        if path.startswith("player/"):  # no column of the rounds is out of sight
            page.locator("details").evaluate_all("all => all.forEach(it => { it.open = true; })")
            assert page.locator(".table-wrap").evaluate_all(
                "all => all.every(it => it.scrollWidth <= it.clientWidth)"
            )
        text_size(page, devtools, 32)
        wide[path, "browser"] = too_wide(page) + clipped(page)
        text_size(page, devtools, 16)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        wide[path, "style"] = too_wide(page) + clipped(page)
    context.close()
    assert {place: parts for place, parts in wide.items() if parts} == {}


@pytest.mark.costly
@pytest.mark.parametrize("language, board_at_320", [("en-GB", 64), ("fr-FR", 40)])
def test_my_board_is_broken_between_words_with_text_twice_as_large(
    browser: Browser, live_server: LiveServer, language: str, board_at_320: int
) -> None:
    """[WCAG 2.2 1.4.4, 1.4.10]: “Board” is twice as large as normally;
    “Échiquier” has no room for that.
    """
    context = browser.new_context(**PHONE, locale=language, reduced_motion="reduce")
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    chief = Arbiter(page, live_server.url).user
    tournament = factories.make_ready(chief, players=5)
    factories.pair_and_publish(tournament, 1, chief)
    faults: dict[tuple[str, int, int, str], list[str]] = {}
    sizes = {}
    for tpn in (1, 2, 3, 4, 5):
        entry = factories.entry_of(tournament, tpn)
        page.goto(f"{live_server.url}/t/{tournament.slug}/me/")
        page.evaluate("localStorage.clear()")
        for path in ("me/", factories.player_address(tournament, tpn)):
            page.goto(
                live_server.url + (path if path[0] == "/" else f"/t/{tournament.slug}/{path}")
            )
            if path == "me/":
                page.locator("#q").fill(entry.name)
                page.get_by_role("button", name=entry.name).tap()
            page.locator(".where").wait_for()
            for width in (320, 360, 1280):
                page.set_viewport_size({"width": width, "height": 640})
                for way in ("normal", "browser", "style"):
                    text_size(page, devtools, 32 if way == "browser" else 16)
                    page.evaluate(
                        "size => document.documentElement.style.fontSize = size",
                        "200%" * (way == "style"),
                    )
                    faults[path, tpn, width, way] = too_wide(page) + words_on_two_lines(
                        page, ".where"
                    )
                    sizes[path, tpn, width, way] = page.locator(".where").evaluate(
                        "where => parseFloat(getComputedStyle(where).fontSize)"
                    )
                page.evaluate("document.documentElement.style.fontSize = ''")
                text_size(page, devtools, 16)
    context.close()
    assert {place: found for place, found in faults.items() if found} == {}
    for (path, tpn, width, way), size in sizes.items():
        normal = (32 if path == "me/" else 22) * (1 if way == "normal" else 2)
        has_room = way == "normal" or width == 1280
        assert size >= (normal if has_room else min(normal, board_at_320 if tpn < 5 else 40)), (
            path,
            tpn,
            width,
            way,
        )
