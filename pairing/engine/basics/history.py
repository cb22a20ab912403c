"""What a player's rounds say: points, games played, opponents met, the bye."""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine.model import TPN, Player, Points, PointSystem, Result, RoundRecord, TournamentState


def score_after(player: Player, rounds: int, points: PointSystem) -> Points:
    """The points of *player* after the first *rounds* rounds, in tenths, without virtual points."""
    return Points(sum(points.value(record.result) for record in player.rounds[:rounds]))


def pairing_score_before(player: Player, round_number: int, points: PointSystem) -> Points:
    """What *player* counts when round *round_number* is paired: the points so far plus the virtual ones, in tenths."""
    return Points(score_after(player, round_number - 1, points) + player.virtual_points_in(round_number))


def opponents_met(player: Player) -> frozenset[TPN]:
    """Those *player* has played; a forfeited game is no meeting [C.04.1/2026 2] [C.04.2/2026 3.5]."""
    return frozenset(record.opponent for record in player.rounds if record.is_played and record.opponent is not None)


def unplayed_rounds(player: Player) -> int:
    """How many rounds so far *player* has not played: byes, forfeits either way, absences alike."""
    return sum(not record.is_played for record in player.rounds)


def may_receive_pab(player: Player, points: PointSystem) -> bool:
    """Whether *player* may still receive the pairing-allocated bye [C.04.1/2026 4] [C.04.3/2026 2.1.2].

    Not after a first one (whatever it was worth), nor after one round without play worth a win or more.
    """
    return not any(_bars_from_pab(record, points) for record in player.rounds)


def _bars_from_pab(record: RoundRecord, points: PointSystem) -> bool:
    if record.result is Result.PAIRING_ALLOCATED_BYE:
        return True
    return not record.is_played and points.value(record.result) >= points.win


def has_taken_part(player: Player) -> bool:
    """Whether *player* has been in a pairing before: against somebody, played or not, or with the PAB."""
    return any(record.opponent is not None or record.result is Result.PAIRING_ALLOCATED_BYE for record in player.rounds)


def participation_numbers(state: TournamentState, paired_now: Sequence[TPN]) -> dict[TPN, int]:
    """The numbers whose parity Article 5.2.5 asks for: 1, 2, … over those who have taken part up to now.

    Taking part is being in some pairing, that of this round (*paired_now*) included; a requested bye or an
    absence is not. Who has never taken part has no number yet: C.04.2 1.4 wants all programs to agree, and
    all of them number like this (docs/rules.md, R1). [C.04.3/2026 5.2.5]
    """
    now = frozenset(paired_now)
    taking_part = sorted(player.tpn for player in state.players if player.tpn in now or has_taken_part(player))
    return {tpn: number for number, tpn in enumerate(taking_part, start=1)}
