"""``norms``: print rating changes, initial ratings and title norms of worked cases or a report."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from pairing.engine.errors import InputError
from pairing.ratings.model import EventKind, Rate

from .exit_codes import ExitCode
from .files import read_bytes
from .json_input import MAX_JSON_BYTES, json_of
from .norm_cases import answer
from .report_norms import Given, report_norms


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE",
        help="worked cases (JSON), or a tournament report (TRF); - is standard input",
    )
    parser.add_argument(
        "--rate",
        choices=[rate.value for rate in Rate],
        help="the rate of play of a report; without it that of its time control (222)",
    )
    parser.add_argument(
        "--minutes",
        type=int,
        metavar="N",
        help="the minutes of each player for 60 moves in a report without record 222",
    )
    parser.add_argument(
        "--host", metavar="FED", help="the host federation; without it that of record 032"
    )
    parser.add_argument(
        "--kind",
        choices=[kind.value for kind in EventKind],
        default=EventKind.ORDINARY.value,
        help="the kind of event, for the exemptions of B.01",
    )


def run(options: argparse.Namespace) -> int:
    """Print one JSON object: by case, or by pairing number of the report.

    Raise :class:`InputError` (``usage``) for fewer minutes than 1.
    A case that cannot be read has an ``error`` in the place of its figures, and the exit code is
    that of bad input.
    """
    if options.minutes is not None and options.minutes < 1:
        raise InputError("usage", "--minutes needs a number from 1.")
    data = read_bytes(options.file, most=MAX_JSON_BYTES)
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
        found, has_errors = _cases(data)
    else:
        rate = Rate(options.rate) if options.rate else None
        given = Given(rate, options.minutes, options.host or "", EventKind(options.kind))
        found, has_errors = report_norms(data, options.file, given), False
    print(json.dumps(found, indent=1, ensure_ascii=False))
    return ExitCode.BAD_INPUT if has_errors else ExitCode.OK


def _cases(data: bytes) -> tuple[dict[str, Any], bool]:
    """Return the figures of each case, and whether one could not be read."""
    content = json_of(data)
    cases = content.get("cases") if isinstance(content, dict) else content
    if not isinstance(cases, list):
        raise InputError("case.missing", "The file has no list “cases”.")
    found: dict[str, Any] = {}
    has_errors = False
    for place, case in enumerate(cases, 1):
        given = case.get("id") if isinstance(case, dict) else None
        name = str(place if given is None else given)
        is_taken = name in found
        name = f"{name} ({place})" if is_taken else name
        try:
            if not isinstance(case, dict):
                raise InputError("case.wrong", "A case must be an object.")
            if is_taken:
                raise InputError("case.twice", f"Another case has the id “{given}”.")
            found[name] = answer(case)
        except InputError as error:
            found[name] = {"error": {"code": error.code, "message": error.message}}
            print(f"pairing: case {name}: {error}", file=sys.stderr)
            has_errors = True
    return found, has_errors
