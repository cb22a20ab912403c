"""``./run test``: a failed step makes the whole run fail, and the summary names it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tools.suite import (
    BEGIN,
    CORES,
    PARTS,
    ROOT,
    WITHOUT_DATABASE,
    Step,
    main,
    run,
    run_all,
    steps,
    summary,
)

PASSES = [sys.executable, "-c", "print('fine')"]
FAILS = [sys.executable, "-c", "print('no good'); raise SystemExit(3)"]


def test_a_step_fails_when_any_of_its_commands_does(capsys: pytest.CaptureFixture[str]) -> None:
    good = run(Step("good", "nothing", (PASSES, PASSES)), {})
    bad = run(Step("bad", "nothing", (FAILS, PASSES)), {})
    assert (good.ok, bad.ok) == (True, False)
    printed = capsys.readouterr().out
    assert "no good" in printed
    assert "fine" not in printed
    assert summary([good], seconds=1.0) == 0
    assert summary([good, bad], seconds=1.0) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "FAILED: bad"


def test_steps_run_side_by_side_and_each_prints_in_one_piece(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Each of two steps waits for the other, so that one after the other would never end."""
    wait = (
        "import pathlib, sys, time; here, mine, other = map(pathlib.Path, sys.argv[1:]); "
        "print('begin', mine)\n"
        "(here / mine).touch()\nwhile not (here / other).exists(): time.sleep(0.01)\nprint('end', mine)"
    )
    chosen = [
        Step(
            mine,
            "nothing",
            ([sys.executable, "-c", wait, str(tmp_path), mine, other],),
            is_pytest=True,
        )
        for mine, other in (("one", "two"), ("two", "one"))
    ]
    outcomes = run_all([*chosen, Step("bad", "nothing", (FAILS,))], {}, most=2)
    assert [(outcome.step.name, outcome.ok) for outcome in outcomes] == [
        ("one", True),
        ("two", True),
        ("bad", False),
    ]
    printed = capsys.readouterr().out
    for name in ("one", "two"):
        assert f"── {name}: nothing\nbegin {name}\nend {name}\n{name} " in printed
    assert "── bad: nothing\nno good\nbad " in printed


def test_every_test_is_in_a_step() -> None:
    folders = {
        path
        for path in (ROOT / "tests").iterdir()
        if path.is_dir() and any(path.rglob("test_*.py"))
    }
    by_name = {step.name: step.commands[0] for step in steps([], everything=True)}
    assert {f"tests/{folder.name}" for folder in folders} >= {*WITHOUT_DATABASE, "tests/e2e"}
    halves = [path for half in (1, 2) for path in by_name[f"browser {half}"][4:]]
    assert sorted(halves) == sorted(
        f"tests/e2e/{path.name}" for path in (ROOT / "tests/e2e").glob("test_*.py")
    )
    others = {*by_name["engine"][4:], "tests/e2e"}
    divided = [
        folder for part in range(2, len(PARTS) + 2) for folder in by_name[f"sqlite {part}"][4:]
    ]
    for name, elsewhere in (("sqlite 1", {*others, *divided}), ("postgres", others)):
        assert "tests" in by_name[name]
        assert {
            word.partition("=")[2] for word in by_name[name] if word.startswith("--ignore=")
        } == elsewhere
    assert all((ROOT / folder).is_dir() for folder in divided)
    assert len({*divided}) == len(divided)


def test_all_steps_on_sqlite_are_chosen_by_one_name_and_one_alone_is_not_divided() -> None:
    def on_sqlite(spread: bool, *extra: str) -> list[str]:
        return [
            step.name
            for step in steps(list(extra), run_slow=False, spread=spread)
            if step.group == "sqlite"
        ]

    divided = sorted(on_sqlite(False))
    assert divided == [f"sqlite {part}" for part in range(1, len(PARTS) + 2)]
    assert {*BEGIN} == {step.name for step in steps([]) if step.is_pytest}
    assert on_sqlite(True) == on_sqlite(False, "tests/config") == ["sqlite"]


def test_the_last_line_of_pytest_is_in_the_summary() -> None:
    command = [sys.executable, "-c", "print('..\\n\\n==== 2 passed in 0.01s ====\\n')"]
    outcome = run(Step("sqlite", "pytest", (command,), is_pytest=True), {})
    assert outcome.closing == "2 passed in 0.01s"
    assert str(outcome).endswith("  2 passed in 0.01s")


