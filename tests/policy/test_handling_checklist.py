"""Read docs/rules/handling-checklist.md: the tests that a row names assert
the level and the report lines it claims.
"""

from __future__ import annotations

import re
from typing import Final

import pytest

from tests.policy.test_audit import ROOT
from tests.policy.test_findings import all_tests, source

PAGE: Final = ROOT / "docs" / "rules" / "handling-checklist.md"
TEXT: Final = PAGE.read_text(encoding="utf-8")
ROW: Final = r"^\| (\d[^|]*|–) \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$"
ROWS: Final = re.findall(ROW, TEXT, re.MULTILINE)
LEVEL: Final = re.compile(r"([1-5]|none|impossible): ")
ASKS: Final = re.compile(
    r"\brefused\(|\bcode_of\(|\bpage_refuses\(|pytest\.raises\(|\b(?:400|403|409|422)\b|status_code == 200"
    r"|assert not \w+\([\w.]*\)\.exists\(\)"
)
"""An answer that saves nothing: a refusal, a page that asks, a preview."""
GOES_ON: Final = re.compile(
    r"\b302\b|=True|decisions|Decision|trf_export|result_correct\(|play_rounds\(|\bchange\("
)
"""The action goes through in the end."""
LEAST_ASKED: Final = {"1": 0, "2": 1, "3": 1, "4": 2, "5": 1, "none": 0, "impossible": 1}
"""How often, at least, the tests of a row see an answer that saves nothing."""


def faults(claim: str, evidence: list[str]) -> list[str]:
    """Return what the sources *evidence* do not show of the *claim* in the column of levels."""
    level = LEVEL.match(claim)
    if level is None:
        return ["no level"]
    found = []
    requested = sum(len(ASKS.findall(source)) for source in evidence)
    if requested < LEAST_ASKED[level[1]]:
        found.append(f"asks {requested} times, not {LEAST_ASKED[level[1]]}")
    if level[1] in "234" and not any(GOES_ON.search(source) for source in evidence):
        found.append("is never done")
    words = re.findall(r"`### ([^@`]+?) @ Round n`", claim)
    message = "\n".join(evidence)
    return [
        *found,
        *(f"no line ### {word}" for word in words if f"### {word} @ Round " not in message),
    ]


def test_the_page_claims_no_endorsement() -> None:
    assert "not endorsed" in TEXT
    assert (
        len(ROWS)
        == len(re.findall(r"^\| (?:\d|–)", TEXT.partition("## Open")[0], re.MULTILINE))
        > 30
    )


@pytest.mark.parametrize("row", ROWS, ids=[f"{number}: {about[:40]}" for number, about, *_ in ROWS])
def test_the_tests_of_a_row_assert_what_it_claims(row: tuple[str, str, str, str, str]) -> None:
    _, _, claim, where, evidence = row
    places, tests = (re.findall(r"`([^`]+)`", text) for text in (where, evidence))
    assert places
    assert tests
    assert [place for place in places if not (ROOT / place).is_file()] == []
    assert [name for name in tests if name not in all_tests()] == []
    assert faults(claim, [source(name) for name in tests]) == []


@pytest.mark.parametrize(
    "claim, evidence, expected",
    [
        ("4: twice", "refused(lambda: a, 'x')\nx = done(confirmed=True)", ["asks 1 times, not 2"]),
        (
            "3: a reason",
            "assert answer == 5\nassert Decision.objects.get()",
            ["asks 0 times, not 1"],
        ),
        ("3: a reason", "with pytest.raises(BadInput):\n    done()", ["is never done"]),
        ("5: refused", "assert done() == 1", ["asks 0 times, not 1"]),
        (
            "none: `### Import @ Round n`",
            "assert '### Correction @ Round 1' in text",
            ["no line ### Import"],
        ),
        ("none: `### Import @ Round n`", "assert '### Import @ Round 2: boards' in text", []),
        ("a setting", "", ["no level"]),
    ],
)
def test_a_row_that_claims_too_much_is_found(
    claim: str, evidence: str, expected: list[str]
) -> None:
    assert faults(claim, [evidence]) == expected
