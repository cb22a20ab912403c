"""The second computation: a few random events agree with it, and it finds what is wrong."""

from __future__ import annotations

import ast
import pkgutil
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from .broken import DEFECTS, broken, search
from .comparing import Observer
from .due import Due
from .event import RandomEvent
from .pages import number, tenths
from .play import people, play
from .reckoning import boards_of, points_after, standings
from .report_file import read

# Two rounds of five players. 5 gave 4 a forfeit and left; 1 had the allocated bye in round 2.
FILE = """\
012 By hand
142 3
152 W
192 FIDE_DUTCH_2026
202 BH,SB,DE,WIN,PS
### Tie-break rules: C.07, edition fide-2026
001    1      One                               2400 FRA                         2.0    1     3 w 1  0000 - U
001    2      Two                               2300 FRA                         1.5    2  0000 - U     3 w =
001    3      Three                             2200 FRA                         0.5    4     1 b 0     2 b =
001    4      Four                              2100 FRA                         1.0    3     5 w +  0000 - Z
001    5      Five                              2000 FRA                         0.0    5     4 b -  0000 - Z
"""


@pytest.fixture
def accounts(db: None) -> None:
    for name, is_staff in (("chief", True), ("deputy", False), ("stranger", False)):
        User.objects.create(username=name, is_staff=is_staff)


@pytest.mark.costly
@pytest.mark.usefixtures("accounts")
def test_the_pages_of_random_events_agree_with_the_exported_file(
    examples: Callable[[range, int], range],
) -> None:
    """``python -m tests.stress.second`` plays any number of events."""
    browsers = people()
    for seed in examples(range(4, 24), 1):
        report = play(browsers, seed, steps=12)
        assert report.differences == []
    # The comparison notices one other result in the file.
    event = RandomEvent(browsers, random.Random(4), 4)
    event.slug = "event-4"
    file = read(browsers.visitor.get("/t/event-4/export.trf").text)
    assert list(Observer(event).standings_of(browsers.visitor, file, 1)) == []
    won = next(player for player in file.players.values() if player.cells[0].result == "1")
    won.cells[0] = won.cells[0]._replace(result="=")
    assert list(Observer(event).standings_of(browsers.visitor, file, 1))


@pytest.mark.costly
@pytest.mark.usefixtures("accounts")
@pytest.mark.parametrize(
    "name", ["results are shown before their publication", "the boards are in another order"]
)
def test_a_program_that_was_broken_on_purpose_is_found(name: str) -> None:
    """``python -m tests.stress.second --broken`` looks for all of :data:`DEFECTS`."""
    assert search(name, range(4, 7)).found


def test_every_defect_changes_something_of_the_program_and_nothing_afterwards() -> None:
    for name, (path, _) in DEFECTS.items():
        before = pkgutil.resolve_name(path)
        with broken(name):
            assert pkgutil.resolve_name(path) is not before, name
        assert pkgutil.resolve_name(path) is before, name


def test_the_second_computation_imports_nothing_of_the_program() -> None:
    for path in Path(__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {name.split(".")[0] for name in names} & {"pairing", "tournaments"}, path


def test_c07_the_second_computation_of_a_file_that_was_computed_by_hand() -> None:
    file = read(FILE)
    found = {line.tpn: (line.rank, line.points, line.values) for line in standings(file, 2).lines}
    # Two rounds: the dummy of a bye has at most 1 point [16.4.2]. The byes of 4 and 5 at the end
    # are draws for others.
    assert found == {
        1: (1, 20, (1.5, 1.5, None, 2.0, 3.0)),
        2: (2, 15, (1.5, 1.25, None, 1.0, 2.5)),
        3: (4, 5, (3.5, 0.75, None, 0.0, 0.5)),
        4: (3, 10, (1.5, 0.5, None, 1.0, 2.0)),
        5: (5, 0, (0.0, 0.0, None, 0.0, 0.0)),
    }
    assert boards_of(file, 2) == [(3, 2)] or boards_of(file, 2) == [(2, 3)]
    assert [points_after(file, tpn, 1) for tpn in sorted(file.players)] == [10, 10, 0, 10, 0]


def test_c07_10_the_second_computation_of_ratings_that_were_computed_by_hand() -> None:
    file = read(
        FILE.replace("BH,SB,DE,WIN,PS", "ARO,TPR,APRO")
        .replace("2 b =", "2 b ?")
        .replace("3 w =", "3 w ?")
    )
    found = {line.tpn: line.values for line in standings(file, 2).lines}
    # 3 lost to 1 (2400) and has adjourned against 2 (2300), who has finished no game of the two
    # rounds.
    assert found[1] == (2200, 3000, 1600)
    assert found[3] == (2350, 1600, 3000)
    assert found[4] == found[5] == (None, None, None)


def test_c04_2_3_6_the_second_computation_of_the_board_order() -> None:
    assert boards_of(read(FILE), 1) == [(1, 3), (4, 5)]


def test_a_page_is_read_when_it_must_show_something_new_and_when_everything_is_read() -> None:
    due = Due(random.Random(1))
    assert [due("standings", 10, spot=0), due("standings", 10, spot=0)] == [True, True]
    due.everything = False
    assert [due("standings", 10, spot=0), due("crosstable", 10, spot=0)] == [False, True]
    assert [
        due("standings", 20, spot=0),
        due("standings", 20, spot=0),
        due("standings", 10, spot=0),
    ] == [
        True,
        False,
        True,
    ]
    assert due("standings", 10, spot=1)


@pytest.mark.parametrize(
    "text, value", [("2½", 2.5), ("½", 0.5), ("−½", -0.5), ("9.25", 9.25), ("–", None), ("12", 12)]
)
def test_numbers_are_read_as_people_write_them(text: str, value: float | None) -> None:
    assert number(text) == value


def test_points_are_read_in_tenths() -> None:
    assert [tenths(text) for text in ("3½", "−1", "0.3")] == [35, -10, 3]
