"""Which bracket, and who, has to receive the pairing-allocated bye [C5]."""

from __future__ import annotations

from pairing.engine.dutch.bracket import Bracket
from pairing.engine.dutch.completion import Completion


def bye_is_near(bracket: Bracket, completion: Completion) -> bool:
    """Whether the bye must go to this bracket or the following scoregroup."""
    if completion.bye_score is None:
        return False
    end = max(bracket.following_ranks.stop, bracket.resident_ranks.stop)
    return end >= len(bracket.field) or bracket.field.scores[end] < completion.bye_score


def gives_bye(bracket: Bracket, completion: Completion) -> bool:
    """Whether the bye must go to somebody in this bracket: nobody below has the score [C5] asks for."""
    if completion.bye_score is None:
        return False
    return not bracket.has_later or bracket.field.scores[bracket.resident_ranks.stop] < completion.bye_score


def sole_receiver(bracket: Bracket, completion: Completion) -> int | None:
    """The MDP (by rank) who alone of all not yet paired can have the PAB at the score that [C5] asks for; None where
    several can, or it is not an MDP."""
    if completion.bye_score is None or bracket.resident_score >= completion.bye_score:
        return None
    receivers = completion.receivers & bracket.mdp_set
    return receivers.bit_length() - 1 if receivers.bit_count() == 1 else None
