"""Explain a round: the decisions of the engine in every bracket and at every board."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pairing.engine.dutch.colours import colour_and_rule
from pairing.engine.dutch.field import Field, RankedPlayer
from pairing.engine.dutch.floats import Float
from pairing.engine.model import TPN, Colour, Pairing, TournamentState

from .editions import Edition, edition_of
from .explanation import BracketExplanation, ByeExplanation, PairExplanation, RoundExplanation, Side
from .shape import mdp_pairing, subgroups, with_bsn
from .steps import Step, final_steps, recorded_round


def explain_round(
    state: TournamentState, players: Collection[TPN] | None = None
) -> RoundExplanation:
    """Pair the round of *state* and explain the pairing.

    With *players* only their boards are explained, and the brackets in which they were paired or
    from which they floated. The pairing is that of the edition, by ``pair_dutch_2026`` or
    ``pair_dutch_2017``, with the same errors.

    Cost: some matchings for each criterion that is not 0 (``bounds``): a hundred times the pairing
    or more.
    """
    edition = edition_of(state)
    pairing, tried = recorded_round(state)
    steps = final_steps(tried)
    wanted = [
        place for place, step in enumerate(steps) if players is None or _concerns(step, players)
    ]
    field = steps[0].bracket.field if steps else None
    return RoundExplanation(
        round_number=state.round_number,
        pairing=pairing,
        brackets=tuple(_bracket(steps, place, edition) for place in wanted),
        pairs=() if field is None else _pairs(field, pairing, steps, players, edition),
        bye=_bye(pairing, steps, players),
        system=state.system,
    )


def _concerns(step: Step, players: Collection[TPN]) -> bool:
    return any(player.tpn in players for player in step.bracket.players)


def _bracket(steps: Sequence[Step], place: int, edition: Edition) -> BracketExplanation:
    step = steps[place]
    bracket, pairing = step.bracket, step.pairing
    tpns = bracket.field.tpns
    seats = with_bsn(bracket.players)
    floating = {tpns[rank] for rank in pairing.downfloaters}
    return BracketExplanation(
        number=place + 1,
        score=bracket.resident_score,
        mdps=seats[: len(bracket.mdp_ranks)],
        residents=seats[len(bracket.mdp_ranks) :],
        max_pairs=len(pairing.pairs),
        mdp_pairing=mdp_pairing(step),
        subgroups=subgroups(bracket, pairing),
        pairs=tuple((tpns[higher], tpns[lower]) for higher, lower in sorted(pairing.pairs)),
        downfloaters=tuple(seat for seat in seats if seat.tpn in floating),
        criteria=edition.judged(steps, place),
    )


def _pairs(
    field: Field,
    pairing: Pairing,
    steps: Sequence[Step],
    players: Collection[TPN] | None,
    edition: Edition,
) -> tuple[PairExplanation, ...]:
    ranked = {player.tpn: player for player in field.players}
    bracket_of = {
        field.tpns[rank]: place
        for place, step in enumerate(steps, 1)
        for pair in step.pairing.pairs
        for rank in pair
    }
    return tuple(
        _pair(board, bracket_of[white], ranked[white], ranked[black], field.initial_colour, edition)
        for board, (white, black) in enumerate(pairing.pairs, start=1)
        if players is None or white in players or black in players
    )


def _pair(
    board: int,
    bracket: int,
    white: RankedPlayer,
    black: RankedPlayer,
    initial_colour: Colour,
    edition: Edition,
) -> PairExplanation:
    higher, lower = (white, black) if white.rank < black.rank else (black, white)
    _, rule = colour_and_rule(higher.colours, lower.colours, higher.number, initial_colour)
    return PairExplanation(
        board=board,
        bracket=bracket,
        white=_side(white, _float(white, black)),
        black=_side(black, _float(black, white)),
        higher=higher.tpn,
        rule=rule,
        article=edition.colours[rule],
    )


def _float(player: RankedPlayer, opponent: RankedPlayer) -> Float:
    """Return the float of *player* after a game with *opponent* [C.04.3/2026 1.4.2]."""
    if player.score == opponent.score:
        return Float.NONE
    return Float.DOWN if player.score > opponent.score else Float.UP


def _side(player: RankedPlayer, received: Float) -> Side:
    return Side(
        tpn=player.tpn,
        score=player.score,
        history=player.colours.history,
        difference=player.colours.difference,
        preference=player.colours.preference,
        strength=player.colours.strength,
        is_topscorer=player.is_topscorer,
        number=player.number,
        received_float=received,
    )


def _bye(
    pairing: Pairing, steps: Sequence[Step], players: Collection[TPN] | None
) -> ByeExplanation | None:
    if pairing.bye is None or not (players is None or pairing.bye in players):
        return None
    (rank,) = steps[-1].pairing.downfloaters
    player = steps[-1].bracket.field.players[rank]
    return ByeExplanation(player.tpn, player.score, player.unplayed, len(steps))
