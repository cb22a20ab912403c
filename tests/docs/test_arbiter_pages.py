"""Check the pages for arbiters: their labels are on the screen, and French is typeset as French."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "arbiter"
CATALOGUE = ROOT / "locale" / "fr" / "LC_MESSAGES" / "django.po"
PAGES = ("first-tournament.md", "day-of-the-event.md", "what-to-do-when.md")
LABELLED = [(language, name) for language in ("en", "fr") for name in PAGES]
NO_LABELS = {"italics", "italique"}
"""The words that explain the italics on a page."""
PLACEHOLDER = re.compile(r"%\\?\((?:\w+)\\?\)[sd]")


def text_of(language: str, name: str) -> str:
    """Return a page without its blocks of code."""
    text = (FOLDER / language / name).read_text(encoding="utf-8")
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def labels(text: str) -> set[str]:
    """Return the words in italics: buttons and titles of the program."""
    flat = " ".join(text.replace("**", "").split(" "))
    found = {" ".join(label.split()) for label in re.findall(r"(?<![\w*])\*([^*]+)\*(?![\w*])", flat)}
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
    patterns = (PLACEHOLDER.sub(".+", re.escape(" ".join(text.split(" ")))) for text in texts if text)
    return re.compile("|".join(sorted(patterns, key=len, reverse=True)))


@pytest.mark.parametrize("language,name", LABELLED)
def test_every_label_is_on_the_screen(language: str, name: str) -> None:
    found = labels(text_of(language, name))
    assert found
    assert sorted(label for label in found if not on_the_screen(language).fullmatch(label)) == []


def test_both_languages_have_the_same_pages_and_sections() -> None:
    for name in PAGES:
        english, french = (re.findall(r"^#+ ", text_of(language, name), re.MULTILINE) for language in ("en", "fr"))
        assert english == french, name


@pytest.mark.parametrize("path", sorted((FOLDER / "fr").glob("*.md")), ids=lambda path: path.name)
def test_french_has_narrow_spaces_before_punctuation(path: Path) -> None:
    text = re.sub(r"`[^`]*`|\]\([^)]*\)|<[^>]*>", "", text_of("fr", path.name))
    assert re.findall(r".{0,20} [:;?!](?=\s|\||$)", text, re.MULTILINE) == []
    assert re.findall(r".{0,20}(?:« | »)", text) == []


@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "img").glob("*.png")), ids=lambda path: path.name)
def test_a_picture_is_small(path: Path) -> None:
    assert path.stat().st_size < 150_000
