"""Every code the program can answer has a sentence, and every sentence has a code."""

import ast
from pathlib import Path

import pytest
from django.utils import translation

from pairing.rules.verdict import Refused
from tournaments.messages import SENTENCES, sentence
from tournaments.services.errors import BadInput, Conflict, RuleRefused

ROOT = Path(__file__).resolve().parents[2]
ANSWERS = {"Refused", "BadInput", "Conflict"}
# Codes handed to a helper that makes the answer.
HELPERS = {"_unpublished": 2, "_problem": 0}


def codes_in(path: Path, answers: set[str] = ANSWERS) -> set[str]:
    """The first argument of every one of *answers* made in *path*, where it is written out."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        place = 0 if name in answers else HELPERS.get(name)
        if place is not None and len(node.args) > place and isinstance(node.args[place], ast.Constant):
            found.add(node.args[place].value)
    return found


def test_the_table_of_sentences_is_complete_and_has_no_leftovers():
    sources = [
        *ROOT.glob("pairing/rules/*.py"), ROOT / "pairing/services.py", *ROOT.glob("tournaments/services/**/*.py"),
    ]  # fmt: skip
    used = set().union(*(codes_in(path) for path in sources))
    # The services pass on what the reader of lists says.
    used |= codes_in(ROOT / "pairing/standings/codes.py", {"InputError"})
    assert used == set(SENTENCES)


@pytest.mark.parametrize(
    "problem, expected",
    [
        (Refused("colour.not_drawn", "C.04.3 5.1"), "The initial colour has not been drawn yet. (C.04.3 5.1)"),
        (
            RuleRefused(Refused("results.missing", "C.04.2 4.2", {"round": 3, "boards": (2, 7)})),
            "Round 3: no result yet on board 2, 7. (C.04.2 4.2)",
        ),
        (BadInput("file.empty"), "The file is empty."),
        (BadInput("csv.name_missing", line=3, column=1), "Line 3, column 1: the name is missing."),
        (BadInput("csv.name_missing", line=3), "Line 3: the name is missing."),
        (
            Conflict("round.paired_meanwhile", params={"round": 2, "name": "Dan"}),
            "Dan paired round 2 a moment ago. You see that pairing now.",
        ),
    ],
)
def test_a_sentence_says_where_and_under_which_article(problem, expected):
    with translation.override("en"):
        assert sentence(problem) == expected


def test_an_error_reads_as_its_sentence():
    assert str(BadInput("file.empty")) == "The file is empty."
