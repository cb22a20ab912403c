"""``bench``: measure the time per round, compare with other programs, and find the slowest rounds.

Times are processor seconds of this process, the median of several runs. A pairing starts from the
players' records and ends with the boards; reading the report is measured separately.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from random import Random
from statistics import median
from time import process_time

from pairing.engine.errors import InputError
from pairing.engine.event_plan import EventPlan
from pairing.engine.generator import generate
from pairing.engine.systems import SYSTEMS, pair
from pairing.trf.fields import MAX_TPN
from pairing.trf.reader import read

from .exit_codes import ExitCode
from .generate import text_of
from .hunt import HardRound, hunt, measure_named
from .peers import Peer, installed_peers

SIZES = (20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)
SMALLEST = 10
"""With fewer players a fifth round may be impossible."""
PLAN = EventPlan(players=0, rounds=9, played=4, forfeits=100, byes=100)
"""An ordinary tournament before its fifth round of nine."""
EVENTS = 3
"""The time for a size is the median of this many tournaments."""
DUTCH_2026 = "dutch_2026"
"""The system measured by default, and the only one for which peers are measured."""
PATIENCE = 5.0
"""A peer that needed more seconds than this for a round is not measured for larger fields."""
MOST_RUNS = 25
ENOUGH_SECONDS = 0.3
"""A pairing is repeated until both limits are reached."""
FEWEST_RUNS = 3


@dataclass(frozen=True, slots=True)
class Row:
    """The times for one size of field, in seconds; None if not measured. ``peers``: by name.

    ``peers_agree``: all measured peers gave our boards.
    """

    players: int
    pair: float
    read: float | None
    peers: dict[str, float]
    peers_agree: bool | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sizes", type=sizes, default=SIZES, metavar="N,N,…", help="numbers of players"
    )
    parser.add_argument(
        "--peers", action="store_true", help="also measure the other installed programs"
    )
    parser.add_argument(
        "--hard", action="store_true", help="measure the hardest known rounds and search for others"
    )
    parser.add_argument(
        "--budget", type=float, default=60.0, metavar="SECONDS", help="the time for the search (60)"
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="S", help="the first seed of the search (1)"
    )
    parser.add_argument("--json", action="store_true", help="the answer as JSON")
    parser.add_argument(
        "--system",
        choices=SYSTEMS,
        default=DUTCH_2026,
        metavar="CODE",
        help=f"the pairing system ({DUTCH_2026})",
    )


def sizes(text: str) -> tuple[int, ...]:
    """Return ``20,50`` as numbers."""
    if not all(part.isdecimal() and SMALLEST <= int(part) <= 100_000 for part in text.split(",")):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a list of numbers from {SMALLEST}, like 20,50"
        )
    return tuple(int(part) for part in text.split(","))


def run(options: argparse.Namespace) -> ExitCode:
    """Measure and print each size at once; with ``--hard`` the hard rounds instead of the sizes."""
    if options.peers and not installed_peers():
        raise InputError(
            "bench.no_peer",
            "No other pairing program is installed here (dependency group 'peers').",
        )
    if options.peers and options.system != DUTCH_2026:
        raise InputError(
            "usage", f"--peers is for {DUTCH_2026} only: that is what the other programs pair."
        )
    rows: list[Row] = []
    hard: list[HardRound] = []
    peers = installed_peers() if options.peers else ()
    if options.hard:
        system = options.system
        named = measure_named(system=system)
        for found in chain(named, hunt(seconds=options.budget, seed=options.seed, system=system)):
            hard.append(found)
            _print(options.json, hard_line(found))
    else:
        _print(options.json, header(peers))
        for row in measured_sizes(options.sizes, peers, options.system):
            rows.append(row)
            _print(options.json, line(row, peers))
    if options.json:
        print(
            json.dumps(
                {
                    "machine": machine(),
                    "sizes": [asdict(row) for row in rows],
                    "hard": _as_json(hard),
                }
            )
        )
    return ExitCode.OK


def machine() -> dict[str, str | int]:
    """Return what the numbers depend on, without anything that identifies the machine."""
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": platform.system(),
        "architecture": platform.machine(),
        "processors": os.cpu_count() or 1,
        "peak_memory_mb": peak_memory_mb(),
    }


def peak_memory_mb() -> int:
    """Return the highest memory use of this process so far; 0 if the system does not report it."""
    try:
        import resource
    except ImportError:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most // (1 << 20 if sys.platform == "darwin" else 1 << 10)


def seconds(prepare: Callable[[], Callable[[], object]]) -> float:
    """Return the median processor time of what *prepare* returns, without *prepare* itself."""
    taken: list[float] = []
    while len(taken) < FEWEST_RUNS or (sum(taken) < ENOUGH_SECONDS and len(taken) < MOST_RUNS):
        work = prepare()
        begin = process_time()
        work()
        taken.append(process_time() - begin)
        if taken[0] > PATIENCE:
            break
    return median(taken)


def measured_sizes(
    wanted: Sequence[int], peers: Sequence[Peer], system: str = DUTCH_2026
) -> Iterator[Row]:
    """Yield a row for each size; all programs read the same reports."""
    measured = list(peers)
    for players in wanted:
        row = _row(players, measured, system)
        measured = [peer for peer in measured if row.peers.get(peer.name, PATIENCE) < PATIENCE]
        yield row


def _row(players: int, peers: Sequence[Peer], system: str) -> Row:
    ours: list[float] = []
    reading: list[float] = []
    theirs: dict[str, list[float]] = {peer.name: [] for peer in peers}
    agree: list[bool] = []
    for seed in range(1, EVENTS + 1):
        event = generate(replace(PLAN, players=players, system=system), Random(seed))  # noqa: S311 - a game, no secret
        ours.append(seconds(lambda: lambda: pair(event.state)))  # noqa: B023 - called at once
        if players > MAX_TPN:
            continue
        text = text_of(event, seed)
        reading.append(seconds(lambda: lambda: read(text)))  # noqa: B023
        for peer in peers:
            if sum(theirs[peer.name]) < PATIENCE:
                number = event.state.round_number
                theirs[peer.name].append(seconds(lambda: peer.prepare(text, number)))  # noqa: B023
                agree.append(peer.prepare(text, number)() == pair(event.state))
    return Row(
        players=players,
        pair=median(ours),
        read=median(reading) if reading else None,
        peers={name: median(taken) for name, taken in theirs.items() if taken},
        peers_agree=all(agree) if agree else None,
    )


# -- as text ---------------------------------------------------------------------------------------


def header(peers: Sequence[Peer]) -> str:
    """Return two lines of a Markdown table."""
    names = ["players", "pair, ms", "read the TRF, ms", "pair / read"]
    for peer in peers:
        names += [f"{peer.name} {peer.version}, ms", f"ours / {peer.name}"]
    return "| " + " | ".join(names) + " |\n|" + "---|" * len(names)


def line(row: Row, peers: Sequence[Peer]) -> str:
    cells = [f"{row.players:,}", f"{1_000 * row.pair:.2f}"]
    cells += (
        ["–", "–"]
        if row.read is None
        else [f"{1_000 * row.read:.1f}", f"{row.pair / row.read:.2f}"]
    )
    for peer in peers:
        taken = row.peers.get(peer.name)
        cells += (
            ["–", "–"] if taken is None else [f"{1_000 * taken:.1f}", f"{row.pair / taken:.4f}"]
        )
    return (
        "| " + " | ".join(cells) + " |" + ("" if row.peers_agree is not False else " other boards!")
    )


def hard_line(found: HardRound) -> str:
    taken, limit = 1_000 * found.seconds, 1_000 * found.limit
    beyond = " BEYOND THE LIMIT" if found.seconds > found.limit else ""
    return f"{taken:8.1f} ms of {limit:.0f}  {found.players:>5} players  {found.name}{beyond}"


def _as_json(hard: Sequence[HardRound]) -> list[dict[str, object]]:
    return [asdict(found) for found in hard]


def _print(as_json: bool, text: str) -> None:
    if not as_json:
        print(text, flush=True)
