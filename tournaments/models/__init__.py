"""The tables: tournaments, entries, rounds and games, and the record of all actions."""

from .action import Action
from .appointment import Appointment, Role
from .correction import CORRECTION_EFFECT_LABELS, CORRECTION_KIND_LABELS, Correction
from .decision import Decision
from .entry import Entry, RatingSource, RequestedBye, Sex, Title
from .game import ByeKind, Game, GameResult, Seat
from .prize import Eligible, Prize, PrizeCategory, PrizeFund
from .published_list import PublishedList
from .rating_list import RatingList, RatingListState
from .regulations import PointAdjustment, ProhibitedPair
from .round import ROUND_STATE_LABELS, DraftView, Round
from .tournament import (
    AccelerationMethod,
    InitialColourMethod,
    LateEntryBye,
    ListState,
    RateOfPlay,
    RatingMethod,
    ThirdCriterion,
    TieBreakEdition,
    Tournament,
)

__all__ = [
    "CORRECTION_EFFECT_LABELS",
    "CORRECTION_KIND_LABELS",
    "ROUND_STATE_LABELS",
    "AccelerationMethod",
    "Action",
    "Appointment",
    "ByeKind",
    "Correction",
    "Decision",
    "DraftView",
    "Eligible",
    "Entry",
    "Game",
    "GameResult",
    "InitialColourMethod",
    "LateEntryBye",
    "ListState",
    "PointAdjustment",
    "Prize",
    "PrizeCategory",
    "PrizeFund",
    "ProhibitedPair",
    "PublishedList",
    "RateOfPlay",
    "RatingList",
    "RatingListState",
    "RatingMethod",
    "RatingSource",
    "RequestedBye",
    "Role",
    "Round",
    "Seat",
    "Sex",
    "ThirdCriterion",
    "TieBreakEdition",
    "Title",
    "Tournament",
]
