"""``python -m tools.filters tournaments/desk --tests tests/tournaments/desk``: drop one filter at a time.

A filter says of which tournament, event, entry, round or game the rows are: a keyword of ``filter``, ``exclude``,
``get`` and the like. Without it an action or a page would read or change the rows of another event. Each change is put
into the loaded function in a process of its own, which runs only the tests that call the function, until one fails.
Survivors that ``docs/developer/mutation.md`` explains are counted apart; the exit code is 1 if others are left.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest
from _pytest.runner import runtestprotocol

from tools.mutants import OPTIONS, Module, Trial, in_a_fork, report
from tools.mutations import FUNCTIONS, Mutation

CALLED: Final = {"filter", "exclude", "get", "get_or_create", "update_or_create", "get_object_or_404", "Q"}
OF: Final = "tournament|event|section|entry|round|game"
NAMED: Final = re.compile(rf"(?:\w+__)?(?:{OF}|sections|entries|rounds|games)(?:_id|__pk|__slug|_id__in|__in)?")
"""Such as ``tournament``, ``entry_id``, ``game__round__tournament`` and ``tournament__in``."""
SECONDS: Final = 120.0


def filters_of(tree: ast.Module) -> list[Mutation]:
    """Return a mutation for each filter in a function of *tree*: the call without it."""
    found: list[Mutation] = []
    seen: dict[str, int] = defaultdict(int)
    for function, qualified in _functions(tree, ""):
        first = min([function.lineno, *(each.lineno for each in function.decorator_list)])
        for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
            if _name_of(call) not in CALLED:
                continue
            for index, keyword in enumerate(call.keywords):
                if keyword.arg is None or not NAMED.fullmatch(keyword.arg):
                    continue
                before = f"{_name_of(call)}({keyword.arg}={ast.unparse(keyword.value)})"
                seen[f"{qualified}{before}"] += 1
                number = seen[f"{qualified}{before}"]
                place = qualified if number == 1 else f"{qualified} #{number}"
                found.append(
                    Mutation(call.lineno, place, qualified, first, before, "nothing", call, "keywords", index, None)
                )
    return found


def _functions(node: ast.AST, inside: str) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, str]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, FUNCTIONS):
            yield child, f"{inside}{child.name}"
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{inside}{child.name}.")


def _name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


class FilterTrial(Trial):
    """Tries the filters in a session whose database stays: each process gets it as the tests before left it."""

    def __init__(self, modules: Sequence[Module]) -> None:
        super().__init__(modules, float("inf"))

    def watch(self) -> tuple[dict[tuple[str, int], set[str]], dict[str, float]] | None:
        """Run every test here, so that the database is ready; return what each passes through."""
        for item in self.items.values():
            self.passing.now = item.nodeid
            sys.settrace(self.passing.called)
            reports = self.run(item)
            sys.settrace(None)
            self.seconds[item.nodeid] = sum(each.duration for each in reports)
            for failure in (each for each in reports if each.failed):
                print(failure.longreprtext)
                return None
        return dict(self.passing.functions), self.seconds

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        from django.db import connections

        self.items = {item.nodeid: item for item in session.items}
        self.find_functions()
        if self.watch() is None:
            raise pytest.UsageError("A test fails before anything is changed.")
        connections.close_all()
        for module in self.modules:
            for mutation in module.mutations:
                tests = self.tests_of(module, mutation)
                noticed = in_a_fork(lambda: self.notices(module, mutation, tests), SECONDS)  # noqa: B023
                module.results[mutation.name] = (
                    "killed" if noticed is not False else "survived" if tests else "untested"
                )
        return True

    def notices(self, module: Module, mutation: Mutation, tests: Sequence[str]) -> bool:  # type: ignore[override]
        self.change(module, mutation)
        return any(each.failed for test in tests for each in self.run(self.items[test]))

    @staticmethod
    def run(item: pytest.Item) -> list[pytest.TestReport]:
        """Run *item*; what belongs to the session, as the database does, stays."""
        return runtestprotocol(item, log=False, nextitem=item.session)  # type: ignore[arg-type]


class FilterModule(Module):
    """A module whose mutations are its filters; its results are not kept."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.mutations = filters_of(self.tree)
        self.results = {}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.filters", description=__doc__, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("paths", nargs="+", type=Path, help="modules or folders")
    parser.add_argument("--tests", nargs="+", required=True, help="test modules or folders")
    options = parser.parse_args(arguments)
    files = [file for path in options.paths for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path])]
    modules = [module for module in map(FilterModule, (file.resolve() for file in files)) if module.mutations]
    trial = FilterTrial(modules)
    if pytest.main([*OPTIONS, *options.tests], plugins=[trial]) != pytest.ExitCode.OK:
        return 2
    return report(modules)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
