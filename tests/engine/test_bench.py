"""``bench``: its output, and rounds that can be repeated; never the speed."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from functools import partial
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from itertools import pairwise
from random import Random
from types import ModuleType
from typing import Any

import pytest

from pairing.cli import bench, peers
from pairing.cli.bench import Row, hard_line, header, line, measured_sizes, sizes
from pairing.cli.generate import text_of
from pairing.cli.hunt import HardRound, hunt, measure_named, random_plan, recipe
from pairing.cli.main import main
from pairing.cli.peers import Peer, installed_peers
from pairing.engine.basics.validation import validate
from pairing.engine.checker import check
from pairing.engine.dutch.edition_2026.records import RULES_2026
from pairing.engine.dutch.field import Field
from pairing.engine.event_plan import EventPlan
from pairing.engine.generator import generate
from pairing.engine.hard_cases import (
    BUILT_CASES,
    HARD_CASES,
    HardCase,
    crowded_top,
    generated,
    late_round,
)
from pairing.engine.model import TPN, Pairing, TournamentState
from pairing.engine.systems import SYSTEMS, pair, pairable
from pairing.trf.convert import state_before_round
from pairing.trf.reader import read

SMALL = HardCase("small", lambda _: crowded_top(top=10, floaters=2, drawn=6, by_colour=True))

# -- the table
# ----------------------------------------------------------------------------------------


@pytest.mark.costly
def test_bench_prints_a_row_per_size(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--sizes", "10,12"]) == 0
    head, rule, *rows = capsys.readouterr().out.splitlines()
    assert head == "| players | pair, ms | read the TRF, ms | pair / read |"
    assert rule == "|---|---|---|---|"
    assert [re.sub(r"\d+\.\d+", "#", row) for row in rows] == [
        "| 10 | # | # | # |",
        "| 12 | # | # | # |",
    ]


@pytest.mark.costly
def test_bench_gives_the_same_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--sizes", "10,12", "--json"]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert set(answer) == {"machine", "sizes", "hard"}
    assert set(answer["machine"]) == {
        "python",
        "system",
        "architecture",
        "processors",
        "peak_memory_mb",
    }
    assert [row["players"] for row in answer["sizes"]] == [10, 12]
    assert all(row["pair"] > 0 and row["read"] > 0 for row in answer["sizes"])
    assert [(row["peers"], row["peers_agree"]) for row in answer["sizes"]] == [({}, None)] * 2
    assert answer["hard"] == []


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_bench_measures_every_system(system: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--sizes", "10", "--system", system]) == 0
    *_, row = capsys.readouterr().out.splitlines()
    assert re.sub(r"\d+\.\d+", "#", row) == "| 10 | # | # | # |"


@pytest.mark.skipif(
    find_spec("gacrux") is None, reason="gacrux is not installed (dependency group 'peers')"
)
def test_bench_has_peers_for_one_system_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--sizes", "10", "--system", "dutch_2017", "--peers"]) == 3
    assert "--peers is for dutch_2026 only" in capsys.readouterr().err


OTHER = Peer(
    "other", "1.0", lambda text, number: partial(pair, state_before_round(read(text), number))
)
"""Another program that pairs as we do, because it is ours."""


def test_bench_needs_another_program_to_compare_with(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "installed_peers", tuple)
    assert main(["bench", "--sizes", "10", "--peers"]) == 3
    assert "No other pairing program is installed here" in capsys.readouterr().err
    monkeypatch.setattr(bench, "installed_peers", lambda: (OTHER,))
    assert main(["bench", "--sizes", "10", "--peers", "--system", "dutch_2017"]) == 3
    assert "--peers is for dutch_2026 only" in capsys.readouterr().err


@pytest.mark.costly
def test_bench_has_two_columns_for_each_other_program(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "installed_peers", lambda: (OTHER,))
    assert main(["bench", "--sizes", "10", "--peers"]) == 0
    head, _rule, row = capsys.readouterr().out.splitlines()
    assert (
        head
        == "| players | pair, ms | read the TRF, ms | pair / read | other 1.0, ms | ours / other |"
    )
    assert re.sub(r"\d+\.\d+", "#", row) == "| 10 | # | # | # | # | # |"
    other_boards = replace(OTHER, prepare=lambda _text, _number: lambda: Pairing(()))
    (found,) = measured_sizes([10], [other_boards])
    assert found.peers_agree is False


def test_bench_does_not_wait_again_for_a_slow_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """A round beyond the patience is measured once,
    and the program is left out for larger fields.
    """
    clock = iter(range(0, 100_000, 10))
    monkeypatch.setattr(bench, "process_time", lambda: next(clock))
    rows = list(measured_sizes([10, 12], [OTHER]))
    assert [(row.pair, row.peers) for row in rows] == [(10, {"other": 10}), (10, {})]


def test_bench_measures_the_hard_rounds(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "measure_named", lambda system: measure_named([SMALL], system))
    assert main(["bench", "--hard", "--budget", "0"]) == 0
    (found,) = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r" +\d+\.\d ms of 150     26 players  small( BEYOND THE LIMIT)?", found)
    assert main(["bench", "--hard", "--budget", "0", "--json"]) == 0
    (named,) = json.loads(capsys.readouterr().out)["hard"]
    assert (named["name"], named["players"]) == ("small", 26)


def test_memory_is_0_where_the_system_does_not_report_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)
    assert bench.peak_memory_mb() == 0


@pytest.mark.costly
def test_a_field_too_large_for_a_report_is_measured_without_reading(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = Row(players=10_000, pair=0.2, read=None, peers={}, peers_agree=None)
    assert line(row, installed_peers()[:0]) == "| 10,000 | 200.00 | – | – |"
    monkeypatch.setattr(bench, "MAX_TPN", 11)
    assert [row.read is None for row in measured_sizes([11, 12], [])] == [False, True]


@pytest.mark.skipif(
    find_spec("gacrux") is None, reason="gacrux is not installed (dependency group 'peers')"
)
def test_bench_puts_the_peers_beside_ours(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--sizes", "10,13", "--peers", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [list(row["peers"]) for row in answer["sizes"]] == [["gacrux"]] * 2
    assert [row["peers_agree"] for row in answer["sizes"]] == [True] * 2
    row = Row(players=8, pair=0.001, read=0.002, peers={"gacrux": 0.1}, peers_agree=False)
    peers_here = installed_peers()
    assert line(row, peers_here) == "| 8 | 1.00 | 2.0 | 0.50 | 100.0 | 0.0100 | other boards!"
    assert header(peers_here).count("|") == 2 * 7


@pytest.mark.skipif(
    find_spec("gacrux") is None, reason="gacrux is not installed (dependency group 'peers')"
)
@pytest.mark.parametrize("accelerated", [False, True])
def test_a_peer_pairs_generated_reports_as_we_do(accelerated: bool) -> None:
    (peer,) = installed_peers()
    plan = EventPlan(25, 7, played=3, byes=500, prohibitions=1_000, accelerated=accelerated)
    for seed in range(10):
        event = generate(plan, Random(seed))
        theirs, ours = peer.prepare(text_of(event, seed), 4)(), pair(event.state)
        assert (set(theirs.pairs), theirs.bye) == (set(ours.pairs), ours.bye)


def stand_in(
    monkeypatch: pytest.MonkeyPatch, *brackets: dict[str, Any], status: int = 0
) -> list[Any]:
    """Install the parts of gacrux that are called, with a fixed answer;
    return what they are called with.
    """
    called: list[Any] = []

    class Reader:
        chessjson = {"status": {"code": status, "error": ["line 7"]}}

        def parse_file(self, text: str, verbose: int) -> None:
            called.append(text)

        def get_status(self) -> int:
            return status

        def get_tournament(self, number: int) -> str:
            return f"tournament {number}"

    class Engine:
        def __init__(self, *given: Any) -> None:
            called.append(given)

        def compute_pairing(self, online: bool) -> list[dict[str, Any]]:
            return [*brackets]

    parts = {
        "gacrux": {},
        "gacrux.trf2json": {"trf2json": Reader},
        "gacrux.pairingdutch": {"pairing_dutch": Engine},
    }
    for name, content in parts.items():
        module = ModuleType(name)
        module.__spec__ = ModuleSpec(name, None)
        vars(module).update(content)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(peers, "version", lambda name: f"1 of {name}")
    return called


def test_the_boards_of_a_peer_are_read_in_the_order_of_their_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    top = {"pairs": [{"w": 3, "b": 1, "board": 2}, {"w": 2, "b": 4, "board": 1}]}
    called = stand_in(monkeypatch, top, {}, {"pairs": [{"w": 5, "b": 0, "board": 3}]})
    (peer,) = installed_peers()
    assert (peer.name, peer.version) == ("gacrux", "1 of gacrux")
    pair_once = peer.prepare("the report", 4)
    assert called == ["the report"]  # nothing is paired before it is measured
    assert pair_once() == Pairing(((TPN(2), TPN(4)), (TPN(3), TPN(1))), TPN(5))
    assert called[1][:2] == ("tournament 1", 4)
    stand_in(monkeypatch, top)
    assert installed_peers()[0].prepare("the report", 4)().bye is None


def test_a_report_that_a_peer_cannot_read_stops_the_comparison(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stand_in(monkeypatch, status=1)
    (peer,) = installed_peers()
    with pytest.raises(RuntimeError, match=r"gacrux cannot read the report: .*line 7"):
        peer.prepare("no report", 1)


@pytest.mark.parametrize("wrong", ["", "9", "18,x", "18,,19", "-18", "100001"])
def test_bench_refuses_invalid_sizes(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["bench", f"--sizes={wrong}"])
    assert stopped.value.code == 3
    assert "is not a list of numbers from 10" in capsys.readouterr().err
    assert sizes("10,100000") == (10, 100_000)


# -- the search for hard rounds
# -----------------------------------------------------------------------


class Ticks:
    """A clock that advances by a hundredth of a second each time it is read."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return self.looks / 100


