"""Check each page with axe-core: names, labels, contrast, landmarks, headings, keyboard access.

It finds only what a program can find; test_by_keyboard.py does the two longest actions as a person
would.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, ViewportSize
from pytest_django.live_server_helper import LiveServer

from tests.tournaments import factories
from tournaments.events.registration.opening import Wanted, registration_set

from .arbiter import Arbiter
from .test_phone import DESK, PHONE, PUBLIC, make_event, of_event, too_small, too_wide

pytestmark = [pytest.mark.costly, pytest.mark.django_db(transaction=True)]

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WIZARDS = [
    "rounds/1/correct/",
    "rounds/1/correct/?kind=result&board=1",
    "rounds/1/correct/?kind=colours&board=2",
]
WIZARDS += [
    "rounds/2/change/",
    "rounds/2/change/?b=1&b=2&situation=4.4.2",
    "corrections/",
    "engine/",
]
WIZARDS += ["registration/", "registrations/"]
WIZARDS += [
    "tie-breaks/",
    "number-of-rounds/",
    "lots/",
    "prohibited/",
    "start/",
    "rounds/3/missing/",
    "check-in/self/",
]
WIZARDS += ["rounds/2/floor/?board=1", "tables/sheet/"]
EMPTY = [
    "desk/",
    "entries/",
    "numbers/",
    "check-in/",
    "start/",
    "rounds/1/",
    "",
    "players/",
    "standings/",
    "engine/",
    "record/",
]


SCREEN: Final[ViewportSize] = {"width": 1280, "height": 800}
AXE: Final = Axe().axe_script
FAULTS: Final = """async (rules) => {
    const options = { runOnly: rules, resultTypes: ["violations"], reporter: "no-passes", preload: false };
    const { violations } = await axe.run(options);
    return violations.map((rule) => [rule.id, rule.nodes[0].target]);
}"""
"""Only the faults travel to the test: all that was found on a page takes a tenth of the time.
``preload`` fetches what only rules about videos and the style sheets of other sites need."""


def faults(page: Page) -> list[str]:
    """Return the faults that axe-core finds on the page:
    each rule, and the first place that breaks it.

    A page that is still arriving may end in an empty cell.
    """
    page.wait_for_load_state()
    page.evaluate(AXE)
    return [f"{rule}: {json.dumps(place)}" for rule, place in page.evaluate(FAULTS, RULES)]


def faults_and_narrow(page: Page) -> list[str]:
    """Return the faults on the screen of a desk, and the parts that are
    too wide in a window as narrow as a phone.

    The page is loaded once for both.
    """
    found = faults(page)
    page.set_viewport_size(PHONE["viewport"])
    assert page.evaluate("document.documentElement.clientWidth") == PHONE["viewport"]["width"]
    found += too_wide(page)
    page.set_viewport_size(SCREEN)
    return found


def test_every_page_is_accessible_on_a_screen_and_fits_in_a_narrow_window(
    browser: Browser, live_server: LiveServer
) -> None:
    context = browser.new_context(viewport=SCREEN, color_scheme="light", reduced_motion="reduce")
    found = on_every_page(context.new_page(), live_server.url, "en", faults_and_narrow)
    context.close()
    assert {path: faulty for path, faulty in found.items() if faulty} == {}


def test_every_page_is_accessible_and_fits_on_a_phone_at_night_in_french(
    browser: Browser, live_server: LiveServer
) -> None:
    context = browser.new_context(**PHONE, color_scheme="dark", reduced_motion="reduce")
    found = on_every_page(context.new_page(), live_server.url, "fr", _faults_on_a_phone)
    context.close()
    assert {path: faulty for path, faulty in found.items() if faulty} == {}


def _faults_on_a_phone(page: Page) -> list[str]:
    return [*faults(page), *too_wide(page), *too_small(page)]


def on_every_page(
    page: Page, site: str, language: str, check: Callable[[Page], list[str]]
) -> dict[str, list[str]]:
    """Open every page of an event and of an empty tournament;
    return what *check* says about each.
    """
    chief = Arbiter(page, site)
    chief.slug = make_event(chief.user)
    empty = make_empty(chief.user)
    checked: dict[str, list[str]] = {}
    chief.log_in()
    page.goto(f"{site}/language/{language}/")
    User.objects.filter(pk=chief.user.pk).update(is_superuser=True)
    for path in [
        "/",
        "/new/",
        "/import/",
        "/take-over/",
        *(f"/t/{empty}/{path}" for path in EMPTY),
    ]:
        page.goto(site + path)
        checked[f"arbiter {path}"] = check(page)
    for path in DESK + WIZARDS:
        chief.open(path)
        checked[path] = check(page)
    page.context.clear_cookies(name="sessionid")
    for path in ["/", "/accounts/login/"]:
        page.goto(site + path)
        checked[path] = check(page)
    for path in PUBLIC:
        chief.open(of_event(path, chief.slug))
        checked[f"visitor {path}"] = check(page)
    register(page, f"{site}/t/{empty}/register/", checked, check)
    assert len(checked) == 10 + len(PUBLIC) + len(EMPTY) + len(DESK) + len(WIZARDS)
    return checked


def register(
    page: Page, url: str, checked: dict[str, list[str]], check: Callable[[Page], list[str]]
) -> None:
    """Register as a visitor, and check the pages on the way."""
    page.goto(url)
    checked["the form"] = check(page)
    page.fill("[name=last_name]", "Abara")
    page.click("main button.primary")
    checked["the form with errors"] = check(page)
    page.fill("[name=email]", "ada@example.org")
    page.click("main button.primary")
    page.wait_for_selector("[name=token]", state="attached")
    checked["the second step"] = check(page)
    page.click("main button.primary")
    page.wait_for_url("**/registered/**")
    checked["the link"] = check(page)


def make_empty(actor: User) -> str:
    """Make a tournament without players, whose registration is open."""
    tournament = factories.make_tournament(actor, name="Empty Open")
    wanted = Wanted(True, most=20, offers_byes=True, text="20 €")
    registration_set(tournament_id=tournament.pk, actor=actor, now=factories.NOW, wanted=wanted)
    return tournament.slug
