"""Every setting of the form is on the page of a new tournament and on one of the settings."""

from __future__ import annotations

from html.parser import HTMLParser

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tournaments.web.setup.forms import TournamentForm
from tournaments.web.setup.settings import PARTS


def test_both_pages_have_every_setting(client: Client, chief_arbiter: User) -> None:
    client.force_login(chief_arbiter)
    event = factories.make_tournament(chief_arbiter)
    pages = [
        reverse("tournament-edit" if part == "event" else f"settings-{part}", args=[event.slug])
        for part in PARTS
    ]
    for urls in ([reverse("tournament-create")], pages):
        page = Controls()
        for url in urls:
            page.feed(client.get(url).content.decode())
        missing = TournamentForm.base_fields.keys() - page.names
        # The page asks for a reason after a discarded draft only.
        assert missing == {"reason"}, (urls, "docs/developer/add-a-setting.md: GROUPS")


class Controls(HTMLParser):
    """Collect the names of the controls of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str | None] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(dict(attrs).get("name"))
