"""The tables: tournaments, entries, rounds and games, and the record of all actions."""

from pairing.rules.actions import Action

from .appointment import Appointment, Role
from .check_in_desk import CheckInDesk, DeskData
from .correction import CORRECTION_EFFECT_LABELS, CORRECTION_KIND_LABELS, Correction
from .decision import Decision
from .deleted_tournament import DeletedTournament
from .entry import Entry, MissingAnswer, RatingSource, RequestedBye, Sex, Title, WomenTitle
from .event import Event, Section
from .forecast import Forecast
from .game import ByeKind, Game, GameResult, Seat
from .invitation import Invitation
from .job import Job, JobState
from .logo import Logo
from .mistake_report import MistakeReport
from .pairing_mail import MailState, PairingMail
from .passkey import Passkey
from .players_report import PlayersReport, TableCodes
from .prize import Eligible, Prize, PrizeCategory, PrizeFund
from .published_list import PublishedList
from .push_subscription import PushSubscription
from .rating_list import RatingList, RatingListState
from .recheck_run import RecheckRun
from .registration import Registration, RegistrationSettings, RegistrationState, RequestCount
from .regulations import PointAdjustment, ProhibitedPair
from .round import ROUND_STATE_LABELS, DraftView, Round
from .screen import Screen, ScreenContent, ScreenSize
from .second_reading import SecondReading
from .setting_choices import (
    AccelerationMethod,
    EnteredResults,
    InitialColourMethod,
    KindOfEvent,
    LateEntryBye,
    ListState,
    RateOfPlay,
    RatingMethod,
    ReportProfile,
    SecondRatingMethod,
    ThirdCriterion,
    TieBreakEdition,
)
from .stored_answer import StoredAnswer
from .tournament import Tournament
from .trf_opening import OpeningState, TrfOpening
from .waiting_entry import WaitingEntry

__all__ = [
    "CORRECTION_EFFECT_LABELS",
    "CORRECTION_KIND_LABELS",
    "ROUND_STATE_LABELS",
    "AccelerationMethod",
    "Action",
    "Appointment",
    "ByeKind",
    "CheckInDesk",
    "Correction",
    "Decision",
    "DeletedTournament",
    "DeskData",
    "DraftView",
    "Eligible",
    "EnteredResults",
    "Entry",
    "Event",
    "Forecast",
    "Game",
    "GameResult",
    "InitialColourMethod",
    "Invitation",
    "Job",
    "JobState",
    "KindOfEvent",
    "LateEntryBye",
    "ListState",
    "Logo",
    "MailState",
    "MissingAnswer",
    "MistakeReport",
    "OpeningState",
    "PairingMail",
    "Passkey",
    "PlayersReport",
    "PointAdjustment",
    "Prize",
    "PrizeCategory",
    "PrizeFund",
    "ProhibitedPair",
    "PublishedList",
    "PushSubscription",
    "RateOfPlay",
    "RatingList",
    "RatingListState",
    "RatingMethod",
    "RatingSource",
    "RecheckRun",
    "Registration",
    "RegistrationSettings",
    "RegistrationState",
    "ReportProfile",
    "RequestCount",
    "RequestedBye",
    "Role",
    "Round",
    "Screen",
    "ScreenContent",
    "ScreenSize",
    "Seat",
    "SecondRatingMethod",
    "SecondReading",
    "Section",
    "Sex",
    "StoredAnswer",
    "TableCodes",
    "ThirdCriterion",
    "TieBreakEdition",
    "Title",
    "Tournament",
    "TrfOpening",
    "WaitingEntry",
    "WomenTitle",
]
