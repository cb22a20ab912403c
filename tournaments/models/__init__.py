"""The tables: tournaments, entries, rounds and games, and the record of all actions."""

from .correction import Correction, CorrectionEffect, CorrectionKind
from .decision import Action, Decision
from .entry import Entry, RequestedBye, Sex, StrengthSource, Title
from .game import ByeKind, Game, GameResult, Seat
from .round import Round, RoundState
from .tournament import (
    AccelerationMethod,
    InitialColourMethod,
    LateEntryBye,
    ListState,
    ThirdCriterion,
    TieBreakEdition,
    Tournament,
)

__all__ = [
    "AccelerationMethod",
    "Action",
    "ByeKind",
    "Correction",
    "CorrectionEffect",
    "CorrectionKind",
    "Decision",
    "Entry",
    "Game",
    "GameResult",
    "InitialColourMethod",
    "LateEntryBye",
    "ListState",
    "RequestedBye",
    "Round",
    "RoundState",
    "Seat",
    "Sex",
    "StrengthSource",
    "ThirdCriterion",
    "TieBreakEdition",
    "Title",
    "Tournament",
]
