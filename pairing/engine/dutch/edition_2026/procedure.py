"""Pair a round bracket by bracket from the top [C.04.3/2026 1.9] [C.04.1/2026 5]."""

from __future__ import annotations

from collections.abc import Callable

from pairing.engine.basics.validation import validate
from pairing.engine.dutch.boards import publish
from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion, pairability
from pairing.engine.dutch.field import Field
from pairing.engine.model import Pairability, Pairing, TournamentState

from .fast_path import pair_fast_or_exact
from .records import RULES_2026

PairBracket = Callable[[Bracket, Completion], BracketPairing]


def pair_dutch_2026(state: TournamentState, pair_one: PairBracket = pair_fast_or_exact) -> Pairing:
    """Pair a round by the FIDE Dutch System in force from 1 February 2026 [C.04.3/2026].

    Boards come in publication order [C.04.2/2026 3.6], White first. *pair_one* pairs one bracket;
    tests pass the exact path here. Raises :class:`InputError` for a state that contradicts itself,
    and :class:`NoLegalPairingError` if no round-pairing is complete [C.04.3/2026 1.9.3].
    """
    validate(state)
    return pair_field(Field.from_state(state, RULES_2026), pair_one)


def pair_field(field: Field, pair_one: PairBracket) -> Pairing:
    """Pair the players of *field*, bracket by bracket.

    Raise :class:`NoLegalPairingError` as above.
    """
    if not field.tpns:
        return Pairing(pairs=())
    completion = Completion(field)
    paired: list[tuple[int, int]] = []
    downfloaters: tuple[int, ...] = ()
    groups = field.scoregroups
    for residents, following in zip(groups, [*groups[1:], range(0)], strict=True):
        pairing = pair_one(Bracket(field, downfloaters, residents, following), completion)
        paired.extend(pairing.pairs)
        downfloaters = pairing.downfloaters
    return publish(paired, downfloaters, field)


def pairable_dutch_2026(state: TournamentState) -> Pairability:
    """Tell whether *state* has a legal round-pairing, and list the possible
    receivers of the bye [C.04.3/2026 1.9, 2.1-2.3].

    A round-pairing is legal if it is complete, complies with [C1]-[C3] and the prohibited pairs,
    and gives the bye to a player with the lowest score for which it can be complete [C5]. It
    follows that every bracket leaves it complete [C4].

    Raises :class:`InputError` for a state that contradicts itself. Cost: deriving the field, and in
    a small field one matching and one search.
    """
    validate(state)
    field = Field.from_state(state, RULES_2026)
    return pairability(field, lambda: Completion(field))
