"""``pair --json`` and ``pair --jsonl``: pair the round of one or many JSON positions."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from pairing.engine.errors import EngineError, InputError, NoLegalPairingError
from pairing.engine.systems import pair
from pairing.json_io import error_to_json, pairing_to_json, state_from_json

from .exit_codes import ExitCode
from .files import read_bytes, read_lines
from .json_input import MAX_JSON_BYTES, json_of


def run_json(options: argparse.Namespace) -> ExitCode:
    """Print the answer to one position. Raise :class:`EngineError`, which is printed too."""
    try:
        answer = _answer(read_bytes(options.file, most=MAX_JSON_BYTES), options.system)
    except EngineError as error:
        print(json.dumps(error_to_json(error)))
        raise
    print(json.dumps(answer))
    return ExitCode.OK


def run_lines(options: argparse.Namespace) -> ExitCode:
    """Print one answer per line, as soon as it is ready; internal errors change the exit code."""
    code = ExitCode.OK
    for line in read_lines(options.file):
        try:
            answer = _answer(line, options.system)
        except (InputError, NoLegalPairingError) as error:
            answer = error_to_json(error)
        except Exception as error:
            answer = {"error": {"code": "internal_error", "message": type(error).__name__}}
            code = ExitCode.INTERNAL_ERROR
        print(json.dumps(answer), flush=True)
    if code is not ExitCode.OK:
        print("pairing: internal error: see the answers with internal_error", file=sys.stderr)
    return code


def _answer(data: bytes, system: str | None) -> dict[str, Any]:
    return pairing_to_json(pair(state_from_json(json_of(data), system)))
