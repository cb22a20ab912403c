"""Reports that the command line refuses before it pairs."""

from __future__ import annotations

from pathlib import Path

import pytest

from pairing.cli.main import main
from tests.trf.reports import player, report


@pytest.mark.parametrize("command", ["pair", "explain"])
def test_c04_1_3_two_allocated_byes_in_a_round_are_refused(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "two.trf"
    file.write_text(report("142 5", "152 W", *(player(n, "1.0", "0000 - U") for n in (1, 2))))
    assert main([command, str(file)]) == 3
    out, error = capsys.readouterr()
    assert out == ""
    assert error.endswith("Round 1: players 1 and 2 both have the pairing-allocated bye.\n")
