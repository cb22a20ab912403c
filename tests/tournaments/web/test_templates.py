"""Rules for every template: nothing inline, every form protected, every word translatable."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from django.template.loader import get_template

ROOT = Path(__file__).resolve().parents[3]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
IDS = [path.relative_to(ROOT / "templates").as_posix() for path in TEMPLATES]


# One test asks all templates: as many tests as templates would take seconds for their fixtures
# alone.
INLINE = (
    r"\sstyle\s*=",
    r"\son[a-z]+\s*=\s*[\"']",
    r"<script(?![^>]*\ssrc=)",
    r"<style",
    r"hx-on",
    r"(?:src|href)=[\"']https?://",
)


def offenders(find: Callable[[str], object]) -> dict[str, object]:
    """Return what *find* found in the text of each template, by name, where it found anything."""
    found = {name: find(path.read_text()) for name, path in zip(IDS, TEMPLATES, strict=True)}
    return {name: what for name, what in found.items() if what}


def test_a_template_keeps_the_content_security_policy() -> None:
    assert (
        offenders(lambda text: [found for rule in INLINE for found in re.findall(rule, text)]) == {}
    )


def faulty_forms(text: str) -> list[str]:
    """Return the forms that write without a token, and the addresses for htmx alone."""
    faulty = [
        form
        for form in re.findall(r"<form[^>]*method=\"post\".*?</form>", text, re.S)
        if "{% csrf_token %}" not in form
    ]
    # Every htmx post also has a plain address.
    for tag in re.findall(r"<form[^>]*hx-post=[^>]*>", text, re.S):
        if 'hx-trigger="change"' in tag and "action=" in tag:
            continue  # Each change is kept at once; the form itself is sent to its own address.
        plain = re.search(r"(?<!hx-)action=\"([^\"]*)\"", tag)
        if plain is None or f'hx-post="{plain[1]}"' not in tag:
            faulty.append(tag)
    return faulty


def test_every_form_that_writes_has_its_token_and_address() -> None:
    assert offenders(faulty_forms) == {}


def test_every_template_compiles() -> None:
    for name in IDS:
        assert get_template(name) is not None, name


def test_no_template_needs_the_white_space_at_the_start_of_a_line() -> None:
    """The loader removes it: see :mod:`config.template_loader`."""
    needs = (
        r"<(?:pre|textarea)\b[^>]*>[^<]*\n",
        r"{%\s*blocktranslate(?![^%]* trimmed)[^%]*%}[^%]*\n",
    )
    assert (
        offenders(lambda text: [found for rule in needs for found in re.findall(rule, text)]) == {}
    )


def test_a_page_has_no_indentation_of_its_template() -> None:
    rendered = get_template("403_csrf.html").render()
    assert re.findall(r"\n[ \t]+", rendered) == []


def test_the_text_that_a_page_inserts_is_unchanged() -> None:
    assert "one\n  two" in get_template("shared/_messages.html").render(
        {"messages": ["one\n  two"]}
    )


def test_the_words_are_translatable() -> None:
    """All text is inside a translate tag, except marks,
    names and the two languages of the 500 page.
    """
    allowed = {
        "Swiss Arbiter",
        "· Swiss Arbiter",
        "·  · Swiss Arbiter",
        "BH",
        "SB",
        "FIDE",
        "#",
        "TRF",
        "CSV",
        "XLSX",
        "US Chess",
        "ECF",
        "chess-results",
        "PDF",
        "PNG",
        "SVG",
        "JSON",
        "m",
        "/",
    }
    found = {}
    for path, name in zip(TEMPLATES, IDS, strict=True):
        if name == "500.html":
            continue
        text = re.sub(
            r"{%\s*blocktranslate.*?{%\s*endblocktranslate\s*%}", "", path.read_text(), flags=re.S
        )
        text = re.sub(r"{#.*?#}|{%.*?%}|{{.*?}}|<code>.*?</code>", "", text, flags=re.S)
        words = {word.strip() for word in re.findall(r">([^<]*)<", text)}
        left = {
            word
            for word in words
            if re.search(r"[A-Za-z]{2}", re.sub(r"\[C\.0[^]]*\]|&[a-z]+;", "", word))
        }
        if left - allowed:
            found[name] = left - allowed
    assert found == {}
