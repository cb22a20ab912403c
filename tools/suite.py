"""``./run test``: run all checks and tests, and print one summary line per step with its seconds.

A step needs at most one processor core: those of the browser wait half of their time, others wait
for processes that they start. So one step more is at work than the machine has cores; the longest
are divided and begin first, so that short ones end together. The output of a step is printed when
it ends, and its progress before; one step alone uses all cores and prints at once. A failed step
does not stop the others; the exit code is 1 if any failed. A browser on a busy machine can be too
slow for a test: a few that fail there are tried once more, and the summary names those that pass
then. Unknown options are passed to pytest: ``./run test --only sqlite tests/engine -k bracket``.

The tests marked ``costly`` are left out, unless paths are named. ``--all`` runs them too, and more
tests on PostgreSQL; so does CI, where the variable ``CI`` is set.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
CORES = os.cpu_count() or 1
PRINTING = threading.Lock()
PROGRESS = re.compile(r"\[ *\d+%\]$", re.MULTILINE)
NAMES_FAILURE = re.compile(r"(?:FAILED|ERROR) (tests/.+?)(?: - |$)")
MOST_TRIED_AGAIN = 3
PYTHON = [sys.executable]
MANAGE = [sys.executable, "manage.py"]
# Settings of a person's own server must not affect the tests. Python keeps what it has compiled, or
# each of the hundred processes that tests start would compile the whole program.
NOT_PASSED_ON = re.compile(r"DATABASE_URL|DEBUG|SECRET_KEY|ALLOWED_HOSTS|CSRF_TRUSTED_ORIGINS|LANGUAGE_CODE|TIME_ZONE|"
                           r"LOG_LEVEL|HSTS_\w+|SWISS_(?!REQUIRE_SHARED)\w+|DJANGO_\w+|"
                           r"PYTHONDONTWRITEBYTECODE")  # fmt: skip
WITHOUT_DATABASE = ["tests/engine", "tests/rules", "tests/trf", "tests/standings", "tests/golden"]
PARTS = [
    [f"tests/tournaments/{folder}" for folder in folders.split()]
    for folders in (
        "desk double_swiss entries people rounds setup",
        "core events site web",
        "lists reports standings",
    )
]
"""The folders of the later steps on SQLite; the first step has the others.

