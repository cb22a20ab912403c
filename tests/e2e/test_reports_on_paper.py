"""The wide tables come out of the printer on landscape A4, the others upright."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from .arbiter import Arbiter
from .test_phone import make_event

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_crosstable_is_printed_on_landscape_a4(page: Page, live_server: LiveServer) -> None:
    chief = Arbiter(page, live_server.url)
    chief.slug = make_event(chief.user)
    wide = {}
    for path in ("crosstable", "progress", "standings"):
        page.goto(f"{live_server.url}/t/{chief.slug}/{path}/")
        paper = page.pdf(prefer_css_page_size=True)
        boxes = re.findall(rb"/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]", paper)
        wide[path] = {float(width) > float(height) for width, height in boxes}
    assert wide == {"crosstable": {True}, "progress": {True}, "standings": {False}}
