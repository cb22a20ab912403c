"""``pair``: pair the next round of a report, or the round of one or many JSON positions."""

from __future__ import annotations

import argparse

from pairing.engine.errors import InputError
from pairing.engine.model import Pairing
from pairing.engine.systems import pair
from pairing.trf.convert import refuse_second_byes, state_before_round
from pairing.trf.rounds import next_round

from .exit_codes import ExitCode
from .files import SYSTEM_HELP, print_guess, print_remarks, read_document


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", help="a tournament report (TRF), or JSON; - is standard input"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--json", action="store_true", help="FILE is one position in JSON; so is the answer"
    )
    form.add_argument(
        "--jsonl", action="store_true", help="FILE has one position per line; one answer per line"
    )
    parser.add_argument(
        "--round",
        type=int,
        metavar="N",
        help="the round to pair; without it the next one (TRF only)",
    )
    parser.add_argument("--system", metavar="CODE", help=SYSTEM_HELP)


def run(options: argparse.Namespace) -> ExitCode:
    """Pair and print. Raise :class:`EngineError` if no pairing is possible."""
    if options.json or options.jsonl:
        if options.round is not None:
            raise InputError(
                "usage", "--round is for reports; a JSON position names its round itself."
            )
        from . import pair_json  # reports do not need it

        return pair_json.run_lines(options) if options.jsonl else pair_json.run_json(options)
    document = read_document(options.file, options.system)
    refuse_second_byes(document)
    print_remarks(options.file, document)
    print_guess(options.file, document, options.system)
    number = next_round(document) if options.round is None else options.round
    print(pairing_text(pair(state_before_round(document, number, system=options.system))))
    return ExitCode.OK


def pairing_text(pairing: Pairing) -> str:
    """Return the number of lines that follow, ``white black`` by board, and the bye as ``N 0``."""
    lines = [f"{white} {black}" for white, black in pairing.pairs]
    if pairing.bye is not None:
        lines.append(f"{pairing.bye} 0")
    return "\n".join([str(len(lines)), *lines])
