"""The rules of the Dutch System before July 2017 that can be checked without a search.

Everybody is paired once; B1.a, B1.b, B2 with its exception for topscorers; every colour (E1-E5);
the order of the boards (F1). Who meets whom beyond that (B3-B6) is the outcome of the procedure,
not a condition one could look up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pairing.engine.errors import InvariantError
from pairing.engine.model import Colour, Pairing, TournamentState

from .board_order import board_order_3_6
from .colours import alternated_5_2_3
from .finding import Finding
from .legality import (
    Board,
    Records,
    boards_of,
    c1_no_rematch,
    c3_no_absolute_colour_clash,
    everybody_paired_once,
    pairing_allocated_bye_if_odd,
    prohibited_pairs_kept_apart,
)
from .records import PlayerRecord, read_records

TEXT = "C.04.3/pre2017"


def check_dutch_pre2017(state: TournamentState, pairing: Pairing) -> tuple[Finding, ...]:
    """Everything wrong with *pairing* that B1, B2, E and F1 can say; empty: agreed.

    Cost: every record once.
    """
    records = read_records(state)
    boards = boards_of(records, pairing)
    return (
        *_under("F5", everybody_paired_once(records, pairing)),
        *_under("A5", pairing_allocated_bye_if_odd(records, pairing)),
        *_under("B1.a", c1_no_rematch(boards)),
        *prohibited_pairs_kept_apart(state, boards),
        *b1_b_bye_not_barred(records, pairing),
        *_under("B2", c3_no_absolute_colour_clash(boards)),
        *colours_e(state, boards),
        *_under("F1", board_order_3_6(boards)),
    )


def _under(article: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    """*findings* of a rule that both texts have, under its article here."""
    for finding in findings:
        yield replace(finding, article=f"{TEXT} {article}")


def b1_b_bye_not_barred(records: Records, pairing: Pairing) -> Iterator[Finding]:
    """Forbid the bye after a bye, or after half a point or more in a
    round without a game [C.04.3/pre2017 B1.b].
    """
    if pairing.bye is not None and pairing.bye in records and records[pairing.bye].pab_barred:
        message = (
            f"Player {pairing.bye} has had a bye or at least half a point without playing "
            "and must not receive the pairing-allocated bye."
        )
        yield Finding("check.b1_b_bye_barred", f"{TEXT} B1.b", message, {"tpn": pairing.bye})


def colours_e(state: TournamentState, boards: Sequence[Board]) -> Iterator[Finding]:
    """Every board has its colours by the first rule of E that decides [C.04.3/pre2017 E]."""
    for white, black in boards:
        colour, rule = colour_of_e(white, black, state.initial_colour)
        if colour is not Colour.WHITE:
            article = f"{TEXT} {rule}"
            message = f"Player {black.tpn} must have White against player {white.tpn} ({article})."
            yield Finding(
                "check.colours", article, message, {"white": white.tpn, "black": black.tpn}
            )


def colour_of_e(
    one: PlayerRecord, other: PlayerRecord, initial_colour: Colour
) -> tuple[Colour, str]:
    """The colour of *one* against *other*, and the rule that decided [C.04.3/pre2017 E]."""
    mine, theirs = one.preference, other.preference
    if mine.colour is not theirs.colour:
        if mine.colour is not None:
            return mine.colour, "E1"
        if theirs.colour is not None:
            return theirs.colour.opposite, "E1"
    higher = min(one, other, key=lambda record: record.rank_key)
    if mine.colour is None:
        if higher.number is None:
            raise InvariantError(f"player {higher.tpn} is not present in the round")
        colour = initial_colour if higher.number % 2 else initial_colour.opposite
        return (colour if higher is one else colour.opposite), "E5"
    if mine.strength is not theirs.strength:
        return (mine.colour if mine.strength > theirs.strength else mine.colour.opposite), "E2"
    alternated = alternated_5_2_3(one, other)
    if alternated is not None:
        return alternated, "E3"
    return (mine.colour if higher is one else mine.colour.opposite), "E4"
