"""``pair``: pair the next round of a report, or the round of one or many JSON positions."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from pairing.engine.errors import EngineError, InputError, NoLegalPairingError
from pairing.engine.model import Pairing
from pairing.engine.systems import pair
from pairing.json_io import error_to_json, pairing_to_json, state_from_json
from pairing.trf.convert import refuse_second_byes, state_before_round
from pairing.trf.fields import MAX_BYTES
from pairing.trf.rounds import next_round

from .exit_codes import ExitCode
from .files import SYSTEM_HELP, read_bytes, read_document, read_lines, tell_guess, tell_remarks

MAX_JSON_BYTES = 4 * MAX_BYTES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a tournament report (TRF), or JSON; - is standard input")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="FILE is one position in JSON; so is the answer")
    form.add_argument("--jsonl", action="store_true", help="FILE has one position per line; one answer per line")
    parser.add_argument("--round", type=int, metavar="N", help="the round to pair; without it the next one (TRF only)")
    parser.add_argument("--system", metavar="CODE", help=SYSTEM_HELP)


def run(options: argparse.Namespace) -> ExitCode:
    """Pair and print. Raise :class:`EngineError` if no pairing is possible."""
    if options.json or options.jsonl:
        if options.round is not None:
            raise InputError("usage", "--round is for reports; a JSON position names its round itself.")
        return _run_lines(options) if options.jsonl else _run_json(options)
    document = read_document(options.file, options.system)
    refuse_second_byes(document)
    tell_remarks(options.file, document)
    tell_guess(options.file, document, options.system)
    number = next_round(document) if options.round is None else options.round
    print(pairing_text(pair(state_before_round(document, number, system=options.system))))
    return ExitCode.OK


def pairing_text(pairing: Pairing) -> str:
    """Return the number of lines that follow, then ``white black`` by board and the bye as ``N 0``."""
    lines = [f"{white} {black}" for white, black in pairing.pairs]
    if pairing.bye is not None:
        lines.append(f"{pairing.bye} 0")
    return "\n".join([str(len(lines)), *lines])


def _run_json(options: argparse.Namespace) -> ExitCode:
    try:
        answer = _answer(read_bytes(options.file, most=MAX_JSON_BYTES), options.system)
    except EngineError as error:
        print(json.dumps(error_to_json(error)))
        raise
    print(json.dumps(answer))
    return ExitCode.OK


def _run_lines(options: argparse.Namespace) -> ExitCode:
    """Print one answer per line, each as soon as it is ready; an internal error also changes the exit code."""
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
    if len(data) > MAX_JSON_BYTES:
        raise InputError("json.too_large", f"A position may have at most {MAX_JSON_BYTES:,} bytes.")
    try:
        position = json.loads(data.decode("utf-8"))
    except json.JSONDecodeError as error:
        raise InputError("json.invalid", f"line {error.lineno}, column {error.colno}: {error.msg}.") from None
    except (ValueError, RecursionError) as error:
        raise InputError("json.invalid", f"Not JSON in UTF-8: {error}.") from None
    return pairing_to_json(pair(state_from_json(position, system)))