@pytest.mark.costly
def test_the_hunt_names_rounds_that_can_be_repeated() -> None:
    found = list(hunt(seconds=0.8, seed=3, clock=Ticks()))
    assert found
    taken = [round_.seconds for round_ in found]
    assert (
        sum(later > earlier for earlier, later in pairwise(taken)) <= 1
    )  # small fields, then large ones
    sizes = []
    for round_ in found:
        position = eval(round_.name, {"generated": generated, "EventPlan": EventPlan})  # noqa: S307 - our own words
        state = position(Random)
        validate(state)
        sizes.append(len(state.players))
        assert len(state.players) - len(state.absent) == round_.players
        assert round_.limit == (0.15 if round_.players <= 100 else 0.3)
    assert min(sizes) <= 100 < max(sizes)


@pytest.mark.costly
@pytest.mark.parametrize(
    "system, limits, most",
    [
        ("dutch_2017", {0.3, 0.6}, 1_000),
        ("dutch_pre2017", {10.0}, 60),
        ("double_swiss_2026", {1.0}, 200),
    ],
)
def test_the_hunt_goes_through_every_system_up_to_its_limit(
    system: str, limits: set[float], most: int
) -> None:
    found = list(hunt(seconds=1.0, seed=3, system=system, clock=Ticks()))
    assert {round_.limit for round_ in found} == limits
    for round_ in found:
        state = eval(round_.name, {"generated": generated, "EventPlan": EventPlan})(Random)  # noqa: S307
        assert (state.system, round_.players <= most) == (system, True)


