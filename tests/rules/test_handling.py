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
    assert {code: (rules.code, rules.name) for code, rules in HANDLING.items()} == {
        "c04_2_2026": ("c04_2_2026", "C.04.2 (2026)"),
        "c04_2_2017": ("c04_2_2017", "C.04.2 (2017)"),
        "pre2017": ("pre2017", "C.04.3 F1-F9 (before July 2017)"),
    }
    assert {system: handling_for(system) for system in (*OF_SYSTEM, "of another time")} == {
        "dutch_2026": "c04_2_2026",
        "double_swiss_2026": "c04_2_2026",
        "dutch_2017": "c04_2_2017",
        "dutch_pre2017": "pre2017",
        "of another time": "c04_2_2026",
    }
    assert NEWEST == "c04_2_2026"


def test_c04_2_4_3_only_the_text_of_2026_numbers_the_mistakes():
    numbers = {
        code: tuple(rules.corrections[kind] for kind in CorrectionKind)
        for code, rules in HANDLING.items()
    }
    assert [kind.value for kind in CorrectionKind] == ["result", "colours", "rating"]
    assert numbers == {
        "c04_2_2026": ("C.04.2 4.3.1", "C.04.2 4.3.2", "C.04.2 4.3.3"),
        "c04_2_2017": ("C.04.2 D.8",) * 3,
        "pre2017": ("C.04.3 F7",) * 3,
    }


def test_c04_2_4_4_the_situations_in_which_published_pairings_change():
    """D.10 of 2017 allows a change only for a breach of C.04.1.b;
    F6 for one of B1 or B2, and F7 for a correction.
    """
    numbers = {code: dict(rules.situations) for code, rules in HANDLING.items()}
    assert numbers == {
        "c04_2_2026": {
            Situation.ALREADY_MET: "C.04.2 4.4.1",
            Situation.REGULATIONS: "C.04.2 4.4.2",
            Situation.WITHOUT_OPPONENT: "C.04.2 4.4.3",
            Situation.LATE_ENTRY: "C.04.2 4.4.4",
            Situation.TOP_BOARDS: "C.04.2 4.4.5",
        },
        "c04_2_2017": {Situation.ALREADY_MET: "C.04.2 D.10"},
        "pre2017": {Situation.ABSOLUTE_CRITERION: "C.04.3 F6", Situation.CORRECTION: "C.04.3 F7"},
    }


@pytest.mark.parametrize(
    "code, result, changes, deadline, how, situations",
    [
        (
            "c04_2_2026",
            "C.04.2 4.3.1",
            "C.04.2 4.4",
            True,
            classify,
            ["4.4.1", "4.4.2", "4.4.3", "4.4.4", "4.4.5"],
        ),
        ("c04_2_2017", "C.04.2 D.8", "C.04.2 D.10", True, classify, ["4.4.1"]),
        (
            "pre2017",
            "C.04.3 F7",
            "C.04.3 F6",
            False,
            classify_remaining,
            ["absolute", "correction"],
        ),
    ],
)
def test_the_editions_compared(code, result, changes, deadline, how, situations):
    rules = HANDLING[code]
    assert (rules.corrections[CorrectionKind.RESULT], rules.changes, rules.has_deadline) == (
        result,
        changes,
        deadline,
    )
    assert rules.classify is how
    assert [situation.value for situation in rules.situations] == situations
    assert set(rules.situations) <= set(Situation)
    assert set(rules.corrections) == set(CorrectionKind)


