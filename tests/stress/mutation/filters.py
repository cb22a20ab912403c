"""``python -m tests.stress.mutation filters tournaments/desk --tests …``:
drop one filter at a time.

A filter says of which tournament, event, entry, round or game the rows are: a keyword of
``filter``, ``exclude``, ``get`` and the like. Without it an action or a page would read or change
the rows of another event. The modules are imported with a switch in place of each such keyword,
whenever they are imported. Every test runs once with all filters on, which shows the filters that
it passes through; then each filter is off in a process of its own, which runs these tests until one
fails. That test must pass again with the filter on.

Survivors that ``explained.md`` explains are counted apart; the exit code is 1 if others are left.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import os
import re
import shutil
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from itertools import accumulate, chain, zip_longest
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final

import pytest
from _pytest.runner import runtestprotocol
from django.conf import settings
from django.db import connections

from .mutants import KILLED, OPTIONS, ROOT, SURVIVED, UNTESTED, in_a_fork, report
from .mutations import FUNCTIONS

CALLED: Final = {
    "filter",
    "exclude",
    "get",
    "get_or_create",
    "update_or_create",
    "get_object_or_404",
    "Q",
}
OF: Final = "tournament|event|section|entry|round|game"
NAMED: Final = re.compile(
    rf"(?:\w+__)?(?:{OF}|sections|entries|rounds|games)(?:_id|__pk|__slug|_id__in|__in)?"
)
"""Such as ``tournament``, ``entry_id``, ``game__round__tournament`` and ``tournament__in``."""
NO_ANSWER: Final = "no answer"
"""The process ended early, or the test fails with the filter too."""
SWITCH: Final = "__switch_of_filters__"
"""The name under which every module finds :class:`Switch`."""


@dataclass(frozen=True, slots=True)
class Filter:
    """One keyword of a call. It is a mutation for :func:`.mutants.report`."""

    line: int
    name: str
    """Such as ``desk_rows: filter(tournament=tournament) → nothing``."""
    call: ast.Call
    keyword: ast.keyword


def filters_of(tree: ast.Module) -> list[Filter]:
    """Return each filter in a function of *tree*."""
    found: list[Filter] = []
    seen: dict[str, int] = defaultdict(int)
    for function, qualified in _functions(tree, ""):
        for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
            if _name_of(call) not in CALLED:
                continue
            for keyword in call.keywords:
                if keyword.arg is None or not NAMED.fullmatch(keyword.arg):
                    continue
                before = f"{_name_of(call)}({keyword.arg}={ast.unparse(keyword.value)})"
                seen[f"{qualified}{before}"] += 1
                number = seen[f"{qualified}{before}"]
                place = qualified if number == 1 else f"{qualified} #{number}"
                found.append(Filter(call.lineno, f"{place}: {before} → nothing", call, keyword))
    return found


def _functions(
    node: ast.AST, inside: str
) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, str]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, FUNCTIONS):
            yield child, f"{inside}{child.name}"
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{inside}{child.name}.")


def _name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


class Switch:
    """All filters are on, except :attr:`off`; it notes those that are passed through."""

    def __init__(self) -> None:
        self.off: int | None = None
        self.passed: set[int] = set()

    def __call__(self, number: int, **keywords: object) -> dict[str, object]:
        """Return *keywords*, which is filter *number*, or nothing if it is off."""
        self.passed.add(number)
        return {} if number == self.off else keywords


class Module:
    """A module with its filters; the numbers of these begin at *first*."""

    def __init__(self, path: Path, first: int) -> None:
        self.path, self.name, self.first = path, os.path.relpath(path, ROOT), first
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        self.mutations = filters_of(self.tree)
        self.results: dict[str, str] = {}

    def code(self) -> CodeType:
        """Return the code with a switch for each filter."""
        for number, each in enumerate(self.mutations, start=self.first):
            name = ast.Name(SWITCH, ast.Load())
            switched = ast.Call(
                name, [ast.Constant(number)], [ast.keyword(each.keyword.arg, each.keyword.value)]
            )
            each.call.keywords[each.call.keywords.index(each.keyword)] = ast.keyword(None, switched)
        return compile(
            ast.fix_missing_locations(self.tree), str(self.path), "exec", dont_inherit=True
        )


class Switched(MetaPathFinder):
    """Imports *modules* with their switches."""

    def __init__(self, modules: Sequence[Module]) -> None:
        self.modules = {str(module.path): module for module in modules}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin not in self.modules:
            return None
        module = self.modules[spec.origin]

        class Loader(SourceFileLoader):
            def get_code(self, fullname: str) -> CodeType:
                return module.code()

        spec.loader = Loader(fullname, spec.origin)
        return spec


@dataclass(slots=True)
class Trial:
    """A plugin of pytest that tries the filters of *modules* instead of running the tests once."""

    modules: Sequence[Module]
    switch: Switch
    most: float = float("inf")
    """So many seconds of tests, at most, for each filter."""
    items: list[pytest.Item] = field(default_factory=list)
    database: Database | None = None
    seconds: dict[int, float] = field(default_factory=dict)
    passing: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    """By the number of a filter: the places in :attr:`items` of the tests that pass through it."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = session.items
        if rows := sys.modules.get("tests.tournaments.row_cache"):
            # Rows that an action has saved must not be saved again in another test without the
            # action.
            rows.ROW_CACHE.disabled = True
        begin = time.monotonic()
        for place in range(len(self.items)):
            self.watch(place)
        print(f"{len(self.items)} tests took {time.monotonic() - begin:.0f} s", flush=True)
        self.database = Database() if settings.configured else None
        for module in self.modules:
            for number, each in enumerate(module.mutations, start=module.first):
                module.results[each.name], test = self.try_one(number)
                print(
                    f"{module.results[each.name]:10} {module.name}:{each.line} {each.name} {test}",
                    flush=True,
                )
        return True

    def watch(self, place: int) -> None:
        """Run a test with all filters on, and note what it passes through."""
        self.switch.passed.clear()
        begin = time.monotonic()
        if self.fails(place):
            print(
                f"left out, because it fails with all filters on: {self.items[place].nodeid}",
                flush=True,
            )
            return
        self.seconds[place] = time.monotonic() - begin
        for number in self.switch.passed:
            self.passing[number].append(place)

    def try_one(self, number: int) -> tuple[str, str]:
        """Return what became of filter *number*, and the test that noticed."""
        tests = self.in_turn(self.passing[number])
        if not tests:
            return UNTESTED, ""
        failing = self.first_failing(number, tests)
        if failing is None:
            return NO_ANSWER, ""
        if failing < 0:
            return SURVIVED, ""
        again = self.first_failing(None, [failing])
        return KILLED if again == -1 else NO_ANSWER, self.items[failing].nodeid

    def in_turn(self, places: Sequence[int]) -> list[int]:
        """Return the tests in the order to try: the fastest of each file,
        then the second of each file, and so on.
        """
        files: dict[str, list[int]] = defaultdict(list)
        for place in sorted(places, key=self.seconds.__getitem__):
            files[self.items[place].nodeid.partition("::")[0]].append(place)
        places = [
            place
            for place in chain.from_iterable(zip_longest(*files.values()))
            if place is not None
        ]
        sums = accumulate(self.seconds[place] for place in places)
        return [
            place
            for place, before in zip(places, chain([0.0], sums), strict=False)
            if before < self.most
        ]

    def first_failing(self, off: int | None, places: Sequence[int]) -> int | None:
        """Return the place of the first test that fails without filter *off*, or -1;
        None if the process ends early.
        """

        def run() -> int:
            self.switch.off = off
            return next((place for place in places if self.fails(place)), -1)

        if self.database:
            self.database.restore()
        found = in_a_fork(run, 60 + 5 * sum(self.seconds[place] for place in places))
        return found if isinstance(found, int) else None

    def fails(self, place: int) -> bool:
        """Run a test; what belongs to the session, as the database does, stays."""
        item = self.items[place]
        reports = runtestprotocol(item, log=False, nextitem=item.session)  # type: ignore[arg-type]
        return any(each.failed for each in reports)


