"""Why a round was paired as it was, and why two players do not meet [C.04.3/2026] [C.04.1/2026 9].

The explanations are made beside the engine, never inside it: a pairing nobody asks about costs
nothing more.
"""

from .explanation import (
    BracketExplanation,
    ByeExplanation,
    CriterionValue,
    PairExplanation,
    RoundExplanation,
    WhyNot,
)
from .rounds import explain_round
from .why_not import why_not

__all__ = [
    "BracketExplanation",
    "ByeExplanation",
    "CriterionValue",
    "PairExplanation",
    "RoundExplanation",
    "WhyNot",
    "explain_round",
    "why_not",
]
