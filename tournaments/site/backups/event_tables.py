"""The tables and columns that the file of one event has."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.models import User
from django.db import models

from tournaments.models import (
    Appointment,
    CheckInDesk,
    Correction,
    Decision,
    DeskData,
    DraftView,
    Entry,
    Event,
    Game,
    Logo,
    MistakeReport,
    PlayersReport,
    PointAdjustment,
    Prize,
    PrizeCategory,
    PrizeFund,
    ProhibitedPair,
    PublishedList,
    Registration,
    RegistrationSettings,
    RequestedBye,
    Round,
    Screen,
    Seat,
    SecondReading,
    Section,
    TableCodes,
    Tournament,
    WaitingEntry,
)

TABLES: Final[dict[type[models.Model], str]] = {
    Event: "sections__tournament",
    Tournament: "pk",
    Section: "tournament",
    Entry: "tournament",
    Appointment: "tournament",
    Round: "tournament",
    DraftView: "round__tournament",
    Game: "round__tournament",
    Seat: "round__tournament",
    RequestedBye: "entry__tournament",
    DeskData: "entry__tournament",
    CheckInDesk: "tournament",
    Correction: "tournament",
    Decision: "tournament",
    PublishedList: "tournament",
    TableCodes: "tournament",
    PlayersReport: "game__round__tournament",
    MistakeReport: "game__round__tournament",
    PrizeFund: "tournament",
    PrizeCategory: "fund__tournament",
    Prize: "category__fund__tournament",
    RegistrationSettings: "tournament",
    Registration: "tournament",
    ProhibitedPair: "tournament",
    PointAdjustment: "tournament",
    SecondReading: "game__round__tournament",
    WaitingEntry: "tournament",
    Screen: "tournament",
    Logo: "tournament",
}
"""The tables of an event, each after those that it refers to,
and how a row leads to its tournament.
"""
NOT_IN_A_FILE: Final = frozenset(
    {
        "deletedtournament",
        "invitation",
        "job",
        "ratinglist",
        "requestcount",
        "forecast",
        "recheckrun",
        "trfopening",
        "storedanswer",
        "passkey",
        "pushsubscription",
        "pairingmail",
    }
)
"""Tables of the site; passkeys, which belong to its address; forecasts and re-checks, made anew
there; files that are not a tournament yet; long work, which one site does, and the phones and
players that get messages from it."""
WRITTEN: Final[dict[type[models.Model], frozenset[str]]] = {
    User: frozenset({"id", "username", "first_name", "last_name", "date_joined"}),
    Appointment: frozenset({"id", "tournament_id", "person_id", "role", "since", "until"}),
}
"""The only columns of these tables that are in a file and read from one:
the others are for logging in.
"""
KEEP_NUMBERS: Final[tuple[type[models.Model], ...]] = (User, Entry)
