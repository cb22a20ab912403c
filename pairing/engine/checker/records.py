"""Read each player's scores, colours, meetings and preferences before the round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from pairing.engine.model import TPN, Colour, Player, Result, TournamentState

from .editions import edition_of


class Strength(IntEnum):
    """How strong a colour preference is [C.04.3/2026 1.7]; a larger value is granted first."""

    NONE = 0
    MILD = 1
    STRONG = 2
    ABSOLUTE = 3


@dataclass(frozen=True, slots=True)
class Preference:
    """The colour a player should ideally receive; no colour where no game was played."""

    strength: Strength
    colour: Colour | None


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """One player before the round to pair.

    ``score`` is the pairing score in tenths, virtual points of this round included; ``colours`` are
    those of the games played, oldest first; ``met`` the opponents of games played; ``number``
    counts the players who have taken part up to this round (None: the player has not).
    """

    tpn: TPN
    present: bool
    score: int
    colours: tuple[Colour, ...]
    met: frozenset[TPN]
    pab_barred: bool
    is_topscorer: bool
    number: int | None

    @property
    def rank_key(self) -> tuple[int, int]:
        """Sorts players into their ranking order, best first [C.04.3/2026 1.2]."""
        return (-self.score, self.tpn)

    @property
    def colour_difference(self) -> int:
        """Games with White minus games with Black [C.04.3/2026 1.6]."""
        return sum(1 if colour is Colour.WHITE else -1 for colour in self.colours)

    @property
    def preference(self) -> Preference:
        """The colour preference [C.04.3/2026 1.7] [C.04.3/2017 A.6].

        The three kinds are tested in the order of the text, the absolute ones first. Where a
        difference beyond 1 and the last two colours ask for different colours, the difference
        decides: 1.7.1 names it first, and programs in use read it so.
        """
        if not self.colours:
            return Preference(Strength.NONE, None)
        difference = self.colour_difference
        if abs(difference) > 1:
            return Preference(Strength.ABSOLUTE, _against(difference))
        latest = self.colours[-1]
        if len(self.colours) > 1 and self.colours[-2] is latest:
            return Preference(Strength.ABSOLUTE, latest.opposite)
        if difference:
            return Preference(Strength.STRONG, _against(difference))
        return Preference(Strength.MILD, latest.opposite)


def _against(difference: int) -> Colour:
    return Colour.BLACK if difference > 0 else Colour.WHITE


def read_records(state: TournamentState) -> Mapping[TPN, PlayerRecord]:
    """The record of everybody on the list, by TPN, in ranking order [C.04.3/2026 1.2]."""
    numbers = _numbers(state)
    records = [_read(player, state, numbers.get(player.tpn)) for player in state.players]
    return {record.tpn: record for record in sorted(records, key=lambda record: record.rank_key)}


def _read(player: Player, state: TournamentState, number: int | None) -> PlayerRecord:
    games = [record for record in player.rounds if record.is_played]
    points = sum(state.points.value(record.result) for record in player.rounds)
    bars = edition_of(state.system).bars_from_the_bye
    return PlayerRecord(
        tpn=player.tpn,
        present=player.tpn not in state.absent,
        score=points + player.virtual_points_in(state.round_number),
        colours=tuple(game.colour for game in games if game.colour is not None),
        met=frozenset(game.opponent for game in games if game.opponent is not None),
        pab_barred=any(bars(record, state.points) for record in player.rounds),
        is_topscorer=_is_topscorer(points + player.decided, state),
        number=number,
    )


def _is_topscorer(points: int, state: TournamentState) -> bool:
    """Tell whether *points* are over half of the maximum possible so far [C.04.3/2026 1.8].

    Topscorers exist only when the final round is paired. *points* include point adjustments but not
    virtual points, which nobody could have scored.
    """
    return state.is_last_round and 2 * points > (state.round_number - 1) * state.points.win


def _numbers(state: TournamentState) -> dict[TPN, int]:
    """The numbers whose parity counts in [C.04.3/2026 5.2.5] (reading R1).

    Counted from 1 in the order of TPNs among those who have taken part in some pairing, this round
    included: a game, a forfeited one too, or a pairing-allocated bye; a requested bye is not taking
    part.
    """
    taking_part = sorted(
        player.tpn
        for player in state.players
        if player.tpn not in state.absent
        or any(
            record.opponent is not None or record.result is Result.PAIRING_ALLOCATED_BYE
            for record in player.rounds
        )
    )
    return {tpn: number for number, tpn in enumerate(taking_part, start=1)}
