"""``check``: every round of every file paired again from that file alone, and compared."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

from pairing.engine.errors import InputError
from pairing.recheck import Board, RoundDifference, round_difference
from pairing.trf.document import TrfDocument
from pairing.trf.rounds import played_rounds

from .exit_codes import ExitCode
from .files import STANDARD_INPUT, display, read_document


@dataclass(frozen=True, slots=True)
class FileReport:
    """What came of one file: the rounds compared and a line per round that differs, or why there is no answer."""

    rounds: int = 0
    differences: tuple[str, ...] = ()
    problem: str = ""
    code: ExitCode = ExitCode.OK


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="tournament reports (TRF); - is standard input")
    parser.add_argument("--round", type=int, metavar="N", help="only this round of each file")
    parser.add_argument("--system", metavar="CODE", help="the pairing system, whatever the files say (dutch_2026)")
    parser.add_argument(
        "--jobs", type=int, metavar="N", default=os.cpu_count() or 1, help="files checked at once; one per processor"
    )


def run(options: argparse.Namespace) -> ExitCode:
    """Check the files in the order given and print what differs.

    A file that cannot be read is said on standard error, the others are checked all the same. The pairs
    (White, Black) and the pairing-allocated bye are compared, not the order of the boards.
    """
    if options.jobs < 1:
        raise InputError("usage", "--jobs needs a number from 1.")
    tournaments = rounds = differences = 0
    code = ExitCode.OK
    work = partial(check_file, only_round=options.round, system=options.system)
    for done, (name, report) in enumerate(_reports(work, options.files, options.jobs), 1):
        tournaments += not report.problem
        rounds += report.rounds
        differences += len(report.differences)
        code = max(code, report.code)
        for line in report.differences:
            print(f"{display(name)}: {line}", flush=True)
        if report.problem:
            print(f"pairing: {display(name)}: {report.problem}", file=sys.stderr, flush=True)
        _show_progress(done, len(options.files))
    print(f"checked: tournaments={tournaments} rounds={rounds} differences={differences}")
    if options.round is not None and not rounds and code is ExitCode.OK:
        raise InputError("check.nothing", f"no file has a round {options.round}.")
    return code


def check_file(name: str, *, only_round: int | None = None, system: str | None = None) -> FileReport:
    """Pair every round of the file *name* again, or *only_round* of it, and say which differ."""
    try:
        return _check(read_document(name, system), only_round, system)
    except InputError as error:
        return FileReport(problem=str(error), code=ExitCode.BAD_INPUT)
    except Exception as error:  # the other files are still to be checked
        return FileReport(problem=f"internal error: {type(error).__name__}: {error}", code=ExitCode.INTERNAL_ERROR)


def _check(document: TrfDocument, only_round: int | None, system: str | None) -> FileReport:
    rounds = range(1, played_rounds(document.players) + 1)
    numbers = [number for number in rounds if only_round is None or number == only_round]
    found = (round_difference(document, number, system=system) for number in numbers)
    differences = tuple(_line(difference) for difference in found if difference is not None)
    return FileReport(len(numbers), differences, code=ExitCode.DIFFERENCES if differences else ExitCode.OK)


def _reports(work: partial[FileReport], names: Sequence[str], jobs: int) -> Iterator[tuple[str, FileReport]]:
    if jobs == 1 or len(names) == 1 or STANDARD_INPUT in names:
        yield from ((name, work(name)) for name in names)
        return
    pool = ProcessPoolExecutor(max_workers=min(jobs, len(names)))
    try:
        yield from zip(names, pool.map(work, names), strict=True)
    finally:
        pool.shutdown(cancel_futures=True)


def _line(difference: RoundDifference) -> str:
    """What the file has and we do not, and the other way round, ``white-black`` and the bye as ``N-bye``."""
    if difference.no_legal_pairing:
        return (
            f"round {difference.round_number}: paired in the file; "
            f"no legal pairing exists ({difference.no_legal_pairing})"
        )
    in_file, paired_again = _pairs(difference.in_file), _pairs(difference.paired_again)
    return f"round {difference.round_number}: the file has {in_file}; paired again {paired_again}"


def _pairs(boards: tuple[Board, ...]) -> str:
    return " ".join(str(board) for board in sorted(boards, key=lambda board: board.white)) or "nothing else"


def _show_progress(done: int, files: int) -> None:
    """A counter for somebody who watches; never in a log or a pipe."""
    if files > 1 and sys.stderr.isatty():
        print(f"\r{done}/{files}", end="" if done < files else "\r\033[K", file=sys.stderr, flush=True)
