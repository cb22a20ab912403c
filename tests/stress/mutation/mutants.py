"""``python -m tests.stress.mutation mutants pairing/rules``:
change one thing, see if a test notices.

Each mutant runs in a process forked from one that has loaded everything, against only the tests
that call its function, and stops at the first failure. A change inside a function is put into the
loaded function. A change of a table, a default or a field needs a fresh import: its process is
forked before anything of ours is loaded, and runs the test modules that use the file or name it.

Results are kept in ``var/mutants``, one file for each module, until its text changes: start the
command again to go on, with ``--survivors`` to try only the survivors again after tests were added.
Survivors that :data:`EXPLAINED` explains are counted apart; the exit code is 1 if others are left.
"""

import argparse
import ast
import gc
import hashlib
import importlib.machinery
import importlib.util
import json
import os
import pickle
import signal
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Final

import pytest
from _pytest.runner import runtestprotocol

from .mutations import Mutation, mutations_of

ROOT: Final = Path(__file__).resolve().parents[3]
RESULTS: Final = ROOT / "var" / "mutants"
EXPLAINED: Final = Path(__file__).with_name("explained.md")
TESTS: Final = {
    "pairing/rules": ["tests/rules"],
    "pairing/engine": ["tests/engine", "tests/golden"],
}
OPTIONS: Final = [
    "-q",
    "-s",
    "-x",
    "-p",
    "no:randomly",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:xdist",
    "--no-header",
]
# A fresh process has imported Hypothesis already, about which pytest warns, and our settings make
# warnings errors.
OPTIONS_FRESH: Final = [*OPTIONS, "-W", "ignore::pytest.PytestAssertRewriteWarning"]
KILLED, SURVIVED, UNTESTED = "killed", "survived", "untested"

Passes = dict[tuple[str, int], set[str]]
"""The tests that call a function, by its file and first line."""


@dataclass(frozen=True, slots=True)
class Broken:
    """What a process could not do, as a traceback."""

    text: str


