"""``--quick`` leaves out the tests marked costly; those marked slow need ``--run-slow``."""

import pytest

from tests.plugins import marks

pytest_plugins = ["pytester"]

MODULE = """
import pytest

def test_cheap():
    pass

@pytest.mark.costly
def test_costly():
    pass

@pytest.mark.costly
@pytest.mark.slow
def test_slow():
    pass
"""


@pytest.mark.parametrize("option, passed", [("", 2), ("--quick", 1), ("--run-slow", 3)])
def test_marked_tests_are_left_out(pytester: pytest.Pytester, option: str, passed: int) -> None:
    pytester.makepyfile(test_it=MODULE)
    pytester.makeini("[pytest]\nmarkers =\n    costly\n    slow\n")
    isolated = ["-p", "no:django", "-p", "no:randomly", "-p", "no:cacheprovider"]
    done = pytester.inline_run(*isolated, *filter(None, [option]), plugins=[marks])
    assert [len(tests) for tests in done.listoutcomes()] == [passed, 0, 0]
