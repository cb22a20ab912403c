"""A form is compared with the data that its action changes,
although nothing is locked in between.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import HttpResponse
from django.test import RequestFactory

from tests.tournaments import factories
from tournaments.core.errors import DataMoved
from tournaments.entries.entries import entry_add, entry_update
from tournaments.models import Decision, Tournament
from tournaments.setup.schedule import schedule_change
from tournaments.setup.tournaments import tournament_update
from tournaments.standings.prize_plan import PrizePlan
from tournaments.standings.prizes import prizes_set
from tournaments.web.newest_data import TRIES, on_newest_data

ACTIONS: dict[str, Callable[..., object]] = {
    "settings": lambda event, **by: tournament_update(tournament_id=event.pk, city="Lyon", **by),
    "schedule": lambda event, **by: schedule_change(
        tournament_id=event.pk,
        times={
            factories.round_of(event, 1).pk: {"starts_at": factories.NOW, "results_due_at": None}
        },
        **by,
    ),
    "prizes": lambda event, **by: prizes_set(
        tournament_id=event.pk, plan=PrizePlan(currency="CHF"), **by
    ),
    "new entry": lambda event, **by: entry_add(tournament_id=event.pk, name="Newcomer, Nina", **by),
    "entry": lambda event, **by: entry_update(
        entry_id=factories.entry_of(event, 1).pk, club="Rook", **by
    ),
}


@pytest.mark.parametrize("action", ACTIONS.values(), ids=ACTIONS.keys())
def test_an_action_saves_nothing_if_other_data_were_compared(
    action: Callable[..., object], ready: Tournament, chief_arbiter: User
) -> None:
    ready.refresh_from_db()
    by: dict[str, Any] = {"actor": chief_arbiter, "now": factories.NOW}
    lines = Decision.objects.count()
    with pytest.raises(DataMoved):
        action(ready, compared=ready.version - 1, **by)
    assert Decision.objects.count() == lines
    action(ready, compared=ready.version, **by)
    assert Decision.objects.count() == lines + 1


@pytest.mark.parametrize("others, status", [(0, 200), (TRIES - 1, 200), (TRIES, 302)])
def test_the_page_compares_again_if_somebody_acts_in_between(
    others: int, status: int, ready: Tournament, chief_arbiter: User
) -> None:
    request: Any = RequestFactory().post("/settings/")
    request._messages = CookieStorage(request)
    compared: list[str] = []
    by: dict[str, Any] = {"actor": chief_arbiter, "now": factories.NOW}

    def answer(now: Tournament) -> HttpResponse:
        compared.append(now.city)
        if len(compared) <= others:
            tournament_update(tournament_id=now.pk, city=f"City {len(compared)}", **by)
        tournament_update(tournament_id=now.pk, name="Rook Open", compared=now.version, **by)
        return HttpResponse()

    before = ready.city
    assert on_newest_data(request, ready, answer).status_code == status
    ready.refresh_from_db()
    assert (
        compared == [before, *(f"City {n}" for n in range(1, TRIES + 1))][: min(others + 1, TRIES)]
    )
    assert (ready.name == "Rook Open") is (status == 200)
