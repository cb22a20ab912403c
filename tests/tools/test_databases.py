"""``--db=postgres`` runs what can differ between databases; everything in its list exists, and what is named runs."""

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
    for module in ("core/test_concurrency", "core/test_guards", "core/test_record", "registration/test_at_once"):
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
    assert not is_test_left_out(path, "test_actions_need_the_form_token", {path})