def test_a_recipe_names_everything_unusual() -> None:
    for seed in range(50):
        plan = random_plan(Random(seed), range(6, 30))
        position = eval(recipe(plan, 2, seed), {"generated": generated, "EventPlan": EventPlan})  # noqa: S307
        assert position(Random).total_rounds == plan.rounds
    assert (
        recipe(EventPlan(8, 5), 2, 3)
        == "generated(EventPlan(players=8, rounds=5, played=2), seed=3)"
    )


def test_named_cases_are_measured() -> None:
    (measured,) = measure_named([SMALL])
    assert (measured.name, measured.players, measured.limit) == ("small", 26, 0.15)
    assert measured.seconds > 0
    (of_2017,) = measure_named([SMALL], "dutch_2017")
    assert (of_2017.name, of_2017.players, of_2017.limit) == ("small", 26, 0.3)
    assert list(measure_named([SMALL], "double_swiss_2026")) == []
    assert list(measure_named(BUILT_CASES[:1], "dutch_pre2017")) == []


def test_a_round_beyond_the_limit_is_marked() -> None:
    assert hard_line(HardRound("a", 90, 0.1, 0.15)) == "   100.0 ms of 150     90 players  a"
    assert (
        hard_line(HardRound("b", 900, 0.4, 0.3))
        == "   400.0 ms of 300    900 players  b BEYOND THE LIMIT"
    )


# -- the named cases
# --------------------------------------------------------------------------------


def test_named_cases_have_different_names() -> None:
    assert len({case.name for case in HARD_CASES}) == len(HARD_CASES)


@pytest.mark.parametrize("case", BUILT_CASES, ids=lambda case: case.name)
def test_every_case_built_is_a_position_in_which_everybody_can_be_paired(case: HardCase) -> None:
    state = case.position(Random)
    assert case.position(Random) == state
    assert pairable(state).can_pair


@pytest.mark.slow
@pytest.mark.parametrize("case", HARD_CASES, ids=lambda case: case.name)
def test_every_named_case_is_paired_as_the_checker_demands(case: HardCase) -> None:
    state = case.position(Random)
    assert check(state, pair(state)) == ()


@pytest.mark.parametrize("by_colour", [False, True])
@pytest.mark.parametrize("top, floaters", [(10, 2), (20, 6), (50, 10)])
def test_as_many_of_a_crowded_top_float_as_announced(
    top: int, floaters: int, by_colour: bool
) -> None:
    state = crowded_top(top=top, floaters=floaters, drawn=top, by_colour=by_colour)
    assert Field.from_state(state, RULES_2026).scoregroups[0] == range(top)
    pairing = pair(state)
    assert check(state, pairing) == ()
    assert sum((white <= top) != (black <= top) for white, black in pairing.pairs) == floaters


def test_in_a_late_round_few_opponents_are_left() -> None:
    state: TournamentState = late_round(players=20, played=17, draws=100, chance=Random(1))
    validate(state)
    field = Field.from_state(state, RULES_2026)
    assert max(row.bit_count() for row in field.may_meet) == 2
    assert check(state, pair(state)) == ()
