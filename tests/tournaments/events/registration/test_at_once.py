"""Two people at once: the last place, one registration sent twice,
and a decision beside a withdrawal.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.tournaments.core.test_concurrency import at_once
from tests.tournaments.factories import NOW, make_tournament
from tests.tournaments.neighbour import own
from tournaments.core.errors import Conflict, RuleRefused
from tournaments.core.request_limits import LIMITS, MAIL, count_request
from tournaments.events.registration.queue import registration_accept, registration_refuse
from tournaments.events.registration.visitor import (
    registration_add,
    registration_confirm,
    registration_withdraw,
)
from tournaments.models import Entry, Registration, RequestCount, Tournament
from tournaments.reports.record_against_tables import differences

from .conftest import opened, wish

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def small(chief_arbiter: User) -> Tournament:
    tournament = make_tournament(chief_arbiter)
    opened(tournament, chief_arbiter, most=1, waiting_list=False)
    return tournament


def add(tournament: Tournament, name: str = "Abara, Ada") -> Registration:
    return registration_add(tournament_id=tournament.pk, wish=wish(name), secret=name, now=NOW)


def failures(outcomes: list[Any]) -> list[type]:
    return [type(outcome) for outcome in outcomes if isinstance(outcome, Exception)]


def test_one_of_two_gets_the_last_place(small: Tournament) -> None:
    for name in ("Abara, Ada", "Blom, Bo"):
        add(small, name)
    confirm = [
        partial(registration_confirm, secret=name, now=NOW) for name in ("Abara, Ada", "Blom, Bo")
    ]
    assert failures(at_once(*confirm)) == [RuleRefused]
    assert sorted(own(Registration).values_list("state", flat=True)) == ["confirmed", "received"]


def test_one_form_sent_twice_is_one_registration(small: Tournament) -> None:
    assert failures(at_once(partial(add, small), partial(add, small))) == []
    assert own(Registration).count() == 1


@pytest.mark.costly
def test_two_arbiters_or_the_visitor_and_an_arbiter_decide_once(
    small: Tournament, chief_arbiter: User
) -> None:
    opened(small, chief_arbiter)
    for name in ("Abara, Ada", "Blom, Bo", "Kovar, Eva"):
        add(small, name)
        registration_confirm(secret=name, now=NOW)
    one, two, three = own(Registration).order_by("pk")
    by: dict[str, Any] = {"tournament_id": small.pk, "actor": chief_arbiter, "now": NOW}

    def accept(row: Registration) -> Any:
        more = {
            "values": row.fields,
            "with_byes": True,
            "seen_version": row.version,
            "seen_doubts": (),
        }
        return partial(registration_accept, registration_id=row.pk, **more, **by)

    refuse = partial(
        registration_refuse,
        registration_id=two.pk,
        reason="The hall is full.",
        seen_version=2,
        **by,
    )
    assert failures(at_once(accept(one), accept(one))) == [Conflict]
    assert failures(at_once(accept(two), refuse)) == [Conflict]
    assert failures(
        at_once(accept(three), partial(registration_withdraw, secret="Kovar, Eva", now=NOW))
    ) == [Conflict]
    states = list(own(Registration).values_list("state", flat=True))
    assert Entry.objects.filter(tournament=small).count() == states.count("accepted")
    small.refresh_from_db()
    assert differences(small) == []


def test_of_many_requests_at_once_only_the_allowed_ones_count() -> None:
    most, _span = LIMITS[MAIL]
    outcomes = at_once(*[partial(count_request, MAIL, "ada@example.org", now=NOW)] * (most + 2))
    assert failures(outcomes) == [RuleRefused] * 2
    assert RequestCount.objects.get().count == most