def test_absence_without_notice_in_each_edition():
    articles = {
        code: (rules.no_show, rules.no_show_withdraws, rules.no_show_automatic)
        for code, rules in HANDLING.items()
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
        (
            "c04_2_2026",
            "Declared [C.04.1 1]. No limit [C.04.2 3.3], Baku (C.04.7, C.04.2 1.1); see C.07 [C.07 4.2].",
        ),
        (
            "c04_2_2017",
            "Declared [C.04.1 a]. No limit [C.04.2 D.4], Baku (C.04.5, C.04.2 A.1); see C.07 [C.07 4.2].",
        ),
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
    unnumbered = [
        article for article in articles if HANDLING["c04_2_2017"].cited(article) in (article, "")
    ]
    assert unnumbered == []


SUBJECTS = (
    ("C.04.1 1", "the number of rounds is declared", "C.04.1 a", ""),
    ("C.04.1 2", "nobody meets twice", "C.04.1 b", "C.04.3 B1.a"),
    ("C.04.1 3", "one is left over and gets a bye", "C.04.1 c", "C.04.3 A5"),
    ("C.04.1 4", "who gets no bye", "C.04.1 d", "C.04.3 B1.b"),
    ("C.04.1 5", "equal scores meet", "C.04.1 e", "C.04.3 B3"),
    ("C.04.1 6", "no colour difference beyond 2", "C.04.1 f", "C.04.3 B2"),
    ("C.04.1 7", "no colour three times in a row", "C.04.1 g", "C.04.3 B2"),
    ("C.04.1 8", "both get the colour they prefer", "C.04.1 h", "C.04.3 E1"),
    ("C.04.1 9", "the rules are transparent", "C.04.1 i", ""),
    ("C.04.2 1.1", "the published systems", "C.04.2 A.1", ""),
    ("C.04.2 1.2", "unpublished systems", "C.04.2 A.2", ""),
    ("C.04.2 1.3", "the report to FIDE names the system", "C.04.2 A.3", ""),
    ("C.04.2 1.4", "systems pair objectively", "C.04.2 A.4", ""),
    ("C.04.2 1.5", "nobody is favoured", "C.04.2 A.5", ""),
    ("C.04.2 2.1", "ratings are checked, or estimated", "C.04.2 B.1", "C.04.3 A1"),
    ("C.04.2 2.2", "players are ranked", "C.04.2 B.2", "C.04.3 A2"),
    ("C.04.2 2.3", "numbers stay after the pairing of round 4", "C.04.2 B.3", ""),
    ("C.04.2 2.4", "late entries", "C.04.2 C.2", ""),
    ("C.04.2 2.5", "numbers are provisional until the list is closed", "C.04.2 C.3", ""),
    ("C.04.2 3.1", "unfinished games count as draws for pairing", "C.04.2 D.1", "C.04.3 F9"),
    ("C.04.2 3.2", "who withdraws is not paired", "C.04.2 D.3", "C.04.3 F5"),
    ("C.04.2 3.3", "nor is who has announced an absence", "C.04.2 D.4", "C.04.3 F5"),
    ("C.04.2 3.4", "only games played count for colours", "C.04.2 D.5", "C.04.3 F2"),
    ("C.04.2 3.5", "a game not played may be paired again", "C.04.2 D.6", "C.04.3 F2"),
    ("C.04.2 3.6", "the order of the boards", "C.04.2 D.9", "C.04.3 F1"),
    ("C.04.2 4.1", "who has not confirmed their presence", "C.04.2 C.1", ""),
    ("C.04.2 4.2", "results are published as announced", "C.04.2 D.7", ""),
    ("C.04.2 4.3", "mistakes", "C.04.2 D.8", "C.04.3 F7"),
    ("C.04.2 4.4", "published pairings stay", "C.04.2 D.10", "C.04.3 F6"),
    ("C.04.7", "the accelerated systems", "C.04.5", ""),
)
"""What each article of 2026 is about, and where the text of
2017 and the one before say the same.
"""


@pytest.mark.parametrize("article, subject, of_2017, before_2017", SUBJECTS)
def test_the_same_rule_has_its_own_number_in_each_text(article, subject, of_2017, before_2017):
    found = [HANDLING[code].cited(article) for code in ("c04_2_2026", "c04_2_2017", "pre2017")]
    assert found == [article, of_2017, before_2017], subject


def test_the_texts_number_no_other_rule():
    articles = {article for article, _subject, _of_2017, _before in SUBJECTS}
    assert HANDLING["c04_2_2026"].articles is None
    assert set(HANDLING["c04_2_2017"].articles or ()) == articles
    assert set(HANDLING["pre2017"].articles or ()) == {
        article for article, _subject, _of_2017, own in SUBJECTS if own
    }
