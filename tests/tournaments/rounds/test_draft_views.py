"""The record keeps who has viewed a draft that only arbiters see [C.04.2/2026 4.4]."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from pairing.record.private import hide, is_hidden
from pairing.rounds.draft_views import draft_viewed
from pairing.rounds.pair import round_pair, round_unpair
from pairing.rounds.publish import round_publish
from tests.tournaments.declared_keys import require_declared_keys
from tests.tournaments.factories import NOW, entry_of
from tests.tournaments.neighbour import own
from tournaments.core import record
from tournaments.desk.undo import action_undo
from tournaments.entries.entries import entry_withdraw
from tournaments.models import Decision, DraftView, Round
from tournaments.reports.record_against_tables import differences

pytestmark = pytest.mark.django_db

BOTH = ["Dan Deputy", "Clara Chief"]


def view(round_: Round, *people: User) -> None:
    for person in people:
        draft_viewed(round_, person, NOW)


def newest(round_: Round) -> Decision:
    row = Decision.objects.filter(tournament=round_.tournament_id).latest("sequence")
    require_declared_keys(row)
    assert differences(round_.tournament) == []
    return row


def test_c04_2_4_4_a_published_draft_names_its_viewers(
    draft_round: Round, chief_arbiter: User, deputy: User
) -> None:
    view(draft_round, deputy, chief_arbiter, deputy)
    round_publish(round_id=draft_round.pk, actor=chief_arbiter, now=NOW)
    row = newest(draft_round)
    assert row.after["viewed_by"] == BOTH
    hidden = hide(record.line_of(row), row.salt, row.tournament.account_salt).after
    assert is_hidden(hidden["viewed_by"])
    assert is_hidden(hidden["views"])


@pytest.mark.costly
def test_c04_2_4_4_a_discarded_draft_names_its_viewers_and_the_next_one_its_own(
    draft_round: Round, chief_arbiter: User, deputy: User
) -> None:
    view(draft_round, deputy, chief_arbiter)
    round_unpair(round_id=draft_round.pk, actor=chief_arbiter, now=NOW)
    views = [{"person": person.pk, "at": NOW.isoformat()} for person in (deputy, chief_arbiter)]
    assert newest(draft_round).after == {"state": "planned", "viewed_by": BOTH, "views": views}
    again = round_pair(round_id=draft_round.pk, actor=chief_arbiter, now=NOW + timedelta(minutes=1))
    view(again, chief_arbiter)
    round_unpair(round_id=draft_round.pk, actor=chief_arbiter, now=NOW + timedelta(minutes=2))
    assert newest(draft_round).after["viewed_by"] == ["Clara Chief"]


@pytest.mark.costly
def test_c04_2_4_4_a_draft_that_is_paired_again_names_its_viewers(
    draft_round: Round, chief_arbiter: User, deputy: User
) -> None:
    view(draft_round, deputy)
    entry_withdraw(
        entry_id=entry_of(draft_round.tournament, 8).pk, from_round=1, actor=chief_arbiter, now=NOW
    )
    round_pair(round_id=draft_round.pk, actor=chief_arbiter, now=NOW + timedelta(minutes=1))
    assert newest(draft_round).after["viewed_by"] == ["Dan Deputy"]


def test_c04_2_4_4_an_undone_draft_names_its_viewers(
    draft_round: Round, chief_arbiter: User, deputy: User
) -> None:
    view(draft_round, deputy)
    tournament = draft_round.tournament
    tournament.refresh_from_db()
    action_undo(
        tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, sequence=tournament.version
    )
    assert newest(draft_round).after["viewed_by"] == ["Dan Deputy"]


@pytest.mark.costly
def test_c04_2_4_4_a_view_that_is_missing_in_the_tables_is_found(
    draft_round: Round, deputy: User
) -> None:
    view(draft_round, deputy)
    round_publish(round_id=draft_round.pk, actor=deputy, now=NOW)
    assert differences(draft_round.tournament) == []
    own(DraftView).delete()
    (found,) = differences(draft_round.tournament)
    assert found.startswith(
        f"Round 1, view of the draft of {NOW:%Y-%m-%dT%H:%M:%S}.000000+00:00 by account "
        f"{deputy.pk}:"
    )


def test_nobody_views_a_round_that_is_no_draft(published_round: Round, chief_arbiter: User) -> None:
    view(published_round, chief_arbiter)
    assert not own(DraftView).exists()
    assert (
        "viewed_by"
        not in Decision.objects.filter(tournament=published_round.tournament_id).latest("pk").after
    )


@pytest.mark.costly
@pytest.mark.parametrize("page", ["round", "round-change", "round-why"])
def test_c04_2_4_4_each_page_of_a_draft_notes_the_person_once(
    page: str, draft_round: Round, client: Client, deputy: User, stranger: User
) -> None:
    url = reverse(page, args=[draft_round.tournament.slug, 1])
    client.get(url)
    client.force_login(stranger)
    assert client.get(url).status_code == 403
    assert not own(DraftView).exists()
    client.force_login(deputy)
    for _ in range(2):
        assert client.get(url).status_code == 200
    with CaptureQueriesContext(connection) as queries:
        client.get(url)
    assert own(DraftView).get().person == deputy
    assert not [each for each in queries if each["sql"].startswith(("INSERT", "UPDATE"))]


@pytest.mark.parametrize("address", ["pairings", "pairings-csv"])
def test_c04_2_4_4_a_draft_read_by_a_program_notes_the_person_once(
    address: str, draft_round: Round, client: Client, deputy: User, stranger: User
) -> None:
    url = reverse(f"api:{address}", args=[draft_round.tournament.slug, 1])
    assert client.get(url).status_code == 404
    client.force_login(stranger)
    assert client.get(url).status_code == 404
    assert not own(DraftView).exists()
    client.force_login(deputy)
    for _ in range(2):
        assert client.get(url).status_code == 200
    assert own(DraftView).get().person == deputy


@pytest.mark.costly
def test_c04_2_4_4_arbiters_read_the_viewers_and_visitors_do_not(
    draft_round: Round, client: Client, chief_arbiter: User, deputy: User
) -> None:
    slug = draft_round.tournament.slug
    client.force_login(deputy)
    client.get(reverse("round", args=[slug, 1]))
    round_unpair(round_id=draft_round.pk, actor=chief_arbiter, now=NOW)
    round_pair(round_id=draft_round.pk, actor=chief_arbiter, now=NOW + timedelta(minutes=1))
    round_publish(round_id=draft_round.pk, actor=chief_arbiter, now=NOW + timedelta(minutes=2))
    for name in ("record", "event-report"):
        assert (
            "draft viewed by: Dan Deputy" in client.get(reverse(name, args=[slug])).content.decode()
        )
    client.logout()
    for name in ("record", "record-file"):
        body = client.get(reverse(name, args=[slug])).content.decode()
        assert "discarded" in body
        assert "Dan Deputy" not in body
