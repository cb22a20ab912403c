"""A person at the pages whose clicks and keys are counted, for test_clicks.py."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from .arbiter import Arbiter


class Person:
    """A person whose clicks and keys are counted."""

    def __init__(self, chief: Arbiter) -> None:
        self.page: Page = chief.page
        self.main = chief.page.get_by_role("main")
        self.clicks = self.keys = 0

    def click(self, target: Locator) -> None:
        target.click()
        self.page.wait_for_load_state()  # the scripts of the page that a link leads to
        self.clicks += 1

    def press_button(self, name: str) -> None:
        self.click(
            self.main.get_by_role("button", name=name, exact=True)
            .or_(self.main.get_by_role("link", name=name, exact=True))
            .first
        )

    def tab(self, name: str) -> None:
        """Follow a tab of the event or a page of its second line."""
        tabs = self.page.locator(":is(#event-tabs, .tabs.pages, .side-list)")
        self.click(tabs.get_by_role("link", name=re.compile(f"^{name}")).first)

    def choose(self, target: Locator, label: str) -> None:
        """Choose in a list: a click opens it, another one takes the line."""
        target.select_option(label=label)
        self.clicks += 2

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)
        self.keys += len(text)

    def press(self, *names: str) -> None:
        for name in names:
            self.page.keyboard.press(name)
            self.keys += 1

    def tab_to(self, target: Locator, *, within: int = 40) -> None:
        """Press Tab until *target* has the focus."""
        expect(target).to_be_visible()
        for _ in range(within):
            if target.evaluate("element => element === document.activeElement"):
                return
            self.press("Tab")
        raise AssertionError(f"{target} is not reached in {within} steps")
