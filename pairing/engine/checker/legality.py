"""Check that everybody is paired, and the absolute criteria [C1]-[C3]."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pairing.engine.model import TPN, Pairing, TournamentState

from .finding import Finding
from .records import PlayerRecord, Strength

Records = Mapping[TPN, PlayerRecord]
Board = tuple[PlayerRecord, PlayerRecord]
"""White and Black of one board."""


def boards_of(records: Records, pairing: Pairing) -> list[Board]:
    """Return boards of two different present players, in order; others are a finding already."""
    present = {tpn: record for tpn, record in records.items() if record.present}
    return [
        (present[white], present[black])
        for white, black in pairing.pairs
        if white in present and black in present and white != black
    ]


def everybody_paired_once(records: Records, pairing: Pairing) -> Iterator[Finding]:
    """Everybody present is paired once or has the bye;
    nobody else is [C.04.3/2026 1.9.1] [C.04.2/2026 3.3].
    """
    seats = Counter(tpn for pair in pairing.pairs for tpn in pair)
    if pairing.bye is not None:
        seats[pairing.bye] += 1
    for tpn in sorted(seats):
        if tpn not in records:
            yield Finding(
                "check.player_unknown", "C.04.3 1.9.1", f"There is no player {tpn}.", {"tpn": tpn}
            )
        elif not records[tpn].present:
            message = f"Player {tpn} is absent and must not be paired."
            yield Finding("check.player_absent", "C.04.2 3.3", message, {"tpn": tpn})
        if seats[tpn] > 1:
            message = f"Player {tpn} has {seats[tpn]} places in the round."
            yield Finding(
                "check.player_twice", "C.04.3 1.9.1", message, {"tpn": tpn, "places": seats[tpn]}
            )
    for tpn in sorted(records):
        if records[tpn].present and tpn not in seats:
            message = f"Player {tpn} is present and not paired."
            yield Finding("check.player_missing", "C.04.3 1.9.1", message, {"tpn": tpn})


def pairing_allocated_bye_if_odd(records: Records, pairing: Pairing) -> Iterator[Finding]:
    """A pairing-allocated bye exists exactly when an odd number is to be paired [C.04.1/2026 3]."""
    present = sum(record.present for record in records.values())
    if present % 2 and pairing.bye is None:
        message = f"{present} players are to be paired and nobody has the pairing-allocated bye."
        yield Finding("check.bye_missing", "C.04.1 3", message, {"present": present})
    if present % 2 == 0 and pairing.bye is not None:
        message = (
            f"{present} players are to be paired, so player {pairing.bye} cannot have a "
            f"pairing-allocated bye."
        )
        yield Finding(
            "check.bye_superfluous", "C.04.1 3", message, {"present": present, "tpn": pairing.bye}
        )


def c1_no_rematch(boards: Sequence[Board]) -> Iterator[Finding]:
    """[C1] nobody meets somebody he has played; a forfeited game was
    none [C.04.3/2026 2.1.1] [C.04.2/2026 3.5].
    """
    for white, black in boards:
        if met(white, black):
            message = f"Players {white.tpn} and {black.tpn} have already played each other."
            yield Finding("check.c1_rematch", "C.04.3 2.1.1", message, _names(white, black))


def prohibited_pairs_kept_apart(
    state: TournamentState, boards: Sequence[Board]
) -> Iterator[Finding]:
    """No pair the arbiter has prohibited (TRF record 260; no article of C.04)."""
    for white, black in boards:
        if frozenset({white.tpn, black.tpn}) in state.prohibited:
            message = f"Players {white.tpn} and {black.tpn} are a prohibited pair in this round."
            yield Finding("check.prohibited_pair", "TRF 260", message, _names(white, black))


def c2_pairing_allocated_bye_not_barred(records: Records, pairing: Pairing) -> Iterator[Finding]:
    """[C2] No bye after a bye, or after a win's points without a game [C.04.3/2026 2.1.2]."""
    if pairing.bye is not None and pairing.bye in records and records[pairing.bye].pab_barred:
        message = (
            f"Player {pairing.bye} has had a pairing-allocated bye or a win's points without playing "
            "and must not receive the pairing-allocated bye."
        )
        yield Finding("check.c2_bye_barred", "C.04.3 2.1.2", message, {"tpn": pairing.bye})


def c3_no_absolute_colour_clash(boards: Sequence[Board]) -> Iterator[Finding]:
    """[C3] no two non-topscorers with the same absolute colour preference [C.04.3/2026 2.1.3]."""
    for white, black in boards:
        if colours_clash(white, black):
            message = (
                f"Players {white.tpn} and {black.tpn} must not meet: both must get the same colour."
            )
            yield Finding("check.c3_colours", "C.04.3 2.1.3", message, _names(white, black))


def met(one: PlayerRecord, other: PlayerRecord) -> bool:
    """Whether the two have played each other."""
    return other.tpn in one.met or one.tpn in other.met


def colours_clash(one: PlayerRecord, other: PlayerRecord) -> bool:
    """Whether both have the same absolute preference and neither
    is a topscorer [C.04.3/2026 1.8, 2.1.3].
    """
    return (
        not one.is_topscorer
        and not other.is_topscorer
        and one.preference.strength is Strength.ABSOLUTE
        and one.preference == other.preference
    )


def may_meet(one: PlayerRecord, other: PlayerRecord, state: TournamentState) -> bool:
    """Whether a pair of the two breaks nothing absolute: [C1], [C3], not prohibited."""
    prohibited = frozenset({one.tpn, other.tpn}) in state.prohibited
    return not prohibited and not met(one, other) and not colours_clash(one, other)


def _names(white: PlayerRecord, black: PlayerRecord) -> dict[str, int | str]:
    return {"white": white.tpn, "black": black.tpn}
