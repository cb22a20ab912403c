"""Find the bracket and the players that must receive the pairing-allocated bye [C5]."""

from __future__ import annotations

from pairing.engine.dutch.bracket import Bracket
from pairing.engine.dutch.completion import Completion


def bye_is_near(bracket: Bracket, completion: Completion) -> bool:
    """Tell whether the bye must go to this bracket or the following scoregroup."""
    if completion.bye_score is None:
        return False
    end = max(bracket.following_ranks.stop, bracket.resident_ranks.stop)
    return end >= len(bracket.field) or bracket.field.scores[end] < completion.bye_score


def gives_bye(bracket: Bracket, completion: Completion) -> bool:
    """Tell whether the bye must go to this bracket, because nobody below has the score of [C5]."""
    if completion.bye_score is None:
        return False
    return (
        not bracket.has_later
        or bracket.field.scores[bracket.resident_ranks.stop] < completion.bye_score
    )


def sole_receiver(bracket: Bracket, completion: Completion) -> int | None:
    """Return the MDP (by rank) if only that one can have the PAB at the score of [C5].

    None if several players can, or if the only one is not an MDP.
    """
    if completion.bye_score is None or bracket.resident_score >= completion.bye_score:
        return None
    receivers = completion.receivers & bracket.mdp_set
    return receivers.bit_length() - 1 if receivers.bit_count() == 1 else None
