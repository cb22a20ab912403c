"""Fixtures that run the command line, in this process and in one of its own."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from pairing.cli.main import main
from tests.findings import findings
from tests.trf.reports import FOUR

ROOT = Path(__file__).resolve().parents[1]
START = (
    f"import sys; sys.path.insert(0, {str(ROOT)!r}); import runpy; "
    f"runpy.run_module('pairing', run_name='__main__')"
)
COMMAND = [sys.executable, "-I", "-S", "-c", START]


@dataclass(frozen=True)
class Run:
    code: int
    out: str
    error: str


Pairing = Callable[..., Run]


@pytest.fixture
def pairing(tmp_path: Path) -> Pairing:
    """Return a function that calls ``main`` as :func:`own_process` does, but in this process."""

    def run(*arguments: str, stdin: str | bytes = b"") -> Run:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        streams = {name: io.TextIOWrapper(io.BytesIO(), "utf-8") for name in ("stdout", "stderr")}
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(tmp_path)
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
            for name, stream in streams.items():
                patch.setattr(sys, name, stream)
            try:
                code = main(arguments)
            except SystemExit as end:  # argparse, after --help or a wrong option
                code = int(end.code or 0)
        out, error = (written(stream) for stream in streams.values())
        return Run(code, findings(out), findings(error))

    return run


def written(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


@pytest.fixture
def own_process(tmp_path: Path) -> Pairing:
    """Return a function that runs the command in a new folder and
    leaves out the lines about the rules used.
    """

    def run(*arguments: str, stdin: str | bytes = b"") -> Run:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            [*COMMAND, *arguments], cwd=tmp_path, input=data, capture_output=True, check=False
        )
        return Run(done.returncode, findings(done.stdout.decode()), findings(done.stderr.decode()))

    return run


@pytest.fixture
def four(tmp_path: Path) -> Path:
    (tmp_path / "four.trf").write_text(FOUR)
    return tmp_path / "four.trf"
