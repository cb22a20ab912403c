"""A new tournament in a browser: four fields, the kind, the folded settings,
and the list of tie-breaks.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tournaments.models import Tournament

from .arbiter import Arbiter
from .test_accessibility import faults
from .test_phone import too_wide

pytestmark = pytest.mark.django_db(transaction=True)

CODES = "[name=tie_breaks]"


@pytest.mark.costly
@pytest.mark.parametrize("screen", ["page", "plain_page"])
def test_a_tournament_is_set_up_with_its_kind(
    screen: str, request: pytest.FixtureRequest, live_server: LiveServer
) -> None:
    """Also without JavaScript: then a button shows the settings of the kind."""
    page: Page = request.getfixturevalue(screen)
    javascript = screen == "page"
    chief = Arbiter(page, live_server.url)
    chief.log_in()
    page.goto(f"{live_server.url}/new/")
    if javascript:
        assert page.evaluate("document.documentElement.scrollHeight") < 900
    page.get_by_label("Name", exact=True).fill("Spring Open")
    page.locator("[name=start_date]").fill("2027-04-02")
    page.get_by_label("Youth event").check()
    if not javascript:
        page.get_by_role("button", name="Show the settings of this kind").click()
    expect(page.locator("#folded")).to_contain_text("Direct Encounter · Buchholz, Cut-1")
    page.locator("summary").filter(has_text="Tie-breaks").click()
    page.get_by_role("button", name="Move down: Direct Encounter").press("Enter")
    expect(page.locator(CODES)).to_have_value("BH/C1,DE,BH,SB,WIN")
    if javascript:
        expect(page.get_by_role("button", name="Move down: Direct Encounter")).to_be_focused()
        rows = page.locator(".tie-break-list li")
        rows.last.drag_to(rows.first, target_position={"x": 60, "y": 3})
        expect(page.locator(CODES)).to_have_value("WIN,BH/C1,DE,BH,SB")
    page.get_by_label("Name", exact=True).press("Enter")
    chief.expect_message("The tournament is created.")
    made = Tournament.objects.get(name="Spring Open")
    assert (made.total_rounds, made.max_byes) == (7, 1)
    assert made.tie_breaks == ("WIN,BH/C1,DE,BH,SB" if javascript else "BH/C1,DE,BH,SB,WIN")


@pytest.mark.parametrize(
    "width, scheme, language",
    [
        (360, "dark", "fr"),
        pytest.param(768, "dark", "fr", marks=pytest.mark.costly),
        pytest.param(1280, "light", "en", marks=pytest.mark.costly),
    ],
)
def test_the_open_groups_are_accessible_and_fit(
    browser: Browser, live_server: LiveServer, width: int, scheme: str, language: str
) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 800},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    chief = Arbiter(page, live_server.url)
    chief.log_in()
    page.goto(f"{live_server.url}/language/{language}/")
    page.goto(f"{live_server.url}/new/")
    page.evaluate("document.querySelectorAll('details').forEach((group) => { group.open = true; })")
    assert faults(page) == []
    assert too_wide(page) == []
