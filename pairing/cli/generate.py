"""``generate``: play random tournaments to the end and write them as reports."""

from __future__ import annotations

import argparse
import sys
from decimal import Decimal, InvalidOperation
from pathlib import Path
from random import Random, SystemRandom

from pairing.engine.errors import InputError
from pairing.engine.generator import WHOLE, EventPlan, GeneratedEvent, generate
from pairing.engine.model import PointSystem
from pairing.engine.systems import SYSTEMS, games_a_round
from pairing.standings.editions import PRESENT
from pairing.standings.matches import default_list
from pairing.standings.ranking import Rules, standings
from pairing.trf.crosstable import edition_remark
from pairing.trf.document import TextRecord
from pairing.trf.fields import MAX_ROUNDS, MAX_TPN
from pairing.trf.generated import document_of
from pairing.trf.writer import write

from .exit_codes import ExitCode

STANDARD_OUTPUT = "-"
SEED_MARK = "{seed}"
_RATES = (
    ("--draw-rate", 3_500, "games played that are drawn (0.35)"),
    ("--forfeit-rate", 0, "games forfeited, by one player or both"),
    ("--bye-rate", 0, "requested byes, per player and round"),
    ("--late-rate", 0, "players who join in round 2, 3 or 4"),
    ("--withdraw-rate", 0, "players who leave for good"),
    ("--prohibited", 0, "groups of two or three who may not meet, per player"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seed", type=int, metavar="S", help="the same seed gives the same file; without it one is drawn and printed"
    )
    parser.add_argument("--players", type=int, metavar="N", required=True, help=f"1 to {MAX_TPN}")
    parser.add_argument("--rounds", type=int, metavar="R", required=True, help=f"1 to {MAX_ROUNDS}")
    parser.add_argument("--played", type=int, metavar="K", help="play only the first K rounds")
    for option, default, summary in _RATES:
        parser.add_argument(option, type=rate, default=default, metavar="P", help=f"{summary}; 0 to 1")
    parser.add_argument(
        "--points", type=point_system, default=PointSystem(), metavar="W-D-L", help="win, draw, loss: 3-1-0"
    )
    parser.add_argument(
        "--system", choices=SYSTEMS, default="dutch_2026", metavar="CODE", help="the pairing system (dutch_2026)"
    )
    parser.add_argument("--accelerate", action="store_true", help="Baku acceleration (C.04.7)")
    parser.add_argument(
        "--count",
        type=int,
        metavar="C",
        default=1,
        help=f"C files with seeds S, S+1, …; FILE contains {SEED_MARK}",
    )
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the file to write; - is standard output")


def rate(text: str) -> int:
    """Return a rate from 0 to 1 with up to four decimals, in ten-thousandths."""
    try:
        value = Decimal(text) * WHOLE
    except InvalidOperation:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number") from None
    if not value.is_finite() or not 0 <= value <= WHOLE or value != int(value):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 to 1 with up to four decimals")
    return int(value)


def point_system(text: str) -> PointSystem:
    """Return ``3-1-0`` as a point system; halves are written 0.5."""
    try:
        win, draw, loss = (Decimal(part) * 10 for part in text.split("-"))
        if any(value != int(value) or not 0 <= value < 1_000 for value in (win, draw, loss)):
            raise ValueError
    except (ValueError, ArithmeticError):
        raise argparse.ArgumentTypeError(f"'{text}' is not WIN-DRAW-LOSS, like 3-1-0 or 1-0.5-0") from None
    return PointSystem.of(win=int(win), draw=int(draw), loss=int(loss))


def run(options: argparse.Namespace) -> ExitCode:
    """Generate and write. A tournament with a round that cannot be paired ends there, with a message."""
    plan = _plan(options)
    if options.count < 1 or (options.count > 1 and SEED_MARK not in options.output):
        raise InputError("usage", f"--count needs a number from 1 and a FILE with {SEED_MARK} in its name.")
    first = options.seed
    if first is None:
        first = SystemRandom().getrandbits(31)
        print(f"pairing: seed {first}", file=sys.stderr)
    for seed in range(first, first + options.count):
        event = generate(plan, Random(seed))  # noqa: S311 - a game, no secret
        _write(options.output.replace(SEED_MARK, str(seed)), text_of(event, seed))
        if event.ended_early:
            number = event.state.round_number
            article = SYSTEMS[plan.system].no_legal_pairing
            print(
                f"pairing: seed {seed}: round {number} has no legal pairing ({article}): "
                f"the tournament ends after round {number - 1}.",
                file=sys.stderr,
            )
    return ExitCode.OK


def text_of(event: GeneratedEvent, seed: int) -> str:
    """Return the report of the *event* from *seed*, ranked by its own list of tie-breaks (202)."""
    state = event.state
    codes = ",".join(default_list(games_a_round(state.system)))
    ratings = dict(zip((player.tpn for player in state.players), event.ratings, strict=True))
    table = standings(state.players, state.points, Rules.of(codes, PRESENT), ratings=ratings)
    return write(
        document_of(
            event,
            name=f"Generated tournament {seed}",
            ranking=(TextRecord("202", codes), edition_remark(PRESENT)),
            ranks={line.tpn: line.rank for line in table.lines},
        )
    )


def _plan(options: argparse.Namespace) -> EventPlan:
    games = SYSTEMS[options.system].games
    if options.players > MAX_TPN or games * options.rounds > MAX_ROUNDS:
        of_games = "" if games == 1 else ", one for each game of a match"
        raise InputError("usage", f"A report holds at most {MAX_TPN} players and {MAX_ROUNDS} rounds{of_games}.")
    return EventPlan(
        players=options.players,
        rounds=options.rounds,
        played=options.played,
        points=options.points,
        draws=options.draw_rate,
        forfeits=options.forfeit_rate,
        byes=options.bye_rate,
        late=options.late_rate,
        withdrawals=options.withdraw_rate,
        prohibitions=options.prohibited,
        accelerated=options.accelerate,
        system=options.system,
    )


def _write(name: str, text: str) -> None:
    data = text.encode()
    if name == STANDARD_OUTPUT:
        sys.stdout.buffer.write(data)
        return
    try:
        Path(name).write_bytes(data)
    except OSError as error:
        raise InputError("file.unwritable", f"{name}: {error.strerror or 'it cannot be written'}.") from None
