"""Public pages are in all languages; those of arbiters in two, never in a mixture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client, override_settings
from django.urls import reverse
from django.utils.translation import gettext, override

from tests.conftest import forget_pages
from tests.tournaments import factories
from tests.tournaments.web.test_access_pages import EVERYBODY, PUBLIC_FILES
from tests.tournaments.web.test_every_public_page import OPEN_PAGES, OTHER_PAGES, address, on_site
from tests.tournaments.web.test_stored_pages import is_made, pair_and_publish
from tools.messages import collect, forms, public_part
from tournaments.models import Tournament
from tournaments.web.language import PUBLIC

__all__ = ["on_site"]

ONLY_PUBLIC = [code for code, _ in settings.LANGUAGES if code not in settings.ARBITER_LANGUAGES]
FOR_ARBITERS_LANGUAGES = {
    *("record", "fingerprints", "record-file", "against-engine", "trf-export"),
    *("published-lists", "published-list", "why-public", "help", "help-page"),
    *("names", "news", "offline-worker", "round-code", "screen-news", "logo"),
}
"""Public pages with long texts about rules and proof, and files without words."""
OF_OTHERS = {"event", "event-me", "event-prizes"} | {
    *("self-check-in", "self-check-in-confirm", "table-report"),
    *("kiosk", "kiosk-board", "register", "event-register", "registered"),
    *("registered-correct", "screen", "mistake", "table-mistake"),
    "pairing-mail",
}
"""Pages for players that are not in EVERYBODY, as they need more than the name of a tournament."""
MARK = "⟦"


def test_each_public_page_is_in_all_languages_or_is_named_here() -> None:
    players_read = (EVERYBODY | PUBLIC_FILES | OF_OTHERS) - FOR_ARBITERS_LANGUAGES
    assert players_read == PUBLIC, (
        f"{sorted(PUBLIC ^ players_read)}: a page for players is in PUBLIC of "
        "tournaments/web/language.py, with its template in PUBLIC_FILES of tools/messages.py; one "
        "in English and French only is in FOR_ARBITERS_LANGUAGES of this file."
    )
    assert EVERYBODY | PUBLIC_FILES >= FOR_ARBITERS_LANGUAGES


@pytest.mark.parametrize("code", ONLY_PUBLIC)
def test_a_public_page_is_in_the_language_of_the_browser(
    code: str, on_site: Tournament, client: Client
) -> None:
    url = reverse("standings", args=[on_site.slug])
    for _time in ("first", "from the store"):
        page = client.get(url, headers={"Accept-Language": f"{code}-XX,{code};q=0.9,en;q=0.5"})
        assert page.headers["Content-Language"] == code
        assert f'<html lang="{code}"' in page.content.decode()
    english = client.get(url, headers={"Accept-Language": "en"}).content.decode()
    assert '<html lang="en"' in english
    for other, name in settings.LANGUAGES[1:]:
        assert f'href="/language/{other}/?next={url}">{name}</a>' in english, other


@pytest.mark.parametrize(
    "accepted, language",
    [("de", "en"), ("de,fr;q=0.8,en;q=0.5", "fr"), ("uk,en-GB", "en"), ("french-word,pl", "en")],
)
def test_a_page_of_arbiters_is_in_one_of_their_languages(
    accepted: str, language: str, on_site: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    for name in ("desk", "record", "entries"):
        page = client.get(reverse(name, args=[on_site.slug]), headers={"Accept-Language": accepted})
        assert page.headers["Content-Language"] == language, name
        assert f'<html lang="{language}"' in page.content.decode()
        assert 'href="/language/pl/' not in page.content.decode()


def test_a_reader_who_chose_a_language_keeps_it_on_public_pages_only(
    on_site: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    client.get(reverse("language", args=["it"]))
    standings = client.get(reverse("standings", args=[on_site.slug]))
    assert standings.headers["Content-Language"] == "it"
    desk = client.get(reverse("desk", args=[on_site.slug]))
    assert desk.headers["Content-Language"] == "en"


@override_settings(LANGUAGE_CODE="pl")
def test_a_site_may_have_a_language_that_only_public_pages_have(
    on_site: Tournament, chief_arbiter: User, client: Client
) -> None:
    url = reverse("standings", args=[on_site.slug])
    assert client.get(url).headers["Content-Language"] == "pl"
    client.force_login(chief_arbiter)
    assert client.get(reverse("desk", args=[on_site.slug])).headers["Content-Language"] == "en"


@pytest.mark.costly
@pytest.mark.usefixtures("publications_store_pages")
def test_a_publication_stores_lists_in_the_languages_of_arbiters_only(
    chief_arbiter: User, client: Client
) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4, rounds=2)
    for code, _name in settings.LANGUAGES:
        client.get(reverse("tournament", args=[tournament.slug]), headers={"Accept-Language": code})
    pair_and_publish(tournament, 1, chief_arbiter)
    made = {
        code
        for code, _name in settings.LANGUAGES
        if is_made(client, tournament, "pairings/1/", **{"Accept-Language": code})
    }
    assert made == set(ONLY_PUBLIC)
    assert not is_made(client, tournament, "pairings/1/", **{"Accept-Language": "de"})


@pytest.fixture
def marked(tmp_path: Path) -> Iterator[None]:
    """A catalogue in which all messages that public languages do not have are marked."""
    everything = collect()
    ours = public_part(everything)
    catalogue = Catalog(locale="de")
    for message in everything:
        if message.id:
            texts = forms(message.id)
            is_ours = ours.get(texts[0], message.context) is not None
            shown = texts if is_ours else [f"{MARK}{text}" for text in texts]
            string = tuple(shown) if len(shown) > 1 else shown[0]
            catalogue.add(message.id, string, context=message.context)
    path = tmp_path / "de" / "LC_MESSAGES"
    path.mkdir(parents=True)
    with (path / "django.mo").open("wb") as file:
        write_mo(file, catalogue)
    with override_settings(LOCALE_PATHS=[tmp_path]):
        with override("de"):
            assert gettext("Undo").startswith(MARK)
            assert gettext("Standings") == "Standings"
        forget_pages()
        yield
    forget_pages()


@pytest.mark.costly
@pytest.mark.usefixtures("marked")
def test_public_pages_show_no_message_that_their_languages_lack(
    on_site: Tournament, client: Client
) -> None:
    german = {"Accept-Language": "de"}
    record = client.get(reverse("record", args=[on_site.slug]), headers=german).content.decode()
    assert MARK not in record, "it is in English"
    urls = [
        address(on_site, name, numbers)
        for name, numbers in (OPEN_PAGES | OTHER_PAGES).items()
        if name in PUBLIC
    ]
    for url in [reverse("home"), *urls]:
        page = client.get(url, headers=german)
        assert page.status_code == 200, url
        words = page.content.decode()
        found = words.partition(MARK)[2][:80]
        assert not found, f"{url}: {found}: add it or its file to tools/messages.py"
