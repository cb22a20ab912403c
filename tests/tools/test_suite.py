"""``./run test``: a failed step makes the whole run fail, and the summary names it."""

import subprocess
import sys

import pytest

from tools.suite import Step, main, run, steps, summary

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


def test_the_last_line_of_pytest_is_in_the_summary() -> None:
    command = [sys.executable, "-c", "print('..\\n\\n==== 2 passed in 0.01s ====\\n')"]
    outcome = run(Step("sqlite", "pytest", (command,), is_pytest=True), {})
    assert outcome.closing == "2 passed in 0.01s"
    assert str(outcome).endswith("  2 passed in 0.01s")


def test_an_unknown_step_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--only", "sqllite"])
    assert stopped.value.code == 2
    assert "no step sqllite; there are style, types, layers," in capsys.readouterr().err


def test_paths_and_options_go_to_pytest() -> None:
    by_name = {step.name: step for step in steps(["tests/config", "-k", "env"], run_slow=True)}
    command = by_name["sqlite"].commands[0]
    assert command[1:] == [
        *("-m", "pytest", "-q", "-k", "env", "--run-slow", "-n", "2", "--dist", "worksteal", "tests/config")
    ]
    assert by_name["style"].commands == steps([], run_slow=False)[0].commands


def test_settings_of_a_server_do_not_affect_the_tests() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools.suite", "--only", "deploy"],
        env={"SWISS_MODE": "nonsense", "DATABASE_URL": "nonsense", "PATH": ""},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[-1] == "All 1 steps passed."
