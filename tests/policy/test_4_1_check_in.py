"""C.04.2 4.1: no player is paired or left out because a decision was not taken."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import round_publish
from tests.policy.refusals import page_refuses, refused
from tests.tournaments.factories import NOW, entry_of, page_versions, round_of
from tournaments.entries.check_in import check_in_close, check_in_open, check_in_settle
from tournaments.entries.entries import entry_check_in
from tournaments.models import Tournament


def by(actor: User, **more: Any) -> dict[str, Any]:
    return {"actor": actor, "now": NOW, **more}


def check_in(tournament: Tournament, actor: User, *, but: tuple[int, ...]) -> list[int]:
    """Open the check-in, mark everybody but the numbers *but*, close it;
    return the missing entries.
    """
    check_in_open(tournament_id=tournament.pk, **by(actor))
    for entry in tournament.entries.exclude(tpn__in=but):
        entry_check_in(entry_id=entry.pk, checked_in=True, **by(actor))
    check_in_close(tournament_id=tournament.pk, **by(actor))
    tournament.refresh_from_db()
    return [entry_of(tournament, tpn).pk for tpn in but]


@pytest.mark.costly
def test_c04_2_4_1_a_round_is_not_paired_without_the_decision(
    ready: Tournament, deputy: User, chief_arbiter: User, as_deputy: Client
) -> None:
    missing = check_in(ready, deputy, but=(3,))
    row = round_of(ready, 1)
    for actor in (deputy, chief_arbiter):
        refused(lambda: round_pair(round_id=row.pk, **by(actor)), "check_in.unsettled C.04.2 4.1")  # noqa: B023
    asks = as_deputy.post(reverse("round-pair", args=[ready.slug, 1]), follow=True).content.decode()
    assert "Player 3" in asks
    assert row.seats.count() == 0
    check_in_settle(tournament_id=ready.pk, consequence="excluded", seen=missing, **by(deputy))
    line = ready.decisions.latest("sequence")
    assert (line.action, line.article, line.actor) == ("check_in.settled", "C.04.2 4.1", deputy)


@pytest.mark.costly
def test_c04_2_4_1_a_draft_is_not_published_without_the_decision(
    ready: Tournament, deputy: User, as_deputy: Client
) -> None:
    """The draft is made first, and the check-in that would name the missing players afterwards."""
    row = round_pair(round_id=round_of(ready, 1).pk, **by(deputy))
    check_in(ready, deputy, but=(3, 4))
    refused(lambda: round_publish(round_id=row.pk, **by(deputy)), "check_in.unsettled C.04.2 4.1")
    url = reverse("round-publish", args=[ready.slug, 1])
    page_refuses(as_deputy, url, page_versions(ready, 1), 409, "C.04.2 4.1", "Player 3")


@pytest.mark.costly
@pytest.mark.parametrize("consequence", ["paired", "Z", "H"])
def test_c04_2_4_1_the_chief_arbiter_decides_otherwise(
    consequence: str, ready: Tournament, deputy: User, as_deputy: Client
) -> None:
    missing = check_in(ready, deputy, but=(3,))
    given: dict[str, Any] = {
        "tournament_id": ready.pk,
        "seen": missing,
        "confirmed": True,
        **by(deputy),
    }
    code = "check_in.chief_arbiter_decides C.04.2 4.1"
    refused(lambda: check_in_settle(**given, consequence=consequence), code)
    form = {
        "consequence": consequence,
        "missing": missing,
        "confirmed": "yes",
        "reason": "so they say",
    }
    page_refuses(as_deputy, reverse("check-in-settle", args=[ready.slug]), form, 409, "C.04.2 4.1")


@pytest.mark.costly
def test_c04_2_4_1_only_players_shown_as_missing_are_excluded(
    ready: Tournament, deputy: User, as_deputy: Client
) -> None:
    missing = check_in(ready, deputy, but=(3,))
    forged = [*missing, entry_of(ready, 1).pk]
    given: dict[str, Any] = {"tournament_id": ready.pk, "consequence": "excluded", **by(deputy)}
    refused(lambda: check_in_settle(**given, seen=forged), "check_in.moved_on")
    form = {"consequence": "excluded", "missing": forged}
    page_refuses(as_deputy, reverse("check-in-settle", args=[ready.slug]), form, 409)


def test_c04_2_4_1_marks_do_not_change_while_the_check_in_is_closed(
    ready: Tournament, deputy: User, as_deputy: Client
) -> None:
    (missing,) = check_in(ready, deputy, but=(3,))
    refused(
        lambda: entry_check_in(entry_id=missing, checked_in=True, **by(deputy)),
        "check_in.closed C.04.2 4.1",
    )
    url = reverse("entry-check-in", args=[ready.slug, missing])
    page = as_deputy.post(url, {"checked_in": "yes"}, follow=True).content.decode()
    assert "C.04.2 4.1" in page
    assert not entry_of(ready, 3).checked_in
