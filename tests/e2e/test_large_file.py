"""A large TRF file in the browser: the page follows the work by itself,
and without JavaScript by a link.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.tournaments.lists.imports.test_large_trf import file_of
from tests.tournaments.long_work import do, queued
from tournaments.models import Job, Tournament, TrfOpening
from tournaments.web.imports import tournaments as page_of_imports

from .arbiter import Arbiter

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def all_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file counts as large, and the test does the work of the runner."""
    monkeypatch.setattr(page_of_imports, "LARGE", 0)


def work() -> None:
    do("trf", TrfOpening.objects.get().pk)


def choose(page: Page, live_server: LiveServer, folder: Path) -> None:
    path = folder / "event.trf"
    path.write_bytes(file_of(11))
    Arbiter(page, live_server.url).log_in()
    page.goto(f"{live_server.url}/import/")
    page.set_input_files("input[type=file]", path)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("main")).to_contain_text("The file is being read")


@pytest.mark.costly
def test_the_page_follows_the_work(page: Page, live_server: LiveServer, tmp_path: Path) -> None:
    choose(page, live_server, tmp_path)
    Job.objects.filter(kind="trf").update(progress={"done": 2})
    expect(page.get_by_role("main")).to_contain_text("Computing the ranks again")
    work()
    page.get_by_role("button", name="Import the tournament").click()
    expect(page.get_by_role("main")).to_contain_text("The tournament is being imported")
    work()
    page.wait_for_url(f"{live_server.url}/t/{Tournament.objects.get().slug}/desk/")
    expect(page.locator("body")).to_contain_text("The tournament was imported from the file.")


def test_without_javascript_a_link_shows_the_progress_and_a_button_cancels(
    plain_page: Page, live_server: LiveServer, tmp_path: Path
) -> None:
    page = plain_page
    choose(page, live_server, tmp_path)
    work()
    page.get_by_role("link", name="Show progress").click()
    page.get_by_role("button", name="Import the tournament").click()
    expect(page.get_by_role("main")).to_contain_text("The tournament is being imported")
    page.get_by_role("button", name="Cancel the import").click()
    expect(page.locator("body")).to_contain_text("The file was closed. Nothing was saved.")
    assert queued("trf") == []
    assert not Tournament.objects.exists()
    assert not TrfOpening.objects.exists()
