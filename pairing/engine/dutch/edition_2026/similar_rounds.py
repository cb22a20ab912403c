"""Pair rounds that differ only in results of the last round, as look-aheads do in hundreds.

Most of what such rounds need is the same. The players' records are read once; only scores change. A
bracket that comes again with the same players, and the same following scoregroup, is not paired
again.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace

from pairing.engine.basics.validation import validate
from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.field import Field
from pairing.engine.dutch.player_records import PlayerRecords
from pairing.engine.model import TPN, Pairing, Player, Points, TournamentState

from .fast_path import pair_fast_or_exact
from .procedure import PairBracket, pair_field
from .records import RULES_2026


class SimilarRounds:
    """Pair one state after another as :func:`pair_dutch_2026` does;
    fast for a state that is similar to the first one.

    Two states are similar if they differ only in results of games played in the last round. Any
    other state is validated and read anew, and later states are compared with it.
    """

    def __init__(self) -> None:
        self._first: SimilarFields | None = None
        self._pair_one = KnownBrackets()

    def __call__(self, state: TournamentState) -> Pairing:
        """Pair *state*. Errors are those of :func:`pair_dutch_2026`."""
        field = self._first.field(state) if self._first else None
        if field is None:
            self._first, self._pair_one = SimilarFields(state), KnownBrackets()
            field = Field.ranked(self._first.records, state)
        return pair_field(field, self._pair_one)


class SimilarFields:
    """Derive the fields of states similar to *state* from its records.

    Proof. The result of a game played, a win, a draw or a loss, adds to the score and to nothing
    else that the pairing reads: opponents met, colours, unplayed rounds, [C2], participation and
    validity depend on whether the game was played, and the floats of the last round on the scores
    before it [C.04.3/2026 1.4.2].
    """

    def __init__(self, state: TournamentState) -> None:
        """Raise :class:`InputError` for a state that contradicts itself."""
        validate(state)
        self.state = state
        self.records = PlayerRecords.from_state(state, RULES_2026)
        self._place_of: Mapping[TPN, int] = {
            tpn: place for place, tpn in enumerate(self.records.tpns)
        }

    def field(self, state: TournamentState) -> Field | None:
        """Return the field of *state*; None if it is not similar."""
        first = self.state
        if (
            len(state.players) != len(first.players)
            or replace(state, players=first.players) != first
        ):
            return None
        table = state.points.table()
        scores = self.records.scores.copy()
        for player, before in zip(state.players, first.players, strict=True):
            if player is before:
                continue
            if not _differs_in_last_result(player, before):
                return None
            place = self._place_of.get(player.tpn)
            if place is not None:
                won = table[player.rounds[-1].result.place] - table[before.rounds[-1].result.place]
                scores[place] = Points(scores[place] + won)
        return Field.ranked(self.records._replace(scores=scores), state)


def _differs_in_last_result(one: Player, other: Player) -> bool:
    """Tell whether two players are the same but for the result of a game played last round."""
    if not one.rounds or not other.rounds:
        return False
    last, before = one.rounds[-1], other.rounds[-1]
    return (
        last.is_played
        and before.is_played
        and replace(last, result=before.result) == before
        and one.rounds[:-1] == other.rounds[:-1]
        and replace(one, rounds=other.rounds) == other
    )


class KnownBrackets:
    """Pair brackets of similar rounds by *pair_one*, each only once.

    Proof. In similar rounds a player is described by TPN and score (:class:`SimilarFields`). The
    pairing of a bracket depends on its players, and by [C4], [C5], [C8] and [C9] on the players
    after it and the score of the bye. So it is the same if all these are.

    If the players below the following scoregroup can be completed with any others
    (:meth:`Completion.is_large`, which stays true for a larger set), and all possible
    receivers of the bye are among them, then only the following scoregroup counts: every set of
    downfloaters of an even rest meets [C4], here and in the following bracket; the bye goes to
    neither bracket [C5] [C9]; and [C8] looks at the following bracket only.
    """

    def __init__(self, pair_one: PairBracket = pair_fast_or_exact) -> None:
        self._pair_one = pair_one
        self._known: dict[Hashable, BracketPairing] = {}

    def __len__(self) -> int:
        return len(self._known)

    def __call__(self, bracket: Bracket, completion: Completion) -> BracketPairing:
        """Return the pairing of *bracket*."""
        ranks = (*bracket.mdp_ranks, *bracket.resident_ranks)
        key = _what_counts(bracket, completion)
        known = self._known.get(key)
        if known is None:
            pairing = self._pair_one(bracket, completion)
            place_of = {rank: place for place, rank in enumerate(ranks)}
            self._known[key] = _renamed(pairing, place_of)
            return pairing
        return _renamed(known, ranks)


def _what_counts(bracket: Bracket, completion: Completion) -> Hashable:
    """Return all that the pairing of *bracket* depends on."""
    tpns, scores = bracket.field.tpns, bracket.field.scores
    start, end = bracket.resident_ranks.start, bracket.following_ranks.stop
    is_near = is_completed_by_others(bracket, completion)
    if not is_near:
        end = len(tpns)
    return (
        is_near,
        None if is_near else completion.bye_score,
        *[(tpns[rank], scores[rank]) for rank in bracket.mdp_ranks],
        tuple(tpns[start:end]),
        tuple(scores[start:end]),
    )


def is_completed_by_others(bracket: Bracket, completion: Completion) -> bool:
    """Tell whether players further below complete the round with anybody who floats there."""
    below = bracket.below_set
    if completion.bye is not None:
        if completion.receivers & ~below:
            return False
        below |= 1 << completion.bye
    return completion.is_large(below)


def _renamed(pairing: BracketPairing, names: Mapping[int, int] | tuple[int, ...]) -> BracketPairing:
    """Return *pairing* with other numbers for its players."""
    return BracketPairing(
        tuple([(names[higher], names[lower]) for higher, lower in pairing.pairs]),
        tuple([names[player] for player in pairing.downfloaters]),
    )
