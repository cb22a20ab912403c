"""The pages that a phone opens first leave out static/css/controls.css,
and nothing on them needs it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tests.tournaments.web.test_every_public_page import address, on_site
from tournaments.events.sections import event_create
from tournaments.models import Tournament

__all__ = ["on_site"]
STATIC = Path(settings.BASE_DIR, "static")
STYLES = "css/controls.css"
FIRST_PAGES: dict[str, list[int | str]] = {
    "tournament": [],
    "me": [],
    "follow": [],
    "pairings-public": [2],
    "standings": [],
    "players": [],
    "player-page": ["player 1"],
    "live-results": [],
}
SCRIPTS = ("app", "common", "follow", "me", "names", "news", "offline", "push")


def parts_of(html: str) -> set[str]:
    """Return the tags, classes, ids and attributes of a page, as selectors name them."""
    found = set(re.findall(r"<([a-z][a-z0-9]*)", html))
    found |= {
        f".{name}" for names in re.findall(r'class="([^"]*)"', html) for name in names.split()
    }
    found |= {f"#{name}" for name in re.findall(r'\sid="([^"]*)"', html)}
    return found | {f"[{attribute}]" for attribute in re.findall(r'\s([a-z-]+="[^"]*")', html)}


def parts_of_scripts() -> set[str]:
    """Return the classes that the scripts of these pages give to what they make."""
    text = "".join((STATIC / f"js/{name}.js").read_text() for name in SCRIPTS)
    names = re.findall(r'class(?:Name|List)\b[^;\n]*?"([\w -]+)"', text)
    return {f".{name}" for each in names for name in each.split()}


def needed_by(selector: str) -> set[str]:
    """Return what a page must have at least, so that *selector* finds something on it;
    what ``:is()``, ``:not()`` and ``:has()`` ask for does not count.
    """
    plain = re.sub(r"::?[a-z-]+", "", selector)
    attributes = set(re.findall(r"\[[^\]]*\]", plain))
    plain = re.sub(r"\[[^\]]*\]", "", plain)
    return attributes | set(re.findall(r"[.#]?[a-zA-Z][\w-]*", plain)) - {"html"}


def selectors(styles: str) -> list[str]:
    """Return the selectors of *styles*, those within a condition too."""
    no_rule = r"/\*.*?\*/|@(?:media|container)[^{]*\{|@keyframes [^{]*\{[^}]*\}\s*\}"
    text = re.sub(no_rule, "", styles, flags=re.DOTALL)
    text = re.sub(r":[a-z-]+\((?:[^()]|\([^()]*\))*\)", "", text)
    heads = [head.strip() for head in re.findall(r"([^{}]*)\{", text)]
    return [each.strip() for head in heads if head[0] != "@" for each in head.split(",")]


@pytest.mark.costly
def test_nothing_on_the_pages_that_a_phone_opens_first_needs_the_second_styles(
    on_site: Tournament,
    client: Client,
    chief_arbiter: User,
) -> None:
    event = event_create(
        tournament_id=on_site.pk, name="City", label="A", actor=chief_arbiter, now=factories.NOW
    )
    tournament = Tournament.objects.get(pk=on_site.pk)
    found = {name: address(tournament, name, numbers) for name, numbers in FIRST_PAGES.items()}
    found |= {"home": f"{reverse('home')}?all", "event": reverse("event", args=[event.slug])}
    found |= {"event-me": reverse("event-me", args=[event.slug])}
    rules = {each: needed_by(each) for each in selectors((STATIC / STYLES).read_text())}
    assert len(rules) > 50
    by_scripts = parts_of_scripts()
    for name, url in found.items():
        page = client.get(url).content.decode()
        assert STYLES not in page, name
        parts = parts_of(page) | by_scripts
        assert [rule for rule, needed in rules.items() if needed <= parts] == [], name
    # Every other page has them, and an arbiter has them everywhere.
    assert STYLES in client.get(reverse("login")).content.decode()
    assert STYLES in client.get(reverse("record", args=[tournament.slug])).content.decode()
    client.force_login(chief_arbiter)
    own = reverse("own-part", args=[tournament.slug])
    assert STYLES in client.get(own, {"on": "me", "section": "me"}).content.decode()
    for url in (found["home"], found["event"]):
        assert STYLES in client.get(url).content.decode(), url
