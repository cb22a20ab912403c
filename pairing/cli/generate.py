"""``generate``: play random tournaments to the end and write them as reports.

What the options leave open is drawn from the seed (:mod:`pairing.engine.drawn_plans`).
"""

from __future__ import annotations

import argparse
import sys
from decimal import Decimal, InvalidOperation
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from pairing.engine.drawn_plans import draw_plan
from pairing.engine.errors import InputError
from pairing.engine.event_plan import WHOLE, EventPlan
from pairing.engine.generator import GeneratedEvent, Lots, generate
from pairing.engine.model import PointSystem
from pairing.engine.systems import SYSTEMS, games_a_round
from pairing.standings.codes import default_list, format_list, parse_list, require_usable
from pairing.standings.editions import PRESENT, edition_by_code
from pairing.standings.ranking import Rules, standings
from pairing.trf.crosstable import edition_remark
from pairing.trf.document import TextRecord
from pairing.trf.fields import MAX_RATING, MAX_ROUNDS, MAX_TPN
from pairing.trf.generated import document_of
from pairing.trf.writer import write

from .exit_codes import ExitCode

STANDARD_OUTPUT = "-"
SEED_MARK = "{seed}"
_RATES = (
    ("--draw-rate", "draws", "games drawn, as far as the ratings allow it"),
    ("--forfeit-rate", "forfeits", "games forfeited, of all kinds: by Black, by White, by both"),
    ("--forfeit-wins", "forfeit_wins", "games that White wins by forfeit"),
    ("--forfeit-losses", "forfeit_losses", "games that White loses by forfeit"),
    ("--double-forfeits", "double_forfeits", "games forfeited by both players"),
    ("--unusual-rate", "unusual", "games that end 0-0, ½-0 or 0-½, or before a move"),
    ("--bye-rate", "byes", "requested byes of all kinds, per player and round"),
    ("--half-byes", "half_byes", "half-point byes, per player and round"),
    ("--zero-byes", "zero_byes", "zero-point byes, per player and round"),
    ("--full-byes", "full_byes", "full-point byes, per player and round"),
    ("--late-rate", "late", "players who join in round 2, 3 or 4"),
    ("--withdraw-rate", "withdrawals", "players who leave for good"),
    ("--prohibited", "prohibitions", "groups of two or three who may not meet, per player"),
)
"""The option, the field of the plan, and the help of each rate."""
_OF_ALL_KINDS = {
    "byes": ("half_byes", "zero_byes", "full_byes"),
    "forfeits": ("forfeit_wins", "forfeit_losses", "double_forfeits"),
}
"""A rate for all kinds takes the place of the rates of single kinds that are not given."""
_LISTS = (
    "BH/C1,BH,SB,DE,WIN",
    "BH/C1,BH,DE,WIN,BPG",
    "DE,BH/C1,SB,PS",
    "WIN,BPG,BH/C1,BH",
    "BH,SB,KS",
    "SB,BH/M1,REP",
    "ARO,BH/C1,DE",
    "BH/C2,AOB,FB,TPR",
)
"""The lists of tie-breaks from which one is drawn."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seed",
        type=int,
        metavar="S",
        help="the same line and seed give the same file; without it one is drawn",
    )
    parser.add_argument("--players", type=int, metavar="N", help=f"1 to {MAX_TPN}")
    parser.add_argument("--rounds", type=int, metavar="R", help=f"1 to {MAX_ROUNDS}")
    parser.add_argument("--played", type=int, metavar="K", help="play only the first K rounds")
    for option, name, summary in _RATES:
        parser.add_argument(option, type=rate, dest=name, metavar="P", help=f"{summary}; 0 to 1")
    parser.add_argument(
        "--points", type=point_system, metavar="W-D-L", help="win, draw, loss: 3-1-0"
    )
    parser.add_argument(
        "--tie-breaks",
        type=tie_break_list,
        metavar="LIST",
        help="the list of record 202: BH/C1,BH,SB",
    )
    _add_ratings(parser)
    parser.add_argument(
        "--system",
        choices=SYSTEMS,
        default="dutch_2026",
        metavar="CODE",
        help="the pairing system (dutch_2026)",
    )
    parser.add_argument(
        "--accelerate",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="Baku acceleration (C.04.7), or none",
    )
    parser.add_argument(
        "--count",
        type=int,
        metavar="C",
        default=1,
        help=f"C files with seeds S, S+1, …; FILE contains {SEED_MARK}",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        default="-",
        help="the file to write; - is standard output",
    )


def _add_ratings(parser: argparse.ArgumentParser) -> None:
    """Add the options for the ratings of the players."""
    ratings = parser.add_mutually_exclusive_group()
    ratings.add_argument(
        "--ratings",
        type=rating_list,
        metavar="LIST",
        help="a rating for each player: 2400,2385,2100",
    )
    ratings.add_argument(
        "--rating-bounds", type=rating_bounds, metavar="LOW-HIGH", help="ratings by lot: 1400-2700"
    )
    parser.add_argument(
        "--rating-gap", type=int, metavar="G", help="each rating is G below the one before"
    )


def rate(text: str) -> int:
    """Return a rate from 0 to 1 with up to four decimals, in ten-thousandths."""
    try:
        value = Decimal(text) * WHOLE
    except InvalidOperation:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number") from None
    if not value.is_finite() or not 0 <= value <= WHOLE or value != int(value):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a number from 0 to 1 with up to four decimals"
        )
    return int(value)


def point_system(text: str) -> PointSystem:
    """Return ``3-1-0`` as a point system; halves are written 0.5."""
    try:
        win, draw, loss = (Decimal(part) * 10 for part in text.split("-"))
        if any(value != int(value) or not 0 <= value < 1_000 for value in (win, draw, loss)):
            raise ValueError
    except (ValueError, ArithmeticError):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not WIN-DRAW-LOSS, like 3-1-0 or 1-0.5-0"
        ) from None
    return PointSystem.from_values(win=int(win), draw=int(draw), loss=int(loss))


def rating_list(text: str) -> tuple[int, ...]:
    """Return ``2400,2385,2100`` as ratings from 1 to 4000."""
    words = text.replace(",", " ").split()
    if not words or not all(word.isdecimal() and 1 <= int(word) <= MAX_RATING for word in words):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a list of ratings from 1 to {MAX_RATING}, like 2400,2385"
        )
    return tuple(map(int, words))


def rating_bounds(text: str) -> tuple[int, int]:
    """Return ``1400-2700`` as the lowest and the highest rating."""
    low, _, high = text.partition("-")
    if not (low.isdecimal() and high.isdecimal() and 1 <= int(low) <= int(high) <= MAX_RATING):
        raise argparse.ArgumentTypeError(f"'{text}' is not LOW-HIGH, like 1400-2700")
    return int(low), int(high)


def tie_break_list(text: str) -> str:
    """Return the list in the form of record 202; refuse a code that does not exist."""
    try:
        return format_list(parse_list(text, edition_by_code(PRESENT)))
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def run(options: argparse.Namespace) -> ExitCode:
    """Generate and write, each option that is not given drawn from the seed.

    A tournament with a round that cannot be paired ends there, with a message.
    """
    given = _given(options)
    if options.count < 1 or (options.count > 1 and SEED_MARK not in options.output):
        raise InputError(
            "usage", f"--count needs a number from 1 and a FILE with {SEED_MARK} in its name."
        )
    first = options.seed
    if first is None:
        first = SystemRandom().getrandbits(31)
        print(f"pairing: seed {first}", file=sys.stderr)
    for seed in range(first, first + options.count):
        chance = Random(seed)  # noqa: S311 - a game, no secret
        plan = draw_plan(given, chance)
        codes = options.tie_breaks or _drawn_list(plan, chance)
        event = generate(plan, chance)
        _write(options.output.replace(SEED_MARK, str(seed)), text_of(event, seed, codes))
        if event.ended_early:
            number = event.state.round_number
            article = SYSTEMS[plan.system].no_legal_pairing
            print(
                f"pairing: seed {seed}: round {number} has no legal pairing ({article}): "
                f"the tournament ends after round {number - 1}.",
                file=sys.stderr,
            )
    return ExitCode.OK


def text_of(event: GeneratedEvent, seed: int, codes: str = "") -> str:
    """Return the report of *event* from *seed*, by the tie-breaks *codes*, else the default."""
    state = event.state
    codes = codes or ",".join(default_list(games_a_round(state.system)))
    ratings = dict(zip((player.tpn for player in state.players), event.ratings, strict=True))
    table = standings(
        state.players, state.points, Rules.from_codes(codes, PRESENT), ratings=ratings
    )
    return write(
        document_of(
            event,
            name=f"Generated tournament {seed}",
            ranking=(TextRecord("202", codes), edition_remark(PRESENT)),
            ranks={line.tpn: line.rank for line in table.lines},
        )
    )


def _given(options: argparse.Namespace) -> dict[str, Any]:
    """Return the fields of the plan that the options give; the others are drawn."""
    games = SYSTEMS[options.system].games
    if (options.players or 0) > MAX_TPN or games * (options.rounds or 0) > MAX_ROUNDS:
        of_games = "" if games == 1 else ", one for each game of a match"
        raise InputError(
            "usage", f"A report holds at most {MAX_TPN} players and {MAX_ROUNDS} rounds{of_games}."
        )
    if options.ratings and options.rating_gap is not None:
        raise InputError("usage", "--rating-gap is not for a list of ratings.")
    if options.tie_breaks:
        require_usable(parse_list(options.tie_breaks, edition_by_code(PRESENT)), games)
    lowest, highest = options.rating_bounds or (None, None)
    fields = {
        **{
            name: getattr(options, name)
            for name in ("players", "rounds", "played", "points", "ratings", "system")
        },
        **{name: getattr(options, name) for _, name, _ in _RATES},
        "accelerated": options.accelerate,
        "lowest": lowest,
        "highest": highest,
        "gap": options.rating_gap,
    }
    given = {name: value for name, value in fields.items() if value is not None}
    for whole, kinds in _OF_ALL_KINDS.items():
        if whole in given:
            given = {**dict.fromkeys(kinds, 0), **given}
    return given


def _drawn_list(plan: EventPlan, chance: Random) -> str:
    """Return a list of tie-breaks by lot, that fits rounds of one game or of two."""
    games = games_a_round(plan.system)
    return Lots(chance).of(_LISTS) if games == 1 else ",".join(default_list(games))


def _write(name: str, text: str) -> None:
    data = text.encode()
    if name == STANDARD_OUTPUT:
        sys.stdout.buffer.write(data)
        return
    try:
        Path(name).write_bytes(data)
    except OSError as error:
        raise InputError(
            "file.unwritable", f"{name}: {error.strerror or 'it cannot be written'}."
        ) from None
