"""Fill the tables of the second tournament that no tournament needs:
desk, registration, reports, pages and so on.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from django.contrib.auth.models import User

from tournaments.models import (
    CheckInDesk,
    DeskData,
    DraftView,
    Entry,
    Event,
    Forecast,
    Game,
    Invitation,
    Logo,
    MistakeReport,
    PairingMail,
    PlayersReport,
    Prize,
    PrizeCategory,
    PrizeFund,
    PushSubscription,
    RecheckRun,
    Registration,
    RegistrationSettings,
    Round,
    Screen,
    SecondReading,
    Section,
    TableCodes,
    Tournament,
    TrfOpening,
    WaitingEntry,
)

AT: Final = datetime(2026, 11, 21, 8, 0, tzinfo=UTC)
FOR_EVER: Final = datetime(2100, 1, 1, tzinfo=UTC)
LONG_AGO: Final = AT - timedelta(days=100)
"""So old that whatever is deleted after some time would be deleted."""
NAMES: Final = ("Ito, Ines", "Juhasz, Jan", "Kovar, Kim")


def furnish(
    tournament: Tournament,
    actor: User,
    rounds: list[Round],
    games: list[Game],
    entries: list[Entry],
) -> None:
    """Save one row or more in each table with a path to *tournament* that is empty so far."""
    DraftView.objects.create(round=rounds[0], paired_at=AT, person=actor, at=AT)
    SecondReading.objects.create(game=games[-1], reader=actor, result="01")
    PlayersReport.objects.create(game=games[-2], side="w", result="10", at=AT)
    MistakeReport.objects.create(game=games[-2], entry=entries[0], right="==", at=AT)
    TableCodes.objects.create(tournament=tournament, secret="9" * 64, takes_reports=True, reports=1)
    fund = PrizeFund.objects.create(tournament=tournament, currency="EUR", division="equal")
    category = PrizeCategory.objects.create(fund=fund, place=1, name="Main", eligible="everybody")
    Prize.objects.create(category=category, place=1, amount=12_300)
    event = Event.objects.create(
        name="Autumn Festival", slug="festival-next-door", created_by=actor, created_at=AT
    )
    # Nobody of the tests fits into it.
    limits = {"rating_from": 2900, "rating_to": 2999, "born_from": 2025}
    Section.objects.create(event=event, tournament=tournament, label="A", **limits)
    Invitation.objects.create(
        tournament=tournament, username="invited", role="deputy", by=actor, at=AT
    )
    PushSubscription.objects.create(
        tournament=tournament,
        endpoint="https://fcm.googleapis.com/fcm/send/next-door",
        public="B" * 87,
        secret="A" * 22,
        language="en",
        players=[entries[0].pk],
        sequence=10**6,
        renewed_at=FOR_EVER,
    )
    PairingMail.objects.create(
        entry=entries[0], email="own-board@example.org", language="en", round_number=9, state="sent"
    )
    Logo.objects.create(tournament=tournament, data=b"next door")
    Screen.objects.create(
        tournament=tournament, code="NEXTD22R", name="Next door", contents=["boards", "missing"]
    )
    _at_the_desk(tournament, actor, entries)
    _register(tournament, entries)
    _computed(tournament, actor)


def _at_the_desk(tournament: Tournament, actor: User, entries: list[Entry]) -> None:
    CheckInDesk.objects.create(
        tournament=tournament,
        fee=4_200,
        link="8" * 64,
        code_secret="7" * 64,
        opened_by=actor,
        tries=3,
        tries_since=AT,
    )
    DeskData.objects.bulk_create(
        DeskData(entry=entry, phone=f"+33 {entry.tpn}", note="next door", fee_paid=4_200)
        for entry in entries
    )
    WaitingEntry.objects.bulk_create(
        WaitingEntry(
            tournament=tournament, line=line, fields={"name": name, "federation": "XXX"}, created_at=AT,
            problems=[{"code": "federation.unknown", "field": "federation", "params": {"value": "XXX"}}],
            created_by=actor,
        )
        for line, name in enumerate(NAMES, start=2)
    )  # fmt: skip


def _register(tournament: Tournament, entries: list[Entry]) -> None:
    RegistrationSettings.objects.create(
        tournament=tournament, is_open=True, most=100, text="next door"
    )
    states = (
        ("received", None),
        ("confirmed", None),
        ("confirmed", None),
        ("accepted", entries[0]),
        ("refused", None),
    )
    Registration.objects.bulk_create(
        Registration(
            tournament=tournament, link=f"next{number}" + "d" * 59, state=state, listed=False, entry=entry,
            fields={"name": NAMES[number % 3], "last_name": NAMES[number % 3].split(",")[0], "federation": "FRA"},
            email=f"{number}@example.org", phone=f"+33 {number}", consent="yes", created_at=LONG_AGO,
            confirmed_at=None if state == "received" else LONG_AGO,
        )
        for number, (state, entry) in enumerate(states)
    )  # fmt: skip


def _computed(tournament: Tournament, actor: User) -> None:
    """Save what the program computes for itself."""
    Forecast.objects.create(
        tournament=tournament, state="next door", after_round=1, next_round=3, simulations=100, unpairable=0,
        content={"has_money": True, "players": []}, made_at=AT,
    )  # fmt: skip
    RecheckRun.objects.create(
        tournament=tournament, version=tournament.version, content={}, made_at=LONG_AGO
    )
    TrfOpening.objects.create(
        person=actor,
        data=b"012 Next door",
        state="saved",
        tournament=tournament,
        progress_at=FOR_EVER,
    )
