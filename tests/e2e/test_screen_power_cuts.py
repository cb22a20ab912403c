"""A screen through an hour of a round, of a server of its own, whose power fails three times."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.live.conftest import SLUG, database, operators, prepared, site
from tests.live.desk import Operator
from tests.live.server import Site

from .test_hall_screens import CUT, measure

__all__ = ["database", "operators", "prepared", "site"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

STEP: Final = 3_000
"""Milliseconds of the page's clock that pass at once."""


class Hall:
    """The screen, and an arbiter who sends it a message every minute of its clock."""

    def __init__(self, page: Page, site: Site, chief: Operator) -> None:
        self.page, self.site, self.chief = page, site, chief
        self.minute = 0

    def post(self, path: str, **form: str) -> None:
        self.chief.request("GET", f"/t/{SLUG}/screens/")
        token = {"csrfmiddlewaretoken": self.chief.cookies["csrftoken"]}
        assert self.chief.request("POST", f"/t/{SLUG}/{path}", form | token).status == 302, path

    def pass_minutes(self, count: int) -> None:
        for _ in range(count):
            self.minute += 1
            if self.site.process is not None:
                text = f"Minute {self.minute}" if self.minute % 2 else ""
                self.post("screens/message/", message=text)
            for _ in range(60_000 // STEP):
                self.page.clock.run_for(STEP)
                self.page.wait_for_timeout(10)  # real time, in which the server answers
            assert self.page.evaluate(CUT) == []

    def cut_the_power(self, minutes: int) -> None:
        """Kill the server for some minutes: the last page stays and turns, with its time."""
        shown = self.page.locator(".slide").count()
        self.site.kill()
        self.pass_minutes(minutes)
        expect(self.page.locator(".lost")).to_have_text(
            re.compile(r"No connection: as of \d\d:\d\d")
        )
        assert self.page.locator(".slide").count() == shown
        self.site.start()
        self.pass_minutes(2)
        expect(self.page.locator(".lost")).to_be_hidden()

    def play(self, number: int, result: str) -> None:
        """Enter all results of a round, publish them, and draft and publish the next."""
        for board in self.chief.boards(SLUG, number).values():
            assert self.chief.enter(board, result, on_loss=pytest.fail).status == 200
        self.do(f"{number}/results/publish/")
        self.pass_minutes(1)
        expect(self.page.locator(f'.slide[data-about$="-{number}"] h1').first).to_be_attached()
        self.do(f"{number + 1}/pair/")
        self.pass_minutes(2)
        draft = f"Round {number + 1}: pairings"
        assert draft not in self.page.content()
        self.do(f"{number + 1}/publish/")
        self.pass_minutes(1)
        assert draft in self.page.content()

    def do(self, path: str) -> None:
        assert self.chief.do(f"/t/{SLUG}/rounds/{path}").status == 302, path


def test_an_hour_with_power_cuts_costs_no_memory(
    page: Page, site: Site, operators: list[Operator]
) -> None:
    hall = Hall(page, site, operators[0])
    hall.post(
        "screens/add/", name="Hall", contents="boards", size="normal", is_dark="yes",
        seconds="10", language="en",
    )  # fmt: skip
    listed = hall.chief.request("GET", f"/t/{SLUG}/screens/").text
    found = re.search(r"/screen/(\w{8})/", listed)
    assert found
    page.clock.install(time=datetime(2026, 11, 28, 14, 0, tzinfo=UTC))
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"http://127.0.0.1:{site.port}/screen/{found[1]}/")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    hall.play(1, "10")
    hall.cut_the_power(2)
    before = measure(page, session)
    hall.pass_minutes(15)
    hall.cut_the_power(5)
    hall.pass_minutes(5)
    hall.play(2, "==")
    hall.cut_the_power(10)
    hall.pass_minutes(60 - hall.minute)
    after = measure(page, session)
    assert [more <= 1.1 * less for less, more in zip(before, after, strict=True)] == [True, True]
