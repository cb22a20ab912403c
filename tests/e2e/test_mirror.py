"""A mirror in the browser: checked, live, and suspicious of changed files."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, Route, expect
from pytest_django import Settings

from tests.tournaments import factories
from tests.tournaments.site.mirrors.conftest import (
    EventMirror,
    MirrorOf,
    make_event_mirror,
    make_mirror,
)

from .test_accessibility import faults
from .test_phone import too_small, too_wide

pytestmark = pytest.mark.django_db(transaction=True)

SCRIPT_OF_MY_BOARD = re.compile(r"/me\b[^/]*\.js")


class Quiet(SimpleHTTPRequestHandler):
    def send_head(self) -> Any:
        """Send every file whole: a test writes two versions within a second,
        and this server tells files by it.
        """
        del self.headers["If-Modified-Since"]
        return super().send_head()

    def log_message(self, *arguments: Any) -> None:
        pass


@pytest.fixture
def web_space(tmp_path: Path) -> Iterator[str]:
    """Serve the folder of the mirror as any web server would; return its address."""
    with ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Quiet, directory=tmp_path / "synced")
    ) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def chief() -> User:
    return User.objects.create_user("chief", password="chief-secret")


@pytest.fixture
def mirror(chief: User, settings: Settings, tmp_path: Path) -> MirrorOf:
    tournament = factories.make_ready(chief, players=6)
    factories.play_rounds(tournament, [1], chief)
    found = make_mirror(tournament, settings, tmp_path)
    found.run()
    return found


@pytest.fixture
def event(chief: User, settings: Settings, tmp_path: Path) -> EventMirror:
    found = make_event_mirror(chief, settings, tmp_path)
    found.run_all()
    return found


def publish_round_2(mirror: MirrorOf) -> None:
    factories.pair_and_publish(mirror.tournament, 2, User.objects.get())
    mirror.run()


def put(path: Path, content: bytes) -> None:
    """Write *content* with a time of its own: the server knows
    files by the second of their last change.
    """
    seconds = path.stat().st_mtime + 5
    path.write_bytes(content)
    os.utime(path, (seconds, seconds))


def look_again(page: Page) -> None:
    """As after a look at another page of the browser."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


@pytest.mark.costly
def test_visitors_read_a_checked_page_and_see_the_next_version(
    phone: Page, mirror: MirrorOf, web_space: str
) -> None:
    root = f"{web_space}/{mirror.tournament.slug}/"
    held: list[Route] = []
    phone.route(SCRIPT_OF_MY_BOARD, lambda route: held.append(route))
    phone.goto(root)
    state = phone.locator("#mirror")
    expect(state).to_contain_text("Checked: signed by the site with the key")
    expect(phone).to_have_url(f"{root}a/en/index.html")
    assert (faults(phone), too_wide(phone), too_small(phone)) == ([], [], [])
    # My board
    player = factories.entry_of(mirror.tournament, 3)
    with phone.expect_request(SCRIPT_OF_MY_BOARD):
        phone.goto(f"{root}me.html", wait_until="commit")
    phone.get_by_role("searchbox").fill(player.name)  # before the script is there
    held.pop().continue_()
    phone.unroute(SCRIPT_OF_MY_BOARD)
    phone.route(f"**/player-{player.pk}.html", lambda route: route.fulfill(status=429))
    phone.get_by_role("button", name=player.name).tap()
    expect(phone.locator("#me-status")).to_contain_text("Your choice is kept")
    phone.unroute(f"**/player-{player.pk}.html")
    look_again(phone)
    expect(phone.locator("#me-player")).to_contain_text(player.name)
    # The next round is published: the open page goes on to it, and says so.
    publish_round_2(mirror)
    look_again(phone)
    expect(phone).to_have_url(f"{root}b/en/me.html")
    expect(phone.locator("#news")).to_contain_text("The pairings of round 2 are published")
    expect(phone.locator("#me-player")).to_contain_text("Round 2")
    phone.locator("#news").get_by_role("link").tap()
    expect(phone).to_have_url(f"{root}b/en/pairings-2.html")
    expect(state).to_contain_text("Checked")
    phone.locator("table").get_by_role("link", name=player.name).first.tap()
    expect(phone).to_have_url(f"{root}b/en/player-{player.pk}.html")
    expect(state).to_contain_text("Checked")
    phone.go_back()
    phone.locator(".language-now").tap()
    expect(phone.locator(".language-now + ul li")).to_have_count(1)  # a mirror has two languages
    phone.get_by_role("link", name="Français").tap()
    expect(phone).to_have_url(f"{root}b/fr/pairings-2.html")
    expect(state).to_contain_text("Vérifié")


@pytest.mark.costly
def test_the_time_of_a_mirror_is_that_of_the_site_wherever_the_phone_is(
    settings: Settings, request: pytest.FixtureRequest, phone: Page
) -> None:
    settings.TIME_ZONE = "Pacific/Auckland"
    mirror: MirrorOf = request.getfixturevalue("mirror")
    phone.goto(f"{request.getfixturevalue('web_space')}/{mirror.tournament.slug}/")
    expect(phone.locator("#mirror")).to_contain_text("on the mirror since 21 Nov, 22:00")


