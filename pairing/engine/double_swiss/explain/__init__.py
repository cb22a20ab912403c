"""Why a round of matches was paired as it was, and why two players do not meet [C.04.5/2026].

The explanations are made beside the engine, never inside it: a pairing nobody asks about costs
nothing more.
"""

from .explanation import MatchRoundExplanation, MatchWhyNot
from .rounds import explain_match_round
from .why_not import why_no_match

__all__ = ["MatchRoundExplanation", "MatchWhyNot", "explain_match_round", "why_no_match"]