def in_a_fork(
    work: Callable[[], object], seconds: float | None = None, *, loud: bool = False
) -> object:
    """Return what *work* returns in a process of its own;
    None if that process ends without, or after *seconds*.

    An error of ours in that process, which no test has caught, is raised here: it says nothing
    about the mutant.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        try:
            if seconds:
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.setitimer(signal.ITIMER_REAL, seconds)
            if not loud:
                silence = os.open(os.devnull, os.O_WRONLY)
                os.dup2(silence, 1)
                os.dup2(silence, 2)
            answer = pickle.dumps(work())
        except Exception:
            answer = pickle.dumps(Broken(traceback.format_exc()))
        except BaseException:
            answer = b""
        try:
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(answer)
        finally:
            sys.stdout.flush()
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    result = pickle.loads(answer) if answer else None  # noqa: S301 - from our own child
    if isinstance(result, Broken):
        raise RuntimeError(result.text)
    return result


class Module:
    """One module under test, its mutations, and the facts about them."""

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, str(path.relative_to(ROOT))
        text = path.read_text(encoding="utf-8")
        self.tree = ast.parse(text)
        self.mutations = mutations_of(self.tree)
        self.fingerprint = hashlib.sha256(text.encode()).hexdigest()[:16]
        self.results: dict[str, str] = {}
        if self._file.exists():
            first, *lines = self._file.read_text(encoding="utf-8").splitlines()
            if first == self.fingerprint:
                self.results = dict(json.loads(line) for line in lines)

    @property
    def _file(self) -> Path:
        return RESULTS / f"{self.name.replace('/', '.')}.jsonl"

    def save(self) -> None:
        RESULTS.mkdir(parents=True, exist_ok=True)
        lines = [
            self.fingerprint,
            *(json.dumps(entry, ensure_ascii=False) for entry in self.results.items()),
        ]
        self._file.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def forget(self, results: Iterable[str]) -> None:
        self.results = {
            name: result for name, result in self.results.items() if result not in results
        }

    @contextmanager
    def mutated(self, mutation: Mutation) -> Iterator[CodeType]:
        """Give the code of the module with *mutation*."""
        old = mutation.put()
        try:
            yield compile(self.tree, str(self.path), "exec", dont_inherit=True)
        finally:
            mutation.take_back(old)


class Passing:
    """A tracer of Python: which test calls which function of *files*;
    the name of the test is "" during imports.
    """

    def __init__(self, files: set[str]) -> None:
        self.files, self.now = files, ""
        self.functions: Passes = defaultdict(set)

    def called(self, frame: FrameType, _event: str, _argument: object) -> None:
        code = frame.f_code
        if code.co_filename in self.files:
            self.functions[code.co_filename, code.co_firstlineno].add(self.now)


class Trial:
    """A plugin of pytest that tries the changes of functions instead of running the tests."""

    def __init__(self, modules: Sequence[Module], until: float) -> None:
        self.modules, self.until = modules, until
        self.passing = Passing({str(module.path) for module in modules})
        self.seconds: dict[str, float] = {}
        self.fresh: list[tuple[int, int, list[str], float]] = []
        """For each mutant that needs a fresh import: the module, the mutation,
        its test modules and their seconds.
        """
        self.items: dict[str, pytest.Item] = {}
        self.functions: dict[tuple[str, str, int], list[FunctionType]] = defaultdict(list)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        self.find_functions()
        watched = in_a_fork(self.watch, loud=True)
        if not isinstance(watched, tuple):
            raise pytest.UsageError("A test fails before anything is changed.")
        self.passing.functions, self.seconds = watched
        print(f"{len(self.items)} tests take {sum(self.seconds.values()):.0f} s", flush=True)
        for number, module in enumerate(self.modules):
            self.try_functions(number, module)
            module.save()
            print(f"{module.name}: {dict(Counter(module.results.values()))}", flush=True)
        return True

    def find_functions(self) -> None:
        """Note every function that is loaded, by its file, name and first line."""
        gc.unfreeze()
        for thing in gc.get_objects():
            if isinstance(thing, FunctionType):
                code = thing.__code__
                self.functions[code.co_filename, code.co_qualname, code.co_firstlineno].append(
                    thing
                )
        gc.freeze()

    def watch(self) -> tuple[Passes, dict[str, float]] | None:
        """Run every test; return what each passes through, and its seconds; None if one fails."""
        for name, item in self.items.items():
            begin, self.passing.now = time.monotonic(), name
            sys.settrace(self.passing.called)
            reports = runtestprotocol(item, log=False, nextitem=None)
            sys.settrace(None)
            self.seconds[name] = time.monotonic() - begin
            for failure in (report for report in reports if report.failed):
                print(failure.longreprtext)
                return None
        return dict(self.passing.functions), self.seconds

    def try_functions(self, number: int, module: Module) -> None:
        """Try every change inside a function; note the others,
        and those of functions that ran while we imported.
        """
        for place, mutation in enumerate(module.mutations):
            if mutation.name in module.results or time.monotonic() > self.until:
                continue
            tests = self.tests_of(module, mutation)
            if mutation.function:
                limit = 3 + 10 * sum(self.seconds[test] for test in tests)
                noticed = in_a_fork(lambda: self.notices(module, mutation, tests), limit)  # noqa: B023
                if noticed is not False:
                    module.results[mutation.name] = KILLED
                    continue
                if "" not in self.passing.functions.get(
                    (str(module.path), mutation.first_line), ()
                ):
                    module.results[mutation.name] = SURVIVED if tests else UNTESTED
                    continue
            files = self.files_of(module)
            seconds = sum(
                taken for test, taken in self.seconds.items() if test.partition("::")[0] in files
            )
            self.fresh.append((number, place, files, seconds))

    def tests_of(self, module: Module, mutation: Mutation) -> list[str]:
        """Return the tests that call the function of *mutation*, the fastest first."""
        tests = self.passing.functions.get((str(module.path), mutation.first_line), set())
        return sorted(tests - {""}, key=lambda test: (self.seconds[test], test))

    def files_of(self, module: Module) -> list[str]:
        """Return the test modules that pass through *module*, or name it."""
        name = str(module.path)
        tests = set().union(
            *(tests for (file, _line), tests in self.passing.functions.items() if file == name)
        ) - {""}
        stem = module.path.stem if module.path.stem != "__init__" else module.path.parent.name
        files = {test.partition("::")[0] for test in self.items}
        naming = {file for file in files if stem in (ROOT / file).read_text(encoding="utf-8")}
        return sorted({test.partition("::")[0] for test in tests} | naming)

    def notices(self, module: Module, mutation: Mutation, tests: Iterable[str]) -> bool:
        """Change the loaded function, run *tests*, and return whether one fails."""
        self.change(module, mutation)
        return any(
            report.failed
            for test in tests
            for report in runtestprotocol(self.items[test], log=False, nextitem=None)
        )

    def change(self, module: Module, mutation: Mutation) -> None:
        """Put the mutation into the loaded function."""
        with module.mutated(mutation) as code:
            new = _code_of(code, mutation)
        for function in self.functions[str(module.path), mutation.function, mutation.first_line]:
            function.__code__ = new


def _code_of(module: CodeType, mutation: Mutation) -> CodeType:
    waiting = [module]
    while waiting:
        code = waiting.pop()
        if (code.co_qualname, code.co_firstlineno) == (mutation.function, mutation.first_line):
            return code
        waiting += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    raise LookupError(mutation.name)


class Fresh(MetaPathFinder):
    """Imports one module with its change."""

    def __init__(self, module: Module, code: CodeType) -> None:
        self.module, self.code = module, code
        self.dotted = module.name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.dotted:
            return None
        code = self.code

        class Loader(importlib.machinery.SourceFileLoader):
            def get_code(self, fullname: str) -> CodeType:
                return code

        file = str(self.module.path)
        return importlib.util.spec_from_file_location(fullname, file, loader=Loader(fullname, file))


def notices_fresh(module: Module, mutation: Mutation, tests: list[str]) -> bool:
    """Import everything with the change, run *tests*, and return whether one fails."""
    with module.mutated(mutation) as code:
        sys.meta_path.insert(0, Fresh(module, code))
    try:
        return fails_fresh(tests)
    except Exception:  # a change may stop pytest itself; unchanged, the tests were run before
        return True


def fails_fresh(tests: list[str]) -> bool:
    return pytest.main([*OPTIONS_FRESH, *tests]) not in (
        pytest.ExitCode.OK,
        pytest.ExitCode.NO_TESTS_COLLECTED,
    )


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.stress.mutation mutants",
        description=__doc__,
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("paths", nargs="+", type=Path, help="modules or folders")
    parser.add_argument(
        "--tests", nargs="+", help="test modules or folders; otherwise those of the folder"
    )
    parser.add_argument("--survivors", action="store_true", help="try only the survivors again")
    parser.add_argument(
        "--minutes", type=float, default=24 * 60.0, help="stop after so many; go on the next time"
    )
    options = parser.parse_args(arguments)
    modules = [Module(path) for path in _modules(options.paths)]
    if options.survivors:
        for module in modules:
            module.forget({SURVIVED, UNTESTED})
    tests = options.tests or TESTS["/".join(modules[0].name.split("/")[:2])]
    until = time.monotonic() + 60 * options.minutes

    def try_functions() -> object:
        trial = Trial(modules, until)
        sys.settrace(trial.passing.called)
        code = pytest.main([*OPTIONS, *tests], plugins=[trial])
        return code, trial.fresh, [module.results for module in modules]

    answer = in_a_fork(try_functions, loud=True)
    if not isinstance(answer, tuple) or answer[0] != pytest.ExitCode.OK:
        return 2
    _code, fresh, results = answer
    for module, known in zip(modules, results, strict=True):
        module.results = known
    # What every fresh process would import again, and nothing of ours.
    for name in (
        "django.core.handlers.wsgi",
        "django.db.models",
        "django.template.engine",
        "hypothesis.strategies",
    ):
        importlib.import_module(name)
    print(f"{len(fresh)} mutants need fresh imports", flush=True)
    unchanged = sorted({file for _number, _place, files, _seconds in fresh for file in files})
    if unchanged and in_a_fork(lambda: fails_fresh(unchanged)) is not False:
        print("With fresh imports a test fails before anything is changed.")
        return 2
    for number, place, files, seconds in fresh:
        if time.monotonic() > until:
            break
        module, mutation = modules[number], modules[number].mutations[place]
        noticed = in_a_fork(lambda: notices_fresh(module, mutation, files), 20 + 10 * seconds)  # noqa: B023
        module.results[mutation.name] = SURVIVED if noticed is False else KILLED
        module.save()
    return report(modules)


def report(modules: Sequence[Module]) -> int:
    """Print the counts of each module and the survivors that nobody explained;
    write these to a file.
    """
    sections = EXPLAINED.read_text(encoding="utf-8").split("\n### ")
    left: list[str] = []
    print(f"{'':44}mutants  killed  explained  left")
    for module in modules:
        alive = [
            mutation for mutation in module.mutations if module.results.get(mutation.name) != KILLED
        ]
        explained = next(
            (section for section in sections if section.startswith(f"`{module.name}`")), ""
        )
        new = [mutation for mutation in alive if f"`{mutation.name}`" not in explained]
        left += [
            f"{module.name}:{mutation.line} {mutation.name} "
            f"({module.results.get(mutation.name, 'not tried')})"
            for mutation in new
        ]
        total = len(module.mutations)
        print(
            f"{module.name:44}{total:7}{total - len(alive):8}{len(alive) - len(new):11}{len(new):6}"
        )
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "survivors.txt").write_text("".join(f"{line}\n" for line in left), encoding="utf-8")
    print(*left, sep="\n")
    return 1 if left else 0


def _modules(paths: Iterable[Path]) -> list[Path]:
    found = [
        file for path in paths for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path])
    ]
    return [file.resolve() for file in found]