Each step loads the program, makes its own database and its own tournaments, which takes 9 seconds:
so these steps are few, of equal length, and folders that use the same tournaments are together.
"""
BEGIN = [
    "sqlite 3",
    "sqlite 2",
    "browser 1",
    "postgres",
    "sqlite 1",
    "browser 2",
    "sqlite 4",
    "engine",
]
"""The order in which the steps of pytest begin: the longest first, with and without costly tests,
and the two of the browser, which wait half of their time, not together.
"""
PRODUCTION = {
    "SWISS_MODE": "production",
    "SECRET_KEY": "used by this check alone, and by nothing that is served",
    "ALLOWED_HOSTS": "chess.example.org",
}


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the summary: its name, its purpose, and the commands that must all succeed."""

    name: str
    proves: str
    commands: tuple[list[str], ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    is_pytest: bool = False
    second_try: tuple[str, ...] = ()  # The command that runs the failed tests again, without them.

    @property
    def group(self) -> str:
        """The word that ``--only`` takes: ``sqlite`` for ``sqlite 1`` and the others."""
        return self.name.partition(" ")[0]


@dataclass(frozen=True, slots=True)
class Outcome:
    step: Step
    ok: bool
    seconds: float
    closing: str  # The last line of pytest, such as "123 passed in 4.56s".
    failed: tuple[str, ...] = ()  # The lines in which pytest names what failed, at most 20 of them.
    unsteady: tuple[str, ...] = ()  # Tests that failed and then passed.

    def __str__(self) -> str:
        word = "ok    " if self.ok else "FAILED"
        return (
            f"{self.step.name:<11}{word} {self.seconds:7.1f} s  {self.closing or self.step.proves}"
        )


def steps(
    extra: list[str], *, everything: bool = False, run_slow: bool = False, spread: bool = False
) -> list[Step]:
    """Return all steps in the order in which they begin; *extra* is passed to pytest,
    whose default paths are those of the step.

    With *spread* each step of pytest uses all cores, and stays in one piece.
    """
    paths = [
        word
        for word in extra
        if not word.startswith("-") and (ROOT / word.partition("::")[0]).exists()
    ]
    options = [word for word in extra if word not in paths] + (["--run-slow"] if run_slow else [])
    if not (everything or run_slow or paths):
        options.append("--quick")
    pytest = [*PYTHON, "-m", "pytest", "-q", *options]
    several = [*pytest, "-n", str(CORES), "--dist", "worksteal"] if spread else pytest
    application = ["tests", *(f"--ignore={folder}" for folder in (*WITHOUT_DATABASE, "tests/e2e"))]

    rest = [*application, *(f"--ignore={folder}" for part in PARTS for folder in part)]
    divided = {f"sqlite {number}": part for number, part in enumerate([rest, *PARTS], 1)}
    on_sqlite = {"sqlite": paths or application} if spread or paths else divided

    modules = sorted(
        path.relative_to(ROOT).as_posix() for path in (ROOT / "tests/e2e").glob("test_*.py")
    )
    halves = {"browser 1": modules[::2], "browser 2": modules[1::2]}
    in_browser = {"browser": paths or ["tests/e2e"]} if spread or paths else halves
    browser = [
        Step(name, "pytest in Chromium", ([*pytest, *half],), is_pytest=True, second_try=(*pytest,))
        for name, half in in_browser.items()
    ]
    parts = [
        Step(name, "pytest on SQLite", ([*several, *part],), is_pytest=True)
        for name, part in on_sqlite.items()
    ]
    on_postgres = [*several, "--db=postgres", *(paths or application)]
    tests = [
        *parts,
        *browser,
        Step("postgres", "pytest on PostgreSQL", (on_postgres,), is_pytest=True),
        Step(
            "engine",
            "pytest without a database",
            ([*several, *(paths or WITHOUT_DATABASE)],),
            is_pytest=True,
        ),
    ]
    # Whole steps, which use all cores, have other names: one of them runs alone.
    return [
        *sorted(tests, key=lambda step: BEGIN.index(step.name) if step.name in BEGIN else -1),
        *checks(),
    ]


def checks() -> list[Step]:
    """Return the steps without tests."""

    def tool(name: str, *arguments: str) -> list[str]:
        return [str(BIN / name), *arguments]

    return [
        Step("types", "mypy", (tool("mypy"),)),
        Step("templates", "djlint", (tool("djlint", "templates", "--lint", "--quiet"),)),
        Step(
            "style",
            "ruff check, ruff format",
            (tool("ruff", "check"), tool("ruff", "format", "--check")),
        ),
        Step("layers", "import-linter", (tool("lint-imports"),)),
        Step(
            "migrations",
            "makemigrations --check",
            ([*MANAGE, "makemigrations", "--check", "--dry-run"],),
        ),
        Step(
            "deploy",
            "check --deploy with production settings",
            ([*MANAGE, "check", "--deploy", "--fail-level", "WARNING"],),
            PRODUCTION,
        ),
        Step(
            "schema",
            "OpenAPI",
            ([*MANAGE, "spectacular", "--validate", "--fail-on-warn", "--file", os.devnull],),
        ),
        Step(
            "messages",
            "catalogues complete and compiled",
            ([*PYTHON, "-m", "tools.messages", "--check"],),
        ),
    ]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./run test", description=__doc__, allow_abbrev=False)
    parser.add_argument(
        "--only",
        action="append",
        metavar="STEP",
        help="this step alone; may be given several times",
    )
    parser.add_argument("--all", action="store_true", help="also the costly tests, as CI does")
    parser.add_argument(
        "--run-slow", action="store_true", help="everything, and the long proof runs"
    )
    parser.add_argument("--list", action="store_true", help="name the steps and stop")
    options, extra = parser.parse_known_args(arguments)
    alone = len(options.only or ()) == 1
    everything = options.all or bool(os.environ.get("CI"))
    all_steps = steps(extra, everything=everything, run_slow=options.run_slow, spread=alone)
    if options.list:
        for step in all_steps:
            print(f"{step.name:<11}{step.proves}")
        return 0
    names = list(dict.fromkeys(step.group for step in all_steps))
    if unknown := sorted(set(options.only or ()) - set(names)):
        parser.error(f"no step {', '.join(unknown)}; there are {', '.join(names)}")
    chosen = [step for step in all_steps if step.group in (options.only or names)]
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="swiss-test-") as data:
        environment = {
            name: text for name, text in os.environ.items() if not NOT_PASSED_ON.fullmatch(name)
        }
        environment |= {"SWISS_DATA_DIR": data, "PYTHONUNBUFFERED": "1"}
        outcomes = run_all(chosen, environment)
    return summary(outcomes, seconds=time.monotonic() - begin)


