"""Check each page with axe-core: names, labels, contrast, landmarks, headings, keyboard access.

It finds only what a program can find; test_by_keyboard.py does the two longest actions as a person would.
"""

from __future__ import annotations

import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from tests.tournaments import factories
from tournaments.registration.opening import Wanted, registration_set

from .arbiter import Arbiter
from .test_phone import DESK, PUBLIC, make_event, of_event

pytestmark = pytest.mark.django_db(transaction=True)

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WIZARDS = ["rounds/1/correct/", "rounds/1/correct/?kind=result&board=1", "rounds/1/correct/?kind=colours&board=2"]
WIZARDS += ["rounds/2/change/", "rounds/2/change/?b=1&b=2&situation=4.4.2", "corrections/", "engine/"]
WIZARDS += ["registration/", "registrations/"]
WIZARDS += ["tie-breaks/", "number-of-rounds/", "lots/", "prohibited/", "start/", "rounds/3/missing/", "check-in/self/"]
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


def faults(page: Page) -> list[str]:
    """Return the faults that axe-core finds on the page: each rule, and the first place that breaks it."""
    found = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]}).response["violations"]
    return [f"{rule['id']}: {json.dumps(rule['nodes'][0]['target'])}" for rule in found]


@pytest.mark.parametrize(
    "width, scheme, language", [(1280, "light", "en"), (360, "dark", "fr")], ids=["desk", "phone at night, in French"]
)
def test_every_page_is_accessible(
    browser: Browser, live_server: LiveServer, width: int, scheme: str, language: str
) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 800},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    chief = Arbiter(page, live_server.url)
    chief.slug = make_event(chief.user)
    empty = make_empty(chief.user)
    checked: dict[str, list[str]] = {}
    chief.log_in()
    page.goto(f"{live_server.url}/language/{language}/")
    for path in ["/", "/new/", "/import/", *(f"/t/{empty}/{path}" for path in EMPTY)]:
        page.goto(live_server.url + path)
        checked[f"arbiter {path}"] = faults(page)
    for path in DESK + WIZARDS:
        chief.open(path)
        checked[path] = faults(page)
    context.clear_cookies(name="sessionid")
    for path in ["/", "/accounts/login/"]:
        page.goto(live_server.url + path)
        checked[path] = faults(page)
    for path in PUBLIC:
        chief.open(of_event(path, chief.slug))
        checked[f"visitor {path}"] = faults(page)
    register(page, f"{live_server.url}/t/{empty}/register/", checked)
    context.close()
    assert {path: found for path, found in checked.items() if found} == {}
    assert len(checked) == 9 + len(PUBLIC) + len(EMPTY) + len(DESK) + len(WIZARDS)


def register(page: Page, url: str, checked: dict[str, list[str]]) -> None:
    """Register as a visitor, and check the pages on the way."""
    page.goto(url)
    checked["the form"] = faults(page)
    page.fill("[name=last_name]", "Abara")
    page.click("main button.primary")
    checked["the form with errors"] = faults(page)
    page.fill("[name=email]", "ada@example.org")
    page.click("main button.primary")
    page.wait_for_selector("[name=token]", state="attached")
    checked["the second step"] = faults(page)
    page.click("main button.primary")
    page.wait_for_url("**/registered/**")
    checked["the link"] = faults(page)


def make_empty(actor: User) -> str:
    """Make a tournament without players, whose registration is open."""
    tournament = factories.make_tournament(actor, name="Empty Open")
    wanted = Wanted(True, most=20, offers_byes=True, text="20 €")
    registration_set(tournament_id=tournament.pk, actor=actor, now=factories.NOW, wanted=wanted)
    return tournament.slug
