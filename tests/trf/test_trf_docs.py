"""docs/developer/trf.md matches the program."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from pairing import pair
from pairing.cli.exit_codes import ExitCode
from pairing.json_io import state_from_json, state_to_json
from pairing.trf import read, state_before_round
from pairing.trf.directives import DIRECTIVES

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "developer" / "trf.md").read_text()
EVENT = ROOT / "tests" / "golden" / "dutch_pre2017_worked_example.trf"


def test_the_position_shown_can_be_paired_and_shows_every_key() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    state = state_from_json(json.loads(block))
    assert state_to_json(state) == json.loads(block)
    assert pair(state).bye is not None


def test_the_python_example_runs_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    shutil.copy(EVENT, tmp_path / "event.trf")
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "docs/developer/trf.md", "exec"), {})  # noqa: S102  our own page
    expected = pair(state_before_round(read(EVENT.read_bytes()), 2)).pairs
    assert capsys.readouterr().out == f"{expected}\n"


def test_every_record_we_use_is_in_the_table() -> None:
    written = set(re.findall(r"\b(?:\d{3}|XX[A-Z]|BB(?=\?))", PAGE))
    assert {code[:2] if code.startswith("BB") else code for code in DIRECTIVES} <= written


def test_every_exit_code_is_explained() -> None:
    table = PAGE.partition("| exit code |")[2]
    assert [int(code) for code in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)] == sorted(
        ExitCode
    )
