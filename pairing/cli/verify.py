"""``verify``: check an exported record or a report's archive without the program that wrote it."""

from __future__ import annotations

import argparse
import sys
from typing import Final

from pairing.record.engine import pair_again
from pairing.record.file import RecordFile, read
from pairing.record.report_archive import MAX_BYTES, archive_faults
from pairing.record.signatures import can_check, is_key
from pairing.record.verify import first_fault

from .exit_codes import ExitCode
from .files import read_bytes, read_lines

NO_SIGNATURES: Final = "pairing: without the package “cryptography” no signature is checked."
COMPARE_KEY: Final = "compare it with the key that the site shows, or give --key"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE",
        help="the record as downloaded (JSON lines; - is standard input), or the report (.zip)",
    )
    parser.add_argument(
        "--key",
        metavar="KEY",
        type=_key,
        action="append",
        default=[],
        help="the public key of the installation, known from elsewhere; more than once if it moved",
    )
    parser.add_argument(
        "--fingerprint", metavar="HASH", help="a printed fingerprint, which must be that of a line"
    )


def run(options: argparse.Namespace) -> int:
    """Print the first inconsistent line, or the checks and the rounds paired differently."""
    if options.file.lower().endswith(".zip"):
        return _report(options)
    file = read(read_lines(options.file))
    fault = first_fault(file, keys=options.key, check_signatures=can_check())
    if not can_check():
        print(NO_SIGNATURES, file=sys.stderr)
    if fault is not None:
        print(fault)
        return ExitCode.INCONSISTENT
    wanted = (options.fingerprint or "").strip().lower()
    if options.fingerprint is not None and not _names_a_line(file, wanted):
        print(f"no line has the fingerprint “{wanted}”.")
        return ExitCode.INCONSISTENT
    _print_checked(file, known=bool(options.key))
    again = pair_again(file.lines)
    print(f"pairings made again: {again.compared}, different: {len(again.differences)}")
    for difference in again.differences:
        print(difference)
    return ExitCode.DIFFERENCES if again.differences else ExitCode.OK


def _report(options: argparse.Namespace) -> int:
    """Print what is wrong with the archive of a report, or what it contains."""
    data = read_bytes(options.file, most=MAX_BYTES)
    summary, faults = archive_faults(data, keys=options.key, check_signatures=can_check())
    if not can_check():
        print(NO_SIGNATURES, file=sys.stderr)
    for fault in faults:
        print(fault)
    if faults:
        return ExitCode.INCONSISTENT
    print(f"the report of “{summary.get('event')}” is unchanged: {len(summary['files'])} files")
    for name in ("findings", "left_out"):
        print(f"{name}: {summary.get(name)}")
    if can_check() and not options.key:
        print(f"signed with the key {summary['key']}; {COMPARE_KEY}")
    return ExitCode.OK


def _key(text: str) -> str:
    """Return the public key *text* in small letters."""
    key = text.strip().lower()
    if not is_key(key):
        raise argparse.ArgumentTypeError(
            f"“{text}” is no public key: a key has 64 digits, from 0 to 9 and a to f."
        )
    return key


def _names_a_line(file: RecordFile, wanted: str) -> bool:
    line = next((line for line in file.lines if wanted and line.hash == wanted), None)
    if line is not None:
        print(f"the fingerprint is that of #{line.sequence}, {line.at}")
    return line is not None


def _print_checked(file: RecordFile, *, known: bool) -> None:
    header = file.header
    last = f", the last {file.lines[-1].hash}" if file.lines else ""
    print(f"the record of “{header.name}” is consistent: {len(file.lines)} lines{last}")
    if not header.is_complete:
        print("it is the public record: it ends before the first line that is not published yet")
    if can_check() and not known:
        print(f"signed with the key {', '.join(header.keys)}; {COMPARE_KEY}")
