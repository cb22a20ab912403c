"""``--quick`` leaves out the tests of the list, and ``--measure`` names those that belong there."""

import textwrap
from pathlib import Path

import pytest

from tests.plugins import costly
from tests.plugins.on_postgres import ROOT, is_left_out

pytest_plugins = ["pytester"]

MODULE = """
import pytest

def test_cheap():
    pass

@pytest.mark.parametrize("number", [1, 2])
def test_dear(number):
    begin = sum(__import__("os").times()[:4])
    while sum(__import__("os").times()[:4]) < begin + 0.35 * (number - 1):
        pass
"""


@pytest.fixture
def folder(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Make a folder with three tests and without the settings, plugins and randomness of this one."""
    monkeypatch.setattr(costly, "LIST", pytester.path / "costly.txt")
    costly.LIST.write_text("test_it.py::test_dear[2]\ntest_it.py::test_that_is_gone\n")
    pytester.makepyfile(test_it=textwrap.dedent(MODULE))
    return pytester


def outcome(folder: pytest.Pytester, *arguments: str) -> dict[str, int]:
    isolated = ("-p", "no:django", "-p", "no:randomly", "-p", "no:cacheprovider")
    done = folder.inline_run(*isolated, *arguments, plugins=[costly])
    passed, skipped, failed = done.listoutcomes()
    return {"passed": len(passed), "skipped": len(skipped), "failed": len(failed)}


def test_the_tests_of_the_list_are_left_out_when_asked(folder: pytest.Pytester) -> None:
    assert outcome(folder)["passed"] == 3
    assert outcome(folder, "--quick") == {"passed": 2, "skipped": 0, "failed": 0}


def test_what_uses_much_of_the_processor_is_measured(folder: pytest.Pytester) -> None:
    file = folder.path / "measured.txt"
    outcome(folder, f"--measure={file}")
    assert file.read_text().splitlines() == ["test_it.py::test_dear[2]"]


def test_the_list_names_each_test_once_and_its_file_exists() -> None:
    lines = (ROOT / "tests/plugins/costly.txt").read_text(encoding="utf-8").splitlines()
    assert lines == sorted(set(lines))
    assert not {line for line in lines if not (ROOT / line.partition("::")[0]).is_file()}


def test_a_quick_run_on_postgresql_has_the_modules_about_locks_and_transactions_only() -> None:
    def left_out(name: str, *, quick: bool) -> bool:
        return is_left_out(Path(ROOT / "tests/tournaments" / name), set(), quick=quick)

    assert not left_out("core/test_concurrency.py", quick=True)
    assert [left_out("desk/test_undo.py", quick=quick) for quick in (False, True)] == [False, True]
