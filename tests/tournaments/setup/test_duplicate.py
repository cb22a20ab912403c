"""A new tournament from the settings of another one."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tests.tournaments.neighbour import own
from tournaments.lists.imports.duplicate import SCREEN_SETTINGS, tournament_duplicate
from tournaments.models import Decision, Entry, Round, Screen, Seat, Tournament
from tournaments.people.invitations import invitations_of
from tournaments.people.people import people_of
from tournaments.reports.record_against_tables import differences
from tournaments.setup.prohibited_pairs import prohibited_pairs_set
from tournaments.setup.schedule import round_schedule

pytestmark = pytest.mark.on_postgres("many rows in one statement")


@pytest.fixture
@factories.cached
def last_year(chief_arbiter: User) -> Tournament:
    """Six players, round 1 played, a schedule, a prohibited pair."""
    event = factories.make_ready(
        chief_arbiter, players=6, name="Open 2025", start_date=date(2025, 10, 24), end_date=date(2025, 10, 26),
        max_byes=1, correction_minutes=30, tie_breaks="DE,BH", rating_list="FIDE, October 2025", city="Metz",
    )  # fmt: skip
    pair = [factories.entry_of(event, 1).pk, factories.entry_of(event, 2).pk]
    early = [factories.entry_of(event, 3).pk, factories.entry_of(event, 4).pk, 2]
    prohibited_pairs_set(tournament_id=event.pk, actor=chief_arbiter, now=NOW, pairs=[pair, early])
    for number, at in (
        (1, datetime(2025, 10, 24, 17, tzinfo=UTC)),
        (2, datetime(2025, 10, 26, 8, tzinfo=UTC)),
    ):
        round_ = factories.round_of(event, number)
        round_schedule(
            round_id=round_.pk, actor=chief_arbiter, now=NOW, starts_at=at, results_due_at=None
        )
    factories.play_rounds(event, [1], chief_arbiter)
    return event


def copy(source: Tournament, actor: User, **given: bool) -> Tournament:
    return tournament_duplicate(
        source_id=source.pk,
        actor=actor,
        now=NOW,
        name="Open 2026",
        first_day=date(2026, 10, 23),
        **given,
    )


def test_settings_and_schedule_but_no_results(last_year: Tournament, chief_arbiter: User) -> None:
    made = copy(last_year, chief_arbiter)
    assert (made.max_byes, made.correction_minutes, made.tie_breaks, made.city) == (
        1,
        30,
        "DE,BH",
        "Metz",
    )
    assert (made.start_date, made.end_date, made.rating_list) == (
        date(2026, 10, 23),
        date(2026, 10, 25),
        "",
    )
    assert (made.listed, made.list_state, made.initial_colour) == (False, "provisional", "")
    times = (
        Round.objects.filter(tournament=made).order_by("number").values_list("starts_at", flat=True)
    )
    old = (
        Round.objects.filter(tournament=last_year)
        .order_by("number")
        .values_list("starts_at", flat=True)
    )
    for before, after in zip(old[:2], times[:2], strict=True):
        assert before is not None
        assert after is not None
        assert (timezone.localtime(after).date() - timezone.localtime(before).date()).days == 364
        assert timezone.localtime(after).time() == timezone.localtime(before).time()
    assert not Entry.objects.filter(tournament=made).exists()
    line = Decision.objects.get(tournament=made, action="tournament.duplicated")
    assert line.after == {"copy_of": "Open 2025", "identity": last_year.identity}
    assert differences(made) == []


@pytest.mark.costly
def test_players_and_prohibited_pairs_without_numbers(
    last_year: Tournament, chief_arbiter: User
) -> None:
    made = copy(last_year, chief_arbiter, players=True)
    old = {entry.name: entry for entry in Entry.objects.filter(tournament=last_year)}
    new = {entry.name: entry for entry in Entry.objects.filter(tournament=made)}
    assert new.keys() == old.keys()
    assert {(entry.tpn, entry.checked_in, entry.withdrawn_from) for entry in new.values()} == {
        (None, False, None)
    }
    assert all(new[name].rating == entry.rating for name, entry in old.items())
    pairs = {
        (frozenset((one.one.name, one.other.name)), one.last_round)
        for one in made.prohibited_pairs.all()
    }
    names = [factories.entry_of(last_year, n).name for n in (1, 2, 3, 4)]
    assert pairs == {(frozenset(names[:2]), None), (frozenset(names[2:]), 2)}
    assert not Seat.objects.filter(round__tournament=made).exists()
    assert differences(made) == []


@pytest.mark.costly
def test_people_with_an_account_are_invited_to_their_roles(
    last_year: Tournament, chief_arbiter: User, deputy: User
) -> None:
    made = copy(last_year, deputy)
    # The conftest appoints the deputy wherever others create; here the deputy is the Chief Arbiter.
    assert [(each.person, each.role) for each in people_of(made)] == [(deputy, "chief")]
    again = tournament_duplicate(
        source_id=last_year.pk, actor=deputy, now=NOW, name="Third", first_day=None, people=True
    )
    assert [(each.person, each.role) for each in people_of(again)] == [(deputy, "chief")]
    assert [(each.person, each.role) for each in invitations_of(again)] == [
        (chief_arbiter, "deputy")
    ]
    assert not Round.objects.filter(tournament=again).exclude(starts_at=None).exists()


def test_only_people_who_may_read_it_copy_it(last_year: Tournament, stranger: User) -> None:
    with pytest.raises(PermissionDenied):
        copy(last_year, stranger)


@pytest.mark.costly
def test_the_page_proposes_next_year_and_makes_one_copy(
    client: Client, last_year: Tournament, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("tournament-duplicate", args=[last_year.slug])
    page = client.get(url).content.decode()
    assert 'value="Open 2026"' in page
    assert 'value="2026-10-23"' in page
    sent = {"name": "Open 2026", "first_day": "2026-10-23", "players": "on"}
    first, second = (client.post(url, sent) for _ in range(2))
    made = own(Tournament).latest("pk")
    assert first.headers["Location"] == reverse("desk", args=[made.slug])
    assert second.headers["Location"] == first.headers["Location"]
    assert own(Tournament).count() == 2
    assert client.post(url, {"name": ""}).status_code == 422


def test_players_next_door_are_not_offered_to_a_copy_without_players(
    client: Client, tournament: Tournament, neighbour: Tournament, chief_arbiter: User
) -> None:
    assert neighbour.entries.count() == 8
    client.force_login(chief_arbiter)
    url = reverse("tournament-duplicate", args=[tournament.slug])
    assert 'name="players"' not in client.get(url).content.decode()
    factories.make_entries(tournament, chief_arbiter, 1)
    assert 'name="players"' in client.get(url).content.decode()


def test_the_screens_have_new_addresses_and_no_words_of_last_year(
    last_year: Tournament, chief_arbiter: User
) -> None:
    like = {"contents": ["boards", "notice"], "size": "large", "is_dark": False, "seconds": 20}
    before = Screen.objects.create(
        tournament=last_year, code="LASTYEAR", name="Stage", language="fr", has_finder=True,
        notice="Anna", message="Berta", shown_now="notice", sections=[last_year.identity],
        are_side_by_side=True, **like,
    )  # fmt: skip
    made = copy(last_year, chief_arbiter)
    copy(last_year, chief_arbiter)  # the same form once more
    (screen,) = Screen.objects.filter(tournament=made)
    assert {name: getattr(screen, name) for name in SCREEN_SETTINGS} == {
        name: getattr(before, name) for name in SCREEN_SETTINGS
    }
    assert (screen.notice, screen.message, screen.shown_now, screen.sections) == ("", "", "", [])
    assert (screen.are_side_by_side, screen.version) == (False, 1)
    assert screen.code != before.code
    # A new field of a screen is in the list of copied fields, or here.
    assert {field.name for field in Screen._meta.get_fields()} - set(SCREEN_SETTINGS) == {
        "id", "tournament", "code", "sections", "are_side_by_side", "notice", "shown_now",
        "page_now", "message", "version",
    }  # fmt: skip
