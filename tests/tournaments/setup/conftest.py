"""An event with personal data, and the same event when it is over."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

import pytest
from django.contrib.auth.models import User

from pairing.rounds.corrections import Report, result_correct
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tournaments.entries.desk_data import desk_data_set
from tournaments.entries.entries import entry_update
from tournaments.models import (
    Game,
    PairingMail,
    RecheckRun,
    Registration,
    StoredAnswer,
    Tournament,
    WaitingEntry,
)
from tournaments.standings.final import standings_make_final

LATER: Final = NOW + timedelta(hours=2)


@pytest.fixture
def full(chief_arbiter: User) -> Tournament:
    """Two rounds played; of players 1 and 2 everything is known."""
    tournament = factories.make_ready(chief_arbiter, rounds=2, players=6)
    one, two = factories.entry_of(tournament, 1), factories.entry_of(tournament, 2)
    by: dict[str, Any] = {"actor": chief_arbiter, "now": NOW}
    entry_update(entry_id=one.pk, birth_date="1987/06/05", **by)
    entry_update(entry_id=two.pk, birth_date="1975/03/02", **by)
    entry_update(entry_id=two.pk, name="Quetzal, Xanthippe", initials=True, fide_id=98765432, **by)
    desk_data_set(
        entry_id=one.pk, phone="0699123456", note="no gluten", fee_due=7731, fee_paid=4117, **by
    )
    Registration.objects.create(
        tournament=tournament, link="0" * 64, state="accepted", fields={"name": one.name, "birth_date": "1987/06/05"},
        email="ada@example.org", phone="0699123456", entry=one, created_at=NOW,
    )  # fmt: skip
    PairingMail.objects.create(entry=one, email="ada@example.org", language="en")
    WaitingEntry.objects.create(
        tournament=tournament,
        fields={"name": "Lovelace, Ada", "birth_date": "1987/06/05"},
        created_at=NOW,
    )
    RecheckRun.objects.create(
        tournament=tournament, content={"names": [[2, "Quetzal, Xanthippe"]]}, made_at=NOW
    )
    StoredAnswer.objects.create(
        account=chief_arbiter, key="0" * 64, digest="0" * 64, status=200, body='["Quetzal, Xanthippe"]', at=NOW,
        address=f"/api/v1/tournaments/{tournament.slug}/entries/import/",
    )  # fmt: skip
    factories.play_rounds(tournament, [1], chief_arbiter)
    game = Game.objects.filter(round__tournament=tournament, round__number=1).order_by("board")[0]
    result_correct(
        game_id=game.pk, result="==", report=Report(NOW, f"{one.name} was in hospital"), **by
    )
    factories.play_rounds(tournament, [2], chief_arbiter)
    tournament.refresh_from_db()
    return tournament


@pytest.fixture
def over(full: Tournament, chief_arbiter: User) -> Tournament:
    """The same with final standings."""
    tournament = standings_make_final(
        tournament_id=full.pk, actor=chief_arbiter, now=LATER, ties_stay=True
    )
    tournament.refresh_from_db()
    return tournament
