"""The actions of an arbiter in the browser, for use in tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect

PASSWORD = "correct horse battery"


class Arbiter:
    """An arbiter with *page* open on *site*; ``slug`` is the current tournament."""

    def __init__(self, page: Page, site: str, *, name: str = "chief") -> None:
        self.page = page
        self.site = site
        self.slug = ""
        user, made = User.objects.get_or_create(username=name)
        if made:
            user.set_password(PASSWORD)
            user.save()
        self.user = user
        self.name = name

    def log_in(self) -> None:
        """Log in without the form, which costs two pages; :meth:`log_in_by_form` uses it."""
        client = Client()
        client.force_login(self.user)
        cookie = {
            "name": settings.SESSION_COOKIE_NAME,
            "value": client.cookies[settings.SESSION_COOKIE_NAME].value,
        }
        mark = {"name": "signed_in", "value": "1", "url": self.site}
        self.page.context.add_cookies(
            [{**cookie, "url": self.site, "httpOnly": True, "sameSite": "Lax"}, mark]
        )

    def log_in_by_form(self) -> None:
        self.page.goto(f"{self.site}/accounts/login/")
        self.fill_log_in()
        self.page.wait_for_url(f"{self.site}/")

    def fill_log_in(self) -> None:
        self.page.locator("input[name=username]").fill(self.name)
        self.page.locator("input[name=password]").fill(PASSWORD)
        self.page.get_by_role("main").get_by_role("button", name="Log in").click()

    def open(self, path: str = "desk/") -> None:
        """Open a page of the current tournament."""
        self.page.goto(f"{self.site}/t/{self.slug}/{path}")

    def go(self, tab: str, page: str = "") -> None:
        """Follow a tab, and then a *page* of its second line."""
        menu = self.page.locator("#event-tabs")
        menu.get_by_role("link", name=tab).first.click()
        if page:
            second = self.page.locator(":is(.tabs.pages, .side-list)")
            second.get_by_role("link", name=page, exact=True).click()

    def press(self, name: str) -> None:
        """Press the button or follow the link with that name in the main part of the page."""
        main = self.page.get_by_role("main")
        main.get_by_role("button", name=name, exact=True).or_(
            main.get_by_role("link", name=name, exact=True)
        ).first.click()

    def expect_message(self, text: str) -> None:
        """Expect *text* among the messages of the page."""
        expect(self.page.locator("#messages")).to_contain_text(text)

    def set_up(self, name: str, rounds: int, *, system: str = "") -> None:
        self.page.goto(f"{self.site}/new/")
        self.page.get_by_label("Name", exact=True).fill(name)
        self.page.get_by_label("Number of rounds").fill(str(rounds))
        if system:
            self.page.locator("summary").filter(has_text="Pairing system").click()
            self.page.get_by_label(system).check()
        self.press("Create tournament")
        self.expect_message("The tournament is created.")
        self.slug = self.page.url.split("/t/")[1].split("/")[0]

    def bring_in(self, csv: str) -> None:
        """Import a list of players: open the preview, then enter it."""
        self.open("entries/import/")
        self.page.locator("input[type=file]").set_input_files(
            [{"name": "players.csv", "mimeType": "text/csv", "buffer": csv.encode()}]
        )
        self.press("Preview")
        count = len(csv.strip().splitlines()) - 1
        self.press("Import the ticked rows")
        self.expect_message(f"{count} players are entered.")

    def prepare(self) -> None:
        """Confirm pairing numbers and initial colour on the page that the desk leads to;
        the list stays open.
        """
        self.open()
        self.press("Numbers, colour and list")
        self.page.get_by_label("Close the list").uncheck()
        self.press("Confirm")
        self.expect_message("Numbers and initial colour are confirmed.")

    def pair(self, number: int) -> None:
        self.open()
        # Games adjourned before the last round are acknowledged [C.04.2/2026 3.1].
        if (older := self.page.get_by_label("Games adjourned before the last round")).count():
            older.check()
        self.press(f"Pair round {number}")
        self.expect_message(f"Round {number} is paired.")
        expect(self.page.get_by_role("main")).to_contain_text("Draft: only arbiters can see it.")

    def publish(self, number: int) -> None:
        self.press("Publish pairings")
        self.expect_message(f"The pairings of round {number} are published.")

    def type_results(self, number: int, keys: Sequence[str]) -> None:
        """Press one key per game, from board 1 on, without a pause;
        wait until all results are saved.

        Rare results are letters of the menu, which a full stop opens.
        """
        self.open(f"rounds/{number}/results/")
        expect(self.page.locator("tr.current")).to_have_attribute("data-board", "1")
        for key in keys:
            if key.isalpha():
                self.page.keyboard.press(".")
            self.page.keyboard.press(key)
        expect(self.page.locator("#save-state")).to_have_text("✓ all saved")
        expect(self.page.locator("#entered")).to_have_text(str(len(keys)))

    def end_adjourned_game(self, number: int, board: int) -> None:
        """Enter a draw for an adjourned game of a round whose results are published."""
        self.open(f"rounds/{number}/results/")
        self.page.keyboard.press("/")
        self.page.keyboard.type(str(board))
        self.page.keyboard.press("Enter")
        expect(self.page.locator("tr.current")).to_have_attribute("data-board", str(board))
        self.page.keyboard.press("=")
        expect(self.page.locator(f"#board-{board}")).to_have_attribute("data-result", "==")
        expect(self.page.locator("#save-state")).to_have_text("✓ all saved")

    def publish_results(self, number: int) -> None:
        self.press("Publish results")
        self.expect_message(f"The results of round {number} are published.")

    def download_report(self, folder: Path) -> Path:
        """Download the report file (TRF) from the arbiter's report into *folder*."""
        self.open("report/")
        with self.page.expect_download() as wait:
            self.press("TRF file (FIDE report)")
        path = folder / wait.value.suggested_filename
        wait.value.save_as(path)
        return path


def cut_off(page: Page, address: str) -> None:
    """Let requests for *address* (a pattern) fail in the page that is opened next.

    An open page takes it over a moment later: on a busy machine its next request may still reach
    the server.
    """
    page.route(address, lambda route: route.abort())
