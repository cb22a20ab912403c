"""``check``: compute rounds, or standings, of each file again from it alone, and compare."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial

from pairing.engine.errors import InputError
from pairing.engine.systems import SYSTEMS
from pairing.recheck import Board, RoundDifference, points_differences, round_difference
from pairing.standings.editions import edition_by_code
from pairing.standings_recheck import decide_tie_break_edition, recheck_standings
from pairing.trf.consistency import POINTS_COLUMN
from pairing.trf.document import TrfDocument
from pairing.trf.editions import decide_system
from pairing.trf.remarks import remarks
from pairing.trf.rounds import played_rounds
from pairing.trf.scoring import is_colour_dependent

from .exit_codes import ExitCode
from .files import STANDARD_INPUT, display, read_document, used


@dataclass(frozen=True, slots=True)
class FileReport:
    """The result for a file: how much was compared, and each difference; or the problem.

    ``compared`` counts rounds, or players with ``--standings``. ``notes`` are lines that are not
    differences. ``used`` is the line about the rules that were used; it does not matter when two
    reports are compared, and neither do ``remarks`` on what may be wrong in the file, for standard
    error.
    """

    compared: int = 0
    differences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    problem: str = ""
    code: ExitCode = ExitCode.OK
    used: str = field(default="", compare=False)
    remarks: tuple[str, ...] = field(default=(), compare=False)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="tournament reports (TRF); - is standard input"
    )
    parser.add_argument("--round", type=int, metavar="N", help="only this round of each file")
    parser.add_argument(
        "--system",
        metavar="CODE",
        help="the pairing system instead of that of the file (dutch_2026)",
    )
    parser.add_argument(
        "--standings",
        action="store_true",
        help="check points, tie-breaks and ranks instead of the pairings (C.07)",
    )
    parser.add_argument(
        "--tie-breaks",
        metavar="LIST",
        help="with --standings: the list instead of that of the file (BH/C1,BH,SB,DE,WIN)",
    )
    parser.add_argument(
        "--edition",
        metavar="CODE",
        help="with --standings: the edition of C.07 (fide-2026, fide-2024)",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        default=os.cpu_count() or 1,
        help="files checked at once; one per processor",
    )


def run(options: argparse.Namespace) -> ExitCode:
    """Check the files in the given order and print the differences.

    A file that cannot be read is reported on standard error, and the others are still checked. For
    each file a line gives the system, or the edition of C.07, and the reason for it. The check
    compares the pairs (White, Black) and the pairing-allocated bye, not the order of the boards; a
    wrong points column is a remark on standard error. With ``--standings`` it compares the points
    and the ranks.
    """
    work = _work(options)
    tournaments = compared = differences = 0
    code = ExitCode.OK
    for done, (name, report) in enumerate(_reports(work, options.files, options.jobs), 1):
        tournaments += not report.problem
        compared += report.compared
        differences += len(report.differences)
        code = max(code, report.code)
        for line in (*filter(None, [report.used]), *report.notes, *report.differences):
            print(f"{display(name)}: {line}", flush=True)
        for line in filter(None, (*report.remarks, report.problem)):
            print(f"pairing: {display(name)}: {line}", file=sys.stderr, flush=True)
        _show_progress(done, len(options.files))
    unit = "players" if options.standings else "rounds"
    print(f"checked: tournaments={tournaments} {unit}={compared} differences={differences}")
    if options.round is not None and not compared and code is ExitCode.OK:
        raise InputError("check.nothing", f"no file has a round {options.round}.")
    return code


def _work(options: argparse.Namespace) -> Callable[[str], FileReport]:
    """Return the function to run for each file; contradictory options are bad input."""
    if options.jobs < 1:
        raise InputError("usage", "--jobs needs a number from 1.")
    if not options.standings:
        if options.tie_breaks is not None or options.edition is not None:
            raise InputError("usage", "--tie-breaks and --edition are of --standings.")
        return partial(check_file, only_round=options.round, system=options.system)
    if options.round is not None or options.system is not None:
        raise InputError(
            "usage",
            "--standings looks at the whole event: --round and --system have no part in it.",
        )
    return partial(check_standings_of_file, tie_breaks=options.tie_breaks, edition=options.edition)


def check_file(
    name: str, *, only_round: int | None = None, system: str | None = None
) -> FileReport:
    """Pair every round of the file *name* again, or *only_round*; report the differences."""
    return _reported(lambda: _check(read_document(name, system, False), only_round, system))


def check_standings_of_file(
    name: str, *, tie_breaks: str | None = None, edition: str | None = None
) -> FileReport:
    """Recompute points, tie-breaks and ranks of the file *name*, and report the differences."""

    def check() -> FileReport:
        document = read_document(name, check_points=False)
        found = recheck_standings(document, tie_breaks=tie_breaks, edition=edition)
        decided = decide_tie_break_edition(document, edition)
        rules_used = used(decided, "tie-breaks by", edition_by_code(decided.code).name)
        code = ExitCode.DIFFERENCES if found.differences else ExitCode.OK
        differences, doubts = tuple(map(str, found.differences)), _remarks(document)
        return FileReport(
            found.players, differences, found.notes, code=code, used=rules_used, remarks=doubts
        )

    return _reported(check)


def _reported(check: Callable[[], FileReport]) -> FileReport:
    try:
        return check()
    except InputError as error:
        return FileReport(problem=str(error), code=ExitCode.BAD_INPUT)
    except Exception as error:  # The other files must still be checked.
        return FileReport(
            problem=f"internal error: {type(error).__name__}: {error}", code=ExitCode.INTERNAL_ERROR
        )


def _check(document: TrfDocument, only_round: int | None, system: str | None) -> FileReport:
    rounds = range(1, played_rounds(document.players) + 1)
    numbers = [number for number in rounds if only_round is None or number == only_round]
    found = (round_difference(document, number, system=system) for number in numbers)
    differences = tuple(_line(difference) for difference in found if difference is not None)
    decided = decide_system(document, system)
    rules_used = (
        used(decided, "paired by", SYSTEMS[decided.code].name) if decided.code in SYSTEMS else ""
    )
    code = ExitCode.DIFFERENCES if differences else ExitCode.OK
    doubts = (*_remarks(document), *_wrong_totals(document))
    return FileReport(len(numbers), differences, code=code, used=rules_used, remarks=doubts)


def _wrong_totals(document: TrfDocument) -> Iterator[str]:
    """Yield a remark on each player with wrong points: pairings follow from the results."""
    if is_colour_dependent(document):
        return
    lines = {player.tpn: document.line_of(player) for player in document.players}
    for found in points_differences(document):
        yield (
            f"line {lines[found.tpn]}, column {POINTS_COLUMN}: Player {found.tpn} has "
            f"{found.in_file / 10} points "
            f"here, but the results add up to {found.computed / 10}."
        )


def _remarks(document: TrfDocument) -> tuple[str, ...]:
    return tuple(map(str, remarks(document)))


def _reports(
    work: Callable[[str], FileReport], names: Sequence[str], jobs: int
) -> Iterator[tuple[str, FileReport]]:
    if jobs == 1 or len(names) == 1 or STANDARD_INPUT in names:
        yield from ((name, work(name)) for name in names)
        return
    pool = ProcessPoolExecutor(max_workers=min(jobs, len(names)))
    try:
        yield from zip(names, pool.map(work, names), strict=True)
    finally:
        pool.shutdown(cancel_futures=True)


def _line(difference: RoundDifference) -> str:
    """Return the boards of the file alone, and of us alone: ``white-black``, bye ``N-bye``."""
    if difference.no_legal_pairing:
        return (
            f"round {difference.round_number}: paired in the file; "
            f"no legal pairing exists ({difference.no_legal_pairing})"
        )
    in_file, paired_again = _pairs(difference.in_file), _pairs(difference.paired_again)
    return f"round {difference.round_number}: the file has {in_file}; paired again {paired_again}"


def _pairs(boards: tuple[Board, ...]) -> str:
    return (
        " ".join(str(board) for board in sorted(boards, key=lambda board: board.white))
        or "nothing else"
    )


def _show_progress(done: int, files: int) -> None:
    """Show a counter in a terminal, but never in a log or a pipe."""
    if files > 1 and sys.stderr.isatty():
        print(
            f"\r{done}/{files}", end="" if done < files else "\r\033[K", file=sys.stderr, flush=True
        )
