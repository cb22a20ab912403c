"""The editions of the handling rules: added, never edited."""

import re
from pathlib import Path

import pytest

from pairing.engine.systems import SYSTEMS
from pairing.rules.corrections import CorrectionKind, classify, classify_remaining
from pairing.rules.handling import HANDLING, NEWEST, OF_SYSTEM, handling_for
from pairing.rules.published import Situation


def test_every_system_has_the_handling_rules_of_its_time():
    assert set(SYSTEMS) <= set(OF_SYSTEM)
    assert set(OF_SYSTEM.values()) == set(HANDLING)
    assert (handling_for("dutch_pre2017"), handling_for("of another time")) == ("pre2017", NEWEST)


@pytest.mark.parametrize(
    "code, result, changes, deadline, how, situations",
    [
        ("c04_2_2026", "C.04.2 4.3.1", "C.04.2 4.4", True, classify, ["4.4.1", "4.4.2", "4.4.3", "4.4.4", "4.4.5"]),
        ("c04_2_2017", "C.04.2 D.8", "C.04.2 D.10", True, classify, ["4.4.1"]),
        ("pre2017", "C.04.3 F7", "C.04.3 F6", False, classify_remaining, ["absolute", "correction"]),
    ],
)
def test_the_editions_compared(code, result, changes, deadline, how, situations):
    rules = HANDLING[code]
    assert (rules.corrections[CorrectionKind.RESULT], rules.changes, rules.has_deadline) == (result, changes, deadline)
    assert rules.classify is how
    assert [situation.value for situation in rules.situations] == situations
    assert set(rules.situations) <= set(Situation)
    assert set(rules.corrections) == set(CorrectionKind)


def test_absence_without_notice_in_each_edition():
    articles = {
        code: (rules.no_show, rules.no_show_withdraws, rules.no_show_automatic) for code, rules in HANDLING.items()
    }
    assert articles == {
        "c04_2_2026": ("C.04.2 3.3", False, False),
        "c04_2_2017": ("C.04.2 D.2", True, True),
        "pre2017": ("C.04.3 F8", True, False),
    }


def test_c04_2_2017_c_2_only_that_edition_ends_late_entries_with_round_3():
    assert {code: rules.last_late_round for code, rules in HANDLING.items()} == {
        "c04_2_2026": None,
        "c04_2_2017": 3,
        "pre2017": None,
    }


@pytest.mark.parametrize(
    "edition, article, own",
    [
        ("c04_2_2026", "C.04.2 4.4.2", "C.04.2 4.4.2"),
        ("c04_2_2017", "C.04.2 4.4.2", "C.04.2 D.10"),
        ("c04_2_2017", "C.04.2 3.2, 4.4", "C.04.2 D.3, D.10"),
        ("c04_2_2017", "C.04.2 2.2, 2.3", "C.04.2 B.2, B.3"),
        ("c04_2_2017", "C.04.1 1", "C.04.1 a"),
        ("c04_2_2017", "C.04.2 D.8", "C.04.2 D.8"),
        ("c04_2_2017", "C.04.3 1.9.3", "C.04.3 1.9.3"),
        ("c04_2_2017", "C.07 4.1.1", "C.07 4.1.1"),
        ("c04_2_2017", "", ""),
        ("c04_2_2017", "C.04.7, C.04.2 1.1", "C.04.5, C.04.2 A.1"),
        ("c04_2_2017", "C.04.5 3.3", "C.04.5 3.3"),
        ("pre2017", "C.04.2 4.2", ""),
        ("pre2017", "C.04.2 2.2.3", "C.04.3 A2"),
        ("pre2017", "C.04.1 6, 7", "C.04.3 B2"),
        ("pre2017", "C.04.3 F6", "C.04.3 F6"),
        ("pre2017", "C.04.2 3.2, 3.3", "C.04.3 F5"),
        ("pre2017", "C.04.2 4.2, 4.3", "C.04.3 F7"),
        ("pre2017", "C.04.2 3.2, 4.4", "C.04.3 F5, F6"),
    ],
)
def test_an_article_of_2026_is_renumbered_for_the_edition(edition, article, own):
    assert HANDLING[edition].cited(article) == own


@pytest.mark.parametrize(
    "edition, expected",
    [
        ("c04_2_2026", "Declared [C.04.1 1]. No limit [C.04.2 3.3], Baku (C.04.7, C.04.2 1.1); see C.07 [C.07 4.2]."),
        ("c04_2_2017", "Declared [C.04.1 a]. No limit [C.04.2 D.4], Baku (C.04.5, C.04.2 A.1); see C.07 [C.07 4.2]."),
        ("pre2017", "Declared. No limit [C.04.3 F5], Baku; see C.07 [C.07 4.2]."),
    ],
)
def test_a_sentence_is_renumbered_for_the_edition(edition, expected):
    sentence = "Declared [C.04.1 1]. No limit [C.04.2 3.3], Baku (C.04.7, C.04.2 1.1); see C.07 [C.07 4.2]."
    assert HANDLING[edition].retold(sentence) == expected


def test_c04_2_of_2017_has_a_number_for_every_article_of_2026():
    pages = (Path(__file__).resolve().parents[2] / "docs" / "rules").glob("c04-[12]-*.md")
    text = "".join(page.read_text() for page in pages)
    articles = re.findall(r"^\| (C\.04\.[12] [\d.]+) \|", text, re.MULTILINE)
    assert len(articles) > 30
    unnumbered = [article for article in articles if HANDLING["c04_2_2017"].cited(article) in (article, "")]
    assert unnumbered == []
