"""The comparison by itself after a loading, the lists of the first day, and loading each month."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.tournaments import factories
from tournaments.core import jobs
from tournaments.core.errors import BadInput
from tournaments.entries.entries import entry_update
from tournaments.lists.rating_lists import renewing
from tournaments.lists.rating_lists.comparing import compare
from tournaments.lists.rating_lists.loading import list_begin, list_load
from tournaments.lists.rating_lists.replacing import list_discard, list_use
from tournaments.lists.rating_lists.search import lists_in_use, search_lists
from tournaments.lists.rating_lists.watching import JOB, ratings_that_differ
from tournaments.models import Entry, Job, RatingList, Tournament

from .conftest import PLAYERS, Load, text_list

pytestmark = pytest.mark.django_db
ADDRESS = "https://ratings.invented.example/list.zip"


def do(kind: str) -> int:
    """Do the jobs of *kind* that wait, and return how many."""
    done = 0
    while (
        job := Job.objects.filter(kind=kind, state="waiting").order_by("pk").first()
    ) is not None:
        token = jobs.take(job.pk, timezone.now())
        assert token is not None
        assert jobs.perform(job.pk, token) == "done"
        done += 1
    return done


@pytest.fixture
def tournament(chief_arbiter: User) -> Tournament:
    """Two listed players; one has another rating than the list."""
    made = factories.make_tournament(chief_arbiter, federation="FRA", rounds=3)
    for tpn, (number, name, rating) in enumerate(
        ((2000016, "Abara, Player 1", 2450), (2000024, "Blomqvist, Player 2", 2300)), 1
    ):
        Entry.objects.create(
            tournament=made,
            name=name,
            fide_id=number,
            fide_rating=rating,
            rating=rating,
            tpn=tpn,
            created_at=factories.NOW,
        )
    return made


def needs_of(client: Client, tournament: Tournament, user: User) -> str:
    client.force_login(user)
    return client.get(reverse("desk", args=[tournament.slug])).content.decode()


@pytest.mark.costly
def test_after_a_loading_now_says_how_many_ratings_differ(
    load: Load, tournament: Tournament, client: Client, chief_arbiter: User
) -> None:
    assert "differ" not in needs_of(client, tournament, chief_arbiter)
    load(text_list())
    assert do(JOB) >= 1
    page = needs_of(client, tournament, chief_arbiter)
    assert "1 rating differs" in page
    assert reverse("ratings-check", args=[tournament.slug]) in page
    # A later list with three ratings that differ, and the count follows without a visit.
    newer = [(*row[:5], row[5] + 11 if row[5] else 0, *row[6:]) for row in PLAYERS]
    load(text_list(newer))
    do(JOB)
    assert ratings_that_differ(tournament) == 2
    entry = Entry.objects.get(tournament=tournament, fide_id=2000016)
    entry_update(entry_id=entry.pk, actor=chief_arbiter, now=factories.NOW, fide_rating=2461)
    # A line that was dealt with is not counted any more.
    assert ratings_that_differ(tournament) == 1


def test_tournaments_that_are_over_are_not_compared(
    load: Load, tournament: Tournament, chief_arbiter: User
) -> None:
    over = factories.make_tournament(chief_arbiter, name="Over", end_date="2020-01-05")
    Entry.objects.create(
        tournament=over, name="Abara, Player 1", fide_id=2000016, rating=1, created_at=factories.NOW
    )
    empty = factories.make_tournament(chief_arbiter, name="Empty")
    load(text_list())
    keys = set(Job.objects.filter(kind=JOB).values_list("key", flat=True))
    assert str(tournament.pk) in keys
    assert str(over.pk) not in keys
    assert str(empty.pk) not in keys


def test_without_a_list_nothing_is_compared(tournament: Tournament) -> None:
    jobs.enqueue(JOB)
    assert do(JOB) == 1
    assert ratings_that_differ(tournament) == 0


def test_from_its_first_day_on_a_tournament_has_the_lists_of_that_day(
    load: Load, tournament: Tournament
) -> None:
    today = timezone.localdate()
    month = today.replace(day=1)
    load(text_list(), month=month)
    Tournament.objects.filter(pk=tournament.pk).update(start_date=today)
    tournament.refresh_from_db()
    newer = [(*row[:5], 1999 if row[5] else 0, *row[6:]) for row in PLAYERS]
    next_month = (month + timedelta(days=32)).replace(day=1)
    for number in range(3):
        # Later lists replace it, but its file stays as long as the tournament runs.
        load(text_list(newer), month=next_month + timedelta(days=31 * number))
    assert [row.month for row in lists_in_use(tournament)] == [month]
    (hit,) = search_lists(tournament, "abara")
    assert (hit.fide_rating, hit.values["rating_list"]) == (2450, f"FIDE {month:%Y-%m}")
    differ = [
        one.entry.fide_id
        for one in compare(tournament).different
        if any(each.field == "fide_rating" for each in one.differences)
    ]
    assert differ == [2000024]
    # A tournament that has not begun has the newest.
    Tournament.objects.filter(pk=tournament.pk).update(start_date=today + timedelta(days=90))
    tournament.refresh_from_db()
    (hit,) = search_lists(tournament, "abara")
    assert hit.fide_rating == 1999


def test_the_lists_of_a_tournament_that_is_over_are_removed(
    load: Load, tournament: Tournament, folder: Any
) -> None:
    today = timezone.localdate()
    Tournament.objects.filter(pk=tournament.pk).update(
        start_date=today - timedelta(days=60), end_date=today - timedelta(days=50)
    )
    for number in range(4):
        load(text_list(), month=today.replace(day=1) - timedelta(days=31 * (3 - number)))
    assert len(list(folder.glob("*.sqlite3"))) == 2


@pytest.fixture
def november(load: Load) -> RatingList:
    """A list that was loaded from an address in November."""
    at = datetime(2026, 11, 3, 9, tzinfo=ZoneInfo("UTC"))
    row = load(text_list(head=HEAD), ADDRESS, now=at)
    assert (row.state, row.month and row.month.month) == ("loaded", 11)
    return row


HEAD = text_list([]).decode().strip()


@pytest.mark.parametrize(
    "day, is_due", [("2026-11-30", False), ("2026-12-01", False), ("2026-12-02", True)]
)
def test_a_list_is_due_from_the_second_day_of_the_next_month(
    day: str, is_due: bool, november: RatingList, administrator: User
) -> None:
    moment = datetime.fromisoformat(f"{day}T10:00:00+00:00")
    # Nobody has chosen it: no address is opened.
    assert renewing.due_lists(moment) == []
    renewing.list_renew(list_id=november.pk, actor=administrator, wanted=True)
    assert bool(renewing.due_lists(moment)) is is_due


def test_a_list_that_is_due_is_begun_and_its_failure_is_shown(
    november: RatingList, administrator: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    renewing.list_renew(list_id=november.pk, actor=administrator, wanted=True)
    december = datetime(2026, 12, 2, 10, tzinfo=ZoneInfo("UTC"))
    with monkeypatch.context() as patch:
        patch.setattr(renewing.timezone, "now", lambda: december)
        jobs.enqueue(renewing.JOB)
        assert do(renewing.JOB) == 1
    row = RatingList.objects.get(state="loading")
    assert (row.origin, row.is_renewed, row.loaded_by) == (ADDRESS, True, None)

    def refuse(*args: object, **named: object) -> None:
        raise BadInput("rating_list.not_fetched", problem="no network")

    monkeypatch.setattr("tournaments.lists.rating_lists.loading.fetch", refuse)
    do("rating_list")
    row.refresh_from_db()
    assert (row.state, RatingList.objects.get(is_current=True)) == ("failed", november)
    client.force_login(administrator)
    page = client.get(reverse("rating-lists")).content.decode()
    assert "It could not be loaded by itself" in page
    assert "The file could not be downloaded (no network)." in page
    assert renewing.due_lists(december) == [RatingList.objects.get(pk=november.pk)]


DECEMBER = datetime(2026, 12, 2, 10, tzinfo=ZoneInfo("UTC"))


@pytest.fixture
def renewed(november: RatingList, administrator: User) -> RatingList:
    return renewing.list_renew(list_id=november.pk, actor=administrator, wanted=True)


def test_a_list_whose_address_is_gone_does_not_hold_up_the_others(
    renewed: RatingList, load: Load, administrator: User
) -> None:
    at = DECEMBER - timedelta(days=20)
    lines = b"Nom;Elo\nPetit No\xc3\xabl;1500\n"
    national = load(lines, f"{ADDRESS}?fra", federation="FRA", now=at)
    renewing.list_renew(list_id=national.pk, actor=administrator, wanted=True)
    assert renewing.due_lists(DECEMBER) == [renewed, national]
    load(b"", ADDRESS, now=DECEMBER, is_renewed=True)
    assert RatingList.objects.filter(state="failed").count() == 1
    # The one that was tried least recently is first; the other is tried again later.
    assert renewing.due_lists(DECEMBER) == [national, renewed]


def test_a_list_that_waits_or_was_discarded_is_not_loaded_again_in_the_same_month(
    renewed: RatingList, load: Load, administrator: User
) -> None:
    smaller = load(text_list(PLAYERS[:1]), ADDRESS, now=DECEMBER, is_renewed=True)
    assert smaller.state == "waiting"
    assert renewing.due_lists(DECEMBER) == []
    list_discard(list_id=smaller.pk, actor=administrator)
    assert renewing.due_lists(DECEMBER + timedelta(days=9)) == []
    assert renewing.due_lists(DECEMBER + timedelta(days=31)) == [renewed]


def test_a_list_to_which_somebody_returned_stays_until_the_next_month(
    renewed: RatingList, load: Load, administrator: User
) -> None:
    newer = load(text_list(), ADDRESS, now=DECEMBER, is_renewed=True)
    assert (newer.is_current, newer.is_renewed) == (True, True)
    list_use(list_id=renewed.pk, actor=administrator, now=DECEMBER)
    assert renewing.due_lists(DECEMBER + timedelta(days=9)) == []
    assert renewing.due_lists(DECEMBER + timedelta(days=31)) == [renewed]


def test_a_list_that_somebody_loads_from_the_same_address_is_still_renewed(
    renewed: RatingList, load: Load, administrator: User
) -> None:
    by_hand = load(text_list(), ADDRESS, now=DECEMBER - timedelta(days=1))
    assert by_hand.is_renewed
    assert not load(text_list(), "list.txt", now=DECEMBER).is_renewed


def test_who_stops_it_while_the_list_is_loaded_has_stopped_it(
    renewed: RatingList, administrator: User, tmp_path: Path
) -> None:
    begun = list_begin(actor=None, now=DECEMBER, origin=ADDRESS, is_renewed=True)
    renewing.list_renew(list_id=renewed.pk, actor=administrator, wanted=False)
    path = tmp_path / "given.txt"
    path.write_bytes(text_list())
    row = list_load(list_id=begun.pk, source=path, clock=lambda: DECEMBER)
    assert (row.is_current, row.is_renewed) == (True, False)


@pytest.mark.costly
def test_the_page_of_many_lists_has_as_many_queries_as_that_of_one(
    renewed: RatingList, load: Load, administrator: User, client: Client
) -> None:
    client.force_login(administrator)

    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            assert client.get(reverse("rating-lists")).status_code == 200
        return len(found)

    before = queries()
    for federation in ("FRA", "GER", "POL"):
        row = load(b"Nom;Elo\nPetit Anne;1500\n", f"{ADDRESS}?{federation}", federation=federation)
        renewing.list_renew(list_id=row.pk, actor=administrator, wanted=True)
    assert queries() == before


@pytest.mark.costly
def test_the_page_turns_it_on_and_off(
    november: RatingList, load: Load, administrator: User, client: Client
) -> None:
    client.force_login(administrator)
    url = reverse("rating-lists")
    assert "Nothing is loaded by itself unless" in client.get(url).content.decode()
    page = client.post(url, {"renew": november.pk, "monthly": "yes"}, follow=True).content.decode()
    assert "is loaded again each month" in page
    assert RatingList.objects.get(pk=november.pk).is_renewed
    client.post(url, {"renew": november.pk, "monthly": ""})
    assert not RatingList.objects.get(pk=november.pk).is_renewed
    # One from a file, and one whose address names the month.
    for name in ("list.txt", "https://ratings.invented.example/standard_nov26frl.zip"):
        row = load(text_list(), name)
        with pytest.raises(BadInput, match="Only a list from an address"):
            renewing.list_renew(list_id=row.pk, actor=administrator, wanted=True)


def test_only_those_who_load_lists_turn_it_on(
    november: RatingList, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    answer = client.post(reverse("rating-lists"), {"renew": november.pk, "monthly": "yes"})
    assert answer.status_code == 403
    assert not RatingList.objects.get(pk=november.pk).is_renewed
