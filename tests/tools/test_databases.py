"""``--db=postgres`` runs what can differ between databases, and no test about that is left out."""

import re

import pytest

from tests.plugins.on_postgres import MARK, ROOT, WORDS, is_left_out, is_test_left_out, text_of

TESTS = ROOT / "tests"
pytest_plugins = ["pytester"]
MODULE = """
import pytest

@pytest.mark.django_db(transaction=True)
def test_two_at_once():
    pass

@pytest.mark.django_db
def test_one():
    pass
"""


@pytest.mark.parametrize(
    "text",
    [
        "django_db(transaction=True)",
        "threading.Thread",
        "raises(IntegrityError)",
        "connection.vendor",
        "c.cursor()",
    ],
)
def test_a_module_about_the_database_runs_without_a_mark(text: str) -> None:
    assert WORDS.search(text)


def test_modules_about_locks_and_constraints_run() -> None:
    for module in ("core/test_concurrency", "core/test_guards", "core/test_record"):
        assert not is_left_out(TESTS / "tournaments" / f"{module}.py", set(), quick=True), module
    for path in TESTS.rglob("test_*at_once.py"):
        assert not is_left_out(path, set(), quick=True), path


def test_a_module_named_on_the_command_line_runs() -> None:
    pages = TESTS / "tournaments/desk/test_desk_pages.py"
    assert is_left_out(pages, set())
    assert not is_left_out(pages, {pages})


def test_a_marked_module_runs_except_in_the_everyday_run() -> None:
    undo = TESTS / "tournaments/desk/test_undo.py"
    assert [is_left_out(undo, set(), quick=quick) for quick in (False, True)] == [False, True]


def test_tests_without_transactions_of_their_own_run_except_in_the_everyday_run(
    pytester: pytest.Pytester,
) -> None:
    items = pytester.getitems(MODULE)
    for quick in (False, True):
        left_out = [is_test_left_out(item, set(), quick=quick) for item in items]
        assert left_out == [False, quick], quick


def test_every_test_with_a_word_about_the_database_runs_in_the_modules_of_which_a_few_run() -> None:
    """A test without the mark would be left out in silence, even if it is about a lock."""
    left = {}
    for path in TESTS.rglob("test_*.py"):
        text = text_of(path)
        if MARK.search(text) and not re.search(r"(?m)^pytestmark = .*(\n .*)*on_postgres", text):
            # The marks above a test belong to it, so each piece begins after the one before.
            pieces = re.split(r"(?m)\n\n(?=(?: {4})?(?:@|def |class ))", text)
            about = [
                piece for piece in pieces if re.search(r"def test_", piece) and WORDS.search(piece)
            ]
            left[path.name] = [piece[:80] for piece in about if not MARK.search(piece)]
    assert {name: tests for name, tests in left.items() if tests} == {}
