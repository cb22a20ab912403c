"""``--db=postgres`` runs what can differ between databases; everything in its list exists, and what is named runs."""

import re

import pytest

from tests.plugins.on_postgres import MODULES, ROOT, WORDS, is_left_out, is_test_left_out, module_of

TESTS = ROOT / "tests"


@pytest.mark.parametrize("module", sorted(MODULES))
def test_what_the_list_names_exists(module: str) -> None:
    text = (TESTS / f"{module}.py").read_text()
    assert [name for name in MODULES[module] if f"def {name.partition('[')[0]}(" not in text] == []


@pytest.mark.parametrize(
    "text",
    ["django_db(transaction=True)", "threading.Thread", "raises(IntegrityError)", "connection.vendor", "c.cursor()"],
)
def test_a_module_about_the_database_runs_without_being_in_the_list(text: str) -> None:
    assert WORDS.search(text)


def test_modules_about_locks_and_constraints_run() -> None:
    for module in ("core/test_concurrency", "core/test_guards", "core/test_record", "events/registration/test_at_once"):
        assert not is_left_out(TESTS / "tournaments" / f"{module}.py", set()), module
    for path in TESTS.rglob("test_*at_once.py"):
        assert not is_left_out(path, set()), path


def test_a_module_named_on_the_command_line_runs() -> None:
    pages, undo = TESTS / "tournaments/desk/test_desk_pages.py", TESTS / "tournaments/desk/test_undo.py"
    assert is_left_out(pages, set())
    assert not is_left_out(pages, {pages})
    assert not is_left_out(undo, set())
    assert module_of(undo) == "tournaments/desk/test_undo"


def test_of_some_modules_a_few_tests_run() -> None:
    path = TESTS / "tournaments/web/test_access_pages.py"
    assert not is_test_left_out(path, "test_a_deputy_can_open_every_page", set())
    assert is_test_left_out(path, "test_actions_need_the_form_token", set())
    lists = TESTS / "tournaments/reports/test_published_lists.py"
    assert not is_test_left_out(lists, "test_the_database_refuses_to_change_or_remove_a_list[TRUNCATE]", set())
    numbers = TESTS / "tournaments/core/test_request_values.py"
    assert not is_test_left_out(numbers, "test_no_action_fails_with_absurd_numbers[most]", set())
    assert is_test_left_out(numbers, "test_no_action_fails_with_absurd_numbers[digits]", set())
    assert not is_test_left_out(path, "test_actions_need_the_form_token", {path})


def test_every_test_with_a_word_about_the_database_runs_in_the_modules_of_which_a_few_run() -> None:
    """A test that is not named would be left out in silence, even if it is about a lock or a constraint."""
    left = {}
    for module, names in MODULES.items():
        if names:
            text = (TESTS / f"{module}.py").read_text()
            # The marks above a test belong to it, so each piece begins after the one before.
            pieces = re.split(r"(?m)\n\n(?=(?: {4})?(?:@|def |class ))", text)
            told = [(re.search(r"def (test_\w+)\(", piece), piece) for piece in pieces]
            of = {found[1] for found, piece in told if found and WORDS.search(piece)}
            left[module] = sorted(of - {name.partition("[")[0] for name in names})
    assert {module: tests for module, tests in left.items() if tests} == {}
