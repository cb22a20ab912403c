"""What prohibited pairs would do to round 1, before they are saved: with and without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pairing.engine.errors import InputError, NoLegalPairingError
from pairing.engine.model import TPN, Pairing, TournamentState
from pairing.engine.systems import pair
from pairing.rounds.snapshot import snapshot
from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of a list of prohibited pairs on round 1.

    ``boards`` are the boards without the prohibition that would be paired otherwise.
    ``is_impossible``: no legal pairing is left. ``is_known`` is False while round 1 cannot be
    paired yet, without numbers for instance.
    """

    is_known: bool = False
    is_impossible: bool = False
    boards: int = 0
    together: int = 0
    """The prohibited pairs that round 1 would have paired."""


def effect_of(tournament: Tournament, pairs: Sequence[Sequence[int]]) -> Effect:
    """Return the effect of *pairs* (two entries each) on round 1, paired twice. Five queries.

    Without a TPN for every player there is nothing to compare.
    """
    if tournament.entries.filter(tpn=None).exists():
        return Effect()
    state, entries = snapshot(tournament, 1)
    if len(state.players) - len(state.absent) < 2:
        return Effect()
    tpn_of = {entry.pk: tpn for tpn, entry in entries.items()}
    wanted = frozenset(frozenset((tpn_of[one], tpn_of[other])) for one, other, *_ in pairs)
    try:
        free = _pairing(replace(state, prohibited=frozenset()))
        kept_apart = _pairing(replace(state, prohibited=wanted))
    except InputError:
        return Effect()
    if kept_apart is None:
        return Effect(is_known=True, is_impossible=True)
    boards, others = _boards(free), _boards(kept_apart)
    return Effect(is_known=True, boards=len(boards - others), together=len(boards & wanted))


def _pairing(state: TournamentState) -> Pairing | None:
    try:
        return pair(state)
    except NoLegalPairingError:
        return None


def _boards(pairing: Pairing | None) -> frozenset[frozenset[TPN]]:
    return frozenset(map(frozenset, pairing.pairs)) if pairing else frozenset()
