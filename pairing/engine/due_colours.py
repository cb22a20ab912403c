"""The colours that any two players would get by the rules of the system, for pairing changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

from .basics.colours import ColourRecord, Strength, colour_record
from .basics.history import histories, participation_numbers
from .double_swiss import colours as double_swiss
from .double_swiss.matches import read_matches
from .dutch import colours as dutch
from .dutch_pre2017 import colours as dutch_pre2017
from .dutch_pre2017.field import FieldBefore2017
from .model import TPN, Colour, TournamentState
from .systems import games_a_round

ColourOfHigher = Callable[[TPN, TPN], Colour]


@dataclass(frozen=True, slots=True)
class DueColours:
    """``records`` are the colour records of the players;
    empty where a round is a match, which gives both colours.

    ``scores`` are pairing scores in tenths: they decide who is ranked higher [C.04.3/2026 1.2].
    """

    records: Mapping[TPN, ColourRecord]
    scores: Mapping[TPN, int]
    colour_of_higher: ColourOfHigher

    def white_and_black(self, one: TPN, other: TPN) -> tuple[TPN, TPN]:
        """Return the two players as (White, Black); in a match, of its first game."""
        higher, lower = sorted((one, other), key=lambda tpn: (-self.scores[tpn], tpn))
        return (
            (higher, lower)
            if self.colour_of_higher(higher, lower) is Colour.WHITE
            else (lower, higher)
        )

    def refused(self, white: TPN, black: TPN) -> tuple[int, int]:
        """Return how many strong or absolute and how many mild preferences these colours refuse."""
        strengths = [
            record.strength
            for tpn, colour in ((white, Colour.WHITE), (black, Colour.BLACK))
            if (record := self.records.get(tpn)) is not None
            and record.preference is colour.opposite
        ]
        mild = strengths.count(Strength.MILD)
        return len(strengths) - mild, mild


def due_colours(state: TournamentState, paired: Collection[TPN]) -> DueColours:
    """Return the colours for the round of *state* if *paired* are the players with a place in it.

    Source: [C.04.3/2026 5.2], [C.04.3/2017 E], [C.04.3/pre2017 E] or [C.04.5/2026 4.3], by the
    system of *state*. Cost: one look at each round.
    """
    everybody = state.by_tpn()
    initial = state.initial_colour
    if games_a_round(state.system) > 1:
        matches = {
            tpn: read_matches(player, everybody, state.points) for tpn, player in everybody.items()
        }

        def in_a_match(higher: TPN, lower: TPN) -> Colour:
            own, theirs = matches[higher].colours, matches[lower].colours
            return double_swiss.colour_and_rule(own, theirs, higher, initial)[0]

        return DueColours(
            {}, _pairing_scores(state, {tpn: m.score for tpn, m in matches.items()}), in_a_match
        )
    read = histories(state)
    records = {tpn: colour_record(history.colours) for tpn, history in read.items()}
    scores = _pairing_scores(state, {tpn: history.score for tpn, history in read.items()})
    if state.system == "dutch_pre2017":
        field = FieldBefore2017.from_state(
            replace(state, absent=frozenset(everybody) - frozenset(paired))
        )
        ranked = {player.tpn: player for player in field.players}

        def before_2017(higher: TPN, lower: TPN) -> Colour:
            return dutch_pre2017.colour_of_higher(ranked[higher], ranked[lower], initial)

        return DueColours(records, scores, before_2017)
    numbers = participation_numbers(read, frozenset(paired))

    def in_a_game(higher: TPN, lower: TPN) -> Colour:
        return dutch.colour_of_higher(records[higher], records[lower], numbers[higher], initial)

    return DueColours(records, scores, in_a_game)


def _pairing_scores(state: TournamentState, scores: Mapping[TPN, int]) -> dict[TPN, int]:
    number = state.round_number
    return {
        player.tpn: scores[player.tpn] + player.virtual_points_in(number)
        for player in state.players
    }
