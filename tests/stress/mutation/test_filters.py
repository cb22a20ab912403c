"""The filters of ``python -m tests.stress.mutation filters``,
and what it says of a test that looks away.
"""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.stress.mutation.filters import filters_of
from tests.stress.mutation.mutants import ROOT

SOURCE = """
class Desk:
    def rows(self, tournament):
        first = Row.objects.filter(tournament=tournament, state="open").exclude(entry__tournament_id=1)
        return [Row.objects.get(pk=each, round__in=[1]) for each in first if Row.objects.filter(tournament=tournament)]


def row(slug):
    return get_object_or_404(Row, tournament__slug=slug, name="x"), dict(tournament=slug)
"""
DESK = """
def filter(**by):
    return sorted(by)


def seen(tournament):
    return filter(state="open", tournament=tournament)


def unseen(entry):
    return filter(entry_id=entry)


def unused(game):
    return filter(game=game)
"""
TESTS = """
def test_rows():
    import desk
    assert desk.seen(1) == ["state", "tournament"]
    assert desk.seen(2) == desk.seen(1)


def test_what_looks_away():
    import desk
    desk.unseen(1)
"""


def test_each_filter_by_tournament_entry_or_round_is_found_once() -> None:
    assert sorted(each.name for each in filters_of(ast.parse(SOURCE))) == [
        "Desk.rows #2: filter(tournament=tournament) → nothing",
        "Desk.rows: exclude(entry__tournament_id=1) → nothing",
        "Desk.rows: filter(tournament=tournament) → nothing",
        "Desk.rows: get(round__in=[1]) → nothing",
        "row: get_object_or_404(tournament__slug=slug) → nothing",
    ]


@pytest.mark.costly
def test_filters_of_a_module_that_a_test_imports_are_dropped_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    (tmp_path / "desk.py").write_text(DESK)
    (tmp_path / "test_desk.py").write_text(TESTS)
    program = (
        "import json, pathlib, tests.stress.mutation.filters as f; "
        "print(json.dumps([module.results for module in f.try_filters([pathlib.Path('desk.py')], "
        "['test_desk.py'])]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout.splitlines()[-1]) == [
        {
            "seen: filter(tournament=tournament) → nothing": "killed",
            "unseen: filter(entry_id=entry) → nothing": "survived",
            "unused: filter(game=game) → nothing": "untested",
        }
    ]