def run_all(
    chosen: list[Step], environment: Mapping[str, str], *, most: int = CORES + 1
) -> list[Outcome]:
    """Run the steps, not more than *most* at a time;
    return their outcomes in the order of *chosen*.
    """
    if len(chosen) == 1:
        return [run(step, environment) for step in chosen]
    print(
        f"── {len(chosen)} steps, {most} at a time; the output of each follows when it ends",
        end="\n\n",
        flush=True,
    )
    with ThreadPoolExecutor(most) as pool:
        waiting = [pool.submit(run, step, environment, at_once=False) for step in chosen]
        try:
            return [outcome.result() for outcome in waiting]
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def run(step: Step, environment: Mapping[str, str], *, at_once: bool = True) -> Outcome:
    """Run all commands of *step* and print their output:
    line by line, or else in one piece at the end.
    """
    begin = time.monotonic()
    closing, ok = "", True
    failed: list[str] = []
    kept: list[str] = []

    def show(text: str) -> None:
        if at_once:
            print(text, end="", flush=True)
        else:
            kept.append(text)
            if progress := PROGRESS.search(text):
                print(f"   {step.name} {progress[0]}", flush=True)

    show(f"── {step.name}: {step.proves}\n")
    for command in step.commands:
        code, lines = stream(
            command, {**environment, **step.environment}, show if step.is_pytest else None
        )
        ok = ok and code == 0
        if step.is_pytest:
            closing = next((line.strip(" =\n") for line in reversed(lines) if line.strip()), "")
            failed += [line.strip() for line in lines if NAMES_FAILURE.match(line)]
        elif code:
            show("".join(lines))
    unsteady: list[str] = []
    if not ok and step.second_try and (names := failed_tests(failed)):
        show(f"── {step.name}: tried again: {', '.join(names)}\n")
        code, _ = stream([*step.second_try, *names], environment, show)
        ok, unsteady = code == 0, names if code == 0 else []
    outcome = Outcome(
        step,
        ok,
        time.monotonic() - begin,
        closing,
        tuple(failed[:20]),
        tuple(unsteady),
    )
    with PRINTING:
        print(*kept, outcome, sep="", end="\n\n", flush=True)
    return outcome


def failed_tests(lines: list[str]) -> list[str]:
    """Return the tests that *lines* of pytest's summary name;
    none if they are more than a busy machine explains.
    """
    found = [match[1] for line in lines if (match := NAMES_FAILURE.match(line))]
    names = list(dict.fromkeys(found))
    return names if len(names) <= MOST_TRIED_AGAIN else []


def stream(
    command: list[str], environment: Mapping[str, str], show: Callable[[str], None] | None
) -> tuple[int, list[str]]:
    """Run *command*; return its exit code and the lines of its output,
    and *show* each as it comes.
    """
    lines: list[str] = []
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            if show:
                show(line)
    return process.returncode, lines


def summary(outcomes: list[Outcome], *, seconds: float) -> int:
    failed = [outcome.step.name for outcome in outcomes if not outcome.ok]
    print(f"── summary after {seconds:.0f} s")
    for outcome in outcomes:
        print(outcome)
        # Repeated here, because often only the end of a long output is kept.
        for line in outcome.failed:
            print(f"           {line}")
        if outcome.unsteady:
            print("           passed at the second try: a test to make steadier")
    print(f"FAILED: {', '.join(failed)}" if failed else f"All {len(outcomes)} steps passed.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
