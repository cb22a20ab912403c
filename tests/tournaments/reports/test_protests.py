"""Protests, rulings and appeals: who records them, in which order, and where they are shown."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tournaments.core.errors import BadInput, Conflict, ServiceError
from tournaments.models import Decision, Tournament
from tournaments.reports.protests import (
    appeal_decide,
    protest_appeal,
    protest_decide,
    protest_lodge,
    protests_of,
)
from tournaments.standings.final import standings_make_final


def lodge(tournament: Tournament, actor: User, **more: Any) -> Decision:
    given = {
        "by": "Pia Player",
        "at": NOW,
        "subject": "The clock was wrong",
        "seen": 0,
        "now": NOW,
        **more,
    }
    return protest_lodge(tournament_id=tournament.pk, actor=actor, **given)


def go_through(tournament: Tournament, actor: User) -> None:
    """A protest with its ruling, the appeal, and the decision on it; round 1 is published."""
    factories.pair_and_publish(tournament, 1, actor)
    given: dict[str, Any] = {
        "tournament_id": tournament.pk,
        "number": 1,
        "actor": actor,
        "now": NOW,
    }
    lodge(tournament, actor, round_number=1)
    protest_decide(**given, ruling="The game goes on", article="Laws 6.10.2")
    protest_appeal(**given, by="Pia Player", at=NOW, reasons="The ruling forgets Laws 6.2")
    appeal_decide(
        **given, decision="The ruling stands", by="A. Able, B. Baker", article="Laws 11.10"
    )


def test_laws_11_10_a_protest_goes_through_ruling_and_appeal(
    ready: Tournament, deputy: User, chief_arbiter: User
) -> None:
    lodge(ready, deputy)
    given: dict[str, Any] = {"tournament_id": ready.pk, "number": 1, "now": NOW}
    ruling = {"ruling": "The game goes on", "article": "Laws 6.10.2"}
    decision = {"decision": "The ruling stands", "by": "A. Able", "article": "Laws 11.10"}
    appeal = {"by": "Pia Player", "reasons": "The ruling forgets Laws 6.2", "actor": deputy}
    with pytest.raises(Conflict, match="another step"):
        protest_appeal(**given, **appeal, at=NOW)
    with pytest.raises(PermissionDenied):
        protest_decide(**given, **ruling, actor=deputy)
    protest_decide(**given, **ruling, actor=chief_arbiter)
    with pytest.raises(Conflict, match="another step"):
        protest_decide(**given, **ruling, actor=chief_arbiter)
    with pytest.raises(Conflict, match="another step"):
        appeal_decide(**given, **decision, actor=chief_arbiter)
    with pytest.raises(BadInput, match="before the ruling"):
        protest_appeal(**given, **appeal, at=NOW - timedelta(minutes=1))
    protest_appeal(**given, **appeal, at=NOW)
    with pytest.raises(Conflict, match="another step"):
        protest_appeal(**given, **appeal, at=NOW)
    with pytest.raises(PermissionDenied):
        appeal_decide(**given, **decision, actor=deputy)
    assert protests_of(ready)[0].is_open
    appeal_decide(**given, **decision, actor=chief_arbiter)
    with pytest.raises(Conflict, match="another step"):
        appeal_decide(**given, **decision, actor=chief_arbiter)
    assert not protests_of(ready)[0].is_open
    rows = Decision.objects.filter(tournament=ready).order_by("-sequence")[:4]
    assert [(row.action, row.article) for row in rows] == [
        ("appeal.decided", "Laws 11.10"),
        ("protest.appealed", ""),
        ("protest.decided", "Laws 6.10.2"),
        ("protest.lodged", ""),
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        {"by": " "},
        {"by": "x" * 201},
        {"subject": "."},
        {"subject": "x" * 2001},
        {"at": NOW + timedelta(seconds=1)},
        {"round_number": 6},
        {"round_number": 1},
        {"seen": 1},
    ],
)
def test_what_is_missing_or_wrong_saves_nothing(
    wrong: dict[str, Any], ready: Tournament, chief_arbiter: User
) -> None:
    with pytest.raises(ServiceError):
        lodge(ready, chief_arbiter, **wrong)
    assert protests_of(ready) == []


def test_a_form_sent_twice_records_one_protest(
    ready: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    page = reverse("protests", args=[ready.slug])
    given = {
        "by": "Pia Player",
        "at": "2026-11-21T09:00:00",
        "subject": "The clock was wrong",
        "seen": "0",
    }
    assert client.post(page, {**given, "by": ""}).status_code == 422
    assert client.post(page, given).status_code == 302
    again = client.post(page, given)
    assert (again.status_code, "Another protest was recorded" in again.content.decode()) == (
        409,
        True,
    )
    assert len(protests_of(ready)) == 1


@pytest.mark.costly
def test_the_pages_lead_through_the_steps(
    ready: Tournament, chief_arbiter: User, deputy: User, client: Client
) -> None:
    lodge(ready, deputy)
    page = reverse("protest", args=[ready.slug, 1])
    client.force_login(deputy)
    assert "Only the Chief Arbiter can enter the decision." in client.get(page).content.decode()
    ruling = {"step": "ruling", "ruling": "The game goes on", "article": "Laws 6.10.2"}
    assert client.post(page, ruling).status_code == 403
    client.force_login(chief_arbiter)
    assert client.post(page, {**ruling, "article": ""}).status_code == 422
    assert client.post(page, ruling).status_code == 302
    assert client.post(page, ruling).status_code == 409  # a page from before the ruling
    now = timezone.localtime()
    appeal = {
        "step": "appeal",
        "by": "Pia Player",
        "at": f"{now:%Y-%m-%dT%H:%M:%S}",
        "reasons": "Laws 6.2",
    }
    assert client.post(page, {**appeal, "reasons": ""}).status_code == 422
    early = client.post(page, {**appeal, "at": f"{now - timedelta(minutes=2):%Y-%m-%dT%H:%M:%S}"})
    assert early.status_code == 422
    assert "cannot have been made before the ruling" in early.content.decode()
    assert client.post(page, appeal).status_code == 302
    decision = {
        "step": "decision",
        "decision": "The ruling stands",
        "by": "A. Able",
        "article": "Laws 11.10",
    }
    assert client.post(page, decision).status_code == 302
    assert "The ruling stands" in client.get(page).content.decode()
    assert client.get(reverse("protest", args=[ready.slug, 2])).status_code == 404


def test_the_report_has_every_step_and_visitors_none(
    ready: Tournament, chief_arbiter: User, client: Client
) -> None:
    go_through(ready, chief_arbiter)
    texts = [
        "The clock was wrong",
        "The game goes on",
        "Laws 6.10.2",
        "The ruling stands",
        "A. Able, B. Baker",
    ]
    client.force_login(chief_arbiter)
    pages = [
        client.get(reverse("event-report", args=[ready.slug])),
        client.get(f"/api/v1/tournaments/{ready.slug}/report/"),
        client.get(f"/api/v1/tournaments/{ready.slug}/report/csv/"),
    ]
    for answer in pages:
        assert [text for text in texts if text not in answer.content.decode()] == []
    seen = Client().get(reverse("record", args=[ready.slug])).content.decode()
    assert [text for text in (*texts, "ruling on a protest", "appeal") if text in seen] == []
    api = Client().get(f"/api/v1/tournaments/{ready.slug}/record/").content.decode()
    assert "protest" not in api


@pytest.mark.costly
def test_protests_are_still_recorded_when_the_standings_are_final(
    chief_arbiter: User, deputy: User
) -> None:
    tournament = factories.make_ready(chief_arbiter, rounds=1)
    factories.play_rounds(tournament, [1], chief_arbiter)
    standings_make_final(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, ties_stay=True)
    with pytest.raises(PermissionDenied):
        lodge(tournament, deputy)
    lodge(tournament, chief_arbiter)
    assert len(protests_of(tournament)) == 1
