"""Check that every article of C.04.1 and C.04.2 (2026) is in docs/rules,
in the code and in the name of a test.
"""

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ARTICLES = {
    "C.04.1": ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
    "C.04.2": [
        *("1.1", "1.2", "1.3", "1.4", "1.5"),
        *("2.1", "2.2", "2.3", "2.4", "2.5"),
        *("3.1", "3.2", "3.3", "3.4", "3.5", "3.6"),
        *("4.1", "4.2", "4.3.1", "4.3.2", "4.3.3", "4.4.1", "4.4.2", "4.4.3", "4.4.4", "4.4.5"),
    ],
}
"""The numbered articles with one rule each; their paragraphs are part of them."""
PAGES = ("c04-1-basic-rules.md", "c04-2-handling-rules.md")
STATUSES = {"enforced", "recorded", "outside"}
NAMES = [f"{chapter} {article}" for chapter, articles in ARTICLES.items() for article in articles]


def index() -> dict[str, tuple[str, str]]:
    """Return the rows of the index: article → (status, description)."""
    text = "".join((ROOT / "docs" / "rules" / name).read_text() for name in PAGES)
    rows = re.findall(
        r"^\| (C\.04\.[12] [\d.]+) \| (\w+) \| ([^|]*) \| [^|]* \|$", text, re.MULTILINE
    )
    assert len(rows) == len({article for article, _, _ in rows}), (
        "an article stands twice in the index"
    )
    return {article: (status, description.strip()) for article, status, description in rows}


@cache
def citations() -> frozenset[str]:
    """Return every article cited in the code as ``[C.04.2/2026 3.6]``, with lists split."""
    found = set()
    for folder in ("pairing", "tournaments"):
        for path in (ROOT / folder).rglob("*.py"):
            for chapter, cited in re.findall(
                r"\[(C\.04\.[12])/2026 ([\d., -]+)\]", path.read_text()
            ):
                found |= {f"{chapter} {number}" for number in re.findall(r"[\d.]*\d", cited)}
    return frozenset(found)


@cache
def names_of_tests() -> frozenset[str]:
    """Return the articles in the names of all tests: ``test_c04_2_4_4_3_two_…`` is C.04.2 4.4.3."""
    found = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        for chapter, digits in re.findall(
            r"def test_c04_([12])_((?:\d_)+)(?!\d)", path.read_text()
        ):
            found.add(f"C.04.{chapter} {digits.rstrip('_').replace('_', '.')}")
    return frozenset(found)


def covers(found: frozenset[str], article: str) -> bool:
    """Return whether *article* or one of its paragraphs is in *found*."""
    return any(name == article or name.startswith(f"{article}.") for name in found)


INDEX = index()


def test_the_index_has_every_article_and_no_other() -> None:
    assert list(INDEX) == NAMES
    assert {status for status, _ in INDEX.values()} <= STATUSES


@pytest.mark.parametrize("article", NAMES)
def test_an_article_is_in_the_code_and_in_a_test_or_outside_for_a_reason(article: str) -> None:
    status, description = INDEX[article]
    if status == "outside":
        assert description.startswith("because "), f"{article}: say why it is outside"
        return
    assert covers(citations(), article), (
        f"{article} is cited nowhere as [{article.replace(' ', '/2026 ')}]"
    )
    assert covers(names_of_tests(), article), f"no test carries {article} in its name"


def test_every_cited_article_exists() -> None:
    known = {*NAMES, "C.04.2 3", "C.04.2 4", "C.04.2 4.3", "C.04.2 4.4"}
    strange = {
        cited
        for cited in citations()
        if not any(cited == n or cited.startswith(f"{n}.") for n in known)
    }
    assert strange == set()