@pytest.mark.costly
def test_what_was_changed_or_is_older_is_not_verified(
    page: Page, mirror: MirrorOf, web_space: str
) -> None:
    root = f"{web_space}/{mirror.tournament.slug}/"
    old = mirror.files
    publish_round_2(mirror)
    page.goto(f"{root}a/en/standings.html")  # a link of the version before
    state = page.locator("#mirror")
    expect(page).to_have_url(f"{root}b/en/standings.html")
    expect(state).to_contain_text("Checked")
    path = mirror.root / "b/en/standings.html"
    put(path, path.read_bytes().replace(b"Player 1", b"Player 7"))
    page.reload()
    expect(state).to_contain_text("Not verified: this page is not the one that was signed")
    manifest = mirror.root / "manifest.json"
    newest = manifest.read_bytes()
    put(manifest, newest.replace(b'pairings\\":2', b'pairings\\":1'))
    page.reload()
    expect(state).to_contain_text("Not verified: the signature of this mirror is wrong")
    put(manifest, old["manifest.json"])
    page.reload()
    expect(state).to_contain_text("Not verified: this device has seen a newer version")
    page.route("**/manifest.json", lambda route: route.abort())
    page.reload()
    expect(state).to_contain_text("Not verified: the mirror could not be reached")


def test_a_mirror_works_without_javascript(
    plain_page: Page, mirror: MirrorOf, web_space: str
) -> None:
    plain_page.goto(f"{web_space}/{mirror.tournament.slug}/")
    plain_page.get_by_role("link", name="English").click()
    plain_page.get_by_role("link", name="Pairings of round 1").click()
    expect(plain_page.get_by_role("heading", name="Round 1")).to_be_visible()
    expect(plain_page.locator("#mirror")).to_contain_text("This page is a mirror")


@pytest.mark.costly
def test_visitors_of_the_mirror_of_an_event_go_to_its_sections_and_back(
    phone: Page, event: EventMirror, web_space: str
) -> None:
    root = f"{web_space}/{event.root.name}/"
    section = f"{web_space}/{event.a.root.name}/"
    phone.goto(root)
    state = phone.locator("#mirror")
    expect(state).to_contain_text("Checked: signed by the site with the key")
    expect(phone).to_have_url(f"{root}a/en/index.html")
    assert (faults(phone), too_wide(phone), too_small(phone)) == ([], [], [])
    phone.get_by_role("link", name="Pairings of round 1 Masters").tap()
    expect(phone).to_have_url(f"{section}a/en/pairings-1.html")
    expect(state).to_contain_text("Checked")
    phone.get_by_role("link", name="City Open", exact=True).tap()
    expect(phone).to_have_url(f"{root}a/en/index.html")
    # Search in all sections.
    name = factories.entry_of(event.a.tournament, 3).name
    phone.get_by_role("searchbox").fill(name.lower())
    phone.get_by_role("button", name="Find").tap()
    expect(phone).to_have_url(re.compile(rf"{root}a/en/players\.html\?q="))
    expect(state).to_contain_text("Checked")
    assert (faults(phone), too_wide(phone), too_small(phone)) == ([], [], [])
    lines = phone.locator("#players > li:visible")
    expect(lines).to_have_count(2)  # the sections have players of one name
    phone.get_by_role("searchbox").fill("nobody")
    expect(phone.get_by_text("No player matches your search.")).to_be_visible()
    phone.get_by_role("searchbox").fill("")
    expect(lines).to_have_count(10)
    phone.get_by_role("link", name=name).tap()
    expect(phone.get_by_role("heading", name=name)).to_be_visible()
    expect(state).to_contain_text("Checked")
    phone.get_by_role("link", name="City Open", exact=True).tap()
    phone.locator(".language-now").tap()
    expect(phone.locator(".language-now + ul li")).to_have_count(1)  # a mirror has two languages
    phone.get_by_role("link", name="Français").tap()
    expect(phone).to_have_url(f"{root}a/fr/index.html")
    expect(state).to_contain_text("Vérifié")


@pytest.mark.costly
def test_an_open_page_of_the_mirror_of_an_event_says_what_is_published(
    phone: Page, event: EventMirror, web_space: str
) -> None:
    root = f"{web_space}/{event.root.name}/"
    phone.goto(f"{root}a/en/index.html")
    expect(phone.locator("#mirror")).to_contain_text("Checked")
    factories.pair_and_publish(event.a.tournament, 2, User.objects.get())
    event.run_all()
    look_again(phone)
    expect(phone).to_have_url(f"{root}b/en/index.html")
    news = phone.locator("#news")
    expect(news).to_contain_text("Masters: the pairings of round 2 are published")
    news.get_by_role("link").tap()
    expect(phone).to_have_url(f"{web_space}/{event.a.root.name}/b/en/pairings-2.html")
    # A search stays what it was when the page goes on.
    phone.goto(f"{root}a/en/players.html?q=player+2")
    expect(phone).to_have_url(f"{root}b/en/players.html?q=player+2")
    expect(phone.locator("#players > li:visible")).to_have_count(2)
    path = event.root / "b/en/index.html"
    put(path, path.read_bytes().replace(b"Juniors", b"Seniors"))
    phone.goto(f"{root}b/en/index.html")
    expect(phone.locator("#mirror")).to_contain_text(
        "Not verified: this page is not the one that was signed"
    )


@pytest.mark.costly
def test_the_mirror_of_an_event_works_without_javascript(
    plain_page: Page, event: EventMirror, web_space: str
) -> None:
    plain_page.goto(f"{web_space}/{event.root.name}/")
    plain_page.get_by_role("link", name="English").click()
    plain_page.get_by_role("searchbox").fill("nobody")
    plain_page.get_by_role("button", name="Find").click()
    expect(plain_page.locator("#players > li")).to_have_count(
        10
    )  # all: the browser can search in the page
    plain_page.get_by_role("heading", name="City Open").get_by_role("link").click()
    plain_page.get_by_role("link", name="Juniors", exact=True).click()
    expect(plain_page.get_by_role("heading", name="City Open Juniors")).to_be_visible()
