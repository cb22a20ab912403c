"""The changes of ``python -m tests.stress.mutation mutants``,
and what it says of a test that looks away.
"""

import ast
import re
from pathlib import Path

import pytest

from tests.stress.mutation.filters import filters_of
from tests.stress.mutation.mutants import EXPLAINED, ROOT, in_a_fork
from tests.stress.mutation.mutations import mutations_of

RULE = '''
"""A rule."""
MOST: int = 3
NAMES = ("a", "b", "c")


class Rule:
    strict: bool = True

    @property
    def name(self) -> str:
        """Its name."""
        return "rule"


def may(points: int, done: bool, *, least: int = 0) -> bool | None:
    if points < least and not done:
        raise ValueError(f"{points} of {MOST}")
    found = [each for each in range(points) if each]
    found.sort(key=abs)
    return max(found) + 1 > MOST
'''


def names(text: str) -> list[str]:
    return [mutation.name for mutation in mutations_of(ast.parse(text))]


@pytest.mark.parametrize(
    "name",
    [
        "MOST: 3 → 4",
        "MOST: 3 → 2",
        "NAMES: ('a', 'b', 'c') → without 'b'",
        "Rule.strict: True → False",
        "Rule.name: return 'rule' → return None",
        "may: 0 → 1",
        "may: points < least → points <= least",
        "may: points < least → points >= least",
        "may: points < least and (not done) → points < least or not done",
        "may: points < least and (not done) → not done",
        "may: not done → done",
        "may: found.sort(key=abs) → nothing",
        "may: found.sort(key=abs) → without key=abs",
        "may: for each in range(points) if each → without each",
        "may: max(found) → min(found)",
        "may: max(found) + 1 → max(found) - 1",
        "may: return max(found) + 1 > MOST → return None",
    ],
)
def test_a_change_is_found(name: str) -> None:
    assert name in names(RULE)


def test_docstrings_annotations_decorators_and_texts_of_errors_stay() -> None:
    assert not [
        name for name in names(RULE) if re.search(r"A rule|Its name|property|int \||of \{", name)
    ]
    assert len(set(names(RULE))) == len(names(RULE))


def test_each_change_changes_the_tree_and_is_taken_back() -> None:
    tree = ast.parse(RULE)
    before = ast.dump(tree)
    for mutation in mutations_of(tree):
        old = mutation.put()
        assert ast.dump(tree) != before, mutation.name
        compile(tree, "rule.py", "exec")
        mutation.take_back(old)
        assert ast.dump(tree) == before, mutation.name


@pytest.mark.costly
def test_every_survivor_that_is_explained_can_still_be_made() -> None:
    text = EXPLAINED.read_text(encoding="utf-8")
    for path, rest in re.findall(r"^### `(\S+)`\n((?:(?!^#).*\n?)*)", text, re.MULTILINE):
        source = (ROOT / Path(path)).read_text(encoding="utf-8")
        found = names(source) + [each.name for each in filters_of(ast.parse(source))]
        explained = re.findall(r"`([^`]+ → [^`]+)`", rest)
        assert set(explained) <= set(found), path


def test_an_error_of_the_tool_is_not_taken_for_a_test_that_notices() -> None:
    assert in_a_fork(lambda: "found") == "found"
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        in_a_fork(lambda: 1 // 0)