class Database:
    """The file that the tests use, as they left it after the first run."""

    def __init__(self) -> None:
        connections.close_all()
        self.file = Path(str(connections["default"].settings_dict["NAME"]))
        self.kept = self.file.with_suffix(".kept")
        if self.file.is_file():
            shutil.copy(self.file, self.kept)

    def restore(self) -> None:
        """Take back what a process before this one has left behind."""
        if self.kept.is_file():
            for more in ("-wal", "-shm", "-journal"):
                self.file.with_name(self.file.name + more).unlink(missing_ok=True)
            shutil.copy(self.kept, self.file)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.stress.mutation filters",
        description=__doc__,
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("paths", nargs="+", type=Path, help="modules or folders")
    parser.add_argument("--tests", nargs="+", required=True, help="test modules or folders")
    parser.add_argument(
        "--seconds", type=float, default=float("inf"), help="of tests, at most, for each filter"
    )
    options = parser.parse_args(arguments)
    modules = try_filters(options.paths, options.tests, options.seconds)
    return report(modules) if modules else 2  # type: ignore[arg-type]


def try_filters(
    paths: Sequence[Path], tests: Sequence[str], most: float = float("inf")
) -> list[Module]:
    """Return the modules of *paths* that have filters, with their results;
    none if pytest could not run *tests*.
    """
    modules: list[Module] = []
    for file in chain.from_iterable(
        sorted(path.rglob("*.py")) if path.is_dir() else [path] for path in paths
    ):
        modules.append(Module(file.resolve(), sum(len(module.mutations) for module in modules)))
    switch = Switch()
    setattr(builtins, SWITCH, switch)
    sys.meta_path.insert(0, Switched(modules))
    ended = pytest.main([*OPTIONS, *tests], plugins=[Trial(modules, switch, most)])
    return [module for module in modules if module.mutations] if ended == pytest.ExitCode.OK else []
