"""``python -m pairing``: the verbs, with one exit code and one line for each error."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final, NoReturn

from pairing.engine.errors import InputError, NoLegalPairingError

from .exit_codes import ExitCode
from .files import display

_INTERRUPTED = 130
"""The exit code of shells for a program stopped from the keyboard."""
_VERBS: Final = {
    "pair": "pair a round",
    "check": "pair every round of finished tournaments again and compare",
    "explain": "explain why a round is paired as it is, and why two players do not meet",
    "generate": "play a random tournament and write its report",
    "verify": "check the exported record of a tournament; exit code 1 if it is inconsistent",
    "norms": "print rating changes, initial ratings and title norms of a report or of worked cases",
    "bench": "measure how long a round takes",
}
"""The verbs; each has a module of its name."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Report a wrong option in one line; argparse's own code 2 means differences here."""
        self.exit(ExitCode.BAD_INPUT, f"{self.prog}: {message}; try --help\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; any error is one line on standard error."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        code = _run(_parser(arguments).parse_args(arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has closed the pipe. Without this, Python would report it again when it flushes
        # at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.OK
    except KeyboardInterrupt:
        return _print(_INTERRUPTED, "interrupted")
    except Exception as error:
        return _print(ExitCode.INTERNAL_ERROR, f"internal error: {type(error).__name__}: {error}")
    return code


def _run(options: argparse.Namespace) -> int:
    name = f"{display(options.file)}: " if "file" in options else ""
    try:
        return int(options.run(options))
    except NoLegalPairingError as error:
        return _print(ExitCode.NO_LEGAL_PAIRING, f"{name}{error}")
    except InputError as error:
        return _print(ExitCode.BAD_INPUT, f"{name}{error}")


def _print(code: int, message: str) -> int:
    print("pairing: " + " ".join(message.split()), file=sys.stderr)
    return code


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser for *arguments*. Of the verbs, only those among them are imported."""
    parser = _Parser(
        prog="pairing",
        description="Implements the FIDE Dutch System 2026; not endorsed. "
        "Exit codes: 0 ok, 1 no legal pairing, 2 differences found, 3 bad input, 70 internal error.",
    )
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    for name, summary in _VERBS.items():
        subparser = verbs.add_parser(name, help=summary, description=summary)
        if name in arguments:
            verb = import_module(f"pairing.cli.{name}")
            verb.add_arguments(subparser)
            subparser.set_defaults(run=verb.run)
    return parser
