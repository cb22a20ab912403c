"""The pages for arbiters under Help, in both languages."""

import re

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from tournaments.web.help_pages import PAGES

pytestmark = pytest.mark.django_db
LANGUAGES = ("en", "fr")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_complete_and_its_links_and_pictures_exist(
    client: Client, name: str, language: str
) -> None:
    response = client.get(reverse("help-page", args=[name]), headers={"Accept-Language": language})
    text = response.content.decode()
    assert (response.status_code, f'<html lang="{language}">' in text) == (200, True)
    article = text.partition('<article class="help">')[2].partition("</article>")[0]
    assert article.count("<h1") == 1
    assert ".md" not in article
    for address in re.findall(r'<a href="(/help/[^"#]*)', article):
        assert client.get(address).status_code == 200
    for picture in re.findall(r'src="/static/([^"]+)"', article):
        assert finders.find(picture), picture


def test_the_first_page_lists_all_pages(client: Client) -> None:
    text = client.get(reverse("help")).content.decode()
    assert [name for name in PAGES if reverse("help-page", args=[name]) not in text] == []


def test_every_document_for_arbiters_is_in_the_help() -> None:
    folder = settings.BASE_DIR / "docs" / "arbiter" / "en"
    assert sorted(PAGES) == sorted(path.stem for path in folder.glob("*.md"))


def test_every_page_leads_to_the_help(client: Client) -> None:
    assert f'href="{reverse("help")}"' in client.get(reverse("home")).content.decode()


def test_an_unknown_page_is_a_404(client: Client) -> None:
    for name in ("operations", "x", "..%2Foperations"):
        assert client.get(f"/help/{name}/").status_code == 404


def test_a_signed_in_reader_gets_a_page_that_is_not_stored(
    client: Client, chief_arbiter: object
) -> None:
    assert "no-store" not in client.get(reverse("help")).headers.get("Cache-Control", "")
    client.force_login(chief_arbiter)  # type: ignore[arg-type]
    assert "no-store" in client.get(reverse("help")).headers["Cache-Control"]
