"""Check as a second witness whether the rules allow a pairing, afresh from the records.

The checker shares only the data model with the engine that made the pairing. Two programs that read
the text separately have to agree before a round is saved. The checks need no search for the pairing
itself: the players paired, [C1]-[C3], [C5], every colour, the board order. Findings come in the
order of the checks below, and within a check in the order of the boards.
"""

from __future__ import annotations

from dataclasses import replace

from pairing.engine.errors import InputError
from pairing.engine.model import Pairing, TournamentState

from .board_order import board_order_3_6
from .colours import colours_5_2
from .double_swiss import check_double_swiss, legal_match_pairing_exists
from .dutch_pre2017 import check_dutch_pre2017
from .editions import EDITIONS
from .finding import Finding
from .legality import (
    boards_of,
    c1_no_rematch,
    c2_pairing_allocated_bye_not_barred,
    c3_no_absolute_colour_clash,
    everybody_paired_once,
    pairing_allocated_bye_if_odd,
    prohibited_pairs_kept_apart,
)
from .pab_score import c5_lowest_score, legal_game_pairing_exists
from .records import read_records

__all__ = ["Finding", "check", "legal_pairing_exists"]

DOUBLE_SWISS = "double_swiss_2026"
DUTCH_PRE2017 = "dutch_pre2017"


def check(state: TournamentState, pairing: Pairing) -> tuple[Finding, ...]:
    """List everything wrong with *pairing* as the pairing of the round of *state*;
    an empty list means agreement.

    *state* must be consistent (the engine refuses others). The checks are exact, but a pairing that
    only breaks a quality criterion ([C6]-[C21], in 2017 [C.5]-[C.19]) passes. Other systems have
    their own list of checks, in the module of their name. Raises :class:`InputError`
    (``system.unchecked``) for a system that the checker does not know. Cost: [C5] takes one search
    for alternating paths, well under a second for 300 players.
    """
    if state.system == DOUBLE_SWISS:
        return check_double_swiss(state, pairing)
    if state.system == DUTCH_PRE2017:
        return check_dutch_pre2017(state, pairing)
    edition = EDITIONS.get(state.system)
    if edition is None:
        raise InputError(
            "system.unchecked",
            f"The checker does not know the system '{state.system}'.",
            system=state.system,
        )
    records = read_records(state)
    boards = boards_of(records, pairing)
    findings = [
        *everybody_paired_once(records, pairing),
        *pairing_allocated_bye_if_odd(records, pairing),
        *c1_no_rematch(boards),
        *prohibited_pairs_kept_apart(state, boards),
        *c2_pairing_allocated_bye_not_barred(records, pairing),
        *c3_no_absolute_colour_clash(boards),
        *(
            c5_lowest_score(state, records, boards, pairing.bye)
            if edition.asks_for_lowest_bye
            else ()
        ),
        *colours_5_2(state, boards),
        *board_order_3_6(boards),
    ]
    return tuple(replace(finding, article=edition.article(finding.article)) for finding in findings)


def legal_pairing_exists(state: TournamentState) -> bool:
    """Whether the round can be paired at all: the witness if the engine says it cannot be.

    By [C1]-[C3] in the Dutch system [C.04.3/2026 1.9.1], by [C1] and [C2] in the Double-Swiss
    [C.04.5/2026 3.3.1].
    """
    if state.system == DOUBLE_SWISS:
        return legal_match_pairing_exists(state)
    return legal_game_pairing_exists(state)
