"""Why a round was paired as it was, step by step, and why two players do not meet [C.04.3/pre2017].

The explanations are made beside the engine, from what it paired: a pairing nobody asks about costs
nothing more.
"""

from .steps import BracketSteps, NoMeeting, RoundSteps, explain_steps, why_not_by_steps

__all__ = ["BracketSteps", "NoMeeting", "RoundSteps", "explain_steps", "why_not_by_steps"]
