"""The second witness for the Double-Swiss: absolute criteria, bye, colours [C.04.5/2026]."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pairing.engine.errors import InvariantError
from pairing.engine.model import TPN, Colour, Pairing, TournamentState

from .board_order import board_order_3_6
from .finding import Finding
from .legality import (
    Board,
    boards_of,
    c1_no_rematch,
    c2_pairing_allocated_bye_not_barred,
    everybody_paired_once,
    met,
    pairing_allocated_bye_if_odd,
    prohibited_pairs_kept_apart,
)
from .match_records import MatchPlayerRecord, read_match_records
from .matching import UNMATCHED, maximum_matching, missable
from .records import PlayerRecord

_ARTICLES = {
    "C.04.3 1.9.1": "C.04.5 3.3.1",
    "C.04.3 2.1.1": "C.04.5 2.1.1",
    "C.04.3 2.1.2": "C.04.5 2.1.2",
}
"""Where the rules that are the same in the Dutch system stand in this text."""


def check_double_swiss(state: TournamentState, pairing: Pairing) -> tuple[Finding, ...]:
    """Everything wrong with *pairing*, except for the quality criteria [C4]-[C8].

    The bye is decided before anybody is paired, so all of Article 3.4 is checked. Cost: one
    matching.
    """
    records = read_match_records(state)
    boards = boards_of(records, pairing)
    findings = (
        *everybody_paired_once(records, pairing),
        *pairing_allocated_bye_if_odd(records, pairing),
        *c1_no_rematch(boards),
        *prohibited_pairs_kept_apart(state, boards),
        *c2_pairing_allocated_bye_not_barred(records, pairing),
        *bye_3_4(state, records, pairing.bye),
        *colours_4_3(state, boards),
        *board_order_3_6(boards),
    )
    return tuple(
        replace(finding, article=_ARTICLES.get(finding.article, finding.article))
        for finding in findings
    )


def legal_match_pairing_exists(state: TournamentState) -> bool:
    """Whether the round can be paired at all [C.04.5/2026 3.3.1]: the witness for Article 3.3.3."""
    present = [record for record in read_match_records(state).values() if record.present]
    if len(present) % 2:
        return any(_bye_candidates(state, present))
    return UNMATCHED not in maximum_matching(_rows(state, present), [UNMATCHED] * len(present))


def bye_3_4(
    state: TournamentState, records: Mapping[TPN, MatchPlayerRecord], bye: TPN | None
) -> Iterator[Finding]:
    """The bye is assigned as Article 3.4 says, where one may exist at all [C.04.5/2026 3.4]."""
    present = [record for record in records.values() if record.present]
    if bye is None or bye not in records or not records[bye].present or len(present) % 2 == 0:
        return
    candidates = _bye_candidates(state, present)
    if not candidates:
        return
    assigned = min(candidates, key=lambda record: (record.score, -record.matches, -record.tpn))
    if assigned.tpn != bye:
        message = (
            f"Player {bye} has the pairing-allocated bye; it is assigned to player {assigned.tpn}."
        )
        yield Finding(
            "check.bye_assigned", "C.04.5 3.4", message, {"tpn": bye, "assigned": assigned.tpn}
        )


def _bye_candidates(
    state: TournamentState, present: Sequence[MatchPlayerRecord]
) -> list[MatchPlayerRecord]:
    """Those who may have the bye and leave a legal pairing for the others [C.04.5/2026 3.4.1]."""
    rows = _rows(state, present)
    mates = maximum_matching(rows, [UNMATCHED] * len(present))
    if mates.count(UNMATCHED) != 1:
        return []
    free = missable(rows, mates)
    return [record for i, record in enumerate(present) if free >> i & 1 and not record.pab_barred]


def _rows(state: TournamentState, present: Sequence[PlayerRecord]) -> list[int]:
    """For each player the bits of those he may meet by [C1] and the prohibited pairs."""
    rows = []
    for one in present:
        row = 0
        for i, other in enumerate(present):
            if (
                other is not one
                and not met(one, other)
                and frozenset({one.tpn, other.tpn}) not in state.prohibited
            ):
                row |= 1 << i
        rows.append(row)
    return rows


def colours_4_3(state: TournamentState, boards: Iterable[Board]) -> Iterator[Finding]:
    """Every match has its colours by the first rule of Article
    4.3 that decides [C.04.5/2026 4.3].
    """
    for white, black in boards:
        player, article = who_has_white(white, black, state.initial_colour)
        if player is not white:
            message = f"Player {black.tpn} must have White against player {white.tpn} ({article})."
            yield Finding(
                "check.colours", article, message, {"white": white.tpn, "black": black.tpn}
            )


def who_has_white(
    one: PlayerRecord, other: PlayerRecord, initial_colour: Colour
) -> tuple[PlayerRecord, str]:
    """Who of the two has White in the first game,
    and the article that decided [C.04.5/2026 4.3].
    """
    higher, opponent = sorted((one, other), key=lambda record: record.rank_key)
    if not higher.colours and not opponent.colours:
        higher_is_white = (higher.tpn % 2 == 1) is (initial_colour is Colour.WHITE)
        return (higher if higher_is_white else opponent), "C.04.5 4.3.1"
    for rule, article in _RULES:
        white = rule(higher, opponent)
        if white is not None:
            return white, article
    raise InvariantError(f"no rule gives colours to players {one.tpn} and {other.tpn}")


def _fewer_whites(higher: PlayerRecord, opponent: PlayerRecord) -> PlayerRecord | None:
    own, theirs = (player.colours.count(Colour.WHITE) for player in (higher, opponent))
    if own == theirs:
        return None
    return higher if own < theirs else opponent


def _alternated(higher: PlayerRecord, opponent: PlayerRecord) -> PlayerRecord | None:
    """Return who had Black in the latest played round in which the two had different colours."""
    shorter = min(len(higher.colours), len(opponent.colours))
    for back in range(1, shorter + 1):
        if higher.colours[-back] is not opponent.colours[-back]:
            return higher if higher.colours[-back] is Colour.BLACK else opponent
    return None


def _alternate_higher(higher: PlayerRecord, opponent: PlayerRecord) -> PlayerRecord | None:
    if not higher.colours:
        return None
    return higher if higher.colours[-1] is Colour.BLACK else opponent


def _alternate_opponent(higher: PlayerRecord, opponent: PlayerRecord) -> PlayerRecord | None:
    return _alternate_higher(opponent, higher)


_Rule = Callable[[PlayerRecord, PlayerRecord], PlayerRecord | None]
_RULES: tuple[tuple[_Rule, str], ...] = (
    (_fewer_whites, "C.04.5 4.3.2"),
    (_alternated, "C.04.5 4.3.3"),
    (_alternate_higher, "C.04.5 4.3.4"),
    (_alternate_opponent, "C.04.5 4.3.5"),
)
"""Who has White when the first is the higher ranked; None: the next rule decides."""
