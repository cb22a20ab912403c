"""Logging in and out in a real browser."""

import time

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from tests.tournaments import factories

PASSWORD = "correct horse battery"

pytestmark = pytest.mark.django_db(transaction=True)


def late(route: Route) -> None:
    time.sleep(1)
    route.continue_()


def log_in(page: Page, live_server: LiveServer) -> None:
    User.objects.create_superuser("chief", password=PASSWORD)
    page.goto(f"{live_server.url}/accounts/login/")
    page.locator("input[name=username]").fill("chief")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{live_server.url}/")


def test_log_in_by_keyboard(page: Page, live_server: LiveServer) -> None:
    log_in(page, live_server)
    assert [
        cookie["name"] for cookie in page.context.cookies() if cookie["name"] == "sessionid"
    ] == ["sessionid"]


def test_log_in_works_without_javascript(plain_page: Page, live_server: LiveServer) -> None:
    log_in(plain_page, live_server)


@pytest.mark.costly
def test_a_public_page_gets_the_tabs_of_the_arbiter_until_the_log_out(
    page: Page, live_server: LiveServer
) -> None:
    log_in(page, live_server)
    tournament = factories.make_ready(User.objects.get(username="chief"), players=4, rounds=2)
    # The library comes last on a slow network.
    page.route("**/htmx*.js", late)
    page.goto(f"{live_server.url}/t/{tournament.slug}/standings/")
    expect(page.locator(".tabs.pages [aria-current]")).to_have_text("Standings")
    expect(page.locator("#event-tabs").get_by_role("link", name="Now", exact=True)).to_be_visible()
    expect(page.locator("body[data-keys-work]")).to_be_attached()
    page.keyboard.press("g")
    expect(page.locator("#keys-hint")).to_contain_text("Now")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url(f"{live_server.url}/")
    page.goto(f"{live_server.url}/t/{tournament.slug}/standings/")
    expect(page.get_by_role("link", name="Log in")).to_be_visible()
    expect(page.get_by_role("button", name="Log out")).to_have_count(0)


def test_an_inline_script_is_refused(browser: Browser, live_server: LiveServer) -> None:
    page = browser.new_page()
    page.goto(f"{live_server.url}/accounts/login/")
    title = page.title()
    page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "document.title = 'taken over'";
            document.head.append(script);
        }"""
    )
    assert page.title() == title != "taken over"
    page.close()
