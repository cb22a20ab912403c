"""What a phone keeps for the time without network: public pages only, from one version."""

from __future__ import annotations

import json
import re
from pathlib import Path

from django.contrib.auth.models import User
from django.test import Client
from django.test.utils import override_script_prefix
from django.urls import reverse
from pytest_django import Settings

from config.settings import BASE_DIR
from tests.tournaments import factories
from tests.tournaments.web.test_access_pages import EVERYBODY, MORE_FOR_ARBITERS
from tournaments.models import Tournament
from tournaments.web.offline import KEPT_PAGES, MODULES
from tournaments.web.urls import urlpatterns


def settings_of(script: str) -> dict[str, str]:
    found = re.search(r"const config = (\{.*\});", script)
    assert found
    settings: dict[str, str] = json.loads(found[1])
    return settings


def test_the_worker_may_keep_public_pages_only() -> None:
    kept = set()
    for pattern in urlpatterns:
        route = str(pattern.pattern)
        path = re.sub(
            r"<slug:\w+>", "x", re.sub(r"<int:\w+>", "7", re.sub(r"<str:\w+>", "Zy", route))
        )
        if path.startswith("t/x/") and re.match(KEPT_PAGES, path.removeprefix("t/x/")):
            kept.add(pattern.name)
    assert {
        "tournament",
        "me",
        "names",
        "offline",
        "pairings-public",
        "standings",
        "player-page",
    } <= kept
    assert kept <= EVERYBODY
    # An arbiter reads more on these, in an answer that nothing may store.
    assert kept & MORE_FOR_ARBITERS == {"crosstable", "prizes"}


def test_arbiters_get_their_versions_of_these_pages_as_no_store(
    ready: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    for name in ("crosstable", "prizes"):
        answer = client.get(reverse(name, args=[ready.slug]))
        assert "no-store" in answer.headers["Cache-Control"]


def test_the_worker_is_at_the_root_the_same_for_everybody_and_renewed_with_the_build(
    client: Client, settings: Settings
) -> None:
    answer = client.get("/offline-worker.js")
    assert answer.headers["Content-Type"] == "text/javascript"
    assert answer.headers["Cache-Control"] == "public, max-age=60"
    assert not client.cookies
    script = answer.content.decode()
    assert settings_of(script)["scope"] == "/"
    assert "js/offline_worker" in script
    assert (
        client.get(
            "/offline-worker.js", headers={"If-None-Match": answer.headers["ETag"]}
        ).status_code
        == 304
    )
    settings.VERSION = "9.9.9"
    assert client.get("/offline-worker.js").content.decode() != script
    settings.OFFLINE_PAGES = False
    assert client.get("/offline-worker.js").status_code == 404


def test_under_a_prefix_the_worker_looks_after_the_pages_there(client: Client) -> None:
    with override_script_prefix("/chess/"):
        script = client.get("/offline-worker.js").content.decode()
    assert settings_of(script)["scope"] == "/chess/"


def test_pages_name_what_is_kept_and_arbiter_pages_do_not(
    ready: Tournament, chief_arbiter: User, client: Client, settings: Settings
) -> None:
    page = client.get(reverse("tournament", args=[ready.slug])).content.decode()
    assert 'data-worker="/offline-worker.js"' in page
    assert f'<link rel="manifest" href="/t/{ready.slug}/app.webmanifest">' in page
    client.force_login(chief_arbiter)
    desk = client.get(reverse("desk", args=[ready.slug])).content.decode()
    assert "offline" not in desk
    assert "manifest" not in desk
    settings.OFFLINE_PAGES = False
    settings.VERSION = "9.9.9"  # another build, so another page
    assert 'data-worker=""' in client.get(reverse("tournament", args=[ready.slug])).content.decode()


def test_the_manifest_begins_at_my_board(chief_arbiter: User, client: Client) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4, name="Open d’été “B”")
    content = client.get(reverse("manifest", args=[tournament.slug])).json()
    assert content["name"] == "Open d’été “B”"
    assert content["start_url"] == f"/t/{tournament.slug}/me/"
    assert content["start_url"].startswith(content["scope"])


def test_all_modules_that_scripts_import_by_name_are_kept() -> None:
    scripts = (
        *("offline", "news", "me", "reader", "names", "follow"),
        *("push", "push_sync"),
    )
    texts = [Path(BASE_DIR, "static", "js", f"{name}.js").read_text() for name in scripts]
    assert {
        found
        for text in texts
        for found in re.findall(r'\bimport(?: |\()(?:.* from )?"\./(.*)"', text)
    } == set(MODULES)
