"""Check the pages for arbiters: their labels are on the screen, and French is typeset as French."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from tools.sheet_pictures import OVER, PAIRED
from tournaments.web.printing.kinds import KINDS

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "arbiter"
CATALOGUE = ROOT / "locale" / "fr" / "LC_MESSAGES" / "django.po"
PAGES = sorted(path.name for path in (FOLDER / "en").glob("*.md"))
LABELLED = [(language, name) for language in ("en", "fr") for name in PAGES]
NO_LABELS = {"italics", "italique", "Ready"}
"""The words that explain the italics on a page, and a word that ``./run`` prints."""
PLACEHOLDER = re.compile(r"%\\?\((?:\w+)\\?\)[sd]")


def text_of(language: str, name: str) -> str:
    """Return a page without its blocks of code."""
    text = (FOLDER / language / name).read_text(encoding="utf-8")
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def labels(text: str) -> set[str]:
    """Return the words in italics: buttons and titles of the program."""
    flat = " ".join(text.replace("**", "").split(" "))
    found = {
        " ".join(label.split()) for label in re.findall(r"(?<![\w*])\*([^*]+)\*(?![\w*])", flat)
    }
    return found - NO_LABELS


@cache
def on_the_screen(language: str) -> re.Pattern[str]:
    """Return one pattern for every message of the program in *language*."""
    with CATALOGUE.open("rb") as file:
        messages = list(read_po(file))
    texts: set[str] = set()
    for message in messages:
        shown = message.id if language == "en" else message.string
        texts.update(shown if isinstance(shown, tuple) else (shown,))
    # A message like "%(problem)s" would match every label.
    labels_only = (plain(text) for text in texts if re.search(r"\w", PLACEHOLDER.sub("", text)))
    patterns = (PLACEHOLDER.sub(".+", re.escape(text)) for text in labels_only)
    return re.compile("|".join(sorted(patterns, key=len, reverse=True)))


def plain(text: str) -> str:
    """Return *text* with straight apostrophes and one kind of space."""
    return " ".join(text.replace("’", "'").split())


@pytest.mark.parametrize("language,name", LABELLED)
def test_every_label_is_on_the_screen(language: str, name: str) -> None:
    found = labels(text_of(language, name))
    assert found or name == "pages.md"
    assert (
        sorted(label for label in found if not on_the_screen(language).fullmatch(plain(label)))
        == []
    )


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_label_that_is_nowhere_is_found(language: str) -> None:
    assert not on_the_screen(language).fullmatch("No such label")


def test_both_languages_have_the_same_pages() -> None:
    assert sorted(path.name for path in (FOLDER / "fr").glob("*.md")) == PAGES


@pytest.mark.parametrize("name", PAGES)
def test_both_languages_have_the_same_headings_and_pictures(name: str) -> None:
    english, french = (text_of(language, name) for language in ("en", "fr"))
    assert re.findall(r"^#+ ", english, re.MULTILINE) == re.findall(r"^#+ ", french, re.MULTILINE)
    assert [f"{picture}-fr" for picture in pictures(english)] == pictures(french)


def pictures(text: str) -> list[str]:
    return re.findall(r"\.\./\.\./img/([\w-]+)\.png", text)


@pytest.mark.parametrize("path", sorted((FOLDER / "fr").glob("*.md")), ids=lambda path: path.name)
def test_french_has_narrow_spaces_before_punctuation(path: Path) -> None:
    text = re.sub(r"`[^`]*`|\]\([^)]*\)|<[^>]*>", "", text_of("fr", path.name))
    assert re.findall(r".{0,20} [:;?!](?=\s|\||$)", text, re.MULTILINE) == []
    assert re.findall(r".{0,20}(?:« | »)", text) == []


def test_every_list_on_paper_has_a_picture() -> None:
    made = PAIRED | OVER
    shown = [query.partition("&")[0] for queries in made.values() for query in queries]
    assert {name for name in KINDS if name not in shown} == set()
    names = {f"{name}{end}" for name in made for end in ("", "-fr")}
    assert {path.stem for path in (ROOT / "docs" / "img").glob("sheets-*.png")} == names


def test_every_picture_is_on_a_page() -> None:
    shown = {
        f"{name}.png" for language, page in LABELLED for name in pictures(text_of(language, page))
    }
    assert shown == {path.name for path in (ROOT / "docs" / "img").glob("*.png")}


@pytest.mark.parametrize(
    "path", sorted((ROOT / "docs" / "img").glob("*.png")), ids=lambda path: path.name
)
def test_a_picture_is_small(path: Path) -> None:
    assert path.stat().st_size < 150_000
