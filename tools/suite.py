"""``./run test``: run all checks and tests, and print one summary line per step with its seconds.

A failed step does not stop the following ones; the exit code is 1 if any failed. Unknown options are passed to pytest:
``./run test --only sqlite tests/engine -k bracket``.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
PYTHON = [sys.executable]
MANAGE = [sys.executable, "manage.py"]
# Settings of a person's own server must not affect the tests.
NOT_PASSED_ON = re.compile(r"DATABASE_URL|DEBUG|SECRET_KEY|ALLOWED_HOSTS|CSRF_TRUSTED_ORIGINS|LANGUAGE_CODE|TIME_ZONE|"
                           r"LOG_LEVEL|HSTS_\w+|SWISS_(?!REQUIRE_SHARED)\w+|DJANGO_\w+")  # fmt: skip
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


@dataclass(frozen=True, slots=True)
class Outcome:
    step: Step
    ok: bool
    seconds: float
    closing: str  # The last line of pytest, such as "123 passed in 4.56s".

    def __str__(self) -> str:
        word = "ok    " if self.ok else "FAILED"
        return f"{self.step.name:<11}{word} {self.seconds:7.1f} s  {self.closing or self.step.proves}"


def steps(extra: list[str], *, run_slow: bool) -> list[Step]:
    """Return all steps, in order; *extra* is passed to pytest, whose default paths are those of the step."""
    paths = [word for word in extra if not word.startswith("-") and (ROOT / word.partition("::")[0]).exists()]
    options = [word for word in extra if word not in paths] + (["--run-slow"] if run_slow else [])
    pytest = [*PYTHON, "-m", "pytest", "-q", *options]
    spread = ["-n", "2", "--dist", "worksteal"]
    everything = paths or ["tests", "--ignore=tests/e2e"]

    def tool(name: str, *arguments: str) -> list[str]:
        return [str(BIN / name), *arguments]

    return [
        Step("style", "ruff check, ruff format", (tool("ruff", "check"), tool("ruff", "format", "--check"))),
        Step("types", "mypy", (tool("mypy"),)),
        Step("layers", "import-linter", (tool("lint-imports"),)),
        Step("templates", "djlint", (tool("djlint", "templates", "--lint", "--quiet"),)),
        Step("migrations", "makemigrations --check", ([*MANAGE, "makemigrations", "--check", "--dry-run"],)),
        Step(
            "deploy",
            "check --deploy with production settings",
            ([*MANAGE, "check", "--deploy", "--fail-level", "WARNING"],),
            PRODUCTION,
        ),
        Step("schema", "OpenAPI", ([*MANAGE, "spectacular", "--validate", "--fail-on-warn", "--file", os.devnull],)),
        Step("messages", "catalogues complete and compiled", ([*PYTHON, "-m", "tools.messages", "--check"],)),
        Step("sqlite", "pytest on SQLite", ([*pytest, *spread, *everything],), is_pytest=True),
        Step("postgres", "pytest on PostgreSQL", ([*pytest, *spread, "--db=postgres", *everything],), is_pytest=True),
        Step("browser", "pytest in Chromium", ([*pytest, *(paths or ["tests/e2e"])],), is_pytest=True),
    ]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./run test", description=__doc__, allow_abbrev=False)
    parser.add_argument("--only", action="append", metavar="STEP", help="this step alone; may be given several times")
    parser.add_argument("--run-slow", action="store_true", help="also the long proof runs")
    parser.add_argument("--list", action="store_true", help="name the steps and stop")
    options, extra = parser.parse_known_args(arguments)
    all_steps = steps(extra, run_slow=options.run_slow)
    if options.list:
        for step in all_steps:
            print(f"{step.name:<11}{step.proves}")
        return 0
    names = [step.name for step in all_steps]
    if unknown := sorted(set(options.only or ()) - set(names)):
        parser.error(f"no step {', '.join(unknown)}; there are {', '.join(names)}")
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="swiss-test-") as data:
        environment = {name: text for name, text in os.environ.items() if not NOT_PASSED_ON.fullmatch(name)}
        environment |= {"SWISS_DATA_DIR": data, "PYTHONUNBUFFERED": "1"}
        outcomes = [run(step, environment) for step in all_steps if step.name in (options.only or names)]
    return summary(outcomes, seconds=time.monotonic() - begin)


def run(step: Step, environment: Mapping[str, str]) -> Outcome:
    print(f"── {step.name}: {step.proves}", flush=True)
    begin = time.monotonic()
    closing, ok = "", True
    for command in step.commands:
        code, last = stream(command, {**environment, **step.environment}, shown=step.is_pytest)
        ok = ok and code == 0
        closing = last if step.is_pytest else ""
    outcome = Outcome(step, ok, time.monotonic() - begin, closing)
    print(outcome, end="\n\n", flush=True)
    return outcome


def stream(command: list[str], environment: Mapping[str, str], *, shown: bool) -> tuple[int, str]:
    """Run *command*; return its exit code and last line.

    Print its output at once if *shown*, else only if it failed.
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
            if shown:
                print(line, end="", flush=True)
    if process.returncode and not shown:
        print(*lines, sep="", end="", flush=True)
    return process.returncode, next((line.strip(" =\n") for line in reversed(lines) if line.strip()), "")


def summary(outcomes: list[Outcome], *, seconds: float) -> int:
    failed = [outcome.step.name for outcome in outcomes if not outcome.ok]
    print(f"── summary after {seconds:.0f} s")
    for outcome in outcomes:
        print(outcome)
    print(f"FAILED: {', '.join(failed)}" if failed else f"All {len(outcomes)} steps passed.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
