"""Sign in with a link and a PIN, as a browser does it: with an origin."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.tournaments import factories
from tournaments.models import Decision
from tournaments.people.people import Access, person_appoint


@pytest.mark.costly
@pytest.mark.django_db(transaction=True)
def test_a_helper_opens_the_link_enters_the_pin_and_a_result(
    live_server: LiveServer, browser: Browser
) -> None:
    chief = User.objects.create_user("chief", password="chief-secret")
    tournament = factories.make_ready(chief)
    factories.pair_and_publish(tournament, 1, chief)
    access = Access("the-secret-of-the-link", "012345")
    person_appoint(
        tournament_id=tournament.pk,
        name="Rita Result",
        role="result_desk",
        access=access,
        actor=chief,
        now=factories.NOW,
    )
    page = browser.new_page()
    page.goto(f"{live_server.url}/join/{access.secret}/")
    page.get_by_label("PIN").fill("999999")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert")).to_contain_text("This PIN is wrong")
    page.get_by_label("PIN").fill("012 345")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Hello Rita Result")
    expect(page.get_by_role("main")).to_contain_text("4 results of round 1 are missing.")
    page.get_by_role("link", name="Enter results").click()
    expect(page).to_have_url(re.compile(r"/rounds/1/results/$"))
    expect(page.locator("tr.current")).to_have_attribute("data-board", "1")
    page.keyboard.press("1")
    expect(page.locator("#entered")).to_have_text("1")
    expect(page.locator("#save-state")).to_have_text("✓ all saved")
    row = Decision.objects.filter(tournament=tournament).latest("sequence")
    assert (row.action, row.actor_name) == ("result.recorded", "Rita Result")
    page.close()


@pytest.mark.django_db(transaction=True)
def test_a_helper_before_round_1_reads_when_there_is_something_to_do(
    live_server: LiveServer, phone: Page
) -> None:
    """The public page leads on, and the helper's own tab is in view."""
    chief = User.objects.create_user("chief", password="chief-secret")
    tournament = factories.make_ready(chief)
    access = Access("the-secret-of-the-link", "012345")
    by = {"actor": chief, "now": factories.NOW}
    person_appoint(
        tournament_id=tournament.pk, name="Rita Result", role="result_desk", access=access, **by
    )  # type: ignore[arg-type]
    phone.goto(f"{live_server.url}/join/{access.secret}/")
    phone.get_by_label("PIN").fill("012345")
    phone.get_by_role("button", name="Log in").click()
    line = phone.get_by_text(
        "You can enter results here once the pairings of round 1 are published."
    )
    expect(line).to_be_visible()
    tab = phone.locator(".tabs").get_by_role("link", name="Results")
    box = tab.bounding_box()
    assert box is not None
    assert (box["x"] >= 0, box["x"] + box["width"] <= 360) == (True, True)
    tab.click()
    expect(line).to_be_visible()
    factories.pair_and_publish(tournament, 1, chief)
    tab.click()
    expect(phone).to_have_url(re.compile(r"/rounds/1/results/$"))
