"""The name field of the entry form searches the rating list: typing, arrow keys, Enter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.tournaments import factories
from tests.tournaments.lists.rating_lists.conftest import text_list
from tournaments.lists.rating_lists.loading import list_begin, list_load
from tournaments.models import Entry

from .arbiter import Arbiter
from .test_accessibility import faults

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def listed(settings: Any, tmp_path: Path) -> None:
    settings.RATING_LISTS_DIR = tmp_path / "lists"
    (tmp_path / "list.txt").write_bytes(text_list())
    row = list_begin(actor=None, now=factories.NOW, origin="list.txt")
    list_load(list_id=row.pk, source=tmp_path / "list.txt", clock=lambda: factories.NOW)


def opened(page: Page, live_server: LiveServer) -> Arbiter:
    chief = Arbiter(page, live_server.url)
    chief.slug = factories.make_tournament(chief.user).slug
    chief.log_in()
    chief.open("entries/add/")
    return chief


def test_a_few_letters_enter_and_enter_add_a_player(
    page: Page, live_server: LiveServer, listed: None
) -> None:
    opened(page, live_server)
    field = page.get_by_label("Name", exact=True)
    page.get_by_label("Club").fill("Mat")
    field.focus()
    page.keyboard.type("bran")
    options = page.locator("#hits button")
    expect(options).to_have_count(2)
    expect(page.locator("#hits-count")).to_have_text("2 players in the rating list")
    assert faults(page) == []
    page.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(field).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_label("FIDE ID")).to_have_value("2000032")
    expect(page.get_by_label("Club")).to_have_value("Mat")
    expect(page.get_by_role("button", name="Save", exact=True).last).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#messages")).to_contain_text("Łukasiewicz-Brandt, Zoë Ann is entered.")
    assert Entry.objects.get(fide_id=2000032).fide_rating == 1834


def test_enter_typed_before_the_hits_arrive_takes_the_first(
    page: Page, live_server: LiveServer, listed: None
) -> None:
    opened(page, live_server)
    page.get_by_label("Name", exact=True).focus()
    page.keyboard.type("2000040")
    page.keyboard.press("Enter")
    expect(page.locator("#id_name")).to_have_value("O'Hara, Séan")


def test_a_name_that_is_in_no_list_is_saved_as_typed(
    page: Page, live_server: LiveServer, listed: None
) -> None:
    opened(page, live_server)
    page.get_by_label("Name", exact=True).focus()
    page.keyboard.type("Zzyzx, Nobody")
    page.keyboard.press("Enter")
    expect(page.locator("#messages")).to_contain_text("Zzyzx, Nobody is entered.")


def test_escape_keeps_what_was_typed(page: Page, live_server: LiveServer, listed: None) -> None:
    opened(page, live_server)
    page.get_by_label("Name", exact=True).focus()
    page.keyboard.type("Brandt")
    expect(page.locator("#hits button")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator("#hits button")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator("#messages")).to_contain_text("Brandt is entered.")


def test_without_javascript_a_button_shows_the_hits(
    plain_page: Page, live_server: LiveServer, listed: None
) -> None:
    opened(plain_page, live_server)
    plain_page.locator("#id_name").fill("sean o")
    plain_page.get_by_role("button", name="Search the rating list").click()
    plain_page.get_by_role("button", name="O'Hara, Séan").click()
    expect(plain_page.get_by_label("FIDE ID")).to_have_value("2000040")


@pytest.mark.costly
@pytest.mark.parametrize(
    "width, scheme, language", [(1280, "light", "en"), (768, "dark", "en"), (360, "dark", "fr")]
)
def test_the_pages_of_rating_lists_and_of_the_venue_are_accessible_and_fit(
    browser: Browser, live_server: LiveServer, listed: None, width: int, scheme: Any, language: str
) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    chief = Arbiter(page, live_server.url)
    chief.slug = factories.make_ready(chief.user).slug
    User.objects.filter(pk=chief.user.pk).update(is_staff=True)  # may load lists
    Entry.objects.filter(tournament__slug=chief.slug, tpn=1).update(fide_id=2000016)
    list_begin(
        actor=None,
        now=timezone.now(),
        origin="https://ratings.fide.com/download/players_list_xml.zip",
    )
    chief.log_in()
    page.goto(f"{live_server.url}/language/{language}/")
    found: dict[str, list[str]] = {}
    for path in (
        "/venue/",
        "/rating-lists/",
        f"/t/{chief.slug}/ratings/",
        f"/t/{chief.slug}/entries/add/",
    ):
        page.goto(live_server.url + path)
        if path.endswith("add/"):
            page.locator("#id_name").press_sequentially("bran")
            expect(page.locator("#hits button")).to_have_count(2)
        if path == "/venue/":
            # What the browser found out: it is on the server's machine, so the clock cannot differ.
            expect(page.locator("#browser")).to_have_attribute("data-level", "good")
            checked = (
                page.locator("[data-level=check]").count()
                + page.locator("[data-level=problem]").count()
            )
            counts = [int(each) for each in page.locator("[data-count]").all_inner_texts()]
            assert (sum(counts), counts[2]) == (10, 10 - checked)
        found[path] = faults(page)
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found[path].append("wider than the screen")
    context.close()
    assert {path: faulty for path, faulty in found.items() if faulty} == {}