def test_the_summary_repeats_what_failed(capsys: pytest.CaptureFixture[str]) -> None:
    line = "ERROR tests/e2e/test_phone.py::test_me - AssertionError: ['503 http://localhost/']"
    command = [
        sys.executable,
        "-c",
        f"print({line!r}); print('== 1 passed, 1 error in 0.01s =='); raise SystemExit(1)",
    ]
    outcome = run(Step("browser", "pytest", (command,), is_pytest=True), {})
    capsys.readouterr()
    assert summary([outcome], seconds=1.0) == 1
    assert capsys.readouterr().out.splitlines()[-2:] == [f"           {line}", "FAILED: browser"]


@pytest.mark.parametrize(
    "failed, second, ok", [(3, 0, True), (3, 1, False), (4, 0, False), (0, 0, False)]
)
def test_a_few_tests_of_the_browser_are_tried_once_more(
    failed: int, second: int, ok: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Four failures are no busy machine, and a step that names none failed as a whole."""
    names = [f"tests/e2e/test_phone.py::test_me[a b{number}]" for number in range(failed)]
    first = [sys.executable, "-c", "import sys; print(*sys.argv[1:], sep='\\n'); sys.exit(1)"]
    lines = [f"FAILED {name} - AssertionError" for name in names]
    again = (sys.executable, "-c", f"import sys; print(sys.argv[1:]); sys.exit({second})")
    command = [*first, *lines, *lines]
    step = Step("browser", "pytest", (command,), is_pytest=True, second_try=again)
    outcome = run(step, {})
    assert outcome.ok is ok
    assert (str(names) in capsys.readouterr().out) == (0 < failed < 4)
    assert list(outcome.unsteady) == (names if ok else [])
    assert summary([outcome], seconds=1.0) == (not ok)
    assert ("passed at the second try" in capsys.readouterr().out) is ok


def test_an_unknown_step_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--only", "sqllite"])
    assert stopped.value.code == 2
    assert (
        "no step sqllite; there are sqlite, browser, postgres, engine, types,"
        in capsys.readouterr().err
    )


def test_paths_and_options_go_to_pytest() -> None:
    by_name = {
        step.name: step for step in steps(["tests/config", "-k", "env"], run_slow=True, spread=True)
    }
    command = by_name["sqlite"].commands[0]
    assert command[1:] == [
        *(
            "-m",
            "pytest",
            "-q",
            "-k",
            "env",
            "--run-slow",
            "-n",
            str(CORES),
            "--dist",
            "worksteal",
            "tests/config",
        )
    ]
    without = {step.name: step for step in steps([], run_slow=False)}
    assert by_name["style"].commands == without["style"].commands


@pytest.mark.costly
def test_settings_of_a_server_do_not_affect_the_tests() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools.suite", "--only", "deploy"],
        env={"SWISS_MODE": "nonsense", "DATABASE_URL": "nonsense", "PATH": ""},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[-1] == "All 1 steps passed."


def test_python_keeps_what_it_has_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    found = tmp_path / "told"
    program = (
        f"import pathlib, sys; "
        f"pathlib.Path({str(found)!r}).write_text(str(sys.dont_write_bytecode))"
    )
    step = Step("schema", "nothing", ([sys.executable, "-c", program],))
    monkeypatch.setattr("tools.suite.steps", lambda *_arguments, **_options: [step])
    assert main(["--only", "schema"]) == 0
    assert found.read_text() == "False"


@pytest.mark.parametrize(
    "requested, quick",
    [
        ([], True),
        (["-k", "bracket"], True),
        (["tests/trf"], False),
        (["--all"], False),
        (["--run-slow"], False),
    ],
)
def test_only_a_whole_run_without_all_leaves_out_the_costly_tests(
    requested: list[str], quick: bool
) -> None:
    options = {"everything": "--all" in requested, "run_slow": "--run-slow" in requested}
    made = steps([word for word in requested if word not in ("--all", "--run-slow")], **options)
    for step in made:
        assert ("--quick" in step.commands[0]) == (quick and step.is_pytest), step.name


@pytest.mark.parametrize(
    "ci, requested, everything", [("1", [], True), ("", [], False), ("", ["--all"], True)]
)
def test_ci_leaves_out_nothing(
    ci: str,
    requested: list[str],
    everything: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    given: list[bool] = []

    def made(extra: list[str], **options: bool) -> list[Step]:
        given.append(options["everything"])
        return []

    monkeypatch.setattr("tools.suite.steps", made)
    monkeypatch.setenv("CI", ci)
    assert main([*requested, "--list"]) == 0
    assert given == [everything]


def test_ci_runs_everything() -> None:
    assert "export CI=1\n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert 'exec ./run test "$@"' in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
