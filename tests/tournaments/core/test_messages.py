"""Every error code of the program has a sentence, and every sentence has a code."""

import ast
from pathlib import Path

import pytest
from django.utils import translation

from pairing.engine.errors import InputError, Text
from pairing.rules.fide_mode import IMPORTED_RULES
from pairing.rules.verdict import Refused
from pairing.trf.errors import TrfError
from tournaments.core.errors import BadInput, Conflict, RuleRefused, unreadable
from tournaments.core.messages import SENTENCES, input_sentence, sentence

ROOT = Path(__file__).resolve().parents[3]
FEATURES = (
    "core",
    "setup",
    "entries",
    "lists",
    "standings",
    "reports",
    "desk",
    "people",
    "events",
    "site",
)
ANSWERS = {"Refused", "BadInput", "Conflict", "NotTakenOver"}
# Functions that take a code and make the error.
HELPERS = {
    "CopyError": 1,
    "_unpublished": 2,
    "_problem": 0,
    "require_seen": 2,
    "require_nothing_newer": 3,
}


def codes_in(path: Path, answers: set[str] = ANSWERS) -> set[str]:
    """Return the first argument of every call of *answers* in *path* that is a literal."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        place = 0 if name in answers else HELPERS.get(name)
        if (
            place is not None
            and len(node.args) > place
            and isinstance(node.args[place], ast.Constant)
        ):
            found.add(node.args[place].value)
    return found


@pytest.mark.costly
def test_the_table_of_sentences_is_complete_and_has_no_unused_code():
    sources = [
        *ROOT.glob("pairing/rules/*.py"),
        *ROOT.glob("pairing/rounds/*.py"),
        *(path for folder in FEATURES for path in ROOT.glob(f"tournaments/{folder}/**/*.py")),
    ]
    used = set().union(*(codes_in(path) for path in sources))
    # The services pass on the codes of the list reader.
    for name in ("codes", "matches"):
        used |= codes_in(ROOT / f"pairing/standings/{name}.py", {"InputError"})
    used |= codes_in(ROOT / "tournaments/core/request_values.py", {"BadValue"})
    # Pages refuse what only a form can get wrong.
    for path in ROOT.glob("tournaments/web/**/*.py"):
        used |= codes_in(path, {"BadInput", "BadValue", "Conflict"})
    used |= codes_in(ROOT / "tournaments/web/push/subscriptions.py", {"Refused"})
    # One sentence for each rule that a round of an imported file may break.
    used |= {f"trf.breaks_{rule}" for rule in IMPORTED_RULES}
    assert used == set(SENTENCES)


@pytest.mark.parametrize(
    "problem, expected",
    [
        (
            Refused("colour.not_drawn", "C.04.3 5.1"),
            "The initial colour is not drawn yet: draw it first. (C.04.3 5.1)",
        ),
        (
            RuleRefused(Refused("results.missing", "C.04.2 4.2", {"round": 3, "boards": (2, 7)})),
            "Round 3: results are missing on board 2, 7. (C.04.2 4.2)",
        ),
        (BadInput("file.empty"), "The file is empty."),
        (BadInput("csv.name_missing", line=3, column=1), "Line 3, column 1: the name is missing."),
        (BadInput("csv.name_missing", line=3), "Line 3: the name is missing."),
        (
            Conflict("round.paired_meanwhile", params={"round": 2, "name": "Dan"}),
            "Dan paired round 2 a moment ago. This page now shows that pairing.",
        ),
    ],
)
def test_a_sentence_names_the_place_and_the_article(problem, expected):
    with translation.override("en"):
        assert sentence(problem) == expected


def test_an_error_reads_as_its_sentence():
    assert str(BadInput("file.empty")) == "The file is empty."


def test_every_sentence_of_the_reader_of_reports_can_be_translated():
    """Refusals in ``pairing/trf`` take a text marked for the catalogues,
    never one built at run time.
    """
    refusals = {
        "TrfError": 1,
        "fail": 1,
        "_refused": 1,
        "_at_round": 4,
        "_half_match": 2,
        "_too_large": 1,
    }
    made = []
    for path in sorted((ROOT / "pairing/trf").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            name = getattr(
                getattr(node, "func", None), "id", getattr(getattr(node, "func", None), "attr", "")
            )
            if isinstance(node, ast.Call) and name in refusals:
                given = node.args[refusals[name]]
                if isinstance(given, ast.JoinedStr | ast.Constant | ast.BinOp):
                    made.append(f"{path.name}:{node.lineno}")
    assert made == []


REFUSED = TrfError("trf.number", Text("Found '%(found)s' instead of %(what)s, a whole number from %(low)s to"
                   " %(high)s."), line=4, column=49, found="?", what=Text("the rating"), low=0, high=9)  # fmt: skip


def test_a_refused_report_is_explained_in_the_language_of_the_reader():
    problem = unreadable(REFUSED)
    assert (
        str(REFUSED)
        == "line 4, column 49: Found '?' instead of the rating, a whole number from 0 to 9."
    )
    with translation.override("en"):
        assert str(problem) == f"L{str(REFUSED)[1:]}"
    with translation.override("fr"):
        assert str(problem) == (
            "Ligne 4, colonne 49\u202f: «\u202f?\u202f» au lieu de\u202f: l’Elo, un nombre entier de 0 à 9."
        )


def test_an_error_without_a_text_to_translate_shows_its_code_or_its_own_text():
    known = InputError("tie_break.twice", "in English", tie_break="BH", first=1, second=2)
    with translation.override("fr"):
        assert input_sentence(known) == str(SENTENCES["tie_break.twice"]) % {
            "tie_break": "BH",
            "first": 1,
            "second": 2,
        }
        assert (
            input_sentence(InputError("json.odd", "100 % as it is %(x)s")) == "100 % as it is %(x)s"
        )


@pytest.mark.parametrize(
    "code, params, counted, one, many",
    [
        (
            "round.unknown",
            {"round": 7},
            "total",
            "the tournament has 1 round.",
            "the tournament has 2 rounds.",
        ),
        (
            "change.not_minimal",
            {"least": 0},
            "broken",
            "breaks up 1 published game;",
            "breaks up 2 published games;",
        ),
        (
            "check_in.ask_again",
            {"missing": 1},
            "due",
            "1 of 1 player would",
            "1 of 2 players would",
        ),
        (
            "trf.more_rounds_than_declared",
            {"played": 3},
            "declared",
            "declares 1 round but",
            "declares 2 rounds but",
        ),
    ],
)
def test_a_count_of_one_is_singular(
    code: str, params: dict[str, object], counted: str, one: str, many: str
) -> None:
    assert one in sentence(Refused(code, "", {**params, counted: 1}))
    assert many in sentence(Refused(code, "", {**params, counted: 2}))
    with translation.override("fr"):
        french = sentence(Refused("round.unknown", "", {"round": 7, "total": 1}))
    assert french.endswith("le tournoi a 1 ronde.")
